// The table of a race: a row a contestant, with a bar on a logarithmic scale, while it runs and when it has ended.

import { el, setText } from '../../js/dom.js';
import { duration, knows, t, whole } from '../../js/i18n.js';
import { contestantText } from './contestants.js';
import { bytes, count } from '../../trace/numbers.js';
import { markOf } from './legend.js';

/** What a bar can show: where it stands in a row, and in what the least and the greatest of an average are found. @type {Record<string, any>} */
export const MEASURES = {
  expanded: { of: (/** @type {any} */ row) => row.expanded, spread: 'expanded' },
  generated: { of: (/** @type {any} */ row) => row.generated, spread: 'generated' },
  peak: { of: (/** @type {any} */ row) => row.peak_states },
  memory: { of: (/** @type {any} */ row) => row.memory },
  time: { of: (/** @type {any} */ row) => (row.seconds ?? 0) * 1e6, spread: 'seconds', scale: 1e6 },
};

const COLUMNS = ['expanded', 'blog', 'generated', 'peak', 'memory', 'bound', 'moves', 'optimal', 'time'];
/** The length of a bar, from 0 to 1, on a logarithmic scale that ends at `most`. */
const logShare = (/** @type {number} */ value, /** @type {number} */ most) => (value > 0 && most > 0 ? Math.log10(value + 1) / Math.log10(most + 1) : 0);
/** Whether a row has a solution; one that runs on has its length when it is done. */
export const hasSolved = (/** @type {any} */ { status, length }) => status === 'solved' || (status === 'done' && length !== undefined);

/** The proved lower bound of all solutions, if known; an average has none. */
export const boundOf = (/** @type {any} */ { bound, lower_bound: lower, optimal, length, boards }) => bound ?? lower ?? (optimal && boards === undefined ? length : null);

/** The columns that have something to say: an average has no bound, and only some were reported elsewhere. */
const columnsOf = (/** @type {any} */ { averages, reported }) => COLUMNS.filter((name) => (name !== 'bound' || !averages) && (name !== 'blog' || reported.some((/** @type {number} */ value) => value !== undefined)));

/**
 * Builds the table for some contestants. `onStep` is told whose search somebody wants to see step by step; `reported` has
 * what others have measured of each; `room` remembers how wide it was when it was too narrow for a table, for as long as a race goes on.
 * @param {import('./setup.js').Contestant[]} contestants
 * @param {{ averages: boolean, reported: (number | undefined)[], room: { tight: number }, onStep: (index: number) => void }} options
 */
export function createTable(contestants, options) {
  const columns = columnsOf(options);
  const rows = contestants.map((one, index) => rowOf(one, index, columns, options));
  const head = el('tr', { role: 'row' }, el('th', { scope: 'col', role: 'columnheader' }, t('lab.col.who')), columns.map((name) => el('th', { scope: 'col', role: 'columnheader', className: name, title: t(`lab.col.${name}.text`) }, t(`lab.col.${name}`))));
  // The roles say what the style sheet takes away where rows are cards.
  const root = el('div', { className: `table-scroll race-table ${options.averages ? 'averages' : ''}`.trim(), tabIndex: 0, role: 'region', 'aria-label': t('lab.race') }, el('table', { role: 'table' }, el('thead', { role: 'rowgroup' }, head), el('tbody', { role: 'rowgroup' }, rows.map(({ node }) => node))));

  /** Shows what is known of each, as far as it has come; the bars show `measure`. @param {any[]} list */
  function show(list, measure = 'expanded') {
    const { of, spread, scale = 1 } = MEASURES[measure];
    const widest = (/** @type {any} */ one) => (spread && one?.spread?.[spread] ? one.spread[spread].max * scale : (one && of(one)) ?? 0);
    const most = Math.max(1, ...list.map(widest));
    // Only who has solved it has a place: giving up early is no feat.
    const ended = list.filter((one) => one && hasSolved(one)).map(({ expanded }) => expanded).sort((/** @type {number} */ a, /** @type {number} */ b) => a - b);
    // Means are those of the same boards where all of them were solved.
    const isWhole = (/** @type {any} */ one) => (options.averages ? one.status === 'solved' : hasSolved(one));
    const shortest = list.find((one) => one?.optimal && isWhole(one))?.length ?? null;
    list.forEach((one, index) => { if (one) rows[index].show(one, { most, measure, shortest: isWhole(one) ? shortest : null, place: hasSolved(one) ? ended.indexOf(one.expanded) + 1 : 0 }); });
    settle();
  }

  /** Where there is no room for a table, each row is a card: nothing is cut off. What was once too narrow stays so, for figures come and go. */
  function settle() {
    const { room } = options;
    if (root.clientWidth > room.tight) {
      root.classList.remove('cards');
      if (root.scrollWidth > root.clientWidth) room.tight = root.clientWidth;
    }
    root.classList.toggle('cards', root.clientWidth <= room.tight);
  }
  new ResizeObserver(settle).observe(root);
  return { root, show, settle };
}

/** The meanings of the columns and their marks. @param {any} options */
export const meaningsOf = (options) => el('details', { className: 'meanings', id: 'race-meanings' }, el('summary', {}, t('lab.meanings')),
  el('dl', {}, [...columnsOf(options).map((name) => [t(`lab.col.${name}`), t(`lab.col.${name}.text`)]), ...(options.averages ? [[t('lab.spread.sign'), t('lab.spread.text')], ['±', t('lab.deviation.text')]] : [])].flatMap(([sign, text]) => [el('dt', {}, sign), el('dd', {}, text)])));

function rowOf(/** @type {any} */ one, /** @type {number} */ index, /** @type {any[]} */ columns, /** @type {any} */ { averages, reported, onStep }) {
  const cells = Object.fromEntries(columns.map((name) => [name, el('td', { className: name, role: 'cell', 'data-label': t(`lab.col.${name}`) })]));
  const bar = el('span', { className: `bar-fill c${one.mark} p${one.mark}` });
  const spread = el('span', { className: 'bar-spread', hidden: true });
  const state = el('span', { className: 'state' });
  const name = el('button', { type: 'button', className: 'who', title: t('lab.race.step'), onclick: () => onStep(index), disabled: one.algorithm === 'auto' }, markOf(one), el('span', {}, contestantText(one)));
  const node = el('tr', { 'data-contestant': index, role: 'row' }, el('th', { scope: 'row', role: 'rowheader' }, el('div', { className: 'who-line' }, name, state), el('div', { className: 'bar-track', 'aria-hidden': 'true' }, bar, spread)), columns.map((column) => cells[column]));

  function show(/** @type {any} */ now, /** @type {{ most: number, measure: any, shortest: any, place: number }} */ { most, measure, shortest, place }) {
    const { of, spread: field, scale = 1 } = MEASURES[measure];
    node.dataset.status = now.status;
    const solved = hasSolved(now);
    bar.style.width = `${100 * logShare(of(now), most)}%`;
    showSpread(spread, field && now.spread?.[field], most, scale);
    setText(state, stateText(now, averages, place));
    // A length and whether it is a shortest say so, and names have the room; who listens hears it with the name.
    state.classList.toggle('unseen', !averages && now.status === 'solved');
    const texts = /** @type {Record<string, any>} */ ({
      expanded: count(now.expanded), blog: reported[index] === undefined ? '–' : t('lab.about', { n: count(reported[index]) }), generated: count(now.generated), peak: count(now.peak_states || null), memory: bytes(now.memory), bound: count(boundOf(now)),
      moves: count(now.length ?? null), optimal: solved ? optimalText(now, shortest) : '–', time: duration(now.seconds),
    });
    for (const column of columns) setText(cells[column], texts[column]);
    cells.optimal.className = `optimal ${solved ? (now.optimal ? 'yes' : 'no') : ''}`.trim();
    addSpread(cells.expanded, now.spread?.expanded, count);
    addSpread(cells.moves, now.spread?.length, count);
    addSpread(cells.time, now.spread?.seconds, duration);
  }
  return { node, show };
}

/** Whether a solution is a shortest one: proved by its own search, or known from another's; else by how much it is longer. */
function optimalText(/** @type {{ optimal: any, length: number }} */ { optimal, length }, /** @type {number | null} */ shortest) {
  if (optimal) return t('lab.optimal');
  if (shortest === null) return t('lab.notProved');
  return length > shortest ? t('lab.longer', { more: count(length - shortest), share: whole((100 * (length - shortest)) / shortest) }) : t('lab.asShort');
}

function showSpread(/** @type {any} */ node, /** @type {{ min: any, max: any }} */ spread, /** @type {number} */ most, /** @type {number} */ scale) {
  node.hidden = !spread;
  if (!spread) return;
  const at = (/** @type {number} */ value) => 100 * logShare(value * scale, most);
  node.style.left = `${at(spread.min)}%`;
  node.style.width = `${at(spread.max) - at(spread.min)}%`;
}

function addSpread(/** @type {any} */ cell, /** @type {any} */ spread, /** @type {any} */ form) {
  if (!spread) return;
  cell.append(el('small', { title: t('lab.spread.text') }, t('lab.spread', { min: form(spread.min), max: form(spread.max) })), el('small', { title: t('lab.deviation.text') }, ` ± ${form(spread.deviation)}`));
}

/** What a contestant does now, or how it ended; while others still run, also as which of those that have ended. @param {{ boards: undefined, solved: undefined, status: string, reason: any }} now @param {any} averages @param {number} place */
function stateText(now, averages, place) {
  if (averages && now.boards !== undefined) return now.solved === undefined ? t('lab.boards', { n: now.boards }) : t('lab.boards.solved', { n: now.solved, of: now.boards });
  if (now.status === 'limit') return knows(`limit.${now.reason}`) ? t('lab.state.limitOf', { limit: t(`limit.${now.reason}`) }) : t('lab.state.limit');
  if (now.status === 'done' && !place) return t('lab.state.none');
  if (now.status === 'done') return t('lab.state.place', { n: place });
  return t(`lab.state.${knows(`lab.state.${now.status}`) ? now.status : 'waiting'}`);
}
