// Where a finished game lost most moves. At some places along it the moves that were left are asked for; what a stretch
// cost is the moves made in it less the moves it brought the game nearer to its end. The costs of all stretches add up to
// what the game took beyond the shortest solution; the stretch that is shown is the shortest in which more than half of that was lost.

import { slot } from './help.js';
import { recall } from './search.js';
/** @import { Game } from './game.js' */

/** Stretches into which a game is divided: more on small boards and in short games, which are solved quickly; the shortest games go move by move. */
const STRETCHES = 12;
const FINE_STRETCHES = 48;
const SMALL_CELLS = 9;
/** Time limit for each place: on large boards it yields a good solution, not the shortest. */
const SECONDS = 1;

/**
 * The places along a finished game, and the moves that were left at each; null where nobody waits any more.
 * @param {import('./game.js').Game} game
 * @param {{ moves: string, optimal?: boolean }} shortest A solution from the start.
 * @param {() => boolean} isWanted
 * @returns {Promise<{ marks: number[], left: Left[] } | null>}
 */
export async function lookAlong(game, shortest, isWanted) {
  const marks = marksOf(game);
  /** @type {Left[]} */
  const left = [{ count: shortest.moves.length, isProved: shortest.optimal === true }];
  for (const mark of marks.slice(1, -1)) {
    if (!isWanted()) return null;
    left.push(await leftAt(game, mark));
  }
  left.push({ count: 0, isProved: true });
  return { marks, left: reconciled(marks, left) };
}

/** @typedef {{ count: number, isProved: boolean }} Left The moves that are left at a place, as far as is known. */

/** Moves go both ways, so a place is at most as far from the end as its neighbour plus the moves between them: carries each bound to all places. @param {number[]} marks @param {Left[]} left */
function reconciled(marks, left) {
  const counts = left.map(({ count }) => count);
  const near = (/** @type {number} */ i, /** @type {number} */ j) => { counts[i] = Math.min(counts[i], counts[j] + Math.abs(marks[i] - marks[j])); };
  for (let i = 1; i < counts.length; i += 1) near(i, i - 1);
  for (let i = counts.length - 2; i >= 0; i -= 1) near(i, i + 1);
  return left.map(({ isProved }, i) => ({ count: counts[i], isProved }));
}

/** The moves lost in each stretch from place to place. @param {number[]} marks @param {Left[]} left */
export const lossesOf = (marks, left) => marks.slice(1).map((to, i) => ({ from: marks[i], to, lost: to - marks[i] - (left[i].count - left[i + 1].count) }));

/**
 * The shortest stretch in which more than half of the lost moves were lost, from its first move to its last; null where none was lost, or
 * where it is the whole game. It is proved where each number behind it is.
 * @param {number[]} marks
 * @param {Left[]} left
 * @returns {{ from: number, to: number, lost: number, over: number, isProved: boolean } | null}
 */
export function stretchOf(marks, left) {
  const count = marks[marks.length - 1];
  const over = count - left[0].count;
  const all = marks.flatMap((from, i) => marks.slice(i + 1).map((to, more) => {
    const j = i + 1 + more;
    return { from, to, lost: to - from - (left[i].count - left[j].count), over, isProved: left[0].isProved && left[i].isProved && left[j].isProved };
  }));
  const [first] = all.filter(({ lost }) => lost * 2 > over).sort((a, b) => a.to - a.from - (b.to - b.from) || b.lost - a.lost);
  return over > 0 && first.to - first.from < count ? first : null;
}

/** The places at which it is asked, the first and the last included. @param {Game} game */
function marksOf({ count, tiles }) {
  // In a short game no place is further from the end than the moves that were made from there.
  const parts = Math.min(count, count <= FINE_STRETCHES || tiles.length <= SMALL_CELLS ? FINE_STRETCHES : STRETCHES);
  return Array.from({ length: parts + 1 }, (_, at) => Math.round((count * at) / parts));
}

/** The moves that were left after so many. @param {Game} game @param {number} done */
async function leftAt(game, done) {
  const at = game.fromStart();
  if (done) at.make(game.moves.slice(0, done));
  const known = recall(at);
  if (known?.optimal) return { count: known.moves.length, isProved: true };
  const answer = await slot.ask(at, { algorithm: 'auto', limits: { seconds: SECONDS } });
  // The player's own moves from here are a solution, too.
  const own = game.count - done;
  return answer.status === 'solved' && answer.moves.length <= own ? { count: answer.moves.length, isProved: answer.optimal === true } : { count: own, isProved: false };
}
