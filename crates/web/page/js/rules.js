// The rules of a sliding puzzle, pure: no page, no clock, no storage.
// A position is an array of tiles in reading order, 0 where the blank is. Moves are U D L R, the
// direction in which the blank goes; through a wrap, the edge it leaves by.

export const DIRECTIONS = 'ULRD';
export const MIN_SIDE = 2;
export const MAX_SIDE = 10;

/** The direction that takes a step back; also where a tile goes when the blank goes this way. @type {Record<string, string>} */
export const OPPOSITE = { U: 'D', D: 'U', L: 'R', R: 'L' };

/** @typedef {{ rows: number, cols: number, wrapRows: number[], wrapCols: number[] }} Shape */
/** A board's shape: its sides and which of its rows and columns wrap around. @param {number} rows @param {number} cols @param {number[]} [wrapRows] @param {number[]} [wrapCols] */
export function shape(rows, cols, wrapRows = [], wrapCols = []) {
  const side = (/** @type {number} */ n) => Number.isInteger(n) && n >= MIN_SIDE && n <= MAX_SIDE;
  if (!side(rows) || !side(cols)) throw new RangeError(`a board of ${rows}×${cols}: sides are ${MIN_SIDE} to ${MAX_SIDE}`);
  const line = (/** @type {number[]} */ list, /** @type {number} */ limit, /** @type {number} */ length) => list.every((n) => Number.isInteger(n) && n >= 0 && n < limit) && (!list.length || length >= 3);
  if (!line(wrapRows, rows, cols)) throw new RangeError('a row that wraps needs three columns or more');
  if (!line(wrapCols, cols, rows)) throw new RangeError('a column that wraps needs three rows or more');
  const sorted = (/** @type {number[]} */ list) => [...new Set(list)].sort((a, b) => a - b);
  return { rows, cols, wrapRows: sorted(wrapRows), wrapCols: sorted(wrapCols) };
}

export const wraps = (/** @type {{ wrapRows: number[], wrapCols: number[] }} */ { wrapRows, wrapCols }) => wrapRows.length + wrapCols.length > 0;

/** Which of some lines that wrap still do on a board that has so many, of such a length: a line of two cells cannot wrap. @param {Iterable<number>} lines @param {number} count @param {number} length */
export const wrapsLeft = (lines, count, length) => (length < 3 ? [] : [...lines].filter((line) => line < count).sort((a, b) => a - b));

/** A cell of a board on one of another size: a corner stays the same corner, and another cell where it is, as far as there is room. @param {number} cell @param {{ rows: number, cols: number }} from @param {{ rows: number, cols: number }} to */
export function sameCell(cell, from, to) {
  const place = [[Math.floor(cell / from.cols), from.rows, to.rows], [cell % from.cols, from.cols, to.cols]];
  const isCorner = place.every(([at, count]) => at === 0 || at === count - 1);
  const [row, col] = place.map(([at, count, next]) => (isCorner && at === count - 1 ? next - 1 : Math.min(at, next - 1)));
  return row * to.cols + col;
}

/** The cell next to `cell` in a direction, or -1 where the board ends. @param {Shape} shape @param {number} cell @param {string} direction */
export function neighbour({ rows, cols, wrapRows, wrapCols }, cell, direction) {
  const row = Math.floor(cell / cols);
  const col = cell % cols;
  switch (direction) {
    case 'U': return row > 0 ? cell - cols : wrapCols.includes(col) ? cell + (rows - 1) * cols : -1;
    case 'D': return row < rows - 1 ? cell + cols : wrapCols.includes(col) ? col : -1;
    case 'L': return col > 0 ? cell - 1 : wrapRows.includes(row) ? cell + cols - 1 : -1;
    case 'R': return col < cols - 1 ? cell + 1 : wrapRows.includes(row) ? cell - cols + 1 : -1;
    default: return -1;
  }
}

/** The whole picture: tiles numbered in reading order, skipping the blank's own cell. @param {number} rows @param {number} cols @param {number} blank */
export function whole(rows, cols, blank) {
  return Array.from({ length: rows * cols }, (_, cell) => (cell === blank ? 0 : cell < blank ? cell + 1 : cell));
}

/** The cell in which a tile is at home. @param {number} tile @param {number} blank */
export const home = (tile, blank) => (tile === 0 ? blank : tile <= blank ? tile - 1 : tile);

/** Moves the blank in place. Returns its new cell, or -1 (and changes nothing) where it cannot go. @param {Shape} board @param {number[]} tiles @param {number} hole @param {string} direction */
export function step(board, tiles, hole, direction) {
  const to = neighbour(board, hole, direction);
  if (to < 0) return -1;
  tiles[hole] = tiles[to];
  tiles[to] = 0;
  return to;
}

/** The position after `moves`, or null if one of them is not legal. @param {Shape} board @param {Iterable<number>} start @param {string} moves @returns {any} An array of tiles: whoever knows that the moves are legal takes it as one. */
export function play(board, start, moves) {
  const tiles = [...start];
  let hole = tiles.indexOf(0);
  for (const direction of moves) {
    hole = step(board, tiles, hole, direction);
    if (hole < 0) return null;
  }
  return tiles;
}

/** Moves without those that the next one takes back. @param {string} moves */
export function tidy(moves) {
  /** @type {string[]} */ const kept = [];
  for (const move of moves) {
    if (OPPOSITE[move] === kept.at(-1)) kept.pop();
    else kept.push(move);
  }
  return kept.join('');
}

export const reversed = (/** @type {string} */ moves) => [...moves].reverse().map((direction) => OPPOSITE[direction]).join('');

/** Whether every tile is at home, wherever the blank belongs. @param {number[]} tiles @param {number} blank */
export const solved = (tiles, blank) => tiles.every((tile, cell) => home(tile, blank) === cell);

/** The number of tiles away from home, without the blank. @param {number[]} tiles @param {number} blank */
export const misplaced = (tiles, blank) => tiles.reduce((/** @type {any} */ n, tile, cell) => n + (tile !== 0 && home(tile, blank) !== cell), 0);

/**
 * The moves that slide the run of tiles between `cell` and the blank: straight along the blank's row
 * or column, the shorter way round where that line wraps. Empty when the cell is not in line. @param {Shape} board @param {number} hole @param {number} cell
 */
export function runTo(board, hole, cell) {
  if (cell === hole) return '';
  const { rows, cols, wrapRows, wrapCols } = board;
  const [row, col] = [Math.floor(hole / cols), hole % cols];
  const [toRow, toCol] = [Math.floor(cell / cols), cell % cols];
  if (row === toRow) return along(toCol - col, cols, wrapRows.includes(row), 'L', 'R');
  if (col === toCol) return along(toRow - row, rows, wrapCols.includes(col), 'U', 'D');
  return '';
}

/** @param {number} distance @param {number} length @param {boolean} open @param {string} back @param {string} on */
function along(distance, length, open, back, on) {
  const round = distance > 0 ? distance - length : distance + length;
  const way = open && Math.abs(round) < Math.abs(distance) ? round : distance;
  return (way < 0 ? back : on).repeat(Math.abs(way));
}

/** The smallest number of single moves between every two cells, as an array of rows. @param {Shape} board */
export function distances(board) {
  const cells = board.rows * board.cols;
  return Array.from({ length: cells }, (_, from) => {
    const far = new Array(cells).fill(-1);
    far[from] = 0;
    const queue = [from];
    for (let at = 0; at < queue.length; at += 1) {
      for (const direction of DIRECTIONS) {
        const next = neighbour(board, queue[at], direction);
        if (next >= 0 && far[next] < 0) {
          far[next] = far[queue[at]] + 1;
          queue.push(next);
        }
      }
    }
    return far;
  });
}

/** The tiles' distances from home added up: no solution is shorter. @param {Shape} board @param {number[]} tiles @param {number} blank */
export function manhattan(board, tiles, blank) {
  const far = distances(board);
  return tiles.reduce((sum, tile, cell) => sum + (tile === 0 ? 0 : far[cell][home(tile, blank)]), 0);
}

/** Whether a wrap joins two cells of one colour, so that every arrangement can be reached. @param {Shape} shape */
export function mixesColours({ rows, cols, wrapRows, wrapCols }) {
  return (wrapRows.length > 0 && cols % 2 === 1) || (wrapCols.length > 0 && rows % 2 === 1);
}

/**
 * Whether the tiles can be brought home: the parity of the arrangement, blank included, must equal
 * that of the blank's way home, unless a wrap on an odd side joins two cells of one colour. @param {Shape} board @param {number[]} tiles @param {number} blank
 */
export function solvable(board, tiles, blank) {
  if (mixesColours(board)) return true;
  const hole = tiles.indexOf(0);
  const { cols } = board;
  const way = Math.abs(Math.floor(hole / cols) - Math.floor(blank / cols)) + Math.abs((hole % cols) - (blank % cols));
  return oddPermutation(tiles, blank) === (way % 2 === 1);
}

function oddPermutation(/** @type {number[]} */ tiles, /** @type {number} */ blank) {
  const seen = new Array(tiles.length).fill(false);
  let odd = false;
  for (let first = 0; first < tiles.length; first += 1) {
    let length = 0;
    for (let cell = first; !seen[cell]; cell = home(tiles[cell], blank)) {
      seen[cell] = true;
      length += 1;
    }
    if (length > 0 && length % 2 === 0) odd = !odd;
  }
  return odd;
}

/** Swaps two tiles, which makes an unsolvable arrangement solvable. @param {number[]} tiles */
export function swapTwo(tiles) {
  const [first, second] = tiles.map((tile, cell) => [tile, cell]).filter(([tile]) => tile).map(([, cell]) => cell);
  const swapped = [...tiles];
  [swapped[first], swapped[second]] = [swapped[second], swapped[first]];
  return swapped;
}

/** A scramble uniform over the solvable arrangements, never solved. `random(n)` gives 0 … n−1. @param {Shape} board @param {number} blank @param {(n: number) => number} random */
export function uniform(board, blank, random) {
  for (;;) {
    const tiles = whole(board.rows, board.cols, blank);
    for (let i = tiles.length - 1; i > 0; i -= 1) {
      const j = random(i + 1);
      [tiles[i], tiles[j]] = [tiles[j], tiles[i]];
    }
    const fair = solvable(board, tiles, blank) ? tiles : swapTwo(tiles);
    if (!solved(fair, blank)) return fair;
  }
}

/** A random walk of rows·cols·10 steps that never undoes its last one, never ending solved. @param {Shape} board @param {number} blank @param {(n: number) => number} random */
export function walk(board, blank, random, steps = board.rows * board.cols * 10) {
  for (;;) {
    const tiles = whole(board.rows, board.cols, blank);
    let hole = blank;
    let last = '';
    for (let taken = 0; taken < steps; taken += 1) {
      const open = [...DIRECTIONS].filter((direction) => direction !== OPPOSITE[last] && neighbour(board, hole, direction) >= 0);
      last = open[random(open.length)];
      hole = step(board, tiles, hole, last);
    }
    if (!solved(tiles, blank)) return tiles;
  }
}
