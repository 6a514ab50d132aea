// Queries of MovingAI scenario files (.scen) about the map on the page, beside their published optimum: one is chosen and
// becomes start and goal, or all are run.

import { Gone, Refused } from '../../js/errors.js';
import { button, el, setDisabled, setText } from '../../js/dom.js';
import { t, whole } from '../../js/i18n.js';
import { isCancelled, port } from '../../js/port.js';
import { announce, sheet } from '../../js/sheets.js';
import { amount } from '../../trace/numbers.js';
import { cellText } from '../../trace/sentence.js';
import { question, spotOf } from './ask.js';
import { readScenario } from './formats.js';
import { MapError, copyOf, isBlocked, isSameGround } from './map.js';
import { replaceMap, state, tellQueries } from './state.js';

const DIAGONAL = 'no-corners';

/** @typedef {import('./formats.js').Scenario & { found?: number | null }} Query `found` is what the engine says: null where there is no path. */

/** The queries that were opened last, and the map that they and their answers are about. @type {Query[]} */
let queries = [];
/** @type {any} */
let about = null;

/** Opens the queries of a scenario file about the map on the page; throws a MapError where they are about another. @param {string} text */
export function takeScenario(text) {
  const list = readScenario(text);
  const { map } = state;
  const other = list.find(({ rows, cols }) => map.kind !== 'cells' || rows !== map.rows || cols !== map.cols);
  if (other) throw new MapError('paths.bad.otherMap', { rows: other.rows, cols: other.cols });
  const walled = list.find(({ from, to }) => isBlocked(map.cells[from]) || isBlocked(map.cells[to]));
  if (walled) throw new MapError('paths.bad.walled', { place: cellText(isBlocked(map.cells[walled.from]) ? walled.from : walled.to, map.cols) });
  [queries, about] = [list, copyOf(map)];
  tellQueries();
}

/** Whether there are queries about the map on the page; one that is painted over is another map. */
export const hasQueries = () => about !== null && isSameGround(about, state.map);

/** Whether a length agrees with the published one, which is rounded; the command line says the same. @param {Query} query */
const agrees = ({ length, found }) => found !== null && found !== undefined && Math.abs(found - length) <= Math.max(0.0001, 0.00001 * length);

export function openQueries() {
  const { cols } = state.map;
  /** @type {import('../../js/port.js').Handle | null} */
  let handle = null;
  let isOver = false;
  const cells = queries.map(() => el('td'));
  const verdict = el('p', { id: 'paths-queries-verdict', role: 'status' });
  const spot = (/** @type {number} */ cell) => `${Math.floor(cell / cols) + 1}, ${(cell % cols) + 1}`;
  const show = (/** @type {number} */ i) => {
    const { found } = queries[i];
    if (found === undefined) return;
    setText(cells[i], found === null ? t('paths.unreachable') : `${amount(found)} ${agrees(queries[i]) ? '✓' : '≠'}`);
    cells[i].className = agrees(queries[i]) ? 'agrees' : 'differs';
  };
  const tell = () => {
    const done = queries.filter(({ found }) => found !== undefined);
    setText(verdict, done.length ? t('paths.queries.verdict', { n: whole(done.length), of: whole(queries.length), agree: whole(done.filter(agrees).length) }) : '');
  };

  /** Sets start and goal of a query; the contestants search for it then. */
  const choose = (/** @type {Query} */ { from, to }) => {
    dialog.close();
    replaceMap({ ...copyOf(state.map), start: from, goals: [to] }, { diagonal: DIAGONAL });
  };

  /** Asks for all that are not answered yet, one after the other. */
  async function runAll() {
    setDisabled(run, true);
    try {
      for (const [i, query] of queries.entries()) {
        if (isOver) return;
        if (query.found !== undefined) continue;
        handle = port.path({ ...question({ from: false, to: [query.to] }), from: spotOf(state.map, query.from), diagonal: DIAGONAL, algorithm: 'auto' });
        const answer = await handle.promise;
        if (answer.status === 'limit') continue;
        query.found = answer.status === 'found' ? answer.cost : null;
        show(i);
        tell();
      }
      announce(verdict.textContent);
    } catch (error) {
      if (error instanceof Gone || error instanceof Refused) setText(verdict, t('paths.export.none', { error: error.message }));
      else if (!isCancelled(error)) throw error;
    } finally {
      setDisabled(run, false);
    }
  }

  const run = button(t('paths.queries.run'), runAll, { kind: 'filled', symbol: 'play', id: 'paths-queries-run' });
  const head = ['paths.queries.from', 'paths.queries.to', 'paths.queries.published', 'paths.queries.found'].map((key) => el('th', { scope: 'col' }, t(key)));
  const rows = queries.map((query, i) => el('tr', {}, el('td', {}, el('button', { type: 'button', className: 'link', id: `paths-query-${i}`, onclick: () => choose(query) }, spot(query.from))), el('td', {}, spot(query.to)), el('td', {}, amount(query.length)), cells[i]));
  const dialog = sheet(t('paths.queries'), [el('p', { className: 'muted' }, t('paths.queries.text', { n: whole(queries.length) })), el('div', { className: 'actions' }, run), verdict, el('table', { className: 'queries', id: 'paths-queries-table' }, el('thead', {}, el('tr', {}, head)), el('tbody', {}, rows))], { kind: 'wide paths-sheet' });
  dialog.addEventListener('close', () => { isOver = true; handle?.cancel(); });
  queries.forEach((_, i) => show(i));
  tell();
}
