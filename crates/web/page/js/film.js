// Playing a solution, or a finished game, on the board. A solution's moves are one undo step of the game, so that
// undo returns to where the player was, and touching a tile takes over; a finished game is only watched.

import { $, setText } from './dom.js';
import { Game } from './game.js';
import { onLanguage, t } from './i18n.js';
import { createPlayback } from './playback.js';
import * as session from './session.js';
import { announce } from './sheets.js';
import { createTransport } from './transport.js';

/** What plays now: { kind: 'proved' | 'found' | 'replay', player }. */
let film = null;
let transport = null;

export const isPlaying = () => film !== null;
export const toggle = () => film?.player.toggle();
export const step = (by) => film?.player.step(by);

/** Plays moves from the current position. `kind` is 'proved', 'found' or 'replay'. */
export function begin(moves, kind) {
  const go = (from, to) => {
    if (kind !== 'replay') session.markHelped();
    if (to > from) session.playStretch(moves.slice(from, to), { grow: from > 0 });
    else session.playStretch(from - to, { grow: true });
  };
  const ended = () => announce(t(kind === 'replay' ? 'playback.ended' : 'playback.solved', { count: moves.length }));
  $('playback').hidden = false;
  const player = createPlayback({ length: moves.length, go, ended }, transport);
  film = { kind, player };
  transport.drive(player);
  session.setActivity({ playback: true });
  announce(t('playback.begun', { count: moves.length }));
  label();
  $('playback').scrollIntoView({ block: 'nearest' });
  player.play();
}

/** Plays a finished game again; leaving it brings back what was on the table. */
export function replay(save) {
  session.watch(Game.fromSave({ ...save, moves: '', redo: '', runs: [], helped: true }));
  begin(save.moves, 'replay');
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
  $('playback').hidden = true;
  session.setActivity({ playback: false });
}

function label() {
  if (!film) return;
  setText($('badge'), t(`badge.${film.kind}`));
  $('badge').className = `badge ${film.kind === 'proved' ? 'proved' : ''}`;
  setText($('pb-leave'), t(film.kind === 'replay' ? 'playback.back.own' : 'playback.leave'));
}

export function initFilm() {
  transport = createTransport($('transport'));
  $('pb-leave').addEventListener('click', leave);
  session.on('interrupt', end);
  onLanguage(label);
}
