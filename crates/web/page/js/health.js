// How the two stores fare: the browser's own and the server's. Each is written without the other, and each
// says for itself when something is wrong; whoever shows it listens here.

import { tellAll } from './tell.js';

/**
 * @typedef {object} Trouble
 * @property {string} kind What the reader is told: for the browser 'unavailable', 'full', 'newer', 'blocked' or
 *   'failed'; for the server 'away', 'busy', 'full', 'refused' or 'password'.
 * @property {string} [code] The server's own word for it.
 * @property {string} [text] The server's sentence, for a code that we have no words for.
 */

/** @type {{ browser: Trouble | null, server: Trouble | null }} */
const troubles = { browser: null, server: null };
const watchers = new Set();

/** What is wrong now: null for a store that is well. */
export const health = () => ({ ...troubles });

/** Says how a store fares: its trouble, or null. @param {'browser' | 'server'} part @param {Trouble | null} trouble */
export function report(part, trouble) {
  const old = troubles[part];
  if (old?.kind === trouble?.kind && old?.code === trouble?.code) return;
  troubles[part] = trouble;
  tellAll(watchers, health(), part);
}

/** Calls back now and after each change, with both stores' health and the one that changed. @param {(now: any, part: any) => void} callback */
export function onHealth(callback) {
  watchers.add(callback);
  callback(health(), null);
}
