// Pictures by name: the built-in ones are painted when they are first wanted, a player's own are kept in
// the browser's database and on the server.

import { el } from './dom.js';
import { ownPicture } from './exchange.js';

export const SIDE = 1024;
export const PAINTINGS = ['dawn', 'mist', 'night', 'spring', 'pond', 'panda', 'glaze'];
/** Plain numbers, drawn for the board on which they lie. */
export const CLASSIC = ['numbers', 'slate', 'rows', 'fringe'];
export const BUILTIN = [...PAINTINGS, ...CLASSIC];
export const DEFAULT = 'builtin:dawn';
const GRID = { rows: 4, cols: 4, blank: 15 };

const urls = new Map();

export const builtinName = (id) => (id.startsWith('builtin:') ? id.slice(8) : null);

/** Whether this picture can be shown by anybody, so that a link may name it. */
export const isBuiltin = (id) => BUILTIN.includes(builtinName(id));

/** Whether a picture is one of plain numbers. */
export const isClassic = (id) => CLASSIC.includes(builtinName(id));

/** Forgets the addresses of the player's own pictures. */
export function forgetPictures() {
  for (const [id, url] of urls) {
    if (builtinName(id)) continue;
    URL.revokeObjectURL(url);
    urls.delete(id);
  }
}

/** Paints a built-in picture on a new canvas of this side; numbers are those of the grid's tiles. */
export async function paintBuiltin(name, side, grid = GRID) {
  const module = await import(`../paint/${CLASSIC.includes(name) ? 'classic' : name}.js`);
  const canvas = el('canvas', { width: side, height: side });
  const ctx = canvas.getContext('2d');
  ctx.scale(side / 1000, side / 1000);
  module[name](ctx, grid);
  return canvas;
}

const encoded = (canvas, type) => new Promise((resolve) => canvas.toBlob(resolve, type, 0.92));

/** The picture as a Blob; null when nobody has it. Numbers stay sharp on a fine screen, and see-through where the gap is. */
export async function pictureBlob(id, grid = GRID) {
  const name = builtinName(id);
  if (!name) return ownPicture(id);
  if (isClassic(id)) return encoded(await paintBuiltin(name, devicePixelRatio > 1 ? SIDE * 2 : SIDE, grid), 'image/png');
  return BUILTIN.includes(name) ? encoded(await paintBuiltin(name, SIDE), 'image/jpeg') : null;
}

/** An address for the picture on a board; an unknown one falls back to the default, with `missing` true. */
export async function pictureUrl(id, { rows, cols, blank } = GRID) {
  const key = isClassic(id) ? `${id} ${rows}x${cols}@${blank}` : id;
  if (urls.has(key)) return { url: urls.get(key), missing: false };
  const blob = await pictureBlob(id, { rows, cols, blank });
  if (!blob) return { url: (await pictureUrl(DEFAULT)).url, missing: true };
  const url = URL.createObjectURL(blob);
  await decoded(url);
  urls.set(key, url);
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
  const { url } = await pictureUrl(picture, { rows, cols, blank });
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
