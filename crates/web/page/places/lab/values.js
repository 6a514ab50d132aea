// Names of the Lab's values and ranges of its numbers, the same on its cards and in its links; every value of a link
// is checked here, and what is wrong is said with what was found and what is expected.

import { t } from '../../js/i18n.js';
import { MAX_SIDE, MIN_SIDE, whole, wraps } from '../../js/rules.js';
import { MOST_WEIGHT } from '../../trace/identity.js';
import { fieldsOf } from '../../trace/link.js';

export const ALGORITHMS = ['bfs', 'bidirectional', 'dijkstra', 'greedy', 'astar', 'wastar', 'ida', 'dfs', 'iddfs', 'bfs-tree', 'dfs-tree', 'auto'];
export const HEURISTICS = ['misplaced', 'euclidean', 'manhattan', 'linear-conflict', 'walking-distance', 'pattern'];
export const GUIDED = new Set(['greedy', 'astar', 'wastar', 'ida']);
export const BOUNDED = new Set(['dfs', 'dfs-tree']);
/** Heuristics that hold only where no row or column wraps around. */
export const PLAIN_ONLY = new Set(['euclidean', 'linear-conflict', 'walking-distance']);
export const TABS = ['race', 'step', 'why'];
const FAIR = ['expansions', 'time'];
export const MOST_CONTESTANTS = 8;
export const MOST_SCRAMBLES = 1000;
export const USUAL_SECONDS = 20;
export const LEAST_SECONDS = 0.1;
export const MOST_SECONDS = 60;
export const MOST_DEPTH = 1000;
/** The default depth bound of depth-first search: the engine's. */
export const USUAL_DEPTH = 50;

/** The default heuristic on a board: the engine's. @param {{ wrapRows: number[], wrapCols: number[] }} board */
export const usualGuide = (board) => (wraps(board) ? 'manhattan' : 'linear-conflict');

/** Throws what is wrong with a value, in the reader's language, and how to say it in another (`say`). @param {string} field @param {string} found @param {string} expected @param {{ list?: string[], [name: string]: any }} [values] @returns {never} */
function refuse(field, found, expected, { list, ...values } = {}) {
  const say = () => t('lab.link.wrong', { field, found, expected: t(`lab.expect.${expected}`, { ...values, list: list?.join(t('trace.list')) }) });
  throw Object.assign(new RangeError(say()), { say });
}

const isWhole = (/** @type {any} */ text) => /^\d+$/.test(text) && Number.isSafeInteger(Number(text));
const isNumber = (/** @type {string} */ text) => /^\d*\.?\d+$/.test(text) && Number.isFinite(Number(text));

/**
 * What a link sets up; what it leaves out is undefined. Throws a RangeError that says what is wrong.
 * @param {string} fragment
 */
export function readLink(fragment) {
  const fields = fieldsOf(fragment);
  const given = (/** @type {string} */ field, /** @type {any} */ read) => (fields.text(field) ? read(field, fields.text(field)) : undefined);
  const from = (/** @type {number} */ least, /** @type {number} */ most, /** @type {string} */ expected) => (/** @type {string} */ field, /** @type {string} */ text) => (isWhole(text) && Number(text) >= least && Number(text) <= most ? Number(text) : refuse(field, text, expected, { least, most }));
  const upward = (/** @type {number} */ least) => from(least, Number.MAX_SAFE_INTEGER, 'wholeFrom');
  const oneOf = (/** @type {any} */ list) => (/** @type {string} */ field, /** @type {string} */ text) => (list.includes(text) ? text : refuse(field, text, 'oneOf', { list }));
  const board = boardIn(fields);
  const contestants = given('who', (/** @type {any} */ _, /** @type {string} */ text) => contestantsIn(text, board));
  const number = from(0, (contestants?.length ?? 1) - 1, 'whole');
  return {
    ...board, contestants, averages: fields.has('avg'), ...given('avg', averageIn),
    limits: { seconds: given('s', secondsIn), nodes: given('n', upward(1)), mebibytes: given('m', (/** @type {string} */ field, /** @type {string} */ text) => (isNumber(text) && Number(text) > 0 ? Number(text) : refuse(field, text, 'above'))), maxDepth: given('d', from(1, MOST_DEPTH, 'whole')) },
    fair: given('fair', oneOf(FAIR)), tab: given('tab', oneOf(TABS)), chosen: given('step', number), beside: given('with', number), place: given('k', upward(0)),
  };
}

const secondsIn = (/** @type {string} */ field, /** @type {string} */ text) => (isNumber(text) && Number(text) >= LEAST_SECONDS && Number(text) <= MOST_SECONDS ? Number(text) : refuse(field, text, 'number', { least: LEAST_SECONDS, most: MOST_SECONDS }));

/** The board: its sides, what wraps, the goal and the start. @param {any} fields */
function boardIn(fields) {
  const sides = fields.text('lab').split('x');
  const [rows, cols] = sides.map(Number);
  if (sides.length !== 2 || ![...sides].every((side) => isWhole(side) && Number(side) >= MIN_SIDE && Number(side) <= MAX_SIDE)) refuse('lab', fields.text('lab'), 'size', { least: MIN_SIDE, most: MAX_SIDE });
  const lines = (/** @type {string} */ field, /** @type {number} */ count, /** @type {number} */ across) => {
    const list = fields.list(field);
    if (list.length && (across < 3 || !list.every((/** @type {number} */ line) => isWhole(line) && Number(line) < count) || new Set(list).size < list.length)) refuse(field, fields.text(field), field, { most: count - 1 });
    return list.map(Number).sort((/** @type {number} */ a, /** @type {number} */ b) => a - b);
  };
  const arrangement = (/** @type {string} */ field, /** @type {number[]} */ usual) => {
    if (!fields.has(field)) return usual;
    const list = fields.list(field);
    if (list.length !== rows * cols || !list.every(isWhole) || new Set(list.map(Number)).size < list.length || list.some((/** @type {number} */ tile) => Number(tile) >= list.length)) refuse(field, fields.text(field), 'tiles', { most: rows * cols - 1 });
    return list.map(Number);
  };
  const [wrapRows, wrapCols] = [lines('wr', rows, cols), lines('wc', cols, rows)];
  const goal = arrangement('g', whole(rows, cols, rows * cols - 1));
  return { rows, cols, wrapRows, wrapCols, goal, tiles: arrangement('t', goal) };
}

/** An average's number of boards and seed. @param {string} field @param {string} text */
function averageIn(field, text) {
  const [count, seed, ...more] = text.split('.');
  if (more.length || !isWhole(count) || !isWhole(seed ?? '') || Number(count) < 1 || Number(count) > MOST_SCRAMBLES) refuse(field, text, 'average', { most: MOST_SCRAMBLES });
  return { count: Number(count), seed: Number(seed) };
}

function contestantsIn(/** @type {string} */ text, /** @type {{ rows: any, cols: any, wrapRows: any, wrapCols: any, goal: any, tiles: any }} */ board) {
  const names = text.split(' ').filter(Boolean);
  if (!names.length || names.length > MOST_CONTESTANTS) refuse('who', String(names.length), 'contestants', { most: MOST_CONTESTANTS });
  return names.map((name) => contestantIn(name, board));
}

/** A contestant by its name on the command line; what the name leaves out is what the engine would take. @returns {import('./setup.js').Contestant} @param {string} name @param {{ wrapRows: number[], wrapCols: number[] }} board */
function contestantIn(name, board) {
  const [algorithm, heuristic, weight, ...more] = name.split(':');
  if (!ALGORITHMS.includes(algorithm)) refuse('who', name, 'oneOf', { list: ALGORITHMS });
  if (heuristic !== undefined && !GUIDED.has(algorithm)) refuse('who', name, 'unguided', { algorithm });
  if (heuristic !== undefined && !HEURISTICS.includes(heuristic)) refuse('who', name, 'heuristic', { list: HEURISTICS });
  if (more.length || (weight !== undefined && algorithm !== 'wastar')) refuse('who', name, 'unweighted', { algorithm });
  if (weight !== undefined && !(isNumber(weight) && Number(weight) >= 1 && Number(weight) <= MOST_WEIGHT)) refuse('who', name, 'weight', { most: MOST_WEIGHT });
  if (!GUIDED.has(algorithm)) return { algorithm };
  return { algorithm, heuristic: heuristic ?? usualGuide(board), ...(weight !== undefined && { weight: Number(weight) }) };
}
