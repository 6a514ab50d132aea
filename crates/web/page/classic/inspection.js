// The time to look before the first move: it is counted down from the scramble on, and when it has run out the clock
// starts by itself. It waits while a dialog covers the board, as the clock does, and a reload does not renew it.

import { pref, setPref } from '../js/prefs.js';
import * as session from '../js/session.js';
import { onCovered } from '../js/sheets.js';

const TICK_MILLIS = 100;

/** @type {{ game: any, since: number, until: number, shown: () => void } | null} */
let looking = null;
let timer = 0;

/** When a dialog came over the board; null while none covers it. @type {number | null} */
let covered = null;

/** What is left, in milliseconds. */
const left = () => (looking ? Math.max(0, looking.until - Math.max(covered ?? performance.now(), looking.since)) : 0);

/** What is left, in whole seconds; null while nobody looks. */
export const secondsLeft = () => (looking ? Math.ceil(left() / 1000) : null);

/** What was left of the look at some position when the page went away; it is for the first look after that. */
let kept = pref('classic').look;
/** The game on which the time to look ran out last. */
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

/** Begins with a fresh scramble, and ends with its first move. `shown` is told whenever the seconds change. */
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

/** Ends the looking. */
export function stop(shown) {
  clearInterval(timer);
  if (!looking) return;
  looking = null;
  shown();
}
