// The help of the game under `?`: a few pictures, and the keys.

import { el } from '../js/dom.js';
import { t } from '../js/i18n.js';
import { sheet } from '../js/sheets.js';

const PICTURES = ['shuffle', 'slide', 'line'];

const KEYS = [
  { keys: ['↑ ↓ ← →', 'W A S D'], text: 'keys.moveTile' },
  { keys: ['Ctrl Z', 'U'], text: 'keys.undo' },
  { keys: ['Ctrl Y', 'Shift U'], text: 'keys.redo' },
  { keys: ['N'], text: 'keys.shuffle' },
  { keys: ['R'], text: 'keys.restart' },
  { keys: ['H'], text: 'keys.hint' },
  { keys: ['Space'], text: 'keys.playPause' },
  { keys: [',', '.'], text: 'keys.step' },
  { keys: ['P'], text: 'keys.peekHold' },
  { keys: ['1', '2', '3'], text: 'keys.size' },
  { keys: ['Ctrl S'], text: 'keys.save' },
];
/** The keys that do the same everywhere. @type {{ keys: string[], text: string, values?: object }[]} */
const COMMON = [{ keys: ['?'], text: 'keys.help' }, { keys: ['Esc'], text: 'keys.escape' }];

const pictures = () => el('div', { className: 'howto-pictures' }, PICTURES.map((name) => el('figure', {}, drawing(name), el('figcaption', {}, t(`howto.${name}`)))));

const keyList = (/** @type {{ keys: string[], text: string, values?: object }[]} */ list) => [el('h3', {}, t('keys.title')), el('dl', { className: 'key-list' }, [...list, ...COMMON].flatMap(({ keys, text, values = {} }) => [el('dt', {}, keys.map((key) => el('kbd', {}, key))), el('dd', {}, t(text, values))]))];

/** The help of another place: what it is about, and its keys. @param {string} title @param {string[]} texts @param {{ keys: string[], text: string }[]} keys */
export const openKeys = (title, texts, keys) => sheet(title, [...texts.map((text) => el('p', {}, text)), ...keyList(keys)]);

/** The help: how it is played, what counts as help, the keys; what a finger does comes first where one is used. */
export function openHelp() {
  const touches = matchMedia('(pointer: coarse)').matches;
  const touch = el('p', { className: 'muted', id: 'help-touch' }, t('keys.touch'));
  sheet(t('howto.title'), [
    pictures(),
    el('h3', {}, t('howto.helpHead')),
    el('p', {}, t('howto.help')),
    el('p', { className: 'muted' }, t('howto.free')),
    ...(touches ? [touch] : []),
    ...keyList(KEYS),
    ...(touches ? [] : [touch]),
    el('p', { className: 'muted' }, t('keys.letters')),
  ]);
}

const NS = 'http://www.w3.org/2000/svg';
const CELL = 30;
const GAP = 3;

function shape(/** @type {string} */ tag, /** @type {Record<string, any>} */ attributes, text = '') {
  const node = document.createElementNS(NS, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.textContent = text;
  return node;
}

/** A tile with its number; `kind` says whether it is the one that moves. @param {number} number @param {number} cell */
function tile(number, cell, kind = '') {
  const [x, y] = [(cell % 3) * CELL + GAP, Math.floor(cell / 3) * CELL + GAP];
  return [shape('rect', { class: `howto-tile ${kind}`, x, y, width: CELL - GAP, height: CELL - GAP, rx: 5 }),
    shape('text', { class: `howto-number ${kind}`, x: x + (CELL - GAP) / 2, y: y + (CELL - GAP) / 2 + 4.5 }, String(number))];
}

function arrow(/** @type {number} */ from, /** @type {number} */ to) {
  const at = (/** @type {number} */ cell) => [(cell % 3) * CELL + GAP / 2 + CELL / 2, Math.floor(cell / 3) * CELL + GAP / 2 + CELL / 2];
  const [[x0, y0], [x1, y1]] = [at(from), at(to)];
  const [dx, dy] = [Math.sign(x1 - x0), Math.sign(y1 - y0)];
  const [tx, ty] = [x1 + dx * 4, y1 + dy * 4];
  return [shape('path', { class: 'howto-arrow', d: `M${x0 + dx * 11} ${y0 + dy * 11}L${tx} ${ty}M${tx - dx * 6 - dy * 5} ${ty - dy * 6 - dx * 5}L${tx} ${ty}L${tx - dx * 6 + dy * 5} ${ty - dy * 6 + dx * 5}` })];
}

const board = (/** @type {number[]} */ numbers, /** @type {number[]} */ moving = []) => numbers.flatMap((number, cell) => (number ? tile(number, cell, moving.includes(number) ? 'moving' : '') : []));

/** A sign of the page's own in the middle. @param {string} name */
const sign = (name) => shape('use', { class: 'howto-sign', href: `#i-${name}`, x: 34.5, y: 34.5, width: 24, height: 24 });

/** @type {Record<string, () => SVGElement[]>} */
const SCENES = {
  /** A tile beside the gap slides in. */
  slide: () => [...board([1, 2, 3, 4, 5, 0, 7, 8, 6], [6]), ...arrow(8, 5)],
  /** Every tile between the tapped one and the gap comes along. */
  line: () => [...board([1, 2, 3, 4, 5, 6, 7, 8, 0], [7, 8]), ...arrow(7, 8)],
  /** The whole picture, with a sun over hills and one piece out, and the sign of the shuffle on it. */
  shuffle: () => [shape('rect', { class: 'howto-sky', x: GAP, y: GAP, width: CELL * 3 - GAP, height: CELL * 3 - GAP, rx: 6 }), shape('circle', { class: 'howto-sun', cx: 68, cy: 22, r: 10 }),
    shape('path', { class: 'howto-hills', d: 'M3 70Q22 38 42 60T90 50V84Q90 90 84 90H9Q3 90 3 84Z' }),
    ...[1, 2].map((n) => shape('path', { class: 'howto-cut', d: `M${n * CELL + GAP / 2} ${GAP}V${CELL * 3}M${GAP} ${n * CELL + GAP / 2}H${CELL * 3}` })),
    shape('circle', { class: 'howto-badge', cx: 46.5, cy: 46.5, r: 19 }), sign('shuffle')],
};

export function drawing(/** @type {string} */ name) {
  const svg = shape('svg', { class: 'howto-drawing', viewBox: `0 0 ${CELL * 3 + GAP} ${CELL * 3 + GAP}`, 'aria-hidden': 'true' });
  svg.append(...SCENES[name]());
  return svg;
}
