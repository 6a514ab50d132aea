// What is to be searched: the board and its goal, who competes, and within what limits. One object that all parts
// follow; a link carries all of it.

import { mixesColours, shape, whole } from '../../js/rules.js';
import { fieldsOf, fragmentOf } from '../../trace/link.js';

/**
 * @typedef {object} Contestant
 * @property {string} algorithm
 * @property {string} [heuristic]
 * @property {number} [weight]
 *
 * @typedef {object} Setup
 * @property {number} rows
 * @property {number} cols
 * @property {number[]} wrapRows
 * @property {number[]} wrapCols
 * @property {number[]} tiles
 * @property {number[]} goal
 * @property {Contestant[]} contestants
 * @property {{ seconds: number, nodes?: number, mebibytes?: number, maxDepth?: number }} limits
 * @property {'expansions' | 'time'} fair
 * @property {boolean} averages Whether the race is over many scrambles rather than this board.
 * @property {number} count
 * @property {number} seed
 * @property {string} tab
 * @property {number} chosen The contestant that is stepped through.
 * @property {number} beside The one that is shown beside it, or -1.
 */

export const ALGORITHMS = ['bfs', 'bidirectional', 'dijkstra', 'greedy', 'astar', 'wastar', 'ida', 'dfs', 'iddfs', 'bfs-tree', 'dfs-tree', 'auto'];
export const HEURISTICS = ['misplaced', 'euclidean', 'manhattan', 'linear-conflict', 'walking-distance', 'pattern'];
export const GUIDED = new Set(['greedy', 'astar', 'wastar', 'ida']);
export const BOUNDED = new Set(['dfs', 'dfs-tree']);
/** Heuristics that hold only where no row or column wraps around. */
const PLAIN_ONLY = new Set(['euclidean', 'linear-conflict', 'walking-distance']);
export const TABS = ['race', 'step', 'why'];
export const MOST_CONTESTANTS = 8;
export const MOST_SCRAMBLES = 1000;
export const USUAL_WEIGHT = 2;
const USUAL_SECONDS = 20;
const MOST_SECONDS = 60;

/** @returns {Setup} */
const usual = () => ({
  rows: 3, cols: 3, wrapRows: [], wrapCols: [], tiles: [8, 6, 7, 2, 5, 4, 3, 0, 1], goal: whole(3, 3, 8),
  contestants: [{ algorithm: 'bfs' }, { algorithm: 'bidirectional' }, { algorithm: 'astar', heuristic: 'manhattan' }, { algorithm: 'astar', heuristic: 'linear-conflict' }, { algorithm: 'wastar', heuristic: 'manhattan', weight: 5 }, { algorithm: 'ida', heuristic: 'linear-conflict' }],
  limits: { seconds: USUAL_SECONDS }, fair: 'expansions', averages: false, count: 50, seed: 1, tab: 'race', chosen: 3, beside: -1,
});

/** @type {Setup} */
let now = usual();
const listeners = new Set();

export const setup = () => now;

/** Changes some of it. `what` tells listeners what they may have to do about it. @param {Partial<Setup>} patch */
export function change(patch) {
  now = { ...now, ...patch };
  const changed = new Set(Object.keys(patch));
  // What does not hold on a board is not asked there.
  if (now.contestants.some(({ heuristic }) => heuristic && !holds(heuristic))) {
    now = { ...now, contestants: now.contestants.map((one) => (one.heuristic && !holds(one.heuristic) ? { ...one, heuristic: 'manhattan' } : one)) };
    changed.add('contestants');
  }
  if (changed.has('contestants')) now = { ...now, chosen: Math.min(now.chosen, now.contestants.length - 1), beside: now.beside >= now.contestants.length ? -1 : now.beside };
  listeners.forEach((callback) => callback(changed));
}

/** Calls back after each change with the names of what changed. @param {(changed: Set<string>) => void} callback */
export const onChange = (callback) => { listeners.add(callback); };

/** Whether any of these has changed. */
export const among = (changed, ...names) => names.some((name) => changed.has(name));

/** The board's shape. */
export const boardOf = ({ rows, cols, wrapRows, wrapCols } = now) => shape(rows, cols, wrapRows, wrapCols);

/** The problem as the engine takes it. */
export const problem = () => ({ rows: now.rows, cols: now.cols, tiles: now.tiles, goal: now.goal, wrap_rows: now.wrapRows, wrap_cols: now.wrapCols });

/** The limits as the engine takes them. */
export function limits() {
  const { seconds, nodes, mebibytes, maxDepth } = now.limits;
  return { seconds, ...(nodes && { nodes }), ...(mebibytes && { mebibytes }), ...(maxDepth && { max_depth: maxDepth }) };
}

/** A contestant as the engine takes it. @param {Contestant} one */
export const entry = ({ algorithm, heuristic, weight }) => ({ algorithm, ...(GUIDED.has(algorithm) && heuristic && { heuristic }), ...(algorithm === 'wastar' && { weight: weight ?? USUAL_WEIGHT }) });

/** A contestant's name on the command line. @param {Contestant} one */
export function nameOf(one) {
  const { algorithm, heuristic, weight } = /** @type {any} */ (entry(one));
  return [algorithm, heuristic, weight].filter((part) => part !== undefined).join(':');
}

/** Whether something that guides a search (or a search itself) holds on this board. */
export const holds = (name) => !PLAIN_ONLY.has(name) || (!now.wrapRows.length && !now.wrapCols.length);

/** Another shape: the goal and the start are whole again. */
export function reshape({ rows, cols, wrapRows, wrapCols }) {
  const goal = whole(rows, cols, rows * cols - 1);
  change({ rows, cols, wrapRows, wrapCols, goal, tiles: goal });
}

/** A position's tiles by the cells they belong to, so that the goal is the whole picture; and the blank's own cell. */
export function asGame({ tiles, goal, rows, cols } = now) {
  const blank = goal.indexOf(0);
  const names = whole(rows, cols, blank);
  return { blank, start: tiles.map((tile) => names[goal.indexOf(tile)]) };
}

/** A position given by the cells that tiles belong to, in the goal's own numbers. */
export const inGoal = (start, { goal, rows, cols } = now) => {
  const names = whole(rows, cols, goal.indexOf(0));
  return start.map((tile) => goal[names.indexOf(tile)]);
};

/** Whether every arrangement of this board can be reached. */
export const reachesAll = () => mixesColours(boardOf());

/** Where in its recording a link wants a search to stand; it is asked for once. */
let wantedPlace = 0;
export function takePlace() {
  const place = wantedPlace;
  wantedPlace = 0;
  return place;
}

/** The fragment that carries everything; `place` is where the player stands, for a link that somebody takes. */
export function fragment(place = 0) {
  const { rows, cols, wrapRows, wrapCols, tiles, goal, contestants, limits: bounds, fair, averages, count, seed, tab, chosen, beside } = now;
  return fragmentOf({
    lab: `${rows}x${cols}`, t: tiles, g: goal.join() === whole(rows, cols, rows * cols - 1).join() ? undefined : goal, wr: wrapRows, wc: wrapCols,
    who: contestants.map(nameOf).join(' '), s: bounds.seconds === USUAL_SECONDS ? undefined : bounds.seconds, n: bounds.nodes, m: bounds.mebibytes, d: bounds.maxDepth,
    fair: fair === 'time' ? fair : undefined, avg: averages ? `${count}.${seed}` : undefined, tab, step: chosen || undefined, with: beside >= 0 ? beside : undefined, k: place || undefined,
  });
}

/** Whether a fragment carries a set-up. */
export const carriesSetup = (text) => fieldsOf(text).has('lab');

/** Takes the set-up of a fragment. Throws a RangeError that says what is wrong, and then changes nothing. */
export function take(text) {
  const fields = fieldsOf(text);
  const [rows, cols] = fields.text('lab').split('x').map(Number);
  const [wrapRows, wrapCols] = [fields.numbers('wr'), fields.numbers('wc')];
  shape(rows, cols, wrapRows, wrapCols);
  const arrangement = (name, fallback) => {
    const list = fields.has(name) ? fields.numbers(name) : fallback;
    if (list.length !== rows * cols || [...list].sort((a, b) => a - b).some((tile, i) => tile !== i)) throw new RangeError(`not an arrangement of 0 to ${rows * cols - 1}`);
    return list;
  };
  const goal = arrangement('g', whole(rows, cols, rows * cols - 1));
  const [count, seed] = fields.numbers('avg');
  const contestants = fields.text('who').split(' ').filter(Boolean).slice(0, MOST_CONTESTANTS).map(contestantOf);
  const between = (value, low, high, fallback) => (Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : fallback);
  const tab = fields.text('tab');
  wantedPlace = tab === 'step' ? between(fields.number('k'), 0, Number.MAX_SAFE_INTEGER, 0) : 0;
  change({
    rows, cols, wrapRows, wrapCols, goal, tiles: arrangement('t', goal), contestants: contestants.length ? contestants : usual().contestants,
    limits: { seconds: between(fields.number('s'), 0.1, MOST_SECONDS, USUAL_SECONDS), nodes: fields.number('n', 0) || undefined, mebibytes: fields.number('m', 0) || undefined, maxDepth: fields.number('d', 0) || undefined },
    fair: fields.text('fair') === 'time' ? 'time' : 'expansions', averages: fields.has('avg'), count: between(count, 1, MOST_SCRAMBLES, 50), seed: between(seed, 0, Number.MAX_SAFE_INTEGER, 1),
    tab: TABS.includes(tab) ? tab : 'race', chosen: between(fields.number('step'), 0, Math.max(0, contestants.length - 1), 0), beside: between(fields.number('with'), -1, contestants.length - 1, -1),
  });
}

/** @returns {Contestant} */
function contestantOf(text) {
  const [algorithm, heuristic, weight] = text.split(':');
  if (!ALGORITHMS.includes(algorithm)) throw new RangeError(`no algorithm is called ${algorithm}`);
  if (heuristic && !HEURISTICS.includes(heuristic)) throw new RangeError(`no heuristic is called ${heuristic}`);
  return { algorithm, heuristic, weight: Number(weight) >= 1 ? Number(weight) : undefined };
}
