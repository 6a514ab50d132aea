// The one port to the engine. Whoever wants a search asks here and gets a handle, which can be cancelled by itself;
// nobody above knows what is behind it: the server, workers in this browser, or both.

import { bytesAt, isReachable, limits, onReachable, post, stream } from './api.js';
import { Gone, Refused } from './errors.js';
import { engineAddress, hasServer, searchBytes } from './host.js';

/**
 * @typedef {object} Handle
 * @property {Promise<any>} promise The answer. Where the handle is cancelled, it rejects with an error that `isCancelled` knows.
 * @property {() => void} cancel Ends the work.
 * @property {() => void} stop Ends it with what was found until then, which is the answer: of a solution, a race or a recording. Where that fails, it is cancelled, and the solution that was told last is the answer.
 *
 * @typedef {object} Callbacks
 * @property {(progress: any) => void} [onProgress] Told how far it is, many times a second.
 * @property {(seconds: number) => void} [onBusy] Told that the engine is busy and will be asked again after so many seconds.
 *
 * @typedef {'solve' | 'hint' | 'race' | 'trace' | 'posthoc' | 'path' | 'check' | 'examine'} What
 * @typedef {(what: What, request: object, options: { signal: AbortSignal, enough: AbortSignal, onDeaf: () => void, onProgress?: (data: any) => void }) => Promise<any>} Transport
 */

const RETRIES = 5;
const PAUSE_SECONDS = 2;
/** Boards of so many cells are solved as fast in this browser as anywhere. */
const SMALL_CELLS = 12;

/** Whether an error says no more than that somebody cancelled the handle. @param {any} error */
export const isCancelled = (error) => error?.name === 'AbortError';

/** Makes a port before whatever answers. @param {Transport} transport */
export function createPort(transport) {
  /** @returns {(request: object, callbacks?: Callbacks) => Handle} @param {What} what */
  const asking = (what) => (request, { onProgress, onBusy } = {}) => {
    const [cancelling, stopping] = [new AbortController(), new AbortController()];
    const [signal, enough] = [cancelling.signal, stopping.signal];
    const cancel = () => cancelling.abort();
    /** What was told last that is a solution. @type {any} */
    let last = null;
    let isDeaf = false;
    const told = (/** @type {any} */ progress) => {
      note(what, request, progress);
      if (progress.solution) last = progress;
      onProgress?.(progress);
    };
    const onDeaf = () => { isDeaf = true; cancel(); };
    const promise = withRetry(() => transport(what, request, { signal, enough, onDeaf, onProgress: told }), { signals: [signal, enough], onBusy });
    return { promise: promise.catch((error) => { if (isDeaf && last) return answerOf(request, last); throw error; }), cancel, stop: () => stopping.abort() };
  };
  return {
    solve: asking('solve'),
    /** A solution for its next moves, or for its length: one that comes soon is better than a short one. */
    hint: asking('hint'),
    /** Several searches of one board: an array of answers. */
    race: asking('race'),
    /** A recorded search: an ArrayBuffer for `decodeRecording`. */
    trace: asking('trace'),
    /** A recorded search in the form of the Posthoc visualiser. */
    posthoc: asking('posthoc'),
    path: asking('path'),
    /** Whether a board can be solved, and what would mend it. */
    check: asking('check'),
    /** The value of each heuristic on a board, and how it comes about. */
    examine: asking('examine'),
  };
}

/** The answer of a search that could not be told to end. @param {any} request @param {any} progress */
const answerOf = ({ algorithm = 'auto' }, { solution, bound, ...counts }) => ({ ...counts, ...solution, status: 'solved', algorithm, optimal: false, ...(bound ? { lower_bound: bound } : {}) });

/** Asks again while the engine is busy. @param {() => Promise<any>} ask @param {{ signals: AbortSignal[], onBusy?: (seconds: number) => void }} how */
async function withRetry(ask, { signals, onBusy }) {
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
    case 'hint':
      return (await stream('/api/solve', request, options)).data;
    case 'race':
      return (await stream('/api/race', request, options)).data;
    case 'trace':
      return bytesAt((await withMap(request, async (body) => ({ answer: await stream('/api/trace', body, options) }))).data.href, options);
    case 'posthoc':
      return withMap(request, (body) => post('/api/trace', { ...body, form: 'posthoc' }, options));
    case 'path':
      return withMap(request, (body) => post('/api/path', body, options));
    default:
      return (await post(`/api/${what}`, request, options)).answer;
  }
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

const workersOf = () => import('./workers.js').catch(() => { throw new Gone('the engine does not load'); });

/** Workers in this browser; what speaks to them comes when the first is wanted. @type {Transport} */
const local = async (what, request, options) => (await workersOf()).workers(what, request, options);

/** Whether a worker has been ready; the engine is fetched when the first question is asked. */
let isBegun = false;
/** @type {Promise<void> | null} */
let beginning = null;

function begin() {
  beginning ??= workersOf().then(({ ready }) => ready()).then(() => { isBegun = true; }, () => { beginning = null; });
}

/** Whether the server has the better answer: its threads and tables are for solutions of boards that are not small. @param {What} what @param {any} request */
const isHard = (what, { rows, cols }) => what === 'solve' && !(rows * cols <= SMALL_CELLS);

/** The codes of an engine that died or may not run, and of answers that are not the server's: a proxy's, whatever their status. */
const ELSEWHERE = new Set(['engine-died', 'policy', 'unknown', 'stranger']);

/** Whether another may have an answer where one had none. @param {any} error */
const isElsewhere = (error) => error instanceof Gone || (error instanceof Refused && (error.isBusy || ELSEWHERE.has(error.code)));

/** The server and workers, whichever is better: the server for hard boards, and until a worker is ready; the other where one does not answer. @type {Transport} */
async function either(what, request, options) {
  begin();
  const [first, second] = isReachable() && (isHard(what, request) || !isBegun) ? [http, local] : [local, http];
  try {
    return await first(what, request, options);
  } catch (error) {
    if (options.signal.aborted || options.enough.aborted || !isElsewhere(error)) throw error;
    return second(what, request, options);
  }
}

const transport = !engineAddress ? http : hasServer ? either : local;

const STATE_BYTES = 20;
/** Shorter searches say little about the speed. */
const TELLING_SECONDS = 0.5;
/** States a second that are assumed before a search has run. */
const USUAL_SPEED = transport === local ? 3e6 : 1e7;
/** States a second, by algorithm, as the last search by it had them. @type {Map<string, number>} */
const speeds = new Map();
/** Memory of a search in bytes: in this browser, or at the server once it has been asked. */
let held = transport === local ? searchBytes : 2 * 2 ** 30;

/** Learns how fast an algorithm is here. @param {What} what @param {any} request @param {any} progress */
function note(what, { algorithm }, { expanded, seconds }) {
  if (what === 'solve' && seconds >= TELLING_SECONDS) speeds.set(algorithm, expanded / seconds);
}

/** Asks the server, if there is one, what its searches may hold. */
export async function measure() {
  if (hasServer) held = (await limits().catch(() => null))?.search_bytes ?? held;
}

/** What a search by an algorithm can do, as powers of ten: states a second, and states that it can hold. @param {string} algorithm */
export const meansOf = (algorithm) => ({ statesASecond: Math.log10(speeds.get(algorithm) ?? USUAL_SPEED), statesHeld: Math.log10(held / STATE_BYTES) });

export const port = createPort(transport);
export { onReachable };
