// Games as files: a save with the picture inside, to be opened on another machine.

import { Game } from './game.js';
import { BUILTIN, DEFAULT, builtinName, pictureBlob } from './pictures.js';
import { keepPicture } from './album.js';
import { SaveError } from './save.js';
import { prepared } from './crop.js';

const LARGEST = 24 * 1024 * 1024;

/** Lets the browser save a game as a file. */
export async function exportGame(name, save) {
  const blob = builtinName(save.picture) ? null : await pictureBlob(save.picture);
  const picture = blob ? await dataUrl(blob) : save.picture;
  const text = JSON.stringify({ name, game: { ...save, picture } });
  download(new Blob([text], { type: 'application/json' }), `${fileName(name)}.pintu.json`);
}

const fileName = (name) => name.replace(/[^\p{L}\p{N} ._-]+/gu, '-').slice(0, 60).trim() || 'pintu';

function dataUrl(blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/** Lets the browser save a file. */
export function download(blob, name) {
  const anchor = document.createElement('a');
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60000);
}

/** Reads an exported file: { name, game }. Throws a RangeError that says what is wrong with it. */
export async function importGame(file) {
  if (file.size > LARGEST) throw new SaveError('too-large', `${Math.round(file.size / 1048576)} MB`);
  const content = parse(await file.text());
  const save = content.game ?? content;
  // Whoever made the file chose the position: such a game sets no record.
  const game = Game.fromSave({ ...save, picture: DEFAULT, origin: 'file' });
  game.picture = await importedPicture(save.picture);
  return { name: String(content.name ?? file.name.replace(/(\.pintu)?\.json$/, '')).slice(0, 80), game };
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new SaveError('not-json', 'it is no JSON');
  }
}

/** The picture of an imported game: one of ours by name, or the one inside; never an address on the net. */
async function importedPicture(picture) {
  if (BUILTIN.includes(builtinName(String(picture)))) return picture;
  const inside = /^data:(image\/(?:jpeg|png|webp));base64,([A-Za-z0-9+/=]+)$/.exec(picture);
  if (!inside) return DEFAULT;
  const bytes = Uint8Array.from(atob(inside[2]), (letter) => letter.charCodeAt(0));
  return keepPicture(await prepared(new Blob([bytes], { type: inside[1] })));
}
