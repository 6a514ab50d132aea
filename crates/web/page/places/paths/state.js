// The set-up: the map, the rules, who searches, and what is shown. Whoever draws or asks follows it; whoever changes it
// does so here. A map's earlier states are kept, so that painting can be undone.

import { tellAll } from '../../js/tell.js';
import { withMarks } from '../../trace/identity.js';
import { builtin, BUILTIN } from './builtin.js';
import { GROUNDS, MOST_GOALS, WALL, around, copyOf, isBlocked, isSame } from './map.js';

const MOST_STEPS = 60;
export const MOST_RUNS = 4;

const watchers = new Map();
/** Calls back when something of this name has changed: map (another map), ground (its cells), ends, rules, runs, show, brush, history, queries. @param {string[]} names @param {(...values: any[]) => void} callback */
export function on(names, callback) {
  for (const name of names) watchers.set(name, [...(watchers.get(name) ?? []), callback]);
}
function tell(/** @type {string} */ name) {
  if (ASKED.has(name)) version += 1;
  tellAll(watchers.get(name) ?? []);
}

/** Changes of these make another question of it. */
const ASKED = new Set(['map', 'ground', 'ends', 'rules', 'runs']);
let version = 0;
/** Which question the set-up stands for: an answer belongs to the number that it was asked under. */
export const versionNow = () => version;

/**
 * A contestant. Its mark, from 1 on, is the colour and the shape that it is told by: it keeps it for as long as it stays.
 * @typedef {{ algorithm: string, heuristic: string, weight: string, mark?: number }} Run
 */

/** @param {string} algorithm @returns {Run} */
export const runOf = (algorithm, heuristic = '', weight = '') => ({ algorithm, heuristic, weight });

/** Contestants with their marks. @param {Run[]} runs */
const marked = (runs) => withMarks(runs, 1);

/** The contestant of a name such as `astar` or `astar:manhattan`. @param {string} name */
export const runNamed = (name) => runOf(.../** @type {[string, string?]} */ (name.split(':')));

export const state = {
  /** @type {any} */
  map: builtin('meadow'),
  diagonal: BUILTIN.meadow.diagonal,
  /** @type {Run[]} */
  runs: marked(BUILTIN.meadow.runs.map(runNamed)),
  /** What a finger paints: a ground, 'start' or 'goal'. @type {number | 'start' | 'goal'} */
  brush: WALL,
  width: 1,
  /** Whether somebody has chosen the contestants; those that came with a map go with it. */
  own: false,
  show: { search: true, figures: true, distances: false, flow: false, late: false },
};

const past = /** @type {any[]} */ ([]);
const future = /** @type {any[]} */ ([]);
/** What the last note has put aside: it comes back where nothing came of it. */
/** @type {{ past: any[], future: any[] }} */
let aside = { past: [], future: [] };
export const canUndo = () => past.length > 0;
export const canRedo = () => future.length > 0;

/** Notes the map as it is, before it is changed. */
export function note() {
  past.push({ map: copyOf(state.map), diagonal: state.diagonal });
  aside = { past: past.length > MOST_STEPS ? past.splice(0, 1) : [], future: future.splice(0) };
  tell('history');
}

/** It is as if nothing had been noted. */
function unnote() {
  const kept = past.pop();
  past.unshift(...aside.past);
  future.push(...aside.future);
  aside = { past: [], future: [] };
  tell('history');
  return kept;
}

/** What was noted has been done. Where nothing came of it, there is nothing to undo, and what could be done again still can. */
export function settleNote() {
  if (past.length && isSame(past[past.length - 1].map, state.map)) unnote();
}

/** Takes back what was done since it was noted, for good. */
export function revert() {
  if (!past.length) return;
  Object.assign(state, unnote());
  fitBrush();
  tell('map');
}

function step(/** @type {any} */ from, /** @type {any} */ to) {
  const kept = from.pop();
  if (!kept) return false;
  to.push({ map: copyOf(state.map), diagonal: state.diagonal });
  state.diagonal = kept.diagonal;
  state.map = kept.map;
  fitBrush();
  tell('map');
  tell('history');
  return true;
}
export const undo = () => step(past, future);
export const redo = () => step(future, past);

/** What was painted with before a graph came, which has no ground: it comes back with the next map. @type {number | null} */
let painted = null;

/** Takes a brush that the map has. */
function fitBrush() {
  const { map, brush } = state;
  if (map.kind === 'graph') {
    if (typeof brush !== 'number') return;
    [painted, state.brush] = [brush, 'goal'];
  } else {
    state.brush = painted ?? brush;
    painted = null;
    if (typeof state.brush === 'number' && !/** @type {any} */ (GROUNDS)[map.format].includes(state.brush)) state.brush = WALL;
  }
  tell('brush');
}

/** Puts another map in place of this one, with what belongs to it; `own` says that somebody has chosen the contestants. */
export function replaceMap(/** @type {any} */ map, { diagonal = state.diagonal, runs = state.runs, own = state.own } = {}) {
  note();
  Object.assign(state, { map, diagonal, runs: marked(runs), own });
  fitBrush();
  tell('map');
  tell('runs');
}

/** Paints ground on cells; a brush may be wider than one. Start and goals are never walled in. Returns whether anything changed. @param {any[]} cells */
export function paint(cells, ground = state.brush) {
  const { map, width } = state;
  const kept = new Set([map.start, ...map.goals]);
  let changed = false;
  for (const centre of cells) {
    for (const cell of width > 1 ? around(map, centre, width) : [centre]) {
      if (map.cells[cell] === ground || (isBlocked(ground) && kept.has(cell))) continue;
      map.cells[cell] = Number(ground);
      changed = true;
    }
  }
  if (changed) tell('ground');
  return changed;
}

const mayStand = (/** @type {any} */ map, /** @type {number} */ place) => place >= 0 && (map.kind === 'graph' || !isBlocked(map.cells[place]));

/** Moves the start. Returns whether it is there. @param {number} place */
export function moveStart(place) {
  const { map } = state;
  if (!mayStand(map, place) || map.goals.includes(place)) return false;
  if (map.start !== place) { map.start = place; tell('ends'); }
  return true;
}

/** Moves the goal of this number, or adds one. Returns whether it is there. @param {number} number @param {number} place */
export function moveGoal(number, place) {
  const { map } = state;
  const other = map.goals.indexOf(place);
  if (!mayStand(map, place) || place === map.start || (other >= 0 && other !== number) || number >= MOST_GOALS) return false;
  if (map.goals[number] !== place) { map.goals[number] = place; tell('ends'); }
  return true;
}

/** Puts a goal on a place, or takes the one that is there. @param {number} place */
export function toggleGoal(place) {
  const { map } = state;
  const at = map.goals.indexOf(place);
  if (at < 0) return moveGoal(map.goals.length, place);
  if (map.goals.length > 1) { map.goals.splice(at, 1); tell('ends'); }
  return true;
}

/** Queries about the map have been opened. */
export const tellQueries = () => tell('queries');

export function setDirected(/** @type {any} */ directed) { state.map.directed = directed; tell('ground'); }
export function setDiagonal(/** @type {string} */ diagonal) { state.diagonal = diagonal; tell('rules'); }
export function setRuns(/** @type {any[]} */ runs, own = true) { Object.assign(state, { runs: marked(runs), own }); tell('runs'); }
export function setBrush(/** @type {typeof state.brush} */ brush) { state.brush = brush; tell('brush'); }
export function setWidth(/** @type {number} */ width) { state.width = width; tell('brush'); }
/** Changes what is shown; `late` keeps distances back until the search has found them. @param {any} changes */
export function setShow(changes) { Object.assign(state.show, { late: false }, changes); tell('show'); }
