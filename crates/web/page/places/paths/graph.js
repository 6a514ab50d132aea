// A graph of named nodes, read from lines `from to cost` and `@ name x y`. Nodes are numbered as they come, as the
// engine numbers them. One without places is laid out on the page, the same way each time.

import { MapError } from './map.js';

const MOST_NODES = 5000;
const MOST_DECIMALS = 6;
/** The greatest cost of a graph: all whole numbers up to 2⁵³ are exact, and all decimals of 15 digits. @param {number} decimals */
const maxCost = (decimals) => (decimals === 0 ? 2n ** 53n : 10n ** 15n - 1n);

/**
 * @typedef {object} GraphMap
 * @property {'graph'} kind
 * @property {'graph'} format
 * @property {string[]} names
 * @property {[number, number][]} places Where nodes are drawn.
 * @property {boolean} placed Whether the file says where; a distance can only be estimated then.
 * @property {{ from: number, to: number, cost: string }[]} edges
 * @property {boolean} directed
 * @property {number} start
 * @property {number[]} goals
 * @property {string} text The file as it came.
 * @property {string} [origin]
 */

/** @returns {GraphMap} @param {string} text */
export function graphOf(text) {
  const numbers = new Map();
  const names = /** @type {any[]} */ ([]);
  const places = /** @type {any[]} */ ([]);
  const edges = [];
  const node = (/** @type {string} */ name) => {
    if (!numbers.has(name)) {
      numbers.set(name, names.length);
      names.push(name);
    }
    return numbers.get(name);
  };
  const put = (/** @type {number} */ line, /** @type {string} */ name, /** @type {number[]} */ [x, y]) => {
    const n = node(name);
    if (places[n] && (places[n][0] !== x || places[n][1] !== y)) throw new MapError('paths.bad.twoPlaces', { line, name });
    places[n] = [x, y];
  };
  const lines = text.split('\n').map((line) => line.trim());
  const costs = [];
  for (const [i, line] of lines.entries()) {
    if (!line || line.startsWith('#')) continue;
    const words = line.split(/\s+/);
    if (words.length === 4 && words[0] === '@') put(i + 1, words[1], /** @type {[number, number]} */ (words.slice(2).map((/** @type {string} */ word) => coordinateIn(word, i + 1))));
    else if (words.length === 3 && words[0] !== '@') {
      costs.push({ line: i + 1, ...decimalIn(words[2], i + 1) });
      edges.push({ from: node(words[0]), to: node(words[1]), cost: words[2] });
    } else throw new MapError('paths.bad.graph', { line: i + 1, found: line });
  }
  if (!names.length) throw new MapError('paths.bad.empty');
  demandFit(costs);
  if (names.length > MOST_NODES) throw new MapError('paths.bad.nodes', { found: names.length, most: MOST_NODES });
  const placed = names.every((_, n) => places[n]);
  const goal = names.length - 1;
  return { kind: 'graph', format: 'graph', names, edges, placed, places: placed ? /** @type {[number, number][]} */ (places) : laidOut(names.length, edges), directed: false, start: 0, goals: goal ? [goal] : [], text };
}

/** A number as the engine reads it: no other notations, nothing infinite. @param {string} word @param {number} line */
function coordinateIn(word, line) {
  const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(word) ? Number(word) : NaN;
  if (!Number.isFinite(value)) throw new MapError('paths.bad.coordinate', { line, found: word });
  return value;
}

/** A cost's digits, as many after the point as count. @param {string} word @param {number} line */
function decimalIn(word, line) {
  const [, whole, part = ''] = /^(\d+)(?:\.(\d*))?$/.exec(word) ?? [];
  const decimals = part.replace(/0+$/, '');
  if (whole === undefined || decimals.length > MOST_DECIMALS) throw new MapError('paths.bad.cost', { line, found: word, most: MOST_DECIMALS });
  return { digits: BigInt(whole + decimals), decimals: decimals.length };
}

/** Costs are kept as whole numbers, as many decimals to all as the one that has the most. @param {any[]} costs */
function demandFit(costs) {
  const decimals = costs.reduce((most, cost) => Math.max(most, cost.decimals), 0);
  const dear = costs.find((cost) => cost.digits * 10n ** BigInt(decimals - cost.decimals) > maxCost(decimals));
  if (dear) throw new MapError('paths.bad.dear', { line: dear.line, most: String(Number(maxCost(decimals)) / 10 ** decimals), decimals });
}

export const textOfGraph = (/** @type {any} */ graph) => graph.text;

const ROUNDS = 200;

/** Places for nodes that have none: on a circle first, then apart from each other and drawn along their edges. @param {number} count @param {{ from: any, to: any, cost: any }[]} edges */
function laidOut(count, edges) {
  const at = Array.from({ length: count }, (_, n) => /** @type {[number, number]} */ ([Math.cos((2 * Math.PI * n) / count), Math.sin((2 * Math.PI * n) / count)]));
  const apart = Math.sqrt(4 / count);
  // Every pair in every round is too much for a large graph; a circle is drawn as quickly as it is read.
  for (let round = 0; round < (count > 400 ? 0 : ROUNDS); round += 1) {
    const push = at.map(() => [0, 0]);
    for (let a = 0; a < count; a += 1) for (let b = a + 1; b < count; b += 1) shove(at, push, a, b, (far) => (apart * apart) / far);
    for (const { from, to } of edges) if (from !== to) shove(at, push, from, to, (far) => (-far * far) / apart);
    const heat = 0.1 * (1 - round / ROUNDS);
    for (const [n, [x, y]] of push.entries()) {
      const far = Math.hypot(x, y) || 1;
      at[n][0] += (x / far) * Math.min(far, heat);
      at[n][1] += (y / far) * Math.min(far, heat);
    }
  }
  return at;
}

function shove(/** @type {any} */ at, /** @type {number[][]} */ push, /** @type {number} */ a, /** @type {number} */ b, /** @type {(far: number) => number} */ force) {
  const [x, y] = [at[a][0] - at[b][0], at[a][1] - at[b][1]];
  const far = Math.hypot(x, y) || 1e-6;
  const by = force(far) / far;
  push[a][0] += x * by; push[a][1] += y * by;
  push[b][0] -= x * by; push[b][1] -= y * by;
}
