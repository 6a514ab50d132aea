// Which scrambles the solver has helped with, and which the player has tried. Both belong to the scramble, not to one game of it: whoever has
// seen the solution, or found one, knows it in every copy, in the game before a restart, and in another tab.

import { pref, setPref } from './prefs.js';

/** So many are remembered, the latest; each kept game remembers for itself. */
const KEPT = 500;

/** A scramble's name: equal for equal starts of the same board and goal. */
const nameOf = ({ category, blank, start }) => `${category}@${blank}:${start.join('.')}`;

function remembered(list) {
  const names = pref(list, { anew: true });
  return Array.isArray(names) ? names : [];
}

function note(list, name) {
  const known = remembered(list);
  if (!known.includes(name)) setPref(list, [...known, name].slice(-KEPT));
}

/** Notes that the solution of a game's scramble has been seen, or some of it. */
export const noteHelp = (game) => note('helped', nameOf(game));

/** A finished game's name: undone and finished once more, it is still the same go. */
const goOf = (game) => `${nameOf(game)}#${game.id}`;

/** Notes that a game, which has an id, was finished: another of its scramble is another go. */
export const noteFinished = (game) => note('again', goOf(game));

/** The games of which that is noted: it is said of each move. */
const noted = new WeakSet();

/** Notes that a game is played whose scramble was tried before: then no game of it is the only go. */
export function noteAgain(game) {
  if (!game.again || noted.has(game)) return;
  noted.add(game);
  note('again', nameOf(game));
}

/** Whether a game's scramble has been tried in another game. */
export function wasAgain(game) {
  const [name, own] = [nameOf(game), goOf(game)];
  return game.again || remembered('again').some((known) => known === name || (known.startsWith(`${name}#`) && known !== own));
}

/** A scramble that was just dealt is new to the player, also where chance has dealt it before: of 2×2 there are only twelve. */
export function noteDealt(game) {
  const name = nameOf(game);
  for (const list of ['helped', 'again']) {
    const known = remembered(list);
    const others = known.filter((one) => one !== name && !one.startsWith(`${name}#`));
    if (others.length < known.length) setPref(list, others);
  }
}

/** Makes a game a helped one if its scramble is. */
export function recallHelp(game) {
  if (!game.helped && remembered('helped').includes(nameOf(game))) game.helped = true;
}

/** Forgets all of them. */
export function forgetHelp() {
  for (const list of ['helped', 'again']) setPref(list, []);
}
