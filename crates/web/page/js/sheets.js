// Dialogs, questions and toasts. A sheet is a native modal dialog: the browser keeps the focus inside,
// Escape closes the topmost, and the focus returns to where it was.

import { $, button, el, icon, setText } from './dom.js';
import { onLanguage, t } from './i18n.js';
import { tellAll } from './tell.js';

/** @type {Promise<unknown> | null} */
let style = null;

/** Loads the sheets' style, which nobody sees at first: with the first sheet, or once the page is at rest. */
export function fetchStyle() {
  style ??= new Promise((resolve) => {
    const link = el('link', { rel: 'stylesheet', href: '/css/sheets.css', onload: resolve, onerror: () => { style = null; link.remove(); resolve(null); } });
    document.querySelector('link[href="/css/play.css"]')?.after(link);
  });
  return style;
}

/**
 * Opens a sheet with a title and a body; returns the dialog, whose `close` event ends it. A body that is an element of
 * the page is lent: it is back in its place before anybody is told that the sheet is closed.
 * @param {string} title
 * @param {any} body
 * @param {{ kind?: string, focus?: HTMLElement | null }} [options]
 */
export function sheet(title, body, { kind = '', focus = null } = {}) {
  const place = body instanceof Element && body.isConnected ? document.createComment('lent to a sheet') : null;
  if (place) body.before(place);
  const heading = el('h2', { id: `sheet-${Math.random().toString(36).slice(2)}` }, title);
  const dialog = el('dialog', { className: `sheet coming ${kind}`.trim(), 'aria-labelledby': heading.id },
    el('div', { className: 'sheet-head' }, heading,
      el('button', { type: 'button', className: 'ghost', 'aria-label': t('close'), onclick: () => dialog.close() }, icon('close'))),
    el('div', { className: 'sheet-body' }, body));
  dialog.addEventListener('close', () => {
    place?.replaceWith(body);
    dialog.remove();
    tellCovered();
  });
  dialog.addEventListener('pointerdown', (event) => {
    if (event.target === dialog && outside(dialog, event)) dialog.close();
  });
  document.body.append(dialog);
  void fetchStyle().then(() => dialog.classList.remove('coming'));
  dialog.showModal();
  tellCovered();
  focus?.focus();
  return dialog;
}

const coverings = new Set();

/** Calls back with whether a sheet is open, each time that one opens or closes. */
export const onCovered = (callback) => coverings.add(callback);

function tellCovered() {
  const covered = document.querySelector('dialog[open]') !== null;
  tellAll(coverings, covered);
}

function outside(dialog, { clientX, clientY }) {
  const box = dialog.getBoundingClientRect();
  return clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom;
}

/** Asks; resolves to the chosen value, or null when the sheet was closed. */
export function ask(title, text, choices) {
  return new Promise((resolve) => {
    let answer = null;
    const choose = (value) => () => {
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

/** How each notice is said, in whichever language is spoken. @type {WeakMap<Element, () => void>} */
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

/** Takes the notice away that is there: what it offers is past. */
export const hush = () => document.querySelectorAll('.toast').forEach((note) => note.remove());

/** Where a notice can be seen and pressed: in the topmost sheet, which makes the rest inert, or on the page. */
function toastHost() {
  const top = [...document.querySelectorAll('dialog[open]')].at(-1);
  if (!top) return $('toasts');
  return top.querySelector(':scope > .toasts') ?? top.appendChild(el('div', { className: 'toasts' }));
}

/** Says something to a screen reader, politely; the latest word wins. Written at once, so that it is laid out
    together with what it is about. */
export function announce(text) {
  setText($('live'), text);
}
