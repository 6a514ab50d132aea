// Hints: the next few moves as arrows, and the distance left. Either makes the game a helped one.

import { point } from './board.js';
import { $, setText } from './dom.js';
import { t } from './i18n.js';
import { pref, setPref } from './prefs.js';
import { manhattan, neighbour } from './rules.js';
import { isSearching, ownAnswer, recall, search } from './search.js';
import * as session from './session.js';
import { announce, toast } from './sheets.js';

const SHOWN = 3;
const HINT_SECONDS = 6;
const LEFT_SECONDS = 4;
const WAYS = { U: 'D', D: 'U', L: 'R', R: 'L' };

/** Shows the next moves, asking the server when they are not known yet. */
export async function hint() {
  const game = session.current();
  if (!game.running) return;
  const { key } = game;
  try {
    const answer = recall(game) ?? (await ask(game, HINT_SECONDS));
    if (session.current() !== game || game.key !== key) return;
    give(game, answer);
  } catch (error) {
    if (error.name !== 'AbortError' && session.current() === game && game.key === key) give(game, null);
  }
}

/** Shows a hint from the engine's answer, or else from the page's own. */
function give(game, found) {
  const answer = found ?? ownAnswer(game);
  if (!answer) return void toast(t('hint.none'));
  session.markHelped();
  point(answer.moves.slice(0, SHOWN));
  showLeft(answer);
  say(game, answer);
}

async function ask(game, seconds) {
  announce(t('hint.thinking'));
  const answer = await search(game, { algorithm: 'auto', limits: { seconds } });
  return answer.status === 'solved' ? answer : null;
}

function say(game, { moves, optimal }) {
  const tile = game.tiles[neighbour(game.board, game.hole, moves[0])];
  announce(t(optimal ? 'hint.say' : 'hint.sayAbout', { tile, way: t(`way.${WAYS[moves[0]]}`), left: moves.length }));
}

function showLeft({ moves, optimal }) {
  if ($('hud-left-box').hidden) $('hud-left-box').hidden = false;
  setText($('hud-left'), optimal ? String(moves.length) : `≤ ${moves.length}`);
}

let soon = 0;

/** Keeps the distance left up to date while the player wants it. */
function refresh() {
  clearTimeout(soon);
  const game = session.current();
  const wanted = pref('left') && !game.fresh;
  if ($('hud-left-box').hidden === wanted) $('hud-left-box').hidden = !wanted;
  if (!wanted) return;
  if (game.solved) return setText($('hud-left'), '0');
  const known = recall(game);
  if (known) return showKnown(known);
  setText($('hud-left'), `≥ ${manhattan(game.board, game.tiles, game.blank)}`);
  soon = setTimeout(askLeft, 350);
}

function showKnown(answer) {
  if (!session.current().helped) session.markHelped();
  showLeft(answer);
}

async function askLeft() {
  const game = session.current();
  const { key } = game;
  if (isSearching() || session.phase() === 'paused') return;
  try {
    const answer = await search(game, { algorithm: 'auto', limits: { seconds: LEFT_SECONDS } });
    if (session.current() === game && game.key === key && answer.status === 'solved' && pref('left')) showKnown(answer);
  } catch {
    // The lower bound stays; whoever asked for more will be told by the solver's own panel.
  }
}

export function toggleLeft() {
  setPref('left', !pref('left'));
  $('show-left').setAttribute('aria-pressed', String(pref('left')));
  refresh();
}

export function initHints() {
  $('show-left').setAttribute('aria-pressed', String(pref('left')));
  $('show-left').addEventListener('click', toggleLeft);
  session.on('moved', refresh);
  session.on('game', refresh);
}

