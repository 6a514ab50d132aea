// What is on the table: the current game, its clock, what was there before, and who wants to know.
// Everything that changes a game goes through here; nothing here touches the page's elements.

import { Clock } from './clock.js';
import { Game } from './game.js';
import { pref } from './prefs.js';
import { uniform, walk } from './rules.js';

const KEPT_GAMES = 20;

const listeners = new Map();
const clock = new Clock();
const before = [];

let game = new Game();
let paused = false;
let searching = false;
let playing = false;

export const current = () => game;
export const millis = () => clock.millis;

/** Calls back on an event: game, moved, phase, picture, interrupt, won, changed. */
export function on(name, callback) {
  if (!listeners.has(name)) listeners.set(name, []);
  listeners.get(name).push(callback);
}

function emit(name, detail) {
  (listeners.get(name) ?? []).forEach((callback) => callback(detail));
}

/** Where the game stands, as the page shows it. */
export function phase() {
  if (playing) return 'playback';
  if (searching) return 'searching';
  if (game.fresh) return 'whole';
  if (game.solved) return 'won';
  if (paused) return 'paused';
  return game.count === 0 && clock.millis === 0 ? 'shuffled' : 'playing';
}

/** Marks that a search or a playback began or ended; the clock rests during a playback. */
export function setActivity(what) {
  if ('searching' in what) searching = what.searching;
  if ('playback' in what) {
    playing = what.playback;
    if (playing) clock.stop();
  }
  emit('phase');
}

/** Puts a game on the table without keeping the one before. */
export function open(next, { asPaused = false } = {}) {
  emit('interrupt', 'replaced');
  game = next;
  clock.set(game.millis);
  paused = asPaused && game.running && game.count > 0;
  emit('game');
  emit('phase');
  emit('changed');
}

/** Puts another game on the table; the one before can be brought back. */
export function replace(next) {
  keepClock();
  emit('interrupt', 'replaced');
  before.push(game);
  if (before.length > KEPT_GAMES) before.shift();
  open(next);
}

/** Brings back the game that was on the table before; false when there was none. */
export function bringBack() {
  if (!before.length) return false;
  open(before.pop(), { asPaused: true });
  return true;
}

export const canBringBack = () => before.length > 0;

/** The player's own move: a step of one or more moves. Returns whether it was made. */
export function play(run) {
  emit('interrupt', 'moved');
  if (!game.running || !game.make(run)) return false;
  paused = false;
  clock.start();
  if (game.solved) clock.stop();
  emit('moved', { run, source: 'player' });
  emit('phase');
  emit('changed');
  if (game.solved) emit('won');
  return true;
}

/** A move of the auto-solve's playback: forward by `run`, or back by `count` moves. */
export function playStretch(change, { grow }) {
  const run = typeof change === 'number' ? game.shorten(change) : change;
  if (typeof change === 'string' && !(grow ? game.extend(change) : game.make(change))) return false;
  emit('moved', { run, source: 'playback' });
  emit('changed');
  return true;
}

export function undo() {
  emit('interrupt', 'undo');
  const run = game.undo();
  if (!run) return bringBack() ? 'game' : '';
  afterRewind(run, 'undo');
  return run;
}

export function redo() {
  emit('interrupt', 'redo');
  const run = game.redo();
  if (run) afterRewind(run, 'redo');
  return run;
}

function afterRewind(run, source) {
  if (game.running && game.count > 0 && !paused) clock.start();
  if (!game.running) clock.stop();
  emit('moved', { run, source });
  emit('phase');
  emit('changed');
}

/** Notes that the solver helped: this game sets no record. */
export function markHelped() {
  game.helped = true;
  emit('changed');
}

export function pause() {
  if (phase() !== 'playing') return;
  clock.stop();
  paused = true;
  emit('phase');
  emit('changed');
}

export function resume() {
  if (!paused) return;
  paused = false;
  if (game.running && game.count > 0) clock.start();
  emit('phase');
}

/** Tells those who show records that there may be a new one. */
export const recordsChanged = () => emit('records');

/** Writes the clock into the game, before it is saved or put aside. */
export function keepClock() {
  game.millis = Math.round(clock.millis);
  return game;
}

/** A whole number below `limit`, evenly. */
export function random(limit) {
  const most = Math.floor(0x100000000 / limit) * limit;
  const word = new Uint32Array(1);
  do crypto.getRandomValues(word); while (word[0] >= most);
  return word[0] % limit;
}

const settings = () => ({ rows: game.rows, cols: game.cols, wrapRows: game.board.wrapRows, wrapCols: game.board.wrapCols, blank: game.blank, picture: game.picture });

/** A new scramble of the same board. */
export function shuffle() {
  const start = (pref('shuffle') === 'walk' ? walk : uniform)(game.board, game.blank, random);
  put(new Game({ ...settings(), start }));
}

/** The same scramble again. */
export const restart = () => put(game.restarted());

/** Back to the whole picture. */
export const reset = () => put(new Game(settings()));

/** Another board, whole. Where its blank was a corner, it is the same corner. */
export function reshape(rows, cols, wrapRows = [], wrapCols = []) {
  const blank = game.blank === 0 ? 0 : rows * cols - 1;
  put(new Game({ rows, cols, wrapRows, wrapCols, blank, picture: game.picture }));
}

/** Another blank, on the whole picture. */
export const setBlank = (blank) => put(new Game({ ...settings(), blank }));

/** Another picture for the same game. */
export function setPicture(picture) {
  game.picture = picture;
  emit('picture');
  emit('changed');
}

/** Replaces the game; one with nothing to lose is not kept. */
function put(next) {
  const worth = game.running && (game.count > 0 || clock.millis > 0);
  if (worth) replace(next);
  else open(next);
  emit('put', { kept: worth });
}
