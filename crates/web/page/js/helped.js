// Which scrambles the solver has helped with. Help belongs to the scramble, not to one game of it: whoever has seen
// the solution knows it in every copy, in the game before a restart, and in another tab.

import { pref, setPref } from './prefs.js';

/** So many are remembered, the latest; each kept game remembers for itself. */
const KEPT = 200;

/** A scramble's name: equal for equal starts of the same board and goal. */
const nameOf = ({ category, blank, start }) => `${category}@${blank}:${start.join('.')}`;

function remembered() {
  const names = pref('helped', { anew: true });
  return Array.isArray(names) ? names : [];
}

/** Notes that the solution of a game's scramble has been seen, or some of it. */
export function noteHelp(game) {
  const name = nameOf(game);
  const known = remembered();
  if (!known.includes(name)) setPref('helped', [...known, name].slice(-KEPT));
}

/** Makes a game a helped one if its scramble is. */
export function recallHelp(game) {
  if (!game.helped && remembered().includes(nameOf(game))) game.helped = true;
}

/** Forgets all of them. */
export const forgetHelp = () => setPref('helped', []);
