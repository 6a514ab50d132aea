// The ways to the settings, to the help and to the other language.

import { $ } from './dom.js';
import { fill, language, setLanguage } from './i18n.js';
import { part } from './later.js';
import { setPref } from './prefs.js';

/** The sheet of settings. */
const openSettings = async () => (await part('settings')).openSettings();

/** How the game is played, and its keys. */
export const openHelp = async () => (await part('howto')).openHelp();

/** @param {() => void} help Opens the help of the place where one is. */
export function initSettings(help) {
  $('open-settings').addEventListener('click', openSettings);
  $('open-help').addEventListener('click', help);
  $('language').addEventListener('click', async () => {
    const next = language() === 'zh' ? 'en' : 'zh';
    await setLanguage(next);
    if (language() === next) setPref('language', next);
  });
  fill();
}
