// A graph on the screen: its nodes where they lie, its edges with what they cost; names under their nodes, costs along
// their edges where nothing else is written.

import { palette } from './theme.js';

/** Nodes are so far apart, on the average, that a node and its name fit between. */
const ROOM = 3.2;
const NAMES = 10;

/** @param {import('./graph.js').GraphMap} graph */
export function graphScene(graph) {
  const { width, height, at: centres } = worldOf(graph.places);
  /** Positions of the labels at a scale; kept until the scale changes. */
  let placed = { scale: 0, names: /** @type {number[]} */ ([]), costs: /** @type {[number, number][]} */ ([]) };

  function base(/** @type {any} */ ctx, /** @type {{ scale: any, x: any, y: any }} */ view, /** @type {number} */ wide, /** @type {number} */ high) {
    const { scale, x, y } = view;
    const colours = palette();
    ctx.clearRect(0, 0, wide, high);
    const point = (/** @type {number} */ node) => [x + centres[node][0] * scale, y + centres[node][1] * scale];
    ctx.strokeStyle = colours.faint;
    ctx.lineWidth = Math.max(1, scale * 0.05);
    ctx.beginPath();
    for (const { from, to } of graph.edges) { ctx.moveTo(...point(from)); ctx.lineTo(...point(to)); }
    ctx.stroke();
    if (graph.directed) heads(ctx, scale, point);
    for (const [node] of graph.names.entries()) {
      ctx.beginPath();
      ctx.arc(...point(node), scale * 0.5, 0, 2 * Math.PI);
      ctx.fillStyle = colours.ground;
      ctx.fill();
      ctx.strokeStyle = colours.ink;
      ctx.lineWidth = 1;
      ctx.stroke();
    }
  }

  /** The labels, above the path, which would cover them. */
  function above(/** @type {any} */ ctx, /** @type {{ scale: number, x: number, y: number }} */ { scale, x, y }) {
    if (scale >= NAMES) words(ctx, scale, (/** @type {number} */ node) => [x + centres[node][0] * scale, y + centres[node][1] * scale]);
  }

  function heads(/** @type {any} */ ctx, /** @type {number} */ scale, /** @type {any} */ point) {
    ctx.beginPath();
    for (const { from, to } of graph.edges) {
      const [[ax, ay], [bx, by]] = [point(from), point(to)];
      const far = Math.hypot(bx - ax, by - ay) || 1;
      const [ux, uy] = [(bx - ax) / far, (by - ay) / far];
      const [tx, ty] = [bx - ux * scale * 0.55, by - uy * scale * 0.55];
      ctx.moveTo(tx - (ux - uy * 0.6) * scale * 0.3, ty - (uy + ux * 0.6) * scale * 0.3);
      ctx.lineTo(tx, ty);
      ctx.lineTo(tx - (ux + uy * 0.6) * scale * 0.3, ty - (uy - ux * 0.6) * scale * 0.3);
    }
    ctx.stroke();
  }

  function words(/** @type {any} */ ctx, /** @type {number} */ scale, /** @type {(node: number) => number[]} */ point) {
    const colours = palette();
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    const size = Math.max(11, Math.min(13, scale * 0.5), scale * 0.22);
    ctx.font = `${size}px system-ui, sans-serif`;
    const halo = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y) => {
      ctx.lineWidth = 4;
      ctx.strokeStyle = colours.paper;
      ctx.strokeText(text, x, y);
      ctx.fillText(text, x, y);
    };
    ctx.fillStyle = colours.ink;
    if (placed.scale !== scale) placed = { scale, ...placeWords(graph, centres, scale, size) };
    for (const [i, { from, cost }] of graph.edges.entries()) {
      const [[x, y], [dx, dy]] = [point(from), placed.costs[i]];
      halo(cost, x + dx, y + dy);
    }
    for (const [node, name] of graph.names.entries()) {
      const [nx, ny] = point(node);
      halo(name, nx, ny + placed.names[node]);
    }
  }

  const nearest = (/** @type {number} */ wx, /** @type {number} */ wy) => centres.reduce((best, [cx, cy], node) => {
    const far = Math.hypot(cx - wx, cy - wy);
    return far < best.far ? { node, far } : best;
  }, { node: -1, far: Infinity });

  return {
    kind: 'graph', width, height, places: graph.names.length,
    base, above,
    shapes: () => true,
    changed: () => {},
    overlay: () => {},
    centre: (/** @type {number} */ node) => centres[node],
    radius: 0.5,
    at(/** @type {number} */ wx, /** @type {number} */ wy) { const { node, far } = nearest(wx, wy); return far < 1 ? node : -1; },
    /** The nearest node in a direction of the keyboard: within a quarter of the circle, the nearer the better. @param {number} node @param {number} dx @param {number} dy */
    beside(node, dx, dy) {
      const [x, y] = centres[node];
      let [best, least] = [node, Infinity];
      for (const [other, [ox, oy]] of centres.entries()) {
        const [along, aside] = [(ox - x) * dx + (oy - y) * dy, Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx)];
        if (along > 0 && along >= aside && along + aside < least) [best, least] = [other, along + aside];
      }
      return best;
    },
    isSeen: () => true,
    seen: () => ({}),
  };
}

/** Places in units of the screen: a node is one unit wide. @param {any[]} places */
function worldOf(places) {
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  const span = (/** @type {any[]} */ list) => { const [low, high] = [list.reduce((a, b) => Math.min(a, b)), list.reduce((a, b) => Math.max(a, b))]; return { low, length: high - low }; };
  const [h, v] = [span(xs), span(ys)];
  const side = Math.max(h.length, v.length) || 1;
  const unit = (ROOM * Math.sqrt(places.length) * 1.2) / side;
  const [beside, margin] = [1.7, 1.4];
  return { at: places.map(([x, y]) => [(x - h.low) * unit + beside, (y - v.low) * unit + margin]), width: h.length * unit + 2 * beside, height: v.length * unit + 2 * margin + 0.6 };
}

/** A name stands so far under its node, or above it, in pixels. */
const NAME_OFF = 10;
/** A letter is so wide, in heights; a Chinese character is as wide as high. */
const LETTER = 0.58;
/** Positions of a cost along its edge, the best first. */
const SHARES = [0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73];
/** Distances of a cost beside its edge, in pixels: on it, if there is room. */
const ASIDES = [0, 9, -9, 13, -13];
/** Beside another edge a cost would be taken for that one's: as bad as so many pixels that are covered. */
const ASTRAY = 60;
/** With more edges than this, costs are placed only on their edges: comparing each with each takes too long. */
const MOST_BESIDE = 300;
/** Boxes are found by squares of this side, in pixels. */
const SQUARE = 64;

const widthOf = (/** @type {string} */ text, /** @type {number} */ size) => [...text].reduce((sum, letter) => sum + (letter > '\u2e80' ? 1 : LETTER), 0) * size;

/** The box of a text around a point. @param {string} text @param {number} size @param {number} x @param {number} y */
const boxOf = (text, size, x, y) => ({ left: x - widthOf(text, size) / 2 - 2, right: x + widthOf(text, size) / 2 + 2, top: y - size / 2 - 2, bottom: y + size / 2 + 2 });

/** By how many pixels two boxes overlap. @param {{ right: number, left: number, bottom: number, top: number }} a @param {{ right: number, left: number, bottom: number, top: number }} b */
const overlap = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

/** Boxes, found quickly by where they are. */
function taken() {
  const squares = new Map();
  const around = (/** @type {any} */ { left, right, top, bottom }, /** @type {any} */ does) => {
    for (let x = Math.floor(left / SQUARE); x <= Math.floor(right / SQUARE); x += 1) {
      for (let y = Math.floor(top / SQUARE); y <= Math.floor(bottom / SQUARE); y += 1) does(`${x} ${y}`);
    }
  };
  return {
    add: (/** @type {{ left: any, right: any, top: any, bottom: any }} */ box) => around(box, (/** @type {string} */ key) => squares.set(key, [...(squares.get(key) ?? []), box])),
    under: (/** @type {{ left: any, right: any, top: any, bottom: any }} */ box) => { let sum = 0; around(box, (/** @type {string} */ key) => { for (const other of squares.get(key) ?? []) sum += overlap(box, other); }); return sum; },
  };
}

/**
 * Where the words of a graph stand at a scale: how far under its node each name, in pixels (above it, where another name or a node is
 * under it), and how far from where its edge begins each cost.
 * @param {import('./graph.js').GraphMap} graph
 * @param {number[][]} centres
 * @param {number} scale
 * @param {number} size The height of letters, in pixels.
 */
function placeWords(graph, centres, scale, size) {
  const words = taken();
  const at = (/** @type {number} */ node) => centres[node].map((value) => value * scale);
  for (const node of graph.names.keys()) {
    const [x, y] = at(node);
    words.add({ left: x - scale / 2, right: x + scale / 2, top: y - scale / 2, bottom: y + scale / 2 });
  }
  const names = graph.names.map((name, node) => {
    const [x, y] = at(node);
    const off = scale * 0.5 + NAME_OFF;
    const boxes = [off, -off].map((by) => ({ by, box: boxOf(name, size, x, y + by) })).map((one) => ({ ...one, covered: words.under(one.box) }));
    const best = boxes[1].covered < boxes[0].covered ? boxes[1] : boxes[0];
    words.add(best.box);
    return best.by;
  });
  return { names, costs: placeCosts(graph, at, size, words) };
}

/**
 * Where each edge's cost stands, from where the edge begins: in its middle, unless a name, a node or another cost is there; then further
 * along, beside it, or where the least of it is covered.
 * @param {import('./graph.js').GraphMap} graph
 * @param {(node: number) => number[]} at
 * @param {number} size
 * @param {ReturnType<typeof taken>} words What is written already.
 * @returns {[number, number][]}
 */
function placeCosts(graph, at, size, words) {
  const asides = graph.edges.length > MOST_BESIDE ? [0] : ASIDES;
  const astray = (/** @type {{ from: number, to: number, cost: string }} */ edge, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ reach) => graph.edges.some((other) => other !== edge && farFrom(at(other.from), at(other.to), x, y) < reach);
  return graph.edges.map((edge) => {
    const { from, to, cost } = edge;
    const [[ax, ay], [bx, by]] = [at(from), at(to)];
    const far = Math.hypot(bx - ax, by - ay) || 1;
    let best = { at: /** @type {[number, number]} */ ([0, 0]), covered: Infinity, box: boxOf(cost, size, ax, ay) };
    for (const [aside, share] of asides.flatMap((one) => SHARES.map((other) => [one, other]))) {
      const [x, y] = [(bx - ax) * share - ((by - ay) / far) * aside, (by - ay) * share + ((bx - ax) / far) * aside];
      const box = boxOf(cost, size, ax + x, ay + y);
      const covered = words.under(box) + (aside && astray(edge, ax + x, ay + y, Math.abs(aside) + 2) ? ASTRAY : 0);
      if (covered < best.covered) best = { at: [x, y], covered, box };
      if (!covered) break;
    }
    words.add(best.box);
    return best.at;
  });
}

/** How far a point is from a line between two others. @param {number[]} from @param {number[]} to @param {number} x @param {number} y */
function farFrom(from, to, x, y) {
  const [[ax, ay], [bx, by]] = [from, to];
  const [dx, dy] = [bx - ax, by - ay];
  const share = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - ax - dx * share, y - ay - dy * share);
}
