// Games as files: a save with the picture inside, to be opened on another machine.

import { Game } from './game.js';
import { BUILTIN, DEFAULT, builtinName, pictureBlob } from './pictures.js';
import { keepPicture } from './album.js';
import { SaveError } from './save.js';
import { Undecodable, prepared } from './crop.js';

/** The largest file that is opened, in bytes. */
export const LARGEST = 24 * 1024 * 1024;

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

/**
 * Reads an exported file; `isPictureLost` when its own picture is not in it or cannot be read. Throws a SaveError that
 * says what is wrong with it.
 */
export async function importGame(file) {
  if (file.size > LARGEST) throw new SaveError('too-large', `${Math.round(file.size / 1048576)} MB`);
  const content = parse(await file.text());
  const save = content.game ?? content;
  if (typeof save !== 'object' || !('start' in save || 'version' in save)) throw new SaveError('not-json', 'it is no game');
  // Whoever made the file chose the position: such a game sets no record.
  const game = Game.fromSave({ ...save, picture: DEFAULT, origin: 'file' });
  const picture = await importedPicture(String(save.picture));
  game.picture = picture ?? DEFAULT;
  return { name: String(content.name ?? file.name.replace(/(\.pintu)?\.json$/, '')).slice(0, 80), game, isPictureLost: picture === null };
}

function parse(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    throw new SaveError('not-json', 'it is no JSON');
  }
}

/** The picture of an imported game: one of ours by name, or the one inside; never an address on the net. Null where there is none. */
async function importedPicture(picture) {
  if (BUILTIN.includes(builtinName(picture))) return picture;
  const inside = /^data:(image\/(?:jpeg|png|webp));base64,([A-Za-z0-9+/=]+)$/.exec(picture);
  if (!inside) return null;
  try {
    const bytes = Uint8Array.from(atob(inside[2]), (letter) => letter.charCodeAt(0));
    return await keepPicture(await prepared(new Blob([bytes], { type: inside[1] })));
  } catch (error) {
    if (error instanceof Undecodable || error.name === 'InvalidCharacterError') return null;
    throw error;
  }
}
