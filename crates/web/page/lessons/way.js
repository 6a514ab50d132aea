// The shortest way through a step, for who asks to be shown it.

import { DIRECTIONS, home, neighbour, step as slide } from '../js/rules.js';

/** More positions than 3×3 has, half of which can be reached. */
const MOST = 200_000;

/** Whether the cells of a step's goal hold their own tiles. */
export const isDone = (goal, tiles, blank) => goal.every((cell) => home(tiles[cell], blank) === cell);

/** The fewest moves of the blank that do a step from a position; null when there are none. */
export function wayTo(board, tiles, goal, blank) {
  const seen = new Set([tiles.join()]);
  const queue = [{ tiles, hole: tiles.indexOf(0), moves: '' }];
  for (const at of queue) {
    if (isDone(goal, at.tiles, blank)) return at.moves;
    if (seen.size > MOST) return null;
    for (const direction of DIRECTIONS) {
      if (neighbour(board, at.hole, direction) < 0) continue;
      const next = [...at.tiles];
      const hole = slide(board, next, at.hole, direction);
      if (seen.has(next.join())) continue;
      seen.add(next.join());
      queue.push({ tiles: next, hole, moves: at.moves + direction });
    }
  }
  return null;
}
