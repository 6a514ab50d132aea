// A graph on the screen: its nodes where they lie, its edges with what they cost.

import { placeWords } from './graph-words.js';
import { palette } from './theme.js';

/** Nodes are so far apart, on the average, that a node and its name fit between. */
const ROOM = 3.2;
const NAMES = 10;

/** @param {import('./graph.js').GraphMap} graph */
export function graphScene(graph) {
  const { width, height, at: centres } = worldOf(graph.places);
  /** Where the words stand at a scale: the same until it is another. */
  let placed = { scale: 0, names: /** @type {number[]} */ ([]), costs: /** @type {[number, number][]} */ ([]) };

  function base(ctx, view, wide, high) {
    const { scale, x, y } = view;
    const colours = palette();
    ctx.clearRect(0, 0, wide, high);
    const point = (node) => [x + centres[node][0] * scale, y + centres[node][1] * scale];
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

  /** What is written: above the path, which would cover it. */
  function above(ctx, { scale, x, y }) {
    if (scale >= NAMES) words(ctx, scale, (node) => [x + centres[node][0] * scale, y + centres[node][1] * scale]);
  }

  function heads(ctx, scale, point) {
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

  function words(ctx, scale, point) {
    const colours = palette();
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    const size = Math.max(11, Math.min(13, scale * 0.5), scale * 0.22);
    ctx.font = `${size}px system-ui, sans-serif`;
    const halo = (text, x, y) => {
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

  const nearest = (wx, wy) => centres.reduce((best, [cx, cy], node) => {
    const far = Math.hypot(cx - wx, cy - wy);
    return far < best.far ? { node, far } : best;
  }, { node: -1, far: Infinity });

  return {
    kind: 'graph', width, height, places: graph.names.length,
    base, above,
    shapes: () => true,
    changed: () => {},
    overlay: () => {},
    centre: (node) => centres[node],
    radius: 0.5,
    at(wx, wy) { const { node, far } = nearest(wx, wy); return far < 1 ? node : -1; },
    /** The nearest node in a direction of the keyboard: within a quarter of the circle, the nearer the better. */
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

/** Places in units of the screen: a node is one unit wide. */
function worldOf(places) {
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  const span = (list) => { const [low, high] = [list.reduce((a, b) => Math.min(a, b)), list.reduce((a, b) => Math.max(a, b))]; return { low, length: high - low }; };
  const [h, v] = [span(xs), span(ys)];
  const side = Math.max(h.length, v.length) || 1;
  const unit = (ROOM * Math.sqrt(places.length) * 1.2) / side;
  const [beside, margin] = [1.7, 1.4];
  return { at: places.map(([x, y]) => [(x - h.low) * unit + beside, (y - v.low) * unit + margin]), width: h.length * unit + 2 * beside, height: v.length * unit + 2 * margin + 0.6 };
}
