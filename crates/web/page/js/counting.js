// What counts: the one rule by which a finished game sets records and enters averages. Whoever judges a game, or says why it does not
// count, asks here.

import { wasAgain } from './helped.js';
import { refusal } from './ranking.js';
import { ORIGINS } from './save.js';

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
