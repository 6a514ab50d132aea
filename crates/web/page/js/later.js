// What is loaded after the first paint: `rest.js` with its words and its style, when somebody first wants something of it, and else once the
// page is at rest, for there may be no server to ask by then. Nothing that keeps a game or a record is in it.

import { health, refusedFile } from './api.js';
import { hasServer } from './host.js';
import { addWords, errorText, t } from './i18n.js';
import { keep } from './library.js';
import { fetchStyle, toast } from './sheets.js';

/** How often an address did not come: a browser remembers a failure, so another attempt has another address. */
const failures = new Map();

/** A module by its file. @returns {Promise<any>} @param {string} file */
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

/** Why a module did not come, as the key of its words, or as what was answered in its place. @param {string} file @param {any} error */
async function reasonOf(file, error) {
  if (!(error instanceof TypeError)) return 'place.garbled';
  const refusal = await refusedFile(import.meta.resolve(`../${file}.js`)).catch(() => null);
  return refusal ?? (hasServer ? health() : refusedFile(import.meta.resolve('./main.js'))).then(() => 'place.lost', () => 'place.gone');
}

/** What asks once more for each file that did not come. One notice takes the place of another, and so asks for all of them. @type {Map<string, (() => void)[]>} */
const missed = new Map();
/** How often each file was offered again. */
const offers = new Map();

/**
 * Says that a module, or what it needs, did not come, and why, and offers to ask once more. Where somebody answers and it does not come all
 * the same, the browser remembers the failure of a file that it imports: only another document asks for that, and goes on with the game.
 * @param {string} file @param {() => void} again @param {any} error
 */
export async function offerAgain(file, again, error) {
  // Several may wait for one file: it is offered to them together.
  if (!missed.has(file)) offers.set(file, (offers.get(file) ?? 0) + 1);
  missed.set(file, [...(missed.get(file) ?? []), again]);
  const reason = await reasonOf(file, error);
  // After the server was upgraded, the addresses of this version answer 404.
  const isStuck = reason === 'place.lost' || /** @type {any} */ (reason).status === 404;
  if (isStuck && offers.get(file) > 1) toast(() => t('place.stuck'), { label: () => t('place.reload'), run: () => keep().finally(() => location.reload()) });
  else toast(() => t('place.away', { why: typeof reason === 'string' ? t(reason) : errorText(reason) }), { label: () => t('again'), run: askAgain });
}

function askAgain() {
  const all = [...missed.values()].flat();
  missed.clear();
  for (const again of all) again();
}

/** @type {Promise<void> | null} */
let words = null;

/** Loads the words that the first paint does not need. */
export function laterWords() {
  words ??= addWords((language) => imported(`i18n/later/${language}`)).catch((error) => {
    words = null;
    throw error;
  });
  return words;
}

/** The rest of the page, as far as somebody answers. @returns {Promise<typeof import('./rest.js')>} */
export async function fetchRest() {
  const others = Promise.all([laterWords(), fetchStyle()]);
  others.catch(() => {});
  const parts = await imported('js/rest');
  await others;
  return parts;
}

/**
 * The rest of the page. Where it does not come, the player is told and can have it asked for once more, unless nobody has asked for it; whoever
 * waits for it waits on, and who cannot is told (`onAway`).
 * @returns {Promise<typeof import('./rest.js')>}
 */
export const rest = ({ isAsked = true, onAway = () => {} } = {}) => new Promise((resolve) => {
  const attempt = () => fetchRest().then(resolve, (error) => {
    onAway();
    if (isAsked) void offerAgain('js/rest', attempt, error);
  });
  void attempt();
});

/** What one tab tells the others. */
export const tellTabs = 'BroadcastChannel' in globalThis ? new BroadcastChannel('pintu') : null;

/** Opens the sheet of games, or with `naming` the one in which the game on the table is saved. */
export const openSaves = async ({ naming = false } = {}) => (naming ? (await rest()).openSaving() : (await rest()).openSaves());
