// Plots the values of the expanded states: f with h, h alone, or g for blind searches. A click goes to the expansion.

import { el, onLook } from '../../js/dom.js';
import { onLanguage, t, whole } from '../../js/i18n.js';
import { EXPANDED } from '../../trace/recording.js';
import { amount } from '../../trace/numbers.js';
import { measuresOf } from '../../trace/order.js';
import { PAGE } from '../../trace/player.js';

const PAD = 6;
/** Room for the figures at the axes: below, and a digit of those at the left. */
const [FOOT, DIGIT] = [16, 6.5];

/**
 * @param {HTMLElement} root
 * @param {{ onSeek: (k: number) => void }} callbacks
 */
export function createPlot(root, { onSeek }) {
  const canvas = el('canvas', { className: 'plot', id: 'lab-plot', role: 'slider', 'aria-valuemin': 0, onkeydown: keys, onpointerdown: (/** @type {any} */ event) => { canvas.setPointerCapture(event.pointerId); seek(event); }, onpointermove: (/** @type {any} */ event) => { if (event.buttons) seek(event); } });
  const hand = el('span', { className: 'plot-hand', 'aria-hidden': 'true' });
  const head = el('h2');
  root.append(head, el('div', { className: 'plot-box' }, canvas, hand));
  /** @type {{ rec: any, main: Float64Array, h: Float64Array | null, most: number, by: string, left: number, n: number } | null} */
  let curves = null;

  function name() {
    const by = curves?.by ?? 'f';
    head.textContent = t(`lab.plot.${by}`);
    canvas.setAttribute('aria-label', t(`lab.plot.${by}.label`));
  }

  function seek(/** @type {any} */ event) {
    if (!curves) return;
    const box = canvas.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - box.left - curves.left) / (box.width - curves.left - PAD)));
    onSeek(curves.rec.nthExpansion(1 + Math.round(share * (curves.rec.expansions - 1))));
  }

  /** Keys go from expansion to expansion. @param {any} event */
  function keys(event) {
    if (!curves) return;
    const [n, most] = [curves.n, curves.rec.expansions];
    const to = /** @type {any} */ ({ ArrowRight: n + 1, ArrowUp: n + 1, ArrowLeft: n - 1, ArrowDown: n - 1, PageDown: n + PAGE, PageUp: n - PAGE, Home: 0, End: most })[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onSeek(curves.rec.nthExpansion(Math.max(0, Math.min(most, to))));
  }

  function load(/** @type {import('../../trace/recording.js').Recording} */ rec, /** @type {any} */ rank) {
    curves = rec && measure(rec, rank);
    hand.hidden = !curves;
    canvas.tabIndex = curves ? 0 : -1;
    name();
    draw();
    follow(0);
  }

  function draw() {
    const { width, height } = canvas.getBoundingClientRect();
    if (!width) return;
    const ratio = devicePixelRatio || 1;
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    const ctx = canvas.getContext('2d');
    ctx.scale(ratio, ratio);
    if (!curves) return;
    const { most, left } = curves;
    const style = getComputedStyle(root);
    const y = (/** @type {number} */ value) => height - FOOT - (value / most) * (height - FOOT - PAD);
    axes(ctx, curves, { y, width, height, quiet: style.getPropertyValue('--quiet').trim(), line: style.getPropertyValue('--line').trim() });
    const line = (/** @type {string} */ label, /** @type {Float64Array<ArrayBufferLike>} */ values, /** @type {string} */ colour, /** @type {number} */ thick) => {
      ctx.beginPath();
      band(values, width - left - PAD, (/** @type {number} */ x, /** @type {number} */ value) => ctx.lineTo(left + x, y(value)));
      [ctx.strokeStyle, ctx.lineWidth] = [style.getPropertyValue(colour).trim(), thick];
      ctx.stroke();
      ctx.fillStyle = ctx.strokeStyle;
      ctx.fillText(label, left + 3, Math.max(11, y(values[0]) - 4));
    };
    if (curves.h) line('h', curves.h, '--tree-dropped', 1);
    line(curves.by, curves.main, '--seal', 2);
  }

  /** Marks where the search stands. @param {number} k */
  function follow(k) {
    const [n, most] = curves ? [curves.rec.expansionsAt(k), curves.rec.expansions] : [0, 0];
    canvas.setAttribute('aria-valuemax', String(most));
    canvas.setAttribute('aria-valuenow', String(n));
    if (!curves) return;
    curves.n = n;
    const { main, left, by } = curves;
    const share = Math.max(0, n - 1) / Math.max(1, most - 1);
    hand.style.left = `calc(${left}px + ${share * 100}% - ${share * (left + PAD)}px)`;
    canvas.setAttribute('aria-valuetext', t('lab.plot.value', { n: whole(n), of: whole(most), by, value: n ? amount(main[n - 1]) : '–' }));
  }

  onLanguage(() => { name(); draw(); });
  new ResizeObserver(draw).observe(canvas);
  onLook(draw);
  return { load, follow, canvas };
}

function measure(/** @type {import('../../trace/recording.js').Recording} */ rec, /** @type {any} */ rank) {
  const measures = measuresOf(rec);
  const by = measures.at(-1) ?? 'g';
  const value = { f: rank, h: (/** @type {any} */ _, /** @type {number} */ h) => h, g: (/** @type {number} */ g) => g }[by];
  const main = new Float64Array(rec.expansions);
  const h = by === 'f' ? new Float64Array(rec.expansions) : null;
  let [n, most] = [0, 1];
  for (let k = 0; k < rec.length; k += 1) {
    if (rec.what[k] !== EXPANDED) continue;
    main[n] = value(rec.paid[k], rec.left[k]);
    if (h) h[n] = rec.left[k];
    most = Math.max(most, main[n], h ? h[n] : 0);
    n += 1;
  }
  return { rec, main, h, most, by, n: 0, left: PAD + 4 + DIGIT * amount(most).length };
}

/** The figures at the axes: nothing and the most of each, and half of the most where it is whole. */
function axes(/** @type {any} */ ctx, /** @type {{ rec: import('../../trace/recording.js').Recording, most: number, left: any }} */ { rec, most, left }, /** @type {{ y: any, width: number, height: number, quiet: any, line: string }} */ { y, width, height, quiet, line }) {
  [ctx.font, ctx.fillStyle, ctx.strokeStyle, ctx.lineWidth] = ['11px system-ui, sans-serif', quiet, line, 1];
  ctx.textAlign = 'right';
  for (const value of [0, ...(most % 2 ? [] : [most / 2]), most]) {
    ctx.fillText(amount(value), left - 4, y(value) + 4);
    ctx.beginPath();
    ctx.moveTo(left, y(value) + 0.5);
    ctx.lineTo(width - PAD, y(value) + 0.5);
    ctx.stroke();
  }
  ctx.fillText(whole(rec.expansions), width - PAD, height - 2);
  ctx.textAlign = 'left';
  ctx.fillText(whole(Math.min(1, rec.expansions)), left, height - 2);
}

/** Visits points of a curve, no more than two a pixel: the least and the greatest of what falls there. @param {Float64Array} values @param {number} width @param {(x: number, value: number) => void} visit */
function band(values, width, visit) {
  const each = values.length / width;
  if (each <= 2) {
    values.forEach((/** @type {number} */ value, /** @type {number} */ i) => visit((i / Math.max(1, values.length - 1)) * width, value));
    return;
  }
  for (let x = 0; x < width; x += 1) {
    let [least, most] = [Infinity, -Infinity];
    for (let i = Math.floor(x * each); i < Math.min(values.length, (x + 1) * each); i += 1) {
      least = Math.min(least, values[i]);
      most = Math.max(most, values[i]);
    }
    if (least <= most) {
      visit(x, most);
      visit(x, least);
    }
  }
}
