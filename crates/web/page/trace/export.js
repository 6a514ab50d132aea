// Files for other programs: rows as CSV, anything as JSON, drawings as SVG and PNG. What is exported is what the page
// draws, by the same hands.

import { download as save } from '../js/dom.js';
import { NOBODY } from './cursor.js';
import { measuresOf, rankOf } from './order.js';

/** Gives the reader a file. @param {string} name @param {Blob | string} content @param {string} [type] */
export const download = (name, content, type = 'text/plain') => save(content instanceof Blob ? content : new Blob([content], { type: `${type};charset=utf-8` }), name);

/** Rows as CSV, under their heads; what has a comma, a quote or a line end is quoted. @param {string[]} heads @param {any[][]} rows */
export const csv = (heads, rows) => [heads, ...rows].map((row) => row.map(field).join(',')).join('\r\n') + '\r\n';

function field(/** @type {number} */ value) {
  const text = value === undefined || value === null || Number.isNaN(value) ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/**
 * A recorded search as CSV, an event a line: of g, h and f what means something to the search. f is what it orders by, with
 * the weight that h has in it; h stands there without. Each line names its search.
 * @param {import('./recording.js').Recording} rec
 * @param {string} search
 * @param {(node: number) => string} name
 */
export function eventsCsv(rec, search, name) {
  const words = ['expanded', 'new', 'known', 'cheaper', 'reopened', 'cut', 'dead-end', 'too-dear', 'iteration'];
  const [measures, f] = [measuresOf(rec), rankOf(rec)];
  const figure = (/** @type {any} */ measure, /** @type {number} */ value) => (measures.includes(measure) ? finite(value) : '');
  const weight = figure('f', rec.answer?.weight ?? 1);
  const rows = Array.from({ length: rec.length }, (_, k) => {
    const n = rec.node[k];
    const nobody = n === NOBODY;
    const from = rec.parent[k];
    return [search, k + 1, words[rec.what[k]], nobody ? '' : n, from === NOBODY ? '' : from, rec.paid[k], ...(nobody ? ['', '', '', ''] : [figure('h', rec.left[k]), weight, figure('f', f(rec.paid[k], rec.left[k])), name(n)])];
  });
  return csv(['search', 'event', 'what', 'node', 'parent', 'g', 'h', 'weight', 'f', 'state'], rows);
}

const finite = (/** @type {number} */ value) => (Number.isFinite(value) ? value : '');

const INHERITED = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linejoin', 'paint-order', 'font-size', 'font-family', 'font-weight', 'text-anchor', 'opacity'];

/** An SVG element of the page as it can stand elsewhere: what its style sheet says is written into it. @param {any} drawing */
export function svgMarkup(drawing) {
  const copy = drawing.cloneNode(true);
  const [from, to] = [[drawing, ...drawing.querySelectorAll('*')], [copy, ...copy.querySelectorAll('*')]];
  from.forEach((node, i) => {
    const style = getComputedStyle(node);
    for (const name of INHERITED) to[i].setAttribute(name, style.getPropertyValue(name));
    to[i].removeAttribute('class');
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return new XMLSerializer().serializeToString(copy);
}

/** The same as a file of its own. @param {any} drawing */
export const svgText = (drawing) => `<?xml version="1.0" encoding="UTF-8"?>\n${svgMarkup(drawing)}\n`;

const round = (/** @type {number} */ value) => Number(value.toFixed(2));
const xml = (/** @type {string} */ text) => String(text).replace(/[&<>"]/g, (sign) => /** @type {Record<string, string>} */ ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);
const ANCHORS = /** @type {Record<string, string>} */ ({ left: 'start', center: 'middle', right: 'end' });
const BASELINES = /** @type {Record<string, string>} */ ({ top: 'hanging', middle: 'central' });

/** A sheet that is drawn on like a canvas and becomes lines and shapes. It knows what maps and trees are drawn with, and nothing more. */
export function svgSheet() {
  const parts = /** @type {any[]} */ ([]);
  let [d, dash] = ['', ''];
  const alpha = (/** @type {string} */ kind) => (sheet.globalAlpha < 1 ? ` ${kind}-opacity="${round(sheet.globalAlpha)}"` : '');
  const stroked = () => `stroke="${sheet.strokeStyle}" stroke-width="${round(sheet.lineWidth)}"${alpha('stroke')}${dash}${sheet.lineJoin === 'round' ? ' stroke-linejoin="round" stroke-linecap="round"' : ''}`;
  const filled = () => `fill="${sheet.fillStyle}"${alpha('fill')}`;
  const word = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ style) => parts.push(`<text x="${round(x)}" y="${round(y)}" text-anchor="${ANCHORS[sheet.textAlign]}" dominant-baseline="${BASELINES[sheet.textBaseline]}" style="font:${sheet.font}" ${style}>${xml(text)}</text>`);

  const sheet = {
    fillStyle: '#000000', strokeStyle: '#000000', lineWidth: 1, globalAlpha: 1, font: '10px sans-serif', textAlign: 'left', textBaseline: 'top', lineJoin: 'miter', lineCap: 'butt', imageSmoothingEnabled: false,
    beginPath() { d = ''; },
    /** Draws a part from a corner of its own; nothing of it lies outside. @param {number} x @param {number} y @param {number} width @param {number} height @param {(sheet: any) => void} draw */
    inside(x, y, width, height, draw) {
      parts.push(`<svg x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}">`);
      draw(sheet);
      parts.push('</svg>');
    },
    moveTo(/** @type {number} */ x, /** @type {number} */ y) { d += `M${round(x)} ${round(y)}`; },
    lineTo(/** @type {number} */ x, /** @type {number} */ y) { d += `L${round(x)} ${round(y)}`; },
    closePath() { d += 'Z'; },
    rect(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ width, /** @type {number} */ height) { d += `M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}Z`; },
    /** Only whole circles are drawn. @param {number} x @param {number} y @param {number} radius */
    arc(x, y, radius) { d += `M${round(x - radius)} ${round(y)}a${round(radius)} ${round(radius)} 0 1 0 ${round(2 * radius)} 0a${round(radius)} ${round(radius)} 0 1 0 ${round(-2 * radius)} 0Z`; },
    stroke() { if (d) parts.push(`<path d="${d}" fill="none" ${stroked()}/>`); },
    fill() { if (d) parts.push(`<path d="${d}" ${filled()}/>`); },
    strokeText(/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y) { word(text, x, y, `fill="none" ${stroked()}`); },
    fillText(/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y) { word(text, x, y, filled()); },
    setLineDash(/** @type {any[]} */ list) { dash = list.length ? ` stroke-dasharray="${list.join(' ')}"` : ''; },
    /** Puts something there that is an SVG element already. @param {string} markup */
    put(markup) { parts.push(markup); },
    /** A sheet is drawn on once, from its beginning. */
    clearRect() {},
    /** A picture of a pixel a cell: one rectangle for as many as are alike in a row. @param {{ width: number, height: number }} canvas @param {number} x @param {number} y @param {number} width @param {number} height */
    drawImage(canvas, x, y, width, height) { parts.push(...rectangles(canvas, x, y, width / canvas.width, height / canvas.height)); },
    get text() { return parts.join(''); },
  };
  return sheet;
}

function* rectangles(/** @type {any} */ canvas, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ wide, /** @type {number} */ high) {
  // A copy is read, so that the picture itself stays where it is drawn from quickly.
  const copy = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true }));
  copy.drawImage(canvas, 0, 0);
  const pixels = new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
  for (let row = 0; row < canvas.height; row += 1) {
    for (let col = 0, end = 0; col < canvas.width; col = end) {
      const pixel = pixels[row * canvas.width + col];
      for (end = col + 1; end < canvas.width && pixels[row * canvas.width + end] === pixel;) end += 1;
      if (pixel >>> 24) yield `<rect x="${round(x + col * wide)}" y="${round(y + row * high)}" width="${round((end - col) * wide)}" height="${round(high)}" ${ink(pixel)}/>`;
    }
  }
}

/** A pixel's colour, as it is filled with. @param {number} pixel */
function ink(pixel) {
  const hex = [0, 8, 16].map((shift) => ((pixel >>> shift) & 255).toString(16).padStart(2, '0')).join('');
  const opacity = (pixel >>> 24) / 255;
  return `fill="#${hex}"${opacity < 1 ? ` fill-opacity="${round(opacity)}"` : ''}`;
}
