// Plain numbers, as the puzzle was sold at first, and the colours by which speed-solvers see where a tile belongs.
// They are drawn for a board's own cells, in the canvas's pixels, so that figures keep their shape on any board.

/** @import { Grid } from '../js/pictures.js' */

const INK = '#20242c';
const PAPER = '#fffdf8';
/** A colour for each row or layer; neighbours differ in hue and in lightness. */
const COLOURS = ['#c8402a', '#f0b429', '#2f8f6b', '#7cc4ea', '#3b4a9c', '#d98cc0', '#7a4b2a', '#b9cf4d', '#5b2a6e', '#e7dcc3'];
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';

export const numbers = (/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Grid} */ grid) => draw(ctx, grid, ({ row, col }) => ((row + col) % 2 ? '#f1eadb' : PAPER));

export const slate = (/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Grid} */ grid) => draw(ctx, grid, ({ row, col }) => ((row + col) % 2 ? '#2a2f37' : '#3a414c'));

export const rows = (/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Grid} */ grid) => draw(ctx, grid, ({ row }) => COLOURS[row]);

/** A colour a layer: the first row and the first column together, then what is left in the same way. @param {CanvasRenderingContext2D} ctx @param {Grid} grid */
export const fringe = (ctx, grid) => draw(ctx, grid, ({ row, col }) => COLOURS[Math.min(row, col)]);

function draw(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Grid} */ grid, /** @type {(place: { row: number, col: number }) => string} */ colourAt) {
  const { width, height } = ctx.canvas;
  const [w, h] = [width / grid.cols, height / grid.rows];
  ctx.resetTransform();
  ctx.clearRect(0, 0, width, height);
  ctx.textAlign = 'center';
  ctx.font = `600 ${Math.round(Math.min(w, h) * (grid.rows * grid.cols > 10 ? 0.46 : 0.54))}px ${FONT}`;
  for (let cell = 0; cell < grid.rows * grid.cols; cell += 1) {
    if (cell === grid.blank) continue;
    const place = { row: Math.floor(cell / grid.cols), col: cell % grid.cols };
    const colour = colourAt(place);
    ctx.fillStyle = colour;
    // A hair more than the cell, so that no seam shows where pixels do not divide.
    ctx.fillRect(Math.floor(place.col * w), Math.floor(place.row * h), Math.ceil(w) + 1, Math.ceil(h) + 1);
    ctx.fillStyle = light(colour) ? INK : PAPER;
    figure(ctx, String(cell < grid.blank ? cell + 1 : cell), (place.col + 0.5) * w, (place.row + 0.5) * h);
  }
  ctx.clearRect((grid.blank % grid.cols) * w, Math.floor(grid.blank / grid.cols) * h, w, h);
}

/** @param {CanvasRenderingContext2D} ctx @param {string} text @param {number} x @param {number} y */
function figure(ctx, text, x, y) {
  const { actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } = ctx.measureText(text);
  ctx.fillText(text, x, y + (up - down) / 2);
}

/** Whether ink stands out better on a colour than paper does, by the contrast that WCAG defines. @param {string} colour */
function light(colour) {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.19;
}
