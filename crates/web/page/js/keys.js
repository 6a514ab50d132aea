// The keyboard. Only our own keys are taken, and none while somebody types, composes or reads a sheet.

import { pref } from './prefs.js';

const WAYS = { ArrowUp: 'U', ArrowDown: 'D', ArrowLeft: 'L', ArrowRight: 'R', KeyW: 'U', KeyS: 'D', KeyA: 'L', KeyD: 'R' };
const OPPOSITE = { U: 'D', D: 'U', L: 'R', R: 'L' };

/** Every key the page knows, for the list under `?`. `letter` marks single letters that can be switched off. */
export const KEYS = [
  { keys: ['↑ ↓ ← →', 'W A S D'], text: 'keys.moveTile' },
  { keys: ['Ctrl Z', 'U'], text: 'keys.undo' },
  { keys: ['Ctrl Y', 'Shift U'], text: 'keys.redo' },
  { keys: ['N'], text: 'keys.shuffle' },
  { keys: ['R'], text: 'keys.restart' },
  { keys: ['H'], text: 'keys.hint' },
  { keys: ['Space'], text: 'keys.playPause' },
  { keys: [',', '.'], text: 'keys.step' },
  { keys: ['P'], text: 'keys.peekHold' },
  { keys: ['1', '2', '3'], text: 'keys.size' },
  { keys: ['Ctrl S'], text: 'keys.save' },
  { keys: ['?'], text: 'keys.help' },
  { keys: ['Esc'], text: 'keys.escape' },
];

const LETTERS = { KeyU: 'undo', KeyN: 'shuffle', KeyR: 'restart', KeyH: 'hint', Digit1: 'size1', Digit2: 'size2', Digit3: 'size3', Comma: 'stepBack', Period: 'stepOn', KeyP: 'peek' };

export function initKeys(actions) {
  document.addEventListener('keydown', (event) => {
    if (event.isComposing || event.keyCode === 229 || typing(event.target) || document.querySelector('dialog[open]')) return;
    const action = actionFor(event, actions);
    if (!action) return;
    event.preventDefault();
    action();
  });
  document.addEventListener('keyup', (event) => {
    if (event.code === 'KeyP') actions.unpeek();
  });
  addEventListener('blur', () => actions.unpeek());
}

const typing = (node) => node instanceof Element && (node.matches('input:not([type=checkbox]):not([type=radio]), textarea, select') || node.isContentEditable);

function actionFor(event, actions) {
  if (event.ctrlKey || event.metaKey) return event.altKey ? null : withControl(event, actions);
  if (event.altKey || actions.place() !== 'play') return event.key === '?' && !event.altKey ? actions.help : null;
  if (event.key.startsWith('Arrow')) return arrow(event, actions);
  if (event.key === ' ') return event.target.closest?.('button, a, summary') ? null : actions.playPause;
  if (event.key === 'Escape') return actions.escape;
  if (event.key === '?') return actions.help;
  return pref('letters') ? letter(event, actions) : null;
}

function withControl(event, actions) {
  if (actions.place() !== 'play') return null;
  switch (event.key.toLowerCase()) {
    case 'z': return event.shiftKey ? actions.redo : actions.undo;
    case 'y': return event.shiftKey ? null : actions.redo;
    case 's': return event.shiftKey ? null : actions.save;
    default: return null;
  }
}

/** Arrows belong to a radio group or a slider that has the focus. */
function arrow(event, actions) {
  if (event.shiftKey || event.target.closest?.('[role=radiogroup], [role=slider]')) return null;
  return () => actions.move(towards(WAYS[event.key]));
}

function letter(event, actions) {
  if (event.code in WAYS && !event.shiftKey) return event.repeat ? () => {} : () => actions.move(towards(WAYS[event.code]));
  if (event.code === 'KeyU' && event.shiftKey) return actions.redo;
  const name = event.shiftKey ? null : LETTERS[event.code];
  if (!name) return null;
  return event.repeat && name !== 'undo' ? () => {} : actions[name];
}

const towards = (way) => (pref('invert') ? OPPOSITE[way] : way);
