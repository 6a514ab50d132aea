// What the whole map says: how far every cell is from the start, and which way leads to the nearest goal.

import { ApiError, Gone } from '../../js/api.js';
import { isCancelled, port } from '../../js/port.js';
import { question } from './ask.js';
import { state } from './state.js';

let handle = null;

/**
 * The distances and the directions that are to be shown, or null for a newer question.
 * @returns {Promise<{ distances: Float64Array | null, arrows: Int8Array | null, most: number } | null>}
 */
export async function fieldOf() {
  handle?.cancel();
  const { map, show } = state;
  if (map.kind === 'graph' || (!show.distances && !show.flow) || map.start < 0) return { distances: null, arrows: null, most: 1 };
  try {
    const distances = show.distances ? flat(await ask({ ...question({ to: null }), distances: true }), map) : null;
    const arrows = show.flow && map.goals.length ? await flow(map) : null;
    return { distances, arrows, most: distances ? distances.reduce((most, far) => (Number.isFinite(far) && far > most ? far : most), 1) : 1 };
  } catch (error) {
    // Whoever asks about the paths is told when nobody answers, or not in time.
    if (isCancelled(error) || error instanceof Gone || error instanceof ApiError) return null;
    throw error;
  }
}

function ask(body) {
  handle = port.path(body);
  return handle.promise;
}

/** A matrix as one array; where nobody gets, it is infinite. */
function flat(matrix, map) {
  const numbers = new Float64Array(map.cells.length).fill(Infinity);
  // A limit was reached: nothing is known.
  if (!Array.isArray(matrix)) return numbers;
  for (const [row, line] of matrix.entries()) for (const [col, far] of line.entries()) if (far !== null) numbers[row * map.cols + col] = far;
  return numbers;
}

/** The step toward the nearest goal from every cell: of several goals, each cell follows the one that is nearest. */
async function flow(map) {
  const arrows = new Int8Array(2 * map.cells.length);
  const nearest = new Float64Array(map.cells.length).fill(Infinity);
  for (const goal of map.goals) {
    const { distances, directions } = await ask({ ...question({ from: false, to: [goal] }), distances: true, directions: true });
    if (!directions) continue;
    for (const [cell, far] of flat(distances, map).entries()) {
      if (far >= nearest[cell]) continue;
      nearest[cell] = far;
      const step = directions[Math.floor(cell / map.cols)][cell % map.cols];
      [arrows[2 * cell], arrows[2 * cell + 1]] = step ?? [0, 0];
    }
  }
  return arrows;
}
