// A map of cells: what lies on each, where a path begins, and where it may end. What a cell can be depends on the
// format in which the map is sent and saved, so that nothing is on the page which the file could not say.

export const MOST_SIDE = 512;
/** With so many, a flow field, which asks about each, is still there in a moment. */
export const MOST_GOALS = 256;

/** An invalid map: a key of the dictionary, and the position of the error. */
export class MapError extends Error {
  constructor(/** @type {string} */ key, values = {}) {
    super(key);
    this.key = key;
    this.values = values;
  }
}

/** The ground of a cell: 0 is a wall, 1 to 9 are costs. */
export const WALL = 0;
export const OPEN = 1;
export const ENEMY = 10;
export const WATER = 11;
export const SWAMP = 12;
export const TREES = 13;
/** An enemy's cost, as the command line has it. */
const ENEMY_COST = 20;

/** The ground that each format can hold, in the order of the brushes. */
export const GROUNDS = {
  terrain: [WALL, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  sea: [WALL, OPEN, ENEMY],
  octile: [WALL, OPEN, SWAMP, WATER, TREES],
};

export const isBlocked = (/** @type {any} */ ground) => ground === WALL || ground === TREES;

/** The cost of entering; a wall has none. @param {number} ground */
export const costOf = (ground) => (ground <= 9 ? ground : ground === ENEMY ? ENEMY_COST : ground === TREES ? 0 : 1);

/**
 * @typedef {object} GridMap
 * @property {'cells'} kind
 * @property {'terrain' | 'sea' | 'octile'} format
 * @property {number} rows
 * @property {number} cols
 * @property {Uint8Array} cells
 * @property {number} start A cell; -1 for none.
 * @property {number[]} goals
 * @property {string} [origin] From which base the map was made, for the link: a generator's or a built-in map's name.
 */

/** A map of open ground, with its start and goal at two ends of the middle row. @param {number} rows @param {number} cols @param {any} [format] @returns {GridMap} */
export function openMap(rows, cols, format = 'terrain') {
  const middle = Math.floor(rows / 2) * cols;
  const inset = Math.min(2, Math.floor((cols - 1) / 2));
  const goal = middle + cols - 1 - inset;
  return { kind: 'cells', format, rows, cols, cells: new Uint8Array(rows * cols).fill(OPEN), start: middle + inset, goals: rows * cols > 1 && goal !== middle + inset ? [goal] : [], origin: `open:${rows}x${cols}` };
}

/** A copy that can be changed alone. @param {{ kind: string, cells: string | any[], goals: any }} map */
export const copyOf = (map) => (map.kind === 'cells' ? { ...map, cells: map.cells.slice(), goals: [...map.goals] } : { ...map, goals: [...map.goals] });

/** Whether two maps are alike: in their ground and their ends. @param {{ start: any, goals: any, directed: any, kind: string, text: any, cols: any, cells: any }} one @param {{ start: any, goals: any, directed: any, text: any, cols: any, cells: any }} other */
export const isSame = (one, other) => one.start === other.start && isList(one.goals, other.goals) && one.directed === other.directed && (one.kind === 'graph' ? one.text === other.text : isSameGround(one, other));
/** Whether two maps of cells have the same ground everywhere. */
export const isSameGround = (/** @type {{ cols: any, cells: any }} */ one, /** @type {{ cols: any, cells: any }} */ other) => one.cols === other.cols && isList(one.cells, other.cells);
const isList = (/** @type {any[]} */ one, /** @type {string | any[]} */ other) => one?.length === other?.length && one.every((value, i) => value === other[i]);

/** The same map with other sides; what is cut off is lost. @param {GridMap} map @returns {GridMap} @param {number} rows @param {number} cols */
export function resized(map, rows, cols) {
  const made = openMap(rows, cols, map.format);
  for (let row = 0; row < Math.min(rows, map.rows); row += 1) {
    made.cells.set(map.cells.subarray(row * map.cols, row * map.cols + Math.min(cols, map.cols)), row * cols);
  }
  const moved = (/** @type {number} */ cell) => {
    const [row, col] = [Math.floor(cell / map.cols), cell % map.cols];
    return row < rows && col < cols ? row * cols + col : -1;
  };
  const goals = map.goals.map(moved).filter((cell) => cell >= 0);
  const start = map.start < 0 ? -1 : moved(map.start);
  return { ...made, start: start >= 0 ? start : made.start, goals: goals.length ? goals : made.goals };
}

/** Whether all ground that can be entered costs the same. @param {{ cells: any }} map */
export function isEven(map) {
  let cost = 0;
  for (const ground of map.cells) {
    const here = costOf(ground);
    if (here && cost && here !== cost) return false;
    cost = here || cost;
  }
  return true;
}

export const wallsOf = (/** @type {{ cells: any }} */ map) => map.cells.reduce((/** @type {any} */ sum, /** @type {number} */ ground) => sum + (isBlocked(ground) ? 1 : 0), 0);

/** The cells on the straight line between two, both included. @param {any} map @param {number} from @param {number} to */
export function line(map, from, to) {
  let [row, col] = [Math.floor(from / map.cols), from % map.cols];
  const [endRow, endCol] = [Math.floor(to / map.cols), to % map.cols];
  const steps = Math.max(Math.abs(endRow - row), Math.abs(endCol - col));
  const cells = [from];
  for (let step = 1; step <= steps; step += 1) {
    row = Math.floor(from / map.cols) + Math.round(((endRow - Math.floor(from / map.cols)) * step) / steps);
    col = (from % map.cols) + Math.round(((endCol - (from % map.cols)) * step) / steps);
    cells.push(row * map.cols + col);
  }
  return cells;
}

/** The cells of a square brush around one. @param {{ cols: number, rows: number }} map @param {number} cell @param {number} width */
export function around(map, cell, width) {
  const [row, col, reach] = [Math.floor(cell / map.cols), cell % map.cols, Math.floor(width / 2)];
  const cells = [];
  for (let r = Math.max(0, row - reach); r <= Math.min(map.rows - 1, row + reach); r += 1) {
    for (let c = Math.max(0, col - reach); c <= Math.min(map.cols - 1, col + reach); c += 1) cells.push(r * map.cols + c);
  }
  return cells;
}

/** The cell at which a jump turns: after its diagonal part, or, where one walks four ways, after its vertical part. @param {number} from @param {number} to @param {number} cols @param {boolean} isFourWays */
export function bend(from, to, cols, isFourWays) {
  const [down, across] = [Math.floor(to / cols) - Math.floor(from / cols), (to % cols) - (from % cols)];
  return isFourWays ? from + down * cols : from + Math.min(Math.abs(down), Math.abs(across)) * (Math.sign(down) * cols + Math.sign(across));
}
