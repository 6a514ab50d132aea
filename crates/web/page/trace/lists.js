// The open and the closed list: sortable, and however long they are, only the rows in view exist.

import { el, setText } from '../js/dom.js';
import { onLanguage, t, whole } from '../js/i18n.js';
import { CLOSED, OPEN } from './cursor.js';
import { amount } from './numbers.js';
import { familyOf, grained, measuresOf, takenOrder } from './order.js';

/** The height of each further line of a row, as a share of the first one; the style sheet says how high that is. */
const LINE = 0.6;
const EXTRA = 4;
/** While a search plays, or where lists are so long that it takes its time, they are put in order no more often than this. */
const REST_MILLIS = 200;
const LONG_MILLIS = 8;

/**
 * @param {HTMLElement} root
 * @param {{ name: string, onPick: (node: number) => void }} options The ids begin with `name`.
 */
export function createLists(root, { name: own, onPick }) {
  /** @type {any} */
  let source = null;
  let which = 'open';
  /** @type {{ by: string, up: boolean, taken?: boolean }} By which column, or as the search takes states. */
  let sort = { by: 'f', up: true };
  let nodes = /** @type {any[]} */ ([]);
  /** The state that is chosen, and its row where the list has it, or -1. */
  let held = -1;
  let active = -1;
  let timer = 0;
  let took = 0;
  /** The height of a row, and its number of lines. */
  let [high, lines] = [28, 1];

  const tabs = el('div', { className: 'chips', role: 'group' });
  const head = el('div', { className: 'list-head' });
  const rail = el('div', { className: 'list-rail', role: 'presentation' });
  const box = el('div', { className: 'list-box', id: `${own}-box`, tabIndex: 0, role: 'listbox', onscroll: draw, onkeydown: keys }, rail);
  const none = el('p', { className: 'muted list-none' });
  root.append(tabs, head, box, none);

  const nameOf = (/** @type {any} */ by) => (by.length === 1 ? by : t(by === 'state' ? source?.stateWord ?? 'trace.list.state' : 'trace.list.side'));
  const f = (/** @type {number} */ n) => source.rank(source.cursor.g(n), source.cursor.h(n));
  const side = (/** @type {number} */ n) => source.rec.backward[n];

  /** The columns: only values that the search uses; with two ends, also the side. @param {import('./recording.js').Recording} rec */
  const columnsOf = (rec) => ['state', ...(rec.backward.includes(1) ? ['side'] : []), ...measuresOf(rec)];
  let columns = ['state'];

  /** The initial order: open by what is expanded next, closed by what was met last. */
  function usualSort() {
    if (which === 'closed') return { by: 'state', up: false };
    if (!source || familyOf(source.rec) === 'best') return { by: 'f', up: true, taken: true };
    return { greedy: { by: 'h', up: true, taken: true } }[familyOf(source.rec)] ?? { by: 'g', up: true, taken: true };
  }

  function order() {
    const { rec, cursor } = source;
    const taken = takenOrder(rec, cursor);
    if (sort.taken) return taken;
    const key = { state: (/** @type {number} */ n) => n, side, g: cursor.g, h: cursor.h, f }[sort.by];
    const sign = sort.up ? 1 : -1;
    return (/** @type {number} */ a, /** @type {number} */ b) => sign * (grained(key(a)) - grained(key(b))) || taken(a, b);
  }

  function gather() {
    timer = 0;
    if (!source) {
      nodes = [];
      draw();
      drawTabs();
      return;
    }
    const begun = performance.now();
    const { rec, cursor } = source;
    const wanted = which === 'open' ? OPEN : CLOSED;
    nodes = [];
    for (let n = 0; n < rec.nodes; n += 1) if (cursor.statuses[n] === wanted) nodes.push(n);
    nodes.sort(order());
    active = nodes.indexOf(held);
    draw();
    drawTabs();
    took = performance.now() - begun;
  }

  function draw() {
    rail.style.height = `${nodes.length * high}px`;
    none.hidden = nodes.length > 0;
    box.hidden = !nodes.length;
    const first = Math.max(0, Math.floor(box.scrollTop / high) - EXTRA);
    const last = Math.min(nodes.length, first + Math.ceil((box.clientHeight || 200) / high) + EXTRA * 2);
    const rows = [];
    for (let i = first; i < last; i += 1) rows.push(row(i));
    rail.replaceChildren(...rows);
    if (active >= first && active < last) box.setAttribute('aria-activedescendant', `${own}-row-${active}`);
    else box.removeAttribute('aria-activedescendant');
  }

  function row(/** @type {number} */ i) {
    const n = nodes[i];
    const { cursor, text } = source;
    const cell = /** @type {Record<string, () => any>} */ ({ state: () => text(n), side: () => t(`trace.list.${side(n) ? 'behind' : 'ahead'}`), g: () => amount(cursor.g(n)), h: () => amount(cursor.h(n)), f: () => amount(f(n)) });
    const node = el('div', { className: 'list-row', id: `${own}-row-${i}`, role: 'option', 'aria-selected': String(i === active), 'aria-setsize': nodes.length, 'aria-posinset': i + 1, onclick: () => pick(i) },
      columns.map((by) => el('span', { className: `list-${by} ${by === 'state' && lines > 1 ? 'lines' : ''}`.trim() }, cell[by]())));
    node.style.top = `${i * high}px`;
    node.style.height = `${high}px`;
    return node;
  }

  function pick(/** @type {number} */ i) {
    [active, held] = [i, nodes[i]];
    onPick(held);
    draw();
  }

  function keys(/** @type {any} */ event) {
    const page = Math.max(1, Math.floor(box.clientHeight / high) - 1);
    const to = /** @type {any} */ ({ ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: nodes.length - 1, PageDown: active + page, PageUp: active - page })[event.key];
    if (event.key === 'Enter' && active >= 0) pick(active);
    else if (to === undefined) return;
    else {
      active = Math.max(0, Math.min(nodes.length - 1, to));
      held = nodes[active];
      reveal();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** Brings the row of what is chosen into view. */
  function reveal() {
    if (active >= 0 && active * high < box.scrollTop) box.scrollTop = active * high;
    if (active >= 0 && (active + 1) * high > box.scrollTop + box.clientHeight) box.scrollTop = (active + 1) * high - box.clientHeight;
    draw();
  }

  function drawTabs() {
    const counts = source ? { open: source.cursor.open, closed: source.cursor.closed } : { open: 0, closed: 0 };
    if (!tabs.childElementCount) {
      tabs.append(...['open', 'closed'].map((name) => el('button', { type: 'button', className: 'chip', id: `${own}-${name}`, 'data-list': name, onclick: () => { which = name; sort = usualSort(); box.scrollTop = 0; drawHead(); gather(); reveal(); } })));
    }
    for (const node of /** @type {Iterable<HTMLElement>} */ (tabs.children)) {
      const name = /** @type {string} */ (node.dataset.list);
      node.setAttribute('aria-pressed', String(name === which));
      setText(node, t(`trace.list.${name}`, { n: whole(/** @type {any} */ (counts)[name]) }));
    }
    tabs.setAttribute('aria-label', t('trace.lists'));
    box.setAttribute('aria-label', t(`trace.list.${which}`, { n: whole(nodes.length) }));
    setText(none, t(`trace.list.none.${which}`));
  }

  function drawHead() {
    root.style.setProperty('--columns', columns.map((by) => ({ state: 'minmax(0, 1fr)', side: '4.6em' })[by] ?? 'var(--figure, 3.5em)').join(' '));
    head.hidden = !source;
    head.replaceChildren(...columns.map((by) => el('button', { type: 'button', className: 'sort', 'aria-pressed': String(sort.by === by), title: t('trace.list.sort', { by: nameOf(by) }), onclick: () => {
      sort = { by, up: sort.by === by ? !sort.up : true };
      drawHead();
      gather();
    } }, nameOf(by), sort.by === by ? (sort.up ? ' ↑' : ' ↓') : '')));
  }

  /** Reads the height of rows from the style sheet: a presentation has higher ones. */
  function measure() {
    high = Math.round((parseFloat(getComputedStyle(rail).lineHeight) || 28) * (1 + LINE * (lines - 1)));
  }

  onLanguage(() => { drawTabs(); drawHead(); if (source) draw(); });
  new ResizeObserver(() => { measure(); draw(); }).observe(box);

  return {
    /** Shows another search. `rank` is what it goes by, `text` what a node is called, `stateWord` the key of that column's name. @param {any} next */
    load(next) {
      source = next;
      columns = source ? columnsOf(source.rec) : ['state'];
      lines = source?.textLines() ?? 1;
      measure();
      held = -1;
      box.scrollTop = 0;
      clearTimeout(timer);
      sort = usualSort();
      drawHead();
      gather();
    },
    /** A state was chosen elsewhere, or none (-1): its row is marked, where the list has it. @param {number} n */
    mark(n) {
      held = n;
      active = nodes.indexOf(n);
      reveal();
    },
    /** The cursor has moved; `soon` where it will move again at once. @param {any} soon */
    follow(soon) {
      if (!soon && took < LONG_MILLIS) {
        clearTimeout(timer);
        timer = 0;
        gather();
      } else if (!timer) timer = window.setTimeout(gather, REST_MILLIS);
    },
  };
}
