// Solving by pointing: a mouse that comes over a cell in line with the gap slides the tiles up to it. The cell is told
// by the board's measures, not by the tile under the mouse, for tiles are still moving; and no step of a quick mouse
// is left out.

import { $ } from '../js/dom.js';
import { runTo } from '../js/rules.js';
import * as session from '../js/session.js';

let last = -1;

function cellAt({ clientX, clientY }, box, { rows, cols }) {
  const [col, row] = [Math.floor(((clientX - box.left) / box.width) * cols), Math.floor(((clientY - box.top) / box.height) * rows)];
  return row >= 0 && row < rows && col >= 0 && col < cols ? row * cols + col : -1;
}

function follow(event) {
  if (event.pointerType !== 'mouse' || event.buttons) return;
  const box = $('board').getBoundingClientRect();
  const steps = event.getCoalescedEvents?.() ?? [];
  for (const point of steps.length ? steps : [event]) {
    const game = session.current();
    const cell = cellAt(point, box, game);
    if (cell === last) continue;
    last = cell;
    const run = cell < 0 || !game.running || ['paused', 'playback', 'searching', 'elsewhere'].includes(session.phase()) ? '' : runTo(game.board, game.hole, cell);
    if (run) session.play(run);
  }
}

const leave = () => { last = -1; };

/** Begins or ends it. */
export function setHover(on) {
  for (const [name, act] of Object.entries({ pointermove: follow, pointerleave: leave })) {
    $('board').removeEventListener(name, act);
    if (on) $('board').addEventListener(name, act);
  }
}
