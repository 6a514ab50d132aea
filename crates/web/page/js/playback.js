// Playing a solution, or a finished game, move by move. All its moves are one undo step of the game, so
// that undo returns to where the player was; touching a tile takes over from here.

import { $, setText } from './dom.js';
import { onLanguage, t } from './i18n.js';
import { pref, setPref } from './prefs.js';
import * as session from './session.js';
import { announce } from './sheets.js';

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const MOVE_MILLIS = 420;

let film = null;
let timer = 0;

export const isPlaying = () => film !== null;

/** Begins to play moves from the current position. `kind` is 'proved', 'found' or 'replay'. */
export function begin(moves, kind) {
  film = { moves, kind, at: 0, game: session.current() };
  session.setActivity({ playback: true });
  announce(t('playback.begun', { count: moves.length }));
  show();
  $('playback').scrollIntoView({ block: 'nearest' });
  play();
}

export function play() {
  if (!film) return;
  if (film.at >= film.moves.length) go(0);
  clearInterval(timer);
  timer = setInterval(() => (film && film.at < film.moves.length ? go(film.at + 1) : pause()), MOVE_MILLIS / pref('speed'));
  show();
}

export function pause() {
  clearInterval(timer);
  timer = 0;
  show();
}

export const toggle = () => (timer ? pause() : play());

/** Goes to a place in the film, forward or back. */
export function go(to) {
  if (!film) return;
  const target = Math.max(0, Math.min(film.moves.length, to));
  if (target === film.at) return;
  if (film.kind !== 'replay') film.game.helped = true;
  if (target > film.at) session.playStretch(film.moves.slice(film.at, target), { grow: film.at > 0 });
  else session.playStretch(film.at - target, { grow: true });
  film.at = target;
  if (target === film.moves.length) {
    clearInterval(timer);
    timer = 0;
    announce(t(film.kind === 'replay' ? 'playback.ended' : 'playback.solved', { count: target }));
  }
  show();
}

export function step(by) {
  if (!film) return;
  clearInterval(timer);
  timer = 0;
  go(film.at + by);
}

/** Ends the playback and leaves the board as it stands. */
export function leave() {
  if (!film) return;
  clearInterval(timer);
  timer = 0;
  film = null;
  show();
  session.setActivity({ playback: false });
}

function show() {
  $('playback').hidden = !film;
  if (!film) return;
  const { moves, at, kind } = film;
  $('scrub').max = String(moves.length);
  $('scrub').value = String(at);
  setText($('pb-at'), `${at} / ${moves.length}`);
  $('pb-play-icon').setAttribute('href', timer ? '#i-pause' : '#i-play');
  $('pb-play').setAttribute('aria-label', t(timer ? 'playback.pause' : 'playback.play'));
  $('pb-back').disabled = at === 0;
  $('pb-first').disabled = at === 0;
  $('pb-forward').disabled = at === moves.length;
  $('pb-last').disabled = at === moves.length;
  setText($('badge'), t(`badge.${kind}`));
  $('badge').className = `badge ${kind === 'proved' ? 'proved' : ''}`;
}

export function initPlayback() {
  $('scrub').addEventListener('input', () => {
    const to = Number($('scrub').value);
    pause();
    go(to);
  });
  $('pb-first').addEventListener('click', () => { pause(); go(0); });
  $('pb-back').addEventListener('click', () => step(-1));
  $('pb-play').addEventListener('click', toggle);
  $('pb-forward').addEventListener('click', () => step(1));
  $('pb-last').addEventListener('click', () => { pause(); go(Infinity); });
  $('pb-leave').addEventListener('click', leave);
  $('pb-speed').addEventListener('change', () => {
    setPref('speed', Number($('pb-speed').value));
    if (timer) play();
  });
  session.on('interrupt', leave);
  onLanguage(() => {
    $('pb-speed').replaceChildren(...SPEEDS.map((speed) => new Option(`${{ 0.25: '¼', 0.5: '½' }[speed] ?? speed}×`, speed, false, speed === pref('speed'))));
    show();
  });
}
