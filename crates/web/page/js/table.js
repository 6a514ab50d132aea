// The board on which the game is played, its picture, and the desk at which its searches are asked.

import { createBoard } from './board.js';
import { $ } from './dom.js';
import { slide } from './gestures.js';
import { onLanguage, t } from './i18n.js';
import { isClassic, pictureUrl } from './pictures.js';
import { chooseBlank } from './rail.js';
import { createDesk } from './search.js';
import * as session from './session.js';
import { announce, toast } from './sheets.js';

export const desk = createDesk();

/** @type {ReturnType<typeof createBoard>} */
let made;
export const board = () => made;

/** Moves the tile that can go in this direction; false when none can. */
export const moveTile = (direction) => session.play(slide(session.current(), direction));

async function showPicture() {
  const game = session.current();
  const { picture } = game;
  const { url, missing } = await pictureUrl(picture, game);
  if (session.current() !== game || game.picture !== picture) return;
  $('board').classList.toggle('classic', isClassic(picture));
  made.paint(url);
  $('peek-view').style.backgroundImage = `url("${url}")`;
  if (missing) toast(t('picture.missing'));
}

export function initTable() {
  made = createBoard($('board'), session.current, { onRun: session.play, onWholeTap: chooseBlank, onIdleTap: () => announce(t('caption.won')) });
  session.on('game', made.build);
  session.on('moved', made.follow);
  session.on('phase', made.join);
  session.follow(['game', 'picture'], showPicture);
  onLanguage(made.speak);
}
