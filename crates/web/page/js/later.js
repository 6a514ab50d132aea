// Loads `rest.js` with its words and its style after the first paint: on the first use of anything in it, else once the page is
// at rest, because the server may be gone later. No code that saves games or records is in it.

import { health, refusedFile } from './api.js';
import { hasServer } from './host.js';
import { addWords, errorText, t } from './i18n.js';
import { keep } from './library.js';
import { fetchStyle, toast } from './sheets.js';

/** Failed loads by address: browsers remember a failed module, so each retry has another address. */
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

/** Why a module failed to load: the key of a message, or the error that was answered in its place. @param {string} file @param {any} error */
async function reasonOf(file, error) {
  if (!(error instanceof TypeError)) return 'place.garbled';
  const refusal = await refusedFile(import.meta.resolve(`../${file}.js`)).catch(() => null);
  return refusal ?? (hasServer ? health() : refusedFile(import.meta.resolve('./main.js'))).then(() => 'place.lost', () => 'place.gone');
}

/** The retries of each file that failed. A notice replaces the one before, so its button retries all of them. @type {Map<string, (() => void)[]>} */
const missed = new Map();
const offers = new Map();

/**
 * Says that a module, or what it needs, did not come, and why, and offers to ask once more. Where somebody answers and it does not come all
 * the same, the browser remembers the failure of a file that it imports: only another document asks for that, and goes on with the game.
 * @param {string} file @param {() => void} again @param {any} error
 */
export async function offerAgain(file, again, error) {
  // Several callers may wait for one file: they share one notice.
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

export function laterWords() {
  words ??= addWords((language) => imported(`i18n/later/${language}`)).catch((error) => {
    words = null;
    throw error;
  });
  return words;
}

/** Loads the rest of the page; rejects if that fails. @returns {Promise<typeof import('./rest.js')>} */
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

/** Opens the sheet of games, or with `naming` the one in which the game on the table is saved. */
export const openSaves = async ({ naming = false } = {}) => (naming ? (await rest()).openSaving() : (await rest()).openSaves());
