// Where the words of a graph stand: names under their nodes, costs along their edges where nothing else is written.

/** A name stands so far under its node, in pixels. */
export const NAME_BELOW = 10;
/** A letter is so wide, in heights; a Chinese character is as wide as high. */
const LETTER = 0.58;
/** Where along its edge a cost may stand, the best first. */
const SHARES = [0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73];
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
 * Where along each edge its cost stands, as a share of its length: in the middle, unless a name, a node or another cost is there; then
 * where the least of it is covered.
 * @param {import('./graph.js').GraphMap} graph
 * @param {number[][]} centres
 * @param {number} scale
 * @param {number} size The height of letters, in pixels.
 */
export function placeCosts(graph, centres, scale, size) {
  const words = taken();
  const at = (node) => centres[node].map((value) => value * scale);
  for (const [node, name] of graph.names.entries()) {
    const [x, y] = at(node);
    words.add(boxOf(name, size, x, y + scale * 0.5 + NAME_BELOW));
    words.add({ left: x - scale / 2, right: x + scale / 2, top: y - scale / 2, bottom: y + scale / 2 });
  }
  return graph.edges.map(({ from, to, cost }) => {
    const [[ax, ay], [bx, by]] = [at(from), at(to)];
    let best = { share: SHARES[0], covered: Infinity, box: boxOf(cost, size, ax, ay) };
    for (const share of SHARES) {
      const box = boxOf(cost, size, ax + (bx - ax) * share, ay + (by - ay) * share);
      const covered = words.under(box);
      if (covered < best.covered) best = { share, covered, box };
      if (!covered) break;
    }
    words.add(best.box);
    return best.share;
  });
}
