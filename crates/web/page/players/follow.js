// Follows what other devices of the player do: their games come when this page is looked at again.

import { hasServer } from '../js/host.js';
import { t } from '../js/i18n.js';
import { gameOf, isShared } from '../js/library.js';
import { pref, setPref } from '../js/prefs.js';
import * as records from '../js/records.js';
import * as session from '../js/session.js';
import { toast } from '../js/sheets.js';
import * as store from '../js/store.js';
import { adoptRecords, adoptSaves, flush, unlink } from '../js/sync.js';
import * as service from './service.js';

const PAUSE_MILLIS = 15_000;
let last = 0;

/** Brings the games and records of all devices here; resolves to how many games came. */
export async function bring() {
  await flush();
  const came = await adoptSaves();
  if (await adoptRecords()) await records.changed();
  return came;
}

/** Goes on with what another device has played, if it is the game on the table and nothing was played here since. */
async function goOn() {
  const game = session.own();
  const entry = game.id && (await store.get('saves', game.id));
  const latest = entry && !entry.dirty && (entry.version ?? 0) > game.version && gameOf(entry);
  if (latest && session.own() === game && session.phase() !== 'elsewhere') session.open(latest, { asPaused: true });
}

/** Says so where this device is not the player's any more: another one has sent it away, or everything was deleted. */
async function check() {
  const before = pref('player', { anew: true });
  if (!before.id) return;
  const { id, devices } = await service.player();
  if (id === before.id) return;
  // Another device of the player has joined another player: the games are that player's now, and of all its devices.
  if (id && devices.length > 1) {
    setPref('player', { id, shared: true });
    return;
  }
  // This device must not send the player's games again; they stay here until they are played on.
  if (before.shared) await unlink();
  setPref('player', { id, shared: false });
  toast(() => t('players.away'));
}

async function look() {
  if (document.hidden || Date.now() - last < PAUSE_MILLIS) return;
  last = Date.now();
  try {
    await check();
    if (!isShared()) return;
    await bring();
    await goOn();
  } catch {
    // Later again; `health` says why.
  }
}

/** Looks now, and whenever the page is looked at again. */
export function followDevices() {
  if (!hasServer) return;
  document.addEventListener('visibilitychange', () => void look());
  void look();
}
