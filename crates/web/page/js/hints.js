// Hints: the next few moves as arrows, and the distance left. Either is help.

import { $, setText } from './dom.js';
import { agree, failureText, limitText, slot } from './help.js';
import { onLanguage, t, whole } from './i18n.js';
import { onReachable } from './port.js';
import { manhattan, neighbour, OPPOSITE } from './rules.js';
import { pref } from './prefs.js';
import * as session from './session.js';
import { announce, toast } from './sheets.js';
import { board } from './table.js';
/** @import { Game } from './game.js' */
/** @import { Found } from './search.js' */

const SHOWN = 3;
const HINT_SECONDS = 6;
const LEFT_SECONDS = 4;

/**
 * Shows the next moves: at once what is known or quickly found, and what is better when that comes; a sign is seen as
 * long as somebody looks.
 */
export async function hint() {
  if (!(await agree())) return;
  const game = session.current();
  if (!game.running) return;
  const { key } = game;
  const isThere = () => session.current() === game && game.key === key;
  const known = slot.recall(game);
  const isLast = Boolean(known && (known.optimal || known.final));
  if (known) give(game, known, isLast);
  else say(() => t('hint.thinking'));
  if (isLast) return;
  seek(true);
  try {
    const answer = await slot.ask(game, { algorithm: 'auto', limits: { seconds: HINT_SECONDS } }, { isHint: true, onBetter: (found) => { if (isThere()) give(game, found, false); } });
    if (isThere()) last(game, answer.status === 'solved' ? answer : null, () => (answer.status === 'unsolvable' ? t('hint.none') : t('hint.limit', { why: limitText(answer) })));
  } catch (error) {
    if (error.name !== 'AbortError' && isThere()) last(game, null, () => failureText(error));
  } finally {
    seek(false);
  }
}

/** Shows the hint of an answer, or of the best that is known; says why there is none. @param {Game} game @param {Found | null} found @param {() => string} why */
function last(game, found, why) {
  const answer = found ?? slot.recall(game);
  if (answer) give(game, answer, true);
  else {
    say(() => '');
    toast(why);
  }
}

/** Shows the hint of an answer; `isLast` when nothing better is looked for. @param {Game} game @param {Found} answer @param {boolean} isLast */
function give(game, answer, isLast) {
  board().point(answer.moves.slice(0, SHOWN));
  showLeft(answer);
  const tile = game.tiles[neighbour(game.board, game.hole, answer.moves[0])];
  const text = (/** @type {string} */ what, /** @type {string} */ going) => {
    const hinted = t(pref('calm') ? 'hint.calm' : answer.optimal ? 'hint.say' : 'hint.sayAbout', { tile: what, way: t(`way.${OPPOSITE[answer.moves[0]]}`), left: answer.moves.length });
    return isLast ? hinted : t(going, { hint: hinted });
  };
  const numbered = () => t('hint.tile', { tile });
  // The text fits on one line, so that nothing below it moves; the button shows that a better hint is being looked for.
  say(() => text(hasNumbers() && !pref('calm') ? numbered() : t('hint.ringed'), 'hint.going'), () => text(pref('calm') ? t('hint.ringed') : numbered(), 'hint.goingSaid'));
}

/** Whether the tiles show their numbers; a screen reader always says them. */
const hasNumbers = () => ['numbers', 'classic'].some((name) => $('board').classList.contains(name));

/** The text of the line below the board, in the current language. */
let line = () => '';

function showLine() {
  $('hint-line').hidden = line() === '';
  setText($('hint-line'), line());
}

/** Says it below the board and to a screen reader. @param {() => string} text */
function say(text, spoken = text) {
  line = text;
  showLine();
  if (text()) announce(spoken());
}

let seekers = 0;

function seek(/** @type {boolean} */ begins) {
  seekers += begins ? 1 : -1;
  for (const node of document.querySelectorAll('#hint, .bar [data-does=hint]')) node.setAttribute('aria-busy', String(seekers > 0));
}

/** A hint is about the position for which it was given. */
const hush = () => { if (!$('hint-line').hidden) say(() => ''); };

function showLeft(/** @type {Found} */ { moves, optimal }) {
  if ($('hud-left-box').hidden) $('hud-left-box').hidden = false;
  setText($('hud-left'), `${optimal ? '' : '≤ '}${whole(moves.length)}`);
}

let soon = 0;
/** The game of which the player wants to know the distance: it is help, so each game is asked about anew. @type {import('./game.js').Game | null} */
let watched = null;

/** Keeps the distance left up to date while the player wants it. */
function refresh() {
  clearTimeout(soon);
  const game = session.current();
  if (watched !== game) watched = null;
  const wanted = watched !== null && !game.fresh;
  $('show-left').setAttribute('aria-pressed', String(watched !== null));
  if ($('hud-left-box').hidden === wanted) $('hud-left-box').hidden = !wanted;
  if (!wanted) return;
  if (game.solved) {
    setText($('hud-left'), '0');
    return;
  }
  const known = slot.recall(game);
  if (known) showLeft(known);
  else setText($('hud-left'), `≥ ${whole(manhattan(game.board, game.tiles, game.blank))}`);
  soon = setTimeout(askLeft, 350);
}

async function askLeft() {
  const game = session.current();
  const { key } = game;
  const known = slot.recall(game);
  if (known?.optimal || known?.final || slot.isBusy() || session.phase() === 'paused') return;
  try {
    const show = (/** @type {Found} */ answer) => { if (session.current() === game && game.key === key && watched === game) showLeft(answer); };
    const answer = await slot.ask(game, { algorithm: 'auto', limits: { seconds: LEFT_SECONDS } }, { isHint: true, onBetter: show });
    if (answer.status === 'solved') show(answer);
  } catch {
    // The lower bound stays; the solver's panel reports errors.
  }
}

/** Shows the distance left, or hides it. It does not look like help, so each game is asked about. */
export async function toggleLeft() {
  const isOn = watched === session.current();
  if (!isOn && !(await agree({ everyTime: true }))) return;
  watched = isOn ? null : session.current();
  refresh();
}

onLanguage(showLine);
onReachable((/** @type {boolean} */ reachable) => { if (reachable) refresh(); });
session.on('moved', () => { hush(); refresh(); });
session.on('game', () => { hush(); refresh(); });
let before = '';
session.on('phase', () => {
  const phase = session.phase();
  if (phase === 'playback' || phase === 'searching') hush();
  // The player may have paused or searched meanwhile.
  else if (watched && phase !== before) refresh();
  before = phase;
});
