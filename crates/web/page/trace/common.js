// Shared by the places that show searches: their words, their help, and texts pasted on them.

import { t } from '../js/i18n.js';
import { rest } from '../js/later.js';
import { PAGE } from './player.js';

/** A place's words together with those of recorded searches. @param {(language: string) => Promise<{ default: object }>} own */
export const withTraceWords = (own) => async (/** @type {string} */ language) => {
  const [shared, mine] = await Promise.all([import(`./${language}.js`), own(language)]);
  return { default: { ...shared.default, ...mine.default } };
};

const PLAYER_KEYS = [
  { keys: ['Space'], text: 'trace.key.play' },
  { keys: ['← →', ', .'], text: 'trace.key.step' },
  { keys: ['Shift ← →'], text: 'trace.key.event' },
  { keys: ['PgUp', 'PgDn'], text: 'trace.key.page', values: { n: PAGE } },
  { keys: ['Home', 'End'], text: 'trace.key.ends' },
  { keys: ['F'], text: 'trace.present' },
];

/** Opens the help of a place: its title and texts, by their keys, and the keys of the player. @param {string} title @param {string[]} texts */
export const openPlaceHelp = async (title, texts) => (await rest()).openKeys(t(title), texts.map((key) => t(key)), PLAYER_KEYS);

/** Calls back with what is pasted on a place itself, rather than into a field, while it is shown and no dialog is open. @param {any} isShown @param {(text: string) => void} use */
export function onPasted(isShown, use) {
  document.addEventListener('paste', (event) => {
    const typing = event.target instanceof Element && event.target.closest('input, textarea, select');
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!isShown() || typing || document.querySelector('dialog[open]') || !text.trim()) return;
    event.preventDefault();
    use(text);
  });
}
