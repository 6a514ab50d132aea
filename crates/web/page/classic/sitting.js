// The solves of this sitting: every finished game, in the browser's database, with the reason why one does not enter
// the averages. A sitting goes on over reloads until the player begins another.

import { whyNot } from '../js/counting.js';
import { Game } from '../js/game.js';
import { rateText } from '../js/i18n.js';
import { averages, isOf } from '../js/ranking.js';
import { createShelf } from '../js/shelf.js';
import * as store from '../js/store.js';

/** So many are kept; the oldest make room. */
export const KEPT = 1000;
export const AVERAGES = [5, 12, 50];

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
  const [save, out, { id: of, category, count: moves }] = [game.toSave(), whyNot(game), game];
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

/** Takes one out. */
export async function dropSolve(solve) {
  await store.remove('solves', solve.id);
  await changed();
}

/** Takes all out, also those that another tab has added. Resolves to them, in their order. */
export const dropSolves = () => shelf.alone(async (list) => {
  for (const { id } of list) await store.remove('solves', id);
  await changed();
  return list;
});

/** Puts some back. */
export async function restoreSolves(list) {
  for (const solve of list) await store.put('solves', solve);
  await changed();
}

/**
 * The figures of one kind of board, from solves in their order: how many count, the last and the best, the mean of all,
 * and each average as it stands now and at its best. Null where there are too few.
 */
export function figures(list) {
  const times = list.filter(({ out }) => !out).map(({ millis }) => millis);
  const least = (some) => (some.length ? Math.min(...some) : null);
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

/** How many of a solve's moves are the player's own. */
export const ownMoves = ({ game, moves }) => (game.helped ? Game.fromSave(game).own : moves);

/** The player's moves a second: the clock rests while the solver moves. */
export const solveRate = (solve) => rateText(ownMoves(solve), solve.millis);
