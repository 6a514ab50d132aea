// Parts that nobody sees at first. Each is loaded when it is wanted, and all of them once the page is at rest, for
// there may be no server to ask by then. Nothing that keeps a game or a record is among them.

import { health, refusedFile } from './api.js';
import { addWords, errorText, t } from './i18n.js';
import { keep } from './library.js';
import { toast } from './sheets.js';

/** Each by its name, and the file from which it comes. */
const PARTS = { album: 'js/album', saves: 'js/saves', saving: 'js/saving', picker: 'js/picker', files: 'js/files', sharing: 'js/sharing', lookalike: 'js/lookalike', analysis: 'js/analysis', postcard: 'js/postcard', howto: 'howto/howto', daily: 'daily/daily', day: 'daily/day', dayTag: 'daily/tag', classic: 'classic/classic', lessons: 'lessons/lessons', feel: 'feel/feel', settings: 'js/settingsheet', shapes: 'js/shapes', gap: 'js/gap', wraps: 'js/wraps', dock: 'js/dock', keepsheet: 'js/keepsheet', offer: 'js/offer', wipe: 'js/wipe', hints: 'js/hints', solver: 'js/solver', film: 'js/film', prospects: 'js/prospects', stepwise: 'js/stepwise', wincard: 'js/wincard', feast: 'js/feast', skip: 'js/skip' };
/** Those that may come with the first paint, and say nothing. */
const WORDLESS = ['album', 'lookalike', 'wraps', 'dock', 'film', 'prospects', 'stepwise', 'skip', 'feast'];

/** How often an address did not come: a browser remembers a failure, so another attempt has another address. */
const failures = new Map();

/** A module by its file. @returns {Promise<any>} */
export async function imported(file) {
  const address = import.meta.resolve(`../${file}.js`);
  const failed = failures.get(address) ?? 0;
  try {
    const module = await import(`../${file}.js${failed ? `?${failed}` : ''}`);
    missed.delete(file);
    return module;
  } catch (error) {
    failures.set(address, failed + 1);
    throw error;
  }
}

/** How often it was said of a module that it did not come. */
const told = new Map();

/** What is seen of a module that did not come, as the key of its words, or as what was answered in its place. */
async function seenOf(file, error) {
  if (!(error instanceof TypeError)) return 'place.garbled';
  const refusal = await refusedFile(import.meta.resolve(`../${file}.js`)).catch(() => null);
  return refusal ?? health().then(() => 'place.lost', () => 'place.gone');
}

/** What asks once more for each file that did not come. One notice takes the place of another, and so asks for all of them. @type {Map<string, (() => void)[]>} */
const missed = new Map();
function askAgain() {
  const all = [...missed.values()].flat();
  missed.clear();
  for (const again of all) again();
}

/**
 * Says that a module, or what it needs, did not come, and why, and offers to ask once more. Where somebody answers and it does not come all
 * the same, the browser remembers the failure of a file that it imports: only another document asks for that, and goes on with the game.
 */
export async function offerAgain(file, again, error) {
  told.set(file, (told.get(file) ?? 0) + 1);
  missed.set(file, [...(missed.get(file) ?? []), again]);
  const seen = await seenOf(file, error);
  // After the server was upgraded, the addresses of this version answer 404.
  const isStuck = seen === 'place.lost' || /** @type {any} */ (seen).status === 404;
  if (isStuck && told.get(file) > 1) toast(() => t('place.stuck'), { label: () => t('place.reload'), run: () => keep().finally(() => location.reload()) });
  else toast(() => t('place.away', { why: typeof seen === 'string' ? t(seen) : errorText(seen) }), { label: () => t('again'), run: askAgain });
}

/** @type {Promise<void> | null} */
let loading = null;

/** Loads the words that only such parts use; one that comes soon after the first paint needs none of them. */
export function laterWords() {
  loading ??= addWords((language) => imported(`i18n/later/${language}`));
  return loading.catch((error) => {
    loading = null;
    throw error;
  });
}

const load = async (name) => (await Promise.all([imported(PARTS[name]), WORDLESS.includes(name) || laterWords()]))[0];

/**
 * A part. Where it does not come, the player is told and can have it asked for once more, unless nobody has asked for it; whoever waits
 * for it waits on, and who cannot is told (`onAway`).
 * @returns {Promise<any>}
 */
export const part = (name, { isAsked = true, onAway = () => {} } = {}) => new Promise((resolve) => {
  const attempt = () => load(name).then(resolve, (error) => {
    onAway();
    if (isAsked) void offerAgain(PARTS[name], attempt, error);
  });
  void attempt();
});

/** Loads all of them, as far as somebody answers. */
export const fetchParts = () => Promise.allSettled(Object.keys(PARTS).map(load));

/** What one tab tells the others. */
export const tellTabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('pintu') : null;

/** Opens the sheet of games, or with `naming` the one in which the game on the table is saved. */
export const openSaves = async ({ naming = false } = {}) => (naming ? (await part('saving')).openSaving() : (await part('saves')).openSaves());
