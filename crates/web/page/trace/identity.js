// Names, colours and shapes of contestants, the same wherever they are shown.

import { knows, t } from '../js/i18n.js';

/** The weight of weighted A* where nobody names one (the engine's), and the most that can be chosen here. */
export const USUAL_WEIGHT = 5;
export const MOST_WEIGHT = 1000;

/** The name of an algorithm: the game's, unless there is a shorter one here. @param {string} name */
export const algorithmText = (name) => t(knows(`trace.algorithm.${name}`) ? `trace.algorithm.${name}` : `algorithm.${name}`);

/** The name of a heuristic. @param {string} name */
export const heuristicText = (name) => t(`trace.heuristic.${name}`);

/**
 * What a search is called: the algorithm, and what guides it, with its weight where it has one. A heuristic that is not named is called h.
 * @param {{ algorithm: string, heuristic?: string, weight?: number | string }} one
 */
export function searchName({ algorithm, heuristic, weight }) {
  const [name, guide] = [algorithmText(algorithm), heuristic && heuristicText(heuristic)];
  if (weight !== undefined) return `${name} ${weight}\u00a0×\u00a0${guide || 'h'}`;
  return guide ? `${name} ${guide}` : name;
}

/**
 * The same contestants with the number of a mark each, from `first` on: who has one keeps it, and who has none takes the first that is free.
 * @template {{ mark?: number }} One
 * @param {One[]} list
 * @param {number} [first]
 * @returns {(One & { mark: number })[]}
 */
export function withMarks(list, first = 0) {
  const taken = new Set();
  const keeps = list.map(({ mark }) => mark !== undefined && !taken.has(mark) && Boolean(taken.add(mark)));
  return list.map((one, i) => {
    if (keeps[i]) return /** @type {One & { mark: number }} */ (one);
    let mark = first;
    while (taken.has(mark)) mark += 1;
    taken.add(mark);
    return { ...one, mark };
  });
}
