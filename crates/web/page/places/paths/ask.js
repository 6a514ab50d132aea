// What is asked of the engine about the map on the page, and what the whole map says: how far every cell is from the
// start, and which way leads to the nearest goal.

import { Gone, Refused } from '../../js/errors.js';
import { isCancelled, port } from '../../js/port.js';
import { MOST_WEIGHT } from '../../trace/identity.js';
import { wireText } from './formats.js';
import { isEven } from './map.js';
import { state } from './state.js';

export const MOST_EVENTS = 200000;
const SECONDS = 10;

/** The map's text, made anew only when the map has changed: it is long, and asked with again and again. */
let text = { map: null, value: '' };

export const forgetText = () => { text = { map: null, value: '' }; };

export function mapText() {
  if (text.map !== state.map) text = { map: state.map, value: wireText(state.map) };
  return text.value;
}

export const spotOf = (/** @type {any} */ map, /** @type {number} */ place) => (map.kind === 'graph' ? map.names[place] : [Math.floor(place / map.cols), place % map.cols]);

/** The place that an answer names. @param {{ kind: string, names: string | any[], cols: number }} map @param {any} spot */
export const placeOf = (map, spot) => (map.kind === 'graph' ? map.names.indexOf(spot) : spot[0] * map.cols + spot[1]);

/** The body of a question, without an algorithm. */
export function question({ from = true, to = state.map.goals } = {}) {
  const { map, diagonal } = state;
  const rules = map.kind === 'graph' ? { directed: map.directed } : { diagonal };
  return { map: mapText(), format: map.format, ...(from ? { from: spotOf(map, map.start) } : {}), ...(to ? { to: to.map((/** @type {number} */ place) => spotOf(map, place)) } : {}), ...rules, limits: { seconds: SECONDS } };
}

/** The body of a question for a contestant. A heuristic that overestimates is allowed here, and named. */
export function questionOf(/** @type {any} */ { algorithm, heuristic, weight }) {
  const guided = heuristic && usesHeuristic(algorithm);
  return { ...question(), algorithm, ...(guided ? { heuristic } : {}), ...(algorithm === 'wastar' && weight ? { weight: Number(weight) } : {}), inadmissible: true };
}

/** A question that the engine would refuse: it is not asked, and `key` says why. */
export class Refusal extends Error {
  constructor(/** @type {string} */ key) {
    super(key);
    this.key = key;
  }
}

/** Why a contestant cannot search this map; null where it can. */
export function refusalOf(/** @type {{ algorithm: string, heuristic: string }} */ { algorithm, heuristic }) {
  const { map } = state;
  if (algorithm === 'jps' && map.kind === 'graph') return new Refusal('paths.jps.graph');
  if (algorithm === 'jps' && !isEven(map)) return new Refusal('paths.jps.costs');
  if (map.kind === 'graph' && !map.placed && heuristic && heuristic !== 'none' && usesHeuristic(algorithm)) return new Refusal('paths.noPlaces');
  return null;
}

/** Whether a text is a weight: less than 1 would make h count for less than it says. @param {string} word */
export const isWeight = (word) => /^\d+(\.\d*)?$/.test(word) && Number(word) >= 1 && Number(word) <= MOST_WEIGHT;

export const ALGORITHMS = ['auto', 'bfs', 'bidirectional', 'dijkstra', 'greedy', 'astar', 'wastar', 'ida', 'jps'];
export const HEURISTICS = ['manhattan', 'euclidean', 'chebyshev', 'octile', 'none'];
/** Whether an algorithm has a choice of heuristic; jump point search has its own. @param {string} algorithm */
export const usesHeuristic = (algorithm) => !['bfs', 'bidirectional', 'dijkstra', 'jps'].includes(algorithm);

/** The heuristic that the engine takes where none was chosen. Where nobody knows how far apart nodes lie, there is none. */
export function usualHeuristic({ map, diagonal } = state) {
  if (map.kind === 'graph') return map.placed ? 'euclidean' : 'none';
  return diagonal === 'never' ? 'manhattan' : 'octile';
}

/** A word of a command that a shell hands on as it is. */
const PLAIN = /^[\w./,:=@%+-]+$/;
/** Signs that a terminal takes for keys when they are pasted, or that show a text other than it is. */
const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

const quoted = (/** @type {string} */ word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** A command line of these words, for a POSIX shell, which runs nothing of what stands in them; null where one of them cannot be pasted into a terminal safely. @param {string[]} words */
const commandLine = (words) => (words.some((word) => UNSAFE.test(word)) ? null : words.map(quoted).join(' '));

/** The command line that asks the same; null where there is none. @param {{ algorithm: any, heuristic: any, weight: any, mark?: number | undefined }} run @param {string} file */
export function commandOf(run, file) {
  const { map, diagonal } = state;
  const spot = (/** @type {number} */ place) => (map.kind === 'graph' ? map.names[place] : spotOf(map, place).join(','));
  if (map.start < 0 || !map.goals.length) return null;
  // Of one word each, so that a name that begins with a dash is none of the command's options.
  const words = ['pintu', 'path', file, '--map-format', map.format, `--from=${spot(map.start)}`, `--to=${map.goals.map(spot).join(';')}`];
  if (map.kind !== 'graph') words.push('--diagonal', diagonal);
  else if (map.directed) words.push('--directed');
  words.push('--algorithm', run.algorithm);
  if (run.heuristic && usesHeuristic(run.algorithm)) words.push('--heuristic', run.heuristic, '--inadmissible');
  if (run.algorithm === 'wastar' && run.weight) words.push('--weight', run.weight);
  return commandLine([...words, '--format', 'json']);
}

let handle = /** @type {any} */ (null);

/**
 * The distances and the directions that are to be shown, or null for a newer question.
 * @returns {Promise<{ distances: Float64Array | null, arrows: Int8Array | null, most: number } | null>}
 */
export async function fieldOf() {
  handle?.cancel();
  const { map, show } = state;
  if (map.kind === 'graph' || (!show.distances && !show.flow) || map.start < 0) return { distances: null, arrows: null, most: 1 };
  try {
    const distances = show.distances ? flat(await ask({ ...question({ to: null }), distances: true }), map) : null;
    const arrows = show.flow && map.goals.length ? await flow(map) : null;
    return { distances, arrows, most: distances ? distances.reduce((most, far) => (Number.isFinite(far) && far > most ? far : most), 1) : 1 };
  } catch (error) {
    // The request for the paths reports a missing or late answer.
    if (isCancelled(error) || error instanceof Gone || error instanceof Refused) return null;
    throw error;
  }
}

function ask(/** @type {object} */ body) {
  handle = port.path(body);
  return handle.promise;
}

/** A matrix as one array; where nobody gets, it is infinite. @param {any[]} matrix @param {{ cells: string | any[], cols: number }} map */
function flat(matrix, map) {
  const numbers = new Float64Array(map.cells.length).fill(Infinity);
  // A limit was reached: nothing is known.
  if (!Array.isArray(matrix)) return numbers;
  for (const [row, line] of matrix.entries()) for (const [col, far] of line.entries()) if (far !== null) numbers[row * map.cols + col] = far;
  return numbers;
}

/** The step toward the nearest goal from every cell: of several goals, each cell follows the one that is nearest. @param {{ cells: string | any[], goals: any, cols: number }} map */
async function flow(map) {
  const arrows = new Int8Array(2 * map.cells.length);
  const nearest = new Float64Array(map.cells.length).fill(Infinity);
  for (const goal of map.goals) {
    const { distances, directions } = await ask({ ...question({ from: false, to: [goal] }), distances: true, directions: true });
    if (!directions) continue;
    for (const [cell, far] of flat(distances, map).entries()) {
      if (far >= nearest[cell]) continue;
      nearest[cell] = far;
      const step = directions[Math.floor(cell / map.cols)][cell % map.cols];
      [arrows[2 * cell], arrows[2 * cell + 1]] = step ?? [0, 0];
    }
  }
  return arrows;
}
