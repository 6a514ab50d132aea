// One game in progress: scramble, moves in undo steps, clock. Knows the rules, not the page.
// A step is what one undo takes back: a single move, a run of tiles, or a stretch of auto-solve.

import { misplaced, play, reversed, shape, solved, step, whole } from './rules.js';

export const SAVE_VERSION = 1;

export class Game {
  constructor({ rows = 4, cols = 4, wrapRows = [], wrapCols = [], blank = rows * cols - 1, start = null, picture = 'builtin:dawn' } = {}) {
    this.board = shape(rows, cols, wrapRows, wrapCols);
    this.blank = blank;
    this.start = start ?? whole(rows, cols, blank);
    this.picture = picture;
    this.past = [];
    this.future = [];
    this.millis = 0;
    this.helped = false;
    this.restore();
  }

  get rows() { return this.board.rows; }
  get cols() { return this.board.cols; }
  get moves() { return this.past.join(''); }
  get count() { return this.past.reduce((n, run) => n + run.length, 0); }
  get misplaced() { return misplaced(this.tiles, this.blank); }
  get solved() { return solved(this.tiles, this.blank); }
  /** Nothing shuffled yet: the picture is whole and the player may choose the blank. */
  get fresh() { return solved(this.start, this.blank); }
  /** Shuffled and not yet solved: there is something to lose. */
  get running() { return !this.fresh && !this.solved; }
  /** A name for the kind of board, under which records are kept. */
  get category() {
    const { rows, cols, wrapRows, wrapCols } = this.board;
    const wraps = wrapRows.length || wrapCols.length ? `+${wrapRows.join('.')}|${wrapCols.join('.')}` : '';
    return `${rows}x${cols}${wraps}`;
  }
  /** The position as text: equal for equal positions of the same board and goal. */
  get key() { return `${this.category}@${this.blank}:${this.tiles.join('.')}`; }

  /** Makes one step of these moves; false, and nothing changed, when one is not legal. */
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

  /** Makes the step again that was undone last. */
  redo() {
    const run = this.future.pop();
    if (!run) return '';
    this.#apply(run);
    this.past.push(run);
    return run;
  }

  /** Adds moves to the last step, so that one undo takes all of it back. */
  extend(run) {
    if (!this.past.length) return this.make(run);
    if (!this.#apply(run)) return false;
    this.past.push(this.past.pop() + run);
    return true;
  }

  /** Takes so many moves off the last step; returns the moves that did it. */
  shorten(count) {
    const run = this.past.pop() ?? '';
    const back = reversed(run.slice(run.length - count));
    this.#apply(back);
    if (run.length > count) this.past.push(run.slice(0, run.length - count));
    return back;
  }

  /** The same scramble from its beginning. What was helped stays so: the solution has been seen. */
  restarted() {
    const { rows, cols, wrapRows, wrapCols } = this.board;
    const again = new Game({ rows, cols, wrapRows, wrapCols, blank: this.blank, start: this.start, picture: this.picture });
    again.helped = this.helped;
    return again;
  }

  restore() {
    this.tiles = play(this.board, this.start, this.moves);
    if (!this.tiles) throw new RangeError('the moves of this game are not legal');
    this.hole = this.tiles.indexOf(0);
  }

  #apply(run) {
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

  /** The game as it is saved. */
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
      picture: this.picture,
    };
  }

  /** A game from what was saved. Throws a RangeError that says what is wrong with it. */
  static fromSave(save) {
    checkSave(save);
    const game = new Game({ rows: save.rows, cols: save.cols, wrapRows: save.wrap_rows, wrapCols: save.wrap_cols, blank: save.blank, start: save.start, picture: save.picture });
    const redo = save.redo ?? '';
    const steps = split(save.moves + redo, save.runs ?? [], save.moves.length);
    game.past = steps.past;
    game.future = steps.ahead.reverse();
    game.millis = save.millis;
    game.helped = save.helped === true;
    game.restore();
    if (!play(game.board, game.tiles, redo)) throw new RangeError('the moves to redo are not legal');
    return game;
  }
}

function checkSave(save) {
  if (!save || typeof save !== 'object') throw new RangeError('not a game');
  if (save.version !== SAVE_VERSION) throw new RangeError(`version ${save.version}, expected ${SAVE_VERSION}`);
  const board = shape(save.rows, save.cols, save.wrap_rows ?? [], save.wrap_cols ?? []);
  const cells = board.rows * board.cols;
  const tiles = Array.isArray(save.start) ? save.start : [];
  if ([...tiles].sort((a, b) => a - b).some((tile, i) => tile !== i) || tiles.length !== cells) throw new RangeError(`the start is not an arrangement of 0 to ${cells - 1}`);
  if (!Number.isInteger(save.blank) || save.blank < 0 || save.blank >= cells) throw new RangeError('the blank is not on the board');
  if (!/^[UDLR]*$/.test(save.moves) || !/^[UDLR]*$/.test(save.redo ?? '')) throw new RangeError('moves are U, D, L and R');
  if (!(save.millis >= 0) || typeof save.picture !== 'string') throw new RangeError('a field of the game is missing');
}

/** The steps of more than one move: the index of the first and how many. */
function longRuns(steps) {
  const runs = [];
  let at = 0;
  for (const { length } of steps) {
    if (length > 1) runs.push([at, length]);
    at += length;
  }
  return runs;
}

/** Cuts moves into undo steps, the first `done` moves into those that are done. */
function split(moves, runs, done) {
  const lengths = new Map(runs);
  const past = [];
  const ahead = [];
  for (let at = 0; at < moves.length;) {
    const length = lengths.get(at) ?? 1;
    const run = moves.slice(at, at + length);
    if (run.length !== length || length < 1 || (at < done && at + length > done)) throw new RangeError('the runs do not fit the moves');
    (at < done ? past : ahead).push(run);
    at += length;
  }
  return { past, ahead };
}
