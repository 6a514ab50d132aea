// The head-up line: time, moves, moves a second, distance left, best; and the line below the board that
// says where the game stands.

import { whyNot } from './counting.js';
import { $, setText } from './dom.js';
import { clockText, language, onLanguage, rateText, t, whole } from './i18n.js';
import { bestOf } from './records.js';
import * as session from './session.js';
import { onCovered } from './sheets.js';

let ticking = 0;
/** How times are written, and how often that is looked at. */
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

/** Says where a playback has come to rest; null when it goes on. */
export function showRest(place) {
  if (rest === place) return;
  rest = place;
  phaseShown();
}

let shown = '';

/** Shows the phase. Most moves do not change it, and then nothing is written that would cost a new style. */
function phaseShown() {
  const phase = session.phase();
  figures();
  controls(phase);
  const caption = variant(phase);
  const state = `${phase} ${caption} ${rest?.at} ${rest?.length} ${language()}`;
  if (state === shown) return;
  shown = state;
  document.body.dataset.phase = phase;
  $('veil').hidden = phase !== 'paused';
  $('away-veil').hidden = phase !== 'elsewhere';
  setText($('caption'), t(`caption.${caption}`, rest ?? {}));
  setText($('clock-does'), t(phase === 'paused' ? 'hud.resume' : 'hud.pause'));
  clearInterval(ticking);
  if (phase === 'playing' || phase === 'searching') ticking = setInterval(figures, pace.tick);
}

/** The words for a phase: what plays and how a game was won are called what they are, and a finger is not told about keys. */
function variant(phase) {
  const game = session.current();
  if (phase === 'playback' && game.solved) return game.replay ? 'replayed' : 'played';
  if (phase === 'playback' && game.replay) return rest ? 'replayRested' : 'replay';
  if (phase === 'playback' && rest) return 'rested';
  if (phase === 'shuffled' && !game.solvable) return 'unsolvable';
  if (phase === 'shuffled' && game.helped) return 'helped';
  if (phase === 'shuffled' && whyNot(game) === 'again') return 'again';
  if (phase === 'shuffled' && !SHUFFLED.has(game.origin)) return 'ready';
  if (phase === 'won' && game.helped) return 'wonHelped';
  return phase === 'playing' && matchMedia('(pointer: coarse)').matches ? 'playingTouch' : phase;
}

/** The origins of positions that the page has shuffled; others were given. */
const SHUFFLED = new Set(['scramble', 'walk']);

function controls(phase) {
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
    if ($(id).disabled !== able) continue;
    $(id).disabled = !able;
    const twin = /** @type {HTMLButtonElement | null} */ (document.querySelector(`.bar [data-does=${id}]`));
    if (twin) twin.disabled = !able;
  }
}

export function initHud() {
  session.follow(['phase'], phaseShown);
  session.on('moved', ({ source }) => { if (source === 'playback') phaseShown(); });
  onCovered(session.setCovered);
  // What a search does may lie below the fold.
  session.on('phase', () => { if (session.phase() === 'searching') $('searching').scrollIntoView({ block: 'nearest' }); });
  session.follow(['game', 'records'], best);
  onLanguage(phaseShown);
  $('clock').addEventListener('click', () => (session.phase() === 'paused' ? session.resume() : session.pause()));
  $('veil').addEventListener('click', () => { session.resume(); $('clock').focus({ preventScroll: true }); });
  document.addEventListener('visibilitychange', () => { if (document.hidden) session.pause(); });
}
