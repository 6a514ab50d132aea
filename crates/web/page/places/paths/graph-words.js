// Where the words of a graph stand: names under their nodes, costs along their edges where nothing else is written.

/** A name stands so far under its node, or above it, in pixels. */
const NAME_OFF = 10;
/** A letter is so wide, in heights; a Chinese character is as wide as high. */
const LETTER = 0.58;
/** Where along its edge a cost may stand, the best first. */
const SHARES = [0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73];
/** How far beside its edge, in pixels: on it, if there is room. */
const ASIDES = [0, 9, -9, 13, -13];
/** Beside another edge a cost would be taken for that one's: as bad as so many pixels that are covered. */
const ASTRAY = 60;
/** Of more edges than this, costs stand on them alone: to look at each beside each takes too long. */
const MOST_BESIDE = 300;
/** Boxes are found by squares of this side, in pixels. */
const SQUARE = 64;

const widthOf = (text, size) => [...text].reduce((sum, letter) => sum + (letter > '\u2e80' ? 1 : LETTER), 0) * size;

/** The box of a text around a point. */
const boxOf = (text, size, x, y) => ({ left: x - widthOf(text, size) / 2 - 2, right: x + widthOf(text, size) / 2 + 2, top: y - size / 2 - 2, bottom: y + size / 2 + 2 });

/** By how many pixels two boxes overlap. */
const overlap = (a, b) => Math.max(0, Math.min(a.right, b.right) - Math.max(a.left, b.left)) * Math.max(0, Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top));

/** Boxes, found quickly by where they are. */
function taken() {
  const squares = new Map();
  const around = ({ left, right, top, bottom }, does) => {
    for (let x = Math.floor(left / SQUARE); x <= Math.floor(right / SQUARE); x += 1) {
      for (let y = Math.floor(top / SQUARE); y <= Math.floor(bottom / SQUARE); y += 1) does(`${x} ${y}`);
    }
  };
  return {
    add: (box) => around(box, (key) => squares.set(key, [...(squares.get(key) ?? []), box])),
    under: (box) => { let sum = 0; around(box, (key) => { for (const other of squares.get(key) ?? []) sum += overlap(box, other); }); return sum; },
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
export function placeWords(graph, centres, scale, size) {
  const words = taken();
  const at = (node) => centres[node].map((value) => value * scale);
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
  const astray = (edge, x, y, reach) => graph.edges.some((other) => other !== edge && farFrom(at(other.from), at(other.to), x, y) < reach);
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
