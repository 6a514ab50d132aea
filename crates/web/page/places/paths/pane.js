// One map on the page: ground, search and path on three sheets, one above the other, so that each is drawn again only
// when it has changed.

import { el, setText } from '../../js/dom.js';
import { t } from '../../js/i18n.js';
import { searchLayer } from './search-layer.js';
import { palette } from './theme.js';

const MOST_DENSITY = 2;

/**
 * @param {{ number: number, view: ReturnType<typeof import('./view.js').createView> }} options
 */
export function createPane({ number, view }) {
  const sheets = Array.from({ length: 3 }, () => el('canvas', { className: 'layer', 'aria-hidden': 'true' }));
  const [base, search, top] = sheets.map((canvas) => canvas.getContext('2d'));
  const stage = el('div', { className: 'stage', id: `paths-stage-${number}`, tabIndex: 0, role: 'application', 'aria-describedby': 'paths-summary paths-how' }, sheets);
  const name = el('h2', { className: 'run-name' });
  const figures = el('div', { className: 'run-figures' });
  const root = el('section', { className: `pane card run-${number + 1}` }, el('header', {}, el('span', { className: 'run-mark', 'aria-hidden': 'true' }), name), stage, figures);
  let size = { width: 1, height: 1 };
  let scene = null;
  let layer = null;
  let found = { path: null, search: null };
  let shown = { figures: true, search: true };
  let ends = { start: -1, goals: [] };
  let cursor = -1;
  let due = new Set();

  /** Draws with the next frame what has to be drawn. */
  function ask(...what) {
    if (!due.size) requestAnimationFrame(flush);
    for (const one of what) due.add(one);
  }

  function flush() {
    const todo = due;
    due = new Set();
    if (!scene || size.width < 2) return;
    if (todo.has('base')) scene.base(base, view.view, size.width, size.height);
    if (todo.has('search') || todo.has('step')) drawSearch(todo.has('search'));
    if (todo.has('base') || todo.has('top') || todo.has('search') || todo.has('step')) drawTop();
  }

  function drawSearch(whole) {
    if (layer && shown.search) layer.draw(search, view.view, size.width, size.height, { figures: shown.figures, whole });
    else search.clearRect(0, 0, size.width, size.height);
  }

  const point = (place) => {
    const [x, y] = scene.centre(place);
    return [view.view.x + x * view.view.scale, view.view.y + y * view.view.scale];
  };

  function drawTop() {
    const { scale } = view.view;
    const colours = palette();
    top.clearRect(0, 0, size.width, size.height);
    const colour = colours[`path${number + 1}`];
    if (found.search && shown.search) trail(found.search, colours);
    if (found.path) line(found.path, colour, Math.max(2.2, Math.min(6, scale * 0.2)), colours.paper);
    scene.above(top, view.view);
    for (const goal of ends.goals) star(top, ...point(goal), Math.max(6, scale * 0.46), colours.goal, colours.paper);
    if (ends.start >= 0) disc(top, ...point(ends.start), Math.max(5, scale * 0.36), colours.start, colours.paper);
    if (cursor >= 0) frame(colours);
  }

  function line(places, colour, width, halo) {
    const shape = shapeOf(places);
    for (const [style, extra] of [[halo, 2.5], [colour, 0]]) {
      top.lineJoin = top.lineCap = 'round';
      top.lineWidth = width + extra;
      top.strokeStyle = style;
      top.stroke(shape);
    }
  }

  let kept = { places: null, at: '', shape: new Path2D() };
  /** A line through places, as it lies on the screen; while only the goal moves, it is the same from frame to frame. */
  function shapeOf(places) {
    const at = `${view.view.scale} ${view.view.x} ${view.view.y}`;
    if (kept.places === places && kept.at === at) return kept.shape;
    const shape = new Path2D();
    for (const [i, [x, y]] of places.map(point).filter(turns).entries()) shape[i ? 'lineTo' : 'moveTo'](x, y);
    kept = { places, at, shape };
    return shape;
  }

  /** How the node in hand was reached. */
  function trail({ rec, cursor: at }, colours) {
    if (at.k === 0 || at.k >= rec.length) return;
    const places = [];
    for (let node = at.current; node < rec.nodes && places.length < rec.nodes; node = at.parent(node)) places.push(rec.states[node]);
    if (places.length < 2) return;
    top.setLineDash([4, 4]);
    line(places, colours.now, 2, colours.paper);
    top.setLineDash([]);
  }

  function frame(colours) {
    const { scale } = view.view;
    const [x, y] = point(cursor);
    const half = Math.max(6, scale / 2);
    top.lineWidth = 3;
    for (const [style, dash] of [[colours.paper, []], [colours.cursor, [5, 4]]]) {
      top.setLineDash(dash);
      top.strokeStyle = style;
      top.strokeRect(x - half, y - half, 2 * half, 2 * half);
    }
    top.setLineDash([]);
  }

  function resize({ width, height }) {
    size = { width, height };
    const density = Math.min(MOST_DENSITY, devicePixelRatio || 1);
    for (const canvas of sheets) {
      canvas.width = Math.round(width * density);
      canvas.height = Math.round(height * density);
      canvas.getContext('2d').setTransform(density, 0, 0, density, 0, 0);
    }
    ask('base', 'search');
  }

  return {
    root, stage, sheets, figures,
    resize, ask,
    /** Draws at once what has to be drawn. */
    flush,
    get size() { return size; },
    name: (text) => { setText(name, text); stage.setAttribute('aria-label', t('paths.map.label', { name: text })); },
    setScene(next) { scene = next; layer = null; found = { path: null, search: null }; ask('base', 'search'); },
    setEnds(next) { ends = next; ask('top'); },
    setCursor(place) { cursor = place; ask('top'); },
    setShow(next) { shown = next; layer?.forget(); ask('base', 'search'); },
    /** What was found, and the recorded search, as far as they are known. */
    setFound({ path, search: next }) {
      const same = next === found.search;
      if (!same) layer = next ? searchLayer(scene, next) : null;
      found = { path, search: next };
      // While something is dragged, only the path changes.
      ask(same ? 'top' : 'search');
    },
  };
}

/** Whether a line turns at a point of it: what lies between need not be drawn. */
function turns([x, y], i, all) {
  const [before, after] = [all[i - 1], all[i + 1]];
  return !before || !after || Math.abs((x - before[0]) * (after[1] - y) - (y - before[1]) * (after[0] - x)) > 1e-6;
}

export function disc(ctx, x, y, radius, fill, halo) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.lineWidth = 2;
  ctx.strokeStyle = halo;
  ctx.stroke();
}

export function star(ctx, x, y, radius, fill, halo) {
  ctx.beginPath();
  for (let i = 0; i < 10; i += 1) {
    const [turn, reach] = [-Math.PI / 2 + (i * Math.PI) / 5, i % 2 ? radius * 0.45 : radius];
    ctx[i ? 'lineTo' : 'moveTo'](x + Math.cos(turn) * reach, y + Math.sin(turn) * reach);
  }
  ctx.closePath();
  ctx.lineJoin = 'round';
  ctx.lineWidth = 2;
  ctx.strokeStyle = halo;
  ctx.stroke();
  ctx.fillStyle = fill;
  ctx.fill();
}
