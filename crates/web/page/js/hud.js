// The head-up line: time, moves, moves a second, distance left, best; and the line below the board that
// says where the game stands.

import { $, el, setDisabled, setText } from './dom.js';
import { clockText, language, onLanguage, rateText, t, whole } from './i18n.js';
import { pref } from './prefs.js';
import { whyNot } from './scoring.js';
import { bestOf, challengeOf } from './records.js';
import * as session from './session.js';
import { onCovered } from './sheets.js';

let ticking = 0;
/** The format of times, and the interval in milliseconds at which they are drawn. */
let pace = { text: clockText, tick: 100 };

function figures() {
  const game = session.current();
  const millis = session.millis();
  setText($('hud-time'), pace.text(millis));
  setText($('hud-moves'), whole(game.count));
  // A replay shows the whole game's time, but makes no moves in it.
  setText($('hud-rate'), millis >= 1000 && !game.replay ? rateText(game.own, millis) : '–');
}

function best() {
  const found = bestOf(session.current().category);
  setText($('hud-best'), found ? pace.text(found.millis) : '–');
}

/** Writes times in another way: to the millisecond, for one. */
export function showTimesAs(text = clockText, tick = 100) {
  pace = { text, tick };
  shown = '';
  phaseShown();
  best();
}

/** Where a playback rests, or null while it plays. @type {{ at: number, length: number } | null} */
let rest = null;

/** Says where a playback has come to rest; null when it goes on. @param {{ at: number, length: number } | null} place */
export function showRest(place) {
  if (rest === place) return;
  rest = place;
  phaseShown();
}

/** A text that replaces the caption while it is not null. @type {() => string | null} */
let lent = () => null;

/** Has the caption say something else. @param {() => string | null} words */
export function lendCaption(words) {
  lent = words;
  shown = '';
  phaseShown();
}

/** The button beside the caption of a finished game. @type {{ game: import('./game.js').Game, key: string, run: () => void } | null} */
let offered = null;

/** Shows a button while the finished game is on the table. @param {{ game: import('./game.js').Game, key: string, run: () => void }} offer */
export function offerInCaption(offer) {
  offered = offer;
  shown = '';
  phaseShown();
}

let shown = '';

/** Shows the phase. Most moves do not change it, and then nothing is written that would cost a new style. */
export function phaseShown() {
  const phase = session.phase();
  figures();
  controls(phase);
  const words = lent() ?? t(`caption.${variant(phase)}`, rest ?? toBeat());
  const state = `${phase} ${words} ${language()} ${session.current() === offered?.game} ${pref('met')}`;
  if (state === shown) return;
  shown = state;
  document.body.dataset.phase = phase;
  document.body.classList.toggle('novice', !pref('met'));
  $('veil').hidden = phase !== 'paused';
  $('away-veil').hidden = phase !== 'elsewhere';
  caption(phase, words);
  setText($('clock-does'), t(phase === 'paused' ? 'hud.resume' : 'hud.pause'));
  clearInterval(ticking);
  if (phase === 'playing' || phase === 'searching') ticking = setInterval(figures, pace.tick);
}

function caption(/** @type {string} */ phase, /** @type {string} */ words) {
  if (phase !== 'won' || offered?.game !== session.current()) setText($('caption'), words);
  else $('caption').replaceChildren(words, ' ', el('button', { type: 'button', className: 'link', id: 'show-card', onclick: offered.run }, t(offered.key)));
}

/** The caption of a phase: it tells a solution from a replay and help from none, and mentions no keys on touch screens. @param {string} phase */
function variant(phase) {
  const game = session.current();
  if (phase === 'playback' && game.solved) return game.replay ? 'replayed' : 'played';
  if (phase === 'playback' && game.replay) return rest && !pref('calm') ? 'replayRested' : 'replay';
  if (phase === 'playback' && rest && !pref('calm')) return 'rested';
  if (phase === 'shuffled' && !game.solvable) return 'unsolvable';
  if (phase === 'shuffled' && game.helped) return 'helped';
  if (phase === 'shuffled' && game.ranked) return 'ranked';
  if (phase === 'shuffled' && whyNot(game.toSave()) === 'again') return 'again';
  if (phase === 'shuffled' && challengeOf(game) && !pref('calm')) return challengeOf(game)?.helped ? 'challengeHelped' : 'challenge';
  if (phase === 'shuffled' && !pref('met')) return 'first';
  if (phase === 'shuffled') return `${SHUFFLED.has(game.origin) ? 'shuffled' : 'ready'}${pref('calm') ? 'Calm' : ''}`;
  if (phase === 'won' && game.helped) return 'wonHelped';
  return phase === 'playing' && matchMedia('(pointer: coarse)').matches ? 'playingTouch' : phase;
}

/** The result to beat, as the caption says it. */
function toBeat() {
  const { moves, millis } = challengeOf(session.current()) ?? { moves: 0, millis: 0 };
  return { moves, time: clockText(millis) };
}

/** The origins of positions that the page has shuffled; others were given. */
const SHUFFLED = new Set(['scramble', 'walk']);

/** A button of the rail and its twin in the bar. @type {Map<string, HTMLButtonElement[]>} */
const twins = new Map(['undo', 'redo', 'restart', 'hint', 'reset', 'solve'].map((id) => [id, [...document.querySelectorAll(`#${id}, .bar [data-does=${id}]`)].map((node) => /** @type {HTMLButtonElement} */ (node))]));

function controls(/** @type {string} */ phase) {
  const game = session.current();
  const enabled = {
    undo: session.canUndo(),
    redo: session.canRedo(),
    restart: !game.fresh && game.count > 0,
    hint: game.running && phase !== 'elsewhere',
    reset: !game.fresh,
    solve: game.running && phase !== 'elsewhere',
  };
  for (const [id, able] of Object.entries(enabled)) {
    for (const node of twins.get(id) ?? []) setDisabled(node, !able);
  }
}

export function initHud() {
  session.follow(['phase'], phaseShown);
  session.on('moved', ({ source }) => { if (source === 'playback') phaseShown(); });
  onCovered(session.setCovered);
  // The solver's panel may be below the fold.
  session.on('phase', () => { if (session.phase() === 'searching') $('searching').scrollIntoView({ block: 'nearest' }); });
  session.follow(['game', 'records'], best);
  onLanguage(phaseShown);
  $('clock').addEventListener('click', () => (session.phase() === 'paused' ? session.resume() : session.pause()));
  $('veil').addEventListener('click', () => { session.resume(); $('clock').focus({ preventScroll: true }); });
  document.addEventListener('visibilitychange', () => { if (document.hidden) session.pause(); });
}
