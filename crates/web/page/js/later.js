// Parts that nobody sees at first. Each is loaded when it is wanted, and all of them once the page is at rest, for
// there may be no server to ask by then. Nothing that keeps a game or a record is among them.

import { t } from './i18n.js';
import { toast } from './sheets.js';

const PARTS = ['saves', 'picker', 'files', 'sharing', 'lookalike', 'shapes', 'wraps', 'dock', 'keepsheet', 'offer'];

/** How often a part did not come: a browser remembers a failure, so another attempt has another address. */
const failures = new Map();

async function load(name) {
  const again = failures.get(name) ?? 0;
  try {
    return await import(`./${name}.js${again ? `?${again}` : ''}`);
  } catch (error) {
    failures.set(name, again + 1);
    throw error;
  }
}

/** A part; where it does not come, the player is told, and whoever waits for it waits on. @returns {Promise<any>} */
export function part(name) {
  return load(name).catch(() => {
    toast(t('place.away'));
    return new Promise(() => {});
  });
}

/** Loads all of them, as far as somebody answers. */
export const fetchParts = () => Promise.allSettled(PARTS.map(load));

/** What one tab tells the others. */
export const tellTabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('pintu') : null;

/** Opens the sheet of games. */
export const openSaves = async (options) => (await part('saves')).openSaves(options);
