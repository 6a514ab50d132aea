// The player's finished games that count: which there are, and what a new one sets.

import { refusal, sameGame, standing } from './ranking.js';
import * as session from './session.js';
import * as store from './store.js';

/** From the oldest to the newest. @type {any[]} */
let records = [];

export const allRecords = () => records;

/** The quickest game of a kind of board. */
export const bestOf = (category) => standing(records.filter((record) => record.category === category)).time;

/** The latest game of a kind of board, the quickest, and the one with the fewest moves. */
export function pastOf(category) {
  const list = records.filter((record) => record.category === category);
  const { time, moves } = standing(list);
  return { last: list.at(-1) ?? null, time, moves };
}

/** Reads what the browser has, and tells those who show it. */
export async function loadRecords() {
  records = (await store.all('records')).filter(({ gone }) => !gone).sort((a, b) => a.when - b.when);
  session.recordsChanged();
}

/** Adds a finished game. Says which records it set; null when it counts for none, or is known already. */
export async function addRecord(game) {
  const save = game.toSave();
  // A game that is undone after its end and finished once more is still one game.
  if (refusal(save) || records.some((record) => sameGame(record.game, save) || (game.id && record.of === game.id))) return null;
  const before = standing(records.filter((record) => record.category === game.category));
  const record = { id: store.freshId(), category: game.category, millis: save.millis, moves: game.count, when: Date.now(), game: save, of: game.id, posted: false };
  records.push(record);
  await store.put('records', record);
  session.recordsChanged();
  return { time: !before.time || record.millis < before.time.millis, moves: !before.moves || record.moves < before.moves.moves };
}

/** The record that a finished game has set. */
export const recordOf = (save) => records.find((record) => sameGame(record.game, save)) ?? null;

/** Deletes a record, here at once and on the server when it answers. */
export async function removeRecord(record) {
  await store.update('records', record.id, (now) => now && (now.posted || now.attempted ? { ...now, gone: true } : null));
  await loadRecords();
}

/** Takes a record back that was deleted; the server may have forgotten it by now, and gets it again. */
export async function restoreRecord(record) {
  await store.update('records', record.id, (now) => (now ? { ...now, gone: false } : { ...record, posted: false, serverId: null, gone: false }));
  await loadRecords();
}
