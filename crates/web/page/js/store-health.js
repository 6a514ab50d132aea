// Says how the games are kept: a mark in the head while one of the two stores is in trouble, and a word when that changes.

import * as api from './api.js';
import { $, button, el, setText } from './dom.js';
import { hasServer } from './host.js';
import { knows, onLanguage, t } from './i18n.js';
import { openSaves } from './later.js';
import { onLibrary } from './library.js';
import { announce, sheet, toast } from './sheets.js';
import { health, onHealth, retryNow } from './store.js';
import { flushAll, onSync } from './sync.js';

const PING_MILLIS = 3000;

/** The trouble of a store in one sentence; null if there is none. @param {string} part @param {any} trouble @returns {any} A text, or null. */
function troubleText(part, trouble) {
  if (!trouble) return null;
  const own = `keep.${part}.${trouble.code === 'banned' ? 'banned' : trouble.kind}`;
  const why = trouble.code && knows(`error.${trouble.code}`) ? t(`error.${trouble.code}`) : trouble.text ?? '';
  return t(own, { error: why });
}

/** The mark: the browser's trouble comes first, for it is nearer to losing something. */
function mark() {
  const { browser, server } = health();
  const both = browser && server;
  $('link-state').hidden = !browser && !server;
  if (both) setText($('link-words'), t('keep.mark.both'));
  else if (browser) setText($('link-words'), t(`keep.mark.browser.${browser.kind === 'full' ? 'full' : 'other'}`));
  else if (server) setText($('link-words'), t(`keep.mark.${server.kind}`));
}

/** Announces a change once, in words; the mark itself shows the state. @param {any} now @param {string} part */
function say(now, part) {
  if (!part) return;
  const trouble = now[part];
  if (!trouble) announce(t(`keep.${part}.back`));
  else if (trouble.kind === 'away') announce(t('keep.server.away'));
  else toast(() => troubleText(part, trouble), { label: () => t('keep.more'), run: openStoreHealth });
}

/** While the server does not answer, asks again at intervals. */
function initPing() {
  const ping = () => api.health().catch(() => { if (!api.isReachable()) setTimeout(ping, PING_MILLIS); });
  api.onReachable((reachable) => { if (!reachable) setTimeout(ping, PING_MILLIS); });
}

export function initStoreHealth() {
  $('link-state').addEventListener('click', openStoreHealth);
  onHealth((now, part) => { mark(); say(now, part); });
  onLanguage(mark);
  const tell = (/** @type {string} */ what) => toast(() => t(`keep.${what}`), { label: () => t('keep.games'), run: () => openSaves() });
  onLibrary('forked', () => tell('forked'));
  onSync((what) => { if (['forked', 'returned'].includes(what)) tell(what); });
  if (hasServer) initPing();
}

function openStoreHealth() {
  const { browser, server } = health();
  const line = (/** @type {string} */ part, /** @type {any} */ trouble) => el('div', { className: `keep-line ${trouble ? 'wrong' : ''}`.trim(), id: `keep-${part}` }, el('h3', {}, t(`keep.${part}`)), el('p', {}, troubleText(part, trouble) ?? t(`keep.${part}.well`)));
  const again = () => { dialog.close(); void retryNow(); void flushAll(); };
  const games = () => { dialog.close(); void openSaves(); };
  const full = [browser, server].some((trouble) => trouble?.kind === 'full');
  const dialog = sheet(t('keep.title'), [line('browser', browser), hasServer && line('server', server),
    el('div', { className: 'actions' }, button(t('again'), again, { kind: full ? '' : 'filled', id: 'keep-again' }), button(t('keep.games'), games, { kind: full ? 'filled' : '', id: 'keep-games' }))]);
}
