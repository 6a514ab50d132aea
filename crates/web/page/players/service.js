// The player's part of the server's interface.

import { ask, json } from '../js/api.js';
import { setPref } from '../js/prefs.js';

/**
 * @typedef {{ id: string, name: string, is_current: boolean, created_millis: number, used_millis: number }} Device
 * @typedef {{ id: string | null, nickname: string | null, has_phrase: boolean, is_banned: boolean, devices: Device[] }} Player
 * @typedef {{ place: number, nickname: string | null, days: number, millis: number, moves: number, is_own: boolean }} Rank
 * @typedef {{ date: string, started_millis: number, millis?: number, moves?: number }} Run
 * @typedef {{ players: number, time: Rank[], moves: Rank[], own: Run[] }} Rankings
 */

/** Notes who the player is, whether it has other devices, and whether it is banned. @param {Player} player */
function noted(player) {
  setPref('player', { id: player.id, shared: player.devices.length > 1, banned: player.is_banned });
  return player;
}

/** @returns {Promise<Player>} */
export const player = async () => noted(await ask('/api/player'));
export const rename = async (/** @type {string | null} */ nickname) => noted(await ask('/api/player', json('PUT', { nickname })));
/** @returns {Promise<{ code: string, seconds: number, link?: string, qr?: string }>} */
export const makeCode = () => ask('/api/player/code', json('POST', {}));
/** @returns {Promise<{ en: string, zh: string }>} */
export const makePhrase = () => ask('/api/player/phrase', json('POST', {}));
export const join = async (/** @type {{ code: string } | { phrase: string }} */ key) => noted(await ask('/api/player/join', json('POST', key)));
export const renameDevice = async (/** @type {string} */ id, /** @type {string} */ name) => noted(await ask(`/api/devices/${id}`, json('PUT', { name })));
export const sendAway = (/** @type {string} */ id) => ask(`/api/devices/${id}`, { method: 'DELETE' });
export const begin = (/** @type {string} */ date) => ask(`/api/daily/${date}/start`, json('POST', {}));
/** @returns {Promise<Rankings>} */
export const rankings = (/** @type {string} */ date, days = 1) => ask(`/api/daily/${date}${days > 1 ? `?days=${days}` : ''}`);
