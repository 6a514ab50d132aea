// The lessons: small boards from a given start, each with one thing to do. Solving goes by rows from the top; the last
// two rows go by columns from the left, until four cells are left, which only turn.

import { pref, setPref } from '../js/prefs.js';
import { DIRECTIONS, home, neighbour, step as slide } from '../js/rules.js';

/** The tiles that must be at home for a step to be done: cells of the whole board. @param {number} rows @param {number} cols */
const all = (rows, cols) => Array.from({ length: rows * cols }, (_, cell) => cell);

/**
 * @typedef {object} Step
 * @property {string} name Its words are `lesson.NAME`.
 * @property {number} rows
 * @property {number} cols
 * @property {number[]} start
 * @property {number[]} goal The cells that must hold their own tiles.
 */

/** @type {Step[]} */
export const STEPS = [
  { name: 'slide', rows: 2, cols: 2, start: [1, 2, 0, 3], goal: all(2, 2) },
  { name: 'turn', rows: 2, cols: 2, start: [3, 1, 0, 2], goal: all(2, 2) },
  { name: 'column', rows: 2, cols: 3, start: [0, 5, 2, 1, 4, 3], goal: [0, 3] },
  { name: 'rest', rows: 2, cols: 3, start: [1, 5, 2, 4, 0, 3], goal: all(2, 3) },
  { name: 'both', rows: 2, cols: 3, start: [4, 1, 3, 2, 5, 0], goal: all(2, 3) },
  { name: 'corner', rows: 3, cols: 3, start: [2, 3, 6, 0, 1, 5, 4, 7, 8], goal: [0] },
  { name: 'pair', rows: 3, cols: 3, start: [1, 0, 2, 4, 5, 3, 7, 8, 6], goal: [0, 1, 2] },
  { name: 'bring', rows: 3, cols: 3, start: [1, 4, 2, 5, 0, 6, 7, 8, 3], goal: [0, 1, 2] },
  { name: 'left', rows: 3, cols: 3, start: [1, 2, 3, 0, 5, 6, 4, 7, 8], goal: [0, 1, 2, 3, 6] },
  { name: 'four', rows: 3, cols: 3, start: [1, 2, 3, 4, 8, 5, 7, 0, 6], goal: all(3, 3) },
  { name: 'alone', rows: 3, cols: 3, start: [2, 7, 3, 8, 0, 5, 4, 1, 6], goal: all(3, 3) },
];

/** The names of the lessons that were done, not skipped. @returns {string[]} */
export function learnt() {
  const names = pref('lessons', { anew: true });
  return STEPS.map(({ name }) => name).filter((name) => Array.isArray(names) && names.includes(name));
}

export const noteLearnt = (/** @type {Step} */ { name }) => setPref('lessons', [...new Set([...learnt(), name])]);

export const forgetLearnt = () => setPref('lessons', []);

/** More positions than 3×3 has, half of which can be reached. */
const MOST = 200_000;

/** Whether the cells of a step's goal hold their own tiles. @param {number[]} goal @param {number[]} tiles @param {number} blank */
export const isDone = (goal, tiles, blank) => goal.every((cell) => home(tiles[cell], blank) === cell);

/** The fewest moves of the blank that do a step from a position; null when there are none. @param {import('../js/rules.js').Shape} board @param {number[]} tiles @param {number[]} goal @param {number} blank */
export function wayTo(board, tiles, goal, blank) {
  const seen = new Set([tiles.join()]);
  const queue = [{ tiles, hole: tiles.indexOf(0), moves: '' }];
  for (const at of queue) {
    if (isDone(goal, at.tiles, blank)) return at.moves;
    if (seen.size > MOST) return null;
    for (const direction of DIRECTIONS) {
      if (neighbour(board, at.hole, direction) < 0) continue;
      const next = [...at.tiles];
      const hole = slide(board, next, at.hole, direction);
      if (seen.has(next.join())) continue;
      seen.add(next.join());
      queue.push({ tiles: next, hole, moves: at.moves + direction });
    }
  }
  return null;
}
