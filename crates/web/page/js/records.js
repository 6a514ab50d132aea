// The player's finished games that count: which there are, and what a new one sets. What is in memory is for showing; what a game sets is
// judged by what is kept, for other tabs play, too.

import { whyNot } from './counting.js';
import { isOf, sameGame, standing } from './ranking.js';
import * as session from './session.js';
import { createShelf } from './shelf.js';
import * as store from './store.js';

/** From the oldest to the newest; those who show them are told. */
const shelf = createShelf('records', (all) => all.filter(({ gone }) => !gone).sort((a, b) => a.when - b.when), session.recordsChanged);
export const { all: allRecords, load: loadRecords, changed } = shelf;

/** The quickest game of a kind of board. */
export const bestOf = (category) => standing(allRecords().filter((record) => record.category === category)).time;

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

/** The record that a finished game has set. */
export const recordOf = (save) => allRecords().find((record) => sameGame(record.game, save)) ?? null;

/** Deletes a record, here at once and on the server when it answers. */
export async function removeRecord(record) {
  await store.update('records', record.id, (now) => now && (now.posted || now.attempted ? { ...now, gone: true } : null));
  await changed();
}

/** Takes a record back that was deleted; the server may have forgotten it by now, and gets it again. */
export async function restoreRecord(record) {
  await store.update('records', record.id, (now) => (now ? { ...now, gone: false } : { ...record, posted: false, serverId: null, gone: false }));
  await changed();
}

shelf.onElsewhere(loadRecords);
