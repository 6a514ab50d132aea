// Asking the server's engine, one question at a time. An answer belongs to the position it was asked for;
// the ones that were found are remembered, with every position along their way.

import { ApiError, solve } from './api.js';
import { DIRECTIONS, step, whole } from './rules.js';
import { stepwise } from './stepwise.js';

const REMEMBERED = 20000;
const RETRIES = 5;

const known = new Map();
let active = null;

/** What is known about a position without asking: { moves, optimal } or undefined. */
export const recall = (game) => known.get(game.key);

export const isSearching = () => active !== null;

/** Ends the search that is under way, if there is one. */
export function stopSearch() {
  active?.abort();
  active = null;
}

/** The problem of a game's position, as the server takes it. */
export function problemOf(game, options = {}) {
  const { rows, cols, wrapRows, wrapCols } = game.board;
  return { rows, cols, tiles: [...game.tiles], goal: whole(rows, cols, game.blank), wrap_rows: wrapRows, wrap_cols: wrapCols, ...options };
}

/**
 * Searches from a game's position. Another search that is under way is stopped. While the server is busy
 * it waits and asks again; `onBusy` is told for how long. Rejects with an AbortError when stopped.
 */
export async function search(game, options, { onProgress, onBusy } = {}) {
  stopSearch();
  const controller = new AbortController();
  active = controller;
  const asked = { board: game.board, blank: game.blank, tiles: [...game.tiles], category: game.category };
  const problem = problemOf(game, options);
  try {
    const answer = await patiently(problem, { signal: controller.signal, onProgress, onBusy });
    if (answer.status === 'solved') remember(asked, answer);
    return answer;
  } finally {
    if (active === controller) active = null;
  }
}

/** The page's own answer, long but always there; remembered like any other. */
export function ownAnswer(game) {
  const moves = stepwise(game.board, game.tiles, game.blank);
  if (moves === null) return null;
  const answer = { status: 'solved', moves, length: moves.length, optimal: false, algorithm: 'stepwise' };
  remember({ board: game.board, blank: game.blank, tiles: game.tiles, category: game.category }, answer);
  return answer;
}

async function patiently(problem, { signal, onProgress, onBusy }) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await solve(problem, { signal, onProgress });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 503 || attempt >= RETRIES) throw error;
      const seconds = error.retryAfter ?? 2;
      onBusy?.(seconds);
      await pause(seconds * 1000, signal);
    }
  }
}

function pause(millis, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new DOMException('stopped', 'AbortError'));
    });
  });
}

/** Keeps the answer for its position, and what is left of it for each position on its way. */
function remember({ board, blank, tiles, category }, { moves, optimal, lower_bound: bound }) {
  if (known.size > REMEMBERED) known.clear();
  const at = [...tiles];
  let hole = at.indexOf(0);
  for (let done = 0; done <= moves.length; done += 1) {
    const key = `${category}@${blank}:${at.join('.')}`;
    const old = known.get(key);
    const rest = moves.slice(done);
    if (!old || (!old.optimal && (optimal || rest.length < old.moves.length))) known.set(key, { moves: rest, optimal, bound: bound && Math.max(0, bound - done) });
    if (done < moves.length && DIRECTIONS.includes(moves[done])) hole = step(board, at, hole, moves[done]);
  }
}
