// The table: the current game, its clock, the games before it, and the listeners.
// Everything that changes a game goes through here; nothing here touches the page's elements.

import { Clock } from './clock.js';
import { Game } from './game.js';
import { pref } from './prefs.js';
import { createEvents } from './tell.js';

/**
 * What happens here: game (another game is shown), helped (the solver did), moved, phase, picture, interrupt, enough, won, put, records, again (a
 * scramble is played once more), changed (something that is to be kept).
 */
const { on, follow, emit } = createEvents();
export { follow, on };

const clock = new Clock();
const pile = createPile();

let game = lastBoard();
/** The game of the player's own while another is only watched. @type {Game | null} */
let aside = null;
let paused = false;
let searching = false;
let playing = false;
let elsewhere = false;
/** The games of which it was told that their scramble is played once more. */
const known = new WeakSet();

/** The board and the picture that were on the table last, whole; three by three for who has never won. */
export function lastBoard(board = pref('board')) {
  try {
    return new Game(pref('met') ? board : { ...board, rows: 3, cols: 3, wrapRows: [], wrapCols: [], blank: 8 });
  } catch {
    return new Game();
  }
}

export const current = () => game;
/** The time that the game has taken, in whole milliseconds: what is shown is what will be kept. */
export const millis = () => Math.round(clock.millis);

export function phase() {
  if (elsewhere) return 'elsewhere';
  if (playing) return 'playback';
  if (searching) return 'searching';
  if (game.fresh) return 'whole';
  if (game.solved) return 'won';
  if (paused || clock.waiting) return 'paused';
  return game.count === 0 && !clock.begun ? 'shuffled' : 'playing';
}

/** Marks that a search or a playback began or ended; the clock rests during a playback. @param {{ searching?: any, playback?: any }} what */
export function setActivity(what) {
  if ('searching' in what) searching = what.searching;
  if ('playback' in what) {
    playing = what.playback;
    if (playing) clock.stop();
  }
  emit('phase');
}

/** Puts a game on the table without keeping the one before at hand. @param {Game} next */
export function open(next, options = {}) {
  pile.forgetAfter();
  lay(next, options);
}

function lay(/** @type {Game} */ next, { asPaused = false } = {}) {
  emit('interrupt', 'replaced');
  aside = null;
  show(next, asPaused);
}

function show(/** @type {Game} */ next, /** @type {boolean} */ asPaused) {
  game = next;
  elsewhere = false;
  clock.set(game.millis);
  paused = asPaused && game.running && (game.count > 0 || clock.begun);
  emit('game');
  emit('phase');
  emit('changed');
}

/** Puts another game on the table; the one before can be brought back. @param {Game} next */
export function replace(next) {
  keepClock();
  emit('interrupt', 'replaced');
  pile.put(own());
  open(next);
}

/** Brings back the game that was on the table before; false when there was none. */
export function bringBack() {
  if (!pile.hasBefore()) return false;
  if (!aside) keepClock();
  lay(pile.back(own()), { asPaused: true });
  return true;
}

export const canUndo = () => playing || (!elsewhere && (game.past.length > 0 || pile.hasBefore() || aside !== null));
export const canRedo = () => !aside && !elsewhere && (game.future.length > 0 || pile.hasNext(game));

export const forgetBefore = pile.clear;

/** Shows a finished game that is only watched. The player's own waits, and nothing is kept of this one. @param {Game} film */
export function watch(film) {
  keepClock();
  emit('interrupt', 'replaced');
  aside ??= game;
  film.replay = true;
  show(film, false);
}

/** Ends the watching and shows the player's own game again. */
export function endWatch() {
  if (aside) open(aside, { asPaused: true });
}

/**
 * Makes what is watched a game of the player's own with its first move: it begins where the replay stood, with a clock
 * and a count of its own, and is a helped one. The one before can be brought back. Returns what is to be said of that.
 */
function takeOver() {
  if (!aside) return null;
  const first = game.past.at(-1) ?? '';
  game.undo();
  const next = new Game({ ...settings(), start: game.tiles, origin: game.origin });
  next.helped = true;
  next.make(first);
  const kept = atStake() !== null;
  pile.put(aside);
  aside = null;
  game = next;
  clock.set(0);
  emit('game');
  return { kept };
}

/** Another tab has this game now: nothing is played here until it is taken back or another is opened. */
export function lose() {
  emit('interrupt', 'lost');
  keepClock();
  clock.stop();
  elsewhere = true;
  emit('phase');
}

/** The player's own move: a step of one or more moves. Returns whether it was made. @param {string} run */
export function play(run) {
  emit('interrupt', 'moved');
  if (elsewhere || !game.running || !game.make(run)) return false;
  const taken = takeOver();
  // A restarted game counts as a second go only from its first move on: a restart that is undone does not.
  if (game.restarted && !known.has(game)) {
    known.add(game);
    emit('again', game);
  }
  pile.forgetAfter();
  paused = false;
  clock.start();
  if (game.solved) clock.stop();
  emit('moved', { run, source: 'player' });
  emit('phase');
  emit('changed');
  if (taken) emit('put', taken);
  if (game.solved) emit('won');
  return true;
}

/** A move of the auto-solve's playback: forward by `run`, or back by `count` moves. @param {any} change @param {{ grow: boolean }} how */
export function playStretch(change, { grow }) {
  const run = typeof change === 'number' ? game.shorten(change) : change;
  if (typeof change === 'string' && !(grow ? game.extend(change) : game.make(change))) return false;
  pile.forgetAfter();
  emit('moved', { run, source: 'playback' });
  emit('changed');
  return true;
}

export function undo() {
  emit('interrupt', 'undo');
  if (elsewhere) return '';
  if (aside) {
    endWatch();
    return 'game';
  }
  const run = game.undo();
  if (!run) return bringBack() ? 'game' : '';
  afterRewind(run, 'undo');
  return run;
}

export function redo() {
  emit('interrupt', 'redo');
  if (elsewhere || aside) return '';
  if (pile.hasNext(game)) {
    lay(pile.forward(keepClock()), { asPaused: true });
    return 'game';
  }
  const run = game.redo();
  if (run) afterRewind(run, 'redo');
  return run;
}

function afterRewind(/** @type {string} */ run, /** @type {string} */ source) {
  if (game.running && game.count > 0 && !paused) clock.start();
  if (!game.running) clock.stop();
  emit('moved', { run, source });
  emit('phase');
  emit('changed');
}

/** Notes that the solver helped with the game on the table, or with the own one that waits: it sets no record. */
export function markHelped(which = game) {
  if (which.helped) return;
  which.helped = true;
  emit('helped');
  emit('changed');
}

export function pause() {
  if (!clock.running && !clock.waiting) return;
  clock.stop();
  paused = true;
  emit('phase');
  emit('changed');
}

export function resume() {
  if (!paused) return;
  paused = false;
  if (game.running && (game.count > 0 || clock.begun)) clock.start();
  emit('phase');
}

/** Starts the clock before the first move, as when the time to look ran out, be it some time ago. */
export function beginClock(since = performance.now()) {
  if (phase() !== 'shuffled') return;
  clock.start(since);
  emit('phase');
}

/** A dialog covers the board, or none does any more: as long, the clock waits. @param {boolean} covered */
export function setCovered(covered) {
  if (clock.cover(covered)) emit('phase');
}

/** Tells searches that the player has had enough. */
export const enough = () => emit('enough');

export const recordsChanged = () => emit('records');

/** Writes the clock into the game, before it is saved or put aside. */
export function keepClock() {
  game.millis = millis();
  return game;
}

/** The settings of another board of the same kind with the same picture. */
export const settings = () => ({ rows: game.rows, cols: game.cols, wrapRows: game.board.wrapRows, wrapCols: game.board.wrapCols, blank: game.blank, picture: game.picture });

export function setPicture(/** @type {string} */ picture) {
  game.picture = picture;
  emit('picture');
  emit('changed');
}

/** The player's own game: the one on the table, or the one that waits while another is only watched. */
export const own = () => aside ?? game;

/** The games that are on the table, wait, or can be brought back. */
export const atHand = () => [game, ...(aside ? [aside] : []), ...pile.all()];

/** The player's own game where there is something to lose in it, which is what the library keeps, or null. */
export function atStake() {
  if (!aside) keepClock();
  const mine = own();
  return mine.running && mine.played ? mine : null;
}

/** Replaces the game; one with nothing to lose is not kept. @param {Game} next */
export function put(next) {
  const kept = atStake() !== null;
  // One whose clock alone has run is in no library, but comes back when this is undone.
  if (kept || (own().running && own().millis > 0)) replace(next);
  else open(next);
  emit('put', { kept });
}

const MOST = 20;

/** The games that were on the table before this one, and those that were left by going back to one: what undo and redo do beyond a game. */
function createPile() {
  /** @type {any[]} */ const before = [];
  /** Those that were left: { game, from, at }, where `at` is the step of `from`, the one that was brought back, that they come after. @type {any[]} */
  const after = [];

  /** Puts a game there that another takes the place of. @param {Game} one */
  function add(one) {
    before.push(one);
    if (before.length > MOST) before.shift();
  }

  return {
    put: add,
    all: () => [...before, ...after.map(({ game: left }) => left)],
    hasBefore: () => before.length > 0,
    /** Whether the next thing to be done again, beyond a game as it stands, is to go on to the one that was left. */
    hasNext: (/** @type {Game} */ one) => after.at(-1)?.from === one && after.at(-1).at === one.past.length,
    /** The game before, in the place of one that is left for it. @param {Game} left */
    back(left) {
      const from = before.pop();
      after.push({ game: left, from, at: from.past.length });
      return from;
    },
    /** The game that was left, in the place of the one that was brought back. @param {Game} brought */
    forward(brought) {
      add(brought);
      return after.pop().game;
    },
    /** Drops the games that could be gone on to, after another game was begun. */
    forgetAfter() { after.length = 0; },
    clear() { before.length = 0; after.length = 0; },
  };
}
