// Settings, and the ways to them and to the help.

import { $, el } from './dom.js';
import { fill, language, setLanguage, t } from './i18n.js';
import { part } from './later.js';
import { pref, setPref } from './prefs.js';
import { sheet } from './sheets.js';

const THEMES = ['auto', 'light', 'dark', 'contrast'];
const SECONDS = [5, 20, 60];

function radios(name, legend, values, chosen, onChoose) {
  return el('fieldset', { className: 'options' }, el('legend', {}, legend), values.map(([value, label]) => el('label', { className: 'option' },
    el('input', { type: 'radio', name, value, checked: String(value) === String(chosen), onchange: () => onChoose(value) }), label)));
}

const check = (name, label) => el('label', { className: 'option' }, el('input', { type: 'checkbox', id: `set-${name}`, checked: pref(name), onchange: (event) => setPref(name, event.target.checked) }), label);

function setTheme(theme) {
  setPref('theme', theme);
  dispatchEvent(new Event('pintu:theme'));
}

export function openSettings() {
  sheet(t('settings.title'), [
    radios('theme', t('settings.theme'), THEMES.map((name) => [name, t(`theme.${name}`)]), pref('theme'), setTheme),
    radios('shuffle', t('settings.shuffle'), [['uniform', t('settings.uniform')], ['walk', t('settings.walk')]], pref('shuffle'), (value) => setPref('shuffle', value)),
    radios('seconds', t('settings.seconds'), SECONDS.map((n) => [n, t('seconds', { n })]), pref('seconds'), (value) => setPref('seconds', value)),
    el('h3', {}, t('settings.keys')),
    check('invert', t('settings.invert')),
    check('letters', t('settings.letters')),
    el('h3', {}, t('settings.feel')),
    check('sound', t('settings.sound')),
    'vibrate' in navigator && check('vibration', t('settings.vibration')),
  ]);
}

/** How the game is played, and its keys. */
export const openHelp = async () => (await part('howto')).openHelp();

export function initSettings() {
  $('open-settings').addEventListener('click', openSettings);
  $('open-help').addEventListener('click', openHelp);
  $('language').addEventListener('click', async () => {
    const next = language() === 'zh' ? 'en' : 'zh';
    await setLanguage(next);
    setPref('language', next);
  });
  fill();
}
