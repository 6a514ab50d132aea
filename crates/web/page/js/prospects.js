// Estimates, before a search, how many states an algorithm of the menu would expand. Pure.
//
// The rule, stated here alone. With n cells, b the number of new moves a move leads to in the long run, and d how long
// solutions usually are at this distance from home:
// - what remembers states and knows no direction looks at b^d of them, and never at more than there are: n!/2, or n! where
//   a wrap joins cells of one colour; from both ends at 2·b^(d/2);
// - what remembers none looks at b^d, however many states there are;
// - depth first meets states in no useful order: about half of all before the goal, so all of them is the order;
// - A* and IDA* look at b^(d·s), where s is what the heuristic leaves of the depth: the published averages of the
//   15-puzzle (400 million with Manhattan distance, a tenth of that with linear conflicts, at 53 moves) give s.

import { DIRECTIONS, manhattan, mixesColours, neighbour } from './rules.js';
/** @import { Shape } from './rules.js' */

/** The usual ratio of a solution's length to the sum of the tiles' distances from home (15-puzzle: 53 and 37). */
const DETOUR = 1.4;
const LEFT_BY_MANHATTAN = 0.5;
const LEFT_BY_CONFLICTS = 0.44;
/** The algorithms that keep states in memory. */
const HOLDING = new Set(['bfs', 'bfs-tree', 'dijkstra', 'bidirectional', 'dfs', 'astar']);
const ROUNDS = 40;

/** The number of reachable arrangements, as a power of ten. @param {Shape} board */
export function arrangements(board) {
  let all = mixesColours(board) ? 0 : -Math.log10(2);
  for (let n = 2; n <= board.rows * board.cols; n += 1) all += Math.log10(n);
  return all;
}

/**
 * How many new moves a move leads to in the long run, the one back left out: the largest eigenvalue of the steps from
 * step to step (√3 on 3×3, 2.13 on 4×4, 2.37 on 5×5), as the mean growth of many rounds. @param {Shape} board
 */
export function branching(board) {
  const name = JSON.stringify(board);
  if (!known.has(name)) known.set(name, growthOf(board));
  return known.get(name);
}

const known = new Map();

function growthOf(/** @type {Shape} */ board) {
  const cells = Array.from({ length: board.rows * board.cols }, (_, cell) => cell);
  const leaving = cells.map((from) => [...DIRECTIONS].map((way) => neighbour(board, from, way)).filter((to) => to >= 0).map((to) => ({ from, to, count: 1, grown: 0 })));
  const steps = leaving.flat();
  let growth = 0;
  for (let round = -ROUNDS; round < ROUNDS; round += 1) {
    for (const step of steps) step.grown = leaving[step.to].reduce((sum, next) => sum + (next.to === step.from ? 0 : next.count), 0);
    const total = steps.reduce((sum, step) => sum + step.grown, 0);
    const before = steps.reduce((sum, step) => sum + step.count, 0);
    if (round >= 0) growth += Math.log(total / before);
    for (const step of steps) step.count = step.grown / total;
  }
  return Math.exp(growth / ROUNDS);
}

/**
 * How many states each algorithm would look at from a game's position, as a power of ten; those of which that cannot
 * be told are missing. @param {import('./game.js').Game} game
 * @returns {Record<string, number>}
 */
export function prospects({ board, tiles, blank }) {
  const all = arrangements(board);
  const blind = Math.log10(branching(board)) * DETOUR * manhattan(board, tiles, blank);
  const informed = blind * (board.wrapRows.length || board.wrapCols.length ? LEFT_BY_MANHATTAN : LEFT_BY_CONFLICTS);
  const remembering = Math.min(all, blind);
  return {
    bfs: remembering, dijkstra: remembering, bidirectional: Math.min(all, Math.log10(2) + blind / 2),
    iddfs: blind, 'bfs-tree': blind, dfs: all, 'dfs-tree': all, astar: informed, ida: informed,
  };
}

/** The limits that an algorithm would exceed with so many states in so many seconds: 'time', 'memory' if it keeps states, both, or none. `means` are those of the server or this browser. @param {string} name @param {number} states @param {number} seconds @param {{ statesASecond: number, statesHeld: number }} means */
export const lacksOf = (name, states, seconds, means) => [
  ...(states > means.statesASecond + Math.log10(seconds) ? ['time'] : []),
  ...(HOLDING.has(name) && states > means.statesHeld ? ['memory'] : []),
];

/** A number of states, given as a power of ten, for people: 10¹³, 3 × 10²⁰. @param {number} states */
export function statesText(states) {
  const exponent = Math.floor(states + 0.02);
  const lead = Math.max(1, Math.round(10 ** (states - exponent)));
  const digits = [...String(exponent)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');
  return lead === 1 ? `10${digits}` : `${lead}\u00a0×\u00a010${digits}`;
}
