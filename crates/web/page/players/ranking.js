// The daily puzzle for everybody: taking part, and the rankings in the day's sheet.

import { today } from '../daily/day.js';
import { button, el, refill, setText } from '../js/dom.js';
import { hasServer } from '../js/host.js';
import { clockText, errorText, t } from '../js/i18n.js';
import { isShared } from '../js/library.js';
import { pref, setPref } from '../js/prefs.js';
import { announce, toast } from '../js/sheets.js';
import * as store from '../js/store.js';
import { flush, onSync } from '../js/sync.js';
import * as service from './service.js';
import { openPlayer, trying } from './sheet.js';
/** @import { Day } from '../daily/day.js' @import { Game } from '../js/game.js' @import { Rank, Rankings, Run } from './service.js' */

const WEEK = 7;
/** The codes of games with help, or started again. */
const UNRANKED = new Set(['record-helped', 'not-ranked']);

/** Two parts of the day's sheet: the choice to take part, and how everybody did. @param {Day | undefined} day Today's, if it was solved. @param {Game | null} going @param {(date: string) => void} begin */
export function rankingParts(day, going, begin) {
  const taking = el('div', { className: 'ranking', id: 'daily-choice' });
  const host = el('section', { className: 'ranking', id: 'daily-ranking', 'aria-label': t('ranking.title') });
  let [days, by] = [1, /** @type {'time' | 'moves'} */ ('time')];
  const offer = (/** @type {Pick<Rankings, 'time' | 'own'>} */ found) => refill(taking, ...takingPart(found, day, going, begin).filter(Boolean));
  const draw = async () => {
    const found = await service.rankings(today(), days).catch(() => null);
    if (found && days === 1) offer(found);
    refill(host, ...(found ? shown(found) : [el('p', { className: 'muted' }, t('ranking.offline'))]).filter(Boolean));
  };
  const choice = (/** @type {string} */ key, /** @type {boolean} */ chosen, /** @type {() => void} */ choose) => el('button', { type: 'button', className: 'chip', 'aria-pressed': String(chosen), onclick: () => { choose(); void draw(); } }, t(key));
  const group = (/** @type {any[]} */ ...choices) => el('div', { className: 'row', role: 'group' }, choices);
  const shown = (/** @type {Rankings} */ found) => [
    el('h3', {}, t('ranking.title')),
    el('div', { className: 'row' }, group(choice('ranking.today', days === 1, () => { days = 1; }), choice('ranking.week', days > 1, () => { days = WEEK; })),
      group(choice('ranking.time', by === 'time', () => { by = 'time'; }), choice('ranking.moves', by === 'moves', () => { by = 'moves'; }))),
    found.players ? table(found[by], days > 1) : el('p', { className: 'muted' }, t('ranking.nobody'))];
  // Whoever has not taken part sees the choice at once, beside the other one.
  if (pref('run', { anew: true }) !== today() && standing(undefined, day, going) === 'ranking.rules') offer({ time: [], own: [] });
  void draw();
  return [taking, host];
}

/** @param {Rank[]} ranks @param {boolean} isWeek */
function table(ranks, isWeek) {
  const head = el('tr', {}, ['ranking.place', 'ranking.name', isWeek && 'ranking.days', 'ranking.time', 'ranking.moves'].filter(Boolean).map((key) => el('th', { scope: 'col' }, t(String(key)))));
  // Between the first and those around the player.
  const isGap = (/** @type {number} */ i) => i > 0 && ranks[i].place > i + 1 && ranks[i - 1].place <= i;
  const row = (/** @type {Rank} */ rank, /** @type {number} */ i) => el('tr', { className: `${rank.is_own ? 'own' : ''} ${isGap(i) ? 'gap' : ''}`.trim(), 'aria-current': rank.is_own && 'true' },
    el('td', {}, String(rank.place)), el('td', {}, rank.nickname ?? t('ranking.noName'), rank.is_own && ` (${t('ranking.you')})`, rank.is_own && !rank.nickname && [' ', el('button', { type: 'button', className: 'link', id: 'ranking-name', onclick: () => void openPlayer('#player-nickname') }, t('ranking.giveName'))]),
    isWeek && el('td', {}, String(rank.days)), el('td', {}, clockText(rank.millis)), el('td', {}, String(rank.moves)));
  return el('table', {}, el('thead', {}, head), el('tbody', {}, ranks.map(row)));
}

const ownRank = (/** @type {Pick<Rankings, 'time'> | null} */ found) => found?.time.find(({ is_own: isOwn }) => isOwn);
const placedText = (/** @type {Rank} */ { place, millis }) => t('ranking.placed', { place, time: clockText(millis) });

/** The button to take part, unless nothing can come of it, or the result of having done so. @param {Pick<Rankings, 'time' | 'own'>} found @param {Day | undefined} day @param {Game | null} going @param {(date: string) => void} begin */
function takingPart(found, day, going, begin) {
  const date = today();
  const rank = ownRank(found);
  const key = standing(found.own.find((run) => run.date === date), day, going);
  const part = async () => {
    if (!await trying(() => service.begin(date))) return;
    setPref('run', date);
    begin(date);
  };
  return [el('p', { className: 'muted', id: 'daily-rules' }, rank ? placedText(rank) : t(key)),
    key === 'ranking.rules' && button(t('ranking.part'), () => void part(), { id: 'daily-part' })];
}

/** How the player stands to the ranking of today, as the key of a message. @param {Run | undefined} own @param {Day | undefined} day @param {Game | null} going */
function standing(own, day, going) {
  // A result without a rank is that of a banned player.
  if (pref('player').banned || own?.millis !== undefined) return 'keep.server.banned';
  if (day?.run) return 'ranking.notSent';
  if (own && (day ? day.helped : going?.helped || going?.restarted)) return 'ranking.notRanked';
  if (day || (!own && (going?.played || going?.helped || going?.restarted))) return 'ranking.late';
  return own ? 'ranking.going' : 'ranking.rules';
}

/** Whether a finished game of a day may be a run: of this browser, or of another device of the player. Only the server knows. */
export const mayRun = () => hasServer && (pref('run', { anew: true }) !== '' || isShared());

/** Says on the card of a win which rank it has, once the server has told it. */
const rankLine = el('p', { className: 'record-flag', id: 'win-rank' });
/** The notice of a rank that was told before the card was there. @type {Element | null} */
let note = null;

/** The line for the card. */
export function rankOnCard() {
  note?.remove();
  return rankLine;
}

/** Sends the finished game of a day, and says where that has to wait. @param {string} date */
export async function tellRun(date) {
  setText(rankLine, '');
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
  const rank = ownRank(await service.rankings(date).catch(() => null));
  if (!rank) return;
  setText(rankLine, placedText(rank));
  if (rankLine.isConnected) announce(placedText(rank));
  else note = toast(() => placedText(rank));
}

onSync((what, date, error) => { if (what === 'ran') void told(date, error); });
