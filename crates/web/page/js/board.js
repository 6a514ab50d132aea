// A board on the page: one button a tile, moved by transforms alone, so that a move costs no layout. Each board
// has a root of its own; what it shows is a game, which it asks its model for.

import { $, el, icon } from './dom.js';
import { pieceOf } from './framing.js';
import { createGestures } from './gestures.js';
import { t } from './i18n.js';
import { DIRECTIONS, distances, home, neighbour, OPPOSITE, runTo, wraps } from './rules.js';
import { fetchStyle } from './sheets.js';

const DENSE = 7;
const ORDER_MILLIS = 400;
/** @type {Record<string, number>} */
const ANGLES = { U: 0, R: 90, D: 180, L: 270 };

/**
 * Makes a board in `root`. The tiles' ids begin with `name`, so that several boards can be on one page.
 * @param {HTMLElement} root
 * @param {() => import('./game.js').Game} model The game to show.
 * @param {import('./gestures.js').Callbacks} callbacks What fingers and mouse do.
 * @param {{ name?: string }} [options]
 */
export function createBoard(root, model, callbacks, { name = 'tile' } = {}) {
  /** @type {any[]} */ let tiles = [];
  /** @type {number[]} */ let shown = [];
  /** @type {string[]} */ let named = [];
  /** @type {string[]} */ let reach = [];
  /** @type {{ url: string, width: number, height: number } | null} */
  let picture = null;
  let way = straight(1);
  let pointing = false;
  let ordering = 0;

  function build() {
    const game = model();
    root.classList.add('still');
    root.classList.toggle('dense', Math.max(game.rows, game.cols) >= DENSE);
    way = wraps(game.board) ? ways(game.board) : straight(game.cols);
    tiles = [/** @type {any} */ (null)];
    for (let tile = 1; tile < game.rows * game.cols; tile += 1) tiles.push(makeTile(`${name}-${tile}`, tile, game));
    root.replaceChildren(...tiles.slice(1), makePiece(game));
    [shown, named, reach, pointing] = [[], [], [], false];
    follow();
    label();
    paint(picture);
    void root.offsetWidth;
    root.classList.remove('still');
  }

  /** Brings the tiles to where the game has them; touches only those that changed. */
  function follow() {
    clearPointers();
    const game = model();
    game.tiles.forEach((/** @type {number} */ tile, /** @type {number} */ cell) => {
      if (tile === 0 || shown[tile] === cell) return;
      moveTile(tiles[tile], shown[tile], cell, game);
      turnHome(tiles[tile], cell, home(tile, game.blank), way);
      shown[tile] = cell;
    });
    join();
    nameTiles(game);
    orderSoon();
  }

  const join = () => root.classList.toggle('joined', model().solved);

  /** Marks the tiles that can be moved and gives each the name a screen reader says; writes only what changed. @param {import('./game.js').Game} game */
  function nameTiles(game) {
    const near = new Set([...DIRECTIONS].map((direction) => neighbour(game.board, game.hole, direction)));
    const { fresh: whole, solved } = game;
    game.tiles.forEach((/** @type {number} */ tile, /** @type {number} */ cell) => {
      if (tile === 0) return;
      const able = whole ? 'whole' : solved ? 'fixed' : near.has(cell) ? 'near' : runTo(game.board, game.hole, cell) ? 'inline' : 'fixed';
      if (reach[tile] !== able) {
        markReach(tiles[tile], reach[tile], able, tile === 1);
        reach[tile] = able;
      }
      const words = able === 'whole' ? 'tile.whole' : able === 'fixed' ? 'tile.fixed' : 'tile.moves';
      const mark = `${cell} ${words}`;
      if (named[tile] === mark) return;
      named[tile] = mark;
      tiles[tile].setAttribute('aria-label', t(words, { tile, row: Math.floor(cell / game.cols) + 1, col: (cell % game.cols) + 1 }));
    });
  }

  /** Orders the tiles for a screen reader as they lie; done when the hand rests, not at each move. */
  function orderSoon() {
    clearTimeout(ordering);
    ordering = setTimeout(() => root.setAttribute('aria-owns', model().tiles.filter(Boolean).map((/** @type {number} */ tile) => `${name}-${tile}`).join(' ')), ORDER_MILLIS);
  }

  function label() {
    const { rows, cols, wrapRows, wrapCols } = model().board;
    const lines = (/** @type {string} */ key, /** @type {number[]} */ list) => (list.length ? t(key, { list: list.map((line) => line + 1).join(t('board.and')) }) : '');
    root.setAttribute('aria-label', t('board.label', { rows, cols }) + lines('board.wrapRows', wrapRows) + lines('board.wrapCols', wrapCols));
  }

  /** Puts the picture on every tile, each its own piece of it. @param {{ url: string, width: number, height: number } | null} next */
  function paint(next) {
    picture = next;
    if (!next) return;
    const game = model();
    for (const face of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('.face'))) {
      Object.assign(face.style, { backgroundImage: `url("${next.url}")`, ...pieceOf(next, game, Number(face.dataset.at)) });
    }
  }

  function speak() {
    label();
    named = [];
    nameTiles(model());
  }

  /** Shows the next moves as arrows: the first strong, those after it faint. @param {string} moves */
  function point(moves) {
    clearPointers();
    pointing = true;
    const game = model();
    let hole = game.hole;
    const at = [...game.tiles];
    const marked = new Set();
    [...moves].forEach((direction, i) => {
      const to = neighbour(game.board, hole, direction);
      const tile = at[to];
      [at[hole], at[to], hole] = [tile, 0, to];
      if (marked.has(tile)) return;
      marked.add(tile);
      const arrow = icon('homeward');
      arrow.style.rotate = `${ANGLES[OPPOSITE[direction]]}deg`;
      tiles[tile].querySelector('.face').append(el('span', { className: `pointer ${i === 0 ? 'next' : 'later'}` }, arrow));
      if (i === 0) tiles[tile].classList.add('hinted');
    });
  }

  function clearPointers() {
    if (!pointing) return;
    pointing = false;
    root.querySelectorAll('.pointer').forEach((node) => node.remove());
    root.querySelectorAll('.hinted').forEach((node) => node.classList.remove('hinted'));
  }

  const stopGestures = createGestures(root, model, callbacks, { cellOf: (/** @type {number} */ tile) => shown[tile], tileNode: (/** @type {number} */ tile) => tiles[tile] });

  function destroy() {
    clearTimeout(ordering);
    stopGestures();
    root.replaceChildren();
  }

  build();
  return { build, follow, join, paint, speak, point, clearPointers, destroy };
}

function makeTile(/** @type {string} */ id, /** @type {number} */ tile, /** @type {{ rows: number, cols: number, blank: number }} */ { rows, cols, blank }) {
  const face = el('span', { className: 'face', 'data-at': home(tile, blank) },
    el('span', { className: 'number', 'aria-hidden': 'true' }, String(tile)),
    el('span', { className: 'compass', 'aria-hidden': 'true' }, icon('homeward')));
  const node = el('button', { type: 'button', className: 'tile', id, 'data-tile': tile }, face);
  sizeCell(node, rows, cols);
  return node;
}

function makePiece(/** @type {{ rows: number, cols: number, blank: number }} */ { rows, cols, blank }) {
  const face = el('span', { className: 'face', 'data-at': blank });
  const node = el('div', { className: 'piece', 'aria-hidden': 'true' }, face, el('span', { className: 'hole-mark' }));
  sizeCell(node, rows, cols);
  node.style.transform = translation(blank, cols);
  return node;
}

function sizeCell(/** @type {HTMLElement} */ node, /** @type {number} */ rows, /** @type {number} */ cols) {
  node.style.width = `${100 / cols}%`;
  node.style.height = `${100 / rows}%`;
}

const translation = (/** @type {number} */ cell, /** @type {number} */ cols) => `translate(${(cell % cols) * 100}%, ${Math.floor(cell / cols) * 100}%)`;

/** @param {HTMLElement} node @param {number | undefined} from @param {number} cell @param {{ cols: number }} board */
function moveTile(node, from, cell, { cols }) {
  const jump = from !== undefined && Math.abs((from % cols) - (cell % cols)) + Math.abs(Math.floor(from / cols) - Math.floor(cell / cols)) > 1;
  node.classList.toggle('wrapping', jump);
  node.style.transform = translation(cell, cols);
}

const straight = (/** @type {number} */ cols) => (/** @type {number} */ from, /** @type {number} */ to) => [(to % cols) - (from % cols), Math.floor(to / cols) - Math.floor(from / cols)];

/** @param {any} node @param {number} cell @param {number} goal @param {(from: number, to: number) => number[]} way */
function turnHome(node, cell, goal, way) {
  const [right, down] = way(cell, goal);
  node.classList.toggle('at-home', goal === cell);
  node.querySelector('.compass .icon').style.rotate = `${Math.atan2(right, -down)}rad`;
}

/** Sets whether a tile can be moved, for the pointer and the Tab key. @param {HTMLElement} node @param {string | undefined} was @param {string} is @param {boolean} first */
function markReach(node, was, is, first) {
  if ((was === 'near') !== (is === 'near')) node.classList.toggle('near', is === 'near');
  const index = is === 'near' || (is === 'whole' && first) ? 0 : -1;
  if (node.tabIndex !== index || !node.hasAttribute('tabindex')) node.tabIndex = index;
}

/** @type {Record<string, number[]>} */
const STEP = { U: [0, -1], D: [0, 1], L: [-1, 0], R: [1, 0] };

/** Where a shortest way from one cell of a board to another leads, as steps to the right and down; an edge it goes through is one of them. @param {import('./rules.js').Shape} board */
export function ways(board) {
  const far = distances(board);
  return (/** @type {number} */ from, /** @type {number} */ to) => {
    let [right, down] = [0, 0];
    for (let cell = from; cell !== to;) {
      const direction = /** @type {string} */ ([...DIRECTIONS].find((way) => far[neighbour(board, cell, way)]?.[to] === far[cell][to] - 1));
      [right, down] = [right + STEP[direction][0], down + STEP[direction][1]];
      cell = neighbour(board, cell, direction);
    }
    return [right, down];
  };
}

/** The ends of a line, as classes of its two marks. */
const ENDS = { row: ['left', 'right'], col: ['top', 'bottom'] };

/** Marks the ends of the rows and columns that wrap, of the board as it is by then. @param {() => ReturnType<typeof import('./rules.js').shape>} board */
export async function markEdges(board) {
  await fetchStyle().catch(() => {});
  const { rows, cols, wrapRows, wrapCols } = board();
  const marks = (/** @type {'row' | 'col'} */ kind, /** @type {number[]} */ lines, /** @type {number} */ count) => lines.flatMap((line) => ENDS[kind].map((end) => {
    const mark = el('i', { className: `wrap-mark ${end}` });
    mark.style[kind === 'row' ? 'top' : 'left'] = `${((line + 0.5) / count) * 100}%`;
    return mark;
  }));
  $('wraps').replaceChildren(...marks('row', wrapRows, rows), ...marks('col', wrapCols, cols));
}
