// The elements of a board: one button a tile, moved by transforms alone, and a bar of buttons under them.

import { el } from '../js/dom.js';
import { pieceOf } from '../js/framing.js';
import { DIRECTIONS, home, neighbour, runTo } from '../js/rules.js';
/** @import { Play } from './play.js' */
/** @import { Words } from './words.js' */

/** @type {Record<string, string>} */
const DRAWINGS = {
  shuffle: 'M3 7h4c5 0 5 10 10 10h4M3 17h4c1.700 0 2.900-1 3.800-2.400M13.200 9.400C14.100 8 15.300 7 17 7h4M18 4l3 3-3 3M18 14l3 3-3 3',
  reset: 'M18 6v12l-9-6zM7 6v12',
  back: 'm14.500 6-6 6 6 6',
  play: 'M8 5v14l11-7z',
  pause: 'M9 5v14M15 5v14',
  forward: 'm9.500 6 6 6-6 6',
};

/** @param {string} name */
function drawing(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', DRAWINGS[name]);
  svg.append(path);
  return svg;
}

/** Names a button of the bar and draws it. @param {HTMLButtonElement} node @param {string} name @param {Words} words */
export function dress(node, name, words) {
  if (node.dataset.drawn !== name) node.replaceChildren(drawing(name));
  node.dataset.drawn = name;
  const label = words[/** @type {'play'} */ (name)];
  if (node.title !== label) Object.assign(node, { title: label, ariaLabel: label });
}

const place = (/** @type {number} */ cell, /** @type {number} */ cols) => `translate(${(cell % cols) * 100}%, ${Math.floor(cell / cols) * 100}%)`;

/** Fills the board's root with the tiles of a game and the piece that is missing until it is solved. @param {HTMLElement} root @param {Play} game */
export function build(root, game) {
  const { rows, cols, blank } = game;
  const size = (/** @type {HTMLElement} */ node) => Object.assign(node.style, { width: `${100 / cols}%`, height: `${100 / rows}%` });
  root.style.aspectRatio = `${cols} / ${rows}`;
  root.style.setProperty('--most', String(Math.max(rows, cols)));
  const nodes = [el('div', { className: 'piece', 'aria-hidden': 'true' }, el('span', { className: 'face', 'data-at': blank }))];
  nodes[0].style.transform = place(blank, cols);
  for (let tile = 1; tile < rows * cols; tile += 1) {
    const number = el('span', { className: 'number', 'aria-hidden': 'true' }, String(tile));
    nodes.push(el('button', { type: 'button', className: 'tile', id: `tile-${tile}`, 'data-tile': tile }, el('span', { className: 'face', 'data-at': home(tile, blank) }, number)));
  }
  nodes.forEach(size);
  root.replaceChildren(...nodes);
}

/** Brings the tiles to where the game has them, and names them. @param {HTMLElement} root @param {Play} game @param {Words} words */
export function follow(root, game, words) {
  const { board, cols, hole, tiles } = game;
  const near = new Set([...DIRECTIONS].map((direction) => neighbour(board, hole, direction)));
  root.classList.toggle('solved', game.solved);
  root.setAttribute('aria-label', words.board(game));
  tiles.forEach((tile, cell) => {
    if (tile === 0) return;
    const node = tileNode(root, tile);
    const isNear = game.running && near.has(cell);
    const spot = { tile, row: Math.floor(cell / cols) + 1, col: (cell % cols) + 1 };
    node.style.transform = place(cell, cols);
    node.classList.toggle('near', isNear);
    node.tabIndex = isNear ? 0 : -1;
    node.ariaLabel = game.running && runTo(board, hole, cell) ? words.movable(spot) : words.fixed(spot);
  });
  // A screen reader meets the tiles as they lie.
  root.setAttribute('aria-owns', tiles.filter(Boolean).map((tile) => `tile-${tile}`).join(' '));
}

/** @param {HTMLElement} root @param {number} tile @returns {HTMLElement} */
export const tileNode = (root, tile) => /** @type {HTMLElement} */ (root.querySelector(`#tile-${tile}`));

/** Puts a picture on the tiles, each its own piece of it; numbers without one. @param {HTMLElement} root @param {Play} game @param {HTMLImageElement | null} picture */
export function paint(root, game, picture) {
  root.classList.toggle('pictured', picture !== null);
  for (const face of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll('.face'))) {
    const piece = picture && pieceOf({ width: picture.naturalWidth, height: picture.naturalHeight }, game, Number(face.dataset.at));
    Object.assign(face.style, piece ? { backgroundImage: `url("${picture.src.replaceAll('"', '%22')}")`, ...piece } : { backgroundImage: '' });
  }
}
