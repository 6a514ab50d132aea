// What was solved: the days in a row, and the sizes of each picture.

import { plus } from './day.js';

/** Whether a day counts: solved on that day, without help. */
export const counts = (day) => Boolean(day) && !day.helped && day.on === day.id;

/**
 * The days in a row up to today, or up to yesterday while today's is not solved, and the longest row there was.
 * @param {{ id: string, on: string, helped: boolean }[]} days
 * @param {string} today
 */
export function streaks(days, today) {
  const solved = new Set(days.filter(counts).map(({ id }) => id));
  const run = (date) => {
    let length = 0;
    while (solved.has(plus(date, -length))) length += 1;
    return length;
  };
  return { now: run(today) || run(plus(today, -1)), best: Math.max(0, ...[...solved].map(run)) };
}

/** Keeps the better of two goes at a day: one that counts, then one without help. Else the first stays: who has solved it knows it. */
export function better(old, fresh) {
  const rank = (day) => (counts(day) ? 0 : day.helped ? 2 : 1);
  return !old || rank(fresh) < rank(old) ? fresh : old;
}

/**
 * Which sizes of each picture were solved without help, smallest first.
 * @returns {Map<string, string[]>}
 */
export function progress(records, days) {
  const found = new Map();
  const add = (picture, size) => found.set(picture, (found.get(picture) ?? new Set()).add(size));
  for (const { category, game } of records) if (!category.includes('+')) add(game.picture, category.replace('x', '×'));
  for (const { picture, size, helped } of days) if (!helped) add(picture, size);
  const area = (size) => size.split('×').reduce((a, b) => a * Number(b), 1);
  return new Map([...found].map(([picture, sizes]) => [picture, [...sizes].sort((a, b) => area(a) - area(b) || a.localeCompare(b))]));
}
