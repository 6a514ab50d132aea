// The solves of this sitting: every finished game, in the browser's database, with the reason why one does not enter
// the averages. A sitting goes on over reloads until the player begins another.

import { wasAgain } from '../js/helped.js';
import { rateText } from '../js/i18n.js';
import { averages, refusal, sameGame } from '../js/ranking.js';
import * as store from '../js/store.js';

/** So many are kept; the oldest make room. */
const KEPT = 1000;
export const AVERAGES = [5, 12, 50];

/**
 * @typedef {object} Solve
 * @property {string} id
 * @property {number} order Its place among the solves; clocks are set back.
 * @property {number} when
 * @property {string} category
 * @property {number} millis
 * @property {number} moves
 * @property {string | null} out Why it does not enter the averages.
 * @property {any} game As it was saved.
 */

/** From the oldest to the newest. @type {Solve[]} */
let solves = [];

export const allSolves = () => solves;

/** Solves that are on their way to the browser's database. @type {Set<Solve>} */
const written = new Set();

/** Reads what the browser has; what is being written is there, too. */
export async function loadSolves() {
  const kept = await store.all('solves');
  const ids = new Set(kept.map(({ id }) => id));
  solves = [...kept, ...[...written].filter(({ id }) => !ids.has(id))].sort((a, b) => a.order - b.order);
}

/** Why a finished game does not enter the averages; null when it does. */
export function leftOut(game, save, before) {
  if (game.origin !== 'scramble') return game.origin;
  if (game.helped) return 'helped';
  if (wasAgain(game) || before.some((solve) => solve.category === game.category && solve.game.blank === save.blank && solve.game.start.join() === save.start.join())) return 'again';
  return refusal(save) ? 'refused' : null;
}

/** Adds a finished game; a game that is known already stays what it was. Resolves to the solve. @returns {Promise<Solve>} */
export async function addSolve(game) {
  const save = game.toSave();
  const known = solves.find((solve) => sameGame(solve.game, save));
  if (known) return known;
  const solve = { id: store.freshId(), order: (solves.at(-1)?.order ?? 0) + 1, when: Date.now(), category: game.category, millis: save.millis, moves: game.count, out: leftOut(game, save, solves), game: save };
  solves = [...solves, solve];
  const gone = solves.splice(0, Math.max(0, solves.length - KEPT));
  written.add(solve);
  await Promise.all([store.put('solves', solve), ...gone.map(({ id }) => store.remove('solves', id))]);
  written.delete(solve);
  return solve;
}

/** Takes some out. */
export async function dropSolves(list) {
  solves = solves.filter((solve) => !list.includes(solve));
  await Promise.all(list.map(({ id }) => store.remove('solves', id)));
}

/** Puts some back. */
export async function restoreSolves(list) {
  await Promise.all(list.map((solve) => store.put('solves', solve)));
  await loadSolves();
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

/** Moves a second. */
export const solveRate = ({ moves, millis }) => rateText(moves, millis);
