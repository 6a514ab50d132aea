// The homework card: all panels that are on the page in one picture, each with its name, its figures and what is said of
// it, the legend, and the link that brings it all back. Drawn on a canvas or on a sheet that is drawn on like one.

import { el } from '../js/dom.js';
import { svgSheet } from './export.js';

/**
 * @typedef {object} Panel
 * @property {string} name
 * @property {string[]} lines Its figures, and what is said of it.
 * @property {number} width
 * @property {number} height
 * @property {(sheet: any) => void} draw From its corner.
 *
 * @typedef {{ shape: 'square' | 'block' | 'disc' | 'ring' | 'line' | 'dash' | 'stroke' | 'diamond' | 'star', markup?: string, colour: string, text: string }} Sign `markup` is an SVG element that stands there instead of the shape.
 *
 * @typedef {object} Card
 * @property {string} title
 * @property {Panel[]} panels
 * @property {Sign[]} [legend]
 * @property {string} [link]
 * @property {{ ground: string, ink: string, quiet: string }} colours
 */

const PAD = 20;
const FAMILY = 'system-ui, sans-serif';
const [TITLE, NAME, TEXT] = [20, 17, 14];
const LEADING = 1.4;
const SIGN = 12;
/** A link of more lines, of a map that a file brought, is left out: nobody types it. */
const MOST_LINK_LINES = 2;
/** The longer side of a picture, in pixels. */
const PICTURE = 2400;

const measure = /** @type {CanvasRenderingContext2D} */ (el('canvas').getContext('2d'));
const fontOf = (/** @type {number} */ size, bold = false) => `${bold ? '600 ' : ''}${size}px ${FAMILY}`;

/** Punctuation that must not begin a line. */
const CLOSING = /^[、。，：；？！）”]/;
/** A text in lines that are no wider than this; a word that is wider (a link) is cut into pieces. @param {string} text @param {number} size @param {number} width */
function wrapped(text, size, width) {
  measure.font = fontOf(size);
  const lines = [''];
  for (const piece of text.match(/[\u2e80-\uffef]|[^\s\u2e80-\uffef]{1,40}|\s+/g) ?? []) {
    if (lines[lines.length - 1] && !CLOSING.test(piece) && measure.measureText(lines[lines.length - 1] + piece).width > width) lines.push('');
    lines[lines.length - 1] += lines[lines.length - 1] ? piece : piece.trimStart();
  }
  return lines;
}

/** Lays the card out. @param {Card} card */
function arranged({ title, panels, legend = [], link = '' }) {
  const columns = panels.length > 1 ? 2 : 1;
  const wide = Math.max(520, ...panels.map(({ width }) => width));
  const width = PAD + columns * (wide + PAD);
  /** @type {{ text: string, size: number, x: number, y: number, bold?: boolean, quiet?: boolean }[]} */
  const words = [];
  let y = PAD;
  const put = (/** @type {string} */ text, /** @type {number} */ size, /** @type {number} */ x, /** @type {number} */ room, style = {}) => { for (const line of wrapped(text, size, room)) { words.push({ text: line, size, x, y, ...style }); y += size * LEADING; } };
  put(title, TITLE, PAD, width - 2 * PAD, { bold: true });
  y += PAD / 2;
  const places = [];
  for (let first = 0; first < panels.length; first += columns) {
    const row = panels.slice(first, first + columns);
    const top = y;
    const heads = row.map(({ name, lines }, i) => {
      y = top;
      put(name, NAME, PAD + i * (wide + PAD), wide, { bold: true });
      for (const line of lines) put(line, TEXT, PAD + i * (wide + PAD), wide);
      return y;
    });
    y = Math.max(...heads) + PAD / 2;
    places.push(...row.map((_, i) => ({ x: PAD + i * (wide + PAD), y })));
    y += Math.max(...row.map(({ height }) => height)) + PAD;
  }
  let x = PAD;
  const signs = legend.map((sign) => {
    measure.font = fontOf(TEXT);
    const long = SIGN + 8 + measure.measureText(sign.text).width;
    if (x + long > width - PAD && x > PAD) [x, y] = [PAD, y + TEXT * LEADING];
    const at = { ...sign, x, y };
    words.push({ text: sign.text, size: TEXT, x: x + SIGN + 8, y });
    x += long + PAD;
    return at;
  });
  if (signs.length) y += TEXT * LEADING + PAD / 2;
  if (link && wrapped(link, TEXT, width - 2 * PAD).length <= MOST_LINK_LINES) put(link, TEXT, PAD, width - 2 * PAD, { quiet: true });
  return { width, height: Math.ceil(y + PAD), words, places, signs };
}

/** @param {any} sheet @param {Sign & { x: number, y: number }} sign */
function drawSign(sheet, { shape, markup, colour, x, y }) {
  if (markup && sheet.put) {
    sheet.inside(x, y + (TEXT - SIGN) / 2, SIGN, SIGN, () => sheet.put(markup));
    return;
  }
  const [cx, cy, r] = [x + SIGN / 2, y + TEXT / 2, SIGN / 2 - 1];
  [sheet.fillStyle, sheet.strokeStyle, sheet.lineWidth] = [colour, colour, 2];
  sheet.beginPath();
  if (shape === 'square' || shape === 'block') sheet.rect(cx - r, cy - r, 2 * r, 2 * r);
  else if (shape === 'disc' || shape === 'ring') sheet.arc(cx, cy, r, 0, 2 * Math.PI);
  else if (shape === 'stroke') { sheet.moveTo(cx - r, cy + r); sheet.lineTo(cx + r, cy - r); }
  else if (shape === 'line' || shape === 'dash') { sheet.moveTo(x, cy); sheet.lineTo(x + SIGN, cy); }
  else {
    const points = shape === 'star' ? 10 : 4;
    for (let i = 0; i < points; i += 1) {
      const [turn, reach] = [-Math.PI / 2 + (i * 2 * Math.PI) / points, shape === 'star' && i % 2 ? r * 0.45 : r];
      sheet[i ? 'lineTo' : 'moveTo'](cx + Math.cos(turn) * reach, cy + Math.sin(turn) * reach);
    }
    sheet.closePath();
  }
  if (shape === 'dash') sheet.setLineDash([3, 2.5]);
  if (['block', 'disc', 'diamond', 'star'].includes(shape)) sheet.fill();
  else sheet.stroke();
  if (shape === 'dash') sheet.setLineDash([]);
}

/** @param {any} sheet @param {Card} card @param {ReturnType<typeof arranged>} layout */
function draw(sheet, { panels, colours }, { width, height, words, places, signs }) {
  sheet.fillStyle = colours.ground;
  sheet.beginPath();
  sheet.rect(0, 0, width, height);
  sheet.fill();
  // A sheet is drawn on once, from its beginning: whoever clears it would take the ground away.
  sheet.clearRect = () => {};
  panels.forEach((panel, i) => {
    const { x, y } = places[i];
    if (sheet.inside) {
      sheet.inside(x, y, panel.width, panel.height, panel.draw);
      return;
    }
    sheet.save();
    sheet.translate(x, y);
    sheet.beginPath();
    sheet.rect(0, 0, panel.width, panel.height);
    sheet.clip();
    panel.draw(sheet);
    sheet.restore();
  });
  sheet.globalAlpha = 1;
  signs.forEach((sign) => drawSign(sheet, sign));
  [sheet.textAlign, sheet.textBaseline] = ['left', 'top'];
  for (const { text, size, x, y, bold, quiet } of words) {
    sheet.font = fontOf(size, bold);
    sheet.fillStyle = quiet ? colours.quiet : colours.ink;
    sheet.fillText(text, x, y);
  }
}

/** The card as an SVG file. @param {Card} card */
export function cardSvg(card) {
  const layout = arranged(card);
  const sheet = svgSheet();
  draw(sheet, card, layout);
  const { width, height } = layout;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${el('title', {}, card.title).outerHTML}\n${sheet.text}\n</svg>\n`;
}

/** The card as a PNG file, large enough to be printed. @param {Card} card @returns {Promise<Blob>} */
export function cardPng(card) {
  const layout = arranged(card);
  const by = PICTURE / Math.max(layout.width, layout.height);
  const canvas = el('canvas', { width: Math.round(layout.width * by), height: Math.round(layout.height * by) });
  const ctx = canvas.getContext('2d');
  ctx.scale(by, by);
  draw(ctx, card, layout);
  return new Promise((resolve) => { canvas.toBlob(resolve, 'image/png'); });
}
