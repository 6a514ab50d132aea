// Records: the best time, the fewest moves, and trimmed averages of five and twelve, for each kind of board.

import { $, el } from './dom.js';
import { clockText, onLanguage, t, when, whole } from './i18n.js';
import * as store from './store.js';
import { keepRecord } from './sync.js';

const RECENT = 12;

let records = [];
let replayGame = () => {};

/** The mean without the best and the worst, rounded; null of fewer than three. */
export function trimmed(times) {
  if (times.length < 3) return null;
  const sum = times.reduce((a, b) => a + b, 0) - Math.min(...times) - Math.max(...times);
  return Math.round(sum / (times.length - 2));
}

/** The quickest game of a kind of board. */
export const bestOf = (category) => pickBest(records.filter((record) => record.category === category), (record) => record.millis);

const pickBest = (list, value) => list.reduce((best, record) => (!best || value(record) < value(best) ? record : best), null);

/** How the player stands on one kind of board, over its records from the oldest to the newest. */
export function standing(list) {
  const times = list.map((record) => record.millis);
  const last = (n) => (times.length >= n ? trimmed(times.slice(-n)) : null);
  return { games: list.length, time: pickBest(list, (record) => record.millis), moves: pickBest(list, (record) => record.moves), ao5: last(5), ao12: last(12) };
}

/** Adds a finished game. Says which records it set; null when the same game is known already. */
export async function addRecord(game) {
  const save = game.toSave();
  if (records.some((record) => record.game.moves === save.moves && record.game.start.join() === save.start.join())) return null;
  const before = standing(records.filter((record) => record.category === game.category));
  const record = { category: game.category, millis: save.millis, moves: game.count, when: Date.now(), game: save };
  records.push(record);
  await keepRecord(record);
  return { time: !before.time || record.millis < before.time.millis, moves: !before.moves || record.moves < before.moves.moves };
}

export async function loadRecords() {
  records = (await store.all('records')).sort((a, b) => a.when - b.when);
}

/** Draws the page of records. */
export function drawRecords() {
  const kinds = Map.groupBy ? Map.groupBy(records, (record) => record.category) : grouped(records);
  if (!records.length) {
    $('records-body').replaceChildren(el('p', { className: 'muted' }, t('records.none')));
    return;
  }
  $('records-body').replaceChildren(summary(kinds), el('h2', {}, t('records.recent')), recent());
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
export function kindName(kind) {
  const [size, wraps] = kind.split('+');
  return size.replace('x', '×') + (wraps ? ` ${t('records.wraps')}` : '');
}

function recent() {
  const rows = records.slice(-RECENT).reverse().map((record) => el('tr', {}, cell(kindName(record.category)), cell(time(record.millis)), cell(whole(record.moves)), cell(when(record.when)),
    el('td', {}, el('button', { type: 'button', className: 'link', onclick: () => replayGame(record.game) }, t('win.replay')))));
  return table('records.recent', ['records.size', 'hud.time', 'hud.moves', 'records.when', 'records.replay'], rows);
}

export function initRecords({ replay }) {
  replayGame = replay;
  onLanguage(drawRecords);
}
