// What this browser keeps: games, pictures, records, the solves of a sitting and the days' puzzles. A write that fails waits in memory, counts as written
// for whoever reads here, and is tried again with pauses until it is on disk; `health` says so meanwhile.
// Where a browser refuses the database for good (some private windows), the memory is all there is.

import { StoreTrouble, onReopened, transact } from './database.js';
import { report } from './health.js';
import { tellAll } from './tell.js';

const PAUSES = [500, 1000, 2000, 4000, 8000, 15000, 30000];

/** @typedef {'saves' | 'pictures' | 'records' | 'solves' | 'days'} Store */

/** What waits for the disk, by store and id; null for what is to be deleted. @type {Record<Store, Map<string, any>>} */
const waiting = { saves: new Map(), pictures: new Map(), records: new Map(), solves: new Map(), days: new Map() };
const stores = /** @type {[Store, Map<string, any>][]} */ (Object.entries(waiting));
let queue = Promise.resolve();
let retry = 0;
let failures = 0;
/** Whether the last trouble was with writing: that reading works does not mean that it is over. */
let unwritten = false;

/**
 * One at a time, so that what waits and what is on disk cannot overtake each other.
 * @template T @param {() => Promise<T>} act @returns {Promise<T>}
 */
function inTurn(act) {
  const result = queue.then(act);
  queue = result.then(() => {}, () => {});
  return result;
}

/**
 * Everything belongs to an epoch, which ends when everything is deleted. Each store has its name in an entry of its own, and
 * what a tab of an epoch that has ended would write a moment later is not written: else it would be back.
 */
const EPOCH = 'epoch';
/** The epoch to which this tab belongs, by store. */
const epochs = new Map();
const wipes = new Set();

/** Calls back when it turns out that another tab has deleted everything. @param {() => void} callback */
export const onWiped = (callback) => wipes.add(callback);

/** This tab has nothing left of the epoch before. */
export const beginAnew = () => epochs.clear();

/** Whether a store is still of this tab's epoch. A database that was deleted altogether has no name of one; what is played on is kept. @param {Store} name @param {{ epoch: string } | undefined} mark */
function isCurrent(name, mark) {
  if (!epochs.has(name)) epochs.set(name, mark?.epoch);
  return !mark || epochs.get(name) === mark.epoch;
}

/** Another tab has deleted everything: what waits here goes, too. */
function wiped() {
  for (const [, held] of stores) held.clear();
  tellAll(wipes);
}

/** An entry, or undefined. @param {Store} name @param {string} id @returns {Promise<any>} */
export const get = (name, id) => inTurn(() => read(name, id));

async function read(/** @type {Store} */ name, /** @type {string} */ id) {
  const held = waiting[name];
  if (held.has(id)) return held.get(id) ?? undefined;
  return attempt(() => transact(name, 'readonly', (store) => store.get(id)), undefined);
}

/** All entries of a store. @param {Store} name @returns {Promise<any[]>} */
export const all = (name) => inTurn(async () => {
  const kept = await onDisk(name);
  const held = waiting[name];
  return [...kept.filter((/** @type {{ id: string }} */ { id }) => !held.has(id)), ...[...held.values()].filter(Boolean)];
});

/**
 * Replaces an entry by what `change` makes of it (undefined when there is none) in one transaction, so that
 * nothing written in between is lost. `change` returns undefined to leave it as it is and null to delete it;
 * it may be called twice. Resolves once the entry is written, or waits in memory. @param {Store} name @param {string} id @param {(now: any) => any} change
 */
export const update = (name, id, change) => inTurn(async () => {
  const held = waiting[name];
  if (!held.has(id)) {
    if (await written(name, id, change)) return;
  }
  const value = change(await read(name, id));
  if (value !== undefined) held.set(id, value);
  retrySoon();
});

/** All entries on disk. @param {Store} name */
async function onDisk(name) {
  const found = await attempt(() => transact(name, 'readonly', (store) => store.getAll()), null);
  // A disk that does not answer says nothing of its epoch.
  if (!found) return [];
  if (!isCurrent(name, found.find((/** @type {{ id: string }} */ { id }) => id === EPOCH))) wiped();
  return found.filter((/** @type {{ id: string }} */ { id }) => id !== EPOCH);
}

/** Changes an entry on disk; whether that worked. @param {Store} name @param {string} id @param {(now: any) => any} change */
async function written(name, id, change) {
  let isOver = false;
  const act = (/** @type {IDBObjectStore} */ store, /** @type {(error: any) => void} */ giveUp) => {
    const mark = store.get(EPOCH);
    const request = store.get(id);
    request.onsuccess = () => {
      try {
        isOver = !isCurrent(name, mark.result);
        if (isOver) return;
        const value = change(request.result);
        if (value === null) store.delete(id);
        else if (value !== undefined) store.put(value);
      } catch (error) {
        giveUp(error);
      }
    };
    return request;
  };
  const isDone = await attempt(() => transact(name, 'readwrite', act).then(() => true), false, true);
  if (isOver) wiped();
  return isDone;
}

export const put = (/** @type {Store} */ name, /** @type {any} */ value) => update(name, value.id, () => value);
export const remove = (/** @type {Store} */ name, /** @type {string} */ id) => update(name, id, () => null);

/**
 * Forgets everything, also what waits; resolves to whether the disk has, too. What it still has counts as deleted
 * for whoever reads here, and is tried again.
 */
export const clearAll = () => inTurn(async () => {
  let cleared = true;
  const epoch = freshId();
  const clear = (/** @type {IDBObjectStore} */ store) => { store.clear(); return store.put({ id: EPOCH, epoch }); };
  for (const [name, held] of stores) {
    held.clear();
    if (await attempt(() => transact(name, 'readwrite', clear).then(() => true), false, true)) continue;
    cleared = false;
    for (const { id } of await onDisk(name)) held.set(id, null);
  }
  retrySoon();
  return cleared;
});

/** Tries; a failure is reported and `otherwise` comes back. @param {() => Promise<any>} act @param {any} otherwise */
async function attempt(act, otherwise, writing = false) {
  try {
    const result = await act();
    if (writing || !unwritten) well();
    return result;
  } catch (error) {
    if (!(error instanceof StoreTrouble)) throw error;
    unwritten ||= writing;
    report('browser', { kind: error.kind });
    return otherwise;
  }
}

const pending = () => Object.values(waiting).some((held) => held.size > 0);

function well() {
  if (pending()) return;
  [failures, unwritten] = [0, false];
  report('browser', null);
}

function retrySoon() {
  clearTimeout(retry);
  if (!pending()) return;
  retry = setTimeout(retryNow, PAUSES[Math.min(failures, PAUSES.length - 1)]);
}

/** Writes what waits, now; what is then still waiting is tried again later. */
export const retryNow = () => inTurn(async () => {
  for (const [name, held] of stores) {
    const here = await ofServer(name);
    for (const [id, value] of held) {
      const other = here.get(value?.serverId);
      const isDouble = other !== undefined && other !== id;
      const change = isDouble ? (/** @type {any} */ now) => overtaken(now, unlike(value)) : (/** @type {any} */ now) => overtaken(now, value);
      if ((await written(name, id, change)) && held.get(id) === value) held.delete(id);
    }
  }
  if (!pending()) {
    unwritten = false;
    await attempt(() => transact('saves', 'readonly', (store) => store.count()), 0);
    return;
  }
  failures += 1;
  retrySoon();
});

/** The entries on disk that the server has, too: their ids by the server's. @param {Store} name */
async function ofServer(name) {
  const kept = await onDisk(name);
  return new Map(kept.filter((/** @type {any} */ { serverId }) => serverId).map((/** @type {any} */ { id, serverId }) => [serverId, id]));
}

/** What came from the server while the disk did not answer, and was on the disk all the time: nothing, or what was changed of it since. @param {any} value */
const unlike = (value) => (value.dirty ? { ...value, serverId: null, revision: null } : null);

/** What another tab has written meanwhile is not replaced: what waited here becomes an entry of its own. @param {any} now @param {any} value */
function overtaken(now, value) {
  if (!now || !value || now.version === undefined || now.version < value.version) return value;
  void put('saves', { ...value, id: freshId(), serverId: null, revision: null, dirty: true });
  return undefined;
}

onReopened(() => void retryNow());

/** A random name; `crypto.randomUUID` is missing on plain http. */
export function freshId() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
