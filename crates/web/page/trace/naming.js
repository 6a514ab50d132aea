// What a search is called, wherever one is shown.

/**
 * The algorithm, and what guides it: with its weight, where it counts more than once. What is not named is called h.
 * @param {string} algorithm
 * @param {{ guide?: string, weight?: number }} [by]
 */
export function searchName(algorithm, { guide, weight } = {}) {
  if (weight !== undefined) return `${algorithm} ${weight}\u00a0×\u00a0${guide ?? 'h'}`;
  return guide ? `${algorithm} ${guide}` : algorithm;
}
