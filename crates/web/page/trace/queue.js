// The open list in the order in which its search takes states.

import { EXPANDED } from './recording.js';
import { familyOf, rankOf } from './sentence.js';

/** Costs with roots are sums of rounded numbers: what differs by less is the same. */
const GRAIN = 1e-6;
export const grained = (value) => Math.round(value / GRAIN);

/**
 * Compares two open states of a search: whichever is taken first comes first. Ties are broken as the engine does it: the
 * smaller h, then last in first out; breadth first takes the oldest, depth first the newest.
 * @param {import('./recording.js').Recording} rec
 * @param {import('./recording.js').Cursor} cursor
 * @returns {(a: number, b: number) => number}
 */
export function takenOrder(rec, cursor) {
  const family = familyOf(rec);
  const newer = (a, b) => cursor.since(b) - cursor.since(a) || b - a;
  if (family === 'depth') return newer;
  if (family === 'breadth') {
    // From both ends there are two queues; what the recording takes next says whose turn it is.
    const turn = sideOf(rec, cursor.k);
    return (a, b) => Math.abs(rec.backward[a] - turn) - Math.abs(rec.backward[b] - turn) || newer(b, a);
  }
  const rank = rankOf(rec);
  return (a, b) => grained(rank(cursor.g(a), cursor.h(a))) - grained(rank(cursor.g(b), cursor.h(b))) || grained(cursor.h(a)) - grained(cursor.h(b)) || newer(a, b);
}

/** The side (0 from the start, 1 from the goal) of the next state that is expanded. */
function sideOf({ what, node, backward, length }, k) {
  for (let i = k; i < length; i += 1) if (what[i] === EXPANDED) return backward[node[i]];
  return 0;
}
