// What a search goes by (f with h, h alone, or g where it is blind) of each state that it takes up. A click goes there.

import { el } from '../../js/dom.js';
import { onLanguage, t } from '../../js/i18n.js';
import { EXPANDED } from '../../trace/recording.js';
import { measuresOf } from '../../trace/sentence.js';

const PAD = 6;

/**
 * @param {HTMLElement} root
 * @param {{ onSeek: (k: number) => void }} callbacks
 */
export function createPlot(root, { onSeek }) {
  const canvas = el('canvas', { className: 'plot', id: 'lab-plot', role: 'img', onpointerdown: (event) => { canvas.setPointerCapture(event.pointerId); seek(event); }, onpointermove: (event) => { if (event.buttons) seek(event); } });
  const hand = el('span', { className: 'plot-hand', 'aria-hidden': 'true' });
  const head = el('h2');
  root.append(head, el('div', { className: 'plot-box' }, canvas, hand));
  /** @type {{ rec: any, main: Float64Array, h: Float64Array | null, most: number, by: string } | null} */
  let curves = null;

  function name() {
    const by = curves?.by ?? 'f';
    head.textContent = t(`lab.plot.${by}`);
    canvas.setAttribute('aria-label', t(`lab.plot.${by}.label`));
  }

  function seek(event) {
    if (!curves) return;
    const box = canvas.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - box.left - PAD) / (box.width - PAD * 2)));
    onSeek(curves.rec.nthExpansion(Math.max(1, Math.round(share * curves.rec.expansions))));
  }

  function load(rec, rank) {
    curves = rec && measure(rec, rank);
    hand.hidden = !curves;
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
    const { most } = curves;
    const style = getComputedStyle(root);
    const line = (values, colour, thick) => {
      ctx.beginPath();
      band(values, width - PAD * 2, (x, value) => ctx.lineTo(PAD + x, height - PAD - (value / most) * (height - PAD * 2)));
      [ctx.strokeStyle, ctx.lineWidth] = [style.getPropertyValue(colour).trim(), thick];
      ctx.stroke();
    };
    if (curves.h) line(curves.h, '--tree-dropped', 1);
    line(curves.main, '--seal', 2);
  }

  /** Marks where the search stands. */
  function follow(k) {
    if (!curves) return;
    const share = curves.rec.expansions ? curves.rec.expansionsAt(k) / curves.rec.expansions : 0;
    hand.style.left = `calc(${PAD}px + ${share * 100}% - ${share * PAD * 2}px)`;
  }

  onLanguage(name);
  new ResizeObserver(draw).observe(canvas);
  new MutationObserver(draw).observe(document.documentElement, { attributes: true, attributeFilter: ['data-look'] });
  return { load, follow, canvas };
}

function measure(rec, rank) {
  const measures = measuresOf(rec);
  const by = measures.at(-1) ?? 'g';
  const value = { f: rank, h: (_, h) => h, g: (g) => g }[by];
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
  return { rec, main, h, most, by };
}

/** Visits points of a curve, no more than two a pixel: the least and the greatest of what falls there. */
function band(values, width, visit) {
  const each = values.length / width;
  if (each <= 2) {
    values.forEach((value, i) => visit((i / Math.max(1, values.length - 1)) * width, value));
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
