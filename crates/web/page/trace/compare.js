// Several recorded searches in step: one timeline for all, in expansions, and where they first differ.

import { EXPANDED } from './recording.js';

/**
 * A timeline whose positions are expansions, for searches that are shown side by side: at position n each has made n
 * expansions, or all it has.
 * @param {import('./recording.js').Recording[]} recs
 */
export function inStep(recs) {
  const most = Math.max(0, ...recs.map((rec) => rec.expansions));
  const clamp = (/** @type {number} */ n) => Math.max(0, Math.min(most, n));
  const levels = merged(recs.map((rec) => Array.from(rec.levels, (k) => rec.expansionsAt(k) + 1))).filter((n) => n <= most);
  const reopenings = merged(recs.map(reopeningsOf));
  const beyond = (/** @type {any[]} */ list, /** @type {number} */ n) => list.find((at) => at > n);
  return {
    recs,
    length: most,
    expansions: most,
    nextExpansion: (/** @type {number} */ n) => clamp(n + 1),
    prevExpansion: (/** @type {number} */ n) => clamp(n - 1),
    nthExpansion: clamp,
    expansionsAt: clamp,
    nextLevel: (/** @type {number} */ n) => beyond(levels, n) ?? -1,
    nextReopening: (/** @type {number} */ n) => beyond(reopenings, n) ?? -1,
    goalEvent: Math.max(-1, ...recs.map((rec) => (rec.goalEvent < 0 ? -1 : rec.expansionsAt(rec.goalEvent)))),
    /** The event of a recording's n-th expansion, or its end. @param {import('./recording.js').Recording} rec @param {number} n */
    positionOf: (rec, n) => (n >= rec.expansions ? rec.length : rec.nthExpansion(n)),
    firstDifference: firstDifference(recs),
  };
}

const merged = (/** @type {any[]} */ lists) => [...new Set(lists.flat())].sort((a, b) => a - b);

function reopeningsOf(/** @type {import('./recording.js').Recording} */ rec) {
  const found = [];
  for (let k = rec.nextReopening(0); k >= 0; k = rec.nextReopening(k)) found.push(rec.expansionsAt(k));
  return found;
}

/** The expansion at which two searches first expand different states; -1 where one never leaves the other's way. @param {any[]} recs */
function firstDifference(recs) {
  const [first, ...others] = recs;
  if (!others.length) return -1;
  const shared = Math.min(...recs.map((rec) => rec.expansions));
  for (let n = 1; n <= shared; n += 1) {
    const mine = stateAt(first, n);
    if (others.some((rec) => stateAt(rec, n) !== mine)) return n;
  }
  return recs.some((rec) => rec.expansions !== shared) ? shared + 1 : -1;
}

/** The state of the n-th expansion, as text. @param {import('./recording.js').Recording} rec @param {number} n */
function stateAt(rec, n) {
  const i = rec.nthExpansion(n) - 1;
  return rec.what[i] === EXPANDED ? `${rec.backward[rec.node[i]]}:${rec.state(rec.node[i])}` : '';
}
