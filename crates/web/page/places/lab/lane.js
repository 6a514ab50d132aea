// One recorded search in the middle of the page: its tree, and the sentence of where it stands.

import { el, setText } from '../../js/dom.js';
import { onLanguage, t, whole } from '../../js/i18n.js';
import { createCursor } from '../../trace/recording.js';
import { boardText, sentence } from '../../trace/sentence.js';
import { contestantText } from './contestants.js';
import { mark } from './marks.js';
import { createTree } from './tree.js';

/**
 * @param {HTMLElement} root
 * @param {{ name: string, onPick: (lane: any, node: number) => void }} options
 */
export function createLane(root, { name, onPick }) {
  const head = el('div', { className: 'lane-head' });
  const text = el('p', { className: 'sentence', id: `${name}-sentence` });
  const node = el('section', { className: 'lane', hidden: true }, head, text);
  root.append(node);
  const tree = createTree(node, { name, onPick: (n) => onPick(lane, n) });
  const counts = el('span', { className: 'lane-counts', id: `${name}-counts` });
  let contestant = null;
  let index = 0;

  const lane = {
    node, tree, name,
    /** The recording; null where none is loaded, and then nothing is shown. @type {import('../../trace/recording.js').Recording} */
    rec: /** @type {any} */ (null),
    /** @type {ReturnType<typeof createCursor>} */
    cursor: /** @type {any} */ (null),
    /** By what a search goes: f, or what stands for it. @type {(g: number, h: number) => number} */
    rank: (g, h) => g + h,
    /** What a node is called in a list. */
    text: (n) => shortText(lane.rec, n),
    isFolded: (n) => tree.isFolded(n),
    load(rec, who, at) {
      [contestant, index] = [who, at];
      lane.rec = rec;
      lane.cursor = rec && createCursor(rec);
      lane.rank = rankOf(rec);
      node.hidden = !rec;
      title();
      tree.load(rec, lane.cursor);
      if (rec) lane.show(0);
    },
    /** Goes to a position and shows it. */
    show(k) {
      lane.cursor.seek(k);
      tree.follow();
      setText(text, lane.sentence());
      figures();
    },
    sentence: () => sentence(lane.rec, lane.cursor.k),
  };

  function figures() {
    const { cursor, rec } = lane;
    const bound = cursor.bound;
    setText(counts, t('lab.lane.counts', { expanded: whole(cursor.expanded), of: whole(rec.counts.expanded), nodes: whole(rec.nodes) }) + (rec.depthFirst && bound !== null ? ` · ${t('lab.lane.bound', { n: whole(bound) })}` : ''));
  }

  function title() {
    if (!contestant) return;
    head.replaceChildren(mark(index), el('b', {}, t('lab.lane', { name: contestantText(contestant) })), counts);
  }

  onLanguage(() => {
    title();
    if (!lane.rec) return;
    figures();
    setText(text, lane.sentence());
  });
  return lane;
}

/** What a search goes by. */
function rankOf(rec) {
  switch (rec?.answer.algorithm) {
    case 'greedy': return (_, h) => h;
    case 'wastar': return (g, h) => g + (rec.answer.weight ?? 1) * h;
    default: return (g, h) => g + h;
  }
}

/** A board in a few letters: digits where each tile is one. */
function shortText(rec, n) {
  const tiles = Array.from(rec.state(n));
  return tiles.length <= 10 ? tiles.join('') : boardText(tiles, rec.place.cols);
}
