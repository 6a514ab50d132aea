// The daily puzzle for everybody: taking part, and the rankings in the day's sheet.

import { today } from '../daily/day.js';
import { button, el, refill } from '../js/dom.js';
import { clockText, t } from '../js/i18n.js';
import { toast } from '../js/sheets.js';
import * as service from './service.js';
import { trying } from './sheet.js';
/** @import { Game } from '../js/game.js' @import { Rank, Rankings } from './service.js' */

/** Which day this browser takes part in: written at the start, so that a reload goes on with it. */
const KEY = 'pintu.run';
const WEEK = 7;

const running = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
const setRunning = (/** @type {string} */ date) => { try { localStorage.setItem(KEY, date); } catch { /* Then a reload ends it. */ } };

/** The part of the day's sheet: how everybody did, and the choice to take part. @param {(date: string) => void} begin */
export function rankingPart(begin) {
  const host = el('section', { className: 'ranking', id: 'daily-ranking', 'aria-label': t('ranking.title') });
  let [days, by] = [1, /** @type {'time' | 'moves'} */ ('time')];
  const draw = async () => {
    const found = await service.rankings(today(), days).catch(() => null);
    refill(host, ...(found ? shown(found) : [el('p', { className: 'muted' }, t('ranking.offline'))]).filter(Boolean));
  };
  const choice = (/** @type {string} */ key, /** @type {boolean} */ chosen, /** @type {() => void} */ choose) => el('button', { type: 'button', className: 'chip', 'aria-pressed': String(chosen), onclick: () => { choose(); void draw(); } }, t(key));
  const shown = (/** @type {Rankings} */ found) => [
    el('h3', {}, t('ranking.title')),
    el('div', { className: 'row' }, choice('ranking.today', days === 1, () => { days = 1; }), choice('ranking.week', days > 1, () => { days = WEEK; }),
      choice('ranking.time', by === 'time', () => { by = 'time'; }), choice('ranking.moves', by === 'moves', () => { by = 'moves'; })),
    found.players ? table(found[by], days > 1) : el('p', { className: 'muted' }, t('ranking.nobody')),
    ...takingPart(found, begin)];
  void draw();
  return host;
}

/** @param {Rank[]} ranks @param {boolean} isWeek */
function table(ranks, isWeek) {
  const head = el('tr', {}, ['ranking.place', 'ranking.name', isWeek && 'ranking.days', 'ranking.time', 'ranking.moves'].filter(Boolean).map((key) => el('th', { scope: 'col' }, t(String(key)))));
  const row = (/** @type {Rank} */ rank) => el('tr', { className: rank.is_own ? 'own' : '', 'aria-current': rank.is_own && 'true' },
    el('td', {}, String(rank.place)), el('td', {}, rank.nickname ?? t('ranking.noName'), rank.is_own && ` (${t('ranking.you')})`),
    isWeek && el('td', {}, String(rank.days)), el('td', {}, clockText(rank.millis)), el('td', {}, String(rank.moves)));
  return el('table', {}, el('thead', {}, head), el('tbody', {}, ranks.map(row)));
}

/** What can be done: take part, or what came of it. @param {Rankings} found @param {(date: string) => void} begin */
function takingPart(found, begin) {
  const date = today();
  const own = found.own.find((run) => run.date === date);
  if (own?.millis !== undefined) return [];
  const part = async () => {
    if (!await trying(() => service.begin(date))) return;
    setRunning(date);
    begin(date);
  };
  return [el('p', { className: 'muted' }, t(own ? 'ranking.going' : 'ranking.rules')),
    !own && button(t('ranking.part'), () => void part(), { id: 'daily-part' })];
}

/** Sends a finished game of a day, if this browser takes part in that. @param {string} date @param {Game} game */
export async function sendRun(date, game) {
  if (running() !== date) return;
  const body = { game: game.toSave(), restarted: game.again === true };
  try {
    await service.finish(date, body);
    const { time } = await service.rankings(date);
    const own = time.find(({ is_own: isOwn }) => isOwn);
    setRunning('');
    if (own) toast(() => t('ranking.placed', { place: own.place }));
  } catch (error) {
    toast(() => t(error.status === 400 ? 'ranking.notRanked' : 'ranking.notSent'));
  }
}
