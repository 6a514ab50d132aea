// Choosing a picture: a built-in one, a file, the camera, the clipboard, or one dropped on the page.

import { Undecodable, cropper, decode } from './crop.js';
import { $, button, el, icon } from './dom.js';
import { t } from './i18n.js';
import { BUILTIN } from './pictures.js';
import * as session from './session.js';
import { sheet, toast } from './sheets.js';
import { ownThumb, pictureIn, thumbButton } from './thumbs.js';
import { dropPicture, keepPicture, ownPictures, revivePicture, usedPictures } from './album.js';
import { flush } from './sync.js';

const RECENT = 8;

/** The player's latest pictures; one that no game and no record shows can be deleted. Hidden while there are none. */
function recentPart(close) {
  const gallery = el('div', { className: 'gallery' });
  const part = el('div', { className: 'recent-pictures', hidden: true }, el('h3', {}, t('picture.recent')), gallery);
  const draw = async () => {
    const [pictures, used] = await Promise.all([ownPictures(), usedPictures()]);
    gallery.replaceChildren(...pictures.slice(-RECENT).reverse().map((picture) => el('div', { className: 'own-picture' },
      ownThumb(picture.id, () => { session.setPicture(picture.id); close(); }),
      !used.has(picture.id) && !used.has(picture.serverId) && el('button', { type: 'button', className: 'ghost drop', 'aria-label': t('picture.delete'), title: t('picture.delete'), onclick: () => remove(picture, draw) }, icon('bin')))));
    part.hidden = pictures.length === 0;
  };
  void draw();
  return part;
}

async function remove(picture, redraw) {
  await dropPicture(picture.id);
  await redraw();
  void flush();
  toast(t('picture.deleted'), { label: t('do.undo'), run: async () => { await revivePicture(picture); await redraw(); } });
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

/** Opens a picture that was pasted or dropped, in a sheet of its own. */
export function take(file) {
  /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll('dialog[open]')).forEach((dialog) => dialog.close());
  const { slot, dialog } = openPicker();
  openFile(file, slot, dialog);
}
