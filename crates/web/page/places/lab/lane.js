// One recorded search in the middle of the page: its tree, and the sentence of where it stands.

import { el, icon, setText } from '../../js/dom.js';
import { onLanguage, t, whole } from '../../js/i18n.js';
import { NOBODY, createCursor } from '../../trace/recording.js';
import { rankOf } from '../../trace/order.js';
import { boardText, sentence } from '../../trace/sentence.js';
import { miniBoard } from './boards.js';
import { contestantText } from './contestants.js';
import { markOf } from './legend.js';
import { createTree } from './tree.js';

/** The most cells of a board whose tiles are digits. */
const MOST_DIGITS = 10;

/**
 * @param {HTMLElement} root
 * @param {{ name: string, onPick: (lane: any, node: number) => void, onOpen: (lane: any) => void, picked: () => number }} options
 *   `onPick` is told which node is chosen (or -1 for none), `onOpen` is told that somebody wants to know more about the node, `picked` which one is chosen (or -1).
 */
export function createLane(root, { name, onPick, onOpen, picked }) {
  const head = el('div', { className: 'lane-head' });
  const text = el('p', { className: 'sentence', id: `${name}-sentence` });
  // The current board (or chosen) beside its sentence, where the card that has it is not in sight.
  const hand = el('button', { type: 'button', className: 'hand', id: `${name}-hand`, onclick: () => onOpen(lane) });
  const said = el('div', { className: 'said-line' }, hand, text);
  const node = el('section', { className: 'lane', hidden: true }, head, said);
  root.append(node);
  const tree = createTree(node, { name, onPick: (n) => onPick(lane, n) });
  // While a node is chosen, the current board is not the one of the sentence: that is said, and leads back.
  const chosen = el('button', { type: 'button', className: 'button chosen-node', id: `${name}-chosen`, hidden: true, onclick: () => onPick(lane, -1) });
  tree.box.append(chosen);
  // Has the room of the widest that it will say: the heading beside it stays as it is, and the tree below.
  const counted = el('span');
  const counts = el('span', { className: 'lane-counts', id: `${name}-counts` }, counted);
  let contestant = /** @type {any} */ (null);

  const lane = {
    node, tree, name, said,
    /** The recording; null where none is loaded, and then nothing is shown. @type {import('../../trace/recording.js').Recording} */
    rec: /** @type {any} */ (null),
    /** @type {ReturnType<typeof createCursor>} */
    cursor: /** @type {any} */ (null),
    /** By what a search goes: f, or what stands for it. @type {(g: number, h: number) => number} */
    rank: (g, h) => g + h,
    /** A node's label in a list, and its number of lines. @param {number} n */
    text: (n) => shortText(lane.rec, n),
    textLines: () => (lane.rec.width <= MOST_DIGITS ? 1 : lane.rec.place.rows),
    isFolded: (/** @type {number} */ n) => tree.isFolded(n),
    asked: /** @type {any} */ (null),
    /** Shows a recorded search, or none. @param {import('./engine.js').Found | null} found */
    load(found) {
      const { rec, asked, who } = found ?? /** @type {any} */ ({ rec: null, asked: null, who: null });
      contestant = who;
      Object.assign(lane, { rec, asked });
      lane.cursor = rec && createCursor(rec);
      lane.rank = rankOf(rec);
      node.hidden = !rec;
      title();
      tree.load(rec, lane.cursor);
      if (rec) lane.show(0);
    },
    /** Goes to a position and shows it. @param {number} k */
    show(k) {
      lane.cursor.seek(k);
      tree.follow();
      setText(text, lane.sentence());
      figures();
      board();
    },
    board,
    sentence: () => sentence(lane.rec, lane.cursor.k),
    /** The search's name and progress, as written above it. */
    title: () => contestantText(contestant),
    figures: () => counted.textContent,
  };

  function board() {
    const { rec, cursor } = lane;
    if (!rec) return;
    const n = picked() >= 0 ? picked() : cursor.current;
    chosen.hidden = picked() < 0;
    hand.classList.toggle('chosen', !chosen.hidden);
    chosen.replaceChildren(icon('close'), el('span', {}, t('lab.node.picked')));
    chosen.title = t('lab.node.back');
    const shown = n === NOBODY || n >= rec.nodes ? miniBoard(rec.state(0), rec.place.cols, { kind: 'tiny waiting' }) : miniBoard(rec.state(n), rec.place.cols, { kind: 'tiny' });
    hand.replaceChildren(el('span', { className: 'unseen' }, t('lab.lane.hand')), shown);
  }

  function figures() {
    const { cursor, rec } = lane;
    const words = (/** @type {number} */ expanded, /** @type {any} */ bound, /** @type {number} */ nodes) => t('lab.lane.counts', { expanded: whole(expanded), of: whole(rec.counts.expanded), nodes: whole(nodes) }) + (rec.depthFirst && bound !== null ? ` · ${t('lab.lane.bound', { n: whole(bound) })}` : '');
    setText(counted, words(cursor.expanded, cursor.bound, cursor.met));
    counts.dataset.widest = words(rec.counts.expanded, rec.boundAt(rec.length), rec.nodes);
  }

  function title() {
    if (!contestant) return;
    head.replaceChildren(markOf(contestant), el('b', {}, el('span', { className: 'lane-what' }, `${t('lab.tree')} · `), contestantText(contestant)), counts);
  }

  onLanguage(() => {
    title();
    if (!lane.rec) return;
    figures();
    board();
    setText(text, lane.sentence());
  });
  return lane;
}

/** A board in a list: digits in groups where each tile is one, else row under row. Rows are all there, for boards often differ in the last. @param {import('../../trace/recording.js').Recording} rec @param {number} n */
function shortText(rec, n) {
  const tiles = Array.from(rec.state(n));
  const { cols } = rec.place;
  if (tiles.length <= MOST_DIGITS) return boardText(tiles, cols).replaceAll(' / ', '|').replaceAll(' ', '').replaceAll('|', ' ');
  const width = String(tiles.length - 1).length;
  return boardText(tiles, cols).split(' / ').map((row) => row.split(' ').map((tile) => tile.padStart(width, '\u2007')).join(' ')).join('\n');
}
