// One tab at a time holds a game. Web Locks where there are any; plain http on another machine has none, and
// there a lease in a small database of its own, renewed while the tab lives, does the same.

import { freshId } from './store.js';

const PREFIX = 'pintu:';
const LEASE_MILLIS = 5000;
const RENEW_MILLIS = 1500;
const TRY_MILLIS = 150;

/** What is held, by whichever means. @typedef {{ release: () => void }} Hold */

/**
 * Takes hold of a name: waits for it so long (or until the signal), or takes it from another tab at once. Null when
 * another has it. `onLost` is called when another tab takes it away.
 * @param {string} name
 * @param {{ onLost?: () => void, wait?: number, signal?: AbortSignal, steal?: boolean }} [options]
 * @returns {Promise<Hold | null>}
 */
export const hold = (name, options = {}) => (navigator.locks ? lock(name, options) : lease(name, options));

/** Runs `act` while no other tab runs one under the same name. */
export async function exclusively(name, act) {
  if (navigator.locks) return navigator.locks.request(PREFIX + name, act);
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
    ? (await navigator.locks.query()).held.map(({ name }) => name)
    : (await leases('readonly', (store) => store.getAll()).catch(() => [])).filter(({ until }) => until > Date.now()).map(({ name }) => name);
  return new Set(all.filter((name) => name.startsWith(PREFIX)).map((name) => name.slice(PREFIX.length)));
}

function lock(name, { onLost = () => {}, wait = 0, signal = wait ? AbortSignal.timeout(wait) : null, steal = false }) {
  const how = steal ? { steal: true } : signal ? { signal } : { ifAvailable: true };
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
let heir = null;
const mine = new Map();
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('pintu') : null;

async function lease(name, { onLost = () => {}, wait = 0, signal = null, steal = false }) {
  const key = PREFIX + name;
  const end = Date.now() + wait;
  for (;;) {
    // What this tab has got by another way meanwhile is not for whoever still waits.
    if (signal?.aborted || (signal && mine.has(key))) return null;
    const got = await claim(key, steal).catch(() => true);
    if (got) break;
    if (!signal && Date.now() >= end) return null;
    await new Promise((resolve) => { setTimeout(resolve, TRY_MILLIS); });
  }
  if (steal) channel?.postMessage({ taken: key, by: me });
  const timer = setInterval(() => renew(key), RENEW_MILLIS);
  mine.set(key, { onLost, timer });
  return { release: () => { if (forgetLease(key)) void giveBack(key); } };
}

/** Writes our name on the lease if it is free, ours, or to be taken; whether it is ours now. */
function claim(key, steal = false) {
  return change(key, (now) => (!now || steal || now.until < Date.now() || now.owner === me || now.owner === heir ? { name: key, owner: me, until: Date.now() + LEASE_MILLIS } : undefined));
}

const giveBack = (key) => change(key, (now) => (now?.owner === me ? null : undefined)).catch(() => {});

async function renew(key) {
  if (mine.has(key) && !(await claim(key).catch(() => true))) lost(key);
}

function lost(key) {
  const { onLost } = mine.get(key) ?? {};
  if (forgetLease(key)) onLost();
}

function forgetLease(key) {
  clearInterval(mine.get(key)?.timer);
  return mine.delete(key);
}

/** Changes a lease in one transaction; resolves to whether something was written. */
async function change(key, act) {
  let wrote = false;
  await leases('readwrite', (store) => {
    const request = store.get(key);
    request.onsuccess = () => {
      const value = act(request.result);
      wrote = value !== undefined;
      if (value === null) store.delete(key);
      else if (wrote) store.put(value);
    };
    return request;
  });
  return wrote;
}

let opened = null;

function leases(mode, act) {
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
