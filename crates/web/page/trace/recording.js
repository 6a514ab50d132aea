// A recorded search: the arrays that the engine wrote, and a cursor that stands anywhere in it. Positions count events:
// at position k the first k events have happened. What is drawn is what was recorded, and nothing else.

import { NOBODY, createCursor } from './cursor.js';

export { NOBODY, createCursor };

/** The kinds of events. */
export const EXPANDED = 0;
export const NEW = 1;
export const KNOWN = 2;
export const CHEAPER = 3;
export const REOPENED = 4;
export const CUT = 5;
export const DEAD_END = 6;
export const TOO_DEAR = 7;
export const ITERATION = 8;

const MAGIC = 0x31525450;
const TYPES = /** @type {Record<string, any>} */ ({ u8: Uint8Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array });

const FAILED = new Set(['unreachable', 'unsolvable']);
/** Searches whose nodes are those of the path they are on. */
const FORGETFUL = new Set(['ida', 'iddfs', 'dfs-tree']);

/**
 * @typedef {object} Timeline Something that a player can run along, in positions.
 * @property {number} length
 * @property {(k: number) => number} nextExpansion
 * @property {(k: number) => number} prevExpansion
 * @property {(n: number) => number} nthExpansion
 * @property {(k: number) => number} expansionsAt How many expansions have happened.
 * @property {number} expansions How many there are.
 * @property {(k: number) => number} nextLevel Where the next level begins; -1 where there is none.
 * @property {(k: number) => number} nextReopening The same of reopenings.
 * @property {number} goalEvent
 * @property {any} [answer] How the search ended.
 * @property {Recording[]} [recs] The searches that run along it, where there are several.
 *
 * @typedef {ReturnType<typeof decodeRecording>} Recording
 * @typedef {ReturnType<typeof createCursor>} Cursor
 */

/**
 * Reads a recording. Throws a RangeError that says what is wrong.
 * @param {ArrayBuffer} buffer
 */
export function decodeRecording(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < 8 || view.getUint32(0, true) !== MAGIC) throw new RangeError('not a recording: it does not begin with PTR1');
  const size = view.getUint32(4, true);
  if (8 + size > buffer.byteLength) throw new RangeError('a recording that breaks off in its header');
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, size)));
  /** @type {any} */
  const arrays = {};
  for (const [name, { type, offset, length }] of Object.entries(header.arrays)) {
    const Kind = TYPES[type];
    if (!Kind || offset + length * Kind.BYTES_PER_ELEMENT > buffer.byteLength) throw new RangeError(`a recording that breaks off in ${name}`);
    arrays[name] = new Kind(buffer, offset, length);
  }
  return recordingOf(header, arrays);
}

/** A recording of its header and arrays, with what a player asks of it. */
export function recordingOf(/** @type {any} */ header, /** @type {any} */ { what, node, parent, paid, left, states, backward, ...tree }) {
  const { place, answer, cut } = header;
  const failed = (FAILED.has(answer?.status) || answer?.reason === 'depth') && !cut;
  const width = place.kind === 'tiles' ? place.rows * place.cols : 1;
  const marks = marksIn(what);
  const path = pathOf(header, width);
  const rec = {
    header, place, answer, cut, counts: header.counts, cost: header.cost, depthFirst: Boolean(header.depth_first),
    /** Whether the search keeps only its current path. */
    forgets: FORGETFUL.has(answer?.algorithm),
    /** Whether it ends with a proof that there is no solution, or none within its depth: no node is current then. */
    failed,
    length: what.length, what, node, parent, paid, left,
    nodes: backward.length, width, states, backward,
    treeParent: tree.tree_parent, treeX: tree.tree_x, treeY: tree.tree_y, treeSize: tree.tree_size, treeFirst: tree.tree_first, treeNext: tree.tree_next, onPath: tree.on_path,
    /** The states of the path that was found, or null. */
    path,
    /** A node's state: its tiles, its cell or its number in the graph. @param {number} n */
    state: (n) => (width === 1 ? states[n] : states.subarray(n * width, (n + 1) * width)),
    expansions: marks.expansions.length, levels: marks.levels,
    nextExpansion: (/** @type {number} */ k) => after(marks.expansions, k) ?? what.length,
    prevExpansion: (/** @type {number} */ k) => before(marks.expansions, k) ?? 0,
    nthExpansion: (/** @type {number} */ n) => (n < 1 ? 0 : marks.expansions[Math.min(n, marks.expansions.length) - 1] ?? 0),
    expansionsAt: (/** @type {number} */ k) => upTo(marks.expansions, k),
    nextLevel: (/** @type {number} */ k) => after(marks.levels, k) ?? -1,
    prevLevel: (/** @type {number} */ k) => before(marks.levels, k) ?? 0,
    nextReopening: (/** @type {number} */ k) => after(marks.reopenings, k) ?? -1,
    /** The bound of the iteration at a position, or null before the first. @param {number} k */
    boundAt: (k) => { const i = upTo(marks.levels, k); return i ? paid[marks.levels[i - 1] - 1] : null; },
    /** The roots count as generated, without an event: their number. */
    begun: cut || answer?.generated === undefined ? 1 : answer.generated - (what.length - marks.expansions.length - marks.levels.length),
    goalEvent: -1,
  };
  rec.goalEvent = goalOf(rec);
  return rec;
}

/** The positions right after each expansion, iteration and reopening. @param {number[]} what */
function marksIn(what) {
  /** @type {{ expansions: number[], levels: number[], reopenings: number[] }} */
  const lists = { expansions: [], levels: [], reopenings: [] };
  for (let k = 0; k < what.length; k += 1) {
    if (what[k] === EXPANDED) lists.expansions.push(k + 1);
    else if (what[k] === ITERATION) lists.levels.push(k + 1);
    else if (what[k] === REOPENED) lists.reopenings.push(k + 1);
  }
  return { expansions: Uint32Array.from(lists.expansions), levels: Uint32Array.from(lists.levels), reopenings: Uint32Array.from(lists.reopenings) };
}

/** The number of sorted positions up to `k`. @param {string | any[] | Uint32Array} list @param {number} k */
function upTo(list, k) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] <= k) low = middle + 1;
    else high = middle;
  }
  return low;
}

const after = (/** @type {string | any[] | Uint32Array} */ list, /** @type {number} */ k) => list[upTo(list, k)];
const before = (/** @type {string | any[] | Uint32Array} */ list, /** @type {number} */ k) => list[upTo(list, k - 1) - 1];

/** The path's states, whichever way the header has them. */
function pathOf(/** @type {any} */ { path }, /** @type {number} */ width) {
  if (!path?.length) return null;
  const flat = path.flat();
  return Array.from({ length: flat.length / width }, (_, i) => (width === 1 ? flat[i] : flat.slice(i * width, (i + 1) * width)));
}

/** The position at which the search has its solution; -1 where the recording does not reach it. @param {Recording} rec */
function goalOf(rec) {
  const { path, length, node, width, what, state } = rec;
  if (!path || rec.cut) return -1;
  const goal = path.at(-1);
  const isGoal = width === 1 ? (/** @type {number} */ n) => state(n) === goal : (/** @type {number} */ n) => goal.every((/** @type {number} */ tile, /** @type {number} */ cell) => rec.states[n * width + cell] === tile);
  for (let k = length; k > 0; k -= 1) if (what[k - 1] === EXPANDED && !rec.backward[node[k - 1]] && isGoal(node[k - 1])) return k;
  // From both ends: the trees meet with the last event.
  return length;
}
