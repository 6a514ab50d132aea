// What the attributes of a board say, checked: whoever writes them wrong is told what was found and what was expected.

import { TextError, readBoards } from '../js/boardtext.js';
import { play, shape, solved, uniform, whole } from '../js/rules.js';

const USUAL = { rows: 3, cols: 3 };

/**
 * A board to play and its recorded solution ('' without one). Without a position the tiles are shuffled.
 * @param {{ size: string | null, position: string | null, blank: string | null, solution: string | null }} attributes
 * @param {(n: number) => number} random Gives 0 … n−1.
 */
export function readSetup({ size, position, blank, solution }, random) {
  const asked = size === null ? null : sizeOf(size);
  const placed = position === null ? null : boardOf(position, asked);
  const { rows, cols } = placed ?? asked ?? USUAL;
  const board = shape(rows, cols);
  const home = blank === null ? rows * cols - 1 : cellOf(blank, rows, cols);
  const tiles = placed ? placed.tiles : uniform(board, home, random);
  if (solution === null) return { rows, cols, blank: home, tiles, solution: '' };
  if (!placed) throw new RangeError('found a solution, expected a position beside it');
  const end = /^[ULDR]*$/.test(solution) ? play(board, tiles, solution) : null;
  if (!end) throw new RangeError(`found the solution “${solution}”, expected moves of the blank that are legal here: U, L, D, R`);
  if (!solved(end, home)) throw new RangeError(`found a solution that ends at ${end.join(' ')}, expected ${whole(rows, cols, home).join(' ')}`);
  return { rows, cols, blank: home, tiles, solution };
}

/** `4x3`, `4×3`, or `4` for a square: rows, then columns. @param {string} text */
function sizeOf(text) {
  const found = /^\s*(\d+)\s*(?:[x×*]\s*(\d+)\s*)?$/i.exec(text);
  if (!found) throw new RangeError(`found the size “${text}”, expected rows and columns, such as 4x4`);
  const { rows, cols } = shape(Number(found[1]), Number(found[2] ?? found[1]));
  return { rows, cols };
}

/** @param {string} text @param {{ rows: number, cols: number } | null} size */
function boardOf(text, size) {
  const { start, goal } = readWithSize(text, size);
  if (goal) throw new RangeError('found a start and a goal, expected one position');
  if (size && (size.rows !== start.rows || size.cols !== start.cols)) throw new RangeError(`found a position of ${start.rows}×${start.cols}, expected ${size.rows}×${size.cols}`);
  return start;
}

/** A text that does not show its shape is read with the size before it. @param {string} text @param {{ rows: number, cols: number } | null} size */
function readWithSize(text, size) {
  try {
    return readBoards(text);
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    if (!size || error.problem !== 'no-square') throw new RangeError(`${error.message} (${Object.entries(error.values).map((pair) => pair.join(' ')).join(', ')})`);
    return readBoards(`${size.rows} ${size.cols}\n${text}`);
  }
}

/** `row,col`, both from 0. @param {string} text @param {number} rows @param {number} cols */
function cellOf(text, rows, cols) {
  const [row, col] = /^\s*(\d+)\s*,\s*(\d+)\s*$/.exec(text)?.slice(1).map(Number) ?? [rows, cols];
  if (row >= rows || col >= cols) throw new RangeError(`found the blank at “${text}”, expected row,col below ${rows},${cols}`);
  return row * cols + col;
}
