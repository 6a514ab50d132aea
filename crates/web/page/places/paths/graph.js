// A graph of named nodes, read from lines `from to cost` and `@ name x y`. Nodes are numbered as they come, as the
// engine numbers them. One without places is laid out on the page, the same way each time.

import { MapError } from './formats.js';

const MOST_NODES = 5000;

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

/** @returns {GraphMap} */
export function graphOf(text) {
  const numbers = new Map();
  const names = [];
  const places = [];
  const edges = [];
  const node = (name) => {
    if (!numbers.has(name)) {
      numbers.set(name, names.length);
      names.push(name);
    }
    return numbers.get(name);
  };
  for (const [i, line] of text.split('\n').entries()) {
    if (!line.trim() || line.trimStart().startsWith('#')) continue;
    const words = line.trim().split(/\s+/);
    if (words.length === 4 && words[0] === '@' && words.slice(2).every((word) => Number.isFinite(Number(word)))) places[node(words[1])] = [Number(words[2]), Number(words[3])];
    else if (words.length === 3 && words[0] !== '@' && /^\d+(\.\d+)?$/.test(words[2])) edges.push({ from: node(words[0]), to: node(words[1]), cost: words[2] });
    else throw new MapError('paths.bad.graph', { line: i + 1, found: line.trim() });
  }
  if (!names.length) throw new MapError('paths.bad.empty');
  if (names.length > MOST_NODES) throw new MapError('paths.bad.nodes', { found: names.length, most: MOST_NODES });
  const placed = names.every((_, n) => places[n]);
  const goal = names.length - 1;
  return { kind: 'graph', format: 'graph', names, edges, placed, places: placed ? /** @type {[number, number][]} */ (places) : laidOut(names.length, edges), directed: false, start: 0, goals: goal ? [goal] : [], text };
}

export const textOfGraph = (graph) => graph.text;

const ROUNDS = 200;

/** Places for nodes that have none: on a circle first, then apart from each other and drawn along their edges. */
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

function shove(at, push, a, b, force) {
  const [x, y] = [at[a][0] - at[b][0], at[a][1] - at[b][1]];
  const far = Math.hypot(x, y) || 1e-6;
  const by = force(far) / far;
  push[a][0] += x * by; push[a][1] += y * by;
  push[b][0] -= x * by; push[b][1] -= y * by;
}
