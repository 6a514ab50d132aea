// The sheet in which a board's shape is chosen: its sides, where the gap ends up, and which rows and columns wrap.

import { el, icon } from './dom.js';
import { t } from './i18n.js';
import { MAX_SIDE, MIN_SIDE, sameCell, wrapsLeft } from './rules.js';
import { sheet } from './sheets.js';

/**
 * @typedef {{ rows: number, cols: number, wrapRows: number[], wrapCols: number[] }} Shape
 */

/**
 * Opens the sheet, with a board's shape as it is now; `use` is given the one that is chosen. Where the gap's cell is given, it is chosen, too.
 * @param {Shape} board
 * @param {(board: Shape & { blank?: number }) => void} use
 * @param {number | null} [blank]
 */
export function openShape(board, use, blank = null) {
  const side = (/** @type {string} */ key, /** @type {string} */ id, /** @type {number} */ value) => stepper(key, { id, value, changed: () => refresh() });
  const [rows, cols] = [side('size.rows', 'custom-rows', board.rows), side('size.cols', 'custom-cols', board.cols)];
  const wraps = el('div', { className: 'wrap-lines' });
  const gap = blank === null ? null : gapPart(blank, board);
  const chosen = { rows: new Set(board.wrapRows), cols: new Set(board.wrapCols) };
  const lines = (/** @type {'rows' | 'cols'} */ kind, /** @type {number} */ count, /** @type {number} */ length) => el('fieldset', { className: 'options' }, el('legend', {}, t(`size.wrap.${kind}`)),
    length < 3 ? el('p', { className: 'muted' }, t('size.wrap.short')) : el('div', { className: 'wrap-grid' }, Array.from({ length: count }, (_, i) => el('label', {},
      el('input', { type: 'checkbox', checked: chosen[kind].has(i), onchange: (/** @type {{ target: HTMLInputElement }} */ event) => chosen[kind][event.target.checked ? 'add' : 'delete'](i) }), String(i + 1)))));
  const refresh = () => {
    wraps.replaceChildren(lines('rows', rows.read(), cols.read()), lines('cols', cols.read(), rows.read()));
    gap?.fit(rows.read(), cols.read());
  };
  refresh();
  const form = el('form', { className: 'sheet-form', onsubmit: (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const [r, c] = [rows.read(), cols.read()];
    dialog.close();
    use({ rows: r, cols: c, wrapRows: wrapsLeft(chosen.rows, r, c), wrapCols: wrapsLeft(chosen.cols, c, r), ...(gap ? { blank: gap.read() } : {}) });
  } },
  el('div', { className: 'size-form' }, rows.node, cols.node), el('p', { className: 'muted' }, t('size.range')), gap?.node,
  el('details', { open: board.wrapRows.length + board.wrapCols.length > 0 || !gap }, el('summary', {}, t('size.wrap')), el('div', { className: 'sheet-body' }, el('p', { className: 'muted' }, t('size.wrap.help')), wraps)),
  el('div', { className: 'actions' }, el('button', { type: 'submit', className: 'button filled' }, t('size.use'))));
  // Where there is no keyboard, one would rise over the sheet.
  const dialog = sheet(t('size.custom.title'), form, { focus: matchMedia('(pointer: coarse)').matches ? null : rows.input });
}

/**
 * A number of rows or columns with a button on either side, each large enough for a finger. `key` names its words: its own, `key.minus` and `key.plus`.
 * @param {string} key @param {{ id: string, value: number, changed: () => void }} field
 */
function stepper(key, { id, value, changed }) {
  const input = el('input', { id, type: 'number', min: MIN_SIDE, max: MAX_SIDE, value, inputMode: 'numeric', required: true, oninput: changed });
  const read = () => Math.min(MAX_SIDE, Math.max(MIN_SIDE, Math.round(Number(input.value)) || MIN_SIDE));
  const turn = (/** @type {string} */ symbol, /** @type {number} */ by) => el('button', { type: 'button', className: 'small', 'aria-label': t(`${key}.${symbol}`), onclick: () => {
    input.value = String(read() + by);
    input.value = String(read());
    changed();
  } }, icon(symbol));
  return { node: el('div', { className: 'stepper' }, el('label', { for: id }, t(key)), turn('minus', -1), input, turn('plus', 1)), input, read };
}

/** The choice of the cell in which the gap ends up: nothing is done with it before the whole form is used. @param {number} blank @param {Shape} board */
function gapPart(blank, board) {
  let [picked, { rows, cols }] = [blank, board];
  let from = { rows, cols };
  let chosen = blank;
  const grid = el('div', { className: 'blank-grid', id: 'blank-grid', role: 'radiogroup', 'aria-label': t('blank.head'), onkeydown: keys });
  function draw() {
    const isHeld = grid.contains(document.activeElement);
    grid.style.setProperty('--across', cols);
    grid.replaceChildren(...Array.from({ length: rows * cols }, (_, cell) => el('button', {
      type: 'button', role: 'radio', 'aria-checked': String(cell === chosen), tabIndex: cell === chosen ? 0 : -1,
      'aria-label': t('blank.cell', { row: Math.floor(cell / cols) + 1, col: (cell % cols) + 1 }), onclick: () => choose(cell),
    })));
    if (isHeld) grid.children[chosen].focus();
  }
  function choose(/** @type {number} */ cell) {
    [chosen, picked, from] = [cell, cell, { rows, cols }];
    draw();
  }
  function keys(/** @type {KeyboardEvent} */ event) {
    const [row, col] = [Math.floor(chosen / cols), chosen % cols];
    const to = { ArrowUp: [row - 1, col], ArrowDown: [row + 1, col], ArrowLeft: [row, col - 1], ArrowRight: [row, col + 1], Home: [0, 0], End: [rows - 1, cols - 1] }[event.key];
    if (!to) return;
    event.preventDefault();
    if (to[0] >= 0 && to[0] < rows && to[1] >= 0 && to[1] < cols) choose(to[0] * cols + to[1]);
  }
  return {
    node: el('div', { className: 'blank-part' }, el('h3', {}, t('blank.head')), grid),
    read: () => chosen,
    /** A board of another size: what was picked is remembered on the board it was picked on, for a size is typed figure by figure. */
    fit(/** @type {number} */ toRows, /** @type {number} */ toCols) {
      [rows, cols] = [toRows, toCols];
      chosen = sameCell(picked, from, { rows, cols });
      draw();
    },
  };
}
