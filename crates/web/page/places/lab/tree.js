// The search tree as it grows, on a canvas: zoom, pan, fit, fold, choose a node, follow the current one.

import { button, el, onLook } from '../../js/dom.js';
import { onLanguage, t } from '../../js/i18n.js';
import { NOBODY } from '../../trace/cursor.js';
import { nodeName, sumText } from '../../trace/sentence.js';
import { createFingers } from '../../js/fingers.js';
import { LARGEST_DOT, below, largestCell, largestRoom, placeNodes, roomOf, rowsOf, sizesOf } from './layout.js';
import { createPainter, inks } from './paint.js';

const ZOOM = 1.4;
/** The reach of a tap around a node, and the longest movement of a tap, in pixels. */
const [NEAR, TAP] = [14, 5];
const EDGE = 14;
/** Room around the tree, and around the buttons above it. */
const SIDE = 14;
/** While a tree grows, what is in view grows in steps: each shows so many times as much as the last. */
const STEP = 1.5;
/** The least that is in view, in nodes to each side and in rows. */
const [LEAST_ACROSS, LEAST_DOWN] = [1.5, 2];
/** The share of the way to where it belongs that the view goes in a frame; what is nearer than so many pixels is there. */
const [GLIDE, THERE] = [0.3, 0.5];
/** In a lecture hall nothing is smaller than so many times what it is on a desk, where a tree has so many pixels. */
const [PRESENTED, ROOMY] = [1.6, 420];
/** The largest scale of an exported tree, relative to the screen. */
const ON_PAPER = [1, 1.5, 2, 2.5];
const STILL = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * Builds the tree in `root`.
 * @param {HTMLElement} root
 * @param {{ onPick: (node: number) => void, name?: string }} callbacks
 */
export function createTree(root, { onPick, name = 'tree' }) {
  const canvas = el('canvas', { className: 'tree', id: name, role: 'img' });
  const context = canvas.getContext('2d');
  const acts = el('div', { className: 'tree-acts' });
  const box = el('div', { className: 'tree-box' }, canvas, acts);
  root.append(box);
  const painter = createPainter();
  /** @type {any} */
  let scene = null;
  let asked = 0;
  let branch = false;
  let lastPaint = 0;
  /** Whether all that is there so far is in view, because nobody has moved or enlarged it: then it stays so. */
  let fitted = true;
  /** The target of the view's animation, or null. @type {{ sx: number, sy: number, tx: number, ty: number } | null} */
  let goal = null;

  const at = (/** @type {number} */ n) => [scene.layout.x[n] * scene.view.sx + scene.view.tx, scene.layout.y[n] * scene.view.sy + scene.view.ty];

  /** Shows a recording from its beginning. @param {import('../../trace/recording.js').Recording} rec @param {import('../../trace/recording.js').Cursor} cursor */
  function load(rec, cursor) {
    const layout = rec && placeNodes(rec);
    scene = rec && {
      rec, cursor, layout, rows: rowsOf(layout, rec.nodes), hidden: new Uint8Array(rec.nodes), folded: new Set(), selected: -1, at, ink: inks(root), done: false, solution: rec.header.path_nodes ?? [],
      view: { sx: 1, sy: 1, tx: 0, ty: 0 }, width: 0, height: 0, seen: { bounds: layout.bounds, gap: Infinity, count: 0, over: layout.x[0] ?? 0 }, sizes: null, acts: { width: 0, height: 0 },
      shape: { rows: rec.place.rows, cols: rec.place.cols, unit: 1, em: labelWidths(context, rec) }, label: (/** @type {number} */ g, /** @type {number} */ h) => (scene.sizes.full ? sumText(rec, g, h) : shortSum(rec, g, h)),
    };
    branch = false;
    drawActs();
    label();
    fitted = true;
    goal = null;
    if (scene) look();
    resize();
  }

  function resize() {
    const { width, height } = canvas.getBoundingClientRect();
    const ratio = devicePixelRatio || 1;
    if (!scene || !width) return;
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    Object.assign(scene, { width, height, acts: { width: acts.offsetWidth + 2 * SIDE, height: acts.offsetTop + acts.offsetHeight + SIDE / 2 } });
    scene.shape.unit = root.closest('.present') && width >= ROOMY ? PRESENTED * (parseFloat(getComputedStyle(root).getPropertyValue('--unit')) || 1) : 1;
    if (fitted) fit();
    else refresh();
  }

  function refresh() {
    if (!asked && scene) asked = requestAnimationFrame(() => { asked = 0; glide(); paint(); });
  }

  function paint() {
    if (!scene?.width) return;
    const begun = performance.now();
    const { cursor, rec } = scene;
    scene.sizes = sizesAt(scene.view);
    scene.done = rec.goalEvent >= 0 && cursor.k >= rec.goalEvent;
    painter.paint(context, scene);
    lastPaint = performance.now() - begun;
  }

  const sizesAt = (/** @type {{ sx: number, sy: number }} */ { sx, sy }) => sizesOf(scene.shape, { across: scene.seen.gap * sx, down: sy, width: scene.width, height: scene.height, count: scene.seen.count });

  /** Finds out how far the tree reaches that is there so far, how near its nodes are to each other, and (`over`) where the rightmost node of the highest row is. */
  function look() {
    const { rows, cursor: { statuses }, hidden, layout: { x } } = scene;
    const bounds = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
    let [gap, count, over] = [Infinity, 0, x[0] ?? 0];
    rows.forEach((/** @type {any} */ row, /** @type {number} */ level) => {
      let before = -Infinity;
      for (const n of row) {
        if (!statuses[n] || hidden[n]) continue;
        if (x[n] - before < gap) gap = x[n] - before;
        before = x[n];
        count += 1;
        if (x[n] < bounds.left) bounds.left = x[n];
        if (x[n] > bounds.right) bounds.right = x[n];
        if (level <= bounds.top) [bounds.top, over] = [level, x[n]];
        bounds.bottom = level;
      }
    });
    scene.seen = { gap, count, over, bounds: bounds.left > bounds.right ? scene.layout.bounds : bounds };
  }

  /** The part to show: the tree so far, and room in which it can grow before the view must change. It does not depend on the path of steps to here. */
  function horizon() {
    const { seen: { bounds }, layout: { bounds: all, x }, hidden } = scene;
    if (hidden.includes(1)) return bounds;
    const [middle, top] = [x[0] ?? 0, all.top];
    const reach = (/** @type {number} */ most, /** @type {number} */ so, /** @type {number} */ least) => { let far = most; while (far / STEP >= Math.max(so, least)) far /= STEP; return far; };
    return { left: middle - reach(middle - all.left, middle - bounds.left, LEAST_ACROSS), right: middle + reach(all.right - middle, bounds.right - middle, LEAST_ACROSS), top, bottom: top + Math.floor(reach(all.bottom - top, bounds.bottom - top, LEAST_DOWN)) };
  }

  /** The view that has all of this in sight, as large as it goes. How much room the outermost nodes need depends on how large they are, and that on the room: the least that suffices is looked for. @param {{ left: any, right: any, top: any, bottom: any }} part */
  function viewOf(part) {
    let [few, enough] = [0, largestCell(scene.shape, scene.width, scene.height)];
    const isEnough = (/** @type {number} */ cell) => sizesAt(viewWith(part, cell)).cell <= cell;
    if (isEnough(few)) return viewWith(part, few);
    for (let again = 0; again < 7; again += 1) {
      const middle = (few + enough) / 2;
      if (isEnough(middle)) enough = middle;
      else few = middle;
    }
    return viewWith(part, enough);
  }

  /** The view of this part with room around it for boards of such cells. */
  function viewWith(/** @type {any} */ { left, right, top, bottom }, /** @type {number} */ cell) {
    const { width, height, shape, acts: corner, seen: { over } } = scene;
    const most = largestRoom(shape, width, height);
    const { across, letters, board } = roomOf(shape, cell);
    const beside = Math.max(across / 2, SIDE) + SIDE;
    // Dots are larger than the margin on a very large screen.
    const half = board.height / 2 || Math.max(0, LARGEST_DOT * shape.unit + 2 - SIDE);
    const down = (/** @type {number} */ above) => Math.min(most.down, Math.max(1, height - above - half - letters * 1.4 - SIDE) / Math.max(0.01, bottom - top));
    const sx = Math.min(most.across, Math.max(1, width - 2 * beside) / Math.max(0.01, right - left));
    // The highest row (a search that begins again has several roots) lies beside the buttons where it has the room and the next row lies below them; else all lies below them.
    const isBeside = width / 2 + (over - (left + right) / 2) * sx + Math.max(board.width, across) / 2 < width - corner.width;
    const free = isBeside && SIDE + down(half + SIDE) > corner.height ? SIDE : corner.height;
    const sy = down(half + free);
    return { sx, sy, tx: width / 2 - ((left + right) / 2) * sx, ty: half + free - top * sy };
  }

  /** All that is there so far; smoothly, where somebody is looking on. */
  function fit({ smooth = false } = {}) {
    fitted = true;
    if (!scene?.width) return;
    // Nodes are boards where that costs no more than the room in which the tree could grow.
    const [far, near] = [horizon(), scene.seen.bounds].map(viewOf);
    const next = sizesAt(far).cell || !sizesAt(near).cell ? far : near;
    if (smooth && !STILL.matches) goal = next;
    else [scene.view, goal] = [next, null];
    refresh();
  }

  /** A frame on the way to where the view belongs. */
  function glide() {
    if (!goal) return;
    const { view, width, height } = scene;
    const off = Math.max(Math.abs(goal.tx - view.tx), Math.abs(goal.ty - view.ty), Math.abs(goal.sx / view.sx - 1) * width, Math.abs(goal.sy / view.sy - 1) * height);
    if (off < THERE) [scene.view, goal] = [goal, null];
    else {
      const { sx, sy, tx, ty } = goal;
      const near = (/** @type {number} */ from, /** @type {number} */ to) => from + (to - from) * GLIDE;
      scene.view = { sx: near(view.sx, sx), sy: near(view.sy, sy), tx: near(view.tx, tx), ty: near(view.ty, ty) };
      refresh();
    }
  }

  /** Somebody has moved or enlarged the tree: it stays as they left it. */
  function moved() {
    fitted = false;
    goal = null;
  }

  /** Larger or smaller around a point. Returns whether anything has changed. @param {number} factor */
  function zoom(factor, x = scene.width / 2, y = scene.height / 2) {
    const { view, layout: { bounds }, width, height, shape } = scene;
    const most = largestRoom(shape, width, height);
    const least = Math.min(most.across, (width - 40) / Math.max(1, bounds.right - bounds.left)) / 2;
    const sx = Math.max(least, Math.min(most.across * 2, view.sx * factor));
    const sy = Math.max(3, Math.min(most.down * 1.5, view.sy * Math.sqrt(factor)));
    if (sx === view.sx && sy === view.sy) return false;
    moved();
    scene.view = { sx, sy, tx: x - ((x - view.tx) / view.sx) * sx, ty: y - ((y - view.ty) / view.sy) * sy };
    refresh();
    return true;
  }

  function pan(/** @type {number} */ dx, /** @type {number} */ dy) {
    moved();
    scene.view.tx += dx;
    scene.view.ty += dy;
    refresh();
  }

  /** Brings a node into view, where not everything is. @param {number} n */
  function reveal(n) {
    if (!scene?.width || fitted || n === NOBODY || n < 0) return;
    const [x, y] = at(n);
    // No further than it must: what is looked at stays where it is as long as it can.
    const into = (/** @type {number} */ from, /** @type {number} */ length) => Math.max(0, EDGE - from) - Math.max(0, from - (length - EDGE));
    scene.view.tx += into(x, scene.width);
    scene.view.ty += into(y, scene.height);
    refresh();
  }

  function follow() {
    if (!scene) return;
    look();
    if (fitted) fit({ smooth: true });
    else if (scene.cursor.current !== NOBODY) reveal(scene.cursor.current);
    refresh();
  }

  function hide() {
    const { rec, folded } = scene;
    const hidden = below(rec, folded);
    if (branch) for (let n = 0; n < rec.nodes; n += 1) if (!rec.onPath[n] && !(rec.treeParent[n] !== NOBODY && rec.onPath[rec.treeParent[n]])) hidden[n] = 1;
    scene.hidden = hidden;
    look();
    refresh();
  }

  /** Folds what is below a node, or unfolds it. @param {number} n */
  function fold(n) {
    if (!scene.folded.delete(n)) scene.folded.add(n);
    hide();
  }

  function select(/** @type {number} */ n) {
    if (!scene) return;
    scene.selected = n;
    reveal(n);
    refresh();
  }

  /** The node nearest to a point, or -1. @param {number} x @param {number} y */
  function nodeAt(x, y) {
    let [best, least] = [-1, Math.max(NEAR, (scene.sizes?.board.height ?? 0) / 2) ** 2];
    for (let n = 0; n < scene.rec.nodes; n += 1) {
      if (!scene.cursor.statuses[n] || scene.hidden[n]) continue;
      const [px, py] = at(n);
      const far = (px - x) ** 2 + (py - y) ** 2;
      if (far < least) [best, least] = [n, far];
    }
    return best;
  }

  // Drag pans, the wheel and two fingers zoom, a tap chooses, a double tap folds.
  let drawn = 0;
  const isReady = () => Boolean(scene?.width);
  createFingers(canvas, {
    isReady, pan, zoom,
    begin: () => { drawn = 0; },
    move: (from, to) => { drawn += Math.hypot(to[0] - from[0], to[1] - from[1]); pan(to[0] - from[0], to[1] - from[1]); },
    end: (spot, { type }) => { const n = type === 'pointerup' && drawn < TAP ? nodeAt(...spot) : -1; if (n >= 0) { select(n); onPick(n); } },
  });
  canvas.addEventListener('dblclick', (/** @type {any} */ event) => { const n = isReady() ? nodeAt(event.offsetX, event.offsetY) : -1; if (n >= 0) fold(n); });

  function drawActs() {
    const act = (/** @type {string} */ id, /** @type {string} */ key, /** @type {string} */ symbol, /** @type {any} */ run) => button(t(key), () => scene && run(), { kind: 'tool-act', symbol, id: `${name}-${id}`, title: t(key), 'aria-label': t(key) });
    const solved = scene?.solution.length > 1;
    const only = button(t('lab.tree.branch'), () => { branch = !branch; only.setAttribute('aria-pressed', String(branch)); hide(); fit(); }, { kind: 'chip', id: `${name}-branch`, 'aria-pressed': String(branch), disabled: !solved });
    acts.replaceChildren(act('in', 'trace.zoom.in', 'plus', () => zoom(ZOOM)), act('out', 'trace.zoom.out', 'minus', () => zoom(1 / ZOOM)), act('fit', 'lab.tree.fit', 'whole', () => fit()), only);
  }

  /** The canvas's content for an export. If all of it is in view, it is drawn larger where that turns nodes into boards. */
  function panel() {
    const { width, height, view, sizes, acts: corner } = scene;
    const [wide, high] = fitted ? ON_PAPER.map((by) => [width * by, height * by]).find(([across, down]) => fitTo(across, down).cell) ?? [0, 0] : [0, 0];
    if (!wide) Object.assign(scene, { width, height, view, sizes });
    const { view: { sx, sy, tx, ty }, layout: { x, y } } = scene;
    const shown = { ...scene, at: (/** @type {number} */ n) => [x[n] * sx + tx, y[n] * sy + ty] };
    Object.assign(scene, { width, height, view, sizes, acts: corner });
    return { width: wide || width, height: high || height, draw: (/** @type {any} */ sheet) => { createPainter().paint(sheet, shown); } };
  }

  /** Fits all that is there into so much room, without buttons; the sizes that it has there. @param {number} width @param {number} height */
  function fitTo(width, height) {
    Object.assign(scene, { width, height, acts: { width: 0, height: 0 } });
    scene.view = viewOf(scene.seen.bounds);
    scene.sizes = sizesAt(scene.view);
    return scene.sizes;
  }

  function label() {
    const text = scene ? t('lab.tree.label', { nodes: scene.rec.nodes }) : t('lab.tree');
    canvas.setAttribute('aria-label', text);
  }

  onLanguage(() => { drawActs(); label(); refresh(); });
  // In another language the buttons are wider or narrower.
  const watcher = new ResizeObserver(resize);
  for (const node of [box, acts]) watcher.observe(node);
  onLook(() => { if (scene) { scene.ink = inks(root); refresh(); } });

  return {
    load, follow, refresh, select, fold, fit,
    /** Enlarges (1), makes smaller (-1), or shows everything (0). @param {number} by */
    scale: (by) => { if (scene) (by ? zoom(ZOOM ** by) : fit()); },
    isFolded: (/** @type {number} */ n) => scene.folded.has(n),
    /** The canvas's content, for an export and for measuring. */
    canvas, box, paint, panel,
    /** Whether the view has come to rest. */
    get isStill() { return !goal && !asked; },
    get scene() { return scene; },
    get lastPaint() { return lastPaint; },
    get selected() { return scene ? scene.selected : -1; },
    nameOf: (/** @type {number} */ n) => nodeName(scene.rec, n),
  };
}

/** The label under a small board: the sum without its name. @param {import('../../trace/recording.js').Recording} rec @param {number} g @param {number} h */
const shortSum = (rec, g, h) => sumText(rec, g, h).replace(/^\w = /, '').replaceAll(' ', '');

/** How wide the longest label of a tree is, in heights of its letters: in full, and short. @param {any} context @param {import('../../trace/recording.js').Recording} rec */
function labelWidths(context, rec) {
  let [g, h] = [0, 0];
  for (let k = 0; k < rec.length; k += 1) {
    if (rec.paid[k] > g) g = rec.paid[k];
    if (rec.left[k] > h && rec.left[k] < Infinity) h = rec.left[k];
  }
  context.font = '100px system-ui, sans-serif';
  return { full: context.measureText(sumText(rec, g, h)).width / 100, short: context.measureText(shortSum(rec, g, h)).width / 100 };
}
