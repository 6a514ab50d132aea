// Pictures by name: the built-in ones are painted when they are first wanted, a player's own are kept in
// the browser's database and on the server.

import { el } from './dom.js';
import { SIDE, partFor, within } from './framing.js';
import { imported } from './later.js';
import { ownPicture } from './sync.js';

export const PAINTINGS = ['dawn', 'mist', 'night', 'spring', 'pond', 'panda', 'glaze'];
/** Plain numbers, drawn for the board on which they lie. */
export const CLASSIC = ['numbers', 'slate', 'rows', 'fringe'];
export const BUILTIN = [...PAINTINGS, ...CLASSIC];
export const DEFAULT = 'builtin:dawn';
/** @typedef {{ rows: number, cols: number, blank: number }} Grid @typedef {{ getContext: (kind: '2d') => CanvasRenderingContext2D } & HTMLCanvasElement} Canvas */
const GRID = { rows: 4, cols: 4, blank: 15 };

/** The addresses and sizes of pictures that were shown. @type {Map<string, { url: string, width: number, height: number }>} */
const known = new Map();

/** @type {(id: string) => any} */
export const builtinName = (id) => (id.startsWith('builtin:') ? id.slice(8) : null);

/** Whether this picture can be shown by anybody, so that a link may name it. @param {string} id */
export const isBuiltin = (id) => BUILTIN.includes(builtinName(id));

/** Whether a picture is one of plain numbers. @param {string} id */
export const isClassic = (id) => CLASSIC.includes(builtinName(id));

/** Forgets the addresses of the player's own pictures. */
export function forgetPictures() {
  for (const [id, { url }] of known) {
    if (builtinName(id)) continue;
    URL.revokeObjectURL(url);
    known.delete(id);
  }
}

/** The module that paints a picture, or what is shown in its place. @param {string} id */
export const paintOf = (id) => `paint/${isClassic(id) ? 'plain' : builtinName(isBuiltin(id) ? id : DEFAULT)}`;

/** Paints a built-in picture on a new canvas of this side; numbers are those of a board's tiles, in its shape. @param {string} name @param {number} side */
export async function paintBuiltin(name, side, grid = GRID) {
  const module = await imported(paintOf(`builtin:${name}`));
  const canvas = el('canvas', CLASSIC.includes(name) ? within(side, grid.rows, grid.cols) : { width: side, height: side });
  const ctx = canvas.getContext('2d');
  ctx.scale(side / 1000, side / 1000);
  module[name](ctx, grid);
  return canvas;
}

/** Numbers stay sharp, and see-through where the gap is. @param {string} name */
export const typeOf = (name) => (CLASSIC.includes(name) ? 'image/png' : 'image/jpeg');

/** The picture as a Blob; null when nobody has it. @param {string} id */
export async function pictureBlob(id, grid = GRID) {
  const name = builtinName(id);
  if (!name) return ownPicture(id);
  if (!BUILTIN.includes(name)) return null;
  const canvas = await paintBuiltin(name, isClassic(id) && devicePixelRatio > 1 ? SIDE * 2 : SIDE, grid);
  return new Promise((resolve) => canvas.toBlob(resolve, typeOf(name), 0.92));
}

/** An address for the picture on a board, and its size; an unknown one falls back to the default, with `missing` true. @param {string} id @returns {Promise<{ url: string, width: number, height: number, missing?: boolean }>} */
export async function pictureUrl(id, { rows, cols, blank } = GRID) {
  const key = isClassic(id) ? `${id} ${rows}x${cols}@${blank}` : id;
  if (!known.has(key)) {
    if (!coming.has(key)) coming.set(key, fetchPicture(key, id, { rows, cols, blank }).finally(() => coming.delete(key)));
    if (!(await coming.get(key))) return { ...(await pictureUrl(DEFAULT)), missing: true };
  }
  return { ...(/** @type {{ url: string, width: number, height: number }} */ (known.get(key))), missing: false };
}

/** Shows a picture on a node, which stays plain where that cannot be painted. @param {HTMLElement} node @param {Promise<string | { url: string }>} picture */
export const showOn = (node, picture) => picture.then((found) => { node.style.backgroundImage = `url("${typeof found === 'string' ? found : found.url}")`; }, () => {});

/** Pictures that are being painted, by the same names: concurrent requests share one painting. @type {Map<string, Promise<boolean>>} */
const coming = new Map();

/** Gets a picture ready to be shown; false when nobody has it. @param {string} key @param {string} id @param {Grid | undefined} grid */
async function fetchPicture(key, id, grid) {
  const blob = await pictureBlob(id, grid);
  if (blob) known.set(key, await decoded(URL.createObjectURL(blob)));
  return blob !== null;
}

/** Waits until the browser has decoded it, so that no tile is seen empty. One that cannot be decoded counts as square. @param {string} url */
async function decoded(url) {
  const image = new Image();
  image.src = url;
  await image.decode().catch(() => {});
  return { url, width: image.width || SIDE, height: image.height || SIDE };
}

/**
 * Draws a position as a small picture: the canvas takes the board's shape, as large as its longer side is now.
 * @param {Canvas} canvas @param {Grid & { tiles: number[], picture: string }} game @param {(tile: number, blank: number) => number} home
 */
export async function drawPosition(canvas, { rows, cols, blank, tiles, picture }, home) {
  const { url } = await pictureUrl(picture, { rows, cols, blank });
  const image = new Image();
  image.src = url;
  await image.decode();
  Object.assign(canvas, within(Math.max(canvas.width, canvas.height), rows, cols));
  const ctx = canvas.getContext('2d');
  const part = partFor(image, rows, cols);
  const cellSide = canvas.width / cols;
  tiles.forEach((tile, cell) => {
    if (tile === 0) return;
    const from = home(tile, blank);
    ctx.drawImage(image, part.x + (from % cols) * part.side, part.y + Math.floor(from / cols) * part.side, part.side, part.side, (cell % cols) * cellSide + 0.5, Math.floor(cell / cols) * cellSide + 0.5, cellSide - 1, cellSide - 1);
  });
}
