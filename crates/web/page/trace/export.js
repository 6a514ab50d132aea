// Files for other programs: rows as CSV, anything as JSON, drawings as SVG and PNG.

import { el } from '../js/dom.js';
import { NOBODY } from './cursor.js';
import { measuresOf, rankOf } from './sentence.js';

/** Gives the reader a file. @param {string} name @param {Blob | string} content @param {string} [type] */
export function download(name, content, type = 'text/plain') {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: `${type};charset=utf-8` }));
  const link = el('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** Rows as CSV, under their heads; what has a comma, a quote or a line end is quoted. @param {string[]} heads @param {any[][]} rows */
export const csv = (heads, rows) => [heads, ...rows].map((row) => row.map(field).join(',')).join('\r\n') + '\r\n';

function field(value) {
  const text = value === undefined || value === null || Number.isNaN(value) ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/**
 * A recorded search as CSV, an event a line: of g, h and f what means something to the search. f is what it orders by, with
 * the weight that h has in it; h stands there without.
 * @param {import('./recording.js').Recording} rec
 * @param {(node: number) => string} name
 */
export function eventsCsv(rec, name) {
  const words = ['expanded', 'new', 'known', 'cheaper', 'reopened', 'cut', 'dead-end', 'too-dear', 'iteration'];
  const [measures, f] = [measuresOf(rec), rankOf(rec)];
  const figure = (measure, value) => (measures.includes(measure) ? finite(value) : '');
  const weight = figure('f', rec.answer?.weight ?? 1);
  const rows = Array.from({ length: rec.length }, (_, k) => {
    const n = rec.node[k];
    const nobody = n === NOBODY;
    const from = rec.parent[k];
    return [k + 1, words[rec.what[k]], nobody ? '' : n, from === NOBODY ? '' : from, rec.paid[k], ...(nobody ? ['', '', '', ''] : [figure('h', rec.left[k]), weight, figure('f', f(rec.paid[k], rec.left[k])), name(n)])];
  });
  return csv(['event', 'what', 'node', 'parent', 'g', 'h', 'weight', 'f', 'state'], rows);
}

const finite = (value) => (Number.isFinite(value) ? value : '');

const INHERITED = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-size', 'font-family', 'font-weight', 'text-anchor', 'opacity'];

/** An SVG element of the page as a file of its own: what its style sheet says is written into it. */
export function svgText(drawing) {
  const copy = drawing.cloneNode(true);
  const [from, to] = [[drawing, ...drawing.querySelectorAll('*')], [copy, ...copy.querySelectorAll('*')]];
  from.forEach((node, i) => {
    const style = getComputedStyle(node);
    for (const name of INHERITED) to[i].setAttribute(name, style.getPropertyValue(name));
    to[i].removeAttribute('class');
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}

/** A canvas as a PNG file, on the card's own ground. @returns {Promise<Blob>} */
export function png(canvas, ground) {
  const copy = el('canvas', { width: canvas.width, height: canvas.height });
  const ctx = copy.getContext('2d');
  ctx.fillStyle = ground;
  ctx.fillRect(0, 0, copy.width, copy.height);
  ctx.drawImage(canvas, 0, 0);
  return new Promise((resolve) => { copy.toBlob(resolve, 'image/png'); });
}
