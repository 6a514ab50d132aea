// Records: the best time, the fewest moves and the averages for each kind of board, and the latest games to watch.

import { el, icon } from '../../js/dom.js';
import { clockText, onLanguage, t, when, whole } from '../../js/i18n.js';
import { go } from '../../js/places.js';
import { standing } from '../../js/ranking.js';
import { allRecords, loadRecords, removeRecord, restoreRecord } from '../../js/records.js';
import * as session from '../../js/session.js';
import { toast } from '../../js/sheets.js';
import { flush } from '../../js/sync.js';

const RECENT = 12;

export const title = 'records.title.page';
export const styles = ['/places/records/records.css'];
export const words = (language) => import(`./${language}.js`);

let body = null;

export async function mount(root) {
  body = el('div', { id: 'records-body' });
  root.append(el('h1', { tabIndex: -1, 'data-t': 'records.title' }), el('p', { className: 'lead', 'data-t': 'records.lead' }), body);
  await loadRecords();
  session.follow(['records'], draw);
  onLanguage(draw);
}

function draw() {
  const records = allRecords();
  if (!records.length) {
    body.replaceChildren(el('p', { className: 'muted' }, t('records.none')));
    return;
  }
  body.replaceChildren(summary(grouped(records)), el('h2', {}, t('records.recent')), recent(records));
}

function grouped(list) {
  const kinds = new Map();
  for (const record of list) kinds.set(record.category, [...(kinds.get(record.category) ?? []), record]);
  return kinds;
}

const cell = (text) => el('td', {}, text);
const time = (millis) => (millis === null || millis === undefined ? '–' : clockText(millis));
const table = (name, heads, rows) => el('div', { className: 'table-scroll', tabIndex: 0, role: 'region', 'aria-label': t(name) },
  el('table', {}, el('thead', {}, el('tr', {}, heads.map((key) => el('th', { scope: 'col' }, key && t(key))))), el('tbody', {}, rows)));

function summary(kinds) {
  const rows = [...kinds].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true })).map(([kind, list]) => {
    const { games, time: best, moves, ao5, ao12 } = standing(list);
    return el('tr', {}, cell(kindName(kind)), cell(time(best.millis)), cell(whole(moves.moves)), cell(time(ao5)), cell(time(ao12)), cell(whole(games)));
  });
  return table('records.best', ['records.size', 'records.bestTime', 'records.bestMoves', 'records.ao5', 'records.ao12', 'records.games'], rows);
}

/** 4x4 as 4×4; a board with wraps is marked. */
function kindName(kind) {
  const [size, wraps] = kind.split('+');
  return size.replace('x', '×') + (wraps ? ` ${t('records.wraps')}` : '');
}

function recent(records) {
  const rows = records.slice(-RECENT).reverse().map((record) => el('tr', {}, cell(kindName(record.category)), cell(time(record.millis)), cell(whole(record.moves)), cell(when(record.when)),
    el('td', {}, el('span', { className: 'acts' },
      el('button', { type: 'button', className: 'link', onclick: () => watch(record) }, t('records.watch')),
      el('button', { type: 'button', className: 'ghost', 'aria-label': t('records.delete'), title: t('records.delete'), onclick: () => remove(record) }, icon('bin'))))));
  return table('records.recent', ['records.size', 'hud.time', 'hud.moves', 'records.when', 'records.replay'], rows);
}

/** Plays a record on the board. */
async function watch(record) {
  if (!(await go('play'))) return;
  const { replay } = await import('../../js/film.js');
  replay(record.game);
}

async function remove(record) {
  await removeRecord(record);
  void flush();
  toast(t('records.deleted'), { label: t('do.undo'), run: async () => { await restoreRecord(record); void flush(); } });
}
