// Where the gap ends up, by row and column: in the sheet of a narrow screen, where the cells of a large board are too small for a finger.

import { $, el } from './dom.js';
import { chooseBlank } from './rail.js';
import * as session from './session.js';
import { stepper } from './stepper.js';

/** What a finger hits without looking twice, in pixels. */
const FINGER = 40;

const at = () => {
  const { blank, cols } = session.current();
  return { row: Math.floor(blank / cols) + 1, col: (blank % cols) + 1 };
};
const choose = ({ row, col }) => chooseBlank((row - 1) * session.current().cols + col - 1);

let isOffered = false;

/** Has the row and the column beside the cells from now on, wherever these are too small. */
export function offerSteps() {
  if (isOffered) return;
  isOffered = true;
  const row = stepper('blank.row', { id: 'blank-row', value: at().row, least: 1, most: () => session.current().rows, changed: (to) => choose({ ...at(), row: to }) });
  const col = stepper('blank.col', { id: 'blank-col', value: at().col, least: 1, most: () => session.current().cols, changed: (to) => choose({ ...at(), col: to }) });
  const steps = el('div', { className: 'blank-steps' }, row.node, col.node);
  const fit = () => {
    const { width, height } = $('blank-grid').firstElementChild.getBoundingClientRect();
    steps.hidden = $('rail').contains(steps) || Math.min(width, height) >= FINGER;
  };
  $('blank-grid').parentElement.append(steps);
  session.follow(['game'], () => { row.show(at().row); col.show(at().col); fit(); });
  new ResizeObserver(fit).observe($('blank-grid'));
}
