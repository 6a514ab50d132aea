// Which scrambles the solver has helped with, and which were begun again. Help belongs to the scramble, not to one game of it: whoever has seen
// the solution knows it in every copy, in the game before a restart, and in another tab.

import { pref, setPref } from './prefs.js';

/** So many are remembered, the latest; each kept game remembers for itself. */
const KEPT = 200;

/** A scramble's name: equal for equal starts of the same board and goal. */
const nameOf = ({ category, blank, start }) => `${category}@${blank}:${start.join('.')}`;

function remembered(list) {
  const names = pref(list, { anew: true });
  return Array.isArray(names) ? names : [];
}

function note(list, game) {
  const name = nameOf(game);
  const known = remembered(list);
  if (!known.includes(name)) setPref(list, [...known, name].slice(-KEPT));
}

/** Notes that the solution of a game's scramble has been seen, or some of it. */
export const noteHelp = (game) => note('helped', game);

/** Notes that a scramble is begun again: who has tried it knows it. */
export const noteAgain = (game) => note('again', game);
export const wasAgain = (game) => remembered('again').includes(nameOf(game));

/** Makes a game a helped one if its scramble is. */
export function recallHelp(game) {
  if (!game.helped && remembered('helped').includes(nameOf(game))) game.helped = true;
}

/** Forgets all of them. */
export function forgetHelp() {
  for (const list of ['helped', 'again']) setPref(list, []);
}
