// Positions and sizes of a search tree's nodes. The engine has laid the finished tree out, so nodes never
// move; the tree that grows from the goal hangs upside down, so that the two can meet. Where there is room, nodes are
// boards with their f = g + h under them, else dots.

import { NOBODY } from '../../trace/cursor.js';

/** The least side of a board's cell and the least height of its label, in pixels. */
const [CELL, LABEL] = [11, 11];
/** Around a board: its frame, and the least room to its neighbour and to the label of the node above. */
const [FRAME, BESIDE, EDGE] = [2, 8, 8];
/** The height of a label: as part of a cell, and, with its padding, in heights of its letters. */
const [OF_CELL, LINE] = [0.6, 1.3];
/** The greatest side of a cell: this share of the shorter side of the canvas, though never less than so many pixels. */
const [SHARE, LARGEST] = [0.045, 20];
/** Where there is more room than that, nodes are so many times as far apart as they must be, and no further. */
const [WIDER, HIGHER] = [1.3, 1.4];
/** The greatest radius of a dot, in units. */
export const LARGEST_DOT = 7;
const [DOT_ACROSS, DOT_DOWN] = [0.34, 0.3];
/** The least reach of a dot where there are at most so many nodes: few may touch, so that they are seen. */
const LEAST_DOTS = [[300, 3], [3000, 2], [Infinity, 1]];

/**
 * @typedef {object} Shape A tree's boards: rows and columns, how wide its longest label is (in heights of its letters, in full and
 *   short), and the unit in which sizes count.
 * @property {number} rows
 * @property {number} cols
 * @property {{ full: number, short: number }} em
 * @property {number} unit
 */

/** Of nodes with so large cells (0: dots) how large the boards are, how their labels are written, and how much room they take across and down. @param {Shape} shape */
export function roomOf({ rows, cols, em, unit }, /** @type {number} */ cell) {
  if (!cell) return { letters: 0, across: 0, down: 0, board: { width: 0, height: 0 } };
  const letters = Math.max(LABEL * unit, cell * OF_CELL);
  const board = { width: cols * cell + 2 * FRAME, height: rows * cell + 2 * FRAME };
  return { letters, board, across: Math.max(board.width, em.short * letters) + BESIDE * unit, down: board.height + letters * LINE + EDGE * unit };
}

/** The greatest cell that is drawn in a canvas of this size. @param {Shape} shape */
export const largestCell = ({ unit }, /** @type {number} */ width, /** @type {number} */ height) => Math.max(LARGEST * unit, SHARE * Math.min(width, height));

/** The largest distance of nodes, with their labels in full. @param {Shape} shape @param {number} width @param {number} height */
export function largestRoom(shape, width, height) {
  const { across, down, letters } = roomOf(shape, largestCell(shape, width, height));
  return { across: Math.max(across * WIDER, shape.em.full * letters + BESIDE * shape.unit), down: down * HIGHER };
}

/**
 * The sizes of `count` nodes that are `across` pixels apart at least, and `down` from row to row. Where boards do not fit beside each
 * other, those that have the room alone are boards of the least size; where rows are too near, `cell` is 0 and all are dots.
 * @param {Shape} shape
 */
export function sizesOf(shape, /** @type {{ across: any, down: any, width: number, height: number, count: number }} */ { across, down, width, height, count }) {
  const { rows, cols, em, unit } = shape;
  const least = CELL * unit;
  const [, smallest] = LEAST_DOTS.find(([most]) => count <= most) ?? [0, 1];
  const dot = Math.max(smallest * unit, Math.min(LARGEST_DOT * unit, across * DOT_ACROSS, down * DOT_DOWN));
  if (down < roomOf(shape, least).down) return { dot, cell: 0, room: 0, full: false, ...roomOf(shape, 0) };
  const free = down - 2 * FRAME - EDGE * unit;
  const high = Math.min((free - LABEL * unit * LINE) / rows, Math.max(free / (rows + OF_CELL * LINE), least));
  const wide = Math.min((across - BESIDE * unit - 2 * FRAME) / cols, (across - BESIDE * unit) / (em.short * OF_CELL));
  const cell = Math.max(least, Math.min(largestCell(shape, width, height), high, wide));
  const { letters, board, across: room } = roomOf(shape, cell);
  return { dot, cell, letters, room, full: em.full * letters + BESIDE * unit <= Math.max(across, room), board };
}

/** The nodes' positions and extents. @param {import('../../trace/recording.js').Recording} rec */
export function placeNodes(rec) {
  const { nodes, backward, treeX, treeY } = rec;
  const x = Float32Array.from(treeX);
  const y = Float32Array.from(treeY);
  const [ahead, behind] = [extent(rec, 0), extent(rec, 1)];
  if (behind.any && ahead.any) {
    const middle = (ahead.left + ahead.right) / 2 - (behind.left + behind.right) / 2;
    const bottom = ahead.depth + behind.depth + 1;
    for (let n = 0; n < nodes; n += 1) {
      if (!backward[n]) continue;
      x[n] += middle;
      y[n] = bottom - y[n];
    }
  }
  const all = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (let n = 0; n < nodes; n += 1) {
    all.left = Math.min(all.left, x[n]);
    all.right = Math.max(all.right, x[n]);
    all.top = Math.min(all.top, y[n]);
    all.bottom = Math.max(all.bottom, y[n]);
  }
  return { x, y, bounds: nodes ? all : { left: 0, right: 0, top: 0, bottom: 0 } };
}

/** The nodes of each row, from left to right. @param {{ x: Float32Array, y: Float32Array }} layout */
export function rowsOf({ x, y }, /** @type {number} */ nodes) {
  /** @type {number[][]} */
  const rows = [];
  for (let n = 0; n < nodes; n += 1) (rows[Math.round(y[n])] ??= []).push(n);
  return Array.from(rows, (row = []) => Uint32Array.from(row).sort((a, b) => x[a] - x[b]));
}

function extent(/** @type {any} */ { nodes, backward, treeX, treeY }, /** @type {number} */ side) {
  const found = { any: false, left: Infinity, right: -Infinity, depth: 0 };
  for (let n = 0; n < nodes; n += 1) {
    if (backward[n] !== side) continue;
    found.any = true;
    found.left = Math.min(found.left, treeX[n]);
    found.right = Math.max(found.right, treeX[n]);
    found.depth = Math.max(found.depth, treeY[n]);
  }
  return found;
}

/** Marks what is below some nodes, they excepted. @param {import('../../trace/recording.js').Recording} rec @param {any} roots */
export function below(rec, roots, marks = new Uint8Array(rec.nodes)) {
  const { treeFirst, treeNext } = rec;
  const waiting = [...roots];
  while (waiting.length) {
    for (let child = treeFirst[waiting.pop()]; child !== NOBODY; child = treeNext[child]) {
      if (marks[child]) continue;
      marks[child] = 1;
      waiting.push(child);
    }
  }
  return marks;
}
