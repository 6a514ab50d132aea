// The boards that the player asks for, each of which takes the place of the game on the table: another scramble, the same one again, the
// whole picture, another shape or another gap.

import { Game } from './game.js';
import { noteDealt } from './helped.js';
import { pref } from './prefs.js';
import { uniform, walk } from './rules.js';
import * as session from './session.js';

/** A new scramble of the same board. */
export function shuffle() {
  const walking = pref('shuffle') === 'walk';
  const { board, blank } = session.current();
  const start = (walking ? walk : uniform)(board, blank, random);
  const dealt = new Game({ ...session.settings(), start, origin: walking ? 'walk' : 'scramble' });
  noteDealt(dealt);
  session.put(dealt);
}

/** The same scramble again. */
export const restart = () => session.put(session.current().restarted());

/** Back to the whole picture. */
export const reset = () => session.put(new Game(session.settings()));

/** Another board, whole. Where its blank was a corner, it is the same corner. */
export function reshape(rows, cols, wrapRows = [], wrapCols = []) {
  const { blank: before, picture } = session.current();
  const blank = before === 0 ? 0 : rows * cols - 1;
  session.put(new Game({ rows, cols, wrapRows, wrapCols, blank, picture }));
}

/** Another blank, on the whole picture. */
export const setBlank = (blank) => session.put(new Game({ ...session.settings(), blank }));

/** A whole number below `limit`, evenly. */
export function random(limit) {
  const most = Math.floor(0x100000000 / limit) * limit;
  const word = new Uint32Array(1);
  do crypto.getRandomValues(word); while (word[0] >= most);
  return word[0] % limit;
}
