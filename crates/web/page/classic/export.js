// The solves as files: a table for spreadsheets, and everything for programs.

import { Game } from '../js/game.js';
import { notation, positionText } from './notation.js';
import { ownMoves } from './sitting.js';

const COLUMNS = ['solve', 'when', 'size', 'seconds', 'moves', 'moves_per_second', 'counts', 'reason', 'scramble', 'solution'];

/** A solve as plain fields; moves are the tiles'. */
const fields = (solve, i) => ({
  solve: i + 1,
  when: new Date(solve.when).toISOString(),
  size: solve.category,
  seconds: solve.millis / 1000,
  moves: solve.moves,
  moves_per_second: solve.millis ? Number(((ownMoves(solve) * 1000) / solve.millis).toFixed(3)) : '',
  counts: !solve.out,
  reason: solve.out ?? '',
  scramble: positionText(solve.game.start, solve.game.cols),
  solution: notation(solve.game.moves),
});

/** Comma-separated lines with a head; times in seconds to the millisecond. */
export function csvOf(solves) {
  const lines = solves.map(fields).map((row) => COLUMNS.map((name) => (name === 'seconds' ? row.seconds.toFixed(3) : row[name])).join(','));
  return [COLUMNS.join(','), ...lines, ''].join('\r\n');
}

/** The same fields, and the games as they are saved. */
export const jsonOf = (solves) => JSON.stringify({ notation: 'tile', solves: solves.map((solve, i) => ({ ...fields(solve, i), game: solve.game })) }, null, 1);

/** The game of a solve, from its beginning. */
export const gameOf = (solve) => Game.fromSave({ ...solve.game, moves: '', redo: '', runs: [] });
