// The engine in this browser, behind the port: a pool of workers, one of which is always warm for the next request. A worker
// answers one request at a time; cancelling terminates it.

import { Gone, Refused, refusedByPolicy } from './errors.js';
import { POOL_SIZE, engineAddress, searchBytes } from './host.js';
/** @import { Transport } from './port.js' */

/** @typedef {{ thread: Worker, ready: Promise<void>, isBusy: boolean, maps: Map<string, string>, sides: Set<number>, take: ((message: any) => void) | null }} PoolWorker */

const MAPS_KEPT = 4;
/** The engine's names of requests, where they differ. @type {Partial<Record<string, string>>} */
const CALLS = { posthoc: 'trace', hint: 'solve' };
/** Squares that have a network. */
const SIDES = [6, 7];
/** How long a search waits for its networks, in milliseconds; then it begins without them, and the next one has them. */
const NETWORK_MILLIS = 3000;
/** The longest time, in milliseconds, until a worker has its script and the engine: what hangs is asked for again by the next request. */
const START_MILLIS = 60_000;
/** A worker that holds more bytes than this is replaced after its search, for its memory never shrinks. */
const MOST_KEPT_BYTES = 512 * 2 ** 20;
/** The longest time, in milliseconds, from asking a search to stop until its worker is terminated. */
const DEAF_MILLIS = 3000;

/** @type {Promise<WebAssembly.Module> | null} */
let compiled = null;
/** @type {PoolWorker[]} */
let pool = [];
/** Requests that wait for a free worker. @type {(() => void)[]} */
const waiting = [];

/** Whether the last download was not the engine. */
let isSpoilt = false;

/** The engine's code; a failed download is retried on the next request. */
function code() {
  compiled ??= load().catch((error) => {
    compiled = null;
    throw error instanceof Gone ? error : new Gone('the engine does not load');
  });
  return compiled;
}

async function load() {
  const address = `${engineAddress}engine.wasm`;
  const response = await fetch(address, { cache: isSpoilt ? 'reload' : 'default', signal: AbortSignal.timeout(START_MILLIS) });
  if (!response.ok) throw new Gone('the engine does not load');
  // Not every host knows the type that a stream must have.
  const bytes = await response.arrayBuffer();
  try {
    return await WebAssembly.compile(bytes);
  } catch {
    // A wrong or truncated file is not cached, so that the next request downloads it again.
    isSpoilt = true;
    for (const name of (await globalThis.caches?.keys().catch(() => null)) ?? []) await caches.open(name).then((cache) => cache.delete(address)).catch(() => {});
    throw new Gone('the engine is damaged');
  }
}

/** Whether a host answers with a page in place of a file. @param {Response} response */
const isHtml = (response) => /html/.test(response.headers.get('Content-Type') ?? '');

/** @type {Map<number, Promise<ArrayBuffer>>} */
const weights = new Map();

/** The weights of a network. Without them the search uses tables alone. @param {number} side */
function weightsOf(side) {
  if (!weights.has(side)) {
    const loading = fetch(`${engineAddress}${side}.bin`).then((response) => (response.ok && !isHtml(response) ? response.arrayBuffer() : Promise.reject(new TypeError('no weights'))));
    loading.catch(() => weights.delete(side));
    weights.set(side, loading);
  }
  return /** @type {Promise<ArrayBuffer>} */ (weights.get(side));
}

function start() {
  const thread = new Worker(workerScript(), { type: 'module' });
  /** @type {PoolWorker} */
  const worker = { thread, ready: Promise.resolve(), isBusy: false, maps: new Map(), sides: new Set(), take: null };
  worker.ready = new Promise((/** @type {(none?: void) => void} */ resolve, reject) => {
    worker.take = (message) => (message.ready ? resolve() : reject(new Gone(message.died ?? 'the engine does not start')));
    thread.addEventListener('error', () => reject(new Gone('the worker does not load')));
  }).catch(async (error) => {
    const refusal = await refusedByPolicy(workerScript(), `${engineAddress}engine.wasm`, 'wasm-eval');
    throw refusal ? new Refused(refusal) : error;
  });
  thread.addEventListener('message', ({ data }) => worker.take?.(data));
  code().then((module) => thread.postMessage({ kind: 'begin', module, bytes: searchBytes }), (error) => worker.take?.({ died: error.message }));
  const timer = setTimeout(() => worker.take?.({ died: 'the engine does not start' }), START_MILLIS);
  worker.ready.catch(() => close(worker)).finally(() => clearTimeout(timer));
  pool.push(worker);
  return worker;
}

/** The worker's script lies beside the page's. */
const workerScript = () => import.meta.resolve('./worker.js');

function close(/** @type {PoolWorker} */ worker) {
  worker.thread.terminate();
  pool = pool.filter((other) => other !== worker);
  wake();
}

/** Wakes all waiting requests; the first that is still wanted gets the worker. */
function wake() {
  for (const look of waiting.splice(0)) look();
}

function release(/** @type {PoolWorker} */ worker) {
  worker.isBusy = false;
  wake();
}

/** A free worker, one that knows the map if there is one; waits while all are busy. Whoever has had enough by then has nothing. @param {AbortSignal[]} signals @param {string} [map] @returns {Promise<PoolWorker>} */
async function acquire(signals, map = '') {
  for (;;) {
    for (const signal of signals) signal.throwIfAborted();
    const free = pool.filter(({ isBusy }) => !isBusy);
    const worker = free.find(({ maps }) => maps.has(map)) ?? free[0] ?? (pool.length < POOL_SIZE ? start() : null);
    if (worker) {
      worker.isBusy = true;
      return worker;
    }
    await new Promise((resolve) => {
      waiting.push(() => resolve(undefined));
      for (const signal of signals) signal.addEventListener('abort', resolve, { once: true });
    });
  }
}

/** Keeps one more worker warm than are busy. */
function warm() {
  if (pool.length < POOL_SIZE && pool.every(({ isBusy }) => isBusy)) start();
}

export const ready = () => (pool[0] ?? start()).ready;

/** The squares whose networks a search may use: the largest that fits and, where that is the whole board, what comes last of it. @param {any} request */
function sidesOf({ rows = 0, cols = 0, text }) {
  // The text may contain a size and a goal.
  if (text !== undefined) return SIDES.filter((side) => side ** 2 <= text.split(/\D+/).length);
  const shortest = Math.min(rows, cols);
  return SIDES.filter((side) => side <= shortest).slice(shortest > Math.max(...SIDES) ? -1 : 0);
}

/** Gives a worker the networks for the board of a search. @param {PoolWorker} worker @param {any} request */
const arm = (worker, request) => Promise.all(sidesOf(request).filter((side) => !worker.sides.has(side)).map(async (side) => {
  const bytes = await weightsOf(side).catch(() => null);
  if (!bytes) return;
  worker.sides.add(side);
  worker.thread.postMessage({ kind: 'weights', side, bytes });
}));

/** The engine in this browser. @type {Transport} */
export async function workers(what, request, { signal, enough, onDeaf, onProgress }) {
  const asked = /** @type {any} */ (what === 'posthoc' ? { ...request, form: 'posthoc' } : request);
  const worker = await acquire([signal, enough], asked.map);
  try {
    await ending(signal, worker.ready);
    if (what !== 'check' && asked.map === undefined) await ending(signal, Promise.race([arm(worker, asked), pause(NETWORK_MILLIS)]));
  } catch (error) {
    if (pool.includes(worker)) release(worker);
    throw error;
  }
  warm();
  const { bytes, isRefused, map } = await answerOf(worker, CALLS[what] ?? what, asked, { signal, enough, onDeaf, onProgress });
  if (isRefused) {
    const said = JSON.parse(new TextDecoder().decode(bytes));
    if (said.code !== 'unknown-map') throw new Refused(said);
    worker.maps.clear();
    return workers(what, request, { signal, enough, onDeaf, onProgress });
  }
  if (asked.map !== undefined && map) remember(worker, asked.map, map);
  return what === 'trace' ? bytes : JSON.parse(new TextDecoder().decode(bytes));
}

const pause = (/** @type {number} */ millis) => new Promise((resolve) => { setTimeout(resolve, millis); });

/** A promise that an aborted signal ends. @template T @param {AbortSignal} signal @param {Promise<T>} promise @returns {Promise<T>} */
const ending = (signal, promise) => Promise.race([promise, new Promise((_, reject) => {
  const end = () => reject(signal.reason);
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
})]);

/** @param {PoolWorker} worker @param {string} what @param {any} asked @param {Parameters<Transport>[2]} options @returns {Promise<{ bytes: ArrayBuffer, isRefused: boolean, map: string }>} */
function answerOf(worker, what, asked, { signal, enough, onDeaf, onProgress }) {
  const { map, ...others } = asked;
  const known = worker.maps.get(map);
  const body = JSON.stringify(known ? { ...others, map_id: known } : asked);
  const stop = URL.createObjectURL(new Blob(['on']));
  return new Promise((resolve, reject) => {
    let deaf = 0;
    const stopping = () => {
      URL.revokeObjectURL(stop);
      deaf = setTimeout(onDeaf, DEAF_MILLIS);
    };
    const over = () => {
      clearTimeout(deaf);
      URL.revokeObjectURL(stop);
      worker.take = null;
      signal.removeEventListener('abort', cancelled);
      enough.removeEventListener('abort', stopping);
    };
    const cancelled = () => { over(); close(worker); warm(); reject(signal.reason); };
    worker.take = ({ progress, answer, held, died }) => {
      if (progress !== undefined) onProgress?.(JSON.parse(progress));
      else if (answer && held > MOST_KEPT_BYTES) { over(); close(worker); warm(); resolve(answer); }
      else if (answer) { over(); release(worker); resolve(answer); }
      // The engine ran out of memory, or panicked.
      else if (died !== undefined) { over(); close(worker); warm(); reject(new Refused({ error: died, code: 'engine-died' })); }
    };
    signal.addEventListener('abort', cancelled);
    if (enough.aborted) stopping();
    else enough.addEventListener('abort', stopping);
    worker.thread.postMessage({ kind: 'call', what, body, stop });
  });
}

/** Notes that a worker has a map. @param {PoolWorker} worker @param {string} text @param {string} id */
function remember({ maps }, text, id) {
  maps.delete(text);
  maps.set(text, id);
  if (maps.size > MAPS_KEPT) maps.delete(/** @type {string} */ (maps.keys().next().value));
}
