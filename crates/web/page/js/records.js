// The player's finished games that count: which there are, and what a new one sets. What is in memory is for showing; what a game sets is
// judged by what is kept, for other tabs play, too.

import { whyNot } from './helped.js';
import { exclusively } from './holds.js';
import { tellTabs } from './later.js';
import { isOf, sameGame, standing } from './ranking.js';
import * as session from './session.js';
import * as store from './store.js';

/**
 * @typedef {{ id: string, category: string, millis: number, moves: number, when: number, game: import('./save.js').Save, of?: string | null,
 *   posted?: boolean, attempted?: boolean, serverId?: string | null, gone?: boolean, local?: boolean, problem?: any }} RecordEntry
 */
/** From the oldest to the newest; those who show them are told. */
const shelf = createShelf('records', (all) => all.filter(({ gone }) => !gone).sort((a, b) => a.when - b.when), session.recordsChanged);
export const { all: allRecords, load: loadRecords, changed } = shelf;

export const bestOf = (/** @type {string} */ category) => standing(allRecords().filter((record) => record.category === category)).time;

/**
 * Adds a game that was just finished, if it counts and is not known already. Resolves to which records it set (null when it was not
 * added), and to the latest game of such a board before it, the quickest, the one with the fewest moves, and as what it counts already (`own`).
 * @param {import('./game.js').Game} game
 */
export function addRecord(game) {
  const [save, out, { id: of, category, count: moves }] = [game.toSave(), whyNot(game), game];
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

/**
 * Makes such a list of all that a store has. `onRead` is told each time it was read.
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
    tellTabs?.postMessage({ [name]: true });
    await load();
  }

  /** Acts on what is kept, while no other tab does. @template R @param {(list: T[]) => Promise<R>} act @returns {Promise<R>} */
  const alone = (act) => exclusively(name, async () => {
    await load();
    return act(list);
  });

  /** Calls back when another tab has changed it. @param {() => void} callback */
  const onElsewhere = (callback) => tellTabs?.addEventListener('message', ({ data }) => { if (data[name]) callback(); });

  return { all: () => list, load, changed: reload, alone, onElsewhere };
}
