// The buttons of the rail and the bar, and the keys: what each of them does to the game.

import * as deals from './deals.js';
import { $ } from './dom.js';
import { t } from './i18n.js';
import { openSaves, rest } from './later.js';
import { closeMore, openMore, setSize } from './rail.js';
import * as session from './session.js';
import { announce, toast } from './sheets.js';
import { board, moveTile, setPeek } from './table.js';

function undo() {
  const done = session.undo();
  if (done === 'game') toast(() => t('toast.broughtBack'));
  else if (!done) announce(t('undo.none'));
}

function redo() {
  const done = session.redo();
  if (done === 'game') toast(() => t('toast.wentOn'));
  else if (!done) announce(t('redo.none'));
}

function move(/** @type {string} */ way) {
  if (!moveTile(way) && session.current().fresh) announce(t('caption.whole'));
}

const solve = async () => (await rest()).solveNow();
const hint = async () => (await rest()).hint();

/** The module that plays films, once it is loaded. @type {typeof import('./film.js') | null} */
let film = null;
const meetFilm = async () => { if (session.phase() === 'playback') film ??= (await rest()).film; };

function escape() {
  if (film?.isPlaying()) film.leave();
  else {
    session.enough();
    board().clearPointers();
  }
}

/** The buttons that replace the game. After a click Space and Enter belong to the game again: they press these buttons only if Tab brought the focus there. */
function initMuting() {
  let walks = true;
  const swallow = (/** @type {KeyboardEvent & { target: any }} */ event) => { if (!walks && (event.key === ' ' || event.key === 'Enter') && event.target.closest?.('[data-anew]')) event.preventDefault(); };
  document.addEventListener('keydown', (event) => { walks ||= event.key === 'Tab'; swallow(event); });
  document.addEventListener('keyup', swallow);
  document.addEventListener('pointerdown', () => { walks = false; }, true);
}

export const actions = {
  move, undo, redo, hint, escape,
  shuffle: deals.shuffle,
  restart: () => { if (session.current().count) deals.restart(); },
  save: () => openSaves({ naming: true }),
  playPause: () => film?.toggle(),
  stepBack: () => film?.step(-1),
  stepOn: () => film?.step(1),
  peek: () => setPeek(true),
  unpeek: () => setPeek(false),
  size1: () => setSize(3), size2: () => setSize(4), size3: () => setSize(5),
};

export function initControls() {
  const acts = { shuffle: deals.shuffle, restart: deals.restart, reset: deals.reset, undo, redo, hint };
  for (const [id, run] of Object.entries(acts)) $(id).addEventListener('click', () => { closeMore(); run(); });
  for (const id of ['thumbs', 'sizes']) $(id).addEventListener('click', (/** @type {MouseEvent & { target: any }} */ event) => { if (event.target.closest('button')) closeMore(); });
  $('save').addEventListener('click', () => openSaves({ naming: true }));
  $('load').addEventListener('click', () => openSaves());
  $('share').addEventListener('click', async () => (await rest()).openShare());
  $('show-left').addEventListener('click', async () => (await rest()).toggleLeft());
  $('solve').addEventListener('click', () => { closeMore(); void solve(); });
  /** @type {Record<string, () => any>} */
  const bar = { ...acts, solve, more: openMore };
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.bar [data-does]'))) button.addEventListener('click', () => bar[button.dataset.does ?? '']?.());
  session.on('phase', meetFilm);
  initMuting();
}
