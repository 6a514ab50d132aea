// Where the focus goes when what has it goes away: what a search says changes by itself, and whoever is there with the
// keyboard stays there.

import * as session from './session.js';

/** What comes in the place of the rest, by phase; the first that can be seen and pressed. */
const NEXT = { searching: ['#stop'], playback: ['#pb-play'] };
const REST = ['#solve', '.bar [data-does=solve]', '#algorithm', '.bar [data-does=more]'];

const isSeen = (node) => node !== null && node.getClientRects().length > 0 && !node.disabled;

/** Gives the focus to what stands there now. */
function passFocus() {
  const places = [...(NEXT[session.phase()] ?? []), ...REST].map((selector) => /** @type {HTMLButtonElement | null} */ (document.querySelector(selector)));
  places.find(isSeen)?.focus({ preventScroll: true });
}

/** Passes the focus on if it is in the solver's parts and out of sight. */
function keepFocus() {
  const at = document.activeElement;
  if (at?.closest('#solver, #dock') && !isSeen(at)) passFocus();
}

/** Takes something away, and passes the focus on that was in it. @param {Element} node @param {() => void} take */
export function takeAway(node, take) {
  const held = node.contains(document.activeElement);
  take();
  if (held) passFocus();
}

// Those who show a phase are told before: this comes with the first search.
session.on('phase', keepFocus);
