// Sharing a position as a link, and opening one without losing what is on the table.

import { linkParts } from './copy.js';
import { el } from './dom.js';
import { t } from './i18n.js';
import { isBuiltin } from './pictures.js';
import * as session from './session.js';
import { TextError } from './boardtext.js';
import { carriesPosition, gameOf, linkOf, problemText } from './share.js';
import { ask, sheet, toast } from './sheets.js';

/** The sheet with the link of a game; from its scramble when `fromStart`. */
export function openShare({ fromStart = false } = {}) {
  const game = session.current();
  const isStart = fromStart || game.solved;
  const { field, here, acts } = linkParts(linkOf(game, isStart ? game.start : game.tiles));
  sheet(t('share.title'), [el('p', {}, t(isStart ? 'share.start' : 'share.position')), field, here, !isBuiltin(game.picture) && el('p', { className: 'muted' }, t('share.ownPicture')), acts]);
}

/**
 * Opens the position in the address, if it carries one; a running game is asked about and kept. Resolves to whether
 * that position is on the table now.
 */
export async function openFromAddress() {
  const fragment = location.hash;
  if (!carriesPosition(fragment)) return false;
  history.replaceState(null, '', location.pathname + location.search);
  let next;
  try {
    next = gameOf(fragment);
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    toast(() => t('share.bad', { error: problemText(error) }));
    return false;
  }
  const own = session.atStake();
  if (own) {
    const choice = await ask(t('share.openTitle'), t('share.openText', { count: own.count }), [{ label: t('share.stay'), value: 'stay' }, { label: t('share.open'), value: 'open', kind: 'filled' }]);
    if (choice !== 'open') return false;
    session.replace(next);
    toast(() => t('share.kept'), { label: () => t('do.undo'), run: () => session.bringBack() });
  } else {
    session.open(next);
  }
  return true;
}

