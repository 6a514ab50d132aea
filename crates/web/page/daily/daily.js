// The day's puzzle: its sheet, how it is begun and gone on with, and what a finished one counts for.

import { button, el } from '../js/dom.js';
import { unfinished } from '../js/entries.js';
import { addWords, clockText, t } from '../js/i18n.js';
import { part } from '../js/later.js';
import { takeBack } from '../js/library.js';
import { dateText } from '../js/naming.js';
import { pictureUrl } from '../js/pictures.js';
import { styled } from '../js/places.js';
import { pref } from '../js/prefs.js';
import { allRecords } from '../js/records.js';
import * as session from '../js/session.js';
import { sheet, toast } from '../js/sheets.js';
import * as store from '../js/store.js';
import { STEPS, learnt } from '../lessons/steps.js';
import { dateOf, dayOf, gameOf, planOf, plus, today, untilNext } from './day.js';
import { progressPart } from './progress.js';
import { better, counts, progress, streaks } from './streak.js';

await Promise.all([addWords((name) => import(`./${name}.js`)), styled('/daily/daily.css')]);

const SHOWN_DAYS = 7;
const SIZE = (plan) => `${plan.rows}×${plan.cols}`;

/** The sheet: today, the days before, the streak, the way for beginners, and what was solved of each picture. At midnight it is another day's. */
export async function openDaily() {
  const body = el('div', { className: 'sheet-body' });
  const dialog = sheet(t('daily.title'), body);
  const close = () => dialog.close();
  let midnight = 0;
  const draw = async () => {
    const date = today();
    clearTimeout(midnight);
    await fill(body, close);
    // A computer that slept through it draws a moment after it wakes.
    if (dialog.open) midnight = setTimeout(() => void draw(), untilNext(date));
  };
  dialog.addEventListener('close', () => clearTimeout(midnight));
  await draw();
  body.querySelector('#daily-play')?.focus();
}

async function fill(body, close) {
  const [days, going] = await Promise.all([store.all('days'), begun(today())]);
  const byDate = new Map(days.map((day) => [day.id, day]));
  const begin = (date) => { close(); void play(date); };
  body.replaceChildren(
    todayPart(byDate.get(today()), going, begin),
    weekPart(byDate, begin),
    streakPart(days),
    el('h3', {}, t('daily.path')),
    pathPart(close),
    el('h3', {}, t('daily.progress')),
    el('p', { className: 'muted' }, t('daily.progressFrom')),
    progressPart(progress(allRecords(), days)));
}

function todayPart(day, going, begin) {
  const date = today();
  const plan = planOf(date);
  const picture = el('div', { className: 'daily-picture' });
  pictureUrl(plan.picture, plan).then(({ url }) => { picture.style.backgroundImage = `url("${url}")`; });
  const done = day && el('p', { id: 'daily-done' }, t(day.helped ? 'daily.doneHelped' : 'daily.done', { time: clockText(day.millis), count: day.moves }));
  return el('div', { className: 'daily-today' }, picture, el('div', { className: 'daily-words' },
    el('p', { className: 'daily-date' }, dateText(date, { month: 'long', day: 'numeric', weekday: 'long' })),
    el('p', { className: 'muted' }, `${SIZE(plan)} · ${t(`picture.${plan.picture.slice(8)}`)}`),
    done,
    button(t(going ? 'daily.goOn' : day ? 'daily.again' : 'daily.play'), () => begin(date), { kind: day ? '' : 'filled', id: 'daily-play' })));
}

/** The days before today, each to be played later; a mark says how each stands. */
function weekPart(byDate, begin) {
  const dates = Array.from({ length: SHOWN_DAYS }, (_, i) => plus(today(), i + 1 - SHOWN_DAYS));
  return el('div', { className: 'daily-week', role: 'group', 'aria-label': t('daily.week') }, dates.map((date) => {
    const state = stateOf(byDate.get(date));
    const rest = t('daily.day', { size: SIZE(planOf(date)), state: t(`daily.state.${state}`) });
    return el('button', { type: 'button', className: `daily-day ${state}`, 'data-date': date, 'aria-current': date === today() && 'date', title: rest, onclick: () => begin(date) },
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
  const done = learnt().length;
  return el('div', { className: 'daily-path' }, el('p', { className: 'muted' }, t('daily.pathText', { done, all: STEPS.length })),
    button(t(done === 0 ? 'daily.learn' : done < STEPS.length ? 'daily.learnOn' : 'daily.learnAgain'), async () => { close(); (await part('lessons')).openLessons(); }, { id: 'daily-lessons' }));
}

/** The player's unfinished game of a day: the own one on the table, which waits while a replay is shown, or one that was put aside; null when there is none. */
async function begun(date) {
  const isOf = (game) => game.running && dayOf(game) === date;
  if (isOf(session.own())) return session.own();
  return (await unfinished()).find(({ game }) => isOf(game))?.game ?? null;
}

/** Puts a day's puzzle on the table: the one that was begun, or a new one. */
async function play(date) {
  const game = (await begun(date)) ?? gameOf(date);
  if (game !== session.own()) session.put(game);
  else if (session.phase() === 'elsewhere') await takeBack();
  else session.endWatch();
}

/** Notes a game that was finished at a time, if it is a day's. */
export async function finished(game, time) {
  const on = dateOf(time);
  const date = dayOf(game, on);
  if (!date) return;
  const day = { id: date, on, millis: Math.round(game.millis), moves: game.count, helped: game.helped, size: SIZE(game), picture: planOf(date).picture };
  await store.update('days', date, (old) => better(old, day));
  // While somebody solves for speed there is no card.
  if (pref('classic').on) toast(await streakWords(date));
}

/** What a finished game of a day means, for the card of the win. */
export async function tellStreak(game, line) {
  const date = dayOf(game);
  if (date) line.append(el('p', { className: 'record-flag', id: 'win-streak' }, (await streakWords(date))()));
}

/** What is kept of a day that was solved: an earlier go at it may have counted already, and midnight may have passed since. */
async function streakWords(date) {
  const days = await store.all('days');
  const day = days.find(({ id }) => id === date);
  const { now } = streaks(days, today());
  const key = counts(day) ? (date === today() ? 'daily.winStreak' : 'daily.winCounted') : day?.helped ? 'daily.winHelped' : 'daily.winLate';
  return () => t(key, { size: SIZE(planOf(date)), days: now, date: dateText(date, { month: 'long', day: 'numeric' }) });
}
