// The format in which games are saved: what it must hold, and how moves are cut into undo steps. The golden
// vectors (`crates/game/golden/records.json`) say what is refused, here and in Rust.

import { play, shape } from './rules.js';

export const SAVE_VERSION = 1;

/** Where a game's start comes from; the first is the only one that sets records, and is left out of a save. */
export const ORIGINS = ['scramble', 'walk', 'link', 'file', 'lab', 'daily'];

/**
 * A game as it is saved.
 * @typedef {{ version: number, rows: number, cols: number, wrap_rows: number[], wrap_cols: number[], blank: number, start: number[], moves: string, redo?: string,
 *   runs?: number[][], millis: number, helped?: boolean, restarted?: boolean, picture: string, origin?: string }} Save
 */
/** The longest time that a game can have taken. */
export const MOST_MILLIS = 2 ** 42;
const FIELDS = new Set(['version', 'rows', 'cols', 'wrap_rows', 'wrap_cols', 'blank', 'start', 'moves', 'redo', 'runs', 'millis', 'helped', 'restarted', 'picture', 'origin']);

/** A save that is refused; `code` is the server's. */
export class SaveError extends RangeError {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const bad = (/** @type {string} */ message) => { throw new SaveError('bad-field', message); };
const illegal = (/** @type {string} */ message) => { throw new SaveError('illegal-move', message); };

/**
 * Checks a save and cuts its moves into steps. Throws a SaveError that says what is wrong with it. @param {any} save
 * @returns {{ board: import('./rules.js').Shape, past: string[], ahead: string[] }}
 */
export function readSave(save) {
  if (!save || typeof save !== 'object') bad('not a game');
  if (!Number.isInteger(save.version)) bad('it names no version');
  if (save.version !== SAVE_VERSION) throw new SaveError('save-version', `version ${save.version}, expected ${SAVE_VERSION}`);
  for (const name of Object.keys(save)) if (!FIELDS.has(name)) bad(`an unknown field “${name}”`);
  checkFields(save);
  const board = checkBoard(save);
  const redo = save.redo ?? '';
  for (const moves of [save.moves, redo]) if (!/^[UDLR]*$/.test(moves)) illegal('moves are U, D, L and R');
  if (!play(board, save.start, save.moves + redo)) illegal('the moves of this game are not legal');
  return { board, ...split(save.moves + redo, save.runs ?? [], save.moves.length) };
}

function checkFields(/** @type {any} */ { moves, redo = '', millis, helped = false, restarted = false, picture, origin = ORIGINS[0] }) {
  if (typeof moves !== 'string' || typeof redo !== 'string') bad('the moves are no text');
  if (!Number.isInteger(millis) || millis < 0 || millis > MOST_MILLIS) bad('the time is no number of milliseconds');
  if (typeof helped !== 'boolean' || typeof restarted !== 'boolean') bad('“helped” or “restarted” is neither true nor false');
  if (typeof picture !== 'string' || !/^(builtin:)?[\w-]{1,64}$/.test(picture)) bad('the picture is no name');
  if (!ORIGINS.includes(origin)) bad(`an unknown origin “${origin}”`);
}

function checkBoard(/** @type {any} */ { rows, cols, wrap_rows: wrapRows = [], wrap_cols: wrapCols = [], blank, start }) {
  /** @type {any} */ let board;
  try {
    board = shape(rows, cols, wrapRows, wrapCols);
  } catch (error) {
    bad(error.message);
  }
  const cells = rows * cols;
  const tiles = Array.isArray(start) ? start : [];
  if (tiles.length !== cells || [...tiles].sort((a, b) => a - b).some((tile, i) => tile !== i)) bad(`the start is not an arrangement of 0 to ${cells - 1}`);
  if (!Number.isInteger(blank) || blank < 0 || blank >= cells) bad('the blank is not on the board');
  return board;
}

/** The steps of more than one move: the index of the first and how many. @param {string[]} steps */
export function longRuns(steps) {
  const runs = [];
  let at = 0;
  for (const { length } of steps) {
    if (length > 1) runs.push([at, length]);
    at += length;
  }
  return runs;
}

/** Cuts moves into undo steps, the first `done` moves into those that are done. @param {string} moves @param {any} runs @param {number} done */
function split(moves, runs, done) {
  if (!Array.isArray(runs) || runs.some((run) => !Array.isArray(run) || run.length !== 2 || !(run[1] > 1))) bad('the runs are no pairs');
  const lengths = new Map(runs);
  /** @type {string[]} */ const past = [];
  /** @type {string[]} */ const ahead = [];
  let used = 0;
  for (let at = 0; at < moves.length;) {
    const length = lengths.get(at) ?? 1;
    used += lengths.has(at) ? 1 : 0;
    const run = moves.slice(at, at + length);
    if (run.length !== length || (at < done && at + length > done)) bad('the runs do not fit the moves');
    (at < done ? past : ahead).push(run);
    at += length;
  }
  if (used !== runs.length) bad('the runs do not fit the moves');
  return { past, ahead };
}
