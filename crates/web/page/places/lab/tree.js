// The search tree as it grows, on a canvas: zoom, pan, fit, fold, choose a node, follow the one in hand.

import { button, el } from '../../js/dom.js';
import { onLanguage, t, whole } from '../../js/i18n.js';
import { NOBODY } from '../../trace/cursor.js';
import { nodeName } from '../../trace/sentence.js';
import { below, placeNodes } from './layout.js';
import { createPainter, inks } from './paint.js';

const ZOOM = 1.4;
const WIDEST = 44;
const HIGHEST = 64;
const NEAR = 14;
const EDGE = 14;
/** The longer side of a picture, in pixels. */
const PICTURE = 2400;
/** Room for the buttons above the tree. */
const TOP = 56;

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
  /** Whether all of it is in view, because nobody has moved or enlarged it: then it stays so in a box of another size. */
  let fitted = true;

  const at = (n) => [scene.layout.x[n] * scene.view.sx + scene.view.tx, scene.layout.y[n] * scene.view.sy + scene.view.ty];

  /** Shows a recording from its beginning. */
  function load(rec, cursor) {
    scene = rec && {
      rec, cursor, layout: placeNodes(rec), hidden: new Uint8Array(rec.nodes), folded: new Set(), selected: -1, at, ink: inks(root), done: false, solution: rec.header.path_nodes ?? [],
      view: { sx: 1, sy: 1, tx: 0, ty: 0 }, size: 1, thick: 1, width: 0, height: 0,
    };
    branch = false;
    drawActs();
    label();
    fitted = true;
    resize();
  }

  function resize() {
    const { width, height } = canvas.getBoundingClientRect();
    const ratio = devicePixelRatio || 1;
    if (!scene || !width) return;
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    Object.assign(scene, { width, height });
    if (fitted) fit();
    else refresh();
  }

  /** Paints with the next frame. */
  function refresh() {
    if (!asked && scene) asked = requestAnimationFrame(() => { asked = 0; paint(); });
  }

  function paint() {
    if (!scene?.width) return;
    const begun = performance.now();
    const { view, cursor, rec } = scene;
    scene.size = Math.max(1, Math.min(7, view.sx * 0.34, view.sy * 0.3));
    scene.done = rec.goalEvent >= 0 && cursor.k >= rec.goalEvent;
    painter.paint(context, scene);
    lastPaint = performance.now() - begun;
  }

  /** The whole tree, or what is not hidden of it. */
  function fit() {
    fitted = true;
    if (!scene?.width) return;
    const { layout, width, height, hidden, rec } = scene;
    let { bounds } = layout;
    if (hidden.includes(1)) {
      bounds = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
      for (let n = 0; n < rec.nodes; n += 1) {
        if (hidden[n]) continue;
        bounds = { left: Math.min(bounds.left, layout.x[n]), right: Math.max(bounds.right, layout.x[n]), top: Math.min(bounds.top, layout.y[n]), bottom: Math.max(bounds.bottom, layout.y[n]) };
      }
    }
    const sx = Math.min(WIDEST, (width - 40) / Math.max(1, bounds.right - bounds.left));
    const sy = Math.min(HIGHEST, (height - TOP - 22) / Math.max(1, bounds.bottom - bounds.top));
    scene.view = { sx, sy, tx: width / 2 - ((bounds.left + bounds.right) / 2) * sx, ty: TOP - bounds.top * sy };
    refresh();
  }

  function zoom(factor, x = scene.width / 2, y = scene.height / 2) {
    const { view, layout: { bounds }, width } = scene;
    fitted = false;
    const least = Math.min(WIDEST, (width - 40) / Math.max(1, bounds.right - bounds.left)) / 2;
    const sx = Math.max(least, Math.min(WIDEST * 2, view.sx * factor));
    const sy = Math.max(3, Math.min(HIGHEST * 1.5, view.sy * Math.sqrt(factor)));
    scene.view = { sx, sy, tx: x - ((x - view.tx) / view.sx) * sx, ty: y - ((y - view.ty) / view.sy) * sy };
    refresh();
  }

  function pan(dx, dy) {
    fitted = false;
    scene.view.tx += dx;
    scene.view.ty += dy;
    refresh();
  }

  /** Brings a node into view. */
  function reveal(n) {
    if (!scene?.width || n === NOBODY || n < 0) return;
    const [x, y] = at(n);
    // No further than it must: what is looked at stays where it is as long as it can.
    const into = (from, length) => Math.max(0, EDGE - from) - Math.max(0, from - (length - EDGE));
    scene.view.tx += into(x, scene.width);
    scene.view.ty += into(y, scene.height);
    refresh();
  }

  /** The cursor has moved. */
  function follow() {
    if (!scene) return;
    if (scene.cursor.current !== NOBODY) reveal(scene.cursor.current);
    refresh();
  }

  function hide() {
    const { rec, folded } = scene;
    const hidden = below(rec, folded);
    if (branch) for (let n = 0; n < rec.nodes; n += 1) if (!rec.onPath[n] && !(rec.treeParent[n] !== NOBODY && rec.onPath[rec.treeParent[n]])) hidden[n] = 1;
    scene.hidden = hidden;
    refresh();
  }

  /** Folds what is below a node, or unfolds it. */
  function fold(n) {
    if (!scene.folded.delete(n)) scene.folded.add(n);
    hide();
  }

  function select(n) {
    if (!scene) return;
    scene.selected = n;
    reveal(n);
    refresh();
  }

  /** The node nearest to a point, or -1. */
  function nodeAt(x, y) {
    let [best, least] = [-1, NEAR * NEAR];
    for (let n = 0; n < scene.rec.nodes; n += 1) {
      if (!scene.cursor.statuses[n] || scene.hidden[n]) continue;
      const [px, py] = at(n);
      const far = (px - x) ** 2 + (py - y) ** 2;
      if (far < least) [best, least] = [n, far];
    }
    return best;
  }

  gestures(canvas, {
    ready: () => Boolean(scene?.width), pan, zoom,
    tap: (x, y) => { const n = nodeAt(x, y); if (n >= 0) { select(n); onPick(n); } },
    fold: (x, y) => { const n = nodeAt(x, y); if (n >= 0) fold(n); },
  });

  function drawActs() {
    const act = (id, key, symbol, run) => button(t(key), () => scene && run(), { kind: 'tool-act', symbol, id: `${name}-${id}`, title: t(key), 'aria-label': t(key) });
    const solved = scene?.solution.length > 1;
    const only = button(t('lab.tree.branch'), () => { branch = !branch; only.setAttribute('aria-pressed', String(branch)); hide(); fit(); }, { kind: 'chip', id: `${name}-branch`, 'aria-pressed': String(branch), disabled: !solved });
    acts.replaceChildren(act('in', 'lab.tree.in', 'plus', () => zoom(ZOOM)), act('out', 'lab.tree.out', 'minus', () => zoom(1 / ZOOM)), act('fit', 'lab.tree.fit', 'whole', fit), only);
  }

  /** What the canvas shows, as a picture of its own: large, for it is to be printed and enlarged. */
  function picture() {
    const { width, height, view, size } = scene;
    const by = PICTURE / Math.max(width, height);
    const copy = el('canvas', { width: Math.round(width * by), height: Math.round(height * by) });
    const large = { sx: view.sx * by, sy: view.sy * by, tx: view.tx * by, ty: view.ty * by };
    createPainter().paint(copy.getContext('2d'), { ...scene, width: copy.width, height: copy.height, view: large, size: size * by, thick: by, at: (n) => at(n).map((place) => place * by) });
    return copy;
  }

  function label() {
    const text = scene ? t('lab.tree.label', { nodes: whole(scene.rec.nodes) }) : t('lab.tree');
    canvas.setAttribute('aria-label', text);
  }

  onLanguage(() => { drawActs(); label(); });
  new ResizeObserver(resize).observe(box);
  new MutationObserver(() => { if (scene) { scene.ink = inks(root); refresh(); } }).observe(document.documentElement, { attributes: true, attributeFilter: ['data-look'] });

  return {
    load, follow, refresh, select, fold, fit,
    isFolded: (n) => scene.folded.has(n),
    /** What the canvas shows, for an export and for measuring. */
    canvas, box, paint, picture,
    get scene() { return scene; },
    get lastPaint() { return lastPaint; },
    get selected() { return scene ? scene.selected : -1; },
    nameOf: (n) => nodeName(scene.rec, n),
  };
}

/** Drag pans, the wheel and two fingers zoom, a tap chooses, a double tap folds. */
function gestures(canvas, { ready, pan, zoom, tap, fold }) {
  const fingers = new Map();
  let moved = 0;
  const place = (event) => { const box = canvas.getBoundingClientRect(); return [event.clientX - box.left, event.clientY - box.top]; };
  const spread = () => { const [[ax, ay], [bx, by]] = [...fingers.values()]; return { far: Math.hypot(ax - bx, ay - by), x: (ax + bx) / 2, y: (ay + by) / 2 }; };
  canvas.addEventListener('pointerdown', (event) => {
    if (!ready()) return;
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, place(event));
    if (fingers.size === 1) moved = 0;
  });
  canvas.addEventListener('pointermove', (event) => {
    const was = fingers.get(event.pointerId);
    if (!was) return;
    const now = place(event);
    const before = fingers.size === 2 ? spread() : null;
    fingers.set(event.pointerId, now);
    moved += Math.hypot(now[0] - was[0], now[1] - was[1]);
    if (before) {
      const next = spread();
      zoom(next.far / Math.max(1, before.far), next.x, next.y);
      pan(next.x - before.x, next.y - before.y);
    } else pan(now[0] - was[0], now[1] - was[1]);
  });
  for (const end of ['pointerup', 'pointercancel']) {
    canvas.addEventListener(end, (event) => {
      if (fingers.delete(event.pointerId) && end === 'pointerup' && fingers.size === 0 && moved < 5) tap(...place(event));
    });
  }
  canvas.addEventListener('dblclick', (event) => ready() && fold(...place(event)));
  canvas.addEventListener('wheel', (event) => {
    if (!ready()) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 300), ...place(event));
  }, { passive: false });
}
