// The engine in this browser, behind the port: workers, of which one is always warm for whoever asks next. A worker answers
// one question at a time; cancelling ends it.

import { Gone, Refused } from './errors.js';
import { engineAddress, searchBytes } from './host.js';
/** @import { Transport } from './port.js' */

/** @typedef {{ worker: Worker, ready: Promise<void>, isBusy: boolean, maps: Map<string, string>, sides: Set<number>, take: ((message: any) => void) | null }} Seat */

/** Workers at most: searches of a race or of panes side by side wait for each other beyond that. */
const SEATS = Math.max(2, Math.min(4, navigator.hardwareConcurrency ?? 2));
const MAPS_KEPT = 4;
/** Squares whose networks a search may use, the large ones' ends among them. */
const SIDES = [6, 7];
/** So long a search that was told to stop may go on. */
const DEAF_MILLIS = 3000;

/** @type {Promise<WebAssembly.Module> | null} */
let compiled = null;
/** @type {Seat[]} */
let seats = [];
/** Who waits for a seat. @type {(() => void)[]} */
const waiting = [];

/** The engine's code. One that did not come is asked for anew. */
function code() {
  compiled ??= load().catch((error) => {
    compiled = null;
    throw error instanceof TypeError ? new Gone('the engine does not load') : error;
  });
  return compiled;
}

async function load() {
  const response = await fetch(`${engineAddress}engine.wasm`);
  if (!response.ok) throw new Gone('the engine does not load');
  // Not every host knows the type that a stream must have.
  return WebAssembly.compile(await response.arrayBuffer());
}

/** @type {Map<number, Promise<ArrayBuffer>>} */
const weights = new Map();

/** The weights of a network. A search does without those that do not come. @param {number} side */
function weightsOf(side) {
  if (!weights.has(side)) {
    const loading = fetch(`${engineAddress}${side}.bin`).then((response) => (response.ok ? response.arrayBuffer() : Promise.reject(new TypeError('no weights'))));
    loading.catch(() => weights.delete(side));
    weights.set(side, loading);
  }
  return /** @type {Promise<ArrayBuffer>} */ (weights.get(side));
}

/** Opens a seat. */
function open() {
  const worker = new Worker(workerScript(), { type: 'module' });
  /** @type {Seat} */
  const seat = { worker, ready: Promise.resolve(), isBusy: false, maps: new Map(), sides: new Set(), take: null };
  seat.ready = new Promise((resolve, reject) => {
    seat.take = (message) => (message.ready ? resolve() : reject(new Gone(message.died ?? 'the engine does not start')));
    worker.addEventListener('error', () => reject(new Gone('the worker does not load')));
  });
  worker.addEventListener('message', ({ data }) => seat.take?.(data));
  code().then((module) => worker.postMessage({ kind: 'begin', module, bytes: searchBytes }), (error) => seat.take?.({ died: error.message }));
  seat.ready.catch(() => close(seat));
  seats.push(seat);
  return seat;
}

/** The worker's script lies beside the page's. */
const workerScript = () => import.meta.resolve('./worker.js');

function close(/** @type {Seat} */ seat) {
  seat.worker.terminate();
  seats = seats.filter((other) => other !== seat);
  wake();
}

/** Lets everybody who waits look again: the first who still wants a seat has it. */
function wake() {
  for (const look of waiting.splice(0)) look();
}

function leave(/** @type {Seat} */ seat) {
  seat.isBusy = false;
  wake();
}

/** A seat that is free, one that knows the map if there is one; waits for it while all are taken. @param {AbortSignal} signal @param {string} [map] @returns {Promise<Seat>} */
async function sit(signal, map = '') {
  for (;;) {
    signal.throwIfAborted();
    const free = seats.filter(({ isBusy }) => !isBusy);
    const seat = free.find(({ maps }) => maps.has(map)) ?? free[0] ?? (seats.length < SEATS ? open() : null);
    if (seat) {
      seat.isBusy = true;
      return seat;
    }
    await new Promise((resolve) => {
      waiting.push(() => resolve(undefined));
      signal.addEventListener('abort', resolve, { once: true });
    });
  }
}

/** Has one more seat warm than there are taken ones. */
export function warm() {
  if (seats.length < SEATS && seats.every(({ isBusy }) => isBusy)) open();
}

/** Gives a search the networks that its board may have a use for. @param {Seat} seat @param {any} request */
async function arm(seat, { rows = 0, cols = 0, text }) {
  if (text === undefined && Math.min(rows, cols) < SIDES[0]) return;
  for (const side of SIDES) {
    if (seat.sides.has(side)) continue;
    const bytes = await weightsOf(side).catch(() => null);
    if (!bytes) continue;
    seat.sides.add(side);
    seat.worker.postMessage({ kind: 'weights', side, bytes });
  }
}

/** The engine in this browser. @type {Transport} */
export async function workers(what, request, { signal, enough, onDeaf, onProgress }) {
  const asked = /** @type {any} */ (what === 'posthoc' ? { ...request, form: 'posthoc' } : request);
  const seat = await sit(signal, asked.map);
  try {
    await ending(signal, seat.ready);
    if (what !== 'check' && asked.map === undefined) await ending(signal, arm(seat, asked));
  } catch (error) {
    if (seats.includes(seat)) leave(seat);
    throw error;
  }
  warm();
  const { bytes, isRefused, map } = await answerOf(seat, what === 'posthoc' ? 'trace' : what, asked, { signal, enough, onDeaf, onProgress });
  if (isRefused) {
    const said = JSON.parse(new TextDecoder().decode(bytes));
    if (said.code !== 'unknown-map') throw new Refused(said);
    seat.maps.clear();
    return workers(what, request, { signal, enough, onDeaf, onProgress });
  }
  if (asked.map !== undefined && map) remember(seat, asked.map, map);
  return what === 'trace' ? bytes : JSON.parse(new TextDecoder().decode(bytes));
}

/** A promise that an aborted signal ends. @template T @param {AbortSignal} signal @param {Promise<T>} promise @returns {Promise<T>} */
const ending = (signal, promise) => Promise.race([promise, new Promise((_, reject) => {
  const end = () => reject(signal.reason);
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
})]);

/** @param {Seat} seat @param {string} what @param {any} asked @param {Parameters<Transport>[2]} options @returns {Promise<{ bytes: ArrayBuffer, isRefused: boolean, map: string }>} */
function answerOf(seat, what, asked, { signal, enough, onDeaf, onProgress }) {
  const { map, ...others } = asked;
  const known = seat.maps.get(map);
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
      seat.take = null;
      signal.removeEventListener('abort', cancelled);
      enough.removeEventListener('abort', stopping);
    };
    const cancelled = () => { over(); close(seat); warm(); reject(signal.reason); };
    seat.take = ({ progress, answer, died }) => {
      if (progress !== undefined) onProgress?.(JSON.parse(progress));
      else if (answer) { over(); leave(seat); resolve(answer); }
      // It held more than there is, or made a mistake.
      else if (died !== undefined) { over(); close(seat); warm(); reject(new Refused({ error: died, code: 'engine-died' })); }
    };
    signal.addEventListener('abort', cancelled);
    if (enough.aborted) stopping();
    else enough.addEventListener('abort', stopping);
    seat.worker.postMessage({ kind: 'call', what, body, stop });
  });
}

/** Notes that a worker has a map. @param {Seat} seat @param {string} text @param {string} id */
function remember({ maps }, text, id) {
  maps.delete(text);
  maps.set(text, id);
  if (maps.size > MAPS_KEPT) maps.delete(/** @type {string} */ (maps.keys().next().value));
}
