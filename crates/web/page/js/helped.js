// Which scrambles the solver has helped with, and which the player has tried. Both belong to the scramble, not to one game of it: whoever has
// seen the solution, or found one, knows it in every copy, in the game before a restart, and in another tab.

import { pref, setPref } from './prefs.js';
import { refusal } from './ranking.js';
import { ORIGINS } from './save.js';
/** @import { Game } from './game.js' */

/** So many are remembered, the latest; each kept game remembers for itself. */
const KEPT = 500;

/** A scramble's name: equal for equal starts of the same board and goal. @param {Game} game */
const nameOf = ({ category, blank, start }) => `${category}@${blank}:${start.join('.')}`;

function remembered(/** @type {string} */ list) {
  const names = pref(list, { anew: true });
  return Array.isArray(names) ? names : [];
}

function note(/** @type {string} */ list, /** @type {string} */ name) {
  const known = remembered(list);
  if (!known.includes(name)) setPref(list, [...known, name].slice(-KEPT));
}

/** Notes that the solution of a game's scramble has been seen, or some of it. @param {Game} game */
export const noteHelp = (game) => note('helped', nameOf(game));

/** A finished game's name: undone and finished once more, it is still the same go. @param {Game} game */
const goOf = (game) => `${nameOf(game)}#${game.id}`;

/** Notes that a game, which has an id, was finished: another of its scramble is another go. @param {Game} game */
export const noteFinished = (game) => note('again', goOf(game));

/** The games of which that is noted: it is said of each move. */
const noted = new WeakSet();

/** Notes that a game is played whose scramble was tried before: then no game of it is the only go. @param {Game} game */
export function noteAgain(game) {
  if (!game.again || noted.has(game)) return;
  noted.add(game);
  note('again', nameOf(game));
}

/** Whether a game's scramble has been tried in another game. @param {Game} game */
export function wasAgain(game) {
  const [name, own] = [nameOf(game), goOf(game)];
  return game.again || remembered('again').some((known) => known === name || (known.startsWith(`${name}#`) && known !== own));
}

/** A scramble that was just dealt is new to the player, also where chance has dealt it before: of 2×2 there are only twelve. @param {Game} game */
export function noteDealt(game) {
  const name = nameOf(game);
  for (const list of ['helped', 'again']) {
    const known = remembered(list);
    const others = known.filter((one) => one !== name && !one.startsWith(`${name}#`));
    if (others.length < known.length) setPref(list, others);
  }
}

/** Makes a game a helped one if its scramble is. @param {Game} game */
export function recallHelp(game) {
  if (!game.helped && remembered('helped').includes(nameOf(game))) game.helped = true;
}

/** @typedef {{ moves: number, millis: number, helped: boolean }} Result */

/** Results to beat that are remembered, the latest. */
const MOST_CHALLENGES = 50;

/** Notes somebody's result of a game's scramble, as a link brought it, if it brought one. @param {import('./game.js').Game} game @param {Result | null} result */
export function noteChallenge(game, result) {
  if (!result) return;
  const { [nameOf(game)]: _, ...others } = pref('challenges', { anew: true });
  setPref('challenges', Object.fromEntries([...Object.entries(others), [nameOf(game), result]].slice(-MOST_CHALLENGES)));
}

/** The result to beat in a game, if somebody has sent one. @param {import('./game.js').Game} game @returns {Result | null} */
export const challengeOf = (game) => (game.origin === 'link' && pref('challenges')[nameOf(game)]) || null;

export function forgetHelp() {
  for (const list of ['helped', 'again']) setPref(list, []);
  setPref('challenges', {});
}

/**
 * Why a finished game sets no record and enters no average; null when it counts. Where its start comes from is said first ('link', 'daily',
 * 'file', 'lab', 'walk'), then 'helped', 'back' (came from the server, which knows no other goes), 'again' (not the only go at its scramble) and 'refused' (faster than a hand can move).
 * @param {import('./game.js').Game} game
 */
export function whyNot(game) {
  if (game.origin !== ORIGINS[0]) return game.origin;
  if (game.helped) return 'helped';
  if (game.again === 'back') return 'back';
  if (wasAgain(game)) return 'again';
  return refusal(game.toSave()) ? 'refused' : null;
}
