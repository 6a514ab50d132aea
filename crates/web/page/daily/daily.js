// The day's puzzle: its sheet, how it is begun and gone on with, and what a finished one counts for.

import { button, el } from '../js/dom.js';
import { addWords, clockText, t } from '../js/i18n.js';
import { part } from '../js/later.js';
import { entries, gameOf as kept } from '../js/library.js';
import { dateText } from '../js/naming.js';
import { pictureUrl } from '../js/pictures.js';
import { styled } from '../js/places.js';
import { pref } from '../js/prefs.js';
import { allRecords } from '../js/records.js';
import * as session from '../js/session.js';
import { sheet, toast } from '../js/sheets.js';
import * as store from '../js/store.js';
import { STEPS } from '../lessons/steps.js';
import { dayOf, gameOf, planOf, plus, today } from './day.js';
import { progressPart } from './progress.js';
import { better, counts, progress, streaks } from './streak.js';

await Promise.all([addWords((name) => import(`./${name}.js`)), styled('/daily/daily.css')]);

const SHOWN_DAYS = 7;
const SIZE = (plan) => `${plan.rows}×${plan.cols}`;

/** The sheet: today, the days before, the streak, the way for beginners, and what was solved of each picture. */
export async function openDaily() {
  const body = el('div', { className: 'sheet-body' });
  const dialog = sheet(t('daily.title'), body);
  const days = await store.all('days');
  const byDate = new Map(days.map((day) => [day.id, day]));
  const begin = (date) => { dialog.close(); void play(date); };
  body.append(
    todayPart(byDate, begin),
    weekPart(byDate, begin),
    streakPart(days),
    el('h3', {}, t('daily.path')),
    pathPart(() => dialog.close()),
    el('h3', {}, t('daily.progress')),
    progressPart(progress(allRecords(), days)));
  body.querySelector('#daily-play').focus();
}

function todayPart(byDate, begin) {
  const date = today();
  const plan = planOf(date);
  const picture = el('div', { className: 'daily-picture' });
  pictureUrl(plan.picture, plan).then(({ url }) => { picture.style.backgroundImage = `url("${url}")`; });
  const day = byDate.get(date);
  const onTable = session.current().running && dayOf(session.current()) === date;
  const done = day && el('p', { id: 'daily-done' }, t(day.helped ? 'daily.doneHelped' : 'daily.done', { time: clockText(day.millis), count: day.moves }));
  return el('div', { className: 'daily-today' }, picture, el('div', { className: 'daily-words' },
    el('p', { className: 'daily-date' }, dateText(date, { month: 'long', day: 'numeric', weekday: 'long' })),
    el('p', { className: 'muted' }, `${SIZE(plan)} · ${t(`picture.${plan.picture.slice(8)}`)}`),
    done,
    button(t(onTable ? 'daily.goOn' : day ? 'daily.again' : 'daily.play'), () => begin(date), { kind: day ? '' : 'filled', id: 'daily-play' })));
}

/** The days before today, each to be played later; a mark says how each stands. */
function weekPart(byDate, begin) {
  const dates = Array.from({ length: SHOWN_DAYS }, (_, i) => plus(today(), i + 1 - SHOWN_DAYS));
  return el('div', { className: 'daily-week', role: 'group', 'aria-label': t('daily.week') }, dates.map((date) => {
    const state = stateOf(byDate.get(date));
    const rest = t('daily.day', { size: SIZE(planOf(date)), state: t(`daily.state.${state}`) });
    return el('button', { type: 'button', className: `daily-day ${state}`, 'data-date': date, title: rest, onclick: () => begin(date) },
      el('span', { className: 'muted' }, dateText(date, { weekday: 'short' })), ' ', el('b', {}, String(Number(date.slice(8)))), el('span', { className: 'unseen' }, ` ${rest}`));
  }));
}

const stateOf = (day) => (!day ? 'open' : counts(day) ? 'counts' : day.helped ? 'helped' : 'late');

function streakPart(days) {
  const { now, best } = streaks(days, today());
  const figure = (value, key, id) => el('div', {}, el('dd', { id }, String(value)), el('dt', {}, t(key)));
  return el('div', { className: 'daily-streak' }, el('dl', {}, figure(now, 'daily.streak', 'daily-streak'), figure(best, 'daily.longest', 'daily-longest')),
    el('p', { className: 'muted' }, t('daily.what')));
}

function pathPart(close) {
  const done = Math.min(pref('lessons'), STEPS.length);
  return el('div', { className: 'daily-path' }, el('p', { className: 'muted' }, t('daily.pathText', { done, all: STEPS.length })),
    button(t(done === 0 ? 'daily.learn' : done < STEPS.length ? 'daily.learnOn' : 'daily.learnAgain'), async () => { close(); (await part('lessons')).openLessons(); }, { id: 'daily-lessons' }));
}

/** Puts a day's puzzle on the table: the one that lies there, the one that was put aside, or a new one. */
async function play(date) {
  const mine = (game) => game && game.running && dayOf(game) === date;
  if (mine(session.current())) return;
  const aside = (await entries()).map(kept).find((game) => game?.id && game.count > 0 && mine(game));
  session.put(aside ?? gameOf(date));
}

/** Notes a finished game, if it is a day's. */
export async function finished(game) {
  const date = dayOf(game);
  if (!date) return;
  const day = { id: date, on: today(), millis: Math.round(game.millis), moves: game.count, helped: game.helped, size: SIZE(game), picture: planOf(date).picture };
  await store.update('days', date, (old) => better(old, day));
  // While somebody solves for speed there is no card.
  if (pref('classic').on) toast(await streakText(date, day));
}

/** What a finished game of a day means, for the card of the win. */
export async function tellStreak(game, line) {
  const date = dayOf(game);
  if (!date) return;
  const day = (await store.get('days', date)) ?? { id: date, on: today(), helped: game.helped };
  line.append(el('p', { className: 'record-flag', id: 'win-streak' }, await streakText(date, day)));
}

async function streakText(date, day) {
  const { now } = streaks(await store.all('days'), today());
  const size = SIZE(planOf(date));
  if (counts(day) && date === today()) return t('daily.winStreak', { size, days: now });
  return t(day.helped ? 'daily.winHelped' : 'daily.winLate', { size });
}
