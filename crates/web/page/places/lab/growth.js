// How a search grows: expansions at each depth or bound, as curves on a logarithmic scale.

import { t, whole } from '../../js/i18n.js';
import { contestantText } from './contestants.js';
import { shapeOf, svg } from './marks.js';

const [WIDTH, HEIGHT] = [420, 230];
const PAD = { right: 10, top: 10, bottom: 30 };
/** A digit of the numbers at the left is so wide. */
const DIGIT = 6.6;
/** So many marks a curve at most: more would hide it. */
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
 * The curves as an SVG element, or null where there is nothing to draw.
 * @param {{ contestant: import('./setup.js').Contestant, growth?: [number, number, number][] }[]} runs
 */
export function growthCurves(runs) {
  const drawn = runs.filter(hasCurve);
  if (!drawn.length) return null;
  const points = drawn.flatMap(({ growth }) => growth ?? []);
  const [least, most] = [Math.min(...points.map(([at]) => at)), Math.max(...points.map(([at]) => at))];
  const highest = Math.max(10, ...points.map(([, expanded]) => expanded));
  const left = Math.max(46, 12 + DIGIT * whole(10 ** Math.floor(Math.log10(highest))).length);
  const x = (at) => left + ((at - least) / Math.max(1, most - least)) * (WIDTH - left - PAD.right);
  const y = (value) => HEIGHT - PAD.bottom - (Math.log10(Math.max(1, value)) / Math.log10(highest)) * (HEIGHT - PAD.top - PAD.bottom);
  return svg('svg', { class: 'curves', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': t('lab.growth.label', { names: drawn.map(({ contestant }) => contestantText(contestant)).join(', ') }) },
    ...axes(x, y, { left, least, most, highest }), ...drawn.map(({ growth, contestant }) => curve(growth, contestant.mark, x, y)));
}

function axes(x, y, { left, least, most, highest }) {
  const lines = [];
  for (let value = 1; value <= highest; value *= 10) {
    lines.push(svg('line', { class: 'grid', x1: left, x2: WIDTH - PAD.right, y1: y(value), y2: y(value) }), svg('text', { class: 'tick end', x: left - 6, y: y(value) + 4 }, whole(value)));
  }
  const step = Math.max(1, Math.ceil((most - least) / 8));
  for (let at = least; at <= most; at += step) lines.push(svg('text', { class: 'tick middle', x: x(at), y: HEIGHT - PAD.bottom + 14 }, whole(at)));
  lines.push(svg('text', { class: 'tick middle', x: (left + WIDTH) / 2, y: HEIGHT - 2 }, t('lab.growth.axis')));
  return lines;
}

function curve(growth, mark, x, y) {
  const line = growth.map(([at, expanded]) => `${x(at).toFixed(1)},${y(expanded).toFixed(1)}`).join(' ');
  const every = Math.ceil(growth.length / MARKS);
  const marks = growth.filter((_, i) => i % every === 0 || i === growth.length - 1).map(([at, expanded]) => svg('path', { d: shapeOf(mark), transform: `translate(${(x(at) - 4.5).toFixed(1)} ${(y(expanded) - 4.5).toFixed(1)}) scale(.75)` }));
  return svg('g', { class: `curve c${mark}` }, svg('polyline', { points: line }), ...marks);
}
