// Records: the best time, the fewest moves and the averages for each kind of board, and the latest games to watch.

import { shuffle } from '../../js/deals.js';
import { button, el, icon } from '../../js/dom.js';
import { clockText, onLanguage, t, when, whole } from '../../js/i18n.js';
import { rest } from '../../js/later.js';
import { go } from '../../js/places.js';
import { standing } from '../../js/scoring.js';
import { allRecords, loadRecords, removeRecord, restoreRecord } from '../../js/records.js';
import * as session from '../../js/session.js';
import { toast } from '../../js/sheets.js';
import { flush } from '../../js/sync.js';
/** @import { RecordEntry } from '../../js/records.js' */

const RECENT = 12;

export const title = 'records.title.page';
export const styles = ['places/records/records.css'];
export const words = (/** @type {string} */ language) => import(`./${language}.js`);

/** @type {any} */
let body = null;

export async function mount(/** @type {HTMLElement} */ root) {
  body = el('div', { id: 'records-body' });
  root.append(el('h1', { tabIndex: -1, 'data-t': 'records.title' }), el('p', { className: 'lead', 'data-t': 'records.lead' }), body);
  await loadRecords();
  session.follow(['records'], draw);
  onLanguage(draw);
}

function draw() {
  const records = allRecords();
  if (!records.length) {
    body.replaceChildren(...nothingYet());
    return;
  }
  body.replaceChildren(summary(grouped(records)), el('h2', {}, t('records.recent')), recent(records));
}

/** What will stand here, in outline, and the way to it. */
function nothingYet() {
  const outline = table('records.best', BEST, [row(BEST, kindName(session.own().category), '–', '–', '–', '–', '0')], 'kinds outline');
  return [el('p', {}, t('records.none')), outline, el('p', { className: 'muted' }, t('records.later')), button(t('records.begin'), begin, { kind: 'filled', id: 'records-begin' })];
}

/** To the board, with a scramble on it: the one that is being played, or a new one. */
async function begin() {
  if (await go('play') && !session.own().running) shuffle();
}

function grouped(/** @type {RecordEntry[]} */ list) {
  const kinds = new Map();
  for (const record of list) kinds.set(record.category, [...(kinds.get(record.category) ?? []), record]);
  return kinds;
}

/** A cell with its column's name, which stands beside it where the table is too wide for the screen. The roles keep it a table there. @param {any} text @param {string} head */
const cell = (text, head) => el('td', { role: 'cell', className: head.replace('records.', 'is-'), 'data-head': t(head) }, text);
const time = (/** @type {number | null | undefined} */ millis) => (millis === null || millis === undefined ? '–' : clockText(millis));
const row = (/** @type {string[]} */ heads, /** @type {any[]} */ ...cells) => el('tr', { role: 'row' }, cells.map((content, i) => cell(content, heads[i])));
const table = (/** @type {string} */ name, /** @type {string[]} */ heads, /** @type {any[]} */ rows, /** @type {string} */ kind) => el('table', { role: 'table', className: kind, 'aria-label': t(name) },
  el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, heads.map((key) => el('th', { role: 'columnheader', scope: 'col' }, t(key))))), el('tbody', { role: 'rowgroup' }, rows));

const BEST = ['records.size', 'records.bestTime', 'records.bestMoves', 'records.ao5', 'records.ao12', 'records.games'];
const LATEST = ['records.size', 'records.time', 'records.moves', 'records.when', 'records.replay'];

function summary(/** @type {Map<string, RecordEntry[]>} */ kinds) {
  const rows = [...kinds].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })).map(([kind, list]) => {
    const { games, time: best, moves, ao5, ao12 } = standing(list);
    return row(BEST, kindName(kind), time(best.millis), whole(moves.moves), time(ao5), time(ao12), whole(games));
  });
  return table('records.best', BEST, rows, 'kinds');
}

/** 4x4 as 4×4; a board with wraps is marked. @param {string} kind */
function kindName(kind) {
  const [size, wraps] = kind.split('+');
  return size.replace('x', '×') + (wraps ? ` ${t('records.wraps')}` : '');
}

function recent(/** @type {RecordEntry[]} */ records) {
  const rows = records.slice(-RECENT).reverse().map((record) => row(LATEST, kindName(record.category), time(record.millis), whole(record.moves), when(record.when),
    el('span', { className: 'acts' },
      el('button', { type: 'button', className: 'link', onclick: () => watch(record) }, t('records.watch')),
      el('button', { type: 'button', className: 'ghost', 'aria-label': t('records.delete'), title: t('records.delete'), onclick: () => remove(record) }, icon('bin')))));
  return table('records.recent', LATEST, rows, 'games');
}

async function watch(/** @type {RecordEntry} */ record) {
  if (!(await go('play'))) return;
  (await rest()).film.replay(record.game);
}

async function remove(/** @type {RecordEntry} */ record) {
  await removeRecord(record);
  void flush();
  toast(() => t('records.deleted'), { label: () => t('do.undo'), run: async () => { await restoreRecord(record); void flush(); } });
}
