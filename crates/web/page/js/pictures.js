// Pictures by name: the built-in ones are painted when they are first wanted, a player's own are kept in
// the browser's database and on the server.

import { el } from './dom.js';
import { ownPicture } from './exchange.js';
import { SIDE, partFor, within } from './framing.js';

export const BUILTIN = ['dawn', 'mist', 'night', 'spring', 'pond', 'panda', 'glaze'];
export const DEFAULT = 'builtin:dawn';

/** What is known of a picture that was shown: its address and its size. @type {Map<string, { url: string, width: number, height: number }>} */
const known = new Map();

export const builtinName = (id) => (id.startsWith('builtin:') ? id.slice(8) : null);

/** Whether this picture can be shown by anybody, so that a link may name it. */
export const isBuiltin = (id) => BUILTIN.includes(builtinName(id));

/** Forgets the addresses of the player's own pictures. */
export function forgetPictures() {
  for (const [id, { url }] of known) {
    if (builtinName(id)) continue;
    URL.revokeObjectURL(url);
    known.delete(id);
  }
}

/** Paints a built-in picture on a new canvas of this side. */
export async function paintBuiltin(name, side) {
  const module = await import(`../paint/${name}.js`);
  const canvas = el('canvas', { width: side, height: side });
  const ctx = canvas.getContext('2d');
  ctx.scale(side / 1000, side / 1000);
  module[name](ctx);
  return canvas;
}

const encoded = (canvas) => new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.92));

/** The picture as a Blob; null when nobody has it. */
export async function pictureBlob(id) {
  const name = builtinName(id);
  if (name) return BUILTIN.includes(name) ? encoded(await paintBuiltin(name, SIDE)) : null;
  return ownPicture(id);
}

/** An address for the picture, and its size; an unknown one falls back to the default, with `missing` true. */
export async function pictureUrl(id) {
  if (!known.has(id)) {
    const blob = await pictureBlob(id);
    if (!blob) return { ...(await pictureUrl(DEFAULT)), missing: true };
    known.set(id, await decoded(URL.createObjectURL(blob)));
  }
  return { ...(/** @type {{ url: string, width: number, height: number }} */ (known.get(id))), missing: false };
}

/** Waits until the browser has decoded it, so that no tile is seen empty. One that cannot be decoded counts as square. */
async function decoded(url) {
  const image = new Image();
  image.src = url;
  await image.decode().catch(() => {});
  return { url, width: image.width || SIDE, height: image.height || SIDE };
}

/** Draws a position as a small picture: the canvas takes the board's shape, as large as its longer side is now. */
export async function drawPosition(canvas, { rows, cols, blank, tiles, picture }, home) {
  const { url } = await pictureUrl(picture);
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
