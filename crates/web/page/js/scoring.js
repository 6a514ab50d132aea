// Which games set records, and how a player stands. Pure; the golden vectors say what must come out.

import { ORIGINS, readSave } from './save.js';
import { play, shape, solved } from './rules.js';
/** @import { Save } from './save.js' */

/** No input device delivers more than 500 steps a second. */
const QUICKEST_STEP_MILLIS = 2;

/** Why a save sets no record, as the server's code; null when it does. @param {any} save */
export function refusal(save) {
  let steps;
  try {
    steps = readSave(save);
  } catch (error) {
    return error.code;
  }
  if ((save.origin ?? ORIGINS[0]) !== ORIGINS[0]) return 'not-ranked';
  if (save.helped) return 'record-helped';
  if (save.restarted) return 'not-ranked';
  const whole = solved(play(steps.board, save.start, save.moves), save.blank);
  const quick = save.millis < (steps.past.length - 1) * QUICKEST_STEP_MILLIS;
  return steps.past.length && whole && !steps.ahead.length && !quick ? null : 'record-refused';
}

/**
 * Why a finished game sets no record and enters no average; null when it counts. Where its start comes from is said first ('link', 'daily',
 * 'file', 'lab', 'walk'), then 'helped', 'again' (not the only go at its scramble) and 'refused' (faster than a hand can move). @param {Save} save
 */
export function whyNot(save) {
  if (save.origin && save.origin !== ORIGINS[0]) return save.origin;
  if (save.helped) return 'helped';
  if (save.restarted) return 'again';
  return refusal(save) ? 'refused' : null;
}

export const categoryOf = (/** @type {Save} */ save) => category(shape(save.rows, save.cols, save.wrap_rows ?? [], save.wrap_cols ?? []));

/** A name for a kind of board: where its blank ends makes no difference. @param {import('./rules.js').Shape} shape */
export function category({ rows, cols, wrapRows, wrapCols }) {
  const wraps = wrapRows.length || wrapCols.length ? `+${wrapRows.join('.')}|${wrapCols.join('.')}` : '';
  return `${rows}x${cols}${wraps}`;
}

export const sameStart = (/** @type {Save} */ a, /** @type {Save} */ b) => a.blank === b.blank && a.start.join() === b.start.join() && categoryOf(a) === categoryOf(b);

/** Whether two saves are one game: the same moves from the same start in the same time. @param {Save} a @param {Save} b */
export const sameGame = (a, b) => a.millis === b.millis && a.moves === b.moves && sameStart(a, b);

/** Whether what is kept of a game is of this one: by its id where both have one, for a game undone after its end and finished once more is still one game. */
export const isOf = (/** @type {{ of?: string | null, game: Save }} */ kept, /** @type {string | null} */ id, /** @type {Save} */ save) => (kept.of && id ? kept.of === id : sameGame(kept.game, save));

/** The number of times that an average of `n` leaves out at each end: a twentieth, rounded up. @param {number} n */
export const leftOutOf = (n) => Math.ceil(n / 20);

/** The mean without the best and the worst, rounded. @param {number[]} times */
function trimmed(times) {
  const out = leftOutOf(times.length);
  const kept = [...times].sort((a, b) => a - b).slice(out, times.length - out);
  return Math.round(kept.reduce((a, b) => a + b, 0) / kept.length);
}

/** The averages of each `n` times in a row, from the oldest to the newest. @param {number[]} times @param {number} n */
export const averages = (times, n) => times.slice(n - 1).map((_, i) => trimmed(times.slice(i, i + n)));
const best = (/** @type {any[]} */ list, /** @type {(a: any, b: any) => boolean} */ before) => list.reduce((found, item) => (!found || before(item, found) ? item : found), null);

/** The player's bests and averages on one kind of board, of its records from the oldest to the newest. @param {any[]} list */
export function standing(list) {
  const times = list.map(({ millis }) => millis);
  const [fives, twelves] = [averages(times, 5), averages(times, 12)];
  return {
    games: list.length,
    time: best(list, (a, b) => a.millis < b.millis || (a.millis === b.millis && a.moves < b.moves)),
    moves: best(list, (a, b) => a.moves < b.moves || (a.moves === b.moves && a.millis < b.millis)),
    ao5: fives.at(-1) ?? null,
    ao12: twelves.at(-1) ?? null,
    bestAo5: fives.length ? Math.min(...fives) : null,
    bestAo12: twelves.length ? Math.min(...twelves) : null,
  };
}
