// Where a finished game lost most moves. At some places along it the moves that were left are asked for; what a stretch
// cost is the moves made in it less the moves it brought the game nearer to its end. The costs of all stretches add up to
// what the game took beyond the shortest solution; the stretch that is shown is the one that stands out most: where most
// was lost beyond what the game lost on average in so many moves.

import { recall } from './search.js';
import { desk } from './table.js';

const STRETCHES = 12;
const SHORTEST = 3;
/** What a place may take: on large boards it is a good solution and not the shortest. */
const SECONDS = 1;

/**
 * The stretch that cost most, from its first move to its last; null where none cost anything, or nobody waits any more.
 * It is proved where each number behind it is.
 * @param {import('./game.js').Game} game
 * @param {{ moves: string, optimal?: boolean }} shortest A solution from the start.
 * @param {() => boolean} isWanted
 * @returns {Promise<{ from: number, to: number, lost: number, isProved: boolean } | null>}
 */
export async function worstStretch(game, shortest, isWanted) {
  const marks = marksOf(game.count);
  /** @type {{ count: number, isProved: boolean }[]} */
  const left = [{ count: shortest.moves.length, isProved: shortest.optimal === true }];
  for (const mark of marks.slice(1, -1)) {
    if (!isWanted()) return null;
    left.push(await leftAt(game, mark));
  }
  left.push({ count: 0, isProved: true });
  const rate = 1 - left[0].count / game.count;
  let worst = null;
  marks.forEach((from, i) => marks.slice(i + 1).forEach((to, more) => {
    const j = i + 1 + more;
    const lost = to - from - (left[i].count - left[j].count);
    const beyond = lost - rate * (to - from);
    if (lost > 0 && (!worst || beyond > worst.beyond)) worst = { from, to, lost, beyond, isProved: left[i].isProved && left[j].isProved };
  }));
  return marks.length > 2 ? worst : null;
}

/** The places at which it is asked, the first and the last included. */
function marksOf(count) {
  const parts = Math.max(1, Math.min(STRETCHES, Math.floor(count / SHORTEST)));
  return Array.from({ length: parts + 1 }, (_, at) => Math.round((count * at) / parts));
}

/** The moves that were left after so many. */
async function leftAt(game, done) {
  const at = game.restarted();
  if (done) at.make(game.moves.slice(0, done));
  const known = recall(at);
  if (known?.optimal) return { count: known.moves.length, isProved: true };
  const answer = await desk.ask(at, { algorithm: 'auto', limits: { seconds: SECONDS } });
  // What the player did from here is a solution, too.
  const own = game.count - done;
  return answer.status === 'solved' && answer.moves.length <= own ? { count: answer.moves.length, isProved: answer.optimal === true } : { count: own, isProved: false };
}
