// Draws a search tree on a canvas: only what is in view, and of what falls on one pixel only one.

import { CLOSED, DROPPED, FORGOTTEN, NOBODY, OPEN } from '../../trace/cursor.js';

/** Below this size a node is a dot, and edges are straight. */
const DOT = 2.2;
/** As many nodes as are drawn with curved edges. */
const CURVED = 1500;
const TURN = Math.PI * 2;

/** The colours of the page as it looks now. */
export function inks(root) {
  const style = getComputedStyle(root);
  const ink = (name) => style.getPropertyValue(name).trim();
  return { line: ink('--tree-line'), closed: ink('--search-closed'), open: ink('--search-open'), current: ink('--search-now'), dropped: ink('--tree-dropped'), forgotten: ink('--tree-forgotten'), path: ink('--good'), text: ink('--quiet'), card: ink('--card') };
}

/** A painter keeps what a frame needs, so that drawing makes no garbage. */
export function createPainter() {
  let grid = new Int32Array(0);
  let stamp = 0;
  let drawn = new Uint32Array(0);
  let kinds = new Uint8Array(0);

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {any} scene What is shown, and how: see `tree.js`.
   * @returns {number} How many nodes were drawn.
   */
  function paint(ctx, scene) {
    const { width, height, view, size, ink, thick } = scene;
    ctx.clearRect(0, 0, width, height);
    const count = collect(scene);
    ctx.lineWidth = thick;
    edges(ctx, scene, count);
    for (const [kind, colour] of [[FORGOTTEN, ink.forgotten], [DROPPED, ink.dropped], [CLOSED, ink.closed], [OPEN, ink.open]]) nodes(ctx, scene, count, kind, colour, size, view);
    lights(ctx, scene);
    return count;
  }

  /** Finds what is in view; where nodes are dots, one a pixel. */
  function collect({ rec, cursor, layout, hidden, view, size, width, height }) {
    const { statuses } = cursor;
    const { x, y } = layout;
    if (drawn.length < rec.nodes) [drawn, kinds] = [new Uint32Array(rec.nodes), new Uint8Array(rec.nodes)];
    const across = Math.ceil(width) + 1;
    const cells = across * (Math.ceil(height) + 1);
    if (grid.length < cells) grid = new Int32Array(cells);
    stamp += 1;
    const dots = size < DOT;
    let count = 0;
    for (let n = 0; n < rec.nodes; n += 1) {
      const status = statuses[n];
      if (status === 0 || hidden[n]) continue;
      const px = x[n] * view.sx + view.tx;
      const py = y[n] * view.sy + view.ty;
      if (px < -20 || py < -20 || px > width + 20 || py > height + 20) continue;
      if (dots && px >= 0 && py >= 0 && px < width && py < height) {
        const at = (py | 0) * across + (px | 0);
        if (grid[at] === stamp) continue;
        grid[at] = stamp;
      }
      drawn[count] = n;
      kinds[count] = status;
      count += 1;
    }
    return count;
  }

  function edges(ctx, { cursor, rec, layout: { x, y }, view: { sx, sy, tx, ty }, hidden, ink, thick }, count) {
    const moved = [];
    ctx.strokeStyle = ink.line;
    ctx.beginPath();
    for (let i = 0; i < count; i += 1) {
      const n = drawn[i];
      const from = cursor.parent(n);
      if (from === NOBODY || hidden[from]) continue;
      if (rec.treeParent[n] !== from) {
        moved.push(n);
        continue;
      }
      const [ax, ay, bx, by] = [x[from] * sx + tx, y[from] * sy + ty, x[n] * sx + tx, y[n] * sy + ty];
      ctx.moveTo(ax, ay);
      if (count <= CURVED) ctx.bezierCurveTo(ax, (ay + by) / 2, bx, (ay + by) / 2, bx, by);
      else ctx.lineTo(bx, by);
    }
    ctx.stroke();
    if (!moved.length) return;
    // A parent that a cheaper way will replace.
    ctx.setLineDash([3 * thick, 3 * thick]);
    ctx.strokeStyle = ink.dropped;
    ctx.beginPath();
    for (const n of moved) {
      const from = cursor.parent(n);
      ctx.moveTo(x[from] * sx + tx, y[from] * sy + ty);
      ctx.lineTo(x[n] * sx + tx, y[n] * sy + ty);
    }
    ctx.stroke();
    ctx.setLineDash([]);
  }

  /** All nodes of one kind: done with are discs, those that wait are squares, what was dropped a stroke. */
  function nodes(ctx, { layout: { x, y }, thick }, count, kind, colour, size, { sx, sy, tx, ty }) {
    ctx.beginPath();
    let any = false;
    for (let i = 0; i < count; i += 1) {
      if (kinds[i] !== kind) continue;
      any = true;
      const px = x[drawn[i]] * sx + tx;
      const py = y[drawn[i]] * sy + ty;
      if (size < DOT * thick) ctx.rect((px | 0) - thick, (py | 0) - thick, 2 * thick, 2 * thick);
      else if (kind === OPEN) ctx.rect(px - size, py - size, size * 2, size * 2);
      else if (kind === DROPPED) {
        ctx.moveTo(px - size * 0.7, py + size * 0.7);
        ctx.lineTo(px + size * 0.7, py - size * 0.7);
      } else {
        ctx.moveTo(px + size, py);
        ctx.arc(px, py, size, 0, TURN);
      }
    }
    if (!any) return;
    [ctx.fillStyle, ctx.strokeStyle, ctx.lineWidth] = [colour, colour, 1.5 * thick];
    if (size < DOT * thick || kind === CLOSED) ctx.fill();
    else ctx.stroke();
  }

  return { paint };
}

/** What stands out: the way to the node in hand, the solution, what is chosen, what is folded. */
function lights(ctx, scene) {
  const { rec, cursor, ink, size, selected, folded, done, solution, at, thick } = scene;
  if (done) way(ctx, scene, solution, ink.path, 3 * thick);
  if (cursor.current !== NOBODY) {
    const chain = [];
    for (let n = cursor.current; n !== NOBODY && chain.length < rec.nodes; n = cursor.parent(n)) chain.push(n);
    if (!done) way(ctx, scene, chain, ink.current, 2 * thick);
    disc(ctx, at(cursor.current), Math.max(4 * thick, size + 2 * thick), ink.current);
  }
  for (const n of folded) if (cursor.statuses[n]) fold(ctx, at(n), rec.treeSize[n] - 1, ink, thick);
  if (selected >= 0 && cursor.statuses[selected]) {
    const [x, y] = at(selected);
    [ctx.strokeStyle, ctx.lineWidth] = [ink.text, 2 * thick];
    const half = size + 4 * thick;
    ctx.strokeRect(x - half, y - half, half * 2, half * 2);
  }
}

function way(ctx, { cursor, at, size, thick }, chain, colour, wide) {
  [ctx.strokeStyle, ctx.fillStyle, ctx.lineWidth] = [colour, colour, wide];
  ctx.beginPath();
  chain.forEach((n, i) => { const [x, y] = at(n); if (i && cursor.statuses[n]) ctx.lineTo(x, y); else ctx.moveTo(x, y); });
  ctx.stroke();
  for (const n of chain) disc(ctx, at(n), Math.max(2.5 * thick, Math.min(size, 4 * thick)), colour);
}

function disc(ctx, [x, y], radius, colour) {
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, TURN);
  ctx.fill();
}

function fold(ctx, [x, y], count, ink, thick) {
  ctx.fillStyle = ink.text;
  ctx.beginPath();
  ctx.moveTo(x - 5 * thick, y + 4 * thick);
  ctx.lineTo(x + 5 * thick, y + 4 * thick);
  ctx.lineTo(x, y + 12 * thick);
  ctx.fill();
  ctx.font = `${11 * thick}px system-ui, sans-serif`;
  ctx.fillText(`+${count}`, x + 7 * thick, y + 13 * thick);
}
