// The boards that the player asks for, each of which takes the place of the game on the table: another scramble, the same one again, the
// whole picture, another shape or another gap.

import { Game } from './game.js';
import { t } from './i18n.js';
import { pref } from './prefs.js';
import { sameCell, uniform, walk } from './rules.js';
import * as session from './session.js';
import { ask } from './sheets.js';

export function shuffle() {
  const walking = pref('shuffle') === 'walk';
  const { board, blank } = session.current();
  const start = (walking ? walk : uniform)(board, blank, random);
  session.put(new Game({ ...session.settings(), start, origin: walking ? 'walk' : 'scramble' }));
}

/** The same scramble once more; whoever would lose a ranking by that is asked first. */
export async function restart() {
  const game = session.current();
  const isSure = !game.ranked || await ask(t('restart.title'), t('restart.text'), [{ label: t('cancel'), value: false }, { label: t('do.restart'), value: true, kind: 'filled' }]);
  if (isSure && session.current() === game) session.put(game.fromStart());
}

export const reset = () => session.put(new Game(session.settings()));

/** Another board, whole; its blank stays in its corner, or in its cell as far as there is room. @param {number} rows @param {number} cols @param {number[]} wrapRows @param {number[]} wrapCols */
export function reshape(rows, cols, wrapRows = [], wrapCols = [], blank = sameCell(session.current().blank, session.current(), { rows, cols })) {
  const { picture } = session.current();
  session.put(new Game({ rows, cols, wrapRows, wrapCols, blank, picture }));
}

/** Another blank, on the whole picture. @param {number} blank */
export const setBlank = (blank) => { if (blank !== session.current().blank) session.put(new Game({ ...session.settings(), blank })); };

/** A whole number below `limit`, evenly. @param {number} limit */
export function random(limit) {
  const most = Math.floor(0x100000000 / limit) * limit;
  const word = new Uint32Array(1);
  do crypto.getRandomValues(word); while (word[0] >= most);
  return word[0] % limit;
}
