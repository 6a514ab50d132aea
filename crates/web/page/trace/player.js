// The player of recorded searches: the controls of the game's playback, and jumps that only a search has. A step is an
// expansion; with Shift, or where single events are wanted, an event.

import { button, el, icon, setText } from '../js/dom.js';
import { onLanguage, t, whole } from '../js/i18n.js';
import { createPlayback, createTransport, FASTEST } from '../js/playback.js';
import { toast } from '../js/sheets.js';
import { goesByDepth } from './order.js';

const SPEEDS = [0.25, 1, 4, 16, 64, 256, 1024, FASTEST];
/** A player as narrow as this, or in a window as low, is a low one; the style sheet says the same. */
const [NARROW, LOW] = [540, 499];
export const PAGE = 25;

/** @type {import('./recording.js').Timeline} */
const NOTHING = { length: 0, expansions: 0, goalEvent: -1, nextExpansion: () => 0, prevExpansion: () => 0, nthExpansion: () => 0, expansionsAt: () => 0, nextLevel: () => -1, nextReopening: () => -1 };

/**
 * Builds the player in `root`. `onMove` is told each position that it comes to; `load` gives it another search.
 * @param {HTMLElement} root
 * @param {import('./recording.js').Timeline | null} timeline
 * @param {{ onMove: (k: number) => void, onEnded?: () => void, onPresent: () => void }} callbacks
 * @param {{ name?: string }} [options] The ids of the controls begin with `name`.
 */
export function createPlayer(root, timeline, { onMove, onEnded, onPresent }, { name = 'player' } = {}) {
  /** @type {any} */
  let line = timeline ?? NOTHING;
  let single = false;
  const transport = createTransport(root, { name, speeds: SPEEDS, kept: 'pace', words: 'trace.player' });
  const jumps = jumpsOf(name);
  const present = presentOf(name, onPresent);
  root.classList.add('trace-player');
  root.querySelector('.transport')?.append(moreOf(root, name));
  root.append(jumps.row);
  // On narrow screens it is among the jumps.
  new ResizeObserver(() => {
    const row = root.clientWidth <= NARROW || innerHeight <= LOW ? jumps.row : root.querySelector('.transport');
    // To put it where it is would take the focus from it.
    if (present.parentElement !== row) row?.append(present);
  }).observe(root);
  let playback = /** @type {any} */ (null);

  /** The position so many steps on, or back. @param {number} at @param {number} by */
  function move(at, by, alone = single) {
    if (alone) return at + by;
    const here = line.expansionsAt(at);
    // One step back from the middle of an expansion is its beginning.
    if (by === -1 && line.nthExpansion(here) < at) return line.nthExpansion(here);
    return here + by > line.expansions ? line.length : line.nthExpansion(here + by);
  }

  const view = {
    show: (/** @type {any} */ state) => {
      transport.show(state);
      jumps.show(line, state.at);
    },
    speed: transport.speed,
  };

  function load(/** @type {any} */ next) {
    playback?.stop();
    line = next ?? NOTHING;
    jumps.load(line);
    playback = createPlayback({ length: line.length, go: (_, to) => onMove(to), ended: onEnded, move }, view);
    transport.drive(playback);
  }

  const actions = {
    level: () => { const to = line.nextLevel(playback.at); if (to >= 0) playback.jump(to); },
    reopening: () => { const to = line.nextReopening(playback.at); if (to >= 0) playback.jump(to); },
    goal: () => { if (line.goalEvent >= 0) playback.jump(line.goalEvent); },
    /** Goes to an expansion; beyond the first or the last it says so. Returns the number of the one it went to. @param {number} n */
    expansion: (n) => {
      const to = Math.max(0, Math.min(line.expansions, Math.round(n)));
      if (to !== n) toast(() => t(n > to ? 'trace.nth.most' : 'trace.nth.least', { n: whole(line.expansions) }));
      playback.jump(line.nthExpansion(to));
      return to;
    },
  };
  jumps.drive(actions, (value) => { single = value; });
  load(timeline);

  /** The action of a key, or null. @param {any} event */
  function keyed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return null;
    const by = (/** @type {number} */ steps) => () => playback.jump(move(playback.at, steps, event.shiftKey || single));
    switch (event.key) {
      case ' ': return () => playback.toggle();
      case 'ArrowRight': case '.': return by(1);
      case 'ArrowLeft': case ',': return by(-1);
      case 'PageDown': return by(PAGE);
      case 'PageUp': return by(-PAGE);
      case 'Home': return () => playback.jump(0);
      case 'End': return () => playback.jump(Infinity);
      default: return null;
    }
  }

  return {
    load,
    seek: (/** @type {number} */ k) => playback.jump(k),
    step: (/** @type {number} */ by) => playback.step(by),
    play: () => playback.play(),
    pause: () => playback.pause(),
    toggle: () => playback.toggle(),
    faster: transport.faster,
    ...actions,
    get k() { return playback.at; },
    get playing() { return playback.playing; },
    get length() { return line.length; },
    /** Takes a key, unless it belongs to what has the focus. Returns whether it did. @param {KeyboardEvent} event */
    key(event) {
      if (!line.length || event.isComposing || belongs(event)) return false;
      const run = keyed(event);
      if (!run) return false;
      event.preventDefault();
      run();
      return true;
    },
  };
}

/** Whether a key means something to the element that has the focus. */
export function belongs(/** @type {{ target: any, key: string }} */ { target, key }) {
  if (!(target instanceof Element) || document.querySelector('dialog[open]')) return true;
  if (target.closest('input:not([type=checkbox]):not([type=radio]):not([type=range]), textarea, select, [contenteditable], [role=grid], [role=listbox], [role=tablist], [role=radiogroup]')) return true;
  if (target.closest('input[type=range], input[type=radio]')) return key !== ' ';
  return key === ' ' && target.closest('button, a, summary, input, label') !== null;
}

/** On narrow screens a button unfolds the jumps. @param {HTMLElement} root @param {string} name */
function moreOf(root, name) {
  const more = el('button', { type: 'button', className: 'ghost more-jumps', id: `${name}-more`, 'aria-expanded': 'false', onclick: () => more.setAttribute('aria-expanded', String(root.classList.toggle('jumping'))) }, icon('more'));
  onLanguage(() => { more.setAttribute('aria-label', t('trace.jumps')); more.title = t('trace.jumps'); });
  return more;
}

/** Begins the presentation. @param {string} name @param {{ (): void, (event?: Event): any }} onPresent */
function presentOf(name, onPresent) {
  const present = button('', onPresent, { kind: 'jump present-on', symbol: 'screen', id: `${name}-present` });
  onLanguage(() => { setText(present.querySelector('span'), t('trace.present')); present.title = t('trace.present.title'); });
  return present;
}

/** The row of jumps: to the n-th expansion, the next bound or depth, the next reopening, the goal. @param {string} name */
function jumpsOf(name) {
  const act = (/** @type {string} */ id) => button('', () => {}, { kind: 'jump', id: `${name}-${id}` });
  const [level, reopening, goal] = ['level', 'reopening', 'goal'].map(act);
  const field = el('input', { type: 'number', id: `${name}-nth`, min: 0, step: 1, inputMode: 'numeric', className: 'nth' });
  const total = el('span', { className: 'nth-of' });
  const single = el('input', { type: 'checkbox', id: `${name}-single` });
  const singleWords = el('span');
  const nthWords = el('span', { className: 'nth-words' });
  const row = el('div', { className: 'jumps' }, el('label', { className: 'nth-box' }, nthWords, field, total), level, reopening, goal, el('label', { className: 'single' }, single, singleWords));
  let levelKey = 'trace.level';
  onLanguage(() => {
    for (const [node, key] of [[level, levelKey], [reopening, 'trace.reopening'], [goal, 'trace.goal']]) setText(node.querySelector('span'), t(key));
    setText(singleWords, t('trace.single'));
    setText(nthWords, t('trace.nth'));
  });
  return {
    row,
    load(/** @type {import('./recording.js').Timeline} */ line) {
      levelKey = goesByDepth(line) ? 'trace.level.depth' : 'trace.level';
      setText(level.querySelector('span'), t(levelKey));
    },
    drive(/** @type {{ level: any, reopening: any, goal: any, expansion: any }} */ actions, /** @type {(value: any) => void} */ onSingle) {
      level.addEventListener('click', actions.level);
      reopening.addEventListener('click', actions.reopening);
      goal.addEventListener('click', actions.goal);
      field.addEventListener('change', () => { field.value = String(actions.expansion(Number(field.value) || 0)); });
      single.addEventListener('change', () => onSingle(single.checked));
    },
    show(/** @type {any} */ line, /** @type {number} */ at) {
      if (document.activeElement !== field) field.value = String(line.expansionsAt(at));
      field.max = String(line.expansions);
      setText(total, ` / ${whole(line.expansions)}`);
      level.disabled = line.nextLevel(at) < 0;
      reopening.disabled = line.nextReopening(at) < 0;
      goal.disabled = line.goalEvent < 0 || at === line.goalEvent;
    },
  };
}
