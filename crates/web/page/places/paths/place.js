// Paths: searches on maps. The map is the page; what to search is beside it, and where the search is.

import { button, el, setText } from '../../js/dom.js';
import { onLanguage, t } from '../../js/i18n.js';
import { onReachable } from '../../js/port.js';
import { hush, sheet, toast } from '../../js/sheets.js';
import { inStep } from '../../trace/compare.js';
import { openPlaceHelp, withTraceWords } from '../../trace/common.js';
import { createPlayer } from '../../trace/player.js';
import { createPresent } from '../../trace/present.js';
import { cellText, closed } from '../../trace/sentence.js';
import { forgetText } from './ask.js';
import { hasArrived, summaryOf } from './figures.js';
import { initFiles } from './files.js';
import { fileText } from './formats.js';
import { flushKept, initKept, openKept } from './kept.js';
import { openLink } from './links.js';
import { mapCard } from './map-card.js';
import { wallsOf } from './map.js';
import { activeEntry, activeNumber, entriesNow, holdPaths, initPanes, isCarrying, lookAt, paneOf, redoPainting, scaleView, scenes, seek, undoPainting, view } from './panes.js';
import { paintCard } from './paint-card.js';
import { rulesCard, runsCard } from './rules-card.js';
import * as runner from './runner.js';
import { on, state } from './state.js';
import { initTheme } from './theme.js';
import { tourStrip } from './tour.js';
import { whereCard } from './where-card.js';

export const title = 'paths.title.page';
export const styles = ['trace/trace.css', 'places/paths/paths.css'];
export const words = withTraceWords((language) => import(`./${language}.js`));

/** Where there is no room beside the map; the style sheet says the same. */
const NARROW = matchMedia('(max-width: 859px), (max-height: 499px)');
/** A narrow screen that is high enough for the code below the map. */
const UPRIGHT = matchMedia('(max-width: 859px) and (min-height: 500px)');
const STILL = matchMedia('(prefers-reduced-motion: reduce)');

let player = /** @type {any} */ (null);
let present = /** @type {any} */ (null);
let timeline = /** @type {any} */ (null);
let shown = false;
/** Whether the search is to be played from its beginning when it is there. */
let eager = false;
/** Whether the player is being given other searches. */
let loading = false;
let where = /** @type {any} */ (null);
let summary = /** @type {any} */ (null);
let tour = /** @type {any} */ (null);
let playerBox = /** @type {any} */ (null);
/** @type {HTMLElement} */
let place;
/** The notice that nobody answers: it goes when somebody does. @type {HTMLElement | null} */
let away = null;

function run() {
  playSoon();
  runner.want('all');
}

/** Plays the next search from its beginning, unless motion is reduced. */
function playSoon() {
  eager = !STILL.matches;
  hold(eager);
}

/** Holds back what was found, or shows it. @param {boolean} is */
function hold(is) {
  holdPaths(is);
  tellSearches();
}

/** All recordings are there: they are shown at their end, or played. */
function load() {
  const recs = runner.all().flatMap(({ search }) => search?.rec ?? []);
  // One search can be followed event by event; several go expansion by expansion.
  timeline = recs.length === 1 ? { ...recs[0], positionOf: (/** @type {any} */ _, /** @type {number} */ k) => k } : inStep(recs);
  playerBox.classList.toggle('several', recs.length !== 1);
  player.load(timeline);
  // After painting, screen readers hear what was painted; the search's position is announced only to those who move along it.
  loading = true;
  if (eager && !isCarrying()) player.play();
  else player.seek(timeline.length);
  [eager, loading] = [false, false];
  holdPaths(false);
  where.show();
  tellAll();
}

/** Nothing is recorded of what stands there now: there is nothing to play. */
function unload() {
  hold(false);
  if (runner.all().some(({ search }) => search)) return;
  timeline = null;
  place.classList.remove('stepping');
  player.load(null);
  where.show();
}

function move(/** @type {number} */ n) {
  if (!timeline) return;
  place.classList.toggle('stepping', n < timeline.length);
  seek(timeline, n);
  tellSearches();
  where.show({ aloud: !loading && !player?.playing && !isCarrying(), playing: player?.playing });
}

let about = '';

function tellAll() {
  const { map } = state;
  about = map.kind === 'graph' ? t('paths.summary.graph', { nodes: map.names.length, edges: map.edges.length, count: map.goals.length, start: map.names[map.start] ?? '–', goals: map.goals.map((/** @type {number} */ goal) => map.names[goal]).join(t('trace.list')) })
    : t('paths.summary.map', { rows: map.rows, cols: map.cols, walls: wallsOf(map), count: map.goals.length, start: spot(map, map.start), goals: map.goals.map((/** @type {number} */ goal) => spot(map, goal)).join(t('paths.between')) });
  tellSearches();
}

/** The state of the searches, after the description of the map. */
const tellSearches = () => setText(summary, closed([about, ...entriesNow().map(summaryOf)].filter(Boolean).join(' ')));

const spot = (/** @type {{ cols: any }} */ map, /** @type {number} */ cell) => (cell < 0 ? '–' : cellText(cell, map.cols));

/** The map as text, with the path on it where the search has come to it: for readers, and to be copied. */
function openText() {
  const { map } = state;
  const entry = activeEntry();
  const path = (entry && hasArrived(entry) && entry.path) || [];
  const text = map.kind === 'graph' ? path.map((node) => map.names[node]).join(' → ') : drawn(map, path);
  sheet(t('paths.text'), [el('p', {}, summary.textContent), text && el('pre', { className: 'as-text', tabIndex: 0, id: 'paths-as-text' }, text)], { kind: 'wide' });
}

function drawn(/** @type {{ rows: number, cols: number }} */ map, /** @type {number[]} */ path) {
  const lines = fileText(map).trimEnd().split('\n');
  const [head, rows] = [lines.slice(0, lines.length - map.rows), lines.slice(-map.rows).map((/** @type {any} */ row) => [...row.replace(/ /g, '')])];
  for (const cell of path) rows[Math.floor(cell / map.cols)][cell % map.cols] = '*';
  return [...head, ...rows.map((/** @type {any} */ row) => row.join(''))].join('\n');
}

/** On a phone, what is beside the map is lent to a sheet. @param {any} aside @param {string} key */
function openAside(aside, key) {
  const dialog = sheet(t(key), aside, { kind: 'wide paths-sheet' });
  // Following a link closes the sheet, too.
  dialog.addEventListener('click', (/** @type {any} */ event) => { if (event.target instanceof Element && event.target.closest('a[data-place]')) dialog.close(); });
}

function bar(/** @type {{ key: any, symbol: any, does: any }[]} */ parts) {
  const nav = el('nav', { className: 'bar', 'data-t-label': 'bar.label' });
  onLanguage(() => nav.replaceChildren(...parts.map(({ key, symbol, does }) => el('button', { type: 'button', onclick: does, id: `paths-bar-${symbol}` }, button('', () => {}, { symbol }).querySelector('svg'), el('span', {}, t(key))))));
  return el('div', { className: 'foot' }, nav);
}

export async function mount(/** @type {HTMLElement} */ root) {
  place = root;
  initTheme(root);
  summary = el('p', { id: 'paths-summary', className: 'unseen' });
  const host = el('div', { className: 'panes' });
  playerBox = el('div', { className: 'player card', id: 'paths-player' });
  const paint = paintCard({ openText });
  const left = el('div', { className: 'aside-body' }, mapCard(), rulesCard());
  where = whereCard();
  const right = el('div', { className: 'aside-body' }, runsCard({ onRun: run }), where.card);
  tour = tourStrip({ onStep: playSoon });
  const middle = el('div', { className: 'paths-middle' }, tour.strip, host, playerBox,
    bar([{ key: 'paths.run', symbol: 'play', does: run }, { key: 'paths.map', symbol: 'whole', does: () => openAside(left, 'paths.map') }, { key: 'paths.search', symbol: 'settings', does: () => openAside(right, 'paths.search') }, { key: 'paths.tour.short', symbol: 'hint', does: () => tour.start() }, { key: 'share.link', symbol: 'share', does: openLink }]));
  const leftAside = el('aside', { className: 'paths-left', 'data-t-label': 'paths.what' }, paint, left);
  const rightAside = el('aside', { className: 'paths-right', 'data-t-label': 'paths.where' }, right);
  root.append(el('h1', { className: 'unseen', tabIndex: -1, 'data-t': 'paths.title' }), summary, el('p', { id: 'paths-how', className: 'unseen', 'data-t': 'paths.how' }), leftAside, middle, rightAside);
  // Brushes are always at hand: above the map where there is no room beside it.
  // The code is on one screen with the map and the sentence, too.
  const settle = () => {
    if (present?.isOn) return;
    if (NARROW.matches) middle.prepend(paint);
    else leftAside.prepend(paint);
    if (UPRIGHT.matches) host.after(where.text);
    else where.shapes.before(where.text);
  };
  for (const media of [NARROW, UPRIGHT]) media.addEventListener('change', settle);
  settle();
  playerBox.append(where.low);
  player = createPlayer(playerBox, null, { onMove: move, onPresent: () => present.enter() }, { name: 'paths-player' });
  present = createPresent(root, {
    parts: () => ({ stage: [host], said: where.told, bar: playerBox, pages: [[where.text, where.waiting], [where.counts, where.shapes]] }),
    player: () => player, actions, look: lookAt, zoom: scaleView, onLeave: settle,
  });
  on(['ground', 'map'], forgetText);
  runner.on('recordings', load);
  runner.on('answers', (number) => {
    if (runner.current().some(({ answer }) => answer)) away?.remove();
    if (number === undefined && !isCarrying()) tellAll();
  });
  runner.on('trouble', () => { away = toast(() => t('paths.away'), { label: () => t('again'), run }); unload(); });
  onReachable((/** @type {any} */ is) => { if (is && shown) runner.want('all'); });
  initPanes(host);
  initFiles(root, { isShown: () => shown });
  document.addEventListener('keydown', (event) => { if (shown && !event.defaultPrevented && !present.key(event)) player.key(event); });
  initKept({ isShown: () => shown, isBusy: isCarrying });
  onLanguage(tellAll);
  if (!(await openKept({ first: true }))) runner.want('all');
}

export function enter() {
  const back = !shown;
  shown = true;
  if (!back || !player) return;
  void openKept();
  // If the place was left during a request, there is no answer yet.
  runner.wantMissing();
}

export function leave() {
  flushKept();
  hush();
  shown = false;
  present.leave();
  player.pause();
  runner.cancel();
}

export const focus = () => null;

/** @type {Record<string, () => void>} */
export const actions = { undo: undoPainting, redo: redoPainting, help: () => openPlaceHelp('paths.help', ['paths.help.text', 'paths.how']) };

/** For tests: what is on the page. */
export const inspect = () => ({ state, entries: runner.all(), scene: scenes(), present, pane: paneOf(activeNumber()), view: view.view, player, busy: runner.isBusy(), cheapest: runner.cheapestCost() });
