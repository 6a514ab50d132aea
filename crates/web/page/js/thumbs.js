// The pictures in the rail, and a picture that is pasted or dropped anywhere on the page.

import { $, el, icon, refill } from './dom.js';
import { onLanguage, t } from './i18n.js';
import { rest } from './later.js';
import { BUILTIN, builtinName, isClassic, paintBuiltin, pictureUrl, showOn, typeOf } from './pictures.js';
import * as session from './session.js';

const THUMB_SIDE = 144;
const IN_RAIL = 4;

const thumbs = new Map();

/** A small rendering of a built-in picture, painted once; the one on the table is painted already. @param {string} name @returns {Promise<string>} */
function thumbnail(name) {
  const { picture } = session.current();
  if (builtinName(picture) === name && !isClassic(picture)) return pictureUrl(picture).then(({ url }) => url);
  // Where nobody answers it is tried again when it is next drawn.
  if (!thumbs.has(name)) thumbs.set(name, paintBuiltin(name, THUMB_SIDE).then((canvas) => canvas.toDataURL(typeOf(name), 0.85)).catch((error) => { thumbs.delete(name); throw error; }));
  return thumbs.get(name);
}

/** When there is nothing else to do. @param {() => void} run */
const atLeisure = (run) => ('requestIdleCallback' in globalThis ? requestIdleCallback(run, { timeout: 1000 }) : setTimeout(run, 200));

/** Paints what is seen, when it is: the pictures of the rail are a tenth of the work of loading the page, and on a phone most of them are out of sight. */
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    const node = /** @type {HTMLElement} */ (target);
    atLeisure(() => showOn(node, thumbnail(node.dataset.picture ?? '')));
  }
});

export function thumbButton(/** @type {string} */ name, /** @type {() => void} */ onclick) {
  const chosen = builtinName(session.current().picture) === name;
  const node = el('button', { type: 'button', className: 'thumb', 'data-picture': name, 'aria-pressed': String(chosen), 'aria-label': t(`picture.${name}`), title: t(`picture.${name}`), onclick });
  seen.observe(node);
  return node;
}

function drawRail() {
  const chosen = builtinName(session.current().picture);
  const shown = BUILTIN.slice(0, IN_RAIL);
  if (chosen && !shown.includes(chosen)) shown[IN_RAIL - 1] = chosen;
  const own = chosen ? null : session.current().picture;
  if (own) shown.pop();
  const add = el('button', { type: 'button', className: 'thumb add', id: 'more-pictures', 'aria-label': t('picture.more'), title: t('picture.more'), onclick: async () => (await rest()).openPicker() }, icon('plus'));
  refill($('thumbs'), ...shown.map((name) => thumbButton(name, () => session.setPicture(`builtin:${name}`))), ...(own ? [ownThumb(own)] : []), add);
  // Where there is room for this one alone, it shows the picture in use.
  (chosen ? thumbnail(chosen) : pictureUrl(session.current().picture).then(({ url }) => url)).then((url) => add.style.setProperty('--in-use', `url("${url}")`), () => {});
}

export function ownThumb(/** @type {string} */ id, onclick = () => session.setPicture(id)) {
  const node = el('button', { type: 'button', className: 'thumb', 'data-picture': id, 'aria-pressed': String(session.current().picture === id), 'aria-label': t('picture.mine'), title: t('picture.mine'), onclick });
  showOn(node, pictureUrl(id));
  return node;
}

export const pictureIn = (/** @type {DataTransfer | null} */ transfer) => [...(transfer?.files ?? [])].find((file) => file.type.startsWith('image/') || /\.(heic|heif|avif|tiff?|jpe?g|png|webp|gif|bmp|svg)$/i.test(file.name));

/** Takes a picture that was pasted or dropped anywhere on the page; a file of a game is opened. */
export function initThumbs() {
  session.on('game', drawRail);
  session.on('picture', drawRail);
  onLanguage(drawRail);
  const take = async (/** @type {File} */ file) => (await rest()).take(file);
  document.addEventListener('paste', (event) => {
    const file = document.querySelector('dialog[open]') ? null : pictureIn(event.clipboardData);
    if (file) void take(file);
  });
  const veil = $('drop-veil');
  document.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    veil.hidden = false;
  });
  document.addEventListener('dragleave', (event) => { if (!event.relatedTarget) veil.hidden = true; });
  document.addEventListener('drop', async (event) => {
    veil.hidden = true;
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    if (/\.json$/i.test(file.name)) await (await rest()).openFile(file);
    else await take(file);
  });
}
