// Choosing a picture: a built-in one, a file, the camera, the clipboard, or one dropped on the page.

import { Undecodable, cropper, decode } from './crop.js';
import { $, button, el, icon } from './dom.js';
import { onLanguage, t } from './i18n.js';
import { BUILTIN, builtinName, paintBuiltin, pictureUrl } from './pictures.js';
import * as session from './session.js';
import { sheet, toast } from './sheets.js';
import { dropPicture, keepPicture, ownPictures, usedPictures } from './album.js';
import { flush } from './sync.js';

const THUMB_SIDE = 144;
const IN_RAIL = 4;
const RECENT = 8;

const thumbs = new Map();

/** A small rendering of a built-in picture, painted once. */
function thumbnail(name) {
  if (!thumbs.has(name)) thumbs.set(name, paintBuiltin(name, THUMB_SIDE).then((canvas) => canvas.toDataURL('image/jpeg', 0.85)));
  return thumbs.get(name);
}

function thumbButton(name, onclick) {
  const chosen = builtinName(session.current().picture) === name;
  const node = el('button', { type: 'button', className: 'thumb', 'data-picture': name, 'aria-pressed': String(chosen), 'aria-label': t(`picture.${name}`), title: t(`picture.${name}`), onclick });
  thumbnail(name).then((url) => { node.style.backgroundImage = `url("${url}")`; });
  return node;
}

function drawRail() {
  const chosen = builtinName(session.current().picture);
  const shown = BUILTIN.slice(0, IN_RAIL);
  if (chosen && !shown.includes(chosen)) shown[IN_RAIL - 1] = chosen;
  const own = chosen ? null : session.current().picture;
  if (own) shown.pop();
  $('thumbs').replaceChildren(...shown.map((name) => thumbButton(name, () => session.setPicture(`builtin:${name}`))), ...(own ? [ownThumb(own)] : []),
    el('button', { type: 'button', className: 'thumb add', id: 'more-pictures', 'aria-label': t('picture.more'), title: t('picture.more'), onclick: openPicker }, icon('plus')));
}

/** A picture of the player's own, as a button. */
function ownThumb(id, onclick = () => session.setPicture(id)) {
  const node = el('button', { type: 'button', className: 'thumb', 'data-picture': id, 'aria-pressed': String(session.current().picture === id), 'aria-label': t('picture.mine'), title: t('picture.mine'), onclick });
  pictureUrl(id).then(({ url }) => { node.style.backgroundImage = `url("${url}")`; });
  return node;
}

/** The player's latest pictures; one that no game and no record shows can be deleted. Hidden while there are none. */
function recentPart(close) {
  const gallery = el('div', { className: 'gallery' });
  const part = el('div', { className: 'recent-pictures', hidden: true }, el('h3', {}, t('picture.recent')), gallery);
  const draw = async () => {
    const [pictures, used] = await Promise.all([ownPictures(), usedPictures()]);
    gallery.replaceChildren(...pictures.slice(-RECENT).reverse().map(({ id, serverId }) => el('div', { className: 'own-picture' },
      ownThumb(id, () => { session.setPicture(id); close(); }),
      !used.has(id) && !used.has(serverId) && el('button', { type: 'button', className: 'ghost drop', 'aria-label': t('picture.delete'), title: t('picture.delete'), onclick: () => remove(id, draw) }, icon('bin')))));
    part.hidden = pictures.length === 0;
  };
  void draw();
  return part;
}

async function remove(id, redraw) {
  await dropPicture(id);
  await redraw();
  void flush();
  toast(t('picture.deleted'));
}

/** The picture sheet. */
export function openPicker() {
  const slot = el('div', { className: 'sheet-body', id: 'picture-choice' });
  slot.append(...choices(() => dialog.close(), (file) => openFile(file, slot, dialog)));
  const dialog = sheet(t('picture.head'), slot, { kind: 'wide picture-sheet' });
  const paste = (event) => {
    const file = pictureIn(event.clipboardData);
    if (file) openFile(file, slot, dialog);
  };
  document.addEventListener('paste', paste);
  dialog.addEventListener('close', () => document.removeEventListener('paste', paste));
  return { slot, dialog };
}

function choices(close, open) {
  const gallery = el('div', { className: 'gallery' }, BUILTIN.map((name) => el('figure', {}, thumbButton(name, () => {
    session.setPicture(`builtin:${name}`);
    close();
  }), el('figcaption', {}, t(`picture.${name}`)))));
  const input = (id, props) => el('input', { type: 'file', id, accept: 'image/*', hidden: true, onchange: (event) => { if (event.target.files[0]) open(event.target.files[0]); event.target.value = ''; }, ...props });
  const file = input('picture-file');
  const camera = input('picture-camera');
  camera.setAttribute('capture', 'environment');
  return [
    el('h3', {}, t('picture.own')),
    el('div', { className: 'sources' }, button(t('picture.file'), () => file.click(), { symbol: 'file' }), button(t('picture.camera'), () => camera.click(), { symbol: 'camera' }),
      button(t('picture.paste'), () => pasteFromButton(open), { symbol: 'paste' }), file, camera),
    el('p', { className: 'muted' }, t('picture.ways')),
    el('p', { className: 'error', id: 'picture-error', hidden: true, role: 'alert' }),
    recentPart(close),
    el('h3', {}, t('picture.builtin')),
    gallery,
  ];
}

/** The clipboard can be read by a button only on secure pages; elsewhere Ctrl+V does it. */
async function pasteFromButton(open) {
  try {
    for (const item of await navigator.clipboard.read()) {
      const type = item.types.find((name) => name.startsWith('image/'));
      if (type) return open(await item.getType(type));
    }
    complain(t('picture.pasteNone'));
  } catch {
    complain(t('picture.pasteKey'));
  }
  return null;
}

function complain(text) {
  const box = $('picture-error');
  if (!box) return toast(text);
  box.hidden = false;
  box.textContent = text;
  return null;
}

/** Opens a file in the cropper, or says what is wrong with it. */
async function openFile(file, slot, dialog) {
  try {
    const image = await decode(file);
    slot.replaceChildren(cropper(image, { onBack: () => slot.replaceChildren(...choices(() => dialog.close(), (other) => openFile(other, slot, dialog))), onUse: (blob) => use(blob, dialog) }));
    $('crop-stage').focus();
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error;
    complain(t(error.message === 'too large' ? 'picture.tooLarge' : 'picture.undecodable', { name: file.name ?? t('picture.pasted'), type: kindOf(file) }));
  }
}

/** A file's kind for people: HEIC, TIFF, …, by its type or else its ending. */
function kindOf(file) {
  const ending = /\.(\w{2,5})$/.exec(file.name ?? '')?.[1];
  const type = file.type.replace(/^image\//, '').replace(/^x-/, '');
  return (type || ending || t('picture.unknownType')).toUpperCase();
}

async function use(blob, dialog) {
  const id = await keepPicture(blob);
  session.setPicture(id);
  dialog.close();
}

const pictureIn = (transfer) => [...(transfer?.files ?? [])].find((file) => file.type.startsWith('image/') || /\.(heic|heif|avif|tiff?|jpe?g|png|webp|gif|bmp|svg)$/i.test(file.name));

/** Takes a picture that was pasted or dropped anywhere on the page; other files go to `onFile`. */
export function initPicker({ onFile }) {
  session.on('game', drawRail);
  session.on('picture', drawRail);
  onLanguage(drawRail);
  document.addEventListener('paste', (event) => {
    const file = document.querySelector('dialog[open]') ? null : pictureIn(event.clipboardData);
    if (file) take(file);
  });
  const veil = $('drop-veil');
  document.addEventListener('dragover', (event) => {
    if (![...event.dataTransfer.types].includes('Files')) return;
    event.preventDefault();
    veil.hidden = false;
  });
  document.addEventListener('dragleave', (event) => { if (!event.relatedTarget) veil.hidden = true; });
  document.addEventListener('drop', (event) => {
    veil.hidden = true;
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    if (/\.json$/i.test(file.name)) onFile(file);
    else take(file);
  });
}

function take(file) {
  document.querySelectorAll('dialog[open]').forEach((dialog) => dialog.close());
  const { slot, dialog } = openPicker();
  openFile(file, slot, dialog);
}
