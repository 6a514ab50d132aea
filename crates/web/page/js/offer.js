// The question of a tab whose game another tab has open.

import { button, el } from './dom.js';
import { gameOf } from './entries.js';
import { t } from './i18n.js';
import { openSaves } from './later.js';
import { claim } from './library.js';
import * as session from './session.js';
import { sheet } from './sheets.js';

/** Says that the game which would lie here is open in another tab. When that one is closed, the game comes here. */
export function offer(entry) {
  const game = gameOf(entry);
  if (!game) return;
  const waiting = new AbortController();
  const act = (run) => () => { dialog.close(); run(); };
  const take = button(t('elsewhere.back'), act(() => claim(game)), { kind: 'filled', id: 'take-over' });
  const dialog = sheet(t('elsewhere.title'), [
    el('p', {}, t('elsewhere.text')),
    el('div', { className: 'actions' },
      take,
      button(t('elsewhere.other'), act(openSaves), { id: 'open-other' }),
      button(t('elsewhere.fresh'), act(() => {}), { id: 'begin-fresh' })),
  ], { kind: 'centred', focus: take });
  dialog.addEventListener('close', () => waiting.abort());
  // Another game that comes here, by a link for instance, is not to be replaced by this one later.
  session.on('game', () => dialog.close());
  void claim(game, { signal: waiting.signal }).then((came) => { if (came) dialog.close(); });
}
