// One tab at a time holds a game. Web Locks where there are any; plain http on another machine has none, and
// there a lease in a small database of its own, renewed while the tab lives, does the same.

import { freshId } from './store.js';

const PREFIX = 'pintu:';
const LEASE_MILLIS = 5000;
const RENEW_MILLIS = 1500;
const TRY_MILLIS = 150;
/** So long a lease waits for the tab that asked for it last; in the background a tab asks once a second. */
const WANTED_MILLIS = 1500;

/** What is held, by whichever means. @typedef {{ release: () => void }} Hold */

/** @typedef {{ onLost?: () => void, wait?: number, signal?: AbortSignal | null, steal?: boolean }} How */

/**
 * Takes hold of a name: waits for it so long (or until the signal), or takes it from another tab at once. Null when
 * another has it. `onLost` is called when another tab takes it away.
 * @param {string} name
 * @param {How} [options]
 * @returns {Promise<Hold | null>}
 */
export const hold = (name, options = {}) => (navigator.locks ? lock(name, options) : lease(name, options));

/** What runs last under a name in this document. */
const turns = new Map();

/** Runs `act` while nobody else, in this tab or another, runs one under the same name. @param {string} name @param {() => Promise<any>} act */
export async function exclusively(name, act) {
  if (navigator.locks) return navigator.locks.request(PREFIX + name, act);
  // A lease is a document's: within it one waits for the other.
  const result = (turns.get(name) ?? Promise.resolve()).then(() => leased(name, act));
  turns.set(name, result.catch(() => {}));
  return result;
}

async function leased(/** @type {string} */ name, /** @type {() => Promise<any>} */ act) {
  let held = null;
  while (!held) held = await lease(name, { wait: LEASE_MILLIS });
  try {
    return await act();
  } finally {
    held.release();
  }
}

/** The names that some tab holds now. */
export async function heldNames() {
  const all = navigator.locks
    ? ((await navigator.locks.query()).held ?? []).map(({ name }) => name ?? '')
    : (await leases('readonly', (store) => store.getAll()).catch(() => [])).filter((/** @type {any} */ { until }) => until > Date.now()).map((/** @type {any} */ { name }) => name);
  return new Set(all.filter((/** @type {string} */ name) => name.startsWith(PREFIX)).map((/** @type {string} */ name) => name.slice(PREFIX.length)));
}

/**
 * A lock that is to come within a time is asked for again and again, never given up: a browser that is busy grants one
 * that was given up meanwhile, and would then tell us that somebody has it.
 * @param {string} name
 * @param {How} how
 */
function lock(name, { onLost = () => {}, wait = 0, signal = null, steal = false }) {
  if (steal || signal) return requested(name, steal ? { steal } : { signal }, onLost);
  return trying(() => requested(name, { ifAvailable: true }, onLost), wait);
}

/** Tries now and then for so long, counted in attempts: clocks jump, and a slow answer uses none of them up. @param {() => Promise<any>} attempt @param {number} wait */
async function trying(attempt, wait) {
  for (let left = Math.ceil(wait / TRY_MILLIS); ; left -= 1) {
    const got = await attempt();
    if (got || left <= 0) return got;
    await pause();
  }
}

const pause = () => new Promise((resolve) => { setTimeout(resolve, TRY_MILLIS); });

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

/** This document's name. A reload is another document, but inherits what the one before left behind. */
const me = freshId();
/** @type {string | null} */
let heir = null;
const mine = new Map();
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('pintu') : null;

/** @param {string} name @param {How} how @returns {Promise<Hold | null>} */
async function lease(name, { onLost = () => {}, wait = 0, signal = null, steal = false }) {
  const key = PREFIX + name;
  const attempt = () => claim(key, steal).catch(() => true);
  if (!signal && !(await trying(attempt, wait))) return null;
  // What this tab has got by another way meanwhile is not for whoever still waits.
  while (signal) {
    if (signal.aborted || mine.has(key)) return null;
    if (await attempt()) break;
    await pause();
  }
  if (steal) channel?.postMessage({ taken: key, by: me });
  const timer = setInterval(() => renew(key), RENEW_MILLIS);
  mine.set(key, { onLost, timer });
  return { release: () => { if (forgetLease(key)) void handOn(key); } };
}

/** Writes our name on the lease if it is free, ours, or to be taken, and else that we want it; whether it is ours now. @param {string} key */
async function claim(key, steal = false) {
  let isMine = false;
  await change(key, (now) => {
    const time = Date.now();
    isMine = !now || steal || now.until < time || now.owner === me || now.owner === heir;
    return isMine ? { name: key, owner: me, until: time + LEASE_MILLIS, wanted: now?.wanted } : { ...now, wanted: { by: me, until: time + WANTED_MILLIS } };
  });
  return isMine;
}

/** Whoever wants it comes next: a tab that takes a lease again at once would keep all others from it. @param {string} key */
const handOn = (key) => change(key, (now) => {
  if (now?.owner !== me) return undefined;
  const time = Date.now();
  const { by = me, until = 0 } = now.wanted ?? {};
  return by !== me && until > time ? { name: key, owner: by, until: time + WANTED_MILLIS } : null;
}).catch(() => {});

/** A document that ends may be reloaded: then its next one is the first that takes what it had. @param {string} key */
const giveBack = (key) => change(key, (now) => (now?.owner === me ? null : undefined)).catch(() => {});

async function renew(/** @type {string} */ key) {
  if (mine.has(key) && !(await claim(key).catch(() => true))) lost(key);
}

function lost(/** @type {string} */ key) {
  const { onLost } = mine.get(key) ?? {};
  if (forgetLease(key)) onLost();
}

function forgetLease(/** @type {string} */ key) {
  clearInterval(mine.get(key)?.timer);
  return mine.delete(key);
}

/** Changes a lease in one transaction, to what `act` makes of it: null deletes it, undefined leaves it as it is. @param {string} key @param {(now: any) => any} act */
const change = (key, act) => leases('readwrite', (store) => {
  const request = store.get(key);
  request.onsuccess = () => {
    const value = act(request.result);
    if (value === null) store.delete(key);
    else if (value !== undefined) store.put(value);
  };
  return request;
});

/** @type {Promise<IDBDatabase> | null} */
let opened = null;

function leases(/** @type {IDBTransactionMode} */ mode, /** @type {(store: IDBObjectStore) => IDBRequest} */ act) {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('pintu-tabs', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('leases', { keyPath: 'name' });
    request.onsuccess = () => {
      request.result.onversionchange = () => { request.result.close(); opened = null; };
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  return opened.then((db) => new Promise((resolve, reject) => {
    const transaction = db.transaction('leases', mode);
    const request = act(transaction.objectStore('leases'));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  }));
}

if (!navigator.locks) {
  channel?.addEventListener('message', ({ data }) => { if (data.taken && data.by !== me) lost(data.taken); });
  try {
    // There only between a document's end and the next one's beginning, so that a copied tab has no part in it.
    heir = sessionStorage.getItem('pintu.tab');
    sessionStorage.removeItem('pintu.tab');
    addEventListener('pagehide', () => {
      sessionStorage.setItem('pintu.tab', me);
      for (const key of mine.keys()) void giveBack(key);
    });
    addEventListener('pageshow', ({ persisted }) => { if (persisted) for (const key of mine.keys()) void renew(key); });
  } catch {
    // A browser that keeps nothing for a tab waits for a lease to run out instead.
  }
}
