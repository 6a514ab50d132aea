// The Lab's way to the engine. Whatever is searched here tells of every game that has come by the same board: it is asked only after the
// player knows that this counts as help, however the board came here.

import { ApiError, Gone } from '../../js/api.js';
import { Game } from '../../js/game.js';
import { agreeToSearch } from '../../js/help.js';
import { errorText, t } from '../../js/i18n.js';
import { port } from '../../js/port.js';
import { asGame } from './setup.js';

/** What to say of a request that failed. */
export const troubleText = (error) => (error instanceof Gone ? t('lab.gone') : error instanceof ApiError && error.status === 503 ? t('lab.full') : t('lab.error', { error: errorText(error) }));

/** Whether an error says that the player does not want it asked. */
export const isRefused = (error) => error?.isRefused === true;

/** The position of a request as a game names it; null where it has no board of its own. */
function keyOf({ rows, cols, tiles, goal, wrap_rows: wrapRows, wrap_cols: wrapCols }) {
  if (!tiles) return null;
  return new Game({ rows, cols, wrapRows, wrapCols, ...asGame({ rows, cols, tiles, goal }) }).key;
}

/** A request to the port that waits for the player's word where it needs one. @param {'race' | 'trace' | 'examine' | 'posthoc'} what */
const asking = (what) => (request, callbacks = {}) => {
  /** @type {import('../../js/port.js').Handle | null} */
  let handle = null;
  let isEnded = false;
  const ask = async () => {
    const key = keyOf(request);
    const isWanted = key === null || (await agreeToSearch(key, t('lab.fromGame.help')));
    if (isEnded || !isWanted) throw Object.assign(new DOMException('not asked', 'AbortError'), { isRefused: !isWanted });
    handle = port[what](request, callbacks);
    return handle.promise;
  };
  const end = (how) => () => {
    isEnded = true;
    handle?.[how]();
  };
  return { promise: ask(), cancel: end('cancel'), stop: end('stop') };
};

export const engine = { race: asking('race'), trace: asking('trace'), examine: asking('examine'), posthoc: asking('posthoc') };
