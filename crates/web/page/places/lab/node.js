// The current node, or the one that somebody chose: its board, its numbers, its successors, and what has happened to it.

import { button, el } from '../../js/dom.js';
import { onLanguage, t, whole } from '../../js/i18n.js';
import { CURRENT, DROPPED, FORGOTTEN, NOBODY, OPEN, UNSEEN } from '../../trace/cursor.js';
import { EXPANDED } from '../../trace/recording.js';
import { amount } from '../../trace/numbers.js';
import { measuresOf } from '../../trace/order.js';
import { productionsOf, statusText, sumText, voiced } from '../../trace/sentence.js';
import { miniBoard } from './boards.js';

const FATES = ['expanded', 'new', 'known', 'cheaper', 'reopened', 'cut', 'dead', 'dear', 'iteration'];
const STATES = /** @type {Record<string, string>} */ ({ [UNSEEN]: 'unseen', [OPEN]: 'open', [CURRENT]: 'current', [DROPPED]: 'dropped', [FORGOTTEN]: 'forgotten' });
/** A node's fate at an event, as its search would say it: some do not check whether it is new. @param {import('../../trace/recording.js').Recording} rec @param {number} at */
const fateOf = (rec, at) => t(voiced(rec, `lab.fate.${FATES[rec.what[at]]}`));
/** A node that was produced again and again has a long history: so much of it is listed, and of what is still to come. */
const [LATEST, NEXT] = [30, 6];

/**
 * @param {HTMLElement} root
 * @param {{ onSeek: (k: number) => void, onPick: (node: number) => void, onFold: (node: number) => void }} callbacks
 */
export function createNode(root, { onSeek, onPick, onFold }) {
  const head = el('h2');
  const body = el('div', { className: 'node-body', id: 'lab-node' });
  root.append(head, body);
  /** @type {any} */
  let lane = null;
  let picked = -1;

  /** Restores the focus, whose element is rebuilt with each step: a line by its event, others by their id. */
  const heldNow = () => (body.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null);
  function focusAgain(/** @type {HTMLElement | null} */ held) {
    if (!held) return;
    const { event } = held.dataset;
    /** @type {HTMLElement | null} */ (body.querySelector(event ? `[data-event="${event}"]` : `#${held.id || 'node-back'}`))?.focus({ preventScroll: true });
  }

  function draw() {
    const held = heldNow();
    const { rec, cursor } = lane ?? {};
    const n = picked >= 0 ? picked : cursor?.current ?? NOBODY;
    head.textContent = t(picked >= 0 ? 'lab.node.picked' : 'trace.current');
    // While a search is looked at, the card keeps its height: what is below it does not jump from step to step.
    body.classList.toggle('steady', Boolean(rec));
    if (n === NOBODY) {
      const board = rec?.nodes ? [el('div', { className: 'node-line' }, miniBoard(rec.state(0), rec.place.cols, { kind: 'large waiting' }))] : [];
      body.replaceChildren(...board, el('p', { className: 'muted' }, t(!rec ? 'lab.node.empty' : cursor.k ? 'lab.node.none' : 'lab.node.begin')));
      return;
    }
    const board = miniBoard(rec.state(n), rec.place.cols, { kind: 'large' });
    const seen = cursor.statuses[n] !== UNSEEN;
    body.replaceChildren(el('div', { className: 'node-line' }, board, el('dl', { className: 'node-figures' }, seen ? numbers(rec, cursor, n) : fact('trace.list.state', t('lab.node.unseen')))), successors(rec, cursor, n), ...(picked >= 0 ? [...history(rec, cursor, n), acts(rec, n)] : []));
    focusAgain(held);
  }

  const row = (/** @type {string} */ name, /** @type {string} */ text) => el('div', {}, el('dt', {}, name), el('dd', {}, text));
  const fact = (/** @type {string} */ key, /** @type {string} */ text) => row(t(key), text);

  function numbers(/** @type {import('../../trace/recording.js').Recording} */ rec, /** @type {import('../../trace/recording.js').Cursor} */ cursor, /** @type {number} */ n) {
    const [g, h] = [cursor.g(n), cursor.h(n)];
    const measures = measuresOf(rec);
    const values = { g, h, f: lane.rank(g, h) };
    return [row(measures.join(' · '), measures.map((name) => amount(values[name])).join(' · ')), fact('lab.node.number', whole(n)), fact('trace.list.state', statusText(STATES[cursor.statuses[n]] ?? 'closed', rec))];
  }

  /** The successors of the node, with their fates. @param {import('../../trace/recording.js').Recording} rec @param {import('../../trace/recording.js').Cursor} cursor @param {number} n */
  function successors(rec, cursor, n) {
    const i = expansionOf(rec, cursor, n);
    if (i < 0) return el('p', { className: 'muted small-text' }, t('lab.node.notYet'));
    const made = productionsOf(rec, i);
    const total = (/** @type {number} */ g, /** @type {number} */ h) => (measuresOf(rec).includes('f') ? el('b', {}, `= ${amount(lane.rank(g, h))}`) : null);
    return el('div', { className: 'successors', role: 'group', 'aria-label': t('lab.node.successors') }, made.map((at) => {
      const child = rec.node[at];
      const fate = FATES[rec.what[at]];
      return el('button', { type: 'button', className: `successor ${fate} ${at < cursor.k ? '' : 'coming'}`.trim(), onclick: () => onPick(child) }, miniBoard(rec.state(child), rec.place.cols, { kind: 'tiny' }),
        el('span', {}, sumText(rec, rec.paid[at], rec.left[at]).replace(/^f = /, '')), total(rec.paid[at], rec.left[at]), el('small', {}, at < cursor.k ? fateOf(rec, at) : t('lab.node.coming', { fate: fateOf(rec, at) })));
    }));
  }

  /** The node's past and future events; each line leads to its event. @param {import('../../trace/recording.js').Recording} rec @param {import('../../trace/recording.js').Cursor} cursor @param {number} n */
  function history(rec, cursor, n) {
    const events = [];
    for (let k = 0; k < rec.length; k += 1) if (rec.node[k] === n) events.push(k);
    const now = events.filter((k) => k < cursor.k).length;
    const line = (/** @type {number} */ k) => el('li', {}, el('button', { type: 'button', className: 'link', 'data-event': k, onclick: () => onSeek(k + 1) }, t('lab.node.event', { k: whole(k + 1), what: fateOf(rec, k), sum: sumText(rec, rec.paid[k], rec.left[k]) })));
    const more = (/** @type {string} */ key, /** @type {number} */ count) => count > 0 && el('li', { className: 'more' }, t(key, { n: whole(count) }));
    const part = (/** @type {string} */ key, /** @type {string} */ kind, /** @type {any[]} */ ...lines) => [el('h3', {}, t(key)), el('ul', { className: `history ${kind}` }, ...lines)];
    return [
      ...(now ? part('lab.node.history', 'past', more('lab.node.earlier', now - LATEST), events.slice(Math.max(0, now - LATEST), now).map(line)) : []),
      ...(now < events.length ? part('lab.node.future', 'coming', events.slice(now, now + NEXT).map(line), more('lab.node.later', events.length - now - NEXT)) : []),
    ];
  }

  const acts = (/** @type {import('../../trace/recording.js').Recording} */ rec, /** @type {number} */ n) => el('div', { className: 'row' }, button(t(lane.isFolded(n) ? 'lab.node.unfold' : 'lab.node.fold', { n: whole(rec.treeSize[n] - 1) }), () => { onFold(n); draw(); }, { id: 'node-fold', disabled: rec.treeSize[n] <= 1 }), button(t('lab.node.back'), () => onPick(-1), { id: 'node-back' }));

  function pick(/** @type {number} */ n) {
    picked = n;
    draw();
  }

  onLanguage(draw);
  return {
    /** Shows another search. @param {any} next */
    load: (next) => { lane = next; pick(-1); },
    pick,
    follow: draw,
    get picked() { return picked; },
  };
}

/** The event at which a node was last expanded, at or before where the cursor stands; -1 where it was not yet. @param {import('../../trace/recording.js').Recording} rec @param {import('../../trace/recording.js').Cursor} cursor @param {number} n */
function expansionOf(rec, cursor, n) {
  for (let k = cursor.k - 1; k >= 0; k -= 1) if (rec.what[k] === EXPANDED && rec.node[k] === n) return k;
  return -1;
}
