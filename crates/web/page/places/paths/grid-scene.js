// A map of cells on the screen. Ground is painted a pixel a cell and drawn large, so that a map of 512 × 512 costs as
// much as a picture; what must be read (costs, arrows, numbers) is drawn only on cells large enough to read it on.

import { ENEMY, SWAMP, TREES, WALL, WATER, costOf, isBlocked } from './map.js';
import { mixed, palette, pixel } from './theme.js';

/** Cells at least so large have lines between them, shapes, costs, numbers. */
const LINES = 7;
const SHAPES = 5;
const COSTS = 15;
export const FIGURES = 40;
const ARROWS = 11;

/** @param {import('./map.js').GridMap} map */
export function gridScene(map) {
  const { rows, cols } = map;
  const ground = pixelCanvas(rows, cols);
  let stale = true;
  /** Distances or directions to be shown on the ground. @type {{ distances: Float64Array | null, arrows: Int8Array | null, most: number } | null} */
  let field = null;

  const seen = (/** @type {{ scale: number, x: number, y: number }} */ { scale, x, y }, /** @type {number} */ width, /** @type {number} */ height) => ({
    top: Math.max(0, Math.floor(-y / scale)), left: Math.max(0, Math.floor(-x / scale)),
    bottom: Math.min(rows - 1, Math.floor((height - y) / scale)), right: Math.min(cols - 1, Math.floor((width - x) / scale)),
  });

  function repaint() {
    const colours = groundColours();
    const far = palette().far;
    for (let cell = 0; cell < map.cells.length; cell += 1) {
      const code = map.cells[cell];
      const away = field?.distances && !isBlocked(code) ? field.distances[cell] / field.most : NaN;
      // Bands, so that lines of equal distance are seen.
      ground.pixels[cell] = Number.isFinite(away) ? pixel(groundStyle(code), far, Math.floor(away * 12) / 15) : colours[code];
    }
    ground.put();
    stale = false;
  }

  function base(/** @type {any} */ ctx, /** @type {{ scale: any, x: any, y: any }} */ view, /** @type {number} */ width, /** @type {number} */ height) {
    if (stale) repaint();
    const { scale, x, y } = view;
    ctx.clearRect(0, 0, width, height);
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(ground.canvas, x, y, cols * scale, rows * scale);
    const part = seen(view, width, height);
    if (scale >= LINES) lines(ctx, view, part);
    if (scale >= COSTS) costs(ctx, view, part);
    if (field) written(ctx, view, part);
  }

  function lines(/** @type {any} */ ctx, /** @type {{ scale: number, x: number, y: number }} */ { scale, x, y }, /** @type {any} */ { top, left, bottom, right }) {
    ctx.strokeStyle = palette().grid;
    ctx.lineWidth = 1;
    ctx.beginPath();
    for (let row = top; row <= bottom + 1; row += 1) { ctx.moveTo(x + left * scale, Math.round(y + row * scale) + 0.5); ctx.lineTo(x + (right + 1) * scale, Math.round(y + row * scale) + 0.5); }
    for (let col = left; col <= right + 1; col += 1) { ctx.moveTo(Math.round(x + col * scale) + 0.5, y + top * scale); ctx.lineTo(Math.round(x + col * scale) + 0.5, y + (bottom + 1) * scale); }
    ctx.stroke();
  }

  function costs(/** @type {any} */ ctx, /** @type {{ scale: number, x: number, y: number }} */ { scale, x, y }, /** @type {any} */ { top, left, bottom, right }) {
    ctx.fillStyle = palette().ink;
    ctx.font = `${scale >= FIGURES ? scale * 0.24 : Math.min(13, scale * 0.42)}px system-ui, sans-serif`;
    ctx.textAlign = 'left';
    ctx.textBaseline = 'top';
    for (let row = top; row <= bottom; row += 1) {
      for (let col = left; col <= right; col += 1) {
        const code = map.cells[row * cols + col];
        if (code > 1 && !isBlocked(code)) ctx.fillText(code === WATER ? '~' : code === SWAMP ? ':' : String(costOf(code)), x + col * scale + scale * 0.09, y + row * scale + scale * 0.07);
      }
    }
  }

  /** The field's numbers and arrows. */
  function written(/** @type {any} */ ctx, /** @type {{ scale: number, x: number, y: number }} */ { scale, x, y }, /** @type {any} */ { top, left, bottom, right }) {
    if (!field) return;
    const { distances, arrows } = field;
    ctx.fillStyle = ctx.strokeStyle = palette().ink;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.font = `${Math.max(Math.min(12, scale * 0.32), scale * 0.2)}px system-ui, sans-serif`;
    ctx.lineWidth = Math.max(1, scale * 0.05);
    ctx.beginPath();
    for (let row = top; row <= bottom; row += 1) {
      for (let col = left; col <= right; col += 1) {
        const cell = row * cols + col;
        const [cx, cy] = [x + (col + 0.5) * scale, y + (row + 0.5) * scale];
        if (distances && scale >= 28 && Number.isFinite(distances[cell])) ctx.fillText(short(distances[cell]), cx, cy + (arrows ? scale * 0.3 : 0));
        if (arrows && scale >= ARROWS && (arrows[2 * cell] || arrows[2 * cell + 1])) arrow(ctx, cx, cy, arrows[2 * cell + 1], arrows[2 * cell], scale * 0.28);
      }
    }
    ctx.stroke();
  }

  return {
    kind: 'cells', width: cols, height: rows, places: rows * cols,
    base,
    /** Nothing is written above the path. */
    above: () => {},
    /** Whether cells are large enough for shapes; else they are pixels. @param {{ scale: number }} view */
    shapes: (view) => view.scale >= SHAPES,
    pixels: () => pixelCanvas(rows, cols),
    changed: () => { stale = true; },
    overlay: (/** @type {typeof field} */ next) => { field = next; stale = true; },
    centre: (/** @type {number} */ cell) => [(cell % cols) + 0.5, Math.floor(cell / cols) + 0.5],
    radius: 0.5,
    at(/** @type {number} */ wx, /** @type {number} */ wy) {
      const [row, col] = [Math.floor(wy), Math.floor(wx)];
      return row >= 0 && col >= 0 && row < rows && col < cols ? row * cols + col : -1;
    },
    /** The place beside another, in a direction of the keyboard. @param {number} cell @param {number} dx @param {number} dy */
    beside(cell, dx, dy) {
      const [row, col] = [Math.floor(cell / cols) + dy, (cell % cols) + dx];
      return row >= 0 && col >= 0 && row < rows && col < cols ? row * cols + col : cell;
    },
    isSeen(/** @type {number} */ cell, /** @type {{ top: number, bottom: number, left: number, right: number }} */ part) { const [row, col] = [Math.floor(cell / cols), cell % cols]; return row >= part.top && row <= part.bottom && col >= part.left && col <= part.right; },
    seen,
  };
}

/** A number in few letters. @param {number} value */
export const short = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(1));

function arrow(/** @type {any} */ ctx, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ dx, /** @type {number} */ dy, /** @type {number} */ length) {
  const size = length / Math.hypot(dx, dy);
  const [tx, ty] = [x + dx * size, y + dy * size];
  ctx.moveTo(x - dx * size, y - dy * size);
  ctx.lineTo(tx, ty);
  for (const turn of [2.6, -2.6]) {
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    ctx.moveTo(tx, ty);
    ctx.lineTo(tx + (dx * cos - dy * sin) * size * 0.55, ty + (dx * sin + dy * cos) * size * 0.55);
  }
}

/** A canvas of a pixel a cell. @param {number} rows @param {number} cols */
function pixelCanvas(rows, cols) {
  const canvas = new OffscreenCanvas(cols, rows);
  const ctx = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const image = ctx.createImageData(cols, rows);
  return { canvas, pixels: new Uint32Array(image.data.buffer), put: () => ctx.putImageData(image, 0, 0) };
}

/** The colour of each ground. @param {number} code */
export function groundStyle(code) {
  const colours = palette();
  if (code <= 1) return code === WALL ? colours.wall : colours.ground;
  if (code <= 9) return hex(mixed(colours.ground, colours.dear, 0.34 + (code - 2) * 0.093));
  return { [ENEMY]: colours.enemy, [WATER]: colours.water, [SWAMP]: colours.swamp, [TREES]: colours.trees }[code];
}

const hex = (/** @type {any} */ style) => `#${style.match(/\d+/g).map((/** @type {number} */ value) => Number(value).toString(16).padStart(2, '0')).join('')}`;
const groundColours = () => Array.from({ length: 14 }, (_, code) => pixel(groundStyle(code)));
