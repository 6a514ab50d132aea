// The one port to the engine. Whoever wants a search asks here and gets a handle, which can be cancelled by itself;
// nobody above knows what is behind it: the server, or workers in this browser.

import { onReachable, post, stream } from './api.js';
import { Gone, Refused } from './errors.js';
import { engineAddress, hasServer, searchBytes } from './host.js';

/**
 * @typedef {object} Handle
 * @property {Promise<any>} promise The answer. Where the handle is cancelled, it rejects with an error that `isCancelled` knows.
 * @property {() => void} cancel Ends the work.
 * @property {() => void} stop Ends it with what was found until then, which is the answer: of a solution, a race or a recording. Where that fails, it is cancelled.
 *
 * @typedef {object} Callbacks
 * @property {(progress: any) => void} [onProgress] Told how far it is, many times a second.
 * @property {(seconds: number) => void} [onBusy] Told that the engine is busy and will be asked again after so many seconds.
 *
 * @typedef {'solve' | 'race' | 'trace' | 'posthoc' | 'path' | 'check' | 'examine'} What
 * @typedef {(what: What, request: object, options: { signal: AbortSignal, enough: AbortSignal, onDeaf: () => void, onProgress?: (data: any) => void }) => Promise<any>} Transport
 */

const RETRIES = 5;
const PAUSE_SECONDS = 2;
const HINT_SECONDS = 6;

/** Whether an error says no more than that somebody cancelled the handle. @param {any} error */
export const isCancelled = (error) => error?.name === 'AbortError';

/** Makes a port before whatever answers. @param {Transport} transport */
export function createPort(transport) {
  /** @returns {(request: object, callbacks?: Callbacks) => Handle} @param {What} what */
  const asking = (what) => (request, { onProgress, onBusy } = {}) => {
    const [cancelling, stopping] = [new AbortController(), new AbortController()];
    const [signal, enough] = [cancelling.signal, stopping.signal];
    const cancel = () => cancelling.abort();
    return { promise: patiently(() => transport(what, request, { signal, enough, onDeaf: cancel, onProgress }), { signals: [signal, enough], onBusy }), cancel, stop: () => stopping.abort() };
  };
  const solve = asking('solve');
  return {
    /** A solution. */
    solve,
    /** Several searches of one board: an array of answers. */
    race: asking('race'),
    /** A recorded search: an ArrayBuffer for `decodeRecording`. */
    trace: asking('trace'),
    /** A recorded search in the form of the Posthoc visualiser. */
    posthoc: asking('posthoc'),
    /** A path on a map. */
    path: asking('path'),
    /** Whether a board can be solved, and what would mend it. */
    check: asking('check'),
    /** What each heuristic says of a board, and why. */
    examine: asking('examine'),
    /** The quickest way to know what to do next. @type {(request: object, callbacks?: Callbacks) => Handle} */
    hint: (request, callbacks) => solve({ ...request, algorithm: 'auto', limits: { seconds: HINT_SECONDS } }, callbacks),
  };
}

/** Asks again while the engine is busy. @param {() => Promise<any>} ask @param {{ signals: AbortSignal[], onBusy?: (seconds: number) => void }} how */
async function patiently(ask, { signals, onBusy }) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Refused) || !error.isBusy || attempt >= RETRIES) throw error;
      if (signals.some(({ aborted }) => aborted)) throw stopped();
      const seconds = error.retryAfter ?? PAUSE_SECONDS;
      onBusy?.(seconds);
      await pause(seconds * 1000, signals);
    }
  }
}

const stopped = () => new DOMException('stopped', 'AbortError');

/** Waits; where one of the signals ends that, nothing was found yet. @param {number} millis @param {AbortSignal[]} signals */
function pause(millis, signals) {
  return new Promise((resolve, reject) => {
    const over = () => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', end);
    };
    const end = () => { over(); reject(stopped()); };
    const timer = setTimeout(() => { over(); resolve(undefined); }, millis);
    for (const signal of signals) signal.addEventListener('abort', end);
  });
}

/** The server. @type {Transport} */
async function http(what, request, options) {
  switch (what) {
    case 'solve':
    case 'race':
      return (await stream(`/api/${what}`, request, options)).data;
    case 'trace':
      return unpacked((await withMap(request, async (body) => ({ answer: await stream('/api/trace', body, options) }))).data);
    case 'posthoc':
      return withMap(request, (body) => post('/api/trace', { ...body, form: 'posthoc' }, options));
    case 'path':
      return withMap(request, (body) => post('/api/path', body, options));
    default:
      return (await post(`/api/${what}`, request, options)).answer;
  }
}

/** Bytes that come as the base64 of their gzip. @param {string} text */
async function unpacked(text) {
  const letters = atob(text);
  const packed = new Uint8Array(letters.length);
  for (let i = 0; i < packed.length; i += 1) packed[i] = letters.charCodeAt(i);
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

/** Maps that the server has, by their texts: it is large, and asked about again and again while a goal is dragged. */
const maps = new Map();
const MAPS_KEPT = 4;

async function withMap(/** @type {any} */ request, /** @type {(body: any) => Promise<any>} */ ask) {
  const { map, ...rest } = request;
  const id = maps.get(map);
  if (id) {
    try {
      return (await ask({ ...rest, map_id: id })).answer;
    } catch (error) {
      if (!(error instanceof Refused) || error.code !== 'unknown-map') throw error;
      maps.delete(map);
    }
  }
  const { answer, headers } = await ask(request);
  const given = headers?.get('X-Map');
  if (map !== undefined && given) {
    if (maps.size >= MAPS_KEPT) maps.delete(maps.keys().next().value);
    maps.set(map, given);
  }
  return answer;
}

/** Workers in this browser; what speaks to them comes when the first is wanted. @type {Transport} */
async function local(what, request, options) {
  const { workers } = await import('./workers.js').catch(() => { throw new Gone('the engine does not load'); });
  return workers(what, request, options);
}

const transport = hasServer || !engineAddress ? http : local;

/** What a search can do, as powers of ten: states a second, and states that it can hold, twenty bytes each; a server's has two gigabytes at most. */
export const means = transport === http ? { statesASecond: 7, statesHeld: 8 } : { statesASecond: 6.5, statesHeld: Math.log10(searchBytes / 20) };

export const port = createPort(transport);
export { onReachable };
