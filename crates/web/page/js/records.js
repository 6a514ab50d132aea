// The player's finished games that count. The list in memory is for display; whether a new game sets a record is judged by the stored
// list, because other tabs play, too.

import { keep } from './library.js';
import { pref, setPref } from './prefs.js';
import { isOf, refusal, sameGame, standing, whyNot } from './scoring.js';
import * as session from './session.js';
import * as store from './store.js';
/** @import { Game } from './game.js' */

/**
 * @typedef {{ id: string, category: string, millis: number, moves: number, when: number, game: import('./save.js').Save, of?: string | null,
 *   posted?: boolean, attempted?: boolean, serverId?: string | null, gone?: boolean, local?: boolean, problem?: any }} RecordEntry
 */
/** The records from the oldest to the newest; views are notified of changes. */
const shelf = createShelf('records', (all) => all.filter(({ gone }) => !gone).sort((a, b) => a.when - b.when), session.recordsChanged);
export const { all: allRecords, load: loadRecords, changed } = shelf;

export const bestOf = (/** @type {string} */ category) => standing(allRecords().filter((record) => record.category === category)).time;

/**
 * Adds a game that was just finished, if it counts and is not known already. Resolves to which records it set (null when it was not
 * added), and to the latest game of such a board before it, the quickest, the one with the fewest moves, and as what it counts already (`own`).
 * @param {Game} game
 */
export async function addRecord(game) {
  // The write returns flags that another tab has set on its scramble.
  await keep();
  const [save, { id: of, category, count: moves }] = [game.toSave(), game];
  const out = whyNot(save);
  return shelf.alone(async (records) => {
    const list = records.filter((record) => record.category === category);
    const own = list.find((record) => isOf(record, of, save)) ?? null;
    const others = list.filter((record) => record !== own);
    const best = standing(others);
    const past = { last: others.at(-1) ?? null, time: best.time, moves: best.moves, own };
    if (out || own) return { set: null, past };
    await store.put('records', { id: store.freshId(), category, millis: save.millis, moves, when: Date.now(), game: save, of, posted: false });
    await changed();
    return { set: { time: !best.time || save.millis < best.time.millis, moves: !best.moves || moves < best.moves.moves }, past };
  });
}

/** Adds finished games of another browser, if they count and are not here; resolves to how many. @param {{ when: number, game: Game }[]} others */
export const takeRecords = (others) => shelf.alone(async (list) => {
  const known = list.map(({ game }) => game);
  let came = 0;
  for (const { when, game } of others) {
    const save = game.toSave();
    if (refusal(save) || known.some((other) => sameGame(other, save))) continue;
    known.push(save);
    await store.put('records', { id: store.freshId(), category: game.category, millis: save.millis, moves: game.count, when, game: save, posted: false });
    came += 1;
  }
  await changed();
  return came;
});

export const recordOf = (/** @type {import('./save.js').Save} */ save) => allRecords().find((record) => sameGame(record.game, save)) ?? null;

export async function removeRecord(/** @type {RecordEntry} */ record) {
  await store.update('records', record.id, (now) => now && (now.posted || now.attempted ? { ...now, gone: true } : null));
  await changed();
}

/** Takes a record back that was deleted; the server may have forgotten it by now, and gets it again. @param {RecordEntry} record */
export async function restoreRecord(record) {
  await store.update('records', record.id, (now) => (now ? { ...now, gone: false } : { ...record, posted: false, serverId: null, gone: false }));
  await changed();
}

shelf.onElsewhere(loadRecords);

/** @typedef {{ moves: number, millis: number, helped: boolean }} Result */

const MOST_CHALLENGES = 50;

/** Notes somebody's result of a game's scramble, as a link brought it, if it brought one. @param {Game} game @param {Result | null} result */
export function noteChallenge({ scramble }, result) {
  if (!result) return;
  const { [scramble]: _, ...others } = pref('challenges', { anew: true });
  setPref('challenges', Object.fromEntries([...Object.entries(others), [scramble, result]].slice(-MOST_CHALLENGES)));
}

/** The result to beat in a game, if somebody has sent one. @param {Game} game @returns {Result | null} */
export const challengeOf = ({ origin, scramble }) => (origin === 'link' && pref('challenges')[scramble]) || null;

/**
 * Makes a list of everything in a store. `onRead` is called after each read.
 * @template T
 * @param {'records' | 'solves'} name
 * @param {(all: any[]) => T[]} arrange Leaves out what is not shown, and puts the rest in order.
 * @param {() => void} [onRead]
 */
export function createShelf(name, arrange, onRead = () => {}) {
  /** @type {T[]} */
  let list = [];

  async function load() {
    list = arrange(await store.all(name));
    onRead();
  }

  /** Reads what the browser has now, and has the other tabs do so. */
  async function reload() {
    store.tellTabs?.postMessage({ [name]: true });
    await load();
  }

  /** Acts on what is kept, while no other tab does. @template R @param {(list: T[]) => Promise<R>} act @returns {Promise<R>} */
  const alone = (act) => store.exclusively(name, async () => {
    await load();
    return act(list);
  });

  /** Calls back when another tab has changed it. @param {() => void} callback */
  const onElsewhere = (callback) => store.tellTabs?.addEventListener('message', ({ data }) => { if (data[name]) callback(); });

  return { all: () => list, load, changed: reload, alone, onElsewhere };
}
