// The sheet of settings.

import { openPlayer } from '../players/sheet.js';
import { button, el } from './dom.js';
import { hasServer } from './host.js';
import { t } from './i18n.js';
import { installing } from './install.js';
import { openSaves } from './later.js';
import { pref, setPref } from './prefs.js';
import { sheet } from './sheets.js';

const THEMES = ['auto', 'light', 'dark', 'contrast'];
const SECONDS = [5, 20, 60];

/** @param {string} name @param {string} legend @param {[any, string][]} values @param {any} chosen @param {(value: any) => void} onChoose */
function radios(name, legend, values, chosen, onChoose) {
  return el('fieldset', { className: 'options' }, el('legend', {}, legend), values.map(([value, label]) => el('label', { className: 'option' },
    el('input', { type: 'radio', name, value, checked: String(value) === String(chosen), onchange: () => onChoose(value) }), label)));
}

const check = (/** @type {string} */ name, /** @type {string} */ label) => el('label', { className: 'option' }, el('input', { type: 'checkbox', id: `set-${name}`, checked: pref(name), onchange: (/** @type {{ target: HTMLInputElement }} */ event) => setPref(name, event.target.checked) }), label);

function setTheme(/** @type {string} */ theme) {
  setPref('theme', theme);
  dispatchEvent(new Event('pintu:theme'));
}

export function openSettings() {
  const install = installing();
  const dialog = sheet(t('settings.title'), [
    radios('theme', t('settings.theme'), THEMES.map((name) => [name, t(`theme.${name}`)]), pref('theme'), setTheme),
    radios('shuffle', t('settings.shuffle'), [['uniform', t('settings.uniform')], ['walk', t('settings.walk')]], pref('shuffle'), (value) => setPref('shuffle', value)),
    radios('seconds', t('settings.seconds'), SECONDS.map((n) => [n, t('seconds', { n })]), pref('seconds'), (value) => setPref('seconds', value)),
    el('h3', {}, t('settings.keys')),
    check('invert', t('settings.invert')),
    check('letters', t('settings.letters')),
    el('h3', {}, t('settings.feel')),
    check('sound', t('settings.sound')),
    'vibrate' in navigator && check('vibration', t('settings.vibration')),
    hasServer && el('h3', {}, t('players.title')),
    hasServer && el('div', { className: 'actions' }, button(t('players.open'), () => { dialog.close(); void openPlayer(); }, { id: 'settings-player' })),
    el('div', { className: 'actions' }, install && button(t('settings.install'), install, { symbol: 'save', id: 'settings-install' }), button(t('settings.games'), () => { dialog.close(); void openSaves(); }, { symbol: 'load', id: 'settings-games' })),
  ]);
}
