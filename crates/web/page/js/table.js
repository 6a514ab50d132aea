// The board on which the game is played, and its picture.

import { createBoard } from './board.js';
import { $ } from './dom.js';
import { slide } from './gestures.js';
import { onLanguage, t } from './i18n.js';
import { part } from './later.js';
import { isClassic, pictureUrl } from './pictures.js';
import { chooseBlank } from './rail.js';
import { wraps } from './rules.js';
import * as session from './session.js';
import { announce, toast } from './sheets.js';

/** @type {ReturnType<typeof createBoard>} */
let made;
export const board = () => made;

/** Moves the tile that can go in this direction; false when none can. */
export const moveTile = (direction) => session.play(slide(session.current(), direction));

/** Gives the page the board's shape: the frame, the goal and whatever shows the whole picture take it. Open edges are marked. */
async function showShape() {
  const { rows, cols, board: shape } = session.current();
  document.documentElement.style.setProperty('--rows', String(rows));
  document.documentElement.style.setProperty('--cols', String(cols));
  document.documentElement.classList.toggle('open-edges', wraps(shape));
  $('wraps').replaceChildren();
  if (wraps(shape)) (await part('wraps')).markEdges(() => session.current().board);
}

async function showPicture() {
  const game = session.current();
  const { picture } = game;
  const found = await pictureUrl(picture, game);
  if (session.current() !== game || game.picture !== picture) return;
  $('board').classList.toggle('classic', isClassic(picture));
  made.paint(found);
  for (const id of ['peek-view', 'goal']) $(id).style.backgroundImage = `url("${found.url}")`;
  if (found.missing) toast(() => t('picture.missing'));
}

export function initTable() {
  session.follow(['game'], showShape);
  made = createBoard($('board'), session.current, { onRun: session.play, onWholeTap: chooseBlank, onIdleTap: () => announce(t('caption.won')) });
  session.on('game', made.build);
  session.on('moved', made.follow);
  session.on('phase', made.join);
  session.follow(['game', 'picture'], showPicture);
  onLanguage(made.speak);
}
