// Presenting a recorded search in a lecture hall: tree or map, the sentence, the code and the lists fill the screen, and
// everything is done by keys. What is shown is lent by the place and goes back to it.

import { el, icon, lend } from '../js/dom.js';
import { t } from '../js/i18n.js';
import { printed } from '../js/keys.js';
import { pref } from '../js/prefs.js';
import { sheet } from '../js/sheets.js';
import { PAGE, belongs } from './player.js';

/** Sizes in the style sheet are for a screen of so many pixels; on a larger one everything grows. */
const [WIDTH, HEIGHT] = [1920, 1080];

/** The keys as they are listed, by what they do; those in `LETTERS` are single letters, which can be switched off. */
const KEYS = [['←', '→', 'key.step'], ['Shift + ←', 'Shift + →', 'key.event'], ['Page ↑', 'Page ↓', 'key.page'], ['Home', 'End', 'key.ends'], ['Space', 'key.play'], ['↑', '↓', 'key.speed'], ['G', 'goal'], ['B', 'key.level'], ['R', 'reopening'], ['P', 'key.panel'], ['1', '2', 'key.look'], ['+', '−', '0', 'key.zoom'], ['?', 'key.keys'], ['Esc', 'key.leave']];
const LETTERS = new Set(['goal', 'key.level', 'reopening', 'key.panel']);

/**
 * @typedef {object} Parts What is lent: the tree or the map, the sentence (where the stage does not have it), the player, and
 *   what stands beside, in pages that follow each other.
 * @property {HTMLElement[]} stage
 * @property {HTMLElement | null} said
 * @property {HTMLElement} bar
 * @property {HTMLElement[][]} pages
 */

/**
 * @param {any} root The place.
 * @param {{ parts: () => Parts | null, player: () => ReturnType<typeof import('./player.js').createPlayer>, actions: Record<string, () => void>, look: (number: number) => void, zoom: (by: -1 | 0 | 1) => void, onLeave?: () => void }} place
 *   `parts` is null where there is nothing to present; `look` chooses the search that is told of, `zoom` enlarges, makes smaller, or (0) shows everything.
 */
export function createPresent(root, { parts, player, actions, look, zoom, onLeave }) {
  /** @type {HTMLElement | null} */
  let overlay = null;
  /** The functions that bring the lent elements back. @type {(() => void)[]} */
  let givesBack = [];
  /** @type {HTMLElement[][]} */
  let pages = [];
  let page = 0;
  let returnTo = /** @type {any} */ (null);
  let helpBefore = actions.help;

  /** Lends an element to the presentation. @param {HTMLElement} node */
  function lent(node) {
    givesBack.push(lend(node));
    return node;
  }

  function turn(/** @type {number} */ to) {
    page = to % pages.length;
    pages.forEach((panels, i) => panels.forEach((panel) => panel.classList.toggle('off-page', i !== page)));
  }

  const grow = () => document.documentElement.style.setProperty('--unit', String(Math.max(1, Math.min(innerWidth / WIDTH, innerHeight / HEIGHT))));

  function enter() {
    const found = overlay ? null : parts();
    if (!found) return;
    returnTo = document.activeElement;
    const act = (/** @type {string} */ id, /** @type {string} */ key, /** @type {string} */ symbol, /** @type {{ (): void, (): void }} */ run) => el('button', { type: 'button', className: 'ghost', id: `present-${id}`, 'aria-label': t(key), title: t(key), onclick: run }, icon(symbol));
    pages = found.pages;
    const shown = /** @type {HTMLElement} */ (el('section', { className: 'present', tabIndex: -1, 'aria-label': t('trace.present') },
      el('div', { className: 'present-stage' }, found.stage.map(lent)),
      el('div', { className: 'present-side' }, pages.flat().map(lent)),
      found.said && el('div', { className: 'present-said' }, lent(found.said)),
      el('div', { className: 'present-bar' }, lent(found.bar), act('keys', 'trace.present.keys', 'help', openKeys), act('leave', 'trace.present.leave', 'close', leave))));
    overlay = shown;
    // Panels that do not fit can be scrolled, also by keys.
    for (const panel of pages.flat()) panel.tabIndex = 0;
    turn(0);
    grow();
    // A click must not leave the focus where arrows mean something else than steps.
    shown.addEventListener('pointerup', (event) => { if (!(event.target instanceof Element && event.target.closest('select, input'))) shown.focus({ preventScroll: true }); });
    addEventListener('resize', grow);
    document.documentElement.dataset.presenting = '';
    root.append(shown);
    [helpBefore, actions.help] = [actions.help, openKeys];
    shown.focus({ preventScroll: true });
    // The whole screen is asked for; without it, the window is what there is.
    document.documentElement.requestFullscreen?.().then(() => (overlay ? undefined : document.exitFullscreen())).catch(() => {});
  }

  function leave() {
    if (!overlay) return;
    for (const panel of pages.flat()) {
      panel.classList.remove('off-page');
      panel.removeAttribute('tabindex');
    }
    givesBack.forEach((giveBack) => giveBack());
    givesBack = [];
    overlay.remove();
    overlay = null;
    removeEventListener('resize', grow);
    delete document.documentElement.dataset.presenting;
    document.documentElement.style.removeProperty('--unit');
    actions.help = helpBefore;
    onLeave?.();
    if (document.fullscreenElement) void document.exitFullscreen().catch(() => {});
    returnTo?.focus({ preventScroll: true });
  }

  function openKeys() {
    const row = (/** @type {any[]} */ words) => [el('dt', {}, words.slice(0, -1).map((key) => el('kbd', {}, key === 'Space' ? t('trace.key.space') : key))), el('dd', {}, t(`trace.${words.at(-1)}`, { n: PAGE }))];
    sheet(t('trace.present.keys'), el('dl', { className: 'present-keys' }, KEYS.filter((words) => pref('letters') || !LETTERS.has(words.at(-1) ?? '')).flatMap(row)), { kind: 'present-sheet' });
  }

  /** The action of a key during a presentation, or undefined. @param {any} event */
  function does(event) {
    const letter = pref('letters') && !event.shiftKey ? printed(event) : '';
    const sign = /** @type {any} */ ({ Escape: leave, ArrowUp: () => player().faster(1), ArrowDown: () => player().faster(-1), '+': () => zoom(1), '=': () => zoom(1), '-': () => zoom(-1), 0: () => zoom(0) })[event.key];
    if (sign) return sign;
    if (/^[1-9]$/.test(event.key)) return () => look(Number(event.key) - 1);
    return /** @type {any} */ ({ f: leave, g: player().goal, b: player().level, r: player().reopening, p: () => turn(page + 1) })[letter ?? ''];
  }

  // Leaving the full screen (by Escape, which the page does not see) ends the presentation.
  document.addEventListener('fullscreenchange', () => { if (!document.fullscreenElement) leave(); });

  return {
    enter, leave,
    get isOn() { return overlay !== null; },
    /** Takes a key; F begins. Returns whether it did. @param {KeyboardEvent} event */
    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || (belongs(event) && event.key !== 'Escape') || document.querySelector('dialog[open]')) return false;
      const run = overlay ? does(event) : pref('letters') && printed(event) === 'f' && !event.shiftKey && parts() ? enter : undefined;
      if (!run) return false;
      event.preventDefault();
      run();
      return true;
    },
  };
}
