// Fingers and mouse on the board. A tap or a click moves a tile and the run behind it; a drag carries the run along, and
// what cannot move stays; a quick swipe of a finger anywhere moves the tile that can go that way. A tap counts when the
// finger lifts: after a swipe browsers swallow the click, but not the pointer's events.

import { OPPOSITE, neighbour, runTo } from './rules.js';

const SLOP = 6;
const SWIPE = 22;
const COMMIT = 0.33;
const FLICK = 0.45;
/** The longest swipe, in milliseconds: a slower finger drags. */
const SWIPE_MILLIS = 500;
/** A click within so many milliseconds of the pointer's own events is the same tap. */
const SAME_TAP_MILLIS = 800;
/** @type {Record<string, number[]>} */
const AXIS = { U: [0, 1], D: [0, -1], L: [1, 0], R: [-1, 0] };

/** The blank's moves that slide the tile which can go in this direction; '' when none can. @param {{ board: import('./rules.js').Shape, hole: number }} game @param {string} direction */
export const slide = (game, direction) => (neighbour(game.board, game.hole, OPPOSITE[direction]) >= 0 ? OPPOSITE[direction] : '');

/**
 * What is played on: a game of the page, or another's.
 * @typedef {Pick<import('./game.js').Game, 'board' | 'rows' | 'cols' | 'tiles' | 'hole' | 'fresh' | 'solved' | 'running'>} Playable
 *
 * @typedef {object} Callbacks
 * @property {(run: string) => void} onRun Tiles were slid: the blank's moves.
 * @property {(cell: number) => void} onWholeTap A piece of the whole picture was tapped.
 * @property {() => void} onIdleTap A finished picture was tapped.
 */

/**
 * Listens on a board's root; returns what ends that.
 * @param {HTMLElement} board @param {() => Playable} model @param {Callbacks} callbacks @param {{ cellOf: (tile: number) => number, tileNode: (tile: number) => HTMLElement }} view
 */
export function createGestures(board, model, { onRun, onWholeTap, onIdleTap }, { cellOf, tileNode }) {
  /** @type {any} */ let drag = null;
  let handled = -Infinity;

  function tapped(/** @type {number} */ cell) {
    const game = model();
    if (game.fresh) onWholeTap(cell);
    else if (game.solved) onIdleTap();
    else onRun(runTo(game.board, game.hole, cell));
  }

  function begin(/** @type {PointerEvent & { target: any }} */ event) {
    if (drag || event.button !== 0) return;
    const node = event.target.closest('.tile');
    drag = { pointer: event.pointerId, x: event.clientX, y: event.clientY, when: event.timeStamp, cell: node ? cellOf(Number(node.dataset.tile)) : -1, run: '', carried: [], live: false };
  }

  function follow(/** @type {PointerEvent} */ event) {
    if (!drag || event.pointerId !== drag.pointer) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.live) {
      if (Math.hypot(dx, dy) < SLOP) return;
      drag.live = true;
      board.setPointerCapture(event.pointerId);
      pickUp(dx, dy);
    }
    if (drag.run) carry(dx, dy);
  }

  /** Decides at the first movement whether the finger carries a run or only swipes. @param {number} dx @param {number} dy */
  function pickUp(dx, dy) {
    const game = model();
    if (!game.running || drag.cell < 0) return;
    const run = runTo(game.board, game.hole, drag.cell);
    if (!run) return;
    const [ax, ay] = AXIS[run[0]];
    const along = dx * ax + dy * ay;
    if (along <= 0 || along < Math.abs(ax ? dy : dx)) return;
    drag.run = run;
    let cell = game.hole;
    for (const direction of run) {
      cell = neighbour(game.board, cell, direction);
      drag.carried.push(tileNode(game.tiles[cell]));
    }
    drag.carried.forEach((/** @type {HTMLElement} */ node) => node.classList.add('still'));
  }

  /** The part of its way that the run was carried, 0 to 1. @param {number} dx @param {number} dy */
  function share(dx, dy) {
    const [ax, ay] = AXIS[drag.run[0]];
    const { cols, rows } = model();
    const size = ax ? board.clientWidth / cols : board.clientHeight / rows;
    return Math.max(0, Math.min(1, (dx * ax + dy * ay) / size));
  }

  function carry(/** @type {number} */ dx, /** @type {number} */ dy) {
    const [ax, ay] = AXIS[drag.run[0]];
    const part = share(dx, dy) * 100;
    for (const node of drag.carried) node.style.translate = `${ax * part}% ${ay * part}%`;
  }

  function letGo() {
    for (const node of drag.carried) {
      node.style.translate = '';
      node.classList.remove('still');
    }
  }

  function end(/** @type {PointerEvent} */ event) {
    if (!drag || event.pointerId !== drag.pointer) return;
    const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
    const lasted = event.timeStamp - drag.when;
    const quick = Math.max(Math.abs(dx), Math.abs(dy)) / Math.max(1, lasted) > FLICK;
    const { run, live, cell } = drag;
    handled = event.timeStamp;
    if (run) {
      const commit = share(dx, dy) > COMMIT || quick;
      letGo();
      drag = null;
      if (commit) onRun(run);
      return;
    }
    drag = null;
    if (!live && cell >= 0) tapped(cell);
    else if (live && event.pointerType !== 'mouse' && lasted < SWIPE_MILLIS && Math.hypot(dx, dy) >= SWIPE) onRun(slide(model(), Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? 'R' : 'L') : dy > 0 ? 'D' : 'U'));
  }

  function cancel(/** @type {PointerEvent} */ event) {
    if (!drag || event.pointerId !== drag.pointer) return;
    letGo();
    drag = null;
  }

  function click(/** @type {MouseEvent & { target: any }} */ event) {
    const node = event.target.closest('.tile');
    const own = event.detail !== 0 && event.timeStamp - handled < SAME_TAP_MILLIS;
    if (node && !own) tapped(cellOf(Number(node.dataset.tile)));
  }

  /** @type {Record<string, (event: any) => void>} */
  const listeners = { pointerdown: begin, pointermove: follow, pointerup: end, pointercancel: cancel, click };
  for (const [name, listener] of Object.entries(listeners)) board.addEventListener(name, listener);
  return () => { for (const [name, listener] of Object.entries(listeners)) board.removeEventListener(name, listener); };
}
