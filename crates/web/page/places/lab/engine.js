// The Lab's way to the engine. Whatever is searched here tells of every game that has come by the same board: it is asked
// only after the player knows that this counts as help, however the board came here.

import { Gone, Refused } from '../../js/errors.js';
import { Game } from '../../js/game.js';
import { agreeToSearch } from '../../js/help.js';
import { errorText, t } from '../../js/i18n.js';
import { port } from '../../js/port.js';
import { announce } from '../../js/sheets.js';
import { decodeRecording } from '../../trace/recording.js';
import { asGame, entry, limits, problem } from './setup.js';

/** The message of a failed request. @param {any} error */
export const troubleText = (error) => (error instanceof Gone ? t('lab.gone') : error instanceof Refused && error.isBusy ? t('lab.full') : t('lab.error', { error: errorText(error) }));

/** Whether an error says that the player does not want it asked. @param {any} error */
export const isRefused = (error) => error?.isRefused === true;

/** The position of a request as a game names it; null where it has no board of its own. */
function keyOf(/** @type {any} */ { rows, cols, tiles, goal, wrap_rows: wrapRows, wrap_cols: wrapCols }) {
  if (!tiles) return null;
  return new Game({ rows, cols, wrapRows, wrapCols, ...asGame({ rows, cols, tiles, goal }) }).key;
}

/** A request to the port that waits for the player's word where it needs one. @param {'race' | 'trace' | 'examine' | 'posthoc'} what */
const asking = (what) => (/** @type {object} */ request, callbacks = {}) => {
  /** @type {any} */
  let handle = null;
  let isEnded = false;
  const ask = async () => {
    const key = keyOf(request);
    const isWanted = key === null || (await agreeToSearch(key, t('lab.fromGame.help')));
    if (isEnded || !isWanted) throw Object.assign(new DOMException('not asked', 'AbortError'), { isRefused: !isWanted });
    handle = port[what](request, callbacks);
    return handle.promise;
  };
  const end = (/** @type {string} */ how) => () => {
    isEnded = true;
    handle?.[how]();
  };
  return { promise: ask(), cancel: end('cancel'), stop: end('stop') };
};

export const engine = { race: asking('race'), trace: asking('trace'), examine: asking('examine'), posthoc: asking('posthoc') };

const MOST_EVENTS = 200_000;

/**
 * @typedef {object} Found
 * @property {import('../../trace/recording.js').Recording} rec
 * @property {object} wished What was to be recorded.
 * @property {object} asked What was recorded: less, where it was stopped.
 * @property {import('./setup.js').Contestant} who
 * @property {'halted' | 'taken' | null} early Whether it was stopped, or the server ended it for others.
 */

/** The request for a contestant's recording with the current set-up. @param {import('./setup.js').Contestant} who */
export const wishOf = (who) => ({ ...problem(), ...entry(who), limits: limits(), events: MOST_EVENTS });

/**
 * Records searches, one after the other. A search that is stopped keeps what it had recorded.
 * @param {{ onBegin: (who: import('./setup.js').Contestant, halted: boolean) => void, onProgress: (progress: any) => void }} callbacks
 *   `onBegin` is told whose search is recorded, and once more where it is stopped.
 */
export function createRecorder({ onBegin, onProgress }) {
  let turn = 0;
  let handle = /** @type {any} */ (null);
  let stopped = () => {};

  /** @returns {Promise<Found>} @param {any} who */
  async function one(who) {
    let [begun, halting] = [false, false];
    const wished = wishOf(who);
    onBegin(who, false);
    const mine = engine.trace(wished, {
      onProgress: (/** @type {{ expanded: number }} */ progress) => { begun ||= progress.expanded > 0; onProgress(progress); },
      onBusy: (/** @type {number} */ n) => announce(t('solve.busy', { n })),
    });
    handle = mine;
    stopped = () => {
      halting = true;
      // A search that is still queued has nothing to show.
      if (!begun) return mine.cancel();
      onBegin(who, true);
      return mine.stop();
    };
    const rec = decodeRecording(await mine.promise);
    const early = rec.answer.reason !== 'cancelled' ? null : halting ? 'halted' : 'taken';
    // A repeated search would come just as far.
    return { rec, wished, asked: early ? { ...wished, limits: { ...wished.limits, nodes: rec.counts.expanded } } : wished, who, early };
  }

  return {
    /** Records contestants; resolves to null where that is not wanted any more. @param {import('./setup.js').Contestant[]} list @returns {Promise<Found[] | null>} */
    async record(list) {
      turn += 1;
      handle?.cancel();
      const mine = turn;
      const found = [];
      try {
        for (const who of list) {
          found.push(await one(who));
          if (mine !== turn) return null;
        }
        return found;
      } catch (error) {
        if (mine !== turn) return null;
        throw error;
      }
    },
    /** Stops the search; what it has recorded is kept. */
    stop() { stopped(); },
    /** Ends it, with an error that says so. */
    cancel() { handle?.cancel(); },
    /** Ends it, and nobody is told. */
    forget() { turn += 1; handle?.cancel(); },
  };
}
