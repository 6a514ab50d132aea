// Choosing a picture: a built-in one, a file, the camera, the clipboard, or one dropped on the page.

import { Undecodable, cropper, decode } from './crop.js';
import { $, button, el, icon } from './dom.js';
import { Game } from './game.js';
import { t } from './i18n.js';
import { pictureName } from './naming.js';
import { BUILTIN, DEFAULT } from './pictures.js';
import { sameCell, wrapsLeft } from './rules.js';
import * as session from './session.js';
import { ask, sheet, toast } from './sheets.js';
import { ownThumb, pictureIn, thumbButton } from './thumbs.js';
import { dropPicture, keepPicture, ownPictures, repaint, revivePicture, usesOf } from './album.js';
import { flush } from './sync.js';
/** @import { Picture } from './album.js' */

const RECENT = 8;
/** JPEG quality of the whole photo, which is kept so that it can be cropped again. */
const SOURCE_QUALITY = 0.88;

/** The player's latest pictures, each of which can be cropped anew or deleted. Hidden while there are none. @param {() => void} close @param {(picture: Picture) => void} cropAnew */
function recentPart(close, cropAnew) {
  const gallery = el('div', { className: 'gallery' });
  const part = el('div', { className: 'recent-pictures', hidden: true }, el('h3', {}, t('picture.recent')), gallery);
  const act = (/** @type {string} */ kind, /** @type {string} */ symbol, /** @type {string} */ label, /** @type {() => void} */ run) => el('button', { type: 'button', className: `ghost ${kind}`, 'aria-label': label, title: label, onclick: run }, icon(symbol));
  const draw = async () => {
    const pictures = await ownPictures();
    gallery.replaceChildren(...pictures.slice(-RECENT).reverse().map((picture) => el('div', { className: 'own-picture' },
      ownThumb(picture.id, () => { session.setPicture(picture.id); close(); }),
      act('recrop', 'crop', t('picture.recrop'), () => cropAnew(picture)),
      act('drop', 'bin', t('picture.delete'), () => remove(picture, draw)))));
    part.hidden = pictures.length === 0;
  };
  void draw();
  return part;
}

/** Deletes a picture. Games that show it get another, which is asked about first; what a record shows stays. @param {Picture} picture @param {() => Promise<void>} redraw */
async function remove(picture, redraw) {
  const { saves, records, table, elsewhere } = await usesOf(picture);
  if (records.length) return complain(() => t('picture.inRecord'));
  if (elsewhere) return complain(() => t('picture.inTab'));
  const count = saves.length + (table && !saves.some(({ id }) => id === session.current().id) ? 1 : 0);
  const sure = !count || (await ask(t('picture.delete'), t('picture.deleteUsed', { count, other: pictureName(DEFAULT) }), [{ label: t('cancel'), value: false }, { label: t('picture.deleteYes'), value: true, kind: 'danger' }]));
  if (!sure) return null;
  const takeBack = await repaint(picture);
  await dropPicture(picture.id);
  await redraw();
  void flush();
  return toast(() => t('picture.deleted'), { label: () => t('do.undo'), run: async () => { await revivePicture(picture); await takeBack(); await redraw(); } });
}

export function openPicker() {
  const slot = el('div', { className: 'sheet-body', id: 'picture-choice' });
  const show = () => slot.replaceChildren(...choices(() => dialog.close(), (file) => openFile(file, slot, dialog), (picture) => recrop(picture, slot, dialog)));
  show();
  back.set(slot, show);
  const dialog = sheet(t('picture.head'), slot, { kind: 'wide picture-sheet' });
  const paste = (/** @type {ClipboardEvent} */ event) => {
    const file = pictureIn(event.clipboardData);
    if (file) openFile(file, slot, dialog);
  };
  document.addEventListener('paste', paste);
  dialog.addEventListener('close', () => document.removeEventListener('paste', paste));
  return { slot, dialog };
}

/** Functions that bring a sheet back to its choices. @type {WeakMap<HTMLElement, () => void>} */
const back = new WeakMap();

function choices(/** @type {() => void} */ close, /** @type {(file: Blob) => void} */ open, /** @type {(picture: Picture) => void} */ cropAnew) {
  const gallery = el('div', { className: 'gallery' }, BUILTIN.map((name) => el('figure', {}, thumbButton(name, () => {
    session.setPicture(`builtin:${name}`);
    close();
  }), el('figcaption', {}, t(`picture.${name}`)))));
  /** @param {string} id @param {Record<string, any>} [props] */
  const input = (id, props) => el('input', { type: 'file', id, accept: 'image/*', hidden: true, onchange: (/** @type {{ target: any }} */ event) => { if (event.target.files[0]) open(event.target.files[0]); event.target.value = ''; }, ...props });
  const file = input('picture-file');
  const camera = input('picture-camera');
  camera.setAttribute('capture', 'environment');
  return [
    el('h3', {}, t('picture.own')),
    el('div', { className: 'sources' }, button(t('picture.file'), () => file.click(), { symbol: 'file' }), button(t('picture.camera'), () => camera.click(), { symbol: 'camera' }),
      button(t('picture.paste'), () => pasteFromButton(open), { symbol: 'paste' }), file, camera),
    el('p', { className: 'muted' }, matchMedia('(pointer: fine)').matches ? t('picture.ways') : '', t('picture.stays')),
    el('p', { className: 'error', id: 'picture-error', hidden: true, role: 'alert' }),
    recentPart(close, cropAnew),
    el('h3', {}, t('picture.builtin')),
    gallery,
  ];
}

/** The clipboard can be read by a button only on secure pages; elsewhere Ctrl+V does it. @param {(file: Blob) => void} open */
async function pasteFromButton(open) {
  try {
    for (const item of await navigator.clipboard.read()) {
      const type = item.types.find((name) => name.startsWith('image/'));
      if (type) return open(await item.getType(type));
    }
    complain(() => t('picture.pasteNone'));
  } catch {
    complain(() => t('picture.pasteKey'));
  }
  return null;
}

/** Says it in the sheet, or on the page where that is closed. @param {() => string} text */
function complain(text) {
  const box = $('picture-error');
  if (!box) return toast(text);
  box.hidden = false;
  box.textContent = text();
  return null;
}

/** Opens a file in the cropper, or says what is wrong with it. @param {Blob & { name?: string }} file @param {HTMLElement} slot @param {HTMLDialogElement} dialog */
async function openFile(file, slot, dialog) {
  try {
    const image = await decode(file);
    showCropper(image, slot, async (blob, board) => use(blob, await sourceOf(image), board, dialog));
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error;
    const { type, isUsual, isPicture } = kindOf(file);
    const key = error.message === 'too large' ? 'picture.tooLarge' : !isPicture ? 'picture.none' : isUsual ? 'picture.broken' : 'picture.undecodable';
    complain(() => t(key, { name: file.name ?? t('picture.pasted'), type }));
  }
}

/** @param {HTMLCanvasElement} image @param {HTMLElement} slot @param {(blob: Blob, board: { rows: number, cols: number }) => void} onUse */
function showCropper(image, slot, onUse) {
  slot.replaceChildren(cropper(image, { onBack: () => back.get(slot)?.(), onUse }));
  $('crop-stage').focus();
}

/** Crops a picture of the player's anew, from the photo where that was kept. The one before goes if nothing else shows it. @param {Picture} picture @param {HTMLElement} slot @param {HTMLDialogElement} dialog */
async function recrop(picture, slot, dialog) {
  const source = picture.source ?? picture.blob;
  showCropper(await decode(source), slot, async (blob, board) => {
    await use(blob, source, board, dialog);
    const { saves, records, elsewhere } = await usesOf(picture);
    // The save of the game on the table is written anew; one that was put aside keeps its picture, and may be in no save yet.
    const isShown = elsewhere || records.length > 0 || saves.some(({ id }) => id !== session.current().id) || session.atHand().some((game) => [picture.id, picture.serverId].includes(game.picture));
    if (!isShown) await dropPicture(picture.id);
    void flush();
  });
}

/** A picture as it was before it was cropped, within our limits: nothing hidden in the file is kept. @param {HTMLCanvasElement} image */
const sourceOf = (image) => new Promise((resolve) => image.toBlob(resolve, 'image/jpeg', SOURCE_QUALITY));

/** The kinds that every browser reads: of such a file, the kind is not what is wrong. */
const USUAL = new Set(['JPEG', 'PNG', 'GIF', 'WEBP', 'BMP', 'SVG']);

/** A file's kind for people: HEIC, TIFF, …, by its type or else its ending. @param {Blob & { name?: string }} file */
function kindOf(file) {
  const ending = /\.(\w{2,5})$/.exec(file.name ?? '')?.[1] ?? '';
  const type = file.type.replace(/^image\//, '').replace(/^x-|\+xml$/g, '');
  const kind = (type || ending).toUpperCase().replace(/^JPE?$|^JPG$|^PJPEG$/, 'JPEG');
  return { type: kind || t('picture.unknownType'), isUsual: USUAL.has(kind), isPicture: !file.type || file.type.startsWith('image/') };
}

/** Shows a picture: on the board on the table, or on another one that has the picture's shape. @param {Blob} blob @param {Blob | null} source @param {{ rows: number, cols: number }} board @param {HTMLDialogElement} dialog */
async function use(blob, source, { rows, cols }, dialog) {
  const id = await keepPicture(blob, source);
  const now = session.current();
  if (now.rows === rows && now.cols === cols) session.setPicture(id);
  else session.put(new Game({ rows, cols, wrapRows: wrapsLeft(now.board.wrapRows, rows, cols), wrapCols: wrapsLeft(now.board.wrapCols, cols, rows), blank: sameCell(now.blank, now, { rows, cols }), picture: id }));
  dialog.close();
}

/** Opens a picture that was pasted or dropped, in a sheet of its own. @param {Blob & { name?: string }} file */
export function take(file) {
  /** @type {NodeListOf<HTMLDialogElement>} */ (document.querySelectorAll('dialog[open]')).forEach((dialog) => dialog.close());
  const { slot, dialog } = openPicker();
  openFile(file, slot, dialog);
}
