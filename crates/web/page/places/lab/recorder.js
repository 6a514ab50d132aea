// Records searches, one after the other. A search that is stopped keeps what it had recorded.

import { t } from '../../js/i18n.js';
import { isCancelled, port } from '../../js/port.js';
import { announce } from '../../js/sheets.js';
import { decodeRecording } from '../../trace/recording.js';
import { entry, limits, problem } from './setup.js';

const MOST_EVENTS = 200_000;

/**
 * @typedef {object} Found
 * @property {import('../../trace/recording.js').Recording} rec
 * @property {object} wished What was to be recorded.
 * @property {object} asked What was recorded: less, where it was stopped.
 * @property {import('./setup.js').Contestant} who
 * @property {boolean} halted Whether it was stopped.
 */

/** What the engine is asked to record of a contestant, as things are set up now. @param {import('./setup.js').Contestant} who */
export const wishOf = (who) => ({ ...problem(), ...entry(who), limits: limits(), events: MOST_EVENTS });

/**
 * @param {{ onBegin: (who: import('./setup.js').Contestant, halted: boolean) => void, onProgress: (progress: any) => void }} callbacks
 */
export function createRecorder({ onBegin, onProgress }) {
  let turn = 0;
  let handle = null;
  let halted = false;
  /** How many states were taken up while there was room for what happened. */
  let reached = 0;

  function ask(asked) {
    let full = false;
    handle = port.trace(asked, {
      onProgress: (progress) => {
        if (!full) reached = progress.expanded ?? 0;
        full ||= Boolean(progress.cut);
        onProgress(progress);
      },
      onBusy: (n) => announce(t('solve.busy', { n })),
    });
    return handle.promise;
  }

  /** @returns {Promise<Found>} */
  async function one(who) {
    [halted, reached] = [false, 0];
    const wished = wishOf(who);
    onBegin(who, false);
    try {
      return { rec: decodeRecording(await ask(wished)), wished, asked: wished, who, halted };
    } catch (error) {
      if (!halted || !reached || !isCancelled(error)) throw error;
    }
    // Who hangs up gets nothing. A search goes the same way each time: it is recorded once more, as far as it had come.
    const asked = { ...wished, limits: { ...wished.limits, nodes: reached } };
    onBegin(who, true);
    return { rec: decodeRecording(await ask(asked)), wished, asked, who, halted: true };
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
    stop() { halted = true; handle?.cancel(); },
    /** Ends it, with an error that says so. */
    cancel() { halted = false; handle?.cancel(); },
    /** Ends it, and nobody is told. */
    forget() { turn += 1; handle?.cancel(); },
  };
}
