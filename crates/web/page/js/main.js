// The frame around the places: words, settings, keys, and how the games are kept.

import { fetchOther } from './i18n.js';
import { fetchParts } from './later.js';
import { initKeeping } from './keeping.js';
import { initKeys } from './keys.js';
import { initPlaces, placeActions } from './places.js';
import { initSettings, openHelp } from './settings.js';
import { fetchStyle } from './sheets.js';
import { flush, initSync } from './sync.js';

const REST_MILLIS = 1500;

async function main() {
  const help = () => (placeActions().help ?? openHelp)();
  initSettings(help);
  initKeys(() => ({ ...placeActions(), help }));
  initKeeping();
  initSync();
  await initPlaces();
  void flush();
  document.body.dataset.ready = 'yes';
  setTimeout(() => { void fetchOther(); void fetchParts(); void fetchStyle(); }, REST_MILLIS);
}

void main();
