// What the library holds: the unfinished games and the copies that the player has named, as the browser's database has them. Which
// there are, in what order they were played, and how one is deleted and taken back.

import { elapsed } from './elapsed.js';
import { Game } from './game.js';
import * as store from './store.js';
import { tellAll } from './tell.js';

/** What an unnamed game is called on the server. */
export const UNNAMED = 'autosave';
/** So many unfinished games are kept; the oldest make room. */
export const KEPT = 30;

/**
 * @typedef {object} Entry
 * @property {string} id
 * @property {string} name The player's name for a copy; UNNAMED for a game that goes on.
 * @property {import('./save.js').Save} game As `Game.toSave()` gives it.
 * @property {boolean | 'back'} [again] As in the game, like `strays`.
 * @property {number} [strays]
 * @property {number} updated When it was written, for people to read: clocks are set back.
 * @property {number} [turn] Its place in the order of play; larger is later.
 * @property {number} [left] Where it makes room: how many games can be begun until it goes.
 * @property {number} version How often it was written here.
 * @property {boolean} dirty Whether the server has not got this version yet.
 * @property {boolean} [gone] Whether it is to be deleted, also on the server.
 * @property {string | null} [serverId]
 * @property {number | null} [revision] The server's.
 * @property {string} [attempt] What was sent without an answer yet, by its fingerprint.
 * @property {{ code: string, text: string, at: number, count: number } | null} [problem] Why the server refused it.
 */

const watchers = { changed: new Set(), forked: new Set(), crowded: new Set() };

/**
 * Calls back when entries change that the server is to know of ('changed'), two versions had to be kept ('forked'), or there are more
 * unfinished games than are kept ('crowded', with those that are to make room): who hears of that tells the player, and drops them later.
 * @param {'changed' | 'forked' | 'crowded'} name @param {(detail?: any) => void} callback
 */
export const onLibrary = (name, callback) => watchers[name].add(callback);
/** @param {'changed' | 'forked' | 'crowded'} name @param {any} [detail] */
export const tellLibrary = (name, detail) => tellAll(watchers[name], detail);

export const isNamed = (/** @type {{ name: string }} */ entry) => entry.name !== UNNAMED;

/** An entry's place in the order of play; the time stands in for it where there is none yet. @param {Entry} entry */
const turnOf = ({ turn, updated }) => turn ?? updated ?? 0;

/** Sorts entries in the order in which they were played, the oldest first. @param {Entry} a @param {Entry} b */
export const byTurn = (a, b) => turnOf(a) - turnOf(b);

/** The next place in the order of play: after everything that is kept, whatever the clock says. */
export async function nextTurn() {
  return (await store.all('saves')).reduce((latest, entry) => Math.max(latest, turnOf(entry) + 1), Date.now());
}

/** All entries that are not deleted, the latest first. */
export async function entries() {
  return (await store.all('saves')).filter(({ gone }) => !gone).sort((a, b) => byTurn(b, a));
}

/** A game of an entry, with all the time it has taken, or null where it cannot be read; such an entry is left as it is. @param {Entry} entry */
export function gameOf(entry) {
  try {
    const game = Game.fromSave(entry.game);
    Object.assign(game, { again: entry.again ?? false, strays: entry.strays ?? 0 });
    if (!isNamed(entry)) Object.assign(game, { id: entry.id, version: entry.version ?? 0, millis: Math.max(game.millis, elapsed(entry.id)) });
    return game;
  } catch {
    return null;
  }
}

/** What an entry holds of a game: its save, and what is kept beside it. @param {Game} game */
export const contentOf = (game) => ({ game: game.toSave(), again: game.again, strays: game.strays + (game.ahead ? 1 : 0) });

/** All moves of a save, also those that were taken back. @param {{ moves: string, redo?: string }} save */
export const madeIn = ({ moves, redo = '' }) => moves + redo;

/** The unfinished games, the latest first: what can be gone on with. What cannot be read is none of them, and is left as it is. */
export async function unfinished() {
  const unnamed = (await entries()).filter((entry) => !isNamed(entry));
  return unnamed.flatMap((entry) => { const game = gameOf(entry); return game?.running && game.played ? [{ entry, game }] : []; });
}

/** Deletes an entry, here at once and on the server when it answers. Resolves to what was deleted, for `revive`. @param {string} id */
export const drop = (id) => takeAway(id, ({ gone }) => !gone);

/** Deletes an entry that is as it must be for that. One that was sent may be on the server, answered or not. @param {string} id @param {(now: any) => boolean} isFit */
export async function takeAway(id, isFit) {
  let was = null;
  await store.update('saves', id, (now) => {
    was = now && isFit(now) ? now : null;
    if (!was) return undefined;
    return was.serverId || was.attempt ? { ...was, gone: true } : null;
  });
  if (was) tellLibrary('changed');
  return was;
}

export async function revive(/** @type {Entry} */ entry) {
  await store.update('saves', entry.id, (now) => (now ? { ...now, gone: false } : { ...entry, serverId: null, revision: null, dirty: true }));
  tellLibrary('changed');
}

/** An earlier page kept one game only, under this name; a tab of it may still be open and write there again. */
const LEGACY = 'auto';

/** Has such a game go on like the others. */
export async function renameLegacy() {
  const old = await store.get('saves', LEGACY);
  if (!old) return;
  await store.put('saves', { ...old, id: store.freshId(), name: UNNAMED, version: old.version ?? 1 });
  await store.remove('saves', LEGACY);
}
