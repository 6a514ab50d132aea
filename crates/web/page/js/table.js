// The board on which the game is played, and its picture.

import { createBoard, markEdges } from './board.js';
import { $ } from './dom.js';
import { slide } from './gestures.js';
import { onLanguage, t } from './i18n.js';
import { offerAgain } from './later.js';
import { isClassic, paintOf, pictureUrl } from './pictures.js';
import { pref, setPref } from './prefs.js';
import { setBlank } from './deals.js';
import { neighbour, OPPOSITE, wraps } from './rules.js';
import * as session from './session.js';
import { announce, toast } from './sheets.js';

/** @type {ReturnType<typeof createBoard>} */
let made;
export const board = () => made;

/** Moves the tile that can go in this direction; false when none can. @param {string} direction */
export const moveTile = (direction) => session.play(slide(session.current(), direction));

/** Gives the page the board's shape: the frame, the goal and whatever shows the whole picture take it. Open edges are marked. */
async function showShape() {
  const { rows, cols, board: shape } = session.current();
  document.documentElement.style.setProperty('--rows', String(rows));
  document.documentElement.style.setProperty('--cols', String(cols));
  document.documentElement.classList.toggle('open-edges', wraps(shape));
  $('wraps').replaceChildren();
  if (wraps(shape)) await markEdges(() => session.current().board);
}

async function showPicture() {
  const game = session.current();
  const { picture } = game;
  const found = await pictureUrl(picture, game).catch((error) => { void offerAgain(paintOf(picture), showPicture, error); return null; });
  if (!found || session.current() !== game || game.picture !== picture) return;
  $('board').classList.toggle('classic', isClassic(picture));
  made.paint(found);
  for (const id of ['peek-view', 'goal']) $(id).style.backgroundImage = `url("${found.url}")`;
  if (found.missing) toast(() => t('picture.missing'));
}

export function initTable() {
  session.follow(['game'], showShape);
  made = createBoard($('board'), session.current, { onRun: session.play, onWholeTap: setBlank, onIdleTap: () => announce(t('caption.won')) });
  session.on('game', made.build);
  session.on('moved', made.follow);
  session.on('phase', made.join);
  session.follow(['game', 'picture'], showPicture);
  onLanguage(made.speak);
  session.on('moved', say);
  initOverlays();
}

function say(/** @type {{ run: string, source: string }} */ { run, source }) {
  const game = session.current();
  if (source === 'playback' || game.solved) return;
  if (pref('calm')) announce(isBack(run) ? t('say.calmBack') : t('say.calm', { way: t(`way.${OPPOSITE[run[0]]}`) }));
  else announce(t('say.move', { what: what(game, run), moves: t('moves', { count: game.count }), misplaced: game.misplaced }));
}

/** A run of the player's own goes one way. */
const isBack = (/** @type {string} */ run) => [...run].some((letter) => letter !== run[0]);

function what(/** @type {import('./game.js').Game} */ game, /** @type {string} */ run) {
  if (isBack(run)) return t('say.back', { count: run.length });
  const way = t(`way.${OPPOSITE[run[0]]}`);
  if (run.length > 1) return t('say.run', { count: run.length, way });
  // The tile that was slid lies where the blank came from.
  return t('say.tile', { tile: game.tiles[neighbour(game.board, game.hole, OPPOSITE[run])], way });
}

/** Shows the whole picture, or hides it again. @param {boolean} on */
export function setPeek(on) {
  $('peek-view').classList.toggle('on', on);
  $('peek').classList.toggle('held', on);
}

function initOverlays() {
  for (const name of ['numbers', 'homeward']) {
    const button = $(`show-${name}`);
    const show = () => {
      $('board').classList.toggle(name, pref(name));
      button.setAttribute('aria-pressed', String(pref(name)));
    };
    button.addEventListener('click', () => { setPref(name, !pref(name)); show(); });
    show();
  }
  const peek = $('peek');
  // The goal picture can be held as well: it grows over the board.
  for (const node of [peek, $('goal')]) {
    node.addEventListener('pointerdown', () => setPeek(true));
    for (const name of ['pointerup', 'pointercancel', 'pointerleave', 'blur']) node.addEventListener(name, () => setPeek(false));
    node.addEventListener('contextmenu', (/** @type {Event} */ event) => event.preventDefault());
  }
  peek.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => { if (event.key === ' ' || event.key === 'Enter') setPeek(true); });
  peek.addEventListener('keyup', () => setPeek(false));
}
