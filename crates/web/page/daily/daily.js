// The day's puzzle: its sheet, how it is begun and gone on with, and what a finished one counts for.

import { $, button, el, setText } from '../js/dom.js';
import { hasServer, linkTo } from '../js/host.js';
import { phaseShown } from '../js/hud.js';
import { clockText, onLanguage, t } from '../js/i18n.js';
import { entries, takeBack, unfinished } from '../js/library.js';
import { dateText } from '../js/naming.js';
import { builtinName, CLASSIC, paintBuiltin, PAINTINGS, pictureUrl, showOn, typeOf } from '../js/pictures.js';
import { pref } from '../js/prefs.js';
import { allRecords } from '../js/records.js';
import { sameStart } from '../js/scoring.js';
import * as session from '../js/session.js';
import { copyText, onlyHere } from '../js/share.js';
import { sheet, toast } from '../js/sheets.js';
import * as store from '../js/store.js';
import { openLessons } from '../lessons/lessons.js';
import { learnt, STEPS } from '../lessons/steps.js';
import { mayRun, rankingParts, rankOnCard, tellRun } from '../players/ranking.js';
import { better, counts, dateOf, dayOf, gameOf, planOf, plus, progress, streaks, today, untilNext } from './day.js';
/** @import { Day } from './day.js' @import { Game } from '../js/game.js' */

const SHOWN_DAYS = 7;
const SIZE = (/** @type {{ rows: number, cols: number }} */ plan) => `${plan.rows}×${plan.cols}`;

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

async function fill(/** @type {HTMLElement} */ body, /** @type {() => void} */ close) {
  const [days, going] = await Promise.all([store.all('days'), begun(today())]);
  const byDate = new Map(days.map((day) => [day.id, day]));
  const begin = (/** @type {string} */ date) => { close(); void play(date); };
  const [choice, ranking] = hasServer ? rankingParts(byDate.get(today()), going, begin) : ['', ''];
  body.replaceChildren(
    todayPart(byDate.get(today()), going, begin),
    choice,
    weekPart(byDate, begin),
    streakPart(days),
    ranking,
    el('h3', {}, t('daily.path')),
    pathPart(close),
    el('h3', {}, t('daily.progress')),
    el('p', { className: 'muted' }, t('daily.progressFrom')),
    progressPart(progress(allRecords(), days)));
}

function todayPart(/** @type {Day | undefined} */ day, /** @type {Game | null} */ going, /** @type {(date: string) => void} */ begin) {
  const date = today();
  const plan = planOf(date);
  const picture = el('div', { className: 'daily-picture' });
  showOn(picture, pictureUrl(plan.picture, plan));
  const done = day && el('p', { id: 'daily-done' }, t(day.helped ? 'daily.doneHelped' : 'daily.done', { time: clockText(day.millis), count: day.moves }));
  return el('div', { className: 'daily-today' }, picture, el('div', { className: 'daily-words' },
    el('p', { className: 'daily-date' }, dateText(date, { month: 'long', day: 'numeric', weekday: 'long' })),
    el('p', { className: 'muted' }, `${SIZE(plan)} · ${t(`picture.${plan.picture.slice(8)}`)}`),
    done,
    day && button(t('daily.send'), () => openSend(date), { id: 'daily-send', symbol: 'share' }),
    button(t(going ? 'daily.goOn' : day ? 'daily.again' : 'daily.play'), () => begin(date), { kind: day ? '' : 'filled', id: 'daily-play' })));
}

/** The days before today, each to be played later; a mark says how each stands. @param {Map<string, Day>} byDate @param {(date: string) => void} begin */
function weekPart(byDate, begin) {
  const dates = Array.from({ length: SHOWN_DAYS }, (_, i) => plus(today(), i + 1 - SHOWN_DAYS));
  return el('div', { className: 'daily-week', role: 'group', 'aria-label': t('daily.week') }, dates.map((date) => {
    const state = stateOf(byDate.get(date));
    const rest = t('daily.day', { size: SIZE(planOf(date)), state: t(`daily.state.${state}`) });
    return el('button', { type: 'button', className: `daily-day ${state}`, 'data-date': date, 'aria-current': date === today() && 'date', title: rest, onclick: () => begin(date) },
      el('span', { className: 'muted' }, dateText(date, { weekday: 'short' })), ' ', el('b', {}, String(Number(date.slice(8)))), el('span', { className: 'unseen' }, ` ${rest}`));
  }));
}

const stateOf = (/** @type {Day | undefined} */ day) => (!day ? 'open' : counts(day) ? 'counts' : day.helped ? 'helped' : 'late');

function streakPart(/** @type {Day[]} */ days) {
  const { now, best } = streaks(days, today());
  const figure = (/** @type {number} */ value, /** @type {string} */ key, /** @type {string} */ id) => el('div', {}, el('dd', { id }, String(value)), el('dt', {}, t(key)));
  return el('div', { className: 'daily-streak' }, el('dl', {}, figure(now, 'daily.streak', 'daily-streak'), figure(best, 'daily.longest', 'daily-longest')),
    el('p', { className: 'muted' }, t('daily.what')));
}

function pathPart(/** @type {() => void} */ close) {
  const done = learnt().length;
  return el('div', { className: 'daily-path' }, el('p', { className: 'muted' }, t('daily.pathText', { done, all: STEPS.length })),
    button(t(done === 0 ? 'daily.learn' : done < STEPS.length ? 'daily.learnOn' : 'daily.learnAgain'), () => { close(); openLessons(); }, { id: 'daily-lessons' }));
}

/** The player's unfinished game of a day: the own one on the table, which waits while a replay is shown, or one that was put aside; null when there is none. @param {string} date */
async function begun(date) {
  const isOf = (/** @type {Game} */ game) => game.running && dayOf(game) === date;
  if (isOf(session.own())) return session.own();
  return (await unfinished()).find(({ game }) => isOf(game))?.game ?? null;
}

/** Another game of a day: whoever has solved it or keeps a copy of it plays it once more. @param {string} date */
async function another(date) {
  const game = gameOf(date);
  const save = game.toSave();
  game.restarted = Boolean(await store.get('days', date)) || (await entries()).some((entry) => sameStart(entry.game, save));
  return game;
}

/** Puts a day's puzzle on the table: the one that was begun, or a new one. @param {string} date */
async function play(date) {
  const game = (await begun(date)) ?? (await another(date));
  if (game !== session.own()) session.put(game);
  else if (session.phase() === 'elsewhere') await takeBack();
  else session.endWatch();
  // Taking part changes what is said of a game that lay there already.
  drawTag();
}

/** Notes a game that was finished at a time, if it is a day's. @param {Game} game @param {Date} time */
export async function finished(game, time) {
  const on = dateOf(time);
  const date = dayOf(game, on);
  if (!date) return;
  const day = { id: date, on, millis: Math.round(game.millis), moves: game.count, helped: game.helped, size: SIZE(game), picture: planOf(date).picture };
  const run = mayRun() ? game.toSave() : undefined;
  await store.update('days', date, (old) => ({ ...better(old, day), run: old?.run ?? run }));
  if (run) void tellRun(date);
  // While somebody solves for speed there is no card.
  if (pref('classic').on) toast(await streakWords(date));
}

/** The sentence about a finished daily puzzle, for the card of the win. @param {Game} game @param {HTMLElement} line */
export async function tellStreak(game, line) {
  const date = dayOf(game);
  if (date) line.append(el('p', { className: 'record-flag', id: 'win-streak' }, (await streakWords(date))()), ...(game.helped || game.restarted ? [] : [rankOnCard()]), button(t('daily.send'), () => openSend(date), { id: 'daily-send', symbol: 'share' }));
}

/** The text to send of a solved day: nothing of the board, and a link to the puzzle of the day on which it is opened. */
async function textOf(/** @type {string} */ date) {
  const days = await store.all('days');
  const day = days.find(({ id }) => id === date);
  if (!day) return '';
  const { now, since } = streaks(days, today());
  return [t('daily.sent', { date: dateText(date, { year: 'numeric', month: 'short', day: 'numeric' }), size: day.size }),
    [`🧩 ${t('moves', { count: day.moves })}`, `⏱️ ${clockText(day.millis)}`, day.helped ? `💡 ${t('postcard.helped')}` : `✅ ${t('challenge.alone')}`, ...(counts(day) && date >= since ? [`🔥 ${t('daily.days', { count: now })}`] : [])].join('  '),
    linkTo('#daily')].join('\n');
}

async function openSend(/** @type {string} */ date) {
  const text = await textOf(date);
  const field = el('textarea', { id: 'daily-text', className: 'paste-box', readOnly: true, rows: 4, value: text, 'aria-label': t('daily.send'), onfocus: () => field.select() });
  const acts = [button(t('daily.copy'), () => copyText(field), { kind: 'filled', id: 'daily-copy' })];
  if (navigator.share) acts.push(button(t('share.send'), () => navigator.share({ text }).catch(() => {})));
  sheet(t('daily.send'), [el('p', { className: 'muted' }, t('daily.sendText')), field, onlyHere(), el('div', { className: 'actions' }, acts)], { kind: 'centred' });
}

/** The stored result of a solved day: an earlier go may have counted already, and midnight may have passed since. @param {string} date */
async function streakWords(date) {
  const days = await store.all('days');
  const day = days.find(({ id }) => id === date);
  const { now } = streaks(days, today());
  const key = counts(day) ? (date === today() ? 'daily.winStreak' : 'daily.winCounted') : day?.helped ? 'daily.winHelped' : 'daily.winLate';
  return () => t(key, { size: SIZE(planOf(date)), days: now, date: dateText(date, { month: 'long', day: 'numeric' }) });
}

const tag = el('span', { className: 'label', id: 'hud-day' });

/** Has it said from now on, of each game that is one. */
export function showDay() {
  if (tag.isConnected) return;
  $('hud-time-label').after(tag);
  session.follow(['game', 'helped'], drawTag);
  onLanguage(drawTag);
}

function drawTag() {
  const game = session.current();
  const date = game.replay ? null : dayOf(game);
  tag.hidden = !date;
  game.ranked = date !== null && date === pref('run', { anew: true }) && !game.helped && !game.restarted;
  if (date) setText(tag, t(game.ranked ? 'daily.tagRanked' : 'daily.tag', { date: dateText(date, { month: 'short', day: 'numeric' }) }));
  phaseShown();
}

/** The sizes of the rail: these are shown also while they are open. */
const USUAL = ['3×3', '4×4', '5×5'];
const SIDE = 96;

/** The pictures with their sizes; painted ones always, numbers and the player's own once something is solved. @param {Map<string, string[]>} found */
function progressPart(found) {
  const all = [...PAINTINGS.map((name) => `builtin:${name}`), ...[...found.keys()].filter((id) => !PAINTINGS.includes(builtinName(id) ?? ''))];
  return el('ul', { className: 'daily-progress' }, all.map((id) => item(id, found.get(id) ?? [])));
}

function item(/** @type {string} */ id, /** @type {string[]} */ solved) {
  const name = builtinName(id);
  const known = !name || [...PAINTINGS, ...CLASSIC].includes(name);
  const label = name && known ? t(`picture.${name}`) : t('picture.mine');
  const picture = el('span', { className: 'daily-thumb' });
  if (known) showOn(picture, thumb(id, name));
  const sizes = [...USUAL, ...solved.filter((size) => !USUAL.includes(size))];
  return el('li', { 'data-picture': name ?? id }, picture, el('span', { className: 'daily-name' }, label),
    el('span', { className: 'daily-sizes' }, sizes.map((size) => {
      const done = solved.includes(size);
      return el('span', { className: done ? 'done' : 'open' }, size, el('span', { className: 'unseen' }, ` ${t(done ? 'daily.solved' : 'daily.unsolved')}`));
    })));
}

async function thumb(/** @type {string} */ id, /** @type {string} */ name) {
  if (!name) return (await pictureUrl(id)).url;
  return (await paintBuiltin(name, SIDE)).toDataURL(typeOf(name), 0.85);
}
