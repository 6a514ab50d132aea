// Asking the engine. Each search is a handle that can be stopped by itself. An answer belongs to the position it
// was asked for; the ones that were found are remembered, with every position along their way.

import { port } from './port.js';
import { DIRECTIONS, step, whole } from './rules.js';
/** @import { Game } from './game.js' */

const REMEMBERED = 20000;

/** Solutions and bounds by position, the latest last. @typedef {Found & { final?: boolean }} Known @type {Map<string, Known>} */
const known = new Map();
/** Solutions of which only the first position is known yet: there may be thousands on its way, and it is seen first. @type {{ asked: ReturnType<typeof askedOf>, found: Known }[]} */
let unwalked = [];

/**
 * What is known about a position without asking, or undefined: { moves, optimal, bound, final }. No solution is
 * shorter than `bound`; `final` says that the engine has had its time for it. @param {Game} game
 */
export function recall(game) {
  walk();
  return known.get(game.key);
}

/** The problem of a game's position, as the engine takes it. @param {Game} game */
export function problemOf(game, options = {}) {
  const { rows, cols, wrapRows, wrapCols } = game.board;
  return { rows, cols, tiles: [...game.tiles], goal: whole(rows, cols, game.blank), wrap_rows: wrapRows, wrap_cols: wrapCols, ...options };
}

/**
 * @typedef {object} Found A solution on the way to the answer.
 * @property {string} moves
 * @property {boolean} optimal
 * @property {number} [bound] No solution is shorter.
 *
 * @typedef {object} Search
 * @property {Promise<any>} answer Rejects with an AbortError when the search is stopped.
 * @property {() => void} stop
 */

/**
 * Begins a search from a game's position. While the engine is busy it waits and asks again; `onBusy` is told for
 * how long. `onBetter` is told of each solution that is shorter than all that were known of the position before. The
 * answer of `auto` is no longer than what is known either: a search that has less time finds less.
 * @param {import('./game.js').Game} game
 * @param {{ algorithm: string, [name: string]: any }} options
 * @param {{ onProgress?: (counts: any) => void, onBusy?: (seconds: number) => void, onBetter?: (found: Found) => void, isHint?: boolean }} [callbacks] Of a hint only the next moves matter, or about how many there are.
 * @returns {Search}
 */
function startSearch(game, options, { onProgress, onBusy, onBetter, isHint = false } = {}) {
  const asked = askedOf(game);
  const isAuto = options.algorithm === 'auto';
  // Auto tells the best bound that is known of the position, never less than was told before; another algorithm tells what it proved itself.
  let bound = (isAuto && recall(game)?.bound) || 0;
  const raise = (to = 0) => { bound = Math.max(bound, to ?? 0); };
  const better = (/** @type {{ moves: string }} */ { moves }) => {
    const before = recall(game)?.moves.length ?? Infinity;
    remember(asked, { moves, optimal: false, lower_bound: bound });
    if (moves.length < before) onBetter?.({ moves, optimal: false, bound });
  };
  const progress = (/** @type {any} */ counts) => {
    raise(counts.bound);
    if (counts.solution) better(counts.solution);
    else if (bound) deepen(asked.key, bound);
    onProgress?.({ ...counts, bound });
  };
  const { promise, cancel } = (isHint ? port.hint : port.solve)(problemOf(game, options), { onProgress: progress, onBusy });
  const answer = promise.then((found) => {
    raise(found.optimal ? found.length : found.lower_bound);
    // A proved solution needs no bound.
    const told = { ...found, lower_bound: found.optimal ? undefined : bound || undefined };
    if (found.status !== 'solved') return told;
    const best = remember(asked, { ...told, lower_bound: bound, final: isAuto });
    return isAuto ? { ...told, moves: best.moves, length: best.moves.length, optimal: best.optimal } : told;
  });
  return { answer, stop: cancel };
}

/**
 * A slot in which one search runs at a time: each takes a connection to a server, or a worker, and there are few of both.
 * A new one stops the one before.
 */
export function createSearchSlot() {
  /** @type {Search | null} */
  let active = null;
  const stop = () => {
    active?.stop();
    active = null;
  };
  /** @type {(...asked: Parameters<typeof startSearch>) => Promise<any>} */
  const ask = (game, options, callbacks) => {
    stop();
    const mine = startSearch(game, options, callbacks);
    active = mine;
    return mine.answer.finally(() => { if (active === mine) active = null; });
  };
  return { ask, stop, isBusy: () => active !== null };
}

/** A position as it stands now: the game may go on. @param {Game} game */
const askedOf = ({ board, blank, tiles, category, key }) => ({ board, blank, tiles: [...tiles], category, key });

/**
 * Keeps the answer for its position, and soon what is left of it for each position on its way. Returns what is now known of its position.
 * @param {ReturnType<typeof askedOf>} asked @param {{ moves: string, optimal: boolean, lower_bound?: number, final?: boolean }} answer @returns {any} A `Known`: it was learnt just now.
 */
function remember(asked, { moves, optimal, lower_bound: bound = undefined, final = false }) {
  const found = { moves, optimal, bound, final };
  learn(asked.key, found);
  if (!unwalked.length) setTimeout(walk);
  unwalked.push({ asked, found });
  return known.get(asked.key);
}

/** Merges a result into what is known of a position, which only gets better. @param {string} key @param {Known} found */
function learn(key, found) {
  const old = known.get(key);
  const [best, other] = !old || found.moves.length < old.moves.length || (found.optimal && !old.optimal) ? [found, old] : [old, found];
  const bound = best.optimal ? best.moves.length : Math.max(best.bound ?? 0, other?.bound ?? 0) || undefined;
  const optimal = best.optimal || best.moves.length === bound;
  // Moves the entry to the end: the first one is forgotten first.
  known.delete(key);
  known.set(key, { ...best, optimal, bound, final: best.final || Boolean(other?.final) });
}

/** Notes a bound of a position of which a solution is known. @param {string} key @param {number} bound */
function deepen(key, bound) {
  const old = known.get(key);
  if (old && bound > (old.bound ?? 0)) known.set(key, { ...old, bound, optimal: old.optimal || old.moves.length === bound });
}

/** Stores the solutions found for all positions along their way. */
function walk() {
  const solutions = unwalked;
  unwalked = [];
  for (const { asked: { board, blank, tiles, category }, found } of solutions) {
    const at = [...tiles];
    let hole = at.indexOf(0);
    [...found.moves.slice(0, REMEMBERED)].forEach((move, done) => {
      hole = DIRECTIONS.includes(move) ? step(board, at, hole, move) : hole;
      learn(`${category}@${blank}:${at.join('.')}`, { ...found, moves: found.moves.slice(done + 1), bound: found.bound && Math.max(0, found.bound - done - 1) });
    });
  }
  for (const key of known.keys()) {
    if (known.size <= REMEMBERED) break;
    known.delete(key);
  }
}
