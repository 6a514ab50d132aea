// A solver that needs nobody: tile by tile, row by row, as people do it. Its solutions are long but always
// there, so that auto-solve and hints have an answer when the server is away or its search ran out of time.

import { DIRECTIONS, mixesColours, neighbour, play, reversed, shape, solvable, solved, step, tidy, whole } from './rules.js';
/** @import { Shape } from './rules.js' */

/** Moves that solve the position. Null when there are none. @param {Shape} board @param {number[]} tiles @param {number} blank */
export function stepwise(board, tiles, blank) {
  if (!solvable(board, tiles, blank)) return null;
  const flat = shape(board.rows, board.cols);
  const around = mixesColours(board) && !solvable(flat, tiles, blank) ? throughWrap(board, tiles) : '';
  const goal = whole(board.rows, board.cols, blank);
  const away = 'D'.repeat(board.rows - 1 - Math.floor(blank / board.cols)) + 'R'.repeat(board.cols - 1 - (blank % board.cols));
  const bench = new Bench(flat, play(board, tiles, around), play(flat, goal, away));
  bench.solve();
  const moves = tidy(around + bench.moves + reversed(away));
  return solved(play(board, tiles, moves), blank) ? moves : null;
}

/** The blank's way once through a wrap of odd length, which changes the parity. @param {Shape} board @param {number[]} tiles */
function throughWrap(board, tiles) {
  const { rows, cols, wrapRows, wrapCols } = board;
  const odd = wrapRows.length && cols % 2 ? { cell: wrapRows[0] * cols, exit: 'L' } : { cell: wrapCols[0], exit: 'U' };
  const hole = tiles.indexOf(0);
  const way = route(shape(rows, cols), [hole], ([at]) => at === odd.cell, new Set());
  return way + odd.exit;
}

/**
 * The shortest way to bring some tiles where `done` wants them: `places` is the blank's cell and then the
 * tiles' cells, and all of them are open. Frozen cells are not entered; `within` limits the blank to some cells. Whoever
 * waits for the first solution waits for all of these searches: a state is one number, made of the places among the open cells.
 * @param {ReturnType<typeof import('./rules.js').shape>} board
 * @param {number[]} places
 * @param {(state: number[]) => boolean} done
 * @param {Set<number>} frozen
 * @param {Set<number> | null} [within]
 */
function route(board, places, done, frozen, within = null) {
  const { cells, near } = openCells(board, frozen, within);
  const base = cells.length;
  const spots = places.map((cell) => cells.indexOf(cell));
  const state = [...places];
  scratch.begin(base ** places.length);
  scratch.add(spots.reduce((code, spot) => code * base + spot, 0), 0);
  for (let at = 0; at < scratch.length; at += 1) {
    decode(scratch.queue[at], base, spots);
    for (let i = 0; i < spots.length; i += 1) state[i] = cells[spots[i]];
    if (done(state)) return movesTo(scratch.trail, at);
    const [hole] = spots;
    for (let way = 0; way < WAYS; way += 1) {
      const to = near[hole * WAYS + way];
      if (to < 0) continue;
      let next = to;
      for (let i = 1; i < spots.length; i += 1) next = next * base + (spots[i] === to ? hole : spots[i]);
      scratch.add(next, at * WAYS + way);
    }
  }
  return null;
}

const WAYS = DIRECTIONS.length;

/** The cells that the blank may enter, and by each way the one next to each of them; -1 where there is none. @param {Shape} board @param {Set<number>} frozen @param {Set<number> | null} within */
function openCells(board, frozen, within) {
  const cells = Array.from({ length: board.rows * board.cols }, (_, cell) => cell).filter((cell) => !frozen.has(cell) && (!within || within.has(cell)));
  const spot = new Map(cells.map((cell, i) => [cell, i]));
  const near = Int16Array.from({ length: cells.length * WAYS }, (_, i) => spot.get(neighbour(board, cells[Math.floor(i / WAYS)], DIRECTIONS[i % WAYS])) ?? -1);
  return { cells, near };
}

/** Writes what a number stands for into `spots`. @param {number} code @param {number} base @param {number[]} spots */
function decode(code, base, spots) {
  let rest = code;
  for (let i = spots.length - 1; i >= 0; i -= 1) {
    const above = Math.floor(rest / base);
    spots[i] = rest - above * base;
    rest = above;
  }
}

/** The states of one search after the other, in the order in which they were met, each with where it was met from. @type {{ queue: Int32Array, trail: Int32Array, met: Uint32Array, search: number, length: number, [other: string]: any }} */
const scratch = {
  queue: new Int32Array(1024),
  trail: new Int32Array(1024),
  /** In which search each state was met last. */
  met: new Uint32Array(1024),
  search: 0,
  length: 0,

  begin(/** @type {number} */ size) {
    if (size > this.met.length) this.met = new Uint32Array(size);
    this.search += 1;
    this.length = 0;
  },

  add(/** @type {number} */ state, /** @type {number} */ from) {
    if (this.met[state] === this.search) return;
    this.met[state] = this.search;
    if (this.length === this.queue.length) this.grow();
    this.queue[this.length] = state;
    this.trail[this.length] = from;
    this.length += 1;
  },

  grow() {
    for (const list of ['queue', 'trail']) {
      const larger = new Int32Array(this.length * 2);
      larger.set(this[list]);
      this[list] = larger;
    }
  },
};

/** The moves to a state; each but the first says from which it was reached and by which way. @param {Int32Array} trail @param {number} end */
function movesTo(trail, end) {
  const moves = [];
  for (let at = end; at > 0; at = Math.floor(trail[at] / WAYS)) moves.push(DIRECTIONS[trail[at] % WAYS]);
  return moves.reverse().join('');
}

/** The position being worked on, towards a goal with the blank in the last cell. */
class Bench {
  moves = '';
  frozen = new Set();

  constructor(/** @type {Shape} */ board, /** @type {number[]} */ tiles, /** @type {number[]} */ goal) {
    this.board = board;
    this.tiles = [...tiles];
    this.goal = goal;
    this.hole = tiles.indexOf(0);
  }

  /** Rows from the top while three or more are left, then columns from the left, then the rest at once. */
  solve() {
    const { rows, cols } = this.board;
    const cell = (/** @type {number} */ row, /** @type {number} */ col) => row * cols + col;
    for (let row = 0; row < rows - 2; row += 1) this.#line(Array.from({ length: cols }, (_, col) => cell(row, col)), block(cols, row, row + 2, Math.max(0, cols - 3), cols - 1));
    for (let col = 0; col < cols - 3; col += 1) this.#line([cell(rows - 2, col), cell(rows - 1, col)], block(cols, rows - 2, rows - 1, col, col + 2));
    const rest = this.goal.map((tile, at) => [tile, at]).filter(([tile, at]) => tile && !this.frozen.has(at));
    this.#bring(rest.map(([tile]) => tile), rest.map(([, at]) => at));
  }

  /** Fills a line of cells: one by one, and the last two together in a small block at its end. @param {number[]} cells @param {number[]} end */
  #line(cells, end) {
    const pair = cells.slice(-2);
    for (const at of cells.slice(0, -2)) {
      this.#bring([this.goal[at]], [at]);
      this.frozen.add(at);
    }
    const wanted = pair.map((at) => this.goal[at]);
    const room = new Set(end);
    this.#gather(wanted, room);
    this.#bring(wanted, pair, room);
    pair.forEach((at) => this.frozen.add(at));
  }

  /** Brings tiles, and then the blank, somewhere into the block. @param {number[]} wanted @param {Set<number>} room */
  #gather(wanted, room) {
    const held = new Set();
    for (const tile of wanted) {
      const at = this.tiles.indexOf(tile);
      if (!room.has(at)) this.#do(route(this.board, [this.hole, at], ([, cell]) => room.has(cell) && !held.has(cell), new Set([...this.frozen, ...held])) ?? route(this.board, [this.hole, at, ...[...held]], ([, cell, ...others]) => room.has(cell) && others.every((other) => room.has(other)), this.frozen));
      held.clear();
      for (const other of wanted) if (room.has(this.tiles.indexOf(other))) held.add(this.tiles.indexOf(other));
    }
    const places = wanted.map((tile) => this.tiles.indexOf(tile));
    if (!room.has(this.hole)) this.#do(route(this.board, [this.hole, ...places], ([hole, ...others]) => room.has(hole) && others.every((other) => room.has(other)), this.frozen));
  }

  /** @param {number[]} wanted @param {number[]} targets @param {Set<number> | null} [within] */
  #bring(wanted, targets, within = null) {
    const places = wanted.map((tile) => this.tiles.indexOf(tile));
    this.#do(route(this.board, [this.hole, ...places], (state) => targets.every((cell, i) => state[i + 1] === cell), this.frozen, within));
  }

  #do(/** @type {string | null} */ moves) {
    if (moves === null) throw new Error('no way was found');
    for (const move of moves) this.hole = step(this.board, this.tiles, this.hole, move);
    this.moves += moves;
  }
}

/** @param {number} cols @param {number} top @param {number} bottom @param {number} left @param {number} right */
function block(cols, top, bottom, left, right) {
  const cells = [];
  for (let row = top; row <= bottom; row += 1) for (let col = left; col <= right; col += 1) cells.push(row * cols + col);
  return cells;
}
