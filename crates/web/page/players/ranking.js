// The daily puzzle for everybody: taking part, and the rankings in the day's sheet.

import { today } from '../daily/day.js';
import { button, el, refill } from '../js/dom.js';
import { hasServer } from '../js/host.js';
import { clockText, errorText, t } from '../js/i18n.js';
import { isShared } from '../js/library.js';
import { pref, setPref } from '../js/prefs.js';
import { toast } from '../js/sheets.js';
import * as store from '../js/store.js';
import { flush, onSync } from '../js/sync.js';
import * as service from './service.js';
import { openPlayer, trying } from './sheet.js';
/** @import { Day } from '../daily/day.js' @import { Game } from '../js/game.js' @import { Rank, Rankings } from './service.js' */

const WEEK = 7;
/** The codes of games with help, or started again. */
const UNRANKED = new Set(['record-helped', 'not-ranked']);

/** The part of the day's sheet: how everybody did, and the choice to take part. @param {Day | undefined} day Today's, if it was solved. @param {Game | null} going @param {(date: string) => void} begin */
export function rankingPart(day, going, begin) {
  const host = el('section', { className: 'ranking', id: 'daily-ranking', 'aria-label': t('ranking.title') });
  let [days, by] = [1, /** @type {'time' | 'moves'} */ ('time')];
  const draw = async () => {
    const found = await service.rankings(today(), days).catch(() => null);
    refill(host, ...(found ? shown(found) : [el('p', { className: 'muted' }, t('ranking.offline'))]).filter(Boolean));
  };
  const choice = (/** @type {string} */ key, /** @type {boolean} */ chosen, /** @type {() => void} */ choose) => el('button', { type: 'button', className: 'chip', 'aria-pressed': String(chosen), onclick: () => { choose(); void draw(); } }, t(key));
  const group = (/** @type {any[]} */ ...choices) => el('div', { className: 'row', role: 'group' }, choices);
  const shown = (/** @type {Rankings} */ found) => [
    el('h3', {}, t('ranking.title')),
    el('div', { className: 'row' }, group(choice('ranking.today', days === 1, () => { days = 1; }), choice('ranking.week', days > 1, () => { days = WEEK; })),
      group(choice('ranking.time', by === 'time', () => { by = 'time'; }), choice('ranking.moves', by === 'moves', () => { by = 'moves'; }))),
    found.players ? table(found[by], days > 1) : el('p', { className: 'muted' }, t('ranking.nobody')),
    ...takingPart(found, day, going, begin)];
  void draw();
  return host;
}

/** @param {Rank[]} ranks @param {boolean} isWeek */
function table(ranks, isWeek) {
  const head = el('tr', {}, ['ranking.place', 'ranking.name', isWeek && 'ranking.days', 'ranking.time', 'ranking.moves'].filter(Boolean).map((key) => el('th', { scope: 'col' }, t(String(key)))));
  const row = (/** @type {Rank} */ rank) => el('tr', { className: rank.is_own ? 'own' : '', 'aria-current': rank.is_own && 'true' },
    el('td', {}, String(rank.place)), el('td', {}, rank.nickname ?? t('ranking.noName'), rank.is_own && ` (${t('ranking.you')})`, rank.is_own && !rank.nickname && [' ', el('button', { type: 'button', className: 'link', id: 'ranking-name', onclick: () => void openPlayer('#player-nickname') }, t('ranking.giveName'))]),
    isWeek && el('td', {}, String(rank.days)), el('td', {}, clockText(rank.millis)), el('td', {}, String(rank.moves)));
  return el('table', {}, el('thead', {}, head), el('tbody', {}, ranks.map(row)));
}

/** The button to take part, unless nothing can come of it, or the result of having done so. @param {Rankings} found @param {Day | undefined} day @param {Game | null} going @param {(date: string) => void} begin */
function takingPart(found, day, going, begin) {
  const date = today();
  const own = found.own.find((run) => run.date === date);
  if (own?.millis !== undefined) return [];
  const part = async () => {
    if (!await trying(() => service.begin(date))) return;
    setPref('run', date);
    begin(date);
  };
  const isLate = Boolean(day) || (!own && going !== null && (going.played || going.helped || going.restarted));
  const key = day?.run ? 'notSent' : isLate ? 'late' : own ? 'going' : 'rules';
  return [el('p', { className: 'muted', id: 'daily-rules' }, t(`ranking.${key}`)),
    key === 'rules' && button(t('ranking.part'), () => void part(), { id: 'daily-part' })];
}

/** Whether a finished game of a day may be a run: of this browser, or of another device of the player. Only the server knows. */
export const mayRun = () => hasServer && (pref('run', { anew: true }) !== '' || isShared());

/** Sends the finished game of a day, and says where that has to wait. @param {string} date */
export async function tellRun(date) {
  await flush();
  if (pref('run', { anew: true }) === date && store.health().server && (await store.get('days', date))?.run) toast(() => t('ranking.notSent'));
}

/** Says what the server has made of a run. Nothing of a day in which the player takes no part. @param {string} date @param {import('../js/api.js').ApiError | null} error */
async function told(date, error) {
  if (error) {
    if (error.code !== 'not-begun') toast(() => (UNRANKED.has(error.code) ? t('ranking.notRanked') : t('ranking.refused', { error: errorText(error) })));
    return;
  }
  if (date !== today()) return;
  const { time } = await service.rankings(date).catch(() => ({ time: [] }));
  const own = time.find(({ is_own: isOwn }) => isOwn);
  if (own) toast(() => t('ranking.placed', { place: own.place }));
}

onSync((what, date, error) => { if (what === 'ran') void told(date, error); });
