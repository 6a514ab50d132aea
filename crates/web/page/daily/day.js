// The puzzle of a day: the same board for everybody, by the date alone. What is written here never changes, or people
// would not play the same board: another rule gets another name.

import { Game } from '../js/game.js';
import { shape, uniform } from '../js/rules.js';
import { seeded } from './chacha.js';

/** From Sunday to Saturday: the week begins lightly and ends with the largest. */
const SIZES = [[5, 5], [3, 3], [3, 4], [4, 4], [3, 5], [4, 4], [4, 5]];
const PICTURES = ['dawn', 'mist', 'night', 'spring', 'pond', 'panda', 'glaze'];
/** 1 January 1970 was a Thursday. */
const FIRST_WEEKDAY = 4;
const DAY_MILLIS = 86_400_000;

const two = (n) => String(n).padStart(2, '0');

/** A calendar date as 2026-11-16: the player's own, not that of Greenwich. */
export const dateOf = (time) => `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;

export const today = () => dateOf(new Date());

/** The milliseconds from now until the player's calendar shows the day after a date. */
export function untilNext(date) {
  const [year, month, day] = date.split('-').map(Number);
  return Math.max(0, new Date(year, month - 1, day + 1).getTime() - Date.now()) + 1;
}

/** The number of a date since 1970. */
export function numberOf(date) {
  const [year, month, day] = date.split('-').map(Number);
  return Date.UTC(year, month - 1, day) / DAY_MILLIS;
}

/** The date so many days after another. */
export const plus = (date, days) => new Date((numberOf(date) + days) * DAY_MILLIS).toISOString().slice(0, 10);

/** Which of seven it is a number's turn for; a clock that was never set may be before 1970. */
const inTurn = (list, number) => list[((number % 7) + 7) % 7];

/** What is played on a date: its sides, its picture, and its seed, which is the date's own figures. */
export function planOf(date) {
  const number = numberOf(date);
  const [rows, cols] = inTurn(SIZES, number + FIRST_WEEKDAY);
  return { rows, cols, blank: rows * cols - 1, picture: `builtin:${inTurn(PICTURES, number + Math.floor(number / 7))}`, seed: Number(date.replaceAll('-', '')) };
}

/** The arrangement of a date: what `pintu generate --size ROWSxCOLS --seed YYYYMMDD` gives. */
export function startOf(date) {
  const { rows, cols, blank, seed } = planOf(date);
  return uniform(shape(rows, cols), blank, seeded(seed));
}

/** The game of a date. Anybody can know it beforehand: it sets no record. */
export function gameOf(date) {
  const { rows, cols, picture } = planOf(date);
  return new Game({ rows, cols, start: startOf(date), picture, origin: 'daily' });
}

/** Of which of the last so many days a game is, begun here or by a link; null when of none. */
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
