// The browser's database: games, pictures, records, the solves of a session and the daily puzzles; also locks and messages between tabs.
// A write that fails is kept in memory, where reads see it, and is retried with pauses until it is on disk; `health` reports it meanwhile.
// If the browser refuses the database for good (some private windows), everything stays in memory.

import { tellAll } from './tell.js';

const NAME = 'pintu';
/** Migrations from an empty database, one a version. A released step is never changed; add another. */
const LADDER = [
  (/** @type {IDBDatabase} */ db) => ['saves', 'pictures', 'records'].forEach((name) => db.createObjectStore(name, { keyPath: 'id' })),
  (/** @type {IDBDatabase} */ db) => ['solves', 'days'].forEach((name) => db.createObjectStore(name, { keyPath: 'id' })),
];
const OPENING_MILLIS = 4000;
const RETRY_MILLIS = [500, 1000, 2000, 4000, 8000, 15000, 30000];

/** @typedef {'saves' | 'pictures' | 'records' | 'solves' | 'days'} Store */

/** A random name; `crypto.randomUUID` is missing on plain http. */
export function freshId() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * What is wrong with a store, the browser's own or the server's.
 * @typedef {object} Trouble
 * @property {string} kind What the reader is told: for the browser 'unavailable', 'full', 'newer', 'blocked' or
 *   'failed'; for the server 'away', 'foreign', 'busy', 'full', 'refused' or 'password'.
 * @property {string} [code] The server's own word for it.
 * @property {string} [text] The server's sentence, for a code that we have no words for.
 */

/** @type {{ browser: Trouble | null, server: Trouble | null }} */
const troubles = { browser: null, server: null };
const watchers = new Set();

/** The current troubles; null for a store without any. */
export const health = () => ({ ...troubles });

/** Says how a store fares: its trouble, or null. @param {'browser' | 'server'} part @param {Trouble | null} trouble */
export function report(part, trouble) {
  const old = troubles[part];
  if (old?.kind === trouble?.kind && old?.code === trouble?.code) return;
  troubles[part] = trouble;
  tellAll(watchers, health(), part);
}

/** Calls back now and after each change, with both stores' health and the one that changed. @param {(now: any, part: any) => void} callback */
export function onHealth(callback) {
  watchers.add(callback);
  callback(health(), null);
}

class StoreTrouble extends Error {
  constructor(/** @type {string} */ kind, /** @type {any} */ cause) {
    super(`${kind}: ${cause?.message ?? cause ?? ''}`, { cause });
    this.kind = kind;
  }
}

/** @type {Promise<IDBDatabase> | null} */
let opening = null;
/** Why the database could not be opened yet; only the first request waits for it. @type {StoreTrouble | null} */
let late = null;

function database() {
  if (late) return Promise.reject(late);
  opening ??= open().catch((error) => {
    opening = null;
    throw error;
  });
  return opening;
}

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, LADDER.length);
    const giveUp = (/** @type {string} */ kind) => {
      late = new StoreTrouble(kind, 'the database does not open');
      reject(late);
    };
    const timeout = setTimeout(giveUp, OPENING_MILLIS, 'unavailable');
    request.onupgradeneeded = ({ oldVersion }) => LADDER.slice(oldVersion).forEach((step) => step(request.result));
    request.onblocked = () => giveUp('blocked');
    request.onerror = () => {
      clearTimeout(timeout);
      late = null;
      reject(new StoreTrouble(request.error?.name === 'VersionError' ? 'newer' : 'unavailable', request.error));
    };
    request.onsuccess = () => {
      clearTimeout(timeout);
      const db = request.result;
      // A newer page in another tab cannot upgrade the database while this one has it open.
      db.onversionchange = () => { db.close(); opening = null; void retryNow(); };
      db.onclose = () => { opening = null; };
      resolve(db);
      if (!late) return;
      late = null;
      opening = Promise.resolve(db);
      void retryNow();
    };
  }).catch((error) => { throw error instanceof StoreTrouble ? error : new StoreTrouble('unavailable', error); });
}

/**
 * Runs `act` on one object store and resolves, once all is written, to the result of the request it returns. What
 * `act` does later and finds impossible it reports to its second argument.
 * @param {Store} store @param {IDBTransactionMode} mode @param {(store: IDBObjectStore, giveUp: (error: any) => void) => IDBRequest} act
 */
async function transact(store, mode, act) {
  const db = await database();
  return new Promise((resolve, reject) => {
    const fail = (/** @type {any} */ error) => reject(new StoreTrouble(error?.name === 'QuotaExceededError' ? 'full' : 'failed', error));
    try {
      const transaction = db.transaction(store, mode);
      const giveUp = (/** @type {any} */ error) => { fail(error); transaction.abort(); };
      const request = act(transaction.objectStore(store), giveUp);
      transaction.oncomplete = () => resolve(request.result);
      // Only now the transaction knows what its request has failed with.
      transaction.onabort = () => fail(transaction.error);
    } catch (error) {
      // A connection that the browser closed under us: the next attempt opens another.
      if (error.name === 'InvalidStateError') opening = null;
      fail(error);
    }
  });
}

/** Pending writes by store and id; null for a deletion. @type {Record<Store, Map<string, any>>} */
const waiting = { saves: new Map(), pictures: new Map(), records: new Map(), solves: new Map(), days: new Map() };
const stores = /** @type {[Store, Map<string, any>][]} */ (Object.entries(waiting));
let queue = Promise.resolve();
let retry = 0;
let failures = 0;
/** Whether the last trouble was with writing: successful reads do not end it. */
let unwritten = false;
/** Whether another tab has deleted everything: this document must not write it back. */
let isSealed = false;

export const seal = () => { isSealed = true; };

/**
 * One at a time, so that what waits and what is on disk cannot overtake each other.
 * @template T @param {() => Promise<T>} act @returns {Promise<T>}
 */
function inTurn(act) {
  const result = queue.then(act);
  queue = result.then(() => {}, () => {});
  return result;
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

/** The number of entries of a store on disk. @param {Store} name */
export const count = (name) => inTurn(() => attempt(() => transact(name, 'readonly', (store) => store.count()), 0));

/** An earlier page kept a mark of its own among the entries. @param {Store} name */
const onDisk = async (name) => (await attempt(() => transact(name, 'readonly', (store) => store.getAll()), [])).filter((/** @type {{ id: string }} */ { id }) => id !== 'epoch');

/**
 * Replaces an entry by what `change` makes of it (undefined when there is none) in one transaction, so that
 * nothing written in between is lost. `change` returns undefined to leave it as it is and null to delete it;
 * it may be called twice. Resolves once the entry is written, or waits in memory. @param {Store} name @param {string} id @param {(now: any) => any} change
 */
export const update = (name, id, change) => inTurn(async () => {
  if (isSealed) return;
  const held = waiting[name];
  if (!held.has(id) && (await written(name, id, change))) return;
  const value = change(await read(name, id));
  if (value !== undefined) held.set(id, value);
  retrySoon();
});

/** Changes an entry on disk; whether that worked. @param {Store} name @param {string} id @param {(now: any) => any} change */
function written(name, id, change) {
  const act = (/** @type {IDBObjectStore} */ store, /** @type {(error: any) => void} */ giveUp) => {
    const request = store.get(id);
    request.onsuccess = () => {
      try {
        const value = change(request.result);
        if (value === null) store.delete(id);
        else if (value !== undefined) store.put(value);
      } catch (error) {
        giveUp(error);
      }
    };
    return request;
  };
  return attempt(() => transact(name, 'readwrite', act).then(() => true), false, true);
}

export const put = (/** @type {Store} */ name, /** @type {any} */ value) => update(name, value.id, () => value);
export const remove = (/** @type {Store} */ name, /** @type {string} */ id) => update(name, id, () => null);

/**
 * Forgets everything, also what waits; resolves to whether the disk has, too. What it still has counts as deleted
 * for whoever reads here, and is tried again.
 */
export const clearAll = () => inTurn(async () => {
  let cleared = true;
  for (const [name, held] of stores) {
    held.clear();
    if (await attempt(() => transact(name, 'readwrite', (store) => store.clear()).then(() => true), false, true)) continue;
    cleared = false;
    for (const { id } of await onDisk(name)) held.set(id, null);
  }
  retrySoon();
  return cleared;
});

/** Asks the browser not to delete this by itself, once there is something that would be missed. */
export const askToStay = () => void navigator.storage?.persist?.().catch(() => {});

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

const pending = () => stores.some(([, held]) => held.size > 0);

function well() {
  if (pending()) return;
  [failures, unwritten] = [0, false];
  report('browser', null);
}

function retrySoon() {
  clearTimeout(retry);
  if (pending()) retry = setTimeout(retryNow, RETRY_MILLIS[Math.min(failures, RETRY_MILLIS.length - 1)]);
}

/** Writes everything that is pending; failed writes are retried later. */
export const retryNow = () => inTurn(async () => {
  if (isSealed) return;
  for (const [name, held] of stores) {
    for (const [id, value] of held) {
      if ((await written(name, id, (now) => overtaken(now, value))) && held.get(id) === value) held.delete(id);
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

/**
 * What another tab has written meanwhile is not replaced: what was changed here becomes an entry of its own. What only came from the
 * server has been on the disk all the time. @param {any} now @param {any} value
 */
function overtaken(now, value) {
  if (!now || !value || now.version === undefined || now.version < value.version) return value;
  if (value.dirty) void put('saves', { ...value, id: freshId(), serverId: null, revision: null });
  return undefined;
}

export const tellTabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('pintu') : null;

const PREFIX = 'pintu:';
const TRY_MILLIS = 150;

/** A lock that this tab holds. @typedef {{ release: () => void }} Hold */
/** @typedef {{ onLost?: () => void, wait?: number, signal?: AbortSignal | null, steal?: boolean }} How */

/**
 * Takes hold of a name: waits for it so long (or until the signal), or takes it from another tab at once. Null when
 * another has it. `onLost` is called when another tab takes it away. Plain http on another machine has no locks: there
 * every tab gets what it asks for, and that each write is checked keeps both versions. @param {string} name @param {How} [how] @returns {Promise<Hold | null>}
 */
export async function hold(name, { onLost = () => {}, wait = 0, signal = null, steal = false } = {}) {
  if (!navigator.locks) return signal ? null : { release: () => {} };
  if (steal || signal) return requested(name, steal ? { steal } : { signal }, onLost);
  // Asked for again and again, counted in attempts, and never given up: a busy browser grants one that was given up meanwhile.
  for (let left = Math.ceil(wait / TRY_MILLIS); ; left -= 1) {
    const got = await requested(name, { ifAvailable: true }, onLost);
    if (got || left <= 0) return got;
    await new Promise((resolve) => { setTimeout(resolve, TRY_MILLIS); });
  }
}

/** @returns {Promise<Hold | null>} @param {string} name @param {any} how @param {() => void} onLost */
function requested(name, how, onLost) {
  return new Promise((resolve) => {
    let state = 'asking';
    navigator.locks.request(PREFIX + name, how, (granted) => {
      if (!granted) return null;
      state = 'held';
      return new Promise((release) => { resolve({ release: () => { state = 'released'; release(null); } }); });
    }).catch(() => { if (state === 'held') onLost(); }).finally(() => resolve(null));
  });
}

/** The names that some tab holds now. */
export async function heldNames() {
  const held = (await navigator.locks?.query())?.held ?? [];
  return new Set(held.map(({ name = '' }) => name).filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length)));
}

/** The last task under each name in this document. */
const turns = new Map();

/** Runs `act` under a lock of this name, in this tab and all others. @param {string} name @param {() => Promise<any>} act */
export function exclusively(name, act) {
  if (navigator.locks) return navigator.locks.request(PREFIX + name, act);
  const result = (turns.get(name) ?? Promise.resolve()).then(act);
  turns.set(name, result.catch(() => {}));
  return result;
}
