// Brings the parts together.

import * as api from './api.js';
import { clearPointers, initBoard, paint } from './board.js';
import { $ } from './dom.js';
import { Game } from './game.js';
import { initGestures, moveTile } from './gestures.js';
import { hint, initHints } from './hints.js';
import { initHud } from './hud.js';
import { t } from './i18n.js';
import { initKeys } from './keys.js';
import { initLookalike } from './lookalike.js';
import { initPicker } from './picker.js';
import { pictureUrl, setOwnSource } from './pictures.js';
import * as playback from './playback.js';
import { pref, setPref } from './prefs.js';
import { chooseBlank, initRail, openMore, setSize } from './rail.js';
import { drawRecords, initRecords, loadRecords } from './records.js';
import { initSaves, autosave, lastGame, openFile, openSaves } from './saves.js';
import * as session from './session.js';
import { initSettings, openHelp } from './settings.js';
import { initSharing, openFromAddress } from './sharing.js';
import { announce, toast } from './sheets.js';
import { initSolver, solveNow, stopAll } from './solver.js';
import { adoptRecords, flush, ownPicture } from './sync.js';
import { initWin, replay } from './win.js';

const WAYS = { U: 'D', D: 'U', L: 'R', R: 'L' };

const place = () => document.body.dataset.place;

/** Shows one of the page's places without loading anything. */
function go(name, push = true) {
  document.body.dataset.place = name;
  $('play').hidden = name !== 'play';
  $('records').hidden = name !== 'records';
  for (const link of document.querySelectorAll('.places a')) {
    if (link.dataset.place === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (name === 'records') drawRecords();
  if (name !== 'play') session.pause();
  if (push) history.pushState(null, '', name === 'play' ? '/' : `/${name}`);
}

function initPlaces() {
  document.addEventListener('click', (event) => {
    const link = event.target.closest('a[data-place]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link.dataset.place);
  });
  const fromAddress = () => go(location.pathname === '/records' ? 'records' : 'play', false);
  addEventListener('popstate', fromAddress);
  fromAddress();
}

async function showPicture() {
  const { picture } = session.current();
  const { url, missing } = await pictureUrl(picture);
  if (session.current().picture !== picture) return;
  paint(url);
  if (missing) toast(t('picture.missing'));
}

function undo() {
  const done = session.undo();
  if (done === 'game') toast(t('toast.broughtBack'));
  else if (!done) announce(t('undo.none'));
}

function redo() {
  if (!session.redo()) announce(t('redo.none'));
}

function move(way) {
  if (!moveTile(way) && session.current().fresh) announce(t('caption.whole'));
}

function setPeek(on) {
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
  peek.addEventListener('pointerdown', () => setPeek(true));
  for (const name of ['pointerup', 'pointercancel', 'pointerleave', 'blur']) peek.addEventListener(name, () => setPeek(false));
  peek.addEventListener('keydown', (event) => { if (event.key === ' ' || event.key === 'Enter') setPeek(true); });
  peek.addEventListener('keyup', () => setPeek(false));
  peek.addEventListener('contextmenu', (event) => event.preventDefault());
}

const closeMore = () => document.querySelector('dialog.more')?.close();

function initButtons() {
  const acts = { shuffle: session.shuffle, restart: session.restart, reset: session.reset, undo, redo, hint };
  for (const [id, run] of Object.entries(acts)) $(id).addEventListener('click', () => { closeMore(); run(); });
  for (const id of ['thumbs', 'sizes']) $(id).addEventListener('click', (event) => { if (event.target.closest('button')) closeMore(); });
  const bar = { ...acts, solve: () => { $('solver').scrollIntoView({ block: 'nearest' }); solveNow(); }, more: openMore };
  for (const button of document.querySelectorAll('.bar [data-does]')) button.addEventListener('click', () => bar[button.dataset.does]());
}

const keyActions = {
  place, move, undo, redo, hint, help: openHelp,
  shuffle: session.shuffle,
  restart: () => { if (session.current().count) session.restart(); },
  save: () => openSaves({ naming: true }),
  playPause: () => playback.toggle(),
  stepBack: () => playback.step(-1),
  stepOn: () => playback.step(1),
  peek: () => setPeek(true),
  unpeek: () => setPeek(false),
  size1: () => setSize(3), size2: () => setSize(4), size3: () => setSize(5),
  escape: () => { if (playback.isPlaying()) playback.leave(); else { stopAll(); clearPointers(); } },
};

/** Says each move of the player's to a screen reader; a playback stays quiet. */
function initVoice() {
  session.on('moved', ({ run, source }) => {
    if (source === 'playback') return;
    const game = session.current();
    if (game.solved) return;
    const tile = movedTile(game, run);
    const straight = [...run].every((letter) => letter === run[0]);
    const what = !straight ? t('say.back', { count: run.length }) : run.length > 1 ? t('say.run', { count: run.length, way: t(`way.${WAYS[run[0]]}`) }) : t('say.tile', { tile, way: t(`way.${WAYS[run]}`) });
    announce(t('say.move', { what, moves: t('moves', { count: game.count }), misplaced: game.misplaced }));
  });
}

/** The tile that the last single move slid: it lies where the blank came from. */
function movedTile(game, run) {
  const { rows, cols } = game;
  const [row, col] = [Math.floor(game.hole / cols), game.hole % cols];
  const [dr, dc] = { U: [1, 0], D: [-1, 0], L: [0, 1], R: [0, -1] }[run.at(-1)];
  return game.tiles[((row + dr + rows) % rows) * cols + ((col + dc + cols) % cols)];
}

function initServer() {
  const show = (reachable) => {
    $('link-state').hidden = reachable;
    if (reachable) flush();
    else setTimeout(check, 3000);
  };
  const check = () => api.health().catch(() => { if (!api.isReachable()) setTimeout(check, 3000); });
  api.onReachable((reachable) => {
    show(reachable);
    announce(t(reachable ? 'net.back' : 'net.away'));
  });
  addEventListener('online', check);
  addEventListener('pagehide', () => { session.pause(); autosave(); });
}

/** Lets the browser paint the words before the board and the picture are made; not for ever, in a hidden tab. */
const painted = () => new Promise((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, 100);
});

async function main() {
  setOwnSource(ownPicture);
  initSettings();
  initRail();
  await painted();
  initBoard();
  initRecords({ replay: (save) => { go('play'); replay(save); } });
  initHud();
  initPicker({ onFile: openFile });
  initPlayback();
  session.on('game', showPicture);
  session.on('picture', showPicture);
  const [game] = await Promise.all([lastGame(), loadRecords()]);
  session.open(game ?? session.current(), { asPaused: true });
  initPlaces();
  initSolver();
  initHints();
  initSaves({ onWiped: loadRecords });
  initSharing();
  initWin();
  initVoice();
  initGestures({ onWholeTap: chooseBlank, onIdleTap: () => announce(t('caption.won')) });
  initOverlays();
  initLookalike();
  initButtons();
  initKeys(keyActions);
  initServer();
  await openFromAddress();
  flush();
  document.body.dataset.ready = 'yes';
  if (await adoptRecords((save) => Game.fromSave({ ...save, moves: '', redo: '', runs: [] }).category).catch(() => false)) {
    await loadRecords();
    session.recordsChanged();
  }
}

const { initPlayback } = playback;

main();
