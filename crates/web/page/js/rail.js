// The rail: sizes, the blank, and the sheet in which it lies on a narrow screen.

import { reshape, setBlank } from './deals.js';
import { $, el, refill } from './dom.js';
import { onLanguage, t } from './i18n.js';
import { part } from './later.js';
import { setPref } from './prefs.js';
import { wraps } from './rules.js';
import * as session from './session.js';
import { sheet, toast } from './sheets.js';

const PRESETS = [['low', 3], ['medium', 4], ['high', 5]];

export const setSize = (side) => changeShape(side, side);

function changeShape(rows, cols, wrapRows = [], wrapCols = []) {
  const { board } = session.current();
  const same = board.rows === rows && board.cols === cols && `${board.wrapRows}|${board.wrapCols}` === `${wrapRows}|${wrapCols}`;
  if (!same) reshape(rows, cols, wrapRows, wrapCols);
}

function drawSizes() {
  const { rows, cols, board } = session.current();
  const preset = !wraps(board) && rows === cols && rows >= 3 && rows <= 5 ? rows : 0;
  const choice = (name, detail, pressed, run) => el('button', { type: 'button', 'aria-pressed': String(pressed), onclick: run }, name, ' ', el('small', {}, detail));
  refill($('sizes'),
    ...PRESETS.map(([name, side]) => choice(t(`size.${name}`), `${side}×${side}`, preset === side, () => setSize(side))),
    choice(t('size.custom'), preset ? '…' : `${rows}×${cols}`, !preset, customSheet));
}

function drawBlanks() {
  const { rows, cols, blank } = session.current();
  const grid = $('blank-grid');
  const held = grid.contains(document.activeElement);
  grid.style.gridTemplate = `repeat(${rows}, 1fr) / repeat(${cols}, 1fr)`;
  grid.replaceChildren(...Array.from({ length: rows * cols }, (_, cell) => el('button', {
    type: 'button', role: 'radio', 'aria-checked': String(cell === blank), tabIndex: cell === blank ? 0 : -1,
    'aria-label': t('blank.cell', { row: Math.floor(cell / cols) + 1, col: (cell % cols) + 1 }), onclick: () => chooseBlank(cell),
  })));
  if (held) grid.children[blank].focus();
}

/** Makes a cell the blank. */
export function chooseBlank(cell) {
  if (cell !== session.current().blank) setBlank(cell);
}

function blankKeys(event) {
  const { rows, cols, blank } = session.current();
  const [row, col] = [Math.floor(blank / cols), blank % cols];
  const to = { ArrowUp: [row - 1, col], ArrowDown: [row + 1, col], ArrowLeft: [row, col - 1], ArrowRight: [row, col + 1], Home: [0, 0], End: [rows - 1, cols - 1] }[event.key];
  if (!to) return;
  event.preventDefault();
  event.stopPropagation();
  if (to[0] >= 0 && to[0] < rows && to[1] >= 0 && to[1] < cols) chooseBlank(to[0] * cols + to[1]);
}

/** The sheet for custom sizes and for rows and columns that wrap. */
const customSheet = async () => (await part('shapes')).openShape(session.current().board, (board) => changeShape(board.rows, board.cols, board.wrapRows, board.wrapCols));

/** Closes the sheet in which the rail lies on a narrow screen. */
export const closeMore = () => /** @type {HTMLDialogElement | null} */ (document.querySelector('dialog.more'))?.close();

/** Opens that sheet. */
export async function openMore() {
  sheet(t('do.more'), $('rail-body'), { kind: 'more' });
  (await part('gap', { isAsked: false })).offerSteps();
}

/** The screens that are too small for a rail; the style sheets say the same. */
const NARROW = '(max-width: 859px), (max-height: 499px)';

/** Lays the page out for a narrow screen where it is one. */
function initNarrow() {
  const narrow = matchMedia(NARROW);
  const settle = async () => (await part('dock')).settle(narrow.matches);
  narrow.addEventListener('change', settle);
  if (narrow.matches) void settle();
}

/** Says that a game was put aside, and brings it back on demand, until the next one has its first move. */
function initKept() {
  /** @type {HTMLElement | null} */
  let note = null;
  session.on('put', ({ kept }) => { if (kept) note = toast(() => t('toast.kept'), { label: () => t('do.undo'), run: () => session.bringBack() }); });
  session.on('moved', ({ source }) => { if (source === 'player' && session.current().past.length === 1) note?.remove(); });
}

export function initRail() {
  session.on('game', () => { drawSizes(); drawBlanks(); });
  // What puts a game on the table shows it; the whole picture is still being set up.
  session.on('game', () => { if (!session.current().fresh) closeMore(); });
  session.follow(['game', 'picture'], () => { if (!session.current().replay) setPref('board', session.settings()); });
  initKept();
  onLanguage(() => { drawSizes(); drawBlanks(); });
  initNarrow();
  $('blank-grid').addEventListener('keydown', blankKeys);
  $('blank-last').addEventListener('click', () => chooseBlank(session.current().rows * session.current().cols - 1));
  $('blank-first').addEventListener('click', () => chooseBlank(0));
}
