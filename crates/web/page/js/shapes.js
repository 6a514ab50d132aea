// The sheet in which a board's shape is chosen: its sides, and which rows and columns wrap.

import { el } from './dom.js';
import { t } from './i18n.js';
import { MAX_SIDE, MIN_SIDE } from './rules.js';
import { sheet } from './sheets.js';
import { stepper } from './stepper.js';

/**
 * Opens the sheet, with a board's shape as it is now; `use` is given the one that is chosen.
 * @param {{ rows: number, cols: number, wrapRows: number[], wrapCols: number[] }} board
 * @param {(board: { rows: number, cols: number, wrapRows: number[], wrapCols: number[] }) => void} use
 */
export function openShape(board, use) {
  const { rows, cols } = board;
  const side = (key, id, value) => stepper(key, { id, value, least: MIN_SIDE, most: () => MAX_SIDE, changed: () => refresh() });
  const [rowsStep, colsStep] = [side('size.rows', 'custom-rows', rows), side('size.cols', 'custom-cols', cols)];
  const wraps = el('div', { className: 'wrap-lines' });
  const chosen = { rows: new Set(board.wrapRows), cols: new Set(board.wrapCols) };
  const lines = (kind, count, length) => el('fieldset', { className: 'options' }, el('legend', {}, t(`size.wrap.${kind}`)),
    length < 3 ? el('p', { className: 'muted' }, t('size.wrap.short')) : el('div', { className: 'wrap-grid' }, Array.from({ length: count }, (_, i) => el('label', {},
      el('input', { type: 'checkbox', checked: chosen[kind].has(i), onchange: (event) => chosen[kind][event.target.checked ? 'add' : 'delete'](i) }), String(i + 1)))));
  const refresh = () => wraps.replaceChildren(lines('rows', rowsStep.read(), colsStep.read()), lines('cols', colsStep.read(), rowsStep.read()));
  refresh();
  const kept = (set, count, length) => (length < 3 ? [] : [...set].filter((i) => i < count).sort((a, b) => a - b));
  const form = el('form', { className: 'sheet-form', onsubmit: (event) => {
    event.preventDefault();
    const [r, c] = [rowsStep.read(), colsStep.read()];
    dialog.close();
    use({ rows: r, cols: c, wrapRows: kept(chosen.rows, r, c), wrapCols: kept(chosen.cols, c, r) });
  } },
  el('div', { className: 'size-form' }, rowsStep.node, colsStep.node),
  el('p', { className: 'muted' }, t('size.range')), el('h3', {}, t('size.wrap')), el('p', { className: 'muted' }, t('size.wrap.help')), wraps,
  el('div', { className: 'actions' }, el('button', { type: 'submit', className: 'button filled' }, t('size.use'))));
  // Where there is no keyboard, one would rise over the sheet.
  const dialog = sheet(t('size.custom.title'), form, { focus: matchMedia('(pointer: coarse)').matches ? null : rowsStep.input });
}
