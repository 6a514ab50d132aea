// The way home of a tile, as the arrow on it points: along a shortest way, which may lead through a wrap.

import { DIRECTIONS, distances, neighbour } from './rules.js';

const STEP = { U: [0, -1], D: [0, 1], L: [-1, 0], R: [1, 0] };

/**
 * The angle of the way between two cells of a board, clockwise from upwards, in radians.
 * @param {ReturnType<typeof import('./rules.js').shape>} board
 * @returns {(from: number, to: number) => number}
 */
export function headings(board) {
  const { cols, wrapRows, wrapCols } = board;
  const straight = (from, to) => [(to % cols) - (from % cols), Math.floor(to / cols) - Math.floor(from / cols)];
  const way = wrapRows.length + wrapCols.length ? shortest(board) : straight;
  return (from, to) => {
    const [right, down] = way(from, to);
    return Math.atan2(right, -down);
  };
}

/** Where a shortest way leads, edges it goes through added up as steps. */
function shortest(board) {
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
