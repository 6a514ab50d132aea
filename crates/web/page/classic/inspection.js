// The time to look before the first move: it is counted down from the scramble on, and when it has run out the clock
// starts by itself.

import * as session from '../js/session.js';

const TICK_MILLIS = 100;

/** @type {{ game: any, until: number, shown: () => void } | null} */
let looking = null;
let timer = 0;

/** What is left, in whole seconds; null while nobody looks. */
export const secondsLeft = () => (looking ? Math.max(0, Math.ceil((looking.until - performance.now()) / 1000)) : null);

/** Begins with a fresh scramble, and ends with its first move. `shown` is told whenever the seconds change. */
export function inspect(seconds, shown) {
  const game = session.current();
  if (session.phase() !== 'shuffled' || game.origin !== 'scramble' || !seconds) return stop(shown);
  if (looking?.game === game) return null;
  stop(shown);
  looking = { game, until: performance.now() + seconds * 1000, shown };
  timer = window.setInterval(tick, TICK_MILLIS);
  return shown();
}

/** The clock starts when the time ran out, not when that is noticed. Where nobody saw it, for the page was hidden, it waits at its beginning. */
function tick({ isSeen = !document.hidden } = {}) {
  if (!looking) return null;
  const { game, until, shown } = looking;
  if (session.current() !== game || session.phase() !== 'shuffled') return stop(shown);
  if (performance.now() < until) return shown();
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
