// Brings what this browser keeps to the server, whenever it answers. Nothing counts as sent before the server has
// taken it: what it refuses stays here, is tried again with pauses, and `health` says why.

import * as api from './api.js';
import { byTurn, onLibrary } from './entries.js';
import { Gone } from './errors.js';
import * as exchange from './exchange.js';
import { report } from './health.js';
import { exclusively } from './holds.js';
import { hasServer } from './host.js';
import { clearTable } from './library.js';
import * as store from './store.js';
import { tellAll } from './tell.js';
/** @import { Store } from './store.js' */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const LONGEST_PAUSE = 5 * MINUTE;
const PAUSES = [1, 2, 4, 8, 15, 30, 60].map((n) => n * SECOND);
/** How long a thing that was refused rests: nothing changes soon about one that is wrong in itself. */
const RESTS = { full: [MINUTE, 5 * MINUTE], refused: [30 * SECOND, 5 * MINUTE], final: [60 * MINUTE] };
const FULL = /^quota|^storage-full$/;
const FINAL = new Set(['not-ranked', 'record-helped', 'record-refused', 'illegal-move', 'bad-field', 'save-version', 'picture-in-use']);
/** Answers that say nothing about what was sent: busy, too often, too slow, broken, or not the server at all. @param {{ status: number, code: string }} error */
const passing = ({ status, code }) => (status >= 500 && code !== 'storage-full') || status === 429 || status === 408 || code === 'unknown' || code === 'stranger';

const watchers = new Set();
/** @type {Promise<void> | null} */
let running = null;
let again = false;
let timer = 0;
let failures = 0;

/** Calls back with 'forked' when two versions of a game had to be kept, and with 'settled' when all is sent. @param {(what: string) => void} callback */
export const onSync = (callback) => watchers.add(callback);
const tell = (/** @type {string} */ what) => tellAll(watchers, what);

/** Brings everything that waits to the server. Runs once at a time, and again if something came meanwhile. */
export function flush() {
  if (!hasServer) return Promise.resolve();
  if (running) {
    again = true;
    return running;
  }
  clearTimeout(timer);
  running = exclusively('sync', drain).catch(interrupted).finally(() => {
    running = null;
    if (again) {
      again = false;
      void flush();
    }
  });
  return running;
}

/** Tries now what was refused before, too. */
export async function flushAll() {
  for (const kind of /** @type {import('./store.js').Store[]} */ (['saves', 'records'])) for (const { id, problem } of await store.all(kind)) if (problem) await store.update(kind, id, (now) => now && { ...now, problem: { ...now.problem, at: 0 } });
  failures = 0;
  return flush();
}

/** The whole of it was interrupted: nobody answers, or not for us now. Later again, with growing pauses. @param {any} error */
function interrupted(error) {
  again = false;
  let pause = PAUSES[Math.min(failures, PAUSES.length - 1)];
  failures += 1;
  if (error instanceof Gone) report('server', { kind: 'away' });
  else if (error instanceof api.ApiError) {
    report('server', { kind: error.status === 401 ? 'password' : 'busy', code: error.code, text: error.message });
    pause = Math.max(pause, (error.retryAfter ?? 0) * SECOND);
  }
  later(pause);
  if (!(error instanceof Gone || error instanceof api.ApiError)) throw error;
}

/** Tries again after a pause, which neither a stranger's Retry-After nor a clock can make longer than this. @param {number} pause */
function later(pause) {
  clearTimeout(timer);
  timer = setTimeout(flush, Math.min(Math.max(pause, SECOND), LONGEST_PAUSE));
}

async function drain() {
  /** @type {{ trouble: any, due: number }[]} */ const refused = [];
  const each = async (/** @type {Store} */ kind, /** @type {any[]} */ items, /** @type {(item: any) => Promise<any>} */ act) => {
    for (const item of items) {
      const trouble = await oneOf(kind, item, act);
      if (trouble) refused.push(trouble);
    }
  };
  // In the order in which they were played, so that the server's latest is the player's latest.
  const saves = (await store.all('saves')).sort(byTurn);
  await each('saves', saves.filter(({ gone }) => gone), exchange.sendDelete);
  await each('records', (await store.all('records')).filter(({ gone }) => gone), exchange.deleteRecord);
  await each('saves', saves.filter(({ gone, dirty }) => dirty && !gone), sendSave);
  await each('records', (await store.all('records')).filter(({ gone, posted }) => !posted && !gone), exchange.sendRecord);
  await each('pictures', (await store.all('pictures')).filter(({ gone }) => gone), exchange.deletePicture);
  failures = 0;
  if (!refused.length) {
    report('server', null);
    tell('settled');
    return;
  }
  const [worst] = refused.sort((a, b) => a.due - b.due);
  report('server', worst.trouble);
  later(worst.due - Date.now());
}

/** Sends one thing. What is refused is noted on it and rests a while; an answer that says nothing of it is thrown. @param {Store} kind @param {any} item @param {(item: any) => Promise<any>} act */
async function oneOf(kind, item, act) {
  const { problem } = item;
  if (problem && due(problem) > Date.now()) return { trouble: troubleOf(problem), due: due(problem) };
  try {
    await act(item);
    return null;
  } catch (error) {
    if (!(error instanceof api.ApiError) || error.status === 401 || passing(error)) throw error;
    const noted = { code: error.code, text: error.message, at: Date.now(), count: (problem?.count ?? 0) + 1 };
    await store.update(kind, item.id, (now) => now && { ...now, problem: noted });
    return { trouble: troubleOf(noted), due: due(noted) };
  }
}

const kindOf = (/** @type {string} */ code) => (FULL.test(code) ? 'full' : FINAL.has(code) ? 'final' : 'refused');
const troubleOf = (/** @type {{ code: string, text: string }} */ { code, text }) => ({ kind: kindOf(code) === 'full' ? 'full' : 'refused', code, text });

/** When a thing that was refused is tried again: now, if it was refused at a time that the clock has yet to reach. @param {{ code: string, at: number, count: number }} problem */
function due({ code, at, count }) {
  if (at > Date.now()) return 0;
  const rests = RESTS[kindOf(code)];
  return at + rests[Math.min(count - 1, rests.length - 1)];
}

async function sendSave(/** @type {import('./entries.js').Entry} */ entry) {
  const outcome = await exchange.sendSave(entry);
  const now = outcome === 'sent' ? null : await store.get('saves', entry.id);
  if (outcome === 'forked') tell('forked');
  if (outcome === 'renewed') await exchange.renewLost();
  else if (now) await exchange.sendSave(now);
  const after = await store.get('saves', entry.id);
  again ||= outcome === 'renewed' || Boolean(after && (after.dirty || after.gone));
}

/**
 * Removes every game, picture and record, on the server and then here, with nothing on its way meanwhile. Resolves to
 * whether this browser has deleted its own.
 */
export const dropEverything = () => exclusively('sync', async () => {
  if (hasServer) await api.forget();
  await clearTable();
  return store.clearAll();
});

/** Takes over the games, or the records, that the server has, with nothing on its way meanwhile. */
export const adoptSaves = () => (hasServer ? exclusively('sync', exchange.adoptSaves) : Promise.resolve(0));
export const adoptRecords = () => (hasServer ? exclusively('sync', exchange.adoptRecords) : Promise.resolve(0));

/** Sends from now on, whenever something changes or the server comes back. */
export function initSync() {
  if (!hasServer) return;
  onLibrary('changed', flush);
  api.onReachable((reachable) => {
    if (reachable) void flush();
    else report('server', { kind: 'away' });
  });
  addEventListener('online', flush);
}
