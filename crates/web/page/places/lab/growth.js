// The growth of searches: expansions at each depth or bound, as curves on a logarithmic scale.

import { t, whole } from '../../js/i18n.js';
import { contestantText } from './contestants.js';
import { shapeOf, svg } from './legend.js';

/** The least and the greatest width, and how high they are: a share of the width, but no less than this. */
const [NARROWEST, WIDEST, SHARE, LOWEST] = [300, 1100, 0.36, 230];
const PAD = { right: 10, top: 12, bottom: 30 };
/** A digit of the numbers at the left is so wide; a letter of a name (Chinese ones are twice as wide), and a line of names so high. */
const [DIGIT, LETTER, LINE] = [6.6, 6.4, 15];
/** In a chart so wide, names stand to the right of their lines; else they lie on them. */
const ROOMY = 560;
/** Marks a curve at most: more would hide it. */
const MARKS = 8;

/**
 * What is known of a search's growth, with what is new of it: each is a list of bound, expanded and generated.
 * @param {[number, number, number][]} known
 * @param {[number, number, number][]} news
 */
export const grown = (known = [], news = []) => (news.length ? [...new Map([...known, ...news].map((one) => [one[0], one])).values()].sort(([a], [b]) => a - b) : known);

/** A curve leads from one depth or bound to another. @param {{ growth?: [number, number, number][] }} run */
export const hasCurve = ({ growth }) => (growth?.length ?? 0) > 1;

/**
 * The curves as an SVG element, each with its name, or null where there is nothing to draw.
 * @param {{ contestant: import('./setup.js').Contestant, growth?: [number, number, number][] }[]} runs
 * @param {number} room How wide they may be, in pixels.
 */
export function growthCurves(runs, room) {
  const drawn = runs.filter(hasCurve).map(({ contestant, growth = [] }) => ({ mark: contestant.mark ?? 0, name: contestantText(contestant), growth }));
  if (!drawn.length) return null;
  const width = Math.round(Math.max(NARROWEST, Math.min(WIDEST, room)));
  const height = Math.round(Math.max(LOWEST, width * SHARE));
  const points = drawn.flatMap(({ growth }) => growth);
  const [least, most] = [Math.min(...points.map(([at]) => at)), Math.max(...points.map(([at]) => at))];
  const highest = Math.max(10, ...points.map(([, expanded]) => expanded));
  const left = Math.max(46, 12 + DIGIT * whole(10 ** Math.floor(Math.log10(highest))).length);
  const right = width - PAD.right - (width >= ROOMY ? 10 + Math.max(...drawn.map(({ name }) => widthOf(name))) : 0);
  const frame = { left, right, least, most, highest, width, height, x: (/** @type {number} */ at) => left + ((at - least) / Math.max(1, most - least)) * (right - left), y: (/** @type {number} */ value) => height - PAD.bottom - (Math.log10(Math.max(1, value)) / Math.log10(highest)) * (height - PAD.top - PAD.bottom) };
  return svg('svg', { class: 'curves', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': t('lab.growth.label', { names: drawn.map(({ name }) => name).join(', ') }) }, ...axes(frame), ...drawn.map((one) => curve(one, frame)), ...labels(drawn, frame));
}

const widthOf = (/** @type {string} */ text) => [...text].reduce((sum, letter) => sum + (letter > '\u2e80' ? 2 : 1) * LETTER, 0);

/** @typedef {{ left: number, right: number, least: number, most: number, highest: number, width: number, height: number, x: (at: number) => number, y: (value: number) => number }} Frame */
/** @typedef {{ mark: number, name: string, growth: [number, number, number][] }} Curve */

function axes(/** @type {Frame} */ { x, y, left, right, least, most, highest, height }) {
  const lines = [];
  for (let value = 1; value <= highest; value *= 10) {
    lines.push(svg('line', { class: 'grid', x1: left, x2: right, y1: y(value), y2: y(value) }), svg('text', { class: 'tick end', x: left - 6, y: y(value) + 4 }, whole(value)));
  }
  const step = Math.max(1, Math.ceil((most - least) / 8));
  for (let at = least; at <= most; at += step) lines.push(svg('text', { class: 'tick middle', x: x(at), y: height - PAD.bottom + 14 }, whole(at)));
  lines.push(svg('text', { class: 'tick middle', x: (left + right) / 2, y: height - 2 }, t('lab.growth.axis')));
  return lines;
}

function curve(/** @type {Curve} */ { growth, mark }, /** @type {Frame} */ { x, y }) {
  const line = growth.map(([at, expanded]) => `${x(at).toFixed(1)},${y(expanded).toFixed(1)}`).join(' ');
  const every = Math.ceil(growth.length / MARKS);
  const marks = growth.filter((_, i) => i % every === 0 || i === growth.length - 1).map(([at, expanded]) => svg('path', { d: shapeOf(mark), transform: `translate(${(x(at) - 4.5).toFixed(1)} ${(y(expanded) - 4.5).toFixed(1)}) scale(.75)` }));
  return svg('g', { class: `curve c${mark}` }, svg('polyline', { points: line }), ...marks);
}

/** The names, where their lines end; none covers another. @param {Curve[]} drawn @param {Frame} frame */
function labels(drawn, { x, y, width, height }) {
  const isRoomy = width >= ROOMY;
  const ends = drawn.map(({ mark, name, growth }) => ({ mark, name, x: x(growth[growth.length - 1][0]), y: y(growth[growth.length - 1][1]) })).sort((a, b) => a.y - b.y);
  // From above, each below the one before; where that leads out of the chart, all are moved up.
  ends.forEach((end, i) => { end.y = Math.max(end.y, PAD.top, i ? ends[i - 1].y + LINE : 0); });
  const over = Math.max(0, ends[ends.length - 1].y - (height - PAD.bottom));
  return ends.map(({ mark, name, x: at, y: level }) => svg('text', { class: `curve-name c${mark} ${isRoomy ? '' : 'end'}`.trim(), x: isRoomy ? at + 9 : Math.max(at, widthOf(name) + 60), y: level - over + 4 }, name));
}
