// One board being played: where it began, which moves were made, and the solution that is known. Pure.

import { misplaced, play, reversed, shape, solvable, solved, tidy } from '../js/rules.js';

export class Play {
  /** @param {{ rows: number, cols: number, blank: number, tiles: number[], solution?: string }} setup `blank` is the cell where the blank belongs, `solution` a recorded solution of the start. */
  constructor({ rows, cols, blank, tiles, solution = '' }) {
    this.board = shape(rows, cols);
    this.blank = blank;
    this.start = tiles;
    this.tiles = [...tiles];
    /** The moves made since the start. */
    this.made = '';
    this.recorded = solution;
    /** Moves from the start that solve it, found when so many of them were made. */
    this.found = { moves: '', after: 0 };
  }

  get rows() { return this.board.rows; }
  get cols() { return this.board.cols; }
  get hole() { return this.tiles.indexOf(0); }
  get fresh() { return false; }
  get solved() { return solved(this.tiles, this.blank); }
  get running() { return !this.solved; }
  get solvable() { return solvable(this.board, this.tiles, this.blank); }
  get misplaced() { return misplaced(this.tiles, this.blank); }

  /** Makes moves; false, and nothing changed, when one is not legal. @param {string} moves */
  make(moves) {
    const tiles = play(this.board, this.tiles, moves);
    if (!tiles) return false;
    this.tiles = tiles;
    this.made += moves;
    return true;
  }

  takeBack(count = 1) {
    this.made = this.made.slice(0, Math.max(0, this.made.length - count));
    this.tiles = play(this.board, this.start, this.made);
  }

  /** The moves of a known solution that are left; '' when none is known. The recorded one is from wherever the player has gone: it begins with the way back then. */
  get ahead() {
    if (this.recorded) return tidy(reversed(this.made) + this.recorded);
    const { moves, after } = this.found;
    return this.made.length >= after && moves.startsWith(this.made) ? moves.slice(this.made.length) : '';
  }

  /** Takes a solution of the position as it is; false when it solves nothing. @param {string} solution */
  know(solution) {
    const end = play(this.board, this.tiles, solution);
    if (!end || !solved(end, this.blank)) return false;
    this.found = { moves: this.made + solution, after: this.made.length };
    return true;
  }
}
