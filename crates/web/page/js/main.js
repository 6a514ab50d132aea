// The frame around the places: words, settings, keys, and how the games are kept.

import { $ } from './dom.js';
import { fetchOther, fill, language, setLanguage } from './i18n.js';
import { initInstall, keepOffline } from './install.js';
import { initStoreHealth } from './store-health.js';
import { initKeys } from './keys.js';
import { fetchRest, rest } from './later.js';
import { initPlaces, placeActions } from './places.js';
import { setPref } from './prefs.js';
import { flush, initSync } from './sync.js';

const REST_MILLIS = 1500;

/** Opens the help of the place that is shown; the game's where it has none. */
const help = async () => (placeActions().help ?? (await rest()).openHelp)();

async function changeLanguage() {
  const next = language() === 'zh' ? 'en' : 'zh';
  await setLanguage(next);
  if (language() === next) setPref('language', next);
}

async function main() {
  fill();
  $('open-settings').addEventListener('click', async () => (await rest()).openSettings());
  $('open-help').addEventListener('click', help);
  $('language').addEventListener('click', changeLanguage);
  // A disabled button that still has the focus ignores clicks.
  addEventListener('click', (event) => { if (/** @type {Element} */ (event.target).closest?.('button[aria-disabled=true]')) event.stopImmediatePropagation(); }, true);
  initKeys(() => ({ ...placeActions(), help }));
  initInstall();
  initStoreHealth();
  initSync();
  await initPlaces();
  void flush();
  document.body.dataset.ready = 'yes';
  setTimeout(() => { void fetchOther(); fetchRest().catch(() => {}); void keepOffline(); }, REST_MILLIS);
}

void main();
