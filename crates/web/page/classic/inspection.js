// The time to look before the first move: it is counted down from the scramble on, and when it has run out the clock
// starts by itself. It waits while a dialog covers the board, as the clock does, and a reload does not renew it.

import { $ } from '../js/dom.js';
import { pref, setPref } from '../js/prefs.js';
import { runTo } from '../js/rules.js';
import * as session from '../js/session.js';
import { onCovered } from '../js/sheets.js';

const TICK_MILLIS = 100;

/** @type {{ game: any, since: number, until: number, shown: () => void } | null} */
let looking = null;
let timer = 0;

/** When a dialog came over the board; null while none covers it. @type {number | null} */
let covered = null;

const left = () => (looking ? Math.max(0, looking.until - Math.max(covered ?? performance.now(), looking.since)) : 0);

/** The time left, in whole seconds; null outside of an inspection. */
export const secondsLeft = () => (looking ? Math.ceil(left() / 1000) : null);

/** The time that was left when the page was closed, and its position: the next inspection goes on with it. */
let kept = pref('classic').look;
/** The game on which the time to look ran out last. @type {import('../js/game.js').Game | null} */
let over = null;

addEventListener('pagehide', () => {
  const game = session.current();
  const look = [looking?.game, over].includes(game) && !game.played ? { key: game.key, left: left() } : undefined;
  if (look || pref('classic').look) setPref('classic', { ...pref('classic', { anew: true }), look });
});

onCovered((now) => {
  if (now === (covered !== null)) return;
  if (!now && looking) looking.until += performance.now() - Math.max(/** @type {number} */ (covered), looking.since);
  covered = now ? performance.now() : null;
});

/** Begins with a fresh scramble, and ends with its first move. `shown` is told whenever the seconds change. @param {number} seconds @param {() => void} shown */
export function inspect(seconds, shown) {
  const game = session.current();
  if (session.phase() !== 'shuffled' || game.origin !== 'scramble' || !seconds) return stop(shown);
  if (looking?.game === game) return null;
  stop(shown);
  const since = performance.now();
  looking = { game, since, until: since + (kept?.key === game.key ? Math.min(kept.left, seconds * 1000) : seconds * 1000), shown };
  kept = null;
  timer = window.setInterval(tick, TICK_MILLIS);
  return shown();
}

/** The clock starts when the time ran out, not when that is noticed. Where nobody saw it, for the page was hidden, it waits at its beginning. */
function tick({ isSeen = !document.hidden } = {}) {
  if (!looking) return null;
  const { game, until, shown } = looking;
  if (session.current() !== game || session.phase() !== 'shuffled') return stop(shown);
  if (covered !== null || performance.now() < until) return shown();
  over = game;
  stop(shown);
  session.beginClock(isSeen ? until : undefined);
  if (!isSeen || document.hidden) session.pause();
  return null;
}

// The timers of a hidden page are late: what has run out by the time it is seen again ran out while it was hidden.
document.addEventListener('visibilitychange', () => tick({ isSeen: document.hidden }));

export function stop(/** @type {() => void} */ shown) {
  clearInterval(timer);
  if (!looking) return;
  looking = null;
  shown();
}

let last = -1;

/** @param {{ clientX: number, clientY: number }} pointer @param {DOMRect} box @param {{ rows: number, cols: number }} board */
function cellAt({ clientX, clientY }, box, { rows, cols }) {
  const [col, row] = [Math.floor(((clientX - box.left) / box.width) * cols), Math.floor(((clientY - box.top) / box.height) * rows)];
  return row >= 0 && row < rows && col >= 0 && col < cols ? row * cols + col : -1;
}

function follow(/** @type {PointerEvent} */ event) {
  if (event.pointerType !== 'mouse' || event.buttons) return;
  const box = $('board').getBoundingClientRect();
  const steps = event.getCoalescedEvents?.() ?? [];
  for (const point of steps.length ? steps : [event]) {
    const game = session.current();
    const cell = cellAt(point, box, game);
    if (cell === last) continue;
    last = cell;
    const run = cell < 0 || !game.running || ['paused', 'playback', 'searching', 'elsewhere'].includes(session.phase()) ? '' : runTo(game.board, game.hole, cell);
    if (run) session.play(run);
  }
}

const leave = () => { last = -1; };

export function setHover(/** @type {boolean} */ on) {
  for (const [name, act] of Object.entries({ pointermove: follow, pointerleave: leave })) {
    $('board').removeEventListener(name, act);
    if (on) $('board').addEventListener(name, act);
  }
}
