// The keyboard. Only our own keys are taken, and none while somebody types, composes or reads a sheet.

import { pref } from './prefs.js';
import { OPPOSITE } from './rules.js';

/** @type {Record<string, string>} */
export const WAYS = { ArrowUp: 'U', ArrowDown: 'D', ArrowLeft: 'L', ArrowRight: 'R', w: 'U', s: 'D', a: 'L', d: 'R' };

/** @type {Record<string, string>} */
const LETTERS = { u: 'undo', n: 'shuffle', r: 'restart', h: 'hint', 1: 'size1', 2: 'size2', 3: 'size3', ',': 'stepBack', '.': 'stepOn', p: 'peek' };

/** Listens to the keys. `actions` gives what they do where the player is now; a key without an action is left alone. @param {() => any} actions */
export function initKeys(actions) {
  document.addEventListener('keydown', (event) => {
    if (event.isComposing || event.keyCode === 229 || typing(event.target) || document.querySelector('dialog[open]')) return;
    const action = actionFor(event, actions());
    if (!action) return;
    event.preventDefault();
    action();
  });
  document.addEventListener('keyup', (event) => {
    if (printed(event) === 'p') actions().unpeek?.();
  });
  addEventListener('blur', () => actions().unpeek?.());
}

const typing = (/** @type {any} */ node) => node instanceof HTMLElement && (node.matches('input:not([type=checkbox]):not([type=radio]), textarea, select') || node.isContentEditable);

function actionFor(/** @type {KeyboardEvent & { target: any }} */ event, /** @type {any} */ actions) {
  if (event.ctrlKey || event.metaKey) return event.altKey ? null : withControl(event, actions);
  if (event.altKey) return null;
  if (event.key.startsWith('Arrow')) return arrow(event, actions);
  if (event.key === ' ') return event.target.closest?.('button, a, summary') ? null : actions.playPause;
  if (event.key === 'Escape') return actions.escape;
  if (event.key === '?') return actions.help;
  return pref('letters') ? letter(event, actions) : null;
}

function withControl(/** @type {KeyboardEvent & { target: any }} */ event, /** @type {any} */ actions) {
  switch (event.key.toLowerCase()) {
    case 'z': return event.shiftKey ? actions.redo : actions.undo;
    case 'y': return event.shiftKey ? null : actions.redo;
    case 's': return event.shiftKey ? null : actions.save;
    default: return null;
  }
}

/** Arrows belong to a radio group or a slider that has the focus. @param {KeyboardEvent & { target: any }} event @param {any} actions */
function arrow(event, actions) {
  if (!actions.move || event.shiftKey || event.target.closest?.('[role=radiogroup], [role=slider]')) return null;
  return () => actions.move(towards(WAYS[event.key]));
}

/** The letter a key prints; where it prints no Latin one, the letter of its place. @param {KeyboardEvent & { target: any }} event @returns {any} */
export const printed = (event) => (/^[\x21-\x7e]$/.test(event.key) ? event.key.toLowerCase() : /^Key([A-Z])$/.exec(event.code)?.[1].toLowerCase());

function letter(/** @type {KeyboardEvent & { target: any }} */ event, /** @type {any} */ actions) {
  const sign = printed(event);
  if (sign in WAYS && !event.shiftKey) return actions.move && (() => actions.move(towards(WAYS[sign])));
  if (sign === 'u' && event.shiftKey) return actions.redo;
  const name = event.shiftKey ? null : LETTERS[sign];
  if (!name || !actions[name]) return null;
  return event.repeat && name !== 'undo' ? () => {} : actions[name];
}

/** The way in which a tile goes, when a key says this one. @param {string} way */
export const towards = (way) => (pref('invert') ? OPPOSITE[way] : way);
