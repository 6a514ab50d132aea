// What a search has done so far, on the map: a shape a state, told apart without colours. Only what has changed is
// drawn again; where cells are too small for shapes, they are pixels of one picture.

import { CLOSED, CURRENT, DROPPED, FORGOTTEN, OPEN, UNSEEN } from '../../trace/cursor.js';
import { measuresOf, rankOf } from '../../trace/order.js';
import { FIGURES, short } from './grid-scene.js';
import { palette, pixel } from './theme.js';

const TURN = 2 * Math.PI;
/** What is done with is a tint: the ground, its cost and what is written on it are seen through it. */
const TINT = 0.34;
/** So many jump points are drawn as dots of this reach where cells are smaller. */
const FEW = 4000;
const DOT = 2.6;
/** A pixel has no edge to be told by, so its tint is stronger. */
const PIXEL_TINT = 0.6;

/**
 * @param {any} scene
 * @param {{ rec: import('../../trace/recording.js').Recording, cursor: import('../../trace/recording.js').Cursor }} search
 */
export function searchLayer(scene, { rec, cursor }) {
  // Whoever searches from both ends has two nodes at one place.
  const forward = new Int32Array(scene.places).fill(-1);
  const backward = new Int32Array(scene.places).fill(-1);
  // A search that dives makes a node each time that it comes to a place: what was there before hangs from it.
  const older = rec.depthFirst ? new Int32Array(rec.nodes) : null;
  for (let node = 0; node < rec.nodes; node += 1) {
    const side = rec.backward[node] ? backward : forward;
    if (older) older[node] = side[rec.states[node]];
    side[rec.states[node]] = node;
  }
  const jumps = rec.answer?.algorithm === 'jps';
  const wordsOf = figuresOf(rec);
  let image = /** @type {any} */ (null);

  /** The node that is shown at a place: the current one, else whichever is further. @param {number} place */
  function shown(place) {
    if (older) return furthest(place, older);
    const [a, b] = [forward[place], backward[place]];
    if (a < 0 || b < 0) return Math.max(a, b);
    const [x, y] = [rank(cursor.status(a)), rank(cursor.status(b))];
    return y > x ? b : a;
  }

  /** Of the nodes at a place, the one that is furthest now; of several, the latest. @param {number} place @param {any} before */
  function furthest(place, before) {
    let best = forward[place];
    for (let node = best; node >= 0; node = before[node]) if (rank(cursor.status(node)) > rank(cursor.status(best))) best = node;
    return best;
  }

  /** Draws the whole, or only the nodes that have changed since. @param {any} ctx @param {any} view @param {number} width @param {number} height @param {{ figures?: boolean, changes?: number[] | null }} [how] */
  function draw(ctx, view, width, height, { figures = false, changes = null } = {}) {
    if (!scene.shapes(view)) { asPixels(ctx, view, width, height, changes); return; }
    image = null;
    const part = scene.seen(view, width, height);
    if (changes) {
      for (const node of changes) {
        const place = rec.states[node];
        if (scene.isSeen(place, part)) { wipe(ctx, view, place); shape(ctx, view, place, figures); }
      }
      return;
    }
    ctx.clearRect(0, 0, width, height);
    for (let node = 0; node < rec.nodes; node += 1) {
      const place = rec.states[node];
      const isFirst = forward[place] === node || (!older && (forward[place] < 0 || !cursor.status(forward[place])));
      if ((older || cursor.status(node)) && isFirst && scene.isSeen(place, part)) shape(ctx, view, place, figures);
    }
  }

  function asPixels(/** @type {any} */ ctx, /** @type {{ x: any, y: any, scale: number }} */ view, /** @type {number} */ width, /** @type {number} */ height, /** @type {number[] | null} */ changes) {
    const colours = inks();
    const fresh = image === null;
    image ??= scene.pixels();
    if (changes && !fresh) for (const node of changes) image.pixels[rec.states[node]] = ink(rec.states[node], colours);
    else {
      image.pixels.fill(0);
      for (let node = 0; node < rec.nodes; node += 1) if (older ? forward[rec.states[node]] === node : cursor.status(node)) image.pixels[rec.states[node]] = ink(rec.states[node], colours);
    }
    image.put();
    ctx.clearRect(0, 0, width, height);
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(image.canvas, view.x, view.y, scene.width * view.scale, scene.height * view.scale);
    if (jumps && rec.nodes <= FEW) dots(ctx, view);
  }

  /** Jump points lie far apart: where a cell is hardly a dot, they are marked larger than it. @param {any} ctx @param {{ scale: any, x: any, y: any }} view */
  function dots(ctx, view) {
    const { open, closed, now } = palette();
    for (let node = 0; node < rec.nodes; node += 1) {
      const status = cursor.status(node);
      if (!status) continue;
      const [cx, cy] = box(view, rec.states[node]);
      ctx.beginPath();
      diamond(ctx, cx, cy, DOT);
      ctx.lineWidth = 1;
      ctx.fillStyle = status === CURRENT ? now : closed;
      ctx.strokeStyle = status === OPEN ? open : closed;
      if (status !== OPEN) ctx.fill();
      ctx.stroke();
    }
  }

  function ink(/** @type {number} */ place, /** @type {number[][]} */ colours) {
    const node = shown(place);
    return node < 0 ? 0 : colours[rec.backward[node] ? 1 : 0][cursor.status(node)];
  }

  /** A place on the screen: its centre, the side of the square in which all of its shape lies, and that square's room in whole pixels, which belong to no other. */
  function box(/** @type {any} */ { scale, x, y }, /** @type {number} */ place) {
    const [wx, wy] = scene.centre(place);
    const [left, top] = [Math.round(x + (wx - 0.5) * scale), Math.round(y + (wy - 0.5) * scale)];
    const [width, height] = [Math.round(x + (wx + 0.5) * scale) - left, Math.round(y + (wy + 0.5) * scale) - top];
    return [left + width / 2, top + height / 2, Math.floor(scale), left, top, width, height];
  }

  function wipe(/** @type {any} */ ctx, /** @type {{ scale: any, x: any, y: any }} */ view, /** @type {number} */ place) {
    const [, , , left, top, width, height] = box(view, place);
    ctx.clearRect(left, top, width, height);
  }

  function shape(/** @type {any} */ ctx, /** @type {{ scale: any, x: any, y: any }} */ view, /** @type {number} */ place, /** @type {boolean} */ written) {
    const node = shown(place);
    const status = node < 0 ? 0 : cursor.status(node);
    if (!status) return;
    const [cx, cy, scale] = box(view, place);
    const colours = palette();
    const behind = rec.backward[node] === 1;
    const colour = status === CURRENT ? colours.now : behind ? colours.behind : status === OPEN ? colours.open : colours.closed;
    const hasFigures = written && scale >= FIGURES && status !== DROPPED;
    // A frame leaves its figures the room that they need.
    const reach = scale * (hasFigures ? 0.44 : status === CLOSED ? 0.4 : 0.34);
    ctx.beginPath();
    if (status === DROPPED) cross(ctx, cx, cy, scale * 0.2);
    else if (status === CURRENT || status === FORGOTTEN) ctx.arc(cx, cy, status === CURRENT ? scale * 0.4 : scale * 0.16, 0, TURN);
    // Its corners reach furthest, with half of the line around them.
    else if (jumps) diamond(ctx, cx, cy, Math.min(reach * 1.15, scale / 2 - 0.75 * lineOf(scale)));
    // Nodes of a graph are round, cells are not; what comes from the goal has the other shape.
    else if (behind !== (scene.kind === 'graph')) ctx.arc(cx, cy, reach, 0, TURN);
    else ctx.rect(cx - reach, cy - reach, 2 * reach, 2 * reach);
    paint(ctx, status, colour, hasFigures ? scale / 2 : scale);
    if (hasFigures) numbers(ctx, node, cx, cy, scale);
  }

  /** Whether the search has come to a place, so that it has figures. @param {number} place */
  function isReached(place) {
    const node = shown(place);
    return node >= 0 && ![UNSEEN, DROPPED].includes(cursor.status(node));
  }

  /** Writes the figures of some places once more, above a line that goes through them. @param {any} ctx @param {{ scale: any, x?: any, y?: any }} view @param {any} places */
  function write(ctx, view, places) {
    if (view.scale < FIGURES) return;
    for (const place of places) {
      if (!isReached(place)) continue;
      const [cx, cy, scale] = box(view, place);
      numbers(ctx, shown(place), cx, cy, scale, palette().paper);
    }
  }

  function numbers(/** @type {any} */ ctx, /** @type {number} */ node, /** @type {number} */ cx, /** @type {number} */ cy, /** @type {number} */ scale, halo = '') {
    const [large, small] = wordsOf(cursor.g(node), cursor.h(node));
    const put = (/** @type {string} */ text, /** @type {number} */ y) => {
      if (halo) ctx.strokeText(text, cx, y, scale * 0.82);
      ctx.fillText(text, cx, y, scale * 0.82);
    };
    ctx.fillStyle = palette().ink;
    ctx.strokeStyle = halo;
    ctx.lineWidth = Math.max(4, scale * 0.07);
    ctx.lineJoin = 'round';
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.font = `600 ${scale * 0.26}px system-ui, sans-serif`;
    put(large, cy - (small ? scale * 0.12 : 0));
    ctx.font = `${scale * 0.2}px system-ui, sans-serif`;
    if (small) put(small, cy + scale * 0.2);
  }

  return { draw, write, shown, isReached, forget: () => { image = null; } };
}

/** What is written on a cell: what the search goes by, and under it what that was made of, if it was made of anything. @param {import('../../trace/recording.js').Recording} rec */
export function figuresOf(rec) {
  const [measures, order, weight] = [measuresOf(rec), rankOf(rec), rec.answer?.weight];
  const times = weight && weight !== 1 ? `${short(weight)}×` : '';
  const said = (/** @type {number} */ value) => (Number.isFinite(value) ? short(value) : '∞');
  if (!measures.includes('h')) return (/** @type {number} */ g) => [said(g), ''];
  return (/** @type {number} */ g, /** @type {number} */ h) => [said(order(g, h)), measures.includes('f') ? `${said(g)}+${times}${said(h)}` : `g ${said(g)}`];
}

/** Which of the nodes at a place is shown there: the one of the highest rank. @param {number} status */
export const rank = (status) => [0, 2, 3, 4, 1, 1][status];

const lineOf = (/** @type {number} */ scale) => Math.max(1.2, scale * 0.09);

function paint(/** @type {any} */ ctx, /** @type {number} */ status, /** @type {string} */ colour, /** @type {number} */ scale) {
  ctx.lineWidth = lineOf(scale);
  if (status === OPEN || status === DROPPED || status === FORGOTTEN) {
    ctx.strokeStyle = colour;
    ctx.stroke();
    return;
  }
  ctx.fillStyle = ctx.strokeStyle = colour;
  if (status === CLOSED) ctx.globalAlpha = TINT;
  ctx.fill();
  ctx.globalAlpha = 1;
  ctx.lineWidth = 1;
  if (status === CLOSED) ctx.stroke();
}

function diamond(/** @type {any} */ ctx, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ reach) {
  ctx.moveTo(x, y - reach);
  for (const [dx, dy] of [[reach, 0], [0, reach], [-reach, 0]]) ctx.lineTo(x + dx, y + dy);
  ctx.closePath();
}

function cross(/** @type {any} */ ctx, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ reach) {
  ctx.moveTo(x - reach, y - reach);
  ctx.lineTo(x + reach, y + reach);
  ctx.moveTo(x + reach, y - reach);
  ctx.lineTo(x - reach, y + reach);
}

/** The pixels of each status, forward and backward. */
function inks() {
  const { open, closed, behind, now, faint } = palette();
  const row = (/** @type {string} */ waiting, /** @type {string} */ done) => [0, pixel(waiting), pixel(done, done, 0, Math.round(255 * PIXEL_TINT)), pixel(now), pixel(faint), pixel(faint)];
  return [row(open, closed), row(behind, behind)];
}
