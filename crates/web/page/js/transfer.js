// Games as files: a save with the picture inside, to be opened on another machine; and everything that this browser keeps as one file.

import { bring } from '../players/follow.js';
import { better, dateOf, planOf, today } from '../daily/day.js';
import { keepPicture, ownPictures } from './album.js';
import { everything } from './api.js';
import { prepared, Undecodable } from './crop.js';
import { button, download, el } from './dom.js';
import { Gone, Refused } from './errors.js';
import { Game } from './game.js';
import { hasServer } from './host.js';
import { decimal, knows, t } from './i18n.js';
import { entries, freeName, isNamed, isSpent, keep, keepCopy } from './library.js';
import { suggested, wellNamed } from './naming.js';
import { BUILTIN, builtinName, DEFAULT, pictureBlob } from './pictures.js';
import { sameGame, sameStart } from './scoring.js';
import { allRecords, recordOf, takeRecords } from './records.js';
import { MOST_MILLIS, SaveError } from './save.js';
import * as session from './session.js';
import { toast } from './sheets.js';
import * as store from './store.js';
import { flush } from './sync.js';

/** The largest file of a game, and of everything. */
const [LARGEST, LARGEST_OF_ALL] = [24, 256].map((mebibytes) => mebibytes * 1024 * 1024);

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

/** Reads a file. Throws a SaveError that says what is wrong with it. @param {File} file @returns {Promise<any>} */
async function contentOf(file) {
  const tooLarge = () => new SaveError('too-large', `${Math.round(file.size / 1048576)} MB`);
  if (file.size > LARGEST_OF_ALL) throw tooLarge();
  const content = parse(await file.text());
  if (!isAll(content) && file.size > LARGEST) throw tooLarge();
  return content;
}

/** Puts an exported game on the table; its picture may not be in it, or be unreadable. @param {string} file @param {any} content */
async function openGame(file, content) {
  const save = content.game ?? content;
  if (typeof save !== 'object' || !('start' in save || 'version' in save)) throw new SaveError('not-json', 'it is no game');
  // The file's author chose the position, so the game sets no record.
  const game = Game.fromSave({ ...save, picture: DEFAULT, origin: 'file' });
  const picture = await importedPicture(String(save.picture));
  game.picture = picture ?? DEFAULT;
  const name = wellNamed(String(content.name ?? file.replace(/(\.pintu)?\.json$/, '')));
  return () => {
    session.replace(game);
    const undo = { label: () => t('do.undo'), run: () => session.bringBack() };
    if (game.solvable) toast(() => t(picture === null ? 'saves.importedWithout' : 'saves.imported', { name }), undo);
  };
}

function parse(/** @type {string} */ text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    throw new SaveError('not-json', 'it is no JSON');
  }
}

/** The picture of an imported game: one of ours by name, or the one inside; never an address on the net. Null where there is none. @param {string} picture @param {string} [id] */
async function importedPicture(picture, id) {
  if (BUILTIN.includes(builtinName(picture))) return picture;
  const inside = /^data:(image\/(?:jpeg|png|webp));base64,([A-Za-z0-9+/=]+)$/.exec(picture);
  if (!inside) return null;
  try {
    const bytes = Uint8Array.from(atob(inside[2]), (letter) => letter.charCodeAt(0));
    return await keepPicture(await prepared(new Blob([bytes], { type: inside[1] })), null, id);
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
    const content = await contentOf(file);
    const tell = await (isAll(content) ? takeAll : openGame)(file.name, content);
    onRead();
    tell();
    return true;
  } catch (error) {
    if (!(error instanceof SaveError)) throw error;
    toast(() => t(knows(`file.${error.code}`) ? `file.${error.code}` : 'file.bad-field', { name: file.name, size: decimal(file.size / 1048576), most: LARGEST / 1048576 }));
    return false;
  }
}

/** Whether this is everything that a browser keeps, or a server has of a player: both in the form of docs/http.md. @param {any} content */
const isAll = (content) => content.pintu === 1 && Array.isArray(content.saves);

export const exportAllButton = () => button(t('saves.exportAll'), exportAll, { symbol: 'out', id: 'export-all' });

/** What only the server has: its games and records come here, the rest is returned. Says so where it does not answer. @returns {Promise<any>} */
async function bringAll() {
  if (!hasServer) return {};
  try {
    await bring();
    return await everything();
  } catch (error) {
    if (!(error instanceof Gone || error instanceof Refused)) throw error;
    toast(() => t('saves.exportHere'));
    return {};
  }
}

async function exportAll() {
  await keep();
  const { nickname = null, devices = [], daily = [], pictures: others = {} } = await bringAll();
  const [saves, own] = [(await entries()).filter((entry) => !isSpent(entry)), await ownPictures()];
  const shown = [...saves, ...allRecords()].map(({ game }) => game.picture);
  /** @type {Record<string, string>} */
  const pictures = Object.fromEntries(Object.entries(others).filter(([id]) => !own.some(({ serverId }) => serverId === id)));
  for (const id of new Set([...shown, ...own.map((picture) => picture.id)])) {
    const blob = builtinName(id) ? null : await pictureBlob(id);
    if (blob) pictures[id] = await dataUrl(blob);
  }
  const all = {
    pintu: 1,
    nickname,
    devices,
    saves: saves.map(({ name, updated, game }) => ({ name, updated_millis: updated, game })),
    records: allRecords().map(({ when, game }) => ({ created_millis: when, game })),
    daily,
    days: (await store.all('days')).map(({ id, on, millis, moves, helped }) => ({ date: id, on, millis, moves, helped })),
    pictures,
  };
  download(new Blob([JSON.stringify(all)], { type: 'application/json' }), 'pintu.json');
}

/** Takes over what is not here yet; what is here stays as it is. @param {string} name @param {any} content */
async function takeAll(name, { saves, records, pictures: inside, days }) {
  const pictures = Object(inside);
  const [here, own, known] = [await entries(), await ownPictures(), new Map()];
  /** This browser's name for a picture of the file; stores the picture first if need be. @param {string} id @returns {Promise<string>} */
  const pictureHere = async (id) => {
    if (!known.has(id)) {
      const kept = own.find((one) => [one.id, one.serverId].includes(id))?.id;
      known.set(id, kept ?? (await importedPicture(String(pictures[id] ?? id), id)) ?? DEFAULT);
    }
    return known.get(id);
  };
  /** @type {(list: any) => any[]} */
  const read = (list) => listed(list).map(({ name: called, updated_millis: updated, created_millis: made = updated, game }) => ({ called: wellNamed(String(called)), when: timeOf(made), game: readable(game) }));
  const [games, finished] = [read(saves), read(records)];
  let came = 0;
  games.sort((one, other) => one.when - other.when);
  for (const { called, when, game } of games) {
    if (!game || here.some((entry) => hasAlready(entry, called, game.toSave()))) continue;
    game.picture = await pictureHere(game.picture);
    await keepCopy(isNamed({ name: called }) ? await freeName(called) : called, game.toSave(), when);
    came += 1;
  }
  const counting = finished.filter(({ game }) => game && !recordOf(game.toSave()));
  for (const { game } of counting) game.picture = await pictureHere(game.picture);
  const set = await takeRecords(counting);
  const shown = new Set([...listed(saves), ...listed(records)].map(({ game }) => game?.picture));
  for (const id of Object.keys(pictures)) if (!shown.has(id)) await pictureHere(id);
  await takeDays(days);
  void flush();
  const left = [...games, ...finished].filter(({ game }) => !game).length;
  const key = left ? 'saves.cameInPart' : came + set ? 'saves.came' : 'saves.cameBefore';
  return () => toast(() => t(key, { name, games: came, records: set, left }));
}

/** Whether this is a calendar date of the years of the page. @param {any} text */
const isDate = (text) => /^20\d\d-\d\d-\d\d$/.test(text) && dateOf(new Date(`${text}T12:00`)) === text;
const isCount = (/** @type {any} */ value) => Number.isSafeInteger(value) && value >= 0;

/** A list of a file, of objects. @param {any} list @returns {any[]} */
const listed = (list) => (Array.isArray(list) ? list.map(Object) : []);
/** A time of a file; now where it is none. @param {any} value */
const timeOf = (value) => (isCount(value) ? Math.min(value, Date.now()) : Date.now());

/** Takes over the days that were solved elsewhere, where they are better than what is here; what is no day is left out. @param {any} days */
async function takeDays(days) {
  for (const { date, on, millis, moves, helped } of listed(days)) {
    if (!isDate(date) || !isDate(on) || on < date || on > today() || !isCount(millis) || millis > MOST_MILLIS || !isCount(moves) || !moves || typeof helped !== 'boolean') continue;
    const { rows, cols, picture } = planOf(date);
    const day = { id: date, on, millis, moves, helped, size: `${rows}×${cols}`, picture };
    await store.update('days', date, (old) => (better(old, day) === day ? { ...old, ...day } : undefined));
  }
}

/** A game of such a file; null where it cannot be read. @param {any} save */
function readable(save) {
  try {
    return Game.fromSave(save);
  } catch (error) {
    if (error instanceof SaveError) return null;
    throw error;
  }
}

/** Whether an entry is the same copy as a save, or the same unfinished game, as far or further. @param {import('./library.js').Entry} entry @param {string} name @param {import('./save.js').Save} save */
function hasAlready({ name: called, game }, name, save) {
  const made = (/** @type {import('./save.js').Save} */ { moves, redo = '' }) => moves + redo;
  if (isNamed({ name })) return isNamed({ name: called }) && called.startsWith(name) && sameGame(game, save);
  return !isNamed({ name: called }) && sameStart(game, save) && made(game).startsWith(made(save));
}
