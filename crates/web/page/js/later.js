// Parts that nobody sees at first. Each is loaded when it is wanted, and all of them once the page is at rest, for
// there may be no server to ask by then. Nothing that keeps a game or a record is among them.

import { addWords, t } from './i18n.js';
import { toast } from './sheets.js';

/** Each by its name, and the file from which it comes. */
const PARTS = { album: 'js/album', saves: 'js/saves', saving: 'js/saving', picker: 'js/picker', files: 'js/files', sharing: 'js/sharing', lookalike: 'js/lookalike', analysis: 'js/analysis', postcard: 'js/postcard', howto: 'howto/howto', daily: 'daily/daily', classic: 'classic/classic', lessons: 'lessons/lessons', feel: 'feel/feel', settings: 'js/settingsheet', shapes: 'js/shapes', wraps: 'js/wraps', dock: 'js/dock', keepsheet: 'js/keepsheet', offer: 'js/offer', wipe: 'js/wipe', hints: 'js/hints', solver: 'js/solver', film: 'js/film', prospects: 'js/prospects', stepwise: 'js/stepwise', wincard: 'js/wincard', skip: 'js/skip' };
/** Those that may come with the first paint, and say nothing. */
const WORDLESS = ['album', 'lookalike', 'wraps', 'dock', 'hints', 'solver', 'film', 'prospects', 'stepwise', 'skip'];

/** How often a part did not come: a browser remembers a failure, so another attempt has another address. */
const failures = new Map();

async function load(name) {
  const again = failures.get(name) ?? 0;
  try {
    const [module] = await Promise.all([import(`../${PARTS[name]}.js${again ? `?${again}` : ''}`), WORDLESS.includes(name) || laterWords()]);
    return module;
  } catch (error) {
    failures.set(name, again + 1);
    throw error;
  }
}

/** @type {Promise<void> | null} */
let loading = null;

/** Loads the words that only such parts use; one that comes soon after the first paint needs none of them. */
export function laterWords() {
  loading ??= addWords((language) => import(`../i18n/later/${language}.js`));
  return loading.catch((error) => {
    loading = null;
    throw error;
  });
}

/** A part; where it does not come, the player is told, unless nobody has asked for it, and whoever waits for it waits on. @returns {Promise<any>} */
export function part(name, { isAsked = true } = {}) {
  return load(name).catch(() => {
    if (isAsked) toast(t('place.away'));
    return new Promise(() => {});
  });
}

/** Loads all of them, as far as somebody answers. */
export const fetchParts = () => Promise.allSettled(Object.keys(PARTS).map(load));

/** What one tab tells the others. */
export const tellTabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('pintu') : null;

/** Opens the sheet of games, or with `naming` the one in which the game on the table is saved. */
export const openSaves = async ({ naming = false } = {}) => (naming ? (await part('saving')).openSaving() : (await part('saves')).openSaves());
