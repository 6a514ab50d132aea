// Shapes: the marks by which contestants are told apart, and what the signs of the search trees mean.

import { el } from '../../js/dom.js';
import { onLanguage, t } from '../../js/i18n.js';
import { CHEAPER, CUT, DEAD_END, KNOWN, REOPENED, TOO_DEAR } from '../../trace/recording.js';
import { statusText } from '../../trace/sentence.js';

const SVG = 'http://www.w3.org/2000/svg';

/** Shapes in a square of 12, as many as there can be contestants. */
const SHAPES = ['M6 1a5 5 0 1 0 .01 0z', 'M1.5 1.5h9v9h-9z', 'M6 .5 11.500 10.500h-11z', 'M6 .2 11.800 6 6 11.800.2 6z', 'M4 1h4v3h3v4H8v3H4V8H1V4h3z', 'M6 11.500.500 1.500h11z', 'M6 0l1.700 4.300L12 6 7.700 7.700 6 12 4.300 7.700 0 6l4.300-1.700z', 'M3.300.800h5.400l2.700 5.200-2.700 5.200H3.300L.600 6z'];

/** The shape of a mark. @param {number} mark */
export const shapeOf = (mark) => SHAPES[mark];

/** An SVG element. @returns {any} */
export function svg(/** @type {string} */ tag, /** @type {Record<string, string | number | undefined>} */ attributes = {}, /** @type {(string | Node)[]} */ ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** A contestant's mark. @param {any} one */
export const markOf = ({ mark = 0 }) => svg('svg', { class: `mark c${mark}`, viewBox: '0 0 12 12', 'aria-hidden': 'true' }, svg('path', { d: shapeOf(mark) }));

/** The signs in a square of 14, by what they stand for. @type {Record<string, string>} */
const SIGNS = {
  open: 'M2.5 2.5h9v9h-9z',
  closed: 'M7 2a5 5 0 1 0 .01 0z',
  current: 'M7 1a6 6 0 1 0 .01 0z',
  dropped: 'M3 11 11 3',
  forgotten: 'M7 2.5a4.500 4.500 0 1 0 .01 0z',
  moved: 'M0 7h14',
  solution: 'M0 7h14M7 4a3 3 0 1 0 .01 0z',
};

/** The pruned kinds and their word. Depth-first searches prune known states, too. @type {Record<string, number>} */
const LEFT = { cut: CUT, known: KNOWN, dead: DEAD_END, dear: TOO_DEAR };

/** @param {import('../../trace/recording.js').Recording} rec */
function signsOf(rec) {
  const happened = new Set(rec.what);
  const left = Object.keys(LEFT).filter((name) => happened.has(LEFT[name]) && (name !== 'known' || rec.depthFirst));
  return { left, rec, signs: ['open', 'closed', 'current', left.length && 'dropped', rec.forgets && 'forgotten', (happened.has(CHEAPER) || happened.has(REOPENED)) && 'moved', rec.goalEvent >= 0 && 'solution'] };
}

/** The legend: what the signs that the trees in sight have mean, drawn as there. @returns {{ root: HTMLElement, show: (recs: import('../../trace/recording.js').Recording[]) => void }} */
export function createLegend() {
  const root = el('ul', { className: 'tree-key', id: 'lab-key', hidden: true });
  /** @type {ReturnType<typeof signsOf>[]} */
  let shown = [];

  function draw() {
    const [signs, left] = [new Set(shown.flatMap((one) => one.signs)), new Set(shown.flatMap((one) => one.left))];
    const listed = (/** @type {string} */ name) => [...new Set(shown.map(({ rec }) => statusText(name, rec)))].join(' / ');
    const text = (/** @type {string} */ name) => (name === 'dropped' ? Object.keys(LEFT).filter((why) => left.has(why)).map((why) => t(`lab.fate.${why}`)).join(t('trace.list')) : listed(name));
    root.hidden = !signs.size;
    root.setAttribute('aria-label', t('trace.legend'));
    root.replaceChildren(...Object.keys(SIGNS).filter((name) => signs.has(name)).map((name) => el('li', {}, svg('svg', { class: `sign ${name}`, viewBox: '0 0 14 14', 'aria-hidden': 'true' }, svg('path', { d: SIGNS[name] })), text(name))));
  }

  onLanguage(draw);
  return { root, show: (recs) => { shown = recs.map(signsOf); draw(); } };
}
