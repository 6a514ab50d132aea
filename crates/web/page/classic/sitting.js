// The solves of this sitting: every finished game, in the browser's database, with the reason why one does not enter
// the averages. A sitting goes on over reloads until the player begins another.

import { Game } from '../js/game.js';
import { rateText } from '../js/i18n.js';
import { averages, isOf, whyNot } from '../js/scoring.js';
import { createShelf } from '../js/records.js';
import * as store from '../js/store.js';
import { notation, positionText } from './notation.js';

/** Solves kept; the oldest are dropped. */
export const KEPT = 1000;
const AVERAGES = [5, 12, 50];

/**
 * @typedef {object} Solve
 * @property {string} id
 * @property {string | null} [of] The id of its game.
 * @property {number} order Its place among the solves; clocks are set back.
 * @property {number} when
 * @property {string} category
 * @property {number} millis
 * @property {number} moves
 * @property {string | null} out Why it does not enter the averages.
 * @property {any} game As it was saved.
 */

/** From the oldest to the newest. */
const shelf = createShelf('solves', (all) => /** @type {Solve[]} */ (all).sort((a, b) => a.order - b.order));
const { changed } = shelf;
export const { all: allSolves, load: loadSolves, onElsewhere: onSolvesElsewhere } = shelf;

/** Adds a finished game to what is kept, where other tabs add theirs; a game that is known already stays what it was. Resolves to the solve. @param {import('../js/game.js').Game} game @returns {Promise<Solve>} */
export function addSolve(game) {
  const [save, out, { id: of, category, count: moves }] = [game.toSave(), whyNot(game.toSave()), game];
  return shelf.alone(async (solves) => {
    const known = solves.find((solve) => isOf(solve, of, save));
    if (known) return known;
    const solve = { id: store.freshId(), of, order: (solves.at(-1)?.order ?? 0) + 1, when: Date.now(), category, millis: save.millis, moves, out, game: save };
    await store.put('solves', solve);
    for (const { id } of [...solves, solve].slice(0, -KEPT)) await store.remove('solves', id);
    await changed();
    return solve;
  });
}

export async function dropSolve(/** @type {Solve} */ solve) {
  await store.remove('solves', solve.id);
  await changed();
}

/** Takes all out, also those that another tab has added. Resolves to them, in their order. */
export const dropSolves = () => shelf.alone(async (list) => {
  for (const { id } of list) await store.remove('solves', id);
  await changed();
  return list;
});

export async function restoreSolves(/** @type {Solve[]} */ list) {
  for (const solve of list) await store.put('solves', solve);
  await changed();
}

/**
 * The figures of one kind of board, from solves in their order: how many count, the last and the best, the mean of all,
 * and each average as it stands now and at its best. Null where there are too few.
 * @param {Solve[]} list @returns {{ counted: number, last: number | null, best: number | null, mean: number | null, averages: { n: number, now: any, best: any }[] }}
 */
export function figures(list) {
  const times = list.filter(({ out }) => !out).map(({ millis }) => millis);
  const least = (/** @type {number[]} */ some) => (some.length ? Math.min(...some) : null);
  return {
    counted: times.length,
    last: times.at(-1) ?? null,
    best: least(times),
    mean: times.length ? Math.round(times.reduce((a, b) => a + b, 0) / times.length) : null,
    averages: AVERAGES.map((n) => {
      const found = averages(times, n);
      return { n, now: found.at(-1) ?? null, best: least(found) };
    }),
  };
}

const ownMoves = (/** @type {Solve} */ { game, moves }) => (game.helped ? Game.fromSave(game).own : moves);

/** The player's moves a second: the clock rests while the solver moves. @param {Solve} solve */
export const solveRate = (solve) => rateText(ownMoves(solve), solve.millis);

const COLUMNS = ['solve', 'when', 'size', 'seconds', 'moves', 'moves_per_second', 'counts', 'reason', 'scramble', 'solution'];

/** A solve as plain fields; moves are the tiles'. @param {Solve} solve @param {number} i @returns {Record<string, any>} */
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

/** Comma-separated lines with a head; times in seconds to the millisecond. @param {Solve[]} solves */
export function csvOf(solves) {
  const lines = solves.map(fields).map((row) => COLUMNS.map((name) => (name === 'seconds' ? row.seconds.toFixed(3) : row[name])).join(','));
  return [COLUMNS.join(','), ...lines, ''].join('\r\n');
}

/** The same fields, and the games as they are saved. @param {Solve[]} solves */
export const jsonOf = (solves) => JSON.stringify({ notation: 'tile', solves: solves.map((solve, i) => ({ ...fields(solve, i), game: solve.game })) }, null, 1);

export const gameOf = (/** @type {Solve} */ solve) => Game.fromSave({ ...solve.game, moves: '', redo: '', runs: [] });
