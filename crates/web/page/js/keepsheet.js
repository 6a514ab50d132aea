// The sheet that says how each of the two stores keeps the games, with what to do about it.

import { button, el } from './dom.js';
import { health } from './health.js';
import { t } from './i18n.js';
import { sentence } from './keeping.js';
import { openSaves } from './later.js';
import { sheet } from './sheets.js';
import { retryNow } from './store.js';
import { flushAll } from './sync.js';

/** The sheet about both stores. */
export function openKeeping() {
  const { browser, server } = health();
  const line = (part, trouble) => el('div', { className: `keep-line ${trouble ? 'wrong' : ''}`.trim(), id: `keep-${part}` }, el('h3', {}, t(`keep.${part}`)), el('p', {}, sentence(part, trouble) ?? t(`keep.${part}.well`)));
  const again = () => { dialog.close(); void retryNow(); void flushAll(); };
  const games = () => { dialog.close(); void openSaves(); };
  const full = [browser, server].some((trouble) => trouble?.kind === 'full');
  const dialog = sheet(t('keep.title'), [line('browser', browser), line('server', server),
    el('div', { className: 'actions' }, button(t('again'), again, { kind: full ? '' : 'filled', id: 'keep-again' }), button(t('keep.games'), games, { kind: full ? 'filled' : '', id: 'keep-games' }))]);
}
