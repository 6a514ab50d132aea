// One map on the page: ground, search and path on three sheets, one above the other, so that each is drawn again only
// when it has changed.

import { el, setText } from '../../js/dom.js';
import { t } from '../../js/i18n.js';
import { hasArrived } from './figures.js';
import { FIGURES } from './grid-scene.js';
import { bend } from './map.js';
import { searchLayer } from './search-layer.js';
import { state } from './state.js';
import { palette } from './theme.js';

const MOST_DENSITY = 2;
/** The opacity of results of an earlier request. */
const FADED = 0.25;
/** The size of an end's sign in a corner of its cell. */
const CORNER = 0.17;

/**
 * @param {{ number: number, view: ReturnType<typeof import('./view.js').createView> }} options
 */
export function createPane({ number, view }) {
  const sheets = Array.from({ length: 3 }, () => el('canvas', { className: 'layer', 'aria-hidden': 'true' }));
  const [base, search, top] = sheets.map((canvas) => canvas.getContext('2d'));
  const stage = el('div', { className: 'stage', id: `paths-stage-${number}`, tabIndex: 0, role: 'application', 'aria-describedby': 'paths-summary paths-how' }, sheets);
  const name = el('h2', { className: 'run-name' });
  const verdict = el('span', { className: 'run-verdict' });
  const figures = el('div', { className: 'run-figures' });
  const header = el('header', {}, el('span', { className: 'run-mark', 'aria-hidden': 'true' }), name, verdict);
  const root = el('section', { className: 'pane card' }, header, stage, figures);
  let size = { width: 1, height: 1 };
  let scene = /** @type {any} */ (null);
  let layer = /** @type {any} */ (null);
  /** @type {{ path: number[] | null, search: any, faded: boolean }} */
  let found = { path: null, search: null, faded: false };
  let shown = { figures: true, search: true };
  let ends = { start: -1, goals: /** @type {number[]} */ ([]) };
  let cursor = -1;
  let mark = number + 1;
  let due = new Set();

  /** Draws with the next frame what has to be drawn. */
  function ask(/** @type {string[]} */ ...what) {
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

  /** Draws the whole map on another sheet, larger or smaller: all that is shown here but the keyboard's mark. @param {any} sheet @param {number} scale */
  function drawOn(sheet, scale) {
    const [all, width, height] = [{ scale, x: 0, y: 0 }, scene.width * scale, scene.height * scale];
    scene.base(sheet, all, width, height);
    if (layer && shown.search) layer.draw(sheet, all, width, height, { figures: shown.figures });
    layer?.forget();
    drawFound(sheet, all, shown.figures);
  }

  /** Whether figures are to be seen, and cells are large enough for them: in a presentation they grow with the screen. */
  const isLegible = () => shown.figures && view.view.scale >= FIGURES * (Number(document.documentElement.style.getPropertyValue('--unit')) || 1);

  function drawSearch(/** @type {boolean} */ whole) {
    // Draws all changes since the last frame.
    const changes = found.search?.cursor.takeChanges() ?? null;
    if (layer && shown.search) layer.draw(search, view.view, size.width, size.height, { figures: isLegible(), changes: whole ? null : changes });
    else search.clearRect(0, 0, size.width, size.height);
  }

  const point = (/** @type {number} */ place, /** @type {any} */ { scale, x, y }) => {
    const [wx, wy] = scene.centre(place);
    return [x + wx * scale, y + wy * scale];
  };

  function drawTop() {
    top.clearRect(0, 0, size.width, size.height);
    drawFound(top, view.view, isLegible());
    if (cursor >= 0) frame(palette());
  }

  /** The path, what is written above it, and the ends. @param {any} ctx @param {any} seen @param {boolean} written Whether cells may have figures. */
  function drawFound(ctx, seen, written) {
    const { scale } = seen;
    const colours = palette();
    // In cells with figures the signs of the ends are in a corner, so that the figures can be read.
    const isWritten = shown.search && written && scale >= FIGURES;
    const aside = scene.kind === 'graph' ? 0.4 : 0.31;
    /** @type {(place: number, reach: number) => [number, number, number]} */
    const end = (place, reach) => { const [x, y] = point(place, seen); return isWritten && layer?.isReached(place) ? [x + scale * aside, y - scale * aside, scale * CORNER] : [x, y, reach]; };
    const colour = colours[`path${mark}`];
    const reached = found.search && shown.search ? trail(ctx, seen, found.search, colours) : [];
    ctx.globalAlpha = found.faded ? FADED : 1;
    const way = found.path && hasArrived(found) ? found.path : [];
    if (way.length) line(ctx, seen, way, colour, Math.max(2.2, Math.min(6, scale * 0.2)), colours.paper);
    ctx.globalAlpha = 1;
    scene.above(ctx, seen);
    if (layer && isWritten) layer.write(ctx, seen, new Set([...reached, ...way]));
    for (const goal of ends.goals) star(ctx, ...end(goal, Math.max(6, scale * 0.46)), colours.goal, colours.paper);
    if (ends.start >= 0) disc(ctx, ...end(ends.start, Math.max(5, scale * 0.36)), colours.start, colours.paper);
  }

  function line(/** @type {any} */ ctx, /** @type {any} */ seen, /** @type {any[]} */ places, /** @type {string} */ colour, /** @type {any} */ width, /** @type {string} */ halo) {
    const points = pointsOf(places, seen);
    for (const [style, extra] of [[halo, 2.5], [colour, 0]]) {
      ctx.lineJoin = ctx.lineCap = 'round';
      ctx.lineWidth = width + extra;
      ctx.strokeStyle = style;
      ctx.beginPath();
      for (const [i, [x, y]] of points.entries()) ctx[i ? 'lineTo' : 'moveTo'](x, y);
      ctx.stroke();
    }
  }

  let kept = { places: /** @type {number[] | null} */ (null), at: '', points: /** @type {number[][]} */ ([]) };
  /** The points at which a line through places turns, as they lie on the screen; while only the goal moves, they are the same from frame to frame. @param {any} places @param {{ scale: any, x: any, y: any }} seen */
  function pointsOf(places, seen) {
    const at = `${seen.scale} ${seen.x} ${seen.y}`;
    if (kept.places !== places || kept.at !== at) kept = { places, at, points: places.map((/** @type {number} */ place) => point(place, seen)).filter(turns) };
    return kept.points;
  }

  /** Draws the path to the current node. Returns its places. */
  function trail(/** @type {any} */ ctx, /** @type {any} */ seen, /** @type {{ rec: import('../../trace/recording.js').Recording, cursor: any }} */ { rec, cursor: at }, /** @type {Record<string, string>} */ colours) {
    const places = /** @type {any[]} */ ([]);
    if (at.k === 0 || at.k >= rec.length) return places;
    for (let node = at.current; node < rec.nodes && places.length < 2 * rec.nodes; node = at.parent(node)) {
      const [place, last] = [rec.states[node], places.at(-1)];
      const turn = rec.answer.algorithm === 'jps' && places.length ? bend(place, last, rec.place.cols, state.diagonal === 'never') : place;
      places.push(...(turn === place || turn === last ? [] : [turn]), place);
    }
    if (places.length < 2) return places;
    const width = Math.max(2, seen.scale * 0.1);
    ctx.setLineDash([2 * width, 2 * width]);
    line(ctx, seen, places, colours.now, width, colours.paper);
    ctx.setLineDash([]);
    return places;
  }

  function frame(/** @type {Record<string, string>} */ colours) {
    const { scale } = view.view;
    const [x, y] = point(cursor, view.view);
    const half = Math.max(6, scale / 2);
    top.lineWidth = 3;
    for (const [style, dash] of [[colours.paper, []], [colours.cursor, [5, 4]]]) {
      top.setLineDash(dash);
      top.strokeStyle = style;
      top.strokeRect(x - half, y - half, 2 * half, 2 * half);
    }
    top.setLineDash([]);
  }

  function resize(/** @type {{ width: number, height: number }} */ { width, height }) {
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
    root, header, stage, sheets, figures, verdict,
    resize, ask,
    flush, drawOn,
    get size() { return size; },
    name: (/** @type {string} */ text) => { setText(name, text); stage.setAttribute('aria-label', t('paths.map.label', { name: text })); },
    setScene(/** @type {any} */ next) { scene = next; layer = null; found = { path: null, search: null, faded: false }; ask('base', 'search'); },
    /** The colour and shape of its contestant. @param {any} next */
    setMark(next) {
      root.classList.remove(`run-${mark}`);
      root.classList.add(`run-${next}`);
      if (next !== mark) ask('top');
      mark = next;
    },
    setEnds(/** @type {typeof ends} */ next) { ends = next; ask('top'); },
    setCursor(/** @type {number} */ place) { cursor = place; ask('top'); },
    setShow(/** @type {any} */ next) { shown = next; layer?.forget(); ask('base', 'search'); },
    /** Shows the result and the recorded search as far as they are known; results of an earlier request are faded. */
    setFound(/** @type {{ path: any, search: any, faded?: any }} */ { path, search: next, faded = false }) {
      const same = next === found.search;
      if (!same) layer = next ? searchLayer(scene, next) : null;
      found = { path, search: next, faded };
      // While something is dragged, only the path changes.
      ask(same ? 'top' : 'search');
    },
  };
}

/** Whether a line turns at one of its points: others need not be drawn. */
function turns(/** @type {number[]} */ [x, y], /** @type {number} */ i, /** @type {any[]} */ all) {
  const [before, after] = [all[i - 1], all[i + 1]];
  return !before || !after || Math.abs((x - before[0]) * (after[1] - y) - (y - before[1]) * (after[0] - x)) > 1e-6;
}

export function disc(/** @type {any} */ ctx, /** @type {any} */ x, /** @type {number} */ y, /** @type {number} */ radius, /** @type {string | undefined} */ fill, /** @type {string | undefined} */ halo) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.lineWidth = 2;
  ctx.strokeStyle = halo;
  ctx.stroke();
}

export function star(/** @type {any} */ ctx, /** @type {any} */ x, /** @type {number} */ y, /** @type {number} */ radius, /** @type {string | undefined} */ fill, /** @type {string | undefined} */ halo) {
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
