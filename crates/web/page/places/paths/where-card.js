// Where the search stands that is looked at: the step in one sentence, its counts, the current node, what the shapes
// mean, and the algorithm with the line that runs.

import { el, setText } from '../../js/dom.js';
import { pathOf } from '../../js/host.js';
import { knows, language, onLanguage, t, whole } from '../../js/i18n.js';
import { announce } from '../../js/sheets.js';
import { createLists } from '../../trace/lists.js';
import { createCode } from '../../trace/code.js';
import { NOBODY } from '../../trace/cursor.js';
import { amount } from '../../trace/numbers.js';
import { rankOf } from '../../trace/order.js';
import { sentence, statusText, sumText } from '../../trace/sentence.js';
import { activeEntry, onActive, onField, overlaid, point } from './panes.js';
import { hasArrived, nameOf } from './figures.js';
import * as runner from './runner.js';
import { state } from './state.js';

const LEGEND = ['open', 'closed', 'current', 'dropped', 'forgotten', 'jump', 'behind', 'path', 'start', 'goal', 'far', 'flow'];

export function whereCard() {
  const head = el('h2');
  const said = el('p', { className: 'said', id: 'paths-said' });
  // In a presentation the name, with its mark, says which of several maps the sentence is about.
  const told = el('div', { className: 'told' }, el('span', { className: 'run-mark', 'aria-hidden': 'true' }), head, said);
  const cutOff = el('p', { className: 'said', id: 'paths-cut-off' });
  // Where there is no room beside the map, it stands with the player, and the line that runs.
  const lowText = el('p', { id: 'paths-said-low' });
  const lowLine = el('code', { id: 'paths-line-low' });
  const low = el('div', { className: 'said-low' }, lowText, lowLine);
  const counts = el('dl', { className: 'counts' });
  const legend = el('ul', { className: 'legend' });
  const waiting = el('div', { className: 'paths-lists', hidden: true });
  const text = el('div', { className: 'paths-code' });
  const code = createCode(text, 'paths-code');
  const shapes = el('div', {}, el('h2', { className: 'later', 'data-t': 'trace.legend' }), legend);
  const card = el('section', { className: 'card paths-where', id: 'paths-where' }, told, cutOff, counts, waiting, text, shapes, el('p', { className: 'later' }, el('a', { href: pathOf('guide'), 'data-place': 'guide', id: 'paths-guide', 'data-t': 'paths.guide' })));
  const lists = createLists(waiting, { name: 'paths-list', onPick: (n) => { if (listed) point(listed.rec.states[n]); } });
  /** The search whose states are listed. @type {import('./runner.js').Entry['search']} */
  let listed = null;

  /** Lists what is open in the order in which it is taken, and what is closed. @param {any} shown @param {boolean} playing */
  function list(shown, playing) {
    // A search that dives keeps no lists.
    const search = shown?.rec.depthFirst ? null : shown;
    waiting.hidden = !search;
    if (search === listed) {
      if (search) lists.follow(playing);
      return;
    }
    listed = search;
    const { cols, names } = state.map;
    const name = (/** @type {number} */ place) => (names ? names[place] : `${Math.floor(place / cols) + 1}, ${(place % cols) + 1}`);
    lists.load(search && { ...search, rank: rankOf(search.rec), stateWord: names ? 'paths.list.node' : 'paths.list.state', text: (/** @type {number} */ n) => name(search.rec.states[n]), textLines: () => 1 });
  }

  /** Says where the search is; with `aloud`, also to a screen reader. While it is `playing`, lists come a little later. */
  function show({ aloud = false, playing = false } = {}) {
    const entry = activeEntry();
    list(entry?.search ?? null, playing);
    setText(head, entry ? nameOf(entry.run) : t('paths.where'));
    code.load(entry?.answer?.algorithm ?? entry?.run.algorithm ?? '', state.map.kind === 'cells' && state.diagonal === 'never' ? 'four' : state.map.kind);
    cutOff.hidden = entry?.answer?.status !== 'unreachable' || !hasArrived(entry);
    setText(cutOff, cutOff.hidden ? '' : t(`paths.cutOff.${state.map.kind !== 'graph' ? 'map' : state.map.directed ? 'directed' : 'graph'}`));
    if (!entry?.search) {
      setText(said, t('paths.where.none'));
      setText(lowText, '');
      setText(lowLine, '');
      counts.replaceChildren();
      return;
    }
    const { rec, cursor } = entry.search;
    const step = sentence(rec, cursor.k);
    setText(said, step);
    setText(lowText, step);
    if (aloud) announce(step);
    setText(lowLine, code.follow(rec, cursor.k));
    const pairs = [['paths.expanded', whole(cursor.expanded)], ['paths.generated', whole(cursor.generated)]];
    if (cursor.current !== NOBODY) pairs.push(['trace.current', sumText(rec, cursor.g(cursor.current), cursor.h(cursor.current))]);
    counts.replaceChildren(...pairs.map(([key, value]) => el('div', { className: key === 'trace.current' ? 'wide' : '' }, el('dt', {}, t(key)), el('dd', {}, value))));
  }

  let explained = '';
  function explain() {
    const field = overlaid();
    const runs = (/** @type {string[]} */ ...names) => state.runs.some(({ algorithm }) => names.includes(algorithm));
    const wanted = /** @type {Record<string, boolean>} */ ({
      dropped: runs('ida'), forgotten: runs('ida'), jump: runs('jps', 'auto'), behind: runs('bidirectional'),
      far: Boolean(field?.distances), flow: Boolean(field?.arrows),
    });
    const names = LEGEND.filter((name) => wanted[name] ?? true);
    const most = field?.distances ? amount(field.most) : '';
    // The legend is the same from answer to answer: it is written when it is another.
    const { mark } = activeEntry()?.run ?? {};
    told.className = `told run-${mark}`;
    // A search that dives has no open and no closed list: what those shapes mean is said for the one that is looked at.
    const isDeep = activeEntry()?.run.algorithm === 'ida';
    const word = (/** @type {string} */ name) => (knows(`paths.legend.${name}`) ? t(`paths.legend.${name}`, { most }) : statusText(name, { depthFirst: isDeep, forgets: isDeep }));
    const key = `${language()} ${state.map.kind} ${names} ${most} ${mark} ${isDeep}`;
    if (key === explained) return;
    explained = key;
    legend.className = `legend run-${mark}${state.map.kind === 'graph' ? ' round' : ''}`;
    legend.replaceChildren(...names.map((name) => el('li', { className: name === 'far' ? 'wide' : '' }, el('span', { className: `sign sign-${name}`, 'aria-hidden': 'true' }), word(name))));
  }
  runner.on('answers', () => { explain(); show(); });
  onActive(() => { explain(); show(); });
  onField(explain);
  onLanguage(() => { explain(); show(); });
  return { card, low, show, told, counts, text, waiting, shapes };
}
