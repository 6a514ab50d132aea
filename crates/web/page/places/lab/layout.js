// Where the nodes of a search tree lie, as the engine has laid them out for the finished tree: nodes never move. The
// tree that grows from the goal hangs upside down, so that the two can meet.

import { NOBODY } from '../../trace/cursor.js';

/**
 * @param {import('../../trace/recording.js').Recording} rec
 */
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
export function rowsOf({ x, y }, nodes) {
  /** @type {number[][]} */
  const rows = [];
  for (let n = 0; n < nodes; n += 1) (rows[Math.round(y[n])] ??= []).push(n);
  return Array.from(rows, (row = []) => Uint32Array.from(row).sort((a, b) => x[a] - x[b]));
}

function extent({ nodes, backward, treeX, treeY }, side) {
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

/** Marks what is below some nodes, they excepted. */
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
