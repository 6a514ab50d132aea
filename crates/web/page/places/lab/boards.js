// Small boards of numbers: to look at, and to edit by swapping two tiles.

import { el, setText } from '../../js/dom.js';
import { t } from '../../js/i18n.js';
import { boardText } from '../../trace/sentence.js';
import { setup } from './setup.js';

/** Where a line that wraps around is open: classes of the cells at its ends. All boards here are of the set-up's shape. @param {number} cell */
function openings(cell) {
  const { rows, cols, wrapRows, wrapCols } = setup();
  const [row, col] = [Math.floor(cell / cols), cell % cols];
  const [across, down] = [wrapRows.includes(row), wrapCols.includes(col)];
  return [across && col === 0 && 'open-left', across && col === cols - 1 && 'open-right', down && row === 0 && 'open-top', down && row === rows - 1 && 'open-bottom'].filter(Boolean).join(' ');
}

/**
 * A board to look at.
 * @param {ArrayLike<number>} tiles
 * @param {number} cols
 * @param {{ notes?: (string | number)[], marks?: Map<number, string>, kind?: string }} [options] A note in the corner of each cell, and classes of cells.
 */
export function miniBoard(tiles, cols, { notes = [], marks = new Map(), kind = '' } = {}) {
  const cells = Array.from(tiles, (tile, cell) => el('span', { className: `${tile === 0 ? 'hole' : 'stone'} ${marks.get(cell) ?? ''} ${openings(cell)}`.trim() }, tile === 0 ? '' : String(tile), tile !== 0 && notes[cell] !== undefined && notes[cell] !== '' ? el('small', {}, String(notes[cell])) : null));
  const board = el('div', { className: `mini ${cols > 5 ? 'fine' : ''} ${tiles.length > 10 ? 'many' : ''} ${kind}`.trim(), role: 'img', 'aria-label': boardText(Array.from(tiles), cols) }, cells);
  board.style.setProperty('--cols', String(cols));
  return board;
}

/**
 * A board to edit: a tile is dragged onto another, or one is chosen and then the other, and the two change places.
 * @param {string} name What it is called.
 * @param {(tiles: number[]) => void} onSwap
 */
export function editBoard(name, onSwap) {
  let shown = /** @type {any[]} */ ([]);
  let width = 0;
  let held = -1;
  const root = el('div', { className: 'mini edit', role: 'group', onkeydown: keys });

  function swap(/** @type {number} */ from, /** @type {number} */ to) {
    release();
    if (from === to || from < 0 || to < 0) return;
    const tiles = [...shown];
    [tiles[from], tiles[to]] = [tiles[to], tiles[from]];
    onSwap(tiles);
    /** @type {HTMLElement} */ (root.children[to])?.focus({ preventScroll: true });
  }

  const release = () => {
    held = -1;
    for (const node of root.children) node.setAttribute('aria-pressed', 'false');
  };

  function choose(/** @type {number} */ cell) {
    if (held >= 0) {
      swap(held, cell);
      return;
    }
    held = cell;
    root.children[cell].setAttribute('aria-pressed', 'true');
  }

  /** Arrows go from cell to cell. @param {any} event */
  function keys(event) {
    const cell = [...root.children].indexOf(event.target);
    const by = /** @type {any} */ ({ ArrowLeft: -1, ArrowRight: 1, ArrowUp: -width, ArrowDown: width })[event.key];
    if (event.key === 'Escape' && held >= 0) release();
    else if (cell < 0 || by === undefined) return;
    else focusCell(cell + by);
    event.preventDefault();
    event.stopPropagation();
  }

  function focusCell(/** @type {number} */ cell) {
    const next = /** @type {HTMLElement} */ (root.children[cell]);
    if (!next) return;
    for (const node of /** @type {Iterable<HTMLElement>} */ (root.children)) node.tabIndex = node === next ? 0 : -1;
    next.focus();
  }

  function drag(/** @type {number} */ cell) {
    const over = (/** @type {any} */ event) => [...root.children].indexOf(document.elementFromPoint(event.clientX, event.clientY)?.closest('button'));
    let moved = false;
    const move = (/** @type {any} */ event) => {
      const at = over(event);
      moved ||= at !== cell;
      [...root.children].forEach((node, i) => node.classList.toggle('target', moved && i === at && i !== cell));
    };
    const end = (/** @type {any} */ event) => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      [...root.children].forEach((node) => node.classList.remove('target', 'lifted'));
      if (moved && event.type === 'pointerup') swap(cell, over(event));
    };
    root.children[cell].classList.add('lifted');
    addEventListener('pointermove', move);
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  }

  function make(/** @type {number} */ cell) {
    return el('button', { type: 'button', tabIndex: cell === 0 ? 0 : -1, 'aria-pressed': 'false', onclick: () => choose(cell), onpointerdown: (/** @type {any} */ event) => {
      if (event.button !== 0) return;
      event.target.releasePointerCapture?.(event.pointerId);
      drag(cell);
    } });
  }

  /** Shows tiles; those of `wrong` are marked. @param {any[]} tiles @param {number} cols */
  function show(tiles, cols, wrong = new Set()) {
    if (shown.length !== tiles.length || width !== cols) root.replaceChildren(...tiles.map((_, cell) => make(cell)));
    [shown, width] = [tiles, cols];
    root.classList.toggle('fine', cols > 5);
    root.style.setProperty('--cols', String(cols));
    root.setAttribute('aria-label', t(name));
    tiles.forEach((tile, cell) => {
      const node = root.children[cell];
      node.className = `${tile === 0 ? 'hole' : 'stone'} ${wrong.has(tile) && tile ? 'wrong' : ''} ${openings(cell)}`.trim();
      setText(node, tile === 0 ? '' : String(tile));
      node.setAttribute('aria-label', t(tile === 0 ? 'lab.cell.blank' : 'lab.cell', { tile, row: Math.floor(cell / cols) + 1, col: (cell % cols) + 1 }));
    });
  }

  return { root, show };
}
