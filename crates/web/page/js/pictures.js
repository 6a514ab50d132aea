// Pictures by name: the built-in ones are painted when they are first wanted, a player's own are kept in
// the browser's database and on the server.

import { el } from './dom.js';
import { ownPicture } from './exchange.js';

export const SIDE = 1024;
export const BUILTIN = ['dawn', 'mist', 'night', 'spring', 'pond', 'panda', 'glaze'];
export const DEFAULT = 'builtin:dawn';

const urls = new Map();

export const builtinName = (id) => (id.startsWith('builtin:') ? id.slice(8) : null);

/** Whether this picture can be shown by anybody, so that a link may name it. */
export const isBuiltin = (id) => BUILTIN.includes(builtinName(id));

/** Forgets the addresses of the player's own pictures. */
export function forgetPictures() {
  for (const [id, url] of urls) {
    if (builtinName(id)) continue;
    URL.revokeObjectURL(url);
    urls.delete(id);
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

/** An address for the picture; an unknown one falls back to the default, with `missing` true. */
export async function pictureUrl(id) {
  if (urls.has(id)) return { url: urls.get(id), missing: false };
  const blob = await pictureBlob(id);
  if (!blob) return { url: (await pictureUrl(DEFAULT)).url, missing: true };
  const url = URL.createObjectURL(blob);
  await decoded(url);
  urls.set(id, url);
  return { url, missing: false };
}

/** Waits until the browser has decoded it, so that no tile is seen empty. */
function decoded(url) {
  const image = new Image();
  image.src = url;
  return image.decode().catch(() => {});
}

/** Draws a position as a small picture. */
export async function drawPosition(canvas, { rows, cols, blank, tiles, picture }, home) {
  const { url } = await pictureUrl(picture);
  const image = new Image();
  image.src = url;
  await image.decode();
  const ctx = canvas.getContext('2d');
  const [w, h, sw, sh] = [canvas.width / cols, canvas.height / rows, image.width / cols, image.height / rows];
  ctx.clearRect(0, 0, canvas.width, canvas.height);
  tiles.forEach((tile, cell) => {
    if (tile === 0) return;
    const from = home(tile, blank);
    ctx.drawImage(image, (from % cols) * sw, Math.floor(from / cols) * sh, sw, sh, (cell % cols) * w + 0.5, Math.floor(cell / cols) * h + 0.5, w - 1, h - 1);
  });
}
