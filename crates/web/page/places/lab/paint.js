// Draws a search tree on a canvas: only what is in view, and of what falls on one pixel only one. Where there is room, a
// node is its board with its numbers under it, as textbooks print it.

import { CLOSED, CURRENT, DROPPED, FORGOTTEN, NOBODY, OPEN } from '../../trace/cursor.js';

/** Below this size a node is a dot. */
const DOT = 2.2;
const TURN = Math.PI * 2;
/** Of a cell: its number. Of a board: the sign in its corner, with these bounds in pixels. */
const [NUMBER, SIGN, LEAST_SIGN, MOST_SIGN] = [0.66, 0.07, 3.5, 9];
/** How strongly a board is tinted that is closed, and how much of one is covered that was left alone. */
const [TINT, PALE] = [0.2, 0.55];
const FAMILY = 'system-ui, sans-serif';

/** The colours of the page as it looks now. @param {Element} root */
export function inks(root) {
  const style = getComputedStyle(root);
  const ink = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return { line: ink('--tree-line'), closed: ink('--search-closed'), open: ink('--search-open'), current: ink('--search-now'), dropped: ink('--tree-dropped'), forgotten: ink('--tree-forgotten'), path: ink('--good'), text: ink('--quiet'), number: ink('--ink'), well: ink('--well'), card: ink('--card') };
}

/** A painter keeps what a frame needs, so that drawing makes no garbage. */
export function createPainter() {
  let grid = new Int32Array(0);
  let stamp = 0;
  let drawn = new Uint32Array(0);
  let kinds = new Uint8Array(0);
  /** The nodes that are boards, after `count` of them. */
  let boards = new Uint32Array(0);
  let boardKinds = new Uint8Array(0);
  let boarded = 0;

  /**
   * @param {any} ctx A canvas's context, or a sheet that is drawn on like one.
   * @param {any} scene What is shown, and how: see `tree.js`.
   * @returns {number} How many nodes were drawn.
   */
  function paint(ctx, scene) {
    const { width, height, sizes: { dot, cell, board }, shape: { unit }, ink, cursor, done, solution, at } = scene;
    ctx.clearRect(0, 0, width, height);
    ctx.textBaseline = 'middle';
    if (drawn.length < scene.rec.nodes) [drawn, kinds, boards, boardKinds] = [new Uint32Array(scene.rec.nodes), new Uint8Array(scene.rec.nodes), new Uint32Array(scene.rec.nodes), new Uint8Array(scene.rec.nodes)];
    boarded = 0;
    const count = cell ? collectRows(scene) : collect(scene);
    ctx.lineWidth = unit;
    edges(ctx, scene, drawn, count);
    edges(ctx, scene, boards, boarded);
    const chain = done ? solution : chainTo(cursor, scene.rec.nodes);
    const [colour, wide] = done ? [ink.path, 3 * unit] : [ink.current, 2 * unit];
    way(ctx, scene, chain, colour, wide);
    const dots = (/** @type {string} */ kind, /** @type {any} */ own) => nodes(ctx, scene, drawn, kinds, count, { kind, colour: own, size: dot, dx: 0, dy: 0 });
    for (const [kind, own] of [[FORGOTTEN, ink.forgotten], [DROPPED, ink.dropped], [CLOSED, ink.closed], [OPEN, ink.open]]) dots(kind, own);
    for (const n of chain) if (n !== cursor.current) disc(ctx, at(n), Math.max(2.5, Math.min(dot, 4)) * unit, colour);
    if (cursor.current !== NOBODY) disc(ctx, at(cursor.current), Math.max(4 * unit, dot + 2), ink.current);
    if (boarded) {
      printBoards(ctx, scene);
      const size = Math.max(LEAST_SIGN, Math.min(MOST_SIGN * unit, board.width * SIGN));
      const [dx, dy] = [-board.width / 2, -board.height / 2];
      for (const [kind, own] of [[FORGOTTEN, ink.forgotten], [DROPPED, ink.dropped], [CLOSED, ink.closed], [OPEN, ink.open], [CURRENT, ink.current]]) nodes(ctx, scene, boards, boardKinds, boarded, { kind, colour: own, size, dx, dy, ground: ink.card });
      frames(ctx, scene, new Set(chain), colour);
    }
    marks(ctx, scene);
    return count + boarded;
  }

  /** Finds what is in view; where nodes are dots, one a pixel. */
  function collect(/** @type {any} */ { rec, cursor: { statuses }, layout: { x, y }, hidden, view, sizes: { dot }, width, height }) {
    const across = Math.ceil(width) + 1;
    const cells = across * (Math.ceil(height) + 1);
    if (grid.length < cells) grid = new Int32Array(cells);
    stamp += 1;
    const dots = dot < DOT;
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

  /** The same where rows have room for boards: whoever is far enough from its neighbours is one, and the current node always. Returns the number of the others. */
  function collectRows(/** @type {any} */ { rows, cursor: { statuses, current }, layout: { x }, hidden, view, sizes: { room, board }, width, height }) {
    let count = 0;
    for (const [level, row] of rows.entries()) {
      const py = level * view.sy + view.ty;
      if (py < -board.height || py > height + board.height) continue;
      let [before, here, next] = [-1, -1, -1];
      const put = () => {
        const px = x[here] * view.sx + view.tx;
        if (px < -room || px > width + room) return;
        const free = (before < 0 || (x[here] - x[before]) * view.sx >= room) && (next < 0 || (x[next] - x[here]) * view.sx >= room);
        if (free || here === current) [boards[boarded], boardKinds[boarded], boarded] = [here, statuses[here], boarded + 1];
        else [drawn[count], kinds[count], count] = [here, statuses[here], count + 1];
      };
      for (const n of row) {
        if (!statuses[n] || hidden[n]) continue;
        [before, here, next] = [here, next, n];
        if (here >= 0) put();
      }
      [before, here, next] = [here, next, -1];
      if (here >= 0) put();
    }
    return count;
  }

  /** All nodes of one kind: done with are discs, those that wait are squares, what was dropped a stroke. */
  function nodes(/** @type {any} */ ctx, /** @type {any} */ { layout: { x, y }, view: { sx, sy, tx, ty }, shape: { unit } }, /** @type {(string | number)[] | Uint32Array} */ list, /** @type {any[] | Uint8Array} */ states, /** @type {number} */ count, /** @type {{ kind: any, colour: string, size: number, dx: number, dy: number, ground?: any }} */ { kind, colour, size, dx, dy, ground = '' }) {
    ctx.beginPath();
    let any = false;
    for (let i = 0; i < count; i += 1) {
      if (states[i] !== kind) continue;
      any = true;
      const px = x[list[i]] * sx + tx + dx;
      const py = y[list[i]] * sy + ty + dy;
      if (size < DOT) ctx.rect((px | 0) - 1, (py | 0) - 1, 2, 2);
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
    [ctx.fillStyle, ctx.strokeStyle, ctx.lineWidth] = [ground || colour, colour, 1.5 * unit];
    const filled = size < DOT || kind === CLOSED || kind === CURRENT;
    if (filled) ctx.fillStyle = colour;
    if (filled || (ground && kind !== DROPPED)) ctx.fill();
    if (!filled) ctx.stroke();
  }

  /** One path over all boards that are of some kind. */
  function over(/** @type {any} */ ctx, /** @type {any} */ { at }, /** @type {any} */ draw, wanted = /** @type {(kind: number, n: number) => boolean} */ (() => true)) {
    ctx.beginPath();
    let any = false;
    for (let i = 0; i < boarded; i += 1) {
      if (!wanted(boardKinds[i], boards[i])) continue;
      any = true;
      const [x, y] = at(boards[i]);
      draw(x, y, boards[i]);
    }
    return any;
  }

  function printBoards(/** @type {any} */ ctx, /** @type {{ rec?: any, cursor?: any, ink?: any, at: any, label?: any, sizes?: any }} */ scene) {
    const { rec, cursor, ink, at, label, sizes: { cell, letters, board: { width, height } } } = scene;
    const { cols } = rec.place;
    const under = letters * 1.3;
    const [left, top] = [-width / 2, -height / 2];
    const gap = Math.max(0.5, cell * 0.04);
    const corner = (/** @type {number} */ place) => [left + (width - cols * cell) / 2 + (place % cols) * cell, top + (width - cols * cell) / 2 + Math.floor(place / cols) * cell];
    const tiles = (/** @type {any} */ use) => (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ n) => {
      const state = rec.state(n);
      for (let place = 0; place < state.length; place += 1) if (state[place]) use(x, y, ...corner(place), state[place]);
    };
    const fill = (/** @type {string} */ colour) => { ctx.fillStyle = colour; ctx.fill(); };
    over(ctx, scene, (/** @type {number} */ x, /** @type {number} */ y) => ctx.rect(x + left - 1, y + top - 1, width + 2, height + under));
    fill(ink.card);
    over(ctx, scene, (/** @type {number} */ x, /** @type {number} */ y) => ctx.rect(x + left, y + top, width, height));
    fill(ink.well);
    over(ctx, scene, tiles((/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ dx, /** @type {number} */ dy) => ctx.rect(x + dx + gap, y + dy + gap, cell - 2 * gap, cell - 2 * gap)));
    fill(ink.card);
    if (over(ctx, scene, (/** @type {number} */ x, /** @type {number} */ y) => ctx.rect(x + left, y + top, width, height), (kind) => kind === CLOSED)) {
      ctx.globalAlpha = TINT;
      fill(ink.closed);
      ctx.globalAlpha = 1;
    }
    ctx.fillStyle = ink.number;
    ctx.textAlign = 'center';
    ctx.font = `600 ${cell * NUMBER}px ${FAMILY}`;
    over(ctx, scene, tiles((/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ dx, /** @type {number} */ dy, /** @type {number} */ tile) => ctx.fillText(String(tile), x + dx + cell / 2, y + dy + cell * 0.54)));
    if (over(ctx, scene, (/** @type {number} */ x, /** @type {number} */ y) => ctx.rect(x + left, y + top, width, height), (kind) => kind === DROPPED || kind === FORGOTTEN)) {
      ctx.globalAlpha = PALE;
      fill(ink.card);
      ctx.globalAlpha = 1;
    }
    ctx.fillStyle = ink.number;
    ctx.font = `${letters}px ${FAMILY}`;
    for (let i = 0; i < boarded; i += 1) {
      const [x, y] = at(boards[i]);
      ctx.fillText(label(cursor.g(boards[i]), cursor.h(boards[i])), x, y - top + under * 0.52);
    }
  }

  /** What a board is, by its frame: open and closed in their colours, dashed where it was left alone, thick on the path. @param {any} ctx @param {{ ink?: any, sizes?: any, at?: any }} scene @param {Set<any>} path @param {string} colour */
  function frames(ctx, scene, path, colour) {
    const { ink, sizes: { board: { width, height } } } = scene;
    const frame = (/** @type {any} */ own, /** @type {number} */ wide, /** @type {any} */ wanted) => {
      if (!over(ctx, scene, (/** @type {number} */ x, /** @type {number} */ y) => ctx.rect(x - width / 2, y - height / 2, width, height), wanted)) return;
      [ctx.strokeStyle, ctx.lineWidth] = [own, wide];
      ctx.stroke();
    };
    const wide = Math.max(2, width * 0.03);
    frame(ink.open, wide * 0.7, (/** @type {any} */ kind, /** @type {number} */ n) => kind === OPEN && !path.has(n));
    frame(ink.closed, 1, (/** @type {any} */ kind, /** @type {number} */ n) => kind === CLOSED && !path.has(n));
    ctx.setLineDash([4, 3]);
    frame(ink.dropped, 1.2, (/** @type {any} */ kind) => kind === DROPPED);
    frame(ink.forgotten, 1.2, (/** @type {any} */ kind) => kind === FORGOTTEN);
    ctx.setLineDash([]);
    frame(colour, wide, (/** @type {any} */ kind, /** @type {number} */ n) => path.has(n) && kind !== CURRENT);
    frame(ink.current, wide * 1.6, (/** @type {any} */ kind) => kind === CURRENT);
  }

  return { paint };
}

function edges(/** @type {any} */ ctx, /** @type {any} */ { cursor, rec, layout: { x, y }, view: { sx, sy, tx, ty }, hidden, ink }, /** @type {any[] | Uint32Array} */ list, /** @type {number} */ count) {
  const moved = [];
  ctx.strokeStyle = ink.line;
  ctx.beginPath();
  for (let i = 0; i < count; i += 1) {
    const n = list[i];
    const from = cursor.parent(n);
    if (from === NOBODY || hidden[from]) continue;
    if (rec.treeParent[n] !== from) {
      moved.push(n);
      continue;
    }
    ctx.moveTo(x[from] * sx + tx, y[from] * sy + ty);
    ctx.lineTo(x[n] * sx + tx, y[n] * sy + ty);
  }
  ctx.stroke();
  if (!moved.length) return;
  // A parent that a cheaper way will replace.
  ctx.setLineDash([3, 3]);
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

/** The way to the current node, from there. @param {import('../../trace/recording.js').Cursor} cursor @param {number} most */
function chainTo(cursor, most) {
  const chain = [];
  for (let n = cursor.current; n !== NOBODY && chain.length < most; n = cursor.parent(n)) chain.push(n);
  return chain;
}

function way(/** @type {any} */ ctx, /** @type {{ cursor: import('../../trace/recording.js').Cursor, at: any }} */ { cursor, at }, /** @type {any[]} */ chain, /** @type {string} */ colour, /** @type {number} */ wide) {
  [ctx.strokeStyle, ctx.lineWidth] = [colour, wide];
  ctx.beginPath();
  chain.forEach((n, i) => { const [x, y] = at(n); if (i && cursor.statuses[n]) ctx.lineTo(x, y); else ctx.moveTo(x, y); });
  ctx.stroke();
}

function marks(/** @type {any} */ ctx, /** @type {any} */ { rec, cursor, ink, sizes: { dot, cell, board }, selected, folded, at }) {
  for (const n of folded) if (cursor.statuses[n]) fold(ctx, at(n), rec.treeSize[n] - 1, ink);
  if (selected < 0 || !cursor.statuses[selected]) return;
  const [x, y] = at(selected);
  [ctx.strokeStyle, ctx.lineWidth] = [ink.text, 2];
  const [across, down] = cell ? [board.width / 2 + 5, board.height / 2 + 5] : [dot + 4, dot + 4];
  ctx.beginPath();
  ctx.rect(x - across, y - down, across * 2, down * 2);
  ctx.stroke();
}

function disc(/** @type {any} */ ctx, /** @type {number[]} */ [x, y], /** @type {number} */ radius, /** @type {string} */ colour) {
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, TURN);
  ctx.fill();
}

function fold(/** @type {any} */ ctx, /** @type {number[]} */ [x, y], /** @type {number} */ count, /** @type {{ text: any }} */ ink) {
  ctx.fillStyle = ink.text;
  ctx.beginPath();
  ctx.moveTo(x - 5, y + 4);
  ctx.lineTo(x + 5, y + 4);
  ctx.lineTo(x, y + 12);
  ctx.fill();
  ctx.font = `11px ${FAMILY}`;
  ctx.textAlign = 'left';
  ctx.fillText(`+${count}`, x + 7, y + 9);
}
