// The puzzle of a day: the same board for everybody, by the date alone. What is written here never changes, or people
// would not play the same board: another rule gets another name.

import { Game } from '../js/game.js';
import { shape, uniform } from '../js/rules.js';

/** From Sunday to Saturday: the week begins lightly and ends with the largest. */
const SIZES = [[5, 5], [3, 3], [3, 4], [4, 4], [3, 5], [4, 4], [4, 5]];
const PICTURES = ['dawn', 'mist', 'night', 'spring', 'pond', 'panda', 'glaze'];
/** 1 January 1970 was a Thursday. */
const FIRST_WEEKDAY = 4;
const DAY_MILLIS = 86_400_000;

const two = (/** @type {number} */ n) => String(n).padStart(2, '0');

/** A calendar date as 2026-11-16: the player's own, not that of Greenwich. @param {Date} time */
export const dateOf = (time) => `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;

export const today = () => dateOf(new Date());

/** The milliseconds from now until the player's calendar shows the day after a date. @param {string} date */
export function untilNext(date) {
  const [year, month, day] = date.split('-').map(Number);
  return Math.max(0, new Date(year, month - 1, day + 1).getTime() - Date.now()) + 1;
}

/** The number of a date since 1970. @param {string} date */
export function numberOf(date) {
  const [year, month, day] = date.split('-').map(Number);
  return Date.UTC(year, month - 1, day) / DAY_MILLIS;
}

/** The date so many days after another. @param {string} date @param {number} days */
export const plus = (date, days) => new Date((numberOf(date) + days) * DAY_MILLIS).toISOString().slice(0, 10);

/** Which of seven it is a number's turn for; a clock that was never set may be before 1970. @param {any[]} list @param {number} number */
const inTurn = (list, number) => list[((number % 7) + 7) % 7];

/** The puzzle of a date: its sides, its picture, and its seed, which is the date's digits. @param {string} date */
export function planOf(date) {
  const number = numberOf(date);
  const [rows, cols] = inTurn(SIZES, number + FIRST_WEEKDAY);
  return { rows, cols, blank: rows * cols - 1, picture: `builtin:${inTurn(PICTURES, number + Math.floor(number / 7))}`, seed: Number(date.replaceAll('-', '')) };
}

/** The arrangement of a date: what `pintu generate --size ROWSxCOLS --seed YYYYMMDD` gives. @param {string} date */
export function startOf(date) {
  const { rows, cols, blank, seed } = planOf(date);
  return uniform(shape(rows, cols), blank, seeded(seed));
}

/** The game of a date. Anybody can know it beforehand: it sets no record. @param {string} date */
export function gameOf(date) {
  const { rows, cols, picture } = planOf(date);
  return new Game({ rows, cols, start: startOf(date), picture, origin: 'daily' });
}

/** The day, among the last ones, whose puzzle a game is, begun here or by a link; else null. @param {Game} game */
export function dayOf(game, last = today(), days = 60) {
  if (!['daily', 'link'].includes(game.origin)) return null;
  const { rows, cols, wrapRows, wrapCols } = game.board;
  if (game.blank !== rows * cols - 1 || wrapRows.length || wrapCols.length) return null;
  const start = game.start.join();
  for (let back = 0; back < days; back += 1) {
    const date = plus(last, -back);
    const plan = planOf(date);
    if (plan.rows === rows && plan.cols === cols && startOf(date).join() === start) return date;
  }
  return null;
}

/** "expand 32-byte k", as the cipher's authors chose it. */
const SIGMA = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
const ROUNDS = 8;
const COLUMNS = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]];
const DIAGONALS = [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];

/**
 * Whole numbers below a limit, evenly, from a seed below 2³².
 * @param {number} seed
 * @returns {(limit: number) => number}
 */
export function seeded(seed) {
  const key = [seed >>> 0, 0, 0, 0, 0, 0, 0, 0];
  let counter = 0;
  /** @type {number[]} */ let words = [];
  const next = () => {
    if (!words.length) words = block(key, counter++);
    return /** @type {number} */ (words.shift());
  };
  return (limit) => {
    const fair = 0xffffffff - (0xffffffff % limit);
    for (;;) {
      const word = next();
      if (word < fair) return word % limit;
    }
  };
}

/** Sixteen words of the stream. @param {number[]} key @param {number} counter */
export function block(key, counter, rounds = ROUNDS) {
  const start = [...SIGMA, ...key, counter, 0, 0, 0];
  const state = Uint32Array.from(start);
  for (let round = 0; round < rounds; round += 1) for (const [a, b, c, d] of round % 2 ? DIAGONALS : COLUMNS) quarter(state, a, b, c, d);
  return Array.from(state, (word, i) => (word + start[i]) >>> 0);
}

/** @param {Uint32Array} state @param {number} a @param {number} b @param {number} c @param {number} d */
function quarter(state, a, b, c, d) {
  for (const [to, from, mixed, turn] of [[a, b, d, 16], [c, d, b, 12], [a, b, d, 8], [c, d, b, 7]]) {
    state[to] += state[from];
    const word = state[mixed] ^ state[to];
    state[mixed] = (word << turn) | (word >>> (32 - turn));
  }
}

/**
 * A day that was solved; `run` is the game that is still to be sent for the ranking.
 * @typedef {{ id: string, on: string, millis: number, moves: number, helped: boolean, size: string, picture: string, run?: import('../js/save.js').Save, problem?: any }} Day
 */
/** Whether a day counts: solved on that day, without help. @param {Pick<Day, 'id' | 'on' | 'helped'>} day */
export const counts = (day) => Boolean(day) && !day.helped && day.on === day.id;

/**
 * The days in a row up to today, or up to yesterday while today's is not solved, the first of them, and the longest row there was.
 * @param {{ id: string, on: string, helped: boolean }[]} days
 * @param {string} date Today's.
 */
export function streaks(days, date) {
  const solved = new Set(days.filter(counts).map(({ id }) => id));
  const run = (/** @type {string} */ last) => {
    let length = 0;
    while (solved.has(plus(last, -length))) length += 1;
    return length;
  };
  const last = solved.has(date) ? date : plus(date, -1);
  const now = run(last);
  return { now, since: plus(last, 1 - now), best: Math.max(0, ...[...solved].map(run)) };
}

/** Keeps the better of two goes at a day: one that counts, then one without help. Else the first stays: who has solved it knows it. @param {Day | undefined} old @param {Day} fresh */
export function better(old, fresh) {
  const rank = (/** @type {Day} */ day) => (counts(day) ? 0 : day.helped ? 2 : 1);
  return !old || rank(fresh) < rank(old) ? fresh : old;
}

/**
 * Which sizes of each picture were solved without help, smallest first. @param {import('../js/records.js').RecordEntry[]} records @param {Day[]} days
 * @returns {Map<string, string[]>}
 */
export function progress(records, days) {
  const found = new Map();
  const add = (/** @type {string} */ picture, /** @type {string} */ size) => found.set(picture, (found.get(picture) ?? new Set()).add(size));
  for (const { category, game } of records) if (!category.includes('+')) add(game.picture, category.replace('x', '×'));
  for (const { picture, size, helped } of days) if (!helped) add(picture, size);
  const area = (/** @type {string} */ size) => size.split('×').reduce((a, b) => a * Number(b), 1);
  return new Map([...found].map(([picture, sizes]) => [picture, [...sizes].sort((a, b) => area(a) - area(b) || a.localeCompare(b))]));
}
