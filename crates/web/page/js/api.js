// The server's HTTP interface, as promises. A `Gone` means that nobody answered; an `ApiError` that somebody
// did: the server with a code of its own, or a stranger in between (a proxy) with none.

import { Gone, Refused, refusedByPolicy } from './errors.js';
import { tellAll } from './tell.js';

export class ApiError extends Refused {
  /**
   * @param {number} status
   * @param {{ error?: string, code?: string, revision?: number | null }} [said]
   * @param {number | null} [retryAfter] In seconds.
   */
  constructor(status, { error = `HTTP ${status}`, code = 'unknown', revision = null } = {}, retryAfter = null) {
    super({ error, code, isBusy: status === 503, retryAfter });
    this.status = status;
    /** The server's revision, where a save was refused for being based on another. */
    this.revision = revision;
  }
}

/** Whether somebody else answers in the server's place: a host without the interface, or a network that asks its guests to log in. @param {any} error */
export const isForeign = (error) => error instanceof ApiError && (error.code === 'stranger' || (error.code === 'unknown' && error.status < 500));

/** Whether the server itself refused, so that nothing was done. After a 502, 503 or 504, of a proxy or of a server without its database, it may be done or not. @param {any} error */
export const isRefused = (error) => error instanceof ApiError && error.code !== 'unknown' && ![502, 503, 504].includes(error.status);

const watchers = new Set();
let reachable = true;

export function onReachable(/** @type {(reachable: boolean) => void} */ callback) {
  watchers.add(callback);
}

export const isReachable = () => reachable;

function note(/** @type {boolean} */ state) {
  if (state === reachable) return;
  reachable = state;
  tellAll(watchers, state);
}

/** Timeouts of an answer with its body, and of a picture in either direction, in milliseconds. */
const REQUEST_TIMEOUT_MILLIS = 20 * 1000;
const PICTURE_MILLIS = 3 * 60 * 1000;

function gone(/** @type {string} */ why) {
  note(false);
  return new Gone(why, 'gone');
}

/**
 * Asks and reads the answer by `read`, both within `timeout`: a connection that hangs is nobody's answer, and
 * whoever waits for it would keep all tabs from sending. @param {number} timeout @param {string} path @param {RequestInit | undefined} options @param {(response: Response) => any} read
 */
async function within(timeout, path, options, read) {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), timeout);
  try {
    return await read(await request(path, { ...options, signal: waiting.signal }));
  } catch (error) {
    throw waiting.signal.aborted && !(error instanceof Gone) ? gone('the server does not answer in time') : error;
  } finally {
    clearTimeout(timer);
  }
}

async function request(/** @type {string} */ path, options = {}) {
  let response;
  try {
    response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...options });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    const refusal = await refusedByPolicy(new URL(path, location.href).href);
    throw refusal ? new ApiError(502, refusal) : gone('the server does not answer');
  }
  note(true);
  if (response.ok) return response;
  throw new ApiError(response.status, await refusalOf(response), Number(response.headers.get('Retry-After')) || null);
}

/** The server's reason for a refusal; a proxy's text is left out. @param {Response} response */
async function refusalOf(response) {
  const said = await response.json().catch(() => null);
  return typeof said?.code === 'string' ? said : {};
}

export const json = (/** @type {string} */ method, /** @type {any} */ body) => ({ method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

const stranger = (/** @type {string} */ error) => new ApiError(502, { error, code: 'stranger' });

/** Refuses a proxy's login page, whatever its status. @param {string} path @param {RequestInit} [options] */
const call = (path, options, timeout = REQUEST_TIMEOUT_MILLIS) => within(timeout, path, options, async (response) => {
  if (response.status === 204) return null;
  return response.json().catch(() => { throw stranger('an answer that is no JSON'); });
});

/** Accepts an answer only if it has the fields that the server always sends: a proxy, too, may answer 200 and `{}`. @param {(answer: any) => boolean} fits @returns {(path: string, options?: RequestInit, timeout?: number) => Promise<any>} */
const expecting = (fits) => async (path, options, timeout) => {
  const answer = await call(path, options, timeout);
  if (!fits(answer)) throw stranger('an answer that is not the server’s');
  return answer;
};

const named = (/** @type {any} */ answer) => typeof answer?.id === 'string' && answer.id !== '';
const idOf = expecting(named);
const revisionOf = expecting((answer) => named(answer) && Number.isInteger(answer.revision));
const listOf = expecting(Array.isArray);
const gameIn = expecting((answer) => typeof answer?.game === 'object' && answer.game !== null);
const runOf = expecting((answer) => typeof answer?.date === 'string');
const nothingOf = expecting((answer) => answer === null);
const dataOf = expecting((answer) => answer?.pintu === 1);

const save = (/** @type {string} */ id) => `/api/saves/${encodeURIComponent(id)}`;
const record = (/** @type {string} */ id) => `/api/records/${encodeURIComponent(id)}`;
const picture = (/** @type {string} */ id) => `/api/pictures/${encodeURIComponent(id)}`;
const DELETE = { method: 'DELETE' };

/** The error that is answered in place of a script; null if the script arrives. Rejects if there is no answer, which says nothing about other files. @param {string} path */
export async function refusedFile(path) {
  const response = await fetch(path, { cache: 'no-store' });
  if (!response.ok) return new ApiError(response.status, await refusalOf(response));
  return /javascript/.test(response.headers.get('Content-Type') ?? '') ? null : stranger('an answer that is no script');
}

/** A request whose answer the caller checks. @param {string} path @param {RequestInit} [options] @returns {Promise<any>} */
export const ask = (path, options) => call(path, options);
export const health = () => call('/api/health');
export const limits = () => call('/api/limits');
export const listSaves = () => listOf('/api/saves');
export const getSave = (/** @type {string} */ id) => gameIn(save(id));
export const putSave = (/** @type {string} */ id, /** @type {any} */ body) => revisionOf(save(id), json('PUT', body));
/** Deletes a save, if it is at a revision that is named. @param {string} id @param {number | null} [revision] */
export const deleteSave = (id, revision) => nothingOf(save(id) + (revision ? `?revision=${revision}` : ''), DELETE);
export const getRecord = (/** @type {string} */ id) => gameIn(record(id));
/** Everything that the server has of the player. */
export const everything = () => dataOf('/api/data', {}, PICTURE_MILLIS);
export const forget = () => nothingOf('/api/data', DELETE);
/** The ids of everything that other devices have deleted. @returns {Promise<string[]>} */
export const listDeletions = () => listOf('/api/deletions');
export const listRecords = () => listOf('/api/records?all');
export const postRecord = (/** @type {any} */ body) => idOf('/api/records', json('POST', body));
export const deleteRecord = (/** @type {string} */ id) => nothingOf(record(id), DELETE);
/** Ends a run of a day's ranking. @param {string} date @param {any} game */
export const endRun = (date, game) => runOf(`/api/daily/${date}/finish`, json('POST', { game }));
export const deletePicture = (/** @type {string} */ id) => nothingOf(picture(id), DELETE);
export const postPicture = (/** @type {Blob} */ blob) => idOf('/api/pictures', { method: 'POST', headers: { 'Content-Type': blob.type || 'application/octet-stream' }, body: blob }, PICTURE_MILLIS);
export const getPicture = (/** @type {string} */ id) => within(PICTURE_MILLIS, picture(id), {}, async (response) => {
  const blob = await response.blob();
  if (!blob.type.startsWith('image/')) throw stranger('an answer that is no picture');
  return blob;
});

/** The longest silence of a stream, in milliseconds: while a search runs, the server tells its progress ten times a second. */
const SILENCE_MILLIS = 30 * 1000;

/** What is heard from the server in time; a connection that is silent for longer is closed. @template T @param {Promise<T>} promise @param {AbortController} closing @returns {Promise<T>} */
async function heard(promise, closing) {
  let timer = 0;
  const silence = new Promise((_, reject) => {
    timer = setTimeout(() => { reject(gone('the server does not answer in time')); closing.abort(); }, SILENCE_MILLIS);
  });
  try {
    return await Promise.race([promise, silence]);
  } finally {
    clearTimeout(timer);
  }
}

/** Timeout for ending a search, in milliseconds. */
const END_MILLIS = 4 * 1000;

/** Ends a search by the name of its stream; says whether its last event can be waited for. It can of one that has ended meanwhile. @param {string | null} name */
async function endSearch(name) {
  if (!name) return false;
  try {
    await within(END_MILLIS, `/api/searches/${encodeURIComponent(name)}`, DELETE, () => {});
    return true;
  } catch (error) {
    return error instanceof ApiError && error.status === 404 && error.code === 'not-found';
  }
}

/**
 * Asks for something that takes its time and reads the stream of events. Resolves to the event that ends it. Aborting
 * the signal closes the connection, which cancels the work on the server; aborting `enough` has the work end, and the
 * last event has what was found until then. `onDeaf` is told where the work could not be ended so.
 * @param {string} path
 * @param {object} body
 * @param {{ signal?: AbortSignal, enough?: AbortSignal, onDeaf?: () => void, onProgress?: (data: any) => void }} [options]
 * @returns {Promise<{ event: string, data: any }>}
 */
export async function stream(path, body, { signal, enough, onDeaf, onProgress } = {}) {
  const closing = new AbortController();
  const close = () => closing.abort(signal?.reason);
  if (signal?.aborted) close();
  signal?.addEventListener('abort', close);
  const response = await heard(request(path, { ...json('POST', body), headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' }, signal: closing.signal }), closing);
  if (!response.headers.get('Content-Type')?.startsWith('text/event-stream')) return { event: 'result', data: await response.json().catch(() => { throw stranger('an answer that is no JSON'); }) };
  let isOver = false;
  const end = async () => { if (!await endSearch(response.headers.get('X-Search')) && !isOver) onDeaf?.(); };
  if (enough?.aborted) void end();
  else enough?.addEventListener('abort', end);
  try {
    for await (const { event, data } of events(response.body, closing)) {
      if (event === 'progress') onProgress?.(data);
      else if (event === 'error') throw new ApiError(data.code === 'busy' ? 503 : 500, data);
      else return { event, data };
    }
  } catch (error) {
    if (error.name === 'AbortError' || error instanceof ApiError || error instanceof Gone) throw error;
    throw gone('the stream broke off');
  } finally {
    isOver = true;
    enough?.removeEventListener('abort', end);
  }
  throw gone('the stream ended without a result');
}

/** The bytes that a stream named, once. @param {string} path @param {{ signal?: AbortSignal }} [options] */
export async function bytesAt(path, { signal } = {}) {
  const response = await request(path, { signal });
  return response.arrayBuffer().catch((error) => { throw error.name === 'AbortError' ? error : gone('the answer broke off'); });
}

/**
 * Asks for something that is answered at once, as JSON; resolves to the answer and the headers it came with.
 * @param {string} path
 * @param {object} body
 * @param {{ signal?: AbortSignal }} [options]
 */
export async function post(path, body, { signal } = {}) {
  const response = await request(path, { ...json('POST', body), signal });
  return { answer: await response.json().catch(() => { throw stranger('an answer that is no JSON'); }), headers: response.headers };
}

/** The events of a stream. @param {any} body @param {AbortController} closing */
async function* events(body, closing) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  // A long event comes in many pieces: they are put together once, at its end.
  /** @type {string[]} */ let pieces = [];
  for (;;) {
    const { value, done } = await heard(reader.read(), closing);
    if (done) return;
    pieces.push(value.replace(/\r/g, ''));
    if (!value.includes('\n')) continue;
    const blocks = pieces.join('').split('\n\n');
    pieces = [blocks.pop() ?? ''];
    for (const block of blocks) {
      const fields = block.split('\n').map((line) => line.split(/:\s?(.*)/s));
      const field = (/** @type {string} */ name) => fields.filter(([key]) => key === name).map(([, text]) => text).join('\n');
      if (field('data')) yield { event: field('event') || 'message', data: JSON.parse(field('data')) };
    }
  }
}
