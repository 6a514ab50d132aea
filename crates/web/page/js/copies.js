// Copies of games that the player has named: each stays as it is while its game goes on.

import { drop, entries, isNamed, madeIn, nextTurn, tellLibrary, unfinished } from './entries.js';
import { keep } from './library.js';
import { sameStart } from './ranking.js';
import { allRecords } from './records.js';
import * as store from './store.js';
/** @import { Entry } from './entries.js' */

/** Keeps a copy of a game, given as what an entry holds of it, under a name. Resolves to its id. @param {string} name @param {Partial<Entry>} content */
export async function keepCopy(name, content) {
  const id = store.freshId();
  await store.put('saves', { id, name, ...content, updated: Date.now(), turn: await nextTurn(), version: 1, dirty: true, gone: false });
  tellLibrary('changed');
  return id;
}

/** Changes a copy: its name, or the game in it. What it was can be given back in the same way. @param {string} id @param {Partial<Entry>} change */
export async function changeCopy(id, change) {
  const later = 'game' in change ? { updated: Date.now(), turn: await nextTurn() } : {};
  await store.update('saves', id, (now) => now && { ...now, ...later, ...change, version: (now.version ?? 0) + 1, dirty: true, gone: false });
  tellLibrary('changed');
}

/** The copy that has this name already, if there is one. @param {string} name */
export const copyNamed = async (name) => (await entries()).find((entry) => isNamed(entry) && entry.name === name);

/** The first of “name”, “name 2”, “name 3”, … that is not taken. @param {string} name */
export async function freeName(name) {
  const taken = new Set((await entries()).map((entry) => entry.name));
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} ${number}`;
  return free;
}

/** Whether a game has been played on past a copy of its scramble, be it that this was taken back and other moves made since. @param {Entry} entry @param {Entry} copy */
const isPast = (entry, copy) => sameStart(entry.game, copy.game) && ((entry.strays ?? 0) > (copy.strays ?? 0) || !madeIn(copy.game).startsWith(madeIn(entry.game)));

/** Whether the scramble of a copy has been played on since, or solved: whoever loads it then has another go at it. @param {Entry} copy */
export async function isOvertaken(copy) {
  await keep();
  return allRecords().some(({ game }) => sameStart(game, copy.game)) || (await unfinished()).some(({ entry }) => isPast(entry, copy));
}

/** Deletes a game or a copy, and notes on the copies that it was played on past them: nobody could tell later. Resolves to what was deleted. @param {string} id */
export async function dropPlayed(id) {
  const was = /** @type {import('./entries.js').Entry | null} */ (await drop(id));
  if (was) for (const copy of (await store.all('saves')).filter((entry) => isNamed(entry) && isPast(was, entry))) await store.update('saves', copy.id, (now) => now && { ...now, again: true });
  return was;
}
