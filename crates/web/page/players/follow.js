// Follows what other devices of the player do: their games come when this page is looked at again.

import { hasServer } from '../js/host.js';
import { t } from '../js/i18n.js';
import { gameOf, isShared } from '../js/library.js';
import { pref } from '../js/prefs.js';
import * as records from '../js/records.js';
import * as session from '../js/session.js';
import { toast } from '../js/sheets.js';
import * as store from '../js/store.js';
import { adoptRecords, adoptSaves, flush, unlink } from '../js/sync.js';
import * as service from './service.js';

const PAUSE_MILLIS = 15_000;
let last = 0;

/** Brings the games and records of all devices here; resolves to how many games came. What the server turns out to have lost is sent again. */
export async function bring() {
  await flush();
  const came = await adoptSaves();
  if (await adoptRecords()) await records.changed();
  await goOn();
  await flush();
  return came;
}

/** Goes on with what another device has played, if it is the game on the table and nothing was played here since. */
async function goOn() {
  const game = session.own();
  const entry = game.id && (await store.get('saves', game.id));
  const latest = entry && !entry.dirty && (entry.version ?? 0) > game.version && gameOf(entry);
  if (latest && session.own() === game && session.phase() !== 'elsewhere') session.open(latest, { asPaused: true });
}

/**
 * The player. Says so where this device is not that player's any more which it was: another one has sent it away, or everything was
 * deleted. What it has is its own then.
 */
export async function check() {
  const before = pref('player', { anew: true });
  const player = await service.player();
  // With other devices: one of them has joined another player, and the games are that player's now.
  if (!before.id || player.id === before.id || (player.id && player.devices.length > 1)) return player;
  await unlink();
  toast(() => t('players.away'));
  void flush();
  return player;
}

async function look() {
  if (document.hidden || Date.now() - last < PAUSE_MILLIS) return;
  last = Date.now();
  try {
    if (pref('player', { anew: true }).id) await check();
    if (isShared()) await bring();
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
