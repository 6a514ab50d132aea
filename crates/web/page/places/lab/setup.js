// The set-up: the board and its goal, the contestants, and the limits. One object that all parts
// follow; a link carries all of it.

import { shape, whole } from '../../js/rules.js';
import { tellAll } from '../../js/tell.js';
import { fieldsOf, fragmentOf } from '../../trace/link.js';
import { USUAL_WEIGHT, withMarks } from '../../trace/identity.js';
import { GUIDED, PLAIN_ONLY, USUAL_SECONDS, readLink, usualGuide } from './values.js';

/**
 * @typedef {object} Contestant
 * @property {string} algorithm
 * @property {string} [heuristic]
 * @property {number} [weight]
 * @property {number} [mark] The number of its colour and shape; every contestant of the set-up has one.
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

/** @returns {Setup} */
const usual = () => ({
  rows: 3, cols: 3, wrapRows: [], wrapCols: [], tiles: [8, 6, 7, 2, 5, 4, 3, 0, 1], goal: whole(3, 3, 8),
  contestants: [{ algorithm: 'bfs' }, { algorithm: 'bidirectional' }, { algorithm: 'astar', heuristic: 'manhattan' }, { algorithm: 'astar', heuristic: 'linear-conflict' }, { algorithm: 'wastar', heuristic: 'manhattan', weight: 5 }, { algorithm: 'ida', heuristic: 'linear-conflict' }],
  limits: { seconds: USUAL_SECONDS }, fair: 'expansions', averages: false, count: 50, seed: 1, tab: 'race', chosen: 3, beside: -1,
});

/** Where there is no room for three zones: the middle is there, and the others come in sheets. */
export const NARROW = matchMedia('(max-width: 1099px)');

/** @type {Setup} */
let now = { ...usual(), contestants: withMarks(usual().contestants) };
const listeners = new Set();

export const setup = () => now;

/** Changes some of it. `what` tells listeners what they may have to do about it. @param {Partial<Setup>} patch */
export function change(patch) {
  now = { ...now, ...patch };
  const changed = new Set(Object.keys(patch));
  // A heuristic that does not apply to the board becomes Manhattan.
  if (now.contestants.some(({ heuristic }) => heuristic && !holds(heuristic))) {
    now = { ...now, contestants: now.contestants.map((one) => (one.heuristic && !holds(one.heuristic) ? { ...one, heuristic: 'manhattan' } : one)) };
    changed.add('contestants');
  }
  if (changed.has('contestants')) now = { ...now, contestants: withMarks(now.contestants), chosen: Math.min(now.chosen, now.contestants.length - 1), beside: now.beside >= now.contestants.length ? -1 : now.beside };
  tellAll(listeners, changed);
}

/** Calls back after each change with the names of what changed. @param {(changed: Set<string>) => void} callback */
export const onChange = (callback) => { listeners.add(callback); };

/** Whether any of these has changed. */
export const among = (/** @type {Set<string>} */ changed, /** @type {string[]} */ ...names) => names.some((name) => changed.has(name));
/** The parts of a board: if any changes, it is another board. */
export const BOARD = ['tiles', 'goal', 'rows', 'cols', 'wrapRows', 'wrapCols'];

export const boardOf = ({ rows, cols, wrapRows, wrapCols } = now) => shape(rows, cols, wrapRows, wrapCols);

export const problem = () => ({ rows: now.rows, cols: now.cols, tiles: now.tiles, goal: now.goal, wrap_rows: now.wrapRows, wrap_cols: now.wrapCols });

export function limits() {
  const { seconds, nodes, mebibytes, maxDepth } = now.limits;
  return { seconds, ...(nodes && { nodes }), ...(mebibytes && { mebibytes }), ...(maxDepth && { max_depth: maxDepth }) };
}

/** A contestant as the engine takes it: whoever is guided says by what, so that what is shown is what runs. @param {any} one */
export const entry = ({ algorithm, heuristic, weight }) => ({ algorithm, ...(GUIDED.has(algorithm) && { heuristic: heuristic ?? usualGuide(now) }), ...(algorithm === 'wastar' && { weight: weight ?? USUAL_WEIGHT }) });

/** A contestant's name on the command line. @param {Contestant} one */
export function nameOf(one) {
  const { algorithm, heuristic, weight } = /** @type {any} */ (entry(one));
  return [algorithm, heuristic, weight].filter((part) => part !== undefined).join(':');
}

/** Whether something that guides a search (or a search itself) holds on this board. @param {string} name */
export const holds = (name) => !PLAIN_ONLY.has(name) || (!now.wrapRows.length && !now.wrapCols.length);

/** Another shape: the goal and the start are whole again. */
export function reshape(/** @type {{ rows: number, cols: number, wrapRows: any, wrapCols: any }} */ { rows, cols, wrapRows, wrapCols }) {
  const goal = whole(rows, cols, rows * cols - 1);
  change({ rows, cols, wrapRows, wrapCols, goal, tiles: goal });
}

/** A position's tiles by the cells they belong to, so that the goal is the whole picture; and the blank's own cell. @param {Pick<Setup, 'tiles' | 'goal' | 'rows' | 'cols'>} [given] */
export function asGame({ tiles, goal, rows, cols } = now) {
  const blank = goal.indexOf(0);
  const names = whole(rows, cols, blank);
  return { blank, start: tiles.map((tile) => names[goal.indexOf(tile)]) };
}

/** A position given by the cells that tiles belong to, in the goal's own numbers. */
export const inGoal = (/** @type {any} */ start, { goal, rows, cols } = now) => {
  const names = whole(rows, cols, goal.indexOf(0));
  return start.map((/** @type {number} */ tile) => goal[names.indexOf(tile)]);
};

/** The position in the recording that a link asks for; it is used once. */
let wantedPlace = 0;
export function takePlace() {
  const place = wantedPlace;
  wantedPlace = 0;
  return place;
}

/** The fragment that carries everything; `place` is where the player stands and `shown` the tab, for a link that somebody takes. */
export function fragment(place = 0, shown = now.tab) {
  const { rows, cols, wrapRows, wrapCols, tiles, goal, contestants, limits: bounds, fair, averages, count, seed, chosen, beside } = now;
  return fragmentOf({
    lab: `${rows}x${cols}`, t: tiles, g: goal.join() === whole(rows, cols, rows * cols - 1).join() ? undefined : goal, wr: wrapRows, wc: wrapCols,
    who: contestants.map(nameOf).join(' '), s: bounds.seconds === USUAL_SECONDS ? undefined : bounds.seconds, n: bounds.nodes, m: bounds.mebibytes, d: bounds.maxDepth,
    fair: fair === 'time' ? fair : undefined, avg: averages ? `${count}.${seed}` : undefined, tab: shown, step: chosen || undefined, with: beside >= 0 ? beside : undefined, k: place || undefined,
  });
}

/** Whether a fragment carries a set-up. @param {string} text */
export const carriesSetup = (text) => fieldsOf(text).has('lab');

/** Takes the set-up of a fragment. Throws a RangeError that says what is wrong, and then changes nothing. @param {string} text */
export function take(text) {
  const { place = 0, contestants = usual().contestants, limits: bounds, count = usual().count, seed = usual().seed, fair = usual().fair, tab = usual().tab, chosen = 0, beside = -1, ...board } = readLink(text);
  wantedPlace = tab === 'step' ? place : 0;
  change({ ...board, contestants, limits: { ...bounds, seconds: bounds.seconds ?? USUAL_SECONDS }, count, seed, fair: /** @type {Setup['fair']} */ (fair), tab, chosen, beside });
}
