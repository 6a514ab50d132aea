// Asking the engine for all contestants: first the paths, which are there at once, then the recorded searches, which
// show how they were found. What is dragged is asked about again and again; only the latest counts.

import { Gone, Refused } from '../../js/errors.js';
import { isCancelled, port } from '../../js/port.js';
import { tellAll } from '../../js/tell.js';
import { createCursor, decodeRecording } from '../../trace/recording.js';
import { MOST_EVENTS, placeOf, question, questionOf, refusalOf } from './ask.js';
import { state, versionNow } from './state.js';

const SMALL = 48 * 64;
/** Whether the map is so small that a search of it is there at once: it is shown while something is dragged, too. */
export const isSmall = () => state.map.kind === 'graph' || state.map.cells.length <= SMALL;
/** A question that takes longer than this is dropped for a newer one. */
const SLOW_MILLIS = 150;

/**
 * @typedef {object} Entry
 * @property {import('./state.js').Run} run
 * @property {any} answer What the engine says; null before.
 * @property {number} of Which question the answer belongs to.
 * @property {any} map The map it was asked about.
 * @property {number | null} aged Since when it belongs to another question than the one that stands; null where it does not.
 * @property {number[] | null} path
 * @property {Error | null} error
 * @property {Error | null} unrecorded Why there is no recording.
 * @property {any} progress How far a long search is; null when none runs.
 * @property {{ rec: import('../../trace/recording.js').Recording, cursor: import('../../trace/recording.js').Cursor } | null} search
 */

/** @type {Entry[]} */
let entries = [];
export const all = () => entries;

/** For so long an answer may stand for a question that has just changed: while something is dragged, the next one is there sooner. */
const GRACE_MILLIS = 250;

/** A contestant of whom nothing is known yet. @param {import('./state.js').Run} run @returns {Entry} */
const unknown = (run) => ({ run, answer: null, of: -1, map: null, aged: null, path: null, error: null, unrecorded: null, progress: null, search: null });

/** Whether an entry answers the current request. @param {any} entry */
const isCurrent = (entry) => entry.of === versionNow();

/** The results of the current request: only these may be announced, exported or linked. @returns {Entry[]} */
export const current = () => state.runs.map((run, i) => (entries[i] && isCurrent(entries[i]) ? entries[i] : unknown(run)));

/** Whether an entry has answered another question for longer than anybody would overlook. @param {Entry} entry */
export const isStale = (entry) => entry.aged !== null && !isCurrent(entry) && performance.now() - entry.aged >= GRACE_MILLIS;

let waking = 0;
/** Notes which answers belong to an earlier question, and says so if they still do a little later. */
function age() {
  const now = performance.now();
  for (const entry of entries) if (!isCurrent(entry)) entry.aged ??= now;
  waking ||= setTimeout(() => {
    waking = 0;
    if (entries.some(isStale)) tell('answers');
    if (entries.some((entry) => entry.aged !== null && !isCurrent(entry) && !isStale(entry))) age();
  }, GRACE_MILLIS + 10);
}

/** No answer is expected soon: the remaining results belong to another request. */
function ageAtOnce() {
  for (const entry of entries) if (!isCurrent(entry)) entry.aged = -Infinity;
  tell('answers');
}

const watchers = /** @type {Record<string, Set<any>>} */ ({ answers: new Set(), recordings: new Set(), trouble: new Set() });
/** Calls back when an answer has come (with its number), when all recordings have, or when nobody answers. @param {string} name @param {(...values: any[]) => void} callback */
export const on = (name, callback) => watchers[name].add(callback);
const tell = (/** @type {string} */ name, /** @type {(number | Gone | undefined)[]} */ ...values) => tellAll(watchers[name], ...values);

/** What the cheapest path costs, as far as it is known. @type {any} */
let cheapest = null;
export const cheapestCost = () => cheapest;

const handles = new Set();
let wanted = /** @type {any} */ (null);
let working = false;
let asked = 0;

/** Wants everything asked anew; while something is dragged, no more than its paths. @param {'all' | 'drag'} kind */
export function want(kind = 'all') {
  wanted = wanted === 'all' ? 'all' : kind;
  age();
  if (!working) void work();
  else if (kind === 'all' || performance.now() - asked > SLOW_MILLIS) cancel();
}

/** Wants what was not answered when somebody left. */
export const wantMissing = () => { if (entries.some((entry) => !isCurrent(entry))) want('all'); };

export const isBusy = () => working || wanted !== null;

export function cancel() {
  for (const handle of handles) handle.cancel();
}

async function work() {
  working = true;
  while (wanted) {
    const kind = wanted;
    wanted = null;
    asked = performance.now();
    try {
      await paths(kind);
      if (!wanted && (kind === 'all' || isSmall())) await recordings();
    } catch (error) {
      if (error instanceof Gone) { ageAtOnce(); tell('trouble', error); }
      else if (!isCancelled(error)) { working = false; throw error; }
    }
  }
  working = false;
  // Who was asked and did not answer is not being asked any more.
  if (entries.some((entry) => !isCurrent(entry))) tell('answers');
}

/** Keeps a handle for as long as it runs. @param {{ promise: any, cancel?: () => void, stop?: () => void }} handle */
async function through(handle) {
  handles.add(handle);
  try {
    return await handle.promise;
  } finally {
    handles.delete(handle);
  }
}

async function paths(/** @type {string} */ kind) {
  const { map, runs } = state;
  const of = versionNow();
  const before = new Map(entries.map((entry) => [entry.run.mark, entry]));
  if (kind === 'all' || entries.length !== runs.length) entries = runs.map((run) => ({ ...(before.get(run.mark) ?? unknown(run)), run, error: null, unrecorded: null, progress: null, search: null }));
  else for (const entry of entries) entry.search = null;
  if (map.start < 0 || !map.goals.length) {
    for (const entry of entries) Object.assign(entry, { answer: null, path: null, of, map, aged: null });
    tell('answers');
    return;
  }
  const mine = entries;
  const auto = { ...question(), algorithm: 'auto' };
  // What was cheapest before says nothing of what is asked now.
  cheapest = null;
  await Promise.all(mine.map(async (entry, number) => {
    entry.error = null;
    try {
      const refusal = refusalOf(entry.run);
      if (refusal) throw refusal;
      const answer = await through(port.path(questionOf(entry.run), { onBusy: () => {} }));
      if (answer.status === 'found' && answer.optimal) cheapest = answer.cost;
      Object.assign(entry, { answer, path: answer.path?.map((/** @type {any} */ spot) => placeOf(map, spot)) ?? null });
    } catch (error) {
      if (isCancelled(error) || error instanceof Gone) throw error;
      Object.assign(entry, { answer: null, path: null, error });
    }
    Object.assign(entry, { of, map, aged: of === versionNow() ? null : performance.now() });
    tell('answers', number);
  }));
  // While one is dragged whose path is proved, everything has been said.
  if (kind === 'drag' && mine.every(({ answer }) => answer?.optimal)) return;
  cheapest = await leastCost(mine, auto);
  tell('answers');
}

/** The cost of a cheapest path: one that is proved, or what `auto` finds. @param {{ answer: any }[]} list @param {object} auto */
async function leastCost(list, auto) {
  const proved = list.find(({ answer }) => answer?.status === 'found' && answer.optimal);
  if (proved) return proved.answer.cost;
  if (!list.some(({ answer }) => answer?.status === 'found')) return null;
  try {
    const answer = await through(port.path(auto));
    return answer.status === 'found' && answer.optimal ? answer.cost : null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return null;
  }
}

async function recordings() {
  const [mine, of] = [entries, versionNow()];
  await Promise.all(mine.filter(({ answer }) => answer).map(async (entry) => {
    const number = mine.indexOf(entry);
    const onProgress = (/** @type {any} */ progress) => { if (!isSmall()) { entry.progress = progress; tell('answers', number); } };
    try {
      const rec = decodeRecording(await through(port.trace({ ...questionOf(entry.run), events: MOST_EVENTS }, { onProgress })));
      if (of === versionNow()) entry.search = { rec, cursor: createCursor(rec) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      entry.unrecorded = error;
    } finally {
      entry.progress = null;
    }
  }));
  if (mine === entries && !wanted) tell('recordings');
}
