// Speed-solving: times to the millisecond, averages and the solves of the sitting beside the board, time to look, and
// solving by pointing.

import { $, button, el, setText } from '../js/dom.js';
import { showTimesAs } from '../js/hud.js';
import { addWords, onLanguage, t } from '../js/i18n.js';
import { isClassic } from '../js/pictures.js';
import { styled } from '../js/places.js';
import { pref, setPref } from '../js/prefs.js';
import { recordOf, removeRecord, restoreRecord } from '../js/records.js';
import * as session from '../js/session.js';
import { announce, toast } from '../js/sheets.js';
import { flush } from '../js/sync.js';
import { openScramble, openSolve } from './details.js';
import { setHover } from './hover.js';
import { inspect, secondsLeft, stop } from './inspection.js';
import { exactText } from './notation.js';
import { optionsPart } from './options.js';
import { clearResult, draw as drawResult, forgetResult, showResult } from './result.js';
import { addSolve, allSolves, dropSolve, dropSolves, figures, loadSolves, onSolvesElsewhere, restoreSolves, solveRate } from './sitting.js';

await Promise.all([addWords((name) => import(`./${name}.js`)), styled('/classic/classic.css')]);

const TICK_MILLIS = 33;
const LOOK = 'builtin:rows';

const set = (change) => setPref('classic', { ...pref('classic'), ...change });

/** The panel, once it was made. @type {HTMLElement | null} */
let panel = null;

/** Begins or ends the speed-solving. */
export const toggle = () => (pref('classic').on ? hide() : begin());

async function begin() {
  const { picture } = session.current();
  set({ on: true, before: isClassic(picture) ? undefined : picture });
  if (!isClassic(picture)) session.setPicture(LOOK);
  await show();
  // Under the board it may lie below the fold: whoever has just asked for it sees it.
  if (isNarrow()) panel?.scrollIntoView({ block: 'start' });
  announce(t('classic.begun'));
}

/** Shows the panel. */
export async function show() {
  panel ??= make();
  place();
  $('open-classic').setAttribute('aria-pressed', 'true');
  showTimesAs(exactText, TICK_MILLIS);
  setHover(pref('classic').hover);
  await loadSolves();
  draw();
  look();
}

function hide() {
  const { before } = pref('classic');
  set({ on: false, before: undefined });
  stop(line);
  setHover(false);
  forgetResult();
  panel?.remove();
  lift(false);
  $('open-classic').setAttribute('aria-pressed', 'false');
  showTimesAs();
  if (before && isClassic(session.current().picture)) session.setPicture(before);
}

function make() {
  const made = el('section', { className: 'card classic', id: 'classic', 'aria-labelledby': 'classic-head' });
  session.on('won', won);
  session.on('game', shown);
  session.on('phase', () => { if (active()) { look(); line(); clearResult(); } });
  session.on('records', reload);
  onSolvesElsewhere(() => void reload());
  addEventListener('resize', () => { if (active()) place(); });
  onLanguage(() => { if (active()) { draw(); drawResult(); } });
  return made;
}

/** Shows what is kept now: another tab may have added solves, or begun another sitting. */
async function reload() {
  if (!active()) return;
  await loadSolves();
  draw();
}

/** The kind of board for which the panel was drawn. */
let drawn = '';

/** Another game: only one of another kind has other figures. */
function shown() {
  if (!active()) return;
  forgetResult();
  if (drawn !== session.current().category) draw();
  look();
  line();
}

const active = () => panel !== null && pref('classic').on;

/** Whether the rail lies in a sheet. */
const isNarrow = () => getComputedStyle($('rail')).display === 'none';

/** Beside the board where the rail is; under it where the rail lies in a sheet. */
function place() {
  const narrow = isNarrow();
  const host = $(narrow ? 'setup' : 'extras');
  if (panel && host.nextElementSibling !== panel) host.after(panel);
  lift(!narrow);
}

/** Brings what is pressed while solving up to the panel, above picture and size, so that it is in sight; or back to its own place. */
function lift(up) {
  const pressed = [...$('rail-body').querySelectorAll(':scope > .row:not(#extras)'), $('solver-side')];
  if (up && panel?.nextElementSibling !== pressed[0]) panel?.after(...pressed);
  else if (!up && $('rail-body').lastElementChild !== pressed.at(-1)) $('rail-body').append(...pressed);
}

const look = () => inspect(pref('classic').inspection ?? 0, line);

/** The game that was finished last, and the solve that it becomes. @type {{ game: any, solve: Promise<import('./sitting.js').Solve> } | null} */
let latest = null;

async function won() {
  const game = session.keepClock();
  if (!active() || game.replay) return;
  latest = { game, solve: addSolve(game) };
  await latest.solve;
  draw();
}

/** Shows what a finished game was, with the records that it set. */
export async function tell(game, records) {
  if (!active() || !latest || latest.game !== game) return;
  const { id } = await latest.solve;
  const list = here();
  const at = list.findIndex((solve) => solve.id === id);
  if (at >= 0 && session.current() === game && game.solved) showResult(list[at], records, list.slice(0, at + 1), list[at].millis !== game.millis || list[at].moves !== game.count);
}

/** The solves of the kind of board on the table, with their numbers. */
const here = () => allSolves().filter(({ category }) => category === session.current().category);

function draw() {
  const list = here();
  const { rows, cols, category } = session.current();
  const focused = panel?.contains(document.activeElement) ? document.activeElement?.id : '';
  drawn = category;
  panel?.replaceChildren(
    el('h2', { id: 'classic-head' }, t('classic.head', { size: `${rows}×${cols}` })),
    el('p', { className: 'classic-line', id: 'classic-line' }),
    table(figures(list)),
    solveList(list),
    el('div', { className: 'row classic-acts' }, button(t('classic.scrambleShort'), openScramble, { id: 'classic-scramble-now' }), button(t('classic.anew'), anew, { id: 'classic-anew', disabled: allSolves().length === 0 })),
    optionsPart({ changed: () => { setHover(pref('classic').hover); look(); }, set, solves: allSolves }));
  line();
  if (focused) $(focused)?.focus();
}

/** What is left of the time to look, or how the last solve was. */
function line() {
  const node = $('classic-line');
  if (!node) return;
  const left = secondsLeft();
  const last = here().at(-1);
  caption(left);
  node.classList.toggle('looking', left !== null);
  if (left !== null) setText(node, t('classic.looking', { n: left }));
  else setText(node, last ? t(last.out ? 'classic.lastOut' : 'classic.last', { time: exactText(last.millis), count: last.moves, rate: solveRate(last) }) : next());
}

/** What starts the clock; nothing where it has begun. */
function next() {
  if (!session.current().running) return t('classic.none');
  return session.phase() === 'shuffled' ? t('caption.ready') : '';
}

/** Whether the caption says how long one may look. */
let captioned = false;

/** While somebody looks, the caption below the board counts it down, for the panel may lie below the fold; then it is the game's again. */
function caption(left) {
  if (left !== null) setText($('caption'), t('classic.lookingThen', { n: left }));
  else if (captioned) showTimesAs(exactText, TICK_MILLIS);
  captioned = left !== null;
}

function table({ counted, last, best, mean, averages }) {
  const time = (millis) => (millis === null ? '–' : exactText(millis));
  const row = (id, name, now, top) => el('tr', {}, el('th', { scope: 'row' }, name), el('td', { id: `classic-${id}` }, now), el('td', { id: `classic-${id}-best` }, top));
  return el('table', { className: 'classic-table' },
    el('thead', {}, el('tr', {}, el('td', {}), el('th', { scope: 'col' }, t('classic.now')), el('th', { scope: 'col' }, t('hud.best')))),
    el('tbody', {}, row('single', t('classic.single'), time(last), time(best)),
      averages.map(({ n, now, best: top }) => row(`ao${n}`, t('classic.ao', { n }), time(now), time(top))),
      row('mean', t('classic.mean'), time(mean), t('classic.counted', { n: counted }))));
}

function solveList(list) {
  const rows = list.map((solve, i) => el('li', {}, el('button', { type: 'button', className: solve.out ? 'out' : '', onclick: () => openSolve(solve, i + 1, () => drop(solve)) },
    el('span', { className: 'muted' }, `${i + 1}`), el('b', {}, exactText(solve.millis)), el('span', {}, t('moves', { count: solve.moves })), el('span', { className: 'muted' }, solve.out ? t('classic.outShort') : t('classic.rate', { rate: solveRate(solve) })))));
  return el('ol', { className: 'classic-list', id: 'classic-list', 'aria-label': t('classic.list'), hidden: rows.length === 0 }, rows.reverse());
}

/** Says that solves were taken out, with the record of one; one press brings all of it back. */
function removed(list, text, record = null) {
  const bringBack = async () => {
    await restoreSolves(list);
    if (record) await restoreRecord(record);
    draw();
    void flush();
  };
  draw();
  toast(text, { label: () => t('do.undo'), run: bringBack });
  void flush();
}

/** Deletes a solve and the record that it set: a time that is not to count counts nowhere. */
async function drop(solve) {
  const record = recordOf(solve.game);
  await dropSolve(solve);
  if (record) await removeRecord(record);
  removed([solve], () => t(record ? 'classic.droppedRecord' : 'classic.dropped'), record);
}

/** Begins another sitting: the list is empty, in every tab, and the records stay. */
const anew = async () => removed(await dropSolves(), () => t('classic.cleared'));
