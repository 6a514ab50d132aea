// What a board needs whose rows or columns wrap: marks on the frame where an edge is open, and ways home that go through.

import { $, el } from './dom.js';
import { DIRECTIONS, distances, neighbour } from './rules.js';
import { fetchStyle } from './sheets.js';

const STEP = { U: [0, -1], D: [0, 1], L: [-1, 0], R: [1, 0] };

/** Where a shortest way from one cell of a board to another leads, as steps to the right and down; an edge it goes through is one of them. */
export function ways(board) {
  const far = distances(board);
  return (from, to) => {
    let [right, down] = [0, 0];
    for (let cell = from; cell !== to;) {
      const direction = /** @type {string} */ ([...DIRECTIONS].find((way) => far[neighbour(board, cell, way)]?.[to] === far[cell][to] - 1));
      [right, down] = [right + STEP[direction][0], down + STEP[direction][1]];
      cell = neighbour(board, cell, direction);
    }
    return [right, down];
  };
}

/** The ends of a line, as classes of its two marks. */
const ENDS = { row: ['left', 'right'], col: ['top', 'bottom'] };

/** Marks the ends of the rows and columns that wrap, of the board as it is by then. @param {() => ReturnType<typeof import('./rules.js').shape>} board */
export async function markEdges(board) {
  await fetchStyle();
  const { rows, cols, wrapRows, wrapCols } = board();
  const marks = (kind, lines, count) => lines.flatMap((line) => ENDS[kind].map((end) => {
    const mark = el('i', { className: `wrap-mark ${end}` });
    mark.style[kind === 'row' ? 'top' : 'left'] = `${((line + 0.5) / count) * 100}%`;
    return mark;
  }));
  $('wraps').replaceChildren(...marks('row', wrapRows, rows), ...marks('col', wrapCols, cols));
}
