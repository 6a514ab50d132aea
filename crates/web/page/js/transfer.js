// Games as files: a save with the picture inside, to be opened on another machine.

import { keepPicture } from './album.js';
import { prepared, Undecodable } from './crop.js';
import { button, download, el } from './dom.js';
import { Game } from './game.js';
import { decimal, knows, t } from './i18n.js';
import { suggested } from './naming.js';
import { BUILTIN, builtinName, DEFAULT, pictureBlob } from './pictures.js';
import { SaveError } from './save.js';
import * as session from './session.js';
import { toast } from './sheets.js';

export const LARGEST = 24 * 1024 * 1024;

export async function exportGame(/** @type {string} */ name, /** @type {import('./save.js').Save} */ save) {
  const blob = builtinName(save.picture) ? null : await pictureBlob(save.picture);
  const picture = blob ? await dataUrl(blob) : save.picture;
  const text = JSON.stringify({ name, game: { ...save, picture } });
  download(new Blob([text], { type: 'application/json' }), `${fileName(name)}.pintu.json`);
}

const fileName = (/** @type {string} */ name) => name.replace(/[^\p{L}\p{N} ._-]+/gu, '-').slice(0, 60).trim() || 'pintu';

function dataUrl(/** @type {Blob} */ blob) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

/**
 * Reads an exported file; `isPictureLost` when its own picture is not in it or cannot be read. Throws a SaveError that
 * says what is wrong with it. @param {File} file
 */
async function importGame(file) {
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

function parse(/** @type {string} */ text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    throw new SaveError('not-json', 'it is no JSON');
  }
}

/** The picture of an imported game: one of ours by name, or the one inside; never an address on the net. Null where there is none. @param {string} picture */
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

export const exportButton = () => button(t('saves.exportNow'), () => exportGame(suggested(session.current()), session.keepClock().toSave()), { symbol: 'out', id: 'export-now' });

export function importButton(/** @type {() => void} */ close) {
  const input = el('input', { type: 'file', id: 'import-file', accept: '.json,application/json', hidden: true, onchange: async () => {
    await openFile(input.files[0], close);
    input.value = '';
  } });
  return [button(t('saves.import'), () => input.click(), { symbol: 'file', id: 'import' }), input];
}

/** Opens an exported file; says what is wrong with one that is not. Resolves to whether it was opened. @param {File} file */
export async function openFile(file, onRead = () => {}) {
  try {
    const { name, game, isPictureLost } = await importGame(file);
    onRead();
    session.replace(game);
    if (game.solvable) toast(() => t(isPictureLost ? 'saves.importedWithout' : 'saves.imported', { name }), { label: () => t('do.undo'), run: () => session.bringBack() });
    return true;
  } catch (error) {
    if (!(error instanceof SaveError)) throw error;
    toast(() => t(knows(`file.${error.code}`) ? `file.${error.code}` : 'file.bad-field', { name: file.name, size: decimal(file.size / 1048576), most: LARGEST / 1048576 }));
    return false;
  }
}
