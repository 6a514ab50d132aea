// A solver that needs nobody: tile by tile, row by row, as people do it. Its solutions are long but always
// there, so that auto-solve and hints have an answer when the server is away or its search ran out of time.

import { DIRECTIONS, mixesColours, neighbour, play, reversed, shape, solvable, solved, step, whole } from './rules.js';

/** Moves that solve the position. Null when there are none. */
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

/** The blank's way once through a wrap of odd length, which changes the parity. */
function throughWrap(board, tiles) {
  const { rows, cols, wrapRows, wrapCols } = board;
  const odd = wrapRows.length && cols % 2 ? { cell: wrapRows[0] * cols, exit: 'L' } : { cell: wrapCols[0], exit: 'U' };
  const hole = tiles.indexOf(0);
  const way = route(shape(rows, cols), [hole], ([at]) => at === odd.cell, new Set());
  return way + odd.exit;
}

/** A move and its opposite right after it do nothing. */
function tidy(moves) {
  const kept = [];
  for (const move of moves) {
    if (kept.length && reversed(move) === kept.at(-1)) kept.pop();
    else kept.push(move);
  }
  return kept.join('');
}

/**
 * The shortest way to bring some tiles where `done` wants them: `places` is the blank's cell and then the
 * tiles' cells. Frozen cells are not entered; `within` limits the blank to some cells.
 * @param {ReturnType<typeof import('./rules.js').shape>} board
 * @param {number[]} places
 * @param {(state: number[]) => boolean} done
 * @param {Set<number>} frozen
 * @param {Set<number> | null} [within]
 */
function route(board, places, done, frozen, within = null) {
  const cells = board.rows * board.cols;
  const near = neighbours(board);
  const seen = places.length <= MARKED ? marks(cells ** places.length) : new Set();
  const code = (state) => state.reduce((sum, cell) => sum * cells + cell, 0);
  const queue = [places];
  const trail = [{ from: -1, move: '' }];
  seen.add(code(places));
  for (let at = 0; at < queue.length; at += 1) {
    const state = queue[at];
    if (done(state)) return movesTo(trail, at);
    const [hole] = state;
    for (let way = 0; way < DIRECTIONS.length; way += 1) {
      const to = near[hole * DIRECTIONS.length + way];
      if (to < 0 || frozen.has(to) || (within && !within.has(to))) continue;
      let mark = to;
      for (let i = 1; i < state.length; i += 1) mark = mark * cells + (state[i] === to ? hole : state[i]);
      if (seen.has(mark)) continue;
      seen.add(mark);
      const next = state.slice();
      for (let i = 1; i < next.length; i += 1) if (next[i] === to) next[i] = hole;
      next[0] = to;
      queue.push(next);
      trail.push({ from: at, move: DIRECTIONS[way] });
    }
  }
  return null;
}

/** States of so many places are marked in an array, one byte each; more would be too many. */
const MARKED = 3;

/** A set of numbers below a size. */
function marks(size) {
  const bytes = new Uint8Array(size);
  return { has: (mark) => bytes[mark] === 1, add: (mark) => { bytes[mark] = 1; } };
}

const known = new WeakMap();

/** The cells next to each cell, in the order of the directions; -1 where the board ends. */
function neighbours(board) {
  if (!known.has(board)) known.set(board, Int16Array.from({ length: board.rows * board.cols * DIRECTIONS.length }, (_, i) => neighbour(board, Math.floor(i / DIRECTIONS.length), DIRECTIONS[i % DIRECTIONS.length])));
  return known.get(board);
}

function movesTo(trail, end) {
  const moves = [];
  for (let at = end; trail[at].from >= 0; at = trail[at].from) moves.push(trail[at].move);
  return moves.reverse().join('');
}

/** The position being worked on, towards a goal with the blank in the last cell. */
class Bench {
  moves = '';
  frozen = new Set();

  constructor(board, tiles, goal) {
    this.board = board;
    this.tiles = [...tiles];
    this.goal = goal;
    this.hole = tiles.indexOf(0);
  }

  /** Rows from the top while three or more are left, then columns from the left, then the rest at once. */
  solve() {
    const { rows, cols } = this.board;
    const cell = (row, col) => row * cols + col;
    for (let row = 0; row < rows - 2; row += 1) this.#line(Array.from({ length: cols }, (_, col) => cell(row, col)), block(cols, row, row + 2, Math.max(0, cols - 3), cols - 1));
    for (let col = 0; col < cols - 3; col += 1) this.#line([cell(rows - 2, col), cell(rows - 1, col)], block(cols, rows - 2, rows - 1, col, col + 2));
    const rest = this.goal.map((tile, at) => [tile, at]).filter(([tile, at]) => tile && !this.frozen.has(at));
    this.#bring(rest.map(([tile]) => tile), rest.map(([, at]) => at));
  }

  /** Fills a line of cells: one by one, and the last two together in a small block at its end. */
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

  /** Brings tiles, and then the blank, somewhere into the block. */
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
    this.#do(route(this.board, [this.hole, ...places], ([, ...cells]) => cells.every((cell, i) => cell === targets[i]), this.frozen, within));
  }

  #do(moves) {
    if (moves === null) throw new Error('no way was found');
    for (const move of moves) this.hole = step(this.board, this.tiles, this.hole, move);
    this.moves += moves;
  }
}

function block(cols, top, bottom, left, right) {
  const cells = [];
  for (let row = top; row <= bottom; row += 1) for (let col = left; col <= right; col += 1) cells.push(row * cols + col);
  return cells;
}
