// The time to look before the first move: it is counted down from the scramble on, and when it has run out the clock
// starts by itself.

import * as session from '../js/session.js';

const TICK_MILLIS = 100;

/** @type {{ game: any, until: number } | null} */
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
  looking = { game, until: performance.now() + seconds * 1000 };
  timer = window.setInterval(() => tick(shown), TICK_MILLIS);
  return shown();
}

function tick(shown) {
  if (session.current() !== looking?.game || session.phase() !== 'shuffled') return stop(shown);
  if (performance.now() < looking.until) return shown();
  stop(shown);
  session.beginClock();
  // Nobody looks at a hidden page.
  if (document.hidden) session.pause();
  return null;
}

/** Ends the looking. */
export function stop(shown) {
  clearInterval(timer);
  if (!looking) return;
  looking = null;
  shown();
}
