// Hints: the next few moves as arrows, and the distance left. Either makes the game a helped one.

import { board, desk } from './table.js';
import { $, setText } from './dom.js';
import { t } from './i18n.js';
import { OPPOSITE, manhattan, neighbour } from './rules.js';
import { ownAnswer, recall } from './search.js';
import * as session from './session.js';
import { announce, ask, toast } from './sheets.js';

const SHOWN = 3;
const HINT_SECONDS = 6;
const LEFT_SECONDS = 4;

/** Shows the next moves, asking the server when they are not known yet. */
export async function hint() {
  const game = session.current();
  if (!game.running) return;
  const { key } = game;
  try {
    const answer = recall(game) ?? (await engine(game, HINT_SECONDS));
    if (session.current() !== game || game.key !== key) return;
    give(game, answer);
  } catch (error) {
    if (error.name !== 'AbortError' && session.current() === game && game.key === key) give(game, null);
  }
}

/** Shows a hint from the engine's answer, or else from the page's own. */
function give(game, found) {
  const answer = found ?? ownAnswer(game);
  if (!answer) {
    toast(t('hint.none'));
    return;
  }
  session.markHelped();
  board().point(answer.moves.slice(0, SHOWN));
  showLeft(answer);
  say(game, answer);
}

async function engine(game, seconds) {
  announce(t('hint.thinking'));
  const answer = await desk.ask(game, { algorithm: 'auto', limits: { seconds } });
  return answer.status === 'solved' ? answer : null;
}

function say(game, { moves, optimal }) {
  const tile = game.tiles[neighbour(game.board, game.hole, moves[0])];
  announce(t(optimal ? 'hint.say' : 'hint.sayAbout', { tile, way: t(`way.${OPPOSITE[moves[0]]}`), left: moves.length }));
}

function showLeft({ moves, optimal }) {
  if ($('hud-left-box').hidden) $('hud-left-box').hidden = false;
  setText($('hud-left'), optimal ? String(moves.length) : `≤ ${moves.length}`);
}

let soon = 0;
/** The game of which the player wants to know the distance: it is help, so each game is asked about anew. */
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
  const known = recall(game);
  if (known) {
    showKnown(known);
    return;
  }
  setText($('hud-left'), `≥ ${manhattan(game.board, game.tiles, game.blank)}`);
  soon = setTimeout(askLeft, 350);
}

function showKnown(answer) {
  session.markHelped();
  showLeft(answer);
}

async function askLeft() {
  const game = session.current();
  const { key } = game;
  if (desk.isBusy() || session.phase() === 'paused') return;
  try {
    const answer = await desk.ask(game, { algorithm: 'auto', limits: { seconds: LEFT_SECONDS } });
    if (session.current() === game && game.key === key && answer.status === 'solved' && watched === game) showKnown(answer);
  } catch {
    // The lower bound stays; whoever asked for more will be told by the solver's own panel.
  }
}

/** Shows the distance left, or hides it. It counts as help, which is said before it does. */
export async function toggleLeft() {
  const game = session.current();
  const costs = watched !== game && game.running && !game.helped && game.origin === 'scramble';
  if (costs && !(await ask(t('left.title'), t('left.text'), [{ label: t('cancel'), value: false }, { label: t('left.show'), value: true, kind: 'filled' }]))) return;
  watched = watched === game ? null : session.current();
  refresh();
}

export function initHints() {
  $('show-left').addEventListener('click', toggleLeft);
  session.on('moved', refresh);
  session.follow(['game'], refresh);
}
