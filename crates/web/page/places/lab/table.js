// The table of a race: a row a contestant, with a bar on a logarithmic scale, while it runs and when it has ended.

import { el, setText } from '../../js/dom.js';
import { knows, t } from '../../js/i18n.js';
import { contestantText } from './contestants.js';
import { bytes, count, duration, logShare } from './figures.js';
import { mark, markOf } from './marks.js';

const COLUMNS = ['expanded', 'generated', 'peak', 'memory', 'bound', 'moves', 'optimal', 'time'];

/**
 * Builds the table for some contestants. `onStep` is told whose search somebody wants to see step by step.
 * @param {import('./setup.js').Contestant[]} contestants
 * @param {{ averages: boolean, onStep: (index: number) => void }} options
 */
export function createTable(contestants, { averages, onStep }) {
  const rows = contestants.map((one, index) => rowOf(one, index, averages, onStep));
  const head = el('tr', {}, el('th', { scope: 'col' }, t('lab.col.who')), COLUMNS.map((name) => el('th', { scope: 'col', className: name }, t(`lab.col.${name}`))));
  const root = el('div', { className: 'table-scroll race-table', tabIndex: 0, role: 'region', 'aria-label': t('lab.race') }, el('table', {}, el('thead', {}, head), el('tbody', {}, rows.map(({ node }) => node))));

  /** Shows what is known of each, as far as it has come. */
  function show(list) {
    const most = Math.max(1, ...list.map((one) => one?.spread?.expanded?.max ?? one?.expanded ?? 0));
    list.forEach((one, index) => { if (one) rows[index].show(one, most); });
  }
  return { root, show };
}

function rowOf(one, index, averages, onStep) {
  const cells = Object.fromEntries(COLUMNS.map((name) => [name, el('td', { className: name })]));
  const bar = el('span', { className: `bar-fill c${markOf(index)} p${markOf(index)}` });
  const spread = el('span', { className: 'bar-spread', hidden: true });
  const state = el('span', { className: 'state' });
  const name = el('button', { type: 'button', className: 'who', title: t('lab.race.step'), onclick: () => onStep(index), disabled: one.algorithm === 'auto' }, mark(index), el('span', {}, contestantText(one)));
  const node = el('tr', { 'data-contestant': index }, el('th', { scope: 'row' }, el('div', { className: 'who-line' }, name, state), el('div', { className: 'bar-track', 'aria-hidden': 'true' }, bar, spread)), COLUMNS.map((column) => cells[column]));

  function show(now, most) {
    node.dataset.status = now.status;
    bar.style.width = `${100 * logShare(now.expanded, most)}%`;
    showSpread(spread, now.spread?.expanded, most);
    setText(state, stateText(now, averages));
    const moves = now.length ?? null;
    const texts = {
      expanded: count(now.expanded), generated: count(now.generated), peak: count(now.peak_states || null), memory: bytes(now.bytes ?? now.memory), bound: count(now.bound ?? now.lower_bound),
      moves: count(moves), optimal: now.status === 'solved' ? t(now.optimal ? 'lab.optimal' : 'lab.notProved') : '–', time: duration(now.seconds),
    };
    for (const column of COLUMNS) setText(cells[column], texts[column]);
    cells.optimal.className = `optimal ${now.status === 'solved' ? (now.optimal ? 'yes' : 'no') : ''}`.trim();
    addSpread(cells.expanded, now.spread?.expanded, count);
    addSpread(cells.moves, now.spread?.length, count);
    addSpread(cells.time, now.spread?.seconds, duration);
  }
  return { node, show };
}

function showSpread(node, spread, most) {
  node.hidden = !spread;
  if (!spread) return;
  node.style.left = `${100 * logShare(spread.min, most)}%`;
  node.style.width = `${100 * (logShare(spread.max, most) - logShare(spread.min, most))}%`;
}

function addSpread(cell, spread, form) {
  if (!spread) return;
  const deviation = spread.deviation ?? spread.standard_deviation ?? spread.sd;
  cell.append(el('small', {}, t('lab.spread', { min: form(spread.min), max: form(spread.max) })), deviation === undefined ? '' : el('small', {}, ` ± ${form(deviation)}`));
}

/** What a contestant does now, or how it ended. */
function stateText(now, averages) {
  if (averages && now.boards !== undefined) return now.solved === undefined ? t('lab.boards', { n: now.boards }) : t('lab.boards.solved', { n: now.solved, of: now.boards });
  if (now.status === 'limit') return knows(`limit.${now.reason}`) ? t(`limit.${now.reason}`) : t('lab.state.limit');
  return t(`lab.state.${knows(`lab.state.${now.status}`) ? now.status : 'waiting'}`);
}
