// The board on the page: one button a tile, moved by transforms alone, so that a move costs no layout.

import { $, el, icon } from './dom.js';
import { onLanguage, t } from './i18n.js';
import { DIRECTIONS, home, neighbour, runTo } from './rules.js';
import * as session from './session.js';

const DENSE = 7;
const ANGLES = { U: 0, R: 90, D: 180, L: 270 };

const board = $('board');
let tiles = [];
let shown = [];
let piece = null;
let picture = '';
let pointing = false;

/** Builds the tiles for the current game. */
export function build() {
  const { rows, cols, blank } = session.current();
  board.classList.add('still');
  board.classList.toggle('dense', Math.max(rows, cols) >= DENSE);
  tiles = [null];
  for (let tile = 1; tile < rows * cols; tile += 1) tiles.push(makeTile(tile));
  piece = makePiece(blank);
  board.replaceChildren(...tiles.slice(1), piece);
  shown = [];
  follow();
  paint(picture);
  void board.offsetWidth;
  board.classList.remove('still');
}

function makeTile(tile) {
  const { rows, cols, blank } = session.current();
  const face = el('span', { className: 'face' },
    el('span', { className: 'number', 'aria-hidden': 'true' }, String(tile)),
    el('span', { className: 'compass', 'aria-hidden': 'true' }, icon('homeward')));
  const node = el('button', { type: 'button', className: 'tile', id: `tile-${tile}`, 'data-tile': tile }, face);
  place(node, face, home(tile, blank), rows, cols);
  return node;
}

function makePiece(blank) {
  const { rows, cols } = session.current();
  const face = el('span', { className: 'face' });
  const node = el('div', { className: 'piece', 'aria-hidden': 'true' }, face, el('span', { className: 'hole-mark' }));
  place(node, face, blank, rows, cols);
  node.style.transform = translation(blank, cols);
  return node;
}

/** Sizes a tile and shows on it the part of the picture that is at `at`. */
function place(node, face, at, rows, cols) {
  node.style.width = `${100 / cols}%`;
  node.style.height = `${100 / rows}%`;
  face.style.backgroundSize = `${cols * 100}% ${rows * 100}%`;
  face.style.backgroundPosition = `${((at % cols) / (cols - 1)) * 100}% ${(Math.floor(at / cols) / (rows - 1)) * 100}%`;
}

const translation = (cell, cols) => `translate(${(cell % cols) * 100}%, ${Math.floor(cell / cols) * 100}%)`;

/** Brings the tiles to where the game has them; touches only those that changed. */
export function follow() {
  const game = session.current();
  game.tiles.forEach((tile, cell) => {
    if (tile === 0 || shown[tile] === cell) return;
    moveTile(tile, cell, game);
    shown[tile] = cell;
  });
  board.classList.toggle('joined', game.solved);
  nameTiles(game);
}

function moveTile(tile, cell, game) {
  const node = tiles[tile];
  const from = shown[tile];
  const { cols } = game;
  const jump = from !== undefined && Math.abs((from % cols) - (cell % cols)) + Math.abs(Math.floor(from / cols) - Math.floor(cell / cols)) > 1;
  node.classList.toggle('wrapping', jump);
  node.style.transform = translation(cell, cols);
  const goal = home(tile, game.blank);
  node.classList.toggle('at-home', goal === cell);
  const angle = Math.atan2((goal % cols) - (cell % cols), Math.floor(cell / cols) - Math.floor(goal / cols));
  node.querySelector('.compass .icon').style.rotate = `${angle}rad`;
}

let named = [];
let reach = [];

/** Marks the tiles that can be moved and gives each the name a screen reader says; writes only what changed. */
function nameTiles(game, afresh = false) {
  const near = new Set([...DIRECTIONS].map((direction) => neighbour(game.board, game.hole, direction)));
  const { fresh: whole, solved } = game;
  if (afresh || named.length !== tiles.length) [named, reach] = [new Array(tiles.length).fill(''), new Array(tiles.length).fill('')];
  game.tiles.forEach((tile, cell) => {
    if (tile === 0) return;
    const able = whole ? 'whole' : solved ? 'fixed' : near.has(cell) ? 'near' : runTo(game.board, game.hole, cell) ? 'inline' : 'fixed';
    const node = tiles[tile];
    if (reach[tile] !== able) {
      const [was, is] = [reach[tile] === 'near', able === 'near'];
      if (was !== is) node.classList.toggle('near', is);
      const index = is || (whole && tile === 1) ? 0 : -1;
      if (node.tabIndex !== index || !node.hasAttribute('tabindex')) node.tabIndex = index;
      reach[tile] = able;
    }
    const words = able === 'whole' ? 'tile.whole' : able === 'fixed' ? 'tile.fixed' : 'tile.moves';
    const mark = `${cell} ${words}`;
    if (named[tile] === mark) return;
    named[tile] = mark;
    node.setAttribute('aria-label', t(words, { tile, row: Math.floor(cell / game.cols) + 1, col: (cell % game.cols) + 1 }));
  });
}

/** Puts the picture on every tile. */
export function paint(url) {
  picture = url;
  const image = url ? `url("${url}")` : '';
  for (const face of board.querySelectorAll('.face')) face.style.backgroundImage = image;
  $('peek-view').style.backgroundImage = image;
}

/** The cell a tile's button stands on. */
export const cellOf = (tile) => shown[tile];
export const tileNode = (tile) => tiles[tile];

/** Shows the next moves as arrows: the first strong, those after it faint. */
export function point(moves) {
  clearPointers();
  pointing = true;
  const game = session.current();
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
    arrow.style.rotate = `${(ANGLES[direction] + 180) % 360}deg`;
    tiles[tile].querySelector('.face').append(el('span', { className: `pointer ${i === 0 ? 'next' : 'later'}` }, arrow));
    if (i === 0) tiles[tile].classList.add('hinted');
  });
}

export function clearPointers() {
  if (!pointing) return;
  pointing = false;
  board.querySelectorAll('.pointer').forEach((node) => node.remove());
  board.querySelectorAll('.hinted').forEach((node) => node.classList.remove('hinted'));
}

/** Orders the tiles for a screen reader as they lie; done when the hand rests, not at each move. */
let ordering = 0;
function orderSoon() {
  clearTimeout(ordering);
  ordering = setTimeout(() => {
    board.setAttribute('aria-owns', session.current().tiles.filter(Boolean).map((tile) => `tile-${tile}`).join(' '));
  }, 400);
}

export function initBoard() {
  session.on('game', () => { clearPointers(); build(); orderSoon(); label(); });
  session.on('moved', () => { clearPointers(); follow(); orderSoon(); });
  session.on('phase', () => board.classList.toggle('joined', session.current().solved));
  onLanguage(() => { label(); if (tiles.length) nameTiles(session.current(), true); });
}

function label() {
  const { rows, cols } = session.current();
  board.setAttribute('aria-label', t('board.label', { rows, cols }));
}
