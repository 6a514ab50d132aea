// The weight of weighted A*, wherever one is chosen.

/** What it is where nobody names one: the engine's. */
export const USUAL_WEIGHT = 5;
/** The most that can be chosen here. */
export const MOST_WEIGHT = 1000;
