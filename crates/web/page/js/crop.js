// From any picture to one of the board's shape: decode, then drag, pinch, zoom, turn, and use.

import { $, button, el, icon, refill } from './dom.js';
import { createFingers } from './fingers.js';
import { PAPER, SIDE, keptSize, within } from './framing.js';
import { t } from './i18n.js';
import * as session from './session.js';

const MOST_PIXELS = 120e6;
const WORKING_SIDE = 2600;
const MOST_ZOOM = 8;
const PREVIEW_SIDE = 720;
/** A photo counts as square up to this logarithm of its sides' ratio. */
const SQUARE = 0.12;
const SMALL_CELLS = 15;

export class Undecodable extends Error {}

/**
 * Decodes a picture, upright and on paper. The browser applies the EXIF rotation itself, so it is not turned again.
 * Large photographs are scaled down at once. @param {Blob} blob
 */
export async function decode(blob) {
  // Some browsers show what there is of a photo that is cut off, and grey for the rest.
  if (isCutOff(await bytesOf(blob))) throw new Undecodable('cut off');
  let bitmap;
  try {
    bitmap = await createImageBitmap(blob, { imageOrientation: 'from-image' });
  } catch {
    // An image element would show what there is of a damaged one, as if that were all.
    if (/\/(jpeg|png|webp|gif)$/.test(blob.type)) throw new Undecodable('damaged');
    bitmap = await throughImage(blob);
  }
  if (bitmap.width * bitmap.height > MOST_PIXELS) throw new Undecodable('too large');
  const scale = Math.min(1, WORKING_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = el('canvas', { width: Math.round(bitmap.width * scale), height: Math.round(bitmap.height * scale) });
  const ctx = canvas.getContext('2d');
  ctx.fillStyle = PAPER;
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** The bytes of a file, which may have been moved since it was chosen. @param {Blob} blob */
async function bytesOf(blob) {
  try {
    return new Uint8Array(await blob.arrayBuffer());
  } catch {
    throw new Undecodable('unreadable');
  }
}

/**
 * Whether a JPEG ends before its end marker (FF D9). Segments are stepped over by their lengths, for a preview inside one
 * has an end of its own; in the pixels' data FF 00 is a byte and FF D0 to FF D7 are marks of the decoder's.
 * @param {Uint8Array} bytes
 */
function isCutOff(bytes) {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return false;
  for (let at = 2; at + 1 < bytes.length;) {
    const marker = bytes[at] === 0xff ? bytes[at + 1] : 0;
    if (marker === 0xd9) return false;
    const isSegment = marker >= 0xc0 && marker < 0xff && !(marker >= 0xd0 && marker <= 0xd7);
    at += isSegment ? 2 + bytes[at + 2] * 256 + bytes[at + 3] : 1;
  }
  return true;
}

/** Some formats, SVG among them, decode only through an image element. @param {Blob} blob */
async function throughImage(blob) {
  const url = URL.createObjectURL(blob);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const side = image.naturalWidth ? {} : { width: SIDE, height: SIDE };
    const canvas = el('canvas', { width: image.naturalWidth || SIDE, height: image.naturalHeight || SIDE });
    canvas.getContext('2d').drawImage(image, 0, 0, side.width ?? canvas.width, side.height ?? canvas.height);
    return canvas;
  } catch {
    throw new Undecodable('not a picture this browser can read');
  } finally {
    URL.revokeObjectURL(url);
  }
}

const encode = (/** @type {HTMLCanvasElement} */ canvas) => new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9));

/** A picture that was cropped before, drawn anew within our limits: nothing hidden in the file is kept. @param {Blob} blob */
export async function prepared(blob) {
  const image = await decode(blob);
  const canvas = el('canvas', keptSize(image.width, image.height));
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return encode(canvas);
}

/** The state of a crop: turned by quarter turns, zoomed, and moved; always covering a frame whose longer side is 1. */
class Crop {
  turns = 0;
  zoom = 1;
  x = 0;
  y = 0;

  /** @param {{ width: number, height: number }} image @param {number} rows @param {number} cols */
  constructor({ width, height }, rows, cols) {
    this.width = width;
    this.height = height;
    this.frame = [cols, rows].map((n) => n / Math.max(rows, cols));
  }

  get sides() { return this.turns % 2 ? [this.height, this.width] : [this.width, this.height]; }
  /** The picture's size, measured as the frame is. */
  get span() {
    const [w, h] = this.sides;
    const fit = this.zoom * Math.max(this.frame[0] / w, this.frame[1] / h);
    return [w * fit, h * fit];
  }

  move(/** @type {number} */ dx, /** @type {number} */ dy) {
    this.x += dx;
    this.y += dy;
    this.#clamp();
  }

  /** Zooms so that the point under (px, py), measured from the frame's centre, stays there. @param {number} factor */
  zoomBy(factor, px = 0, py = 0) {
    const zoom = Math.max(1, Math.min(MOST_ZOOM, this.zoom * factor));
    const by = zoom / this.zoom;
    this.x = px - (px - this.x) * by;
    this.y = py - (py - this.y) * by;
    this.zoom = zoom;
    this.#clamp();
  }

  turn() {
    this.turns = (this.turns + 1) % 4;
    [this.x, this.y] = [-this.y, this.x];
    this.#clamp();
  }

  #clamp() {
    const limit = (/** @type {any} */ value, /** @type {number} */ over) => Math.max(-over / 2, Math.min(over / 2, value));
    const [w, h] = this.span;
    this.x = limit(this.x, w - this.frame[0]);
    this.y = limit(this.y, h - this.frame[1]);
  }

  /** Draws what the frame shows on a canvas of the frame's shape. @param {import('./pictures.js').Canvas} canvas @param {CanvasImageSource} image */
  draw(canvas, image) {
    const ctx = canvas.getContext('2d');
    const side = Math.max(canvas.width, canvas.height);
    const [w, h] = this.span;
    const [iw, ih] = this.turns % 2 ? [h, w] : [w, h];
    ctx.setTransform(side, 0, 0, side, canvas.width / 2, canvas.height / 2);
    ctx.translate(this.x, this.y);
    ctx.rotate((this.turns * Math.PI) / 2);
    ctx.imageSmoothingQuality = 'high';
    ctx.drawImage(image, -iw / 2, -ih / 2, iw, ih);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
  }
}

/** Boards in the shape of a photo, a small one and a large one; none for one that is about square. @param {number[]} sides */
export function shapesFor([width, height]) {
  if (Math.abs(Math.log(width / height)) < SQUARE) return [];
  const sides = [3, 4, 5, 6];
  const all = sides.flatMap((rows) => sides.filter((cols) => cols !== rows).map((cols) => ({ rows, cols, off: Math.abs(Math.log(cols / rows / (width / height))) })));
  const best = (/** @type {any[]} */ some) => some.reduce((found, one) => (one.off < found.off ? one : found));
  return [best(all.filter(({ rows, cols }) => rows * cols <= SMALL_CELLS)), best(all.filter(({ rows, cols }) => rows * cols > SMALL_CELLS))];
}

/**
 * The cropping part of the picture sheet. `onUse` gets the finished picture as a Blob, and the board whose shape it has.
 * @param {HTMLCanvasElement} image @param {{ onUse: (blob: Blob, board: { rows: number, cols: number }) => void, onBack: () => void }} callbacks
 */
export function cropper(image, { onUse, onBack }) {
  const now = session.current();
  let [rows, cols, crop] = [now.rows, now.cols, new Crop(image, now.rows, now.cols)];
  const canvas = el('canvas');
  const lines = el('div', { className: 'crop-lines' });
  const shapes = el('div', { className: 'crop-shapes', id: 'crop-shapes', role: 'group', 'aria-label': t('crop.shapes') });
  const stage = el('div', { className: 'crop-stage', id: 'crop-stage', tabIndex: 0, role: 'application', 'aria-label': t('crop.stage') }, canvas, lines);
  const draw = () => {
    crop.draw(canvas, image);
    zoom.value = String(Math.log2(crop.zoom));
  };
  /** Offers the board on the table, and boards in the shape of the photo as it is turned. */
  const offer = () => {
    const offered = [now, ...shapesFor(crop.sides)].filter((one, i, all) => all.findIndex((other) => other.rows === one.rows && other.cols === one.cols) === i);
    shapes.hidden = offered.length < 2;
    refill(shapes, ...offered.map((one) => el('button', { type: 'button', className: 'chip', 'aria-pressed': String(one.rows === rows && one.cols === cols), onclick: () => cutFor(one) }, `${one.rows}×${one.cols}`)));
  };
  /** Cuts for a board of this shape. @param {{ rows: number, cols: number }} board */
  const cutFor = (board) => {
    [rows, cols] = [board.rows, board.cols];
    const { turns } = crop;
    crop = new Crop(image, rows, cols);
    crop.turns = turns;
    Object.assign(canvas, within(PREVIEW_SIDE, rows, cols));
    stage.style.setProperty('--rows', rows);
    stage.style.setProperty('--cols', cols);
    lines.style.backgroundSize = `${100 / cols}% ${100 / rows}%`;
    offer();
    draw();
  };
  const zoom = el('input', { type: 'range', min: 0, max: Math.log2(MOST_ZOOM), step: 0.01, value: 0, 'aria-label': t('crop.zoom'), oninput: () => { crop.zoomBy(2 ** Number(zoom.value) / crop.zoom); draw(); } });
  const tool = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ run) => el('button', { type: 'button', className: 'small', 'aria-label': label, title: label, onclick: () => { run(); draw(); } }, icon(name));
  const turn = () => { crop.turn(); offer(); };
  const use = async () => {
    const out = el('canvas', keptSize(cols, rows));
    crop.draw(out, image);
    onUse(await encode(out), { rows, cols });
  };
  pointers(stage, () => crop, draw);
  keys(stage, () => crop, { draw, turn });
  cutFor(now);
  return el('div', { className: 'sheet-body', id: 'cropper' }, stage,
    el('p', { className: 'muted' }, t('crop.help')), shapes,
    el('div', { className: 'crop-tools' }, tool('minus', t('crop.out'), () => crop.zoomBy(1 / 1.15)), zoom, tool('plus', t('crop.in'), () => crop.zoomBy(1.15)), tool('turn', t('crop.turn'), turn)),
    el('div', { className: 'actions' }, button(t('back'), onBack), button(t('crop.use'), use, { kind: 'filled', id: 'crop-use' })));
}

/** Lets fingers, mouse and wheel move and zoom the crop as it is by then. @param {HTMLElement} stage @param {() => Crop} crop @param {() => void} draw */
function pointers(stage, crop, draw) {
  /** Pixels in sides: the frame's longer one. */
  const side = () => Math.max(stage.clientWidth, stage.clientHeight);
  const pan = (/** @type {number} */ dx, /** @type {number} */ dy) => { crop().move(dx / side(), dy / side()); draw(); };
  const zoom = (/** @type {number} */ factor, /** @type {number} */ x, /** @type {number} */ y) => { crop().zoomBy(factor, (x - stage.clientWidth / 2) / side(), (y - stage.clientHeight / 2) / side()); draw(); return true; };
  createFingers(stage, { begin: () => {}, move: ([fromX, fromY], [x, y]) => pan(x - fromX, y - fromY), end: () => {}, pan, zoom });
}

function keys(/** @type {HTMLElement} */ stage, /** @type {() => Crop} */ crop, /** @type {{ draw: () => void, turn: () => void }} */ { draw, turn }) {
  /** @type {Record<string, () => any>} */
  const acts = {
    ArrowUp: () => crop().move(0, 0.02), ArrowDown: () => crop().move(0, -0.02), ArrowLeft: () => crop().move(0.02, 0), ArrowRight: () => crop().move(-0.02, 0),
    '+': () => crop().zoomBy(1.08), '=': () => crop().zoomBy(1.08), '-': () => crop().zoomBy(1 / 1.08), r: turn, R: turn,
    Enter: () => $('crop-use').click(),
  };
  stage.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
    draw();
  });
}
