// Asking the engine. Each search is a handle that can be stopped by itself. An answer belongs to the position it
// was asked for; the ones that were found are remembered, with every position along their way.

import { port } from './port.js';
import { DIRECTIONS, step, whole } from './rules.js';

const REMEMBERED = 20000;
/** Whoever asks for any solution waits so long for the engine's first, unless told otherwise; then the page's own stands in. */
const FIRST_MILLIS = 120;

const known = new Map();

/**
 * What is known about a position without asking, or undefined: { moves, optimal, bound, final, isOwn }. No solution is
 * shorter than `bound`; `final` says that the engine has had its time for it, `isOwn` that the moves are the page's.
 */
export const recall = (game) => known.get(game.key);

/** The problem of a game's position, as the server takes it. */
export function problemOf(game, options = {}) {
  const { rows, cols, wrapRows, wrapCols } = game.board;
  return { rows, cols, tiles: [...game.tiles], goal: whole(rows, cols, game.blank), wrap_rows: wrapRows, wrap_cols: wrapCols, ...options };
}

/**
 * @typedef {object} Found A solution on the way to the answer.
 * @property {string} moves
 * @property {boolean} optimal
 * @property {number} [bound] No solution is shorter.
 * @property {boolean} [isOwn] Whether it is the page's own.
 *
 * @typedef {object} Search
 * @property {Promise<any>} answer Rejects with an AbortError when the search is stopped.
 * @property {() => void} stop
 */

/**
 * Begins a search from a game's position. While the server is busy it waits and asks again; `onBusy` is told for
 * how long. `onBetter` is told of each solution that is shorter than those before it, the first of which comes at
 * once where the algorithm is `auto`: the engine's, or else, after `patience`, the page's own.
 * @param {import('./game.js').Game} game
 * @param {{ algorithm: string, [name: string]: any }} options
 * @param {{ onProgress?: (counts: any) => void, onBusy?: (seconds: number) => void, onBetter?: (found: Found) => void, patience?: number }} [callbacks]
 * @returns {Search}
 */
export function startSearch(game, options, { onProgress, onBusy, onBetter, patience = FIRST_MILLIS } = {}) {
  const asked = { board: game.board, blank: game.blank, tiles: [...game.tiles], category: game.category };
  let shortest = Infinity;
  const better = ({ moves, bound = undefined, isOwn = false }) => {
    if (moves.length >= shortest) return;
    shortest = moves.length;
    onBetter?.({ moves, optimal: false, bound, isOwn });
    // It is seen first: there may be thousands of positions on its way.
    setTimeout(() => remember(asked, { moves, optimal: false, lower_bound: bound, isOwn }));
  };
  const progress = (counts) => {
    if (counts.solution) better({ ...counts.solution, bound: counts.bound });
    onProgress?.(counts);
  };
  let isOver = false;
  const standIn = setTimeout(async () => {
    const own = onBetter && options.algorithm === 'auto' && shortest === Infinity ? await ownMoves(asked) : null;
    if (own && !isOver) better({ moves: own, isOwn: true });
  }, patience);
  const { promise, cancel } = port.solve(problemOf(game, options), { onProgress: progress, onBusy });
  const answer = promise.then((found) => {
    if (found.status === 'solved') remember(asked, { ...found, final: options.algorithm === 'auto' });
    return found;
  }).finally(() => {
    isOver = true;
    clearTimeout(standIn);
  });
  return { answer, stop: cancel };
}

/**
 * A desk at which one search runs at a time: browsers have few connections to a server, and a search keeps one.
 * A new one stops the one before.
 */
export function createDesk() {
  /** @type {Search | null} */
  let active = null;
  const stop = () => {
    active?.stop();
    active = null;
  };
  const ask = (game, options, callbacks) => {
    stop();
    const mine = startSearch(game, options, callbacks);
    active = mine;
    return mine.answer.finally(() => { if (active === mine) active = null; });
  };
  return { ask, stop, isBusy: () => active !== null };
}

/** The page's own solution; null where there is none, or where its solver has not come. */
const ownMoves = ({ board, tiles, blank }) => import('./stepwise.js').then(({ stepwise }) => stepwise(board, tiles, blank), () => null);

/** The page's own answer, long but always there; remembered like any other. */
export async function ownAnswer(game) {
  const asked = { board: game.board, blank: game.blank, tiles: [...game.tiles], category: game.category };
  const moves = await ownMoves(asked);
  if (moves === null) return null;
  const answer = { status: 'solved', moves, length: moves.length, optimal: false, algorithm: 'stepwise', isOwn: true };
  remember(asked, answer);
  return answer;
}

/** Keeps the answer for its position, and what is left of it for each position on its way. */
function remember({ board, blank, tiles, category }, { moves, optimal, lower_bound: bound = undefined, final = false, isOwn = false }) {
  if (known.size > REMEMBERED) known.clear();
  const at = [...tiles];
  let hole = at.indexOf(0);
  for (let done = 0; done <= moves.length; done += 1) {
    const key = `${category}@${blank}:${at.join('.')}`;
    const old = known.get(key);
    const rest = moves.slice(done);
    const isBetter = !old || (!old.optimal && (optimal || rest.length < old.moves.length || (final && rest.length === old.moves.length)));
    if (isBetter) known.set(key, { moves: rest, optimal, isOwn, final: final || Boolean(old?.final), bound: bound && Math.max(0, bound - done) });
    if (done < moves.length && DIRECTIONS.includes(moves[done])) hole = step(board, at, hole, moves[done]);
  }
}
