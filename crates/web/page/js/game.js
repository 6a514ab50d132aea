// One game in progress: scramble, moves in undo steps, clock. Knows the rules, not the page.
// A step is what one undo takes back: a single move, a run of tiles, or a stretch of auto-solve.

import { category } from './scoring.js';
import { misplaced, play, reversed, shape, solvable, solved, step, whole } from './rules.js';
import { ORIGINS, SAVE_VERSION, longRuns, readSave } from './save.js';

/**
 * @typedef {object} Settings
 * @property {number} [rows]
 * @property {number} [cols]
 * @property {number[]} [wrapRows]
 * @property {number[]} [wrapCols]
 * @property {number} [blank]
 * @property {number[] | null} [start] The scramble; whole without one.
 * @property {string} [picture]
 * @property {string} [origin]
 */

export class Game {
  /** @param {Settings} [settings] */
  constructor({ rows = 4, cols = 4, wrapRows = [], wrapCols = [], blank = rows * cols - 1, start = null, picture = 'builtin:dawn', origin = ORIGINS[0] } = {}) {
    this.board = shape(rows, cols, wrapRows, wrapCols);
    this.blank = blank;
    this.start = start ?? whole(rows, cols, blank);
    this.picture = picture;
    /** Where the start comes from: only a uniform scramble made here sets records. */
    this.origin = origin;
    /** Its name in the library and how often it was written there; the library's business: null before it has one. @type {any} */
    this.id = null;
    this.version = 0;
    /** Whether this is a finished game that is only watched: none of the library. */
    this.replay = false;
    /** Whether it takes part in the day's ranking: the page of the day says so. */
    this.ranked = false;
    /** Whether there was help when such a one was played. */
    this.wasHelped = false;
    /** @type {string[]} */
    this.past = [];
    /** @type {string[]} */
    this.future = [];
    this.millis = 0;
    this.helped = false;
    /** Whether its scramble was played before this game began, or was begun anew beside it: not the only go at it. */
    this.restarted = false;
    this.restore();
  }

  get rows() { return this.board.rows; }
  get cols() { return this.board.cols; }
  get moves() { return this.past.join(''); }
  get count() { return this.past.reduce((n, run) => n + run.length, 0); }
  /** How many of the moves are the player's own: a step of theirs goes one way, a stretch of auto-solve turns. */
  get own() { return this.past.reduce((n, run) => n + (/^(.)\1*$/.test(run) ? run.length : 0), 0); }
  get misplaced() { return misplaced(this.tiles, this.blank); }
  get solved() { return solved(this.tiles, this.blank); }
  /** Whether sliding can solve it, which no move changes. */
  get solvable() { return solvable(this.board, this.start, this.blank); }
  /** Nothing shuffled yet: the picture is whole and the player may choose the blank. */
  get fresh() { return solved(this.start, this.blank); }
  /** Whether a move was ever made, taken back or not. */
  get played() { return this.past.length + this.future.length > 0; }
  /** Shuffled and not yet solved: there is something to lose. */
  get running() { return !this.fresh && !this.solved; }
  /** A name for the kind of board, under which records are kept. */
  get category() { return category(this.board); }
  /** The position as text: equal for equal positions of the same board and goal. */
  get key() { return `${this.category}@${this.blank}:${this.tiles.join('.')}`; }
  /** The same of its start: what is known of it is known in every game of it. */
  get scramble() { return `${this.category}@${this.blank}:${this.start.join('.')}`; }

  /** Makes one step of these moves; false, and nothing changed, when one is not legal. @param {string} run */
  make(run) {
    if (!run || !this.#apply(run)) return false;
    this.past.push(run);
    this.future = [];
    return true;
  }

  /** Takes the last step back and returns the moves that did it, or '' when there is none. */
  undo() {
    const run = this.past.pop();
    if (!run) return '';
    this.#apply(reversed(run));
    this.future.push(run);
    return reversed(run);
  }

  redo() {
    const run = this.future.pop();
    if (!run) return '';
    this.#apply(run);
    this.past.push(run);
    return run;
  }

  /** Adds moves to the last step, so that one undo takes all of it back. @param {string} run */
  extend(run) {
    if (!this.past.length) return this.make(run);
    if (!this.#apply(run)) return false;
    this.past.push(this.past.pop() + run);
    return true;
  }

  /** Takes so many moves off the last step; returns the moves that did it. @param {number} count */
  shorten(count) {
    const run = this.past.pop() ?? '';
    const back = reversed(run.slice(run.length - count));
    this.#apply(back);
    if (run.length > count) this.past.push(run.slice(0, run.length - count));
    return back;
  }

  /** The same scramble from its beginning. What was helped stays so: the solution has been seen. */
  fromStart() {
    const { rows, cols, wrapRows, wrapCols } = this.board;
    const again = new Game({ rows, cols, wrapRows, wrapCols, blank: this.blank, start: this.start, picture: this.picture, origin: this.origin });
    return Object.assign(again, { helped: this.helped, restarted: this.restarted || this.played });
  }

  restore() {
    /** The position, an array of tiles, and the blank's cell below. @type {any} */
    this.tiles = play(this.board, this.start, this.moves);
    if (!this.tiles) throw new RangeError('the moves of this game are not legal');
    /** @type {any} */
    this.hole = this.tiles.indexOf(0);
  }

  #apply(/** @type {string} */ run) {
    const tiles = [...this.tiles];
    let hole = this.hole;
    for (const direction of run) {
      hole = step(this.board, tiles, hole, direction);
      if (hole < 0) return false;
    }
    this.tiles = tiles;
    this.hole = hole;
    return true;
  }

  toSave() {
    const { rows, cols, wrapRows, wrapCols } = this.board;
    const redo = [...this.future].reverse();
    return {
      version: SAVE_VERSION,
      rows,
      cols,
      wrap_rows: wrapRows,
      wrap_cols: wrapCols,
      blank: this.blank,
      start: [...this.start],
      moves: this.moves,
      redo: redo.join(''),
      runs: longRuns([...this.past, ...redo]),
      millis: Math.round(this.millis),
      helped: this.helped,
      ...(this.restarted ? { restarted: true } : {}),
      picture: this.picture,
      ...(this.origin === ORIGINS[0] ? {} : { origin: this.origin }),
    };
  }

  /** A game from what was saved. Throws a SaveError that says what is wrong with it. @param {any} save */
  static fromSave(save) {
    const { past, ahead } = readSave(save);
    const { rows, cols, wrap_rows: wrapRows, wrap_cols: wrapCols, blank, start, picture, origin } = save;
    const game = new Game({ rows, cols, wrapRows, wrapCols, blank, start, picture, origin });
    game.past = past;
    game.future = ahead.reverse();
    game.millis = save.millis;
    Object.assign(game, { helped: save.helped === true, restarted: save.restarted === true });
    game.restore();
    return game;
  }
}
