// By what a search goes: its numbers, and the order in which it takes states out of its open list.

import { EXPANDED } from './recording.js';

/** @typedef {import('./recording.js').Recording} Recording */

/** @type {Record<string, string>} */
const FAMILIES = { bfs: 'breadth', 'bfs-tree': 'breadth', bidirectional: 'breadth', dfs: 'depth', 'dfs-tree': 'depth', iddfs: 'depth', ida: 'depth', dijkstra: 'cheapest', greedy: 'greedy' };

/** By what a search decides what is next: 'best', 'greedy', 'breadth', 'depth' or 'cheapest'. @param {{ answer?: any }} rec */
export const familyOf = (rec) => FAMILIES[rec.answer?.algorithm] ?? 'best';

/** Whether the levels of a timeline are depths, rather than bounds. @param {import('./recording.js').Timeline} line */
export const goesByDepth = (line) => (line.recs ?? [line]).every((rec) => familyOf(rec) === 'breadth');

/** The value by which a search orders states: f with its weight of h, or h alone if it is greedy. @param {Recording | null} rec @returns {(g: number, h: number) => number} */
export function rankOf(rec) {
  const weight = rec?.answer?.weight ?? 1;
  return rec && familyOf(rec) === 'greedy' ? (_, h) => h : (g, h) => g + weight * h;
}

/** Which numbers mean something to a search: whoever is blind has no h, and f is what it goes by only where it adds the two. @param {Recording} rec @returns {('g' | 'h' | 'f')[]} */
export function measuresOf(rec) {
  const family = familyOf(rec);
  if (family === 'greedy') return ['g', 'h'];
  return family === 'best' || rec.answer?.algorithm === 'ida' ? ['g', 'h', 'f'] : ['g'];
}

/** Whether g counts steps instead of costs. @param {Recording} rec */
export const countsSteps = (rec) => ['breadth', 'depth'].includes(familyOf(rec)) && rec.answer?.algorithm !== 'ida';

/** Searches that Auto alone chooses: they take what is about equal in an order of their own. */
const OWN_ORDER = new Set(['astar-levels', 'astar-pruned']);

/** Costs with roots are sums of rounded numbers: what differs by less is the same. */
const GRAIN = 1e-6;
export const grained = (/** @type {number} */ value) => Math.round(value / GRAIN);

/**
 * Compares two open states of a search: whichever is taken first comes first. Ties are broken as the engine does it: the
 * smaller h, then last in first out; jump points by what was met last; breadth first takes the oldest, depth first the newest.
 * @param {Recording} rec
 * @param {import('./recording.js').Cursor} cursor
 * @returns {(a: number, b: number) => number}
 */
export function takenOrder(rec, cursor) {
  const family = familyOf(rec);
  const newer = (/** @type {number} */ a, /** @type {number} */ b) => cursor.since(b) - cursor.since(a) || b - a;
  if (family === 'depth') return newer;
  if (family === 'breadth') {
    // From both ends there are two queues; what the recording takes next says whose turn it is.
    const turn = sideOf(rec, cursor.k);
    return (a, b) => Math.abs(rec.backward[a] - turn) - Math.abs(rec.backward[b] - turn) || newer(b, a);
  }
  const rank = rankOf(rec);
  const better = (/** @type {number} */ a, /** @type {number} */ b) => grained(rank(cursor.g(a), cursor.h(a))) - grained(rank(cursor.g(b), cursor.h(b)));
  if (rec.answer.algorithm === 'jps') return (a, b) => better(a, b) || b - a;
  const usual = (/** @type {number} */ a, /** @type {number} */ b) => better(a, b) || grained(cursor.h(a)) - grained(cursor.h(b)) || newer(a, b);
  if (!OWN_ORDER.has(rec.answer.algorithm)) return usual;
  const turns = turnsOf(rec, cursor.k);
  return (a, b) => turns[a] - turns[b] || usual(a, b);
}

/** When each node is expanded next after a position, by the recording; what is not, after all others. @param {Recording} rec @param {number} k */
function turnsOf({ what, node, length, nodes }, k) {
  const turns = new Uint32Array(nodes).fill(length);
  for (let i = length - 1; i >= k; i -= 1) if (what[i] === EXPANDED) turns[node[i]] = i;
  return turns;
}

/** The side (0 from the start, 1 from the goal) of the next state that is expanded. @param {Recording} rec @param {number} k */
function sideOf({ what, node, backward, length }, k) {
  for (let i = k; i < length; i += 1) if (what[i] === EXPANDED) return backward[node[i]];
  return 0;
}
