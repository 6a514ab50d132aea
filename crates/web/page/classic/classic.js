// Speed-solving: times to the millisecond, averages and the solves of the sitting beside the board, time to look, and
// solving by pointing.

import { $, button, download, el, setText } from '../js/dom.js';
import { replay } from '../js/film.js';
import { lendCaption, showTimesAs } from '../js/hud.js';
import { onLanguage, t, when, whole } from '../js/i18n.js';
import { builtinName, CLASSIC, isClassic } from '../js/pictures.js';
import { pref, setPref } from '../js/prefs.js';
import { leftOutOf } from '../js/scoring.js';
import { port } from '../js/port.js';
import { recordOf, removeRecord, restoreRecord } from '../js/records.js';
import { reversed } from '../js/rules.js';
import { problemOf } from '../js/search.js';
import * as session from '../js/session.js';
import { copyText } from '../js/share.js';
import { announce, sheet, toast } from '../js/sheets.js';
import { flush } from '../js/sync.js';
import { thumbButton } from '../js/thumbs.js';
// What draws the numbers comes with Classic: the server may be away when they are wanted.
import '../paint/plain.js';
import { inspect, secondsLeft, setHover, stop } from './inspection.js';
import { exactText, notation, positionText } from './notation.js';
import { clearResult, draw as drawResult, forgetResult, showResult } from './result.js';
import { addSolve, allSolves, csvOf, dropSolve, dropSolves, figures, gameOf, jsonOf, KEPT, loadSolves, onSolvesElsewhere, restoreSolves, solveRate } from './sitting.js';
/** @import { Solve } from './sitting.js' */

const TICK_MILLIS = 33;
const LOOK = 'builtin:rows';
/** The time for the moves of a scramble, in seconds: they need not be the fewest. */
const SCRAMBLE_SECONDS = 0.5;

const set = (/** @type {any} */ change) => setPref('classic', { ...pref('classic'), ...change });

/** The panel, once it was made. @type {HTMLElement | null} */
let panel = null;

export const toggle = () => (pref('classic').on ? hide() : begin());

async function begin() {
  const { picture } = session.current();
  set({ on: true, before: isClassic(picture) ? undefined : picture });
  if (!isClassic(picture)) session.setPicture(LOOK);
  await show();
  announce(t('classic.begun'));
}

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

const isNarrow = () => getComputedStyle($('rail')).display === 'none';

/** Beside the board where the rail is; under it where the rail lies in a sheet. */
function place() {
  const narrow = isNarrow();
  const host = $(narrow ? 'setup' : 'extras');
  if (panel && host.nextElementSibling !== panel) host.after(panel);
  lift(!narrow);
}

/** Brings what is pressed while solving up to the panel, above picture and size, so that it is in sight; or back to its own place. @param {boolean} up */
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

/** Shows what a finished game was, with the records that it set. @param {import('../js/game.js').Game} game @param {{ time: boolean, moves: boolean } | null} records */
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
    optionsPart(() => { setHover(pref('classic').hover); look(); }));
  line();
  if (focused) $(focused)?.focus();
}

/** The rest of the inspection time, or the last solve. */
function line() {
  const node = $('classic-line');
  if (!node) return;
  const left = secondsLeft();
  const last = here().at(-1);
  lendCaption(looking);
  node.classList.toggle('looking', left !== null);
  if (left !== null) setText(node, t('classic.looking', { n: left }));
  else setText(node, last ? t(last.out ? 'classic.lastOut' : 'classic.last', { time: exactText(last.millis), count: last.moves, rate: solveRate(last) }) : next());
}

/** Says what starts the clock, until it has started. */
function next() {
  if (!session.current().running) return t('classic.none');
  return session.phase() === 'shuffled' ? t('caption.ready') : '';
}

/** While somebody looks, the caption below the board counts it down, for the panel may lie below the fold. */
const looking = () => (active() && secondsLeft() !== null ? t('classic.lookingThen', { n: secondsLeft() }) : null);

function table(/** @type {ReturnType<typeof figures>} */ { counted, last, best, mean, averages }) {
  const time = (/** @type {number | null} */ millis) => (millis === null ? '–' : exactText(millis));
  const row = (/** @type {string} */ id, /** @type {string} */ name, /** @type {string} */ now, /** @type {string} */ top) => el('tr', {}, el('th', { scope: 'row' }, name), el('td', { id: `classic-${id}` }, now), el('td', { id: `classic-${id}-best` }, top));
  return el('table', { className: 'classic-table' },
    el('thead', {}, el('tr', {}, el('td', {}), el('th', { scope: 'col' }, t('classic.now')), el('th', { scope: 'col' }, t('hud.best')))),
    el('tbody', {}, row('single', t('classic.single'), time(last), time(best)),
      averages.map(({ n, now, best: top }) => row(`ao${n}`, t('classic.ao', { n }), time(now), time(top))),
      row('mean', t('classic.mean'), time(mean), t('classic.counted', { n: counted }))));
}

function solveList(/** @type {Solve[]} */ list) {
  const rows = list.map((solve, i) => el('li', {}, el('button', { type: 'button', className: solve.out ? 'out' : '', onclick: () => openSolve(solve, i + 1, () => drop(solve)) },
    el('span', { className: 'muted' }, `${i + 1}`), el('b', {}, exactText(solve.millis)), el('span', {}, t('moves', { count: solve.moves })), el('span', { className: 'muted' }, solve.out ? t('classic.outShort') : t('classic.rate', { rate: solveRate(solve) })))));
  return el('ol', { className: 'classic-list', id: 'classic-list', 'aria-label': t('classic.list'), hidden: rows.length === 0 }, rows.reverse());
}

/** Says that solves were taken out, with the record of one; one press brings all of it back. @param {Solve[]} list @param {() => string} text */
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

/** Deletes a solve and the record that it set: a time that is not to count counts nowhere. @param {Solve} solve */
async function drop(solve) {
  const record = recordOf(solve.game);
  await dropSolve(solve);
  if (record) await removeRecord(record);
  removed([solve], () => t(record ? 'classic.droppedRecord' : 'classic.dropped'), record);
}

/** Begins another sitting: the list is empty, in every tab, and the records stay. */
const anew = async () => removed(await dropSolves(), () => t('classic.cleared'));

const INSPECTION = [0, 8, 15];

/** Whether the options are unfolded: the panel is redrawn with each solve. */
let open = false;

/** @param {() => void} changed */
function optionsPart(changed) {
  const { inspection = 0, hover = false } = pref('classic');
  const check = (/** @type {string} */ id, /** @type {string} */ label, /** @type {boolean} */ checked, /** @type {(on: boolean) => void} */ onCheck) => el('label', { className: 'option' }, el('input', { type: 'checkbox', id, checked, onchange: (/** @type {{ target: HTMLInputElement }} */ event) => { onCheck(event.target.checked); changed(); } }), label);
  const radio = (/** @type {number} */ seconds) => el('label', { className: 'option' }, el('input', { type: 'radio', name: 'inspection', value: seconds, checked: seconds === inspection, onchange: () => { set({ inspection: seconds }); changed(); } }), seconds ? t('seconds', { n: seconds }) : t('classic.off'));
  const save = (/** @type {string} */ name, /** @type {string} */ type, /** @type {(solves: Solve[]) => string} */ text) => button(name, () => download(new Blob([text(allSolves())], { type }), `pintu-solves.${name.toLowerCase()}`), { id: `classic-${name.toLowerCase()}`, disabled: allSolves().length === 0 });
  return el('details', { className: 'classic-options', id: 'classic-options', open, ontoggle: (/** @type {{ target: HTMLDetailsElement }} */ event) => { open = event.target.open; } }, el('summary', {}, t('classic.options')),
    el('div', { className: 'classic-looks', role: 'group', 'aria-label': t('classic.looks') }, CLASSIC.map(lookButton)),
    el('fieldset', { className: 'options classic-inspection' }, el('legend', {}, t('classic.inspection')), INSPECTION.map(radio)),
    matchMedia('(hover: hover)').matches && check('classic-hover', t('classic.hover'), hover, (on) => set({ hover: on })),
    check('classic-invert', t('settings.invert'), pref('invert'), (on) => setPref('invert', on)),
    el('p', { className: 'muted' }, t('classic.rules', { n: leftOutOf(50), most: whole(KEPT) })),
    el('p', { className: 'muted' }, t('classic.keys')),
    el('div', { className: 'row classic-acts' }, save('CSV', 'text/csv', csvOf), save('JSON', 'application/json', jsonOf)));
}

/** A look of the numbers; which one is chosen is seen at once. @param {string} name */
function lookButton(name) {
  const node = thumbButton(name, () => {
    session.setPicture(`builtin:${name}`);
    for (const other of node.parentElement.children) other.setAttribute('aria-pressed', String(other === node && builtinName(session.current().picture) === name));
  });
  return node;
}

function field(/** @type {string} */ key, /** @type {string} */ text, /** @type {string} */ id) {
  const input = el('textarea', { id, className: 'classic-field', readOnly: true, rows: Math.min(4, Math.ceil(text.length / 44)), value: text, onfocus: () => input.select() });
  return el('div', { className: 'classic-copy' }, el('label', { for: id }, t(key)), input, button(t('classic.copy'), () => copyText(input), { id: `${id}-copy` }));
}

/** Moves that bring a whole board to the start: a solution read backwards, so only for games that are over. Where the solver does not answer, they are left out. @param {import('../js/game.js').Game} game */
function scrambleField(game) {
  const node = el('p', { className: 'muted' }, t('solve.none'));
  const fillIn = (/** @type {any} */ { moves }) => node.replaceWith(field('classic.scramble', notation(reversed(moves)), 'classic-scramble'));
  port.hint(problemOf(game.fromStart(), { algorithm: 'auto', limits: { seconds: SCRAMBLE_SECONDS } })).promise.then(fillIn).catch(() => node.remove());
  return node;
}

function openSolve(/** @type {Solve} */ solve, /** @type {number} */ number, /** @type {() => void} */ remove) {
  const game = gameOf(solve);
  const dialog = sheet(t('classic.solve', { n: number, time: exactText(solve.millis) }), [
    el('p', { className: 'muted' }, [solve.category.replace('x', '×').replace(/\+.*/, ''), t('moves', { count: solve.moves }), t('classic.rate', { rate: solveRate(solve) }), when(solve.when)].join(' · ')),
    solve.out && el('p', { className: 'muted', id: 'classic-out' }, t(`classic.out.${solve.out}`)),
    field('classic.position', positionText(solve.game.start, solve.game.cols), 'classic-position'),
    scrambleField(game),
    field('classic.solution', notation(solve.game.moves), 'classic-solution'),
    el('p', { className: 'muted' }, t('classic.notation')),
    el('div', { className: 'actions' }, button(t('win.replay'), () => { dialog.close(); replay(solve.game); }, { id: 'classic-replay' }),
      button(t('classic.drop'), () => { dialog.close(); remove(); }, { kind: 'danger', id: 'classic-drop' })),
  ]);
}

/** The scramble on the table. While it is being solved only its position is told: moves to it would be a solution. */
function openScramble() {
  const game = session.current();
  sheet(t('classic.scrambleNow'), [field('classic.position', positionText([...game.start], game.cols), 'classic-position'),
    game.solved && !game.fresh && scrambleField(game),
    el('p', { className: 'muted' }, t(game.solved ? 'classic.notation' : 'classic.onlyPosition'))]);
}
