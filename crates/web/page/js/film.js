// Playing a solution, or a finished game, on the board. A solution's moves are one undo step of the game, so that
// undo returns to where the player was, and touching a tile takes over; a finished game is only watched.

import { $, setText } from './dom.js';
import { Game } from './game.js';
import { showRest } from './hud.js';
import { onLanguage, t } from './i18n.js';
import { createPlayback, createTransport } from './playback.js';
import { pref } from './prefs.js';
import * as session from './session.js';
import { announce } from './sheets.js';

/** The longest playback at speed 1: long solutions are played quicker. */
const MOST_MILLIS = 40_000;

/** How long a stretch stands still before it is played. */
const BEFORE_MILLIS = 1200;

/** The current playback: { kind: 'proved' | 'found' | 'replay', moves, player }. @type {{ kind: string, moves: string, player: ReturnType<typeof createPlayback> } | null} */
let film = null;
const transport = createTransport($('transport'));

export const isPlaying = () => film !== null;
export const toggle = () => film?.player.toggle();
export const step = (/** @type {number} */ by) => film?.player.step(by);
/** The current playback and its position, or null. */
export const playing = () => film && { kind: film.kind, length: film.moves.length, at: film.player.at };

/**
 * Plays moves from the current position. `kind` is 'proved', 'found' or 'replay'; `stretch` is the part that is
 * shown: from its first move to its last, where it rests.
 * @param {string} moves
 * @param {string} kind
 * @param {{ from: number, to: number } | null} [stretch]
 */
export function begin(moves, kind, stretch = null) {
  const go = (/** @type {number} */ from, /** @type {number} */ to) => {
    if (to > from) session.playStretch(moves.slice(from, to), { grow: from > 0 });
    else session.playStretch(from - to, { grow: true });
  };
  const ended = () => announce(t(kind === 'replay' ? 'playback.ended' : pref('calm') ? 'caption.played' : 'playback.solved', { count: moves.length }));
  $('playback').hidden = false;
  const player = createPlayback({ length: moves.length, most: MOST_MILLIS, go, ended }, stretch ? restingAt(stretch.to) : view);
  film = { kind, moves, player };
  transport.drive(player);
  session.setActivity({ playback: true });
  announce(t(!pref('calm') ? 'playback.begun' : kind === 'replay' ? 'caption.replay' : 'caption.playback', { count: moves.length }));
  label();
  $('playback').scrollIntoView({ block: 'nearest' });
  if (!stretch) {
    player.play();
    return;
  }
  player.jump(stretch.from);
  setTimeout(() => { if (film?.player === player && player.at === stretch.from) player.play(); }, BEFORE_MILLIS);
}

/** The view of a player: the transport, and the caption, which says where it rests. */
const view = {
  show: (/** @type {{ at: number, length: number, playing: boolean }} */ state) => {
    transport.show(state);
    showRest(state.playing || state.at === state.length ? null : { at: state.at, length: state.length });
  },
  speed: transport.speed,
};

/** The same for a player that rests at a place, the first time it comes there. @param {number} place */
function restingAt(place) {
  let ahead = true;
  const show = (/** @type {{ at: number, length: number, playing: boolean }} */ state) => {
    view.show(state);
    if (!ahead || state.at < place) return;
    ahead = false;
    film?.player.pause();
    announce($('caption').textContent);
  };
  return { show, speed: view.speed };
}

export function beginAnew(/** @type {string} */ moves, /** @type {string} */ kind) {
  film?.player.jump(0);
  end();
  begin(moves, kind);
}

/** Marks the solution that is played as proved shortest. */
export function prove() {
  if (film?.kind !== 'found') return;
  film.kind = 'proved';
  label();
}

/** Plays a finished game again, or a stretch of it; leaving it brings back what was on the table. @param {import('./save.js').Save} save */
export function replay(save, stretch = null) {
  session.watch(Object.assign(Game.fromSave({ ...save, moves: '', redo: '', runs: [], helped: true }), { wasHelped: save.helped }));
  begin(save.moves, 'replay', stretch);
}

/** Ends the playback. The board stays as it stands, but a game that was only watched makes way for the player's own. */
export function leave() {
  const watched = film?.kind === 'replay';
  end();
  if (watched) session.endWatch();
}

function end() {
  if (!film) return;
  film.player.stop();
  film = null;
  transport.drive(null);
  showRest(null);
  $('playback').hidden = true;
  label();
  session.setActivity({ playback: false });
}

function label() {
  setText($('solver-head'), t(film?.kind === 'replay' ? 'replay.head' : 'solve.head'));
  if (!film) return;
  setText($('badge'), t(`badge.${film.kind}`));
  $('badge').className = `badge ${film.kind === 'proved' ? 'proved' : ''}`;
  setText($('pb-leave'), t(film.kind === 'replay' ? 'playback.back.own' : 'playback.leave'));
}

$('pb-leave').addEventListener('click', leave);
session.on('interrupt', end);
onLanguage(label);
