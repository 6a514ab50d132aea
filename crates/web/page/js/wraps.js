// Marks on the frame, at both ends of each row and column that wraps: where an edge is open.

import { $, el } from './dom.js';
import * as session from './session.js';

/** The ends of a line, as classes of its two marks. */
const ENDS = { row: ['left', 'right'], col: ['top', 'bottom'] };

function draw() {
  const { rows, cols, wrapRows, wrapCols } = session.current().board;
  const marks = (kind, lines, count) => lines.flatMap((line) => ENDS[kind].map((end) => {
    const mark = el('i', { className: `wrap-mark ${end}` });
    mark.style[kind === 'row' ? 'top' : 'left'] = `${((line + 0.5) / count) * 100}%`;
    return mark;
  }));
  document.documentElement.classList.toggle('open-edges', wrapRows.length + wrapCols.length > 0);
  $('wraps').replaceChildren(...marks('row', wrapRows, rows), ...marks('col', wrapCols, cols));
}

export const initWraps = () => session.follow(['game'], draw);
