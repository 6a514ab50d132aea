// Maps made from a seed: the same seed makes the same map in every browser, for ever, since links carry seeds. So the
// numbers come from a generator written here (whole numbers alone), and a generator that must change gets a new name.

import { OPEN, WALL, openMap } from './map.js';

/** A generator of 32-bit numbers from a seed: `below(n)` is uniform in 0..n, `chance(p)` true for p of 1000. @param {number} seed */
export function numbers(seed) {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  // Mulberry32: a counter, well mixed.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 15), z | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return (z ^ (z >>> 14)) >>> 0;
  };
  // Numbers of the last, incomplete round are drawn again, so that none is likelier than another.
  const below = (/** @type {number} */ n) => {
    const whole = 0x100000000 - (0x100000000 % n);
    let drawn = next();
    while (drawn >= whole) drawn = next();
    return drawn % n;
  };
  return { below, chance: (/** @type {number} */ thousandths) => below(1000) < thousandths };
}

/** The kinds of generated maps, and their default density of obstacles, in percent. @type {Record<string, number>} */
export const GENERATORS = { maze: 0, rooms: 0, caves: 45, random: 20 };
const MAKERS = /** @type {Record<string, any>} */ ({ maze, rooms, caves, random });

/** A map of a kind and size from a seed. @param {string} kind @param {number} rows @param {number} cols @param {number} seed */
export function generate(kind, rows, cols, seed, density = GENERATORS[kind]) {
  const map = openMap(rows, cols);
  MAKERS[kind](map, numbers(seed), density);
  ends(map);
  map.origin = originOf(kind, rows, cols, seed, density);
  return map;
}

const originOf = (/** @type {string} */ kind, /** @type {number} */ rows, /** @type {number} */ cols, /** @type {number} */ seed, /** @type {number} */ density) => [kind, `${rows}x${cols}`, seed, ...(density === GENERATORS[kind] ? [] : [density])].join(':');

/** The map that an origin names, or null. @param {string} origin */
export function regenerate(origin) {
  const [kind, size, seed, density] = origin.split(':');
  const [rows, cols] = (size ?? '').split('x').map(Number);
  if (kind === 'open') return openMap(rows, cols);
  const whole = (/** @type {string} */ text, /** @type {number} */ most) => /^\d+$/.test(text) && Number(text) <= most;
  if (!Object.hasOwn(MAKERS, kind) || !whole(seed, 2 ** 32 - 1) || (density !== undefined && !whole(density, 100))) return null;
  return generate(kind, rows, cols, Number(seed), density === undefined ? undefined : Number(density));
}

/** A maze with one way between any two cells, and a few walls taken out, so that there are ways to choose between. */
function maze(/** @type {{ rows: number, cols: number, cells: any }} */ { rows, cols, cells }, /** @type {any} */ { below }) {
  cells.fill(WALL);
  const [high, wide] = [Math.floor((rows - 1) / 2), Math.floor((cols - 1) / 2)];
  if (high < 1 || wide < 1) { cells.fill(OPEN); return; }
  const at = (/** @type {number} */ r, /** @type {number} */ c) => (2 * r + 1) * cols + 2 * c + 1;
  const seen = new Uint8Array(high * wide);
  const stack = [below(high * wide)];
  seen[stack[0]] = 1;
  cells[at(Math.floor(stack[0] / wide), stack[0] % wide)] = OPEN;
  while (stack.length) {
    const here = stack[stack.length - 1];
    const [r, c] = [Math.floor(here / wide), here % wide];
    const ways = [[r - 1, c], [r, c - 1], [r, c + 1], [r + 1, c]].filter(([y, x]) => y >= 0 && x >= 0 && y < high && x < wide && !seen[y * wide + x]);
    if (!ways.length) { stack.pop(); continue; }
    const [y, x] = ways[below(ways.length)];
    seen[y * wide + x] = 1;
    cells[(at(r, c) + at(y, x)) / 2] = OPEN;
    cells[at(y, x)] = OPEN;
    stack.push(y * wide + x);
  }
  for (let left = Math.floor((high * wide) / 30); left > 0; left -= 1) {
    const [r, c] = [below(high), below(wide)];
    if (c + 1 < wide) cells[at(r, c) + 1] = OPEN;
  }
}

const LEAST_ROOM = 4;

/** A house cut into rooms again and again, with doors that join them all, and some more. */
function rooms(/** @type {{ rows: any, cols: any, cells: any }} */ map, /** @type {any} */ { below, chance }) {
  const { rows, cols, cells } = map;
  const todo = [[0, 0, rows, cols]];
  while (todo.length) {
    const [top, left, high, wide] = todo.pop() ?? [0, 0, 0, 0];
    const across = high > wide || (high === wide && chance(500));
    const length = across ? high : wide;
    if (length < 2 * LEAST_ROOM + 1 || (length < 24 && chance(120))) continue;
    const cut = LEAST_ROOM + below(length - 2 * LEAST_ROOM);
    for (let n = 0; n < (across ? wide : high); n += 1) cells[across ? (top + cut) * cols + left + n : (top + n) * cols + left + cut] = WALL;
    if (across) todo.push([top, left, cut, wide], [top + cut + 1, left, high - cut - 1, wide]);
    else todo.push([top, left, high, cut], [top, left + cut + 1, high, wide - cut - 1]);
  }
  doors(map, { below, chance });
}

/** Opens walls between two rooms, in a random order: where the rooms are not joined yet, and now and then besides. */
function doors(/** @type {{ rows: number, cols: number, cells: any }} */ { rows, cols, cells }, /** @type {any} */ { below, chance }) {
  const { piece: room, count } = pieces({ rows, cols, cells });
  const roots = Array.from({ length: count }, (_, n) => n);
  const root = (/** @type {number} */ n) => { while (roots[n] !== n) n = roots[n]; return n; };
  const walls = [];
  for (let cell = 0; cell < cells.length; cell += 1) {
    const [row, col] = [Math.floor(cell / cols), cell % cols];
    if (cells[cell] !== WALL) continue;
    if (col > 0 && col + 1 < cols && room[cell - 1] >= 0 && room[cell + 1] >= 0) walls.push([cell, cell - 1, cell + 1]);
    else if (row > 0 && row + 1 < rows && room[cell - cols] >= 0 && room[cell + cols] >= 0) walls.push([cell, cell - cols, cell + cols]);
  }
  for (let left = walls.length; left > 0; left -= 1) {
    const drawn = below(left);
    const [cell, a, b] = walls[drawn];
    walls[drawn] = walls[left - 1];
    if (root(room[a]) === root(room[b]) && !chance(15)) continue;
    roots[root(room[a])] = root(room[b]);
    cells[cell] = OPEN;
  }
}

const SMOOTHINGS = 4;

/** Caves: noise, smoothed until it has bays and islands. */
function caves(/** @type {{ cells?: any, rows?: any, cols?: any }} */ map, /** @type {any} */ { below }, /** @type {number} */ density) {
  const { rows, cols } = map;
  for (let cell = 0; cell < map.cells.length; cell += 1) map.cells[cell] = below(100) < density ? WALL : OPEN;
  for (let round = 0; round < SMOOTHINGS; round += 1) {
    const before = map.cells.slice();
    for (let row = 0; row < rows; row += 1) {
      for (let col = 0; col < cols; col += 1) {
        let walls = 0;
        for (let r = row - 1; r <= row + 1; r += 1) {
          for (let c = col - 1; c <= col + 1; c += 1) {
            walls += r < 0 || c < 0 || r >= rows || c >= cols || before[r * cols + c] === WALL ? 1 : 0;
          }
        }
        map.cells[row * cols + col] = walls >= 5 ? WALL : OPEN;
      }
    }
  }
}

function random(/** @type {any} */ { cells }, /** @type {any} */ { below }, /** @type {number} */ density) {
  for (let cell = 0; cell < cells.length; cell += 1) cells[cell] = below(100) < density ? WALL : OPEN;
}

/** Start and goal: the two cells of the largest piece that lie nearest to the two corners. @param {any} map */
function ends(map) {
  const { piece, count } = pieces(map);
  const sizes = new Uint32Array(count);
  for (const n of piece) if (n >= 0) sizes[n] += 1;
  const largest = sizes.reduce((best, size, n) => (size > sizes[best] ? n : best), 0);
  const corner = (/** @type {number} */ cell) => Math.floor(cell / map.cols) + (cell % map.cols);
  let [start, goal] = [-1, -1];
  for (const [cell, n] of piece.entries()) {
    if (n !== largest) continue;
    if (start < 0 || corner(cell) < corner(start)) start = cell;
    if (goal < 0 || corner(cell) > corner(goal)) goal = cell;
  }
  map.start = start;
  map.goals = goal === start ? [] : [goal];
}

/** The number of the piece of open cells, joined four ways, to which each cell belongs; -1 for a wall. */
function pieces(/** @type {{ rows: number, cols: number, cells: any }} */ { rows, cols, cells }) {
  const piece = new Int32Array(cells.length).fill(-1);
  let count = 0;
  for (let first = 0; first < cells.length; first += 1) {
    if (piece[first] >= 0 || cells[first] === WALL) continue;
    const todo = [first];
    piece[first] = count;
    while (todo.length) {
      const cell = todo.pop() ?? first;
      const [row, col] = [Math.floor(cell / cols), cell % cols];
      for (const next of [row > 0 && cell - cols, col > 0 && cell - 1, col + 1 < cols && cell + 1, row + 1 < rows && cell + cols]) {
        if (next === false || piece[next] >= 0 || cells[next] === WALL) continue;
        piece[next] = count;
        todo.push(next);
      }
    }
    count += 1;
  }
  return { piece, count };
}
