// What Paths says in passing: it goes with the place, for it means nothing in another.

import { toast } from '../../js/sheets.js';

/** @type {HTMLElement | null} */
let last = null;

/** A short notice, with one thing to do about it. @param {() => string} text @param {{ label: () => string, run: () => any } | null} [action] */
export function notice(text, action = null) {
  last = toast(text, action);
  return last;
}

/** Whoever leaves takes the last notice along. */
export function dropNotice() {
  last?.remove();
  last = null;
}
