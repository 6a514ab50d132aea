// The time a game has taken, noted where a document that ends can still write: the database answers too late for
// that. So thinking counts up to the reload, the closed tab or the crash, and not only up to the last move.

import { MOST_MILLIS } from './save.js';
import * as session from './session.js';

const PREFIX = 'pintu.elapsed.';
const EVERY_MILLIS = 1000;

/** What was noted of a game, in milliseconds; 0 where nothing was. @param {string} id */
export function elapsed(id) {
  try {
    const millis = Number(localStorage.getItem(PREFIX + id));
    return Number.isInteger(millis) && millis > 0 && millis <= MOST_MILLIS ? millis : 0;
  } catch {
    return 0;
  }
}

/** Forgets the notes of all games but these. */
export function forgetElapsed(except = new Set()) {
  try {
    const noted = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    for (const key of noted) if (!except.has(key.slice(PREFIX.length))) localStorage.removeItem(key);
  } catch {
    // Where nothing is kept, nothing is to be forgotten.
  }
}

/** Notes the time of the game on the table, if it is one that is played here. */
function note() {
  const { id, replay, running } = session.current();
  const millis = session.millis();
  if (!id || replay || !running || !millis || session.phase() === 'elsewhere' || elapsed(id) >= millis) return;
  try {
    localStorage.setItem(PREFIX + id, String(millis));
  } catch {
    // Then the time up to the last move is what is kept.
  }
}

/** Notes the time from now on: while it runs, when another game comes, and when the page goes away. */
export function initElapsed() {
  setInterval(note, EVERY_MILLIS);
  session.on('interrupt', (why) => { if (why === 'replaced') note(); });
  document.addEventListener('visibilitychange', note);
  addEventListener('pagehide', note);
}
