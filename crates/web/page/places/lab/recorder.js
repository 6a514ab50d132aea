// Records searches, one after the other. A search that is stopped keeps what it had recorded.

import { t } from '../../js/i18n.js';
import { announce } from '../../js/sheets.js';
import { decodeRecording } from '../../trace/recording.js';
import { engine } from './asking.js';
import { entry, limits, problem } from './setup.js';

const MOST_EVENTS = 200_000;

/**
 * @typedef {object} Found
 * @property {import('../../trace/recording.js').Recording} rec
 * @property {object} wished What was to be recorded.
 * @property {object} asked What was recorded: less, where it was stopped.
 * @property {import('./setup.js').Contestant} who
 * @property {'halted' | 'taken' | null} early Whether it was stopped, or the server ended it for others.
 */

/** What the engine is asked to record of a contestant, as things are set up now. @param {import('./setup.js').Contestant} who */
export const wishOf = (who) => ({ ...problem(), ...entry(who), limits: limits(), events: MOST_EVENTS });

/**
 * @param {{ onBegin: (who: import('./setup.js').Contestant, halted: boolean) => void, onProgress: (progress: any) => void }} callbacks
 *   `onBegin` is told whose search is recorded, and once more where it is stopped.
 */
export function createRecorder({ onBegin, onProgress }) {
  let turn = 0;
  let handle = null;
  let stopped = () => {};

  /** @returns {Promise<Found>} */
  async function one(who) {
    let [begun, halting] = [false, false];
    const wished = wishOf(who);
    onBegin(who, false);
    const mine = engine.trace(wished, {
      onProgress: (progress) => { begun ||= progress.expanded > 0; onProgress(progress); },
      onBusy: (n) => announce(t('solve.busy', { n })),
    });
    handle = mine;
    stopped = () => {
      halting = true;
      // What still waits for its turn has nothing to show.
      if (!begun) return mine.cancel();
      onBegin(who, true);
      return mine.stop();
    };
    const rec = decodeRecording(await mine.promise);
    const early = rec.answer.reason !== 'cancelled' ? null : halting ? 'halted' : 'taken';
    // As far as it has come, it would go again.
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
