// Dialogs, questions and toasts. A sheet is a native modal dialog: the browser keeps the focus inside,
// Escape closes the topmost, and the focus returns to where it was.

import { $, button, el, icon, lend, setText } from './dom.js';
import { addressOf } from './host.js';
import { onLanguage, t } from './i18n.js';
import { tellAll } from './tell.js';

/** Style sheets that were asked for, by their addresses. @type {Map<string, Promise<unknown>>} */
const styles = new Map();

/** Loads a style sheet of the page by its path, so that nothing is seen without it. One that did not come is asked for anew. @param {string} path */
export function styled(path) {
  const href = addressOf(path);
  if (!styles.has(href)) {
    styles.set(href, new Promise((resolve, reject) => {
      const link = el('link', { rel: 'stylesheet', href, onload: resolve, onerror: () => { link.remove(); styles.delete(href); reject(new TypeError(`${href} does not load`)); } });
      document.head.append(link);
    }));
  }
  return /** @type {Promise<unknown>} */ (styles.get(href));
}

export const fetchStyle = () => styled('css/sheets.css');

/**
 * Opens a sheet with a title and a body; returns the dialog, whose `close` event ends it. A body that is an element of
 * the page is lent: it is back in its place before anybody is told that the sheet is closed.
 * @param {string} title
 * @param {any} body
 * @param {{ kind?: string, focus?: HTMLElement | null }} [options]
 */
export function sheet(title, body, { kind = '', focus = null } = {}) {
  const giveBack = body instanceof Element && body.isConnected ? lend(body) : null;
  const heading = el('h2', { id: `sheet-${Math.random().toString(36).slice(2)}` }, title);
  const dialog = el('dialog', { className: `sheet coming ${kind}`.trim(), 'aria-labelledby': heading.id },
    el('div', { className: 'sheet-head' }, heading,
      el('button', { type: 'button', className: 'ghost', 'aria-label': t('close'), onclick: () => dialog.close() }, icon('close'))),
    el('div', { className: 'sheet-body' }, body), el('div', { className: 'unseen live', role: 'status' }));
  dialog.addEventListener('close', () => {
    giveBack?.();
    dialog.remove();
    tellCovered();
  });
  dialog.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
    if (event.target === dialog && outside(dialog, event)) dialog.close();
  });
  document.body.append(dialog);
  void fetchStyle().catch(() => {}).then(() => dialog.classList.remove('coming'));
  dialog.showModal();
  tellCovered();
  focus?.focus();
  return dialog;
}

const coverings = new Set();

/** Calls back with whether a sheet is open, each time that one opens or closes. @param {(covered: boolean) => void} callback */
export const onCovered = (callback) => coverings.add(callback);

function tellCovered() {
  const covered = document.querySelector('dialog[open]') !== null;
  tellAll(coverings, covered);
}

function outside(/** @type {HTMLDialogElement} */ dialog, /** @type {MouseEvent} */ { clientX, clientY }) {
  const box = dialog.getBoundingClientRect();
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
}

/** Asks; resolves to the chosen value, or null when the sheet was closed. @param {string} title @param {any} text @param {{ label: string, value: any, kind?: string }[]} choices */
export function ask(title, text, choices) {
  return new Promise((resolve) => {
    /** @type {any} */ let answer = null;
    const choose = (/** @type {any} */ value) => () => {
      answer = value;
      dialog.close();
    };
    const dialog = sheet(title, [
      el('p', {}, text),
      el('div', { className: 'actions' }, choices.map(({ label, value, kind }) => button(label, choose(value), { kind }))),
    ], { kind: 'centred' });
    dialog.addEventListener('close', () => resolve(answer));
  });
}

const TOAST_MILLIS = 8000;

/** Writes each notice in the current language. @type {WeakMap<Element, () => void>} */
const sayings = new WeakMap();

onLanguage(() => document.querySelectorAll('.toast').forEach((note) => sayings.get(note)?.()));

/**
 * A short notice, with one thing to do about it. It stays while the pointer or the focus is on it, and is said anew in another language.
 * @param {() => string} text
 * @param {{ label: () => string, run: () => any } | null} [action]
 */
export function toast(text, action = null) {
  const host = toastHost();
  hush();
  const words = el('span');
  const press = action && el('button', { type: 'button', onclick: () => { note.remove(); action.run(); } });
  const note = el('div', { className: 'toast' }, words, press);
  const say = () => {
    setText(words, text());
    if (action) setText(press, action.label());
  };
  sayings.set(note, say);
  say();
  host.append(note);
  announce(text());
  const fade = () => (note.matches(':hover, :focus-within') ? setTimeout(fade, 1000) : note.remove());
  setTimeout(fade, TOAST_MILLIS);
  return note;
}

/** Removes the notice: its offer is past. */
export const hush = () => document.querySelectorAll('.toast').forEach((note) => note.remove());

/** @returns {Element | undefined} */
const topSheet = () => [...document.querySelectorAll('dialog[open]')].at(-1);

/** Where a notice can be seen and pressed: in the topmost sheet, which makes the rest inert, or on the page. */
function toastHost() {
  const top = topSheet();
  if (!top) return $('toasts');
  return top.querySelector(':scope > .toasts') ?? top.appendChild(el('div', { className: 'toasts' }));
}

/** Says something to a screen reader, politely; the latest word wins. What is outside of an open sheet is not heard, so each has a region of its own. Written at once, so that it is laid out together with what it is about. @param {string} text */
export const announce = (text) => setText(topSheet()?.querySelector(':scope > .live') ?? $('live'), text);
