// How the game is played: a card in a few pictures for the first visit, and the same with its keys under `?`.

import { $, button, el } from '../js/dom.js';
import { addWords, t } from '../js/i18n.js';
import { styled } from '../js/places.js';
import { setPref } from '../js/prefs.js';
import { sheet } from '../js/sheets.js';
import { drawing } from './drawings.js';

await Promise.all([addWords((name) => import(`./${name}.js`)), styled('/howto/howto.css')]);

const PICTURES = ['shuffle', 'slide', 'line'];

/** The keys of the game. */
const KEYS = [
  { keys: ['↑ ↓ ← →', 'W A S D'], text: 'keys.moveTile' },
  { keys: ['Ctrl Z', 'U'], text: 'keys.undo' },
  { keys: ['Ctrl Y', 'Shift U'], text: 'keys.redo' },
  { keys: ['N'], text: 'keys.shuffle' },
  { keys: ['R'], text: 'keys.restart' },
  { keys: ['H'], text: 'keys.hint' },
  { keys: ['Space'], text: 'keys.playPause' },
  { keys: [',', '.'], text: 'keys.step' },
  { keys: ['P'], text: 'keys.peekHold' },
  { keys: ['1', '2', '3'], text: 'keys.size' },
  { keys: ['Ctrl S'], text: 'keys.save' },
];
/** Those that do the same everywhere. */
const COMMON = [{ keys: ['?'], text: 'keys.help' }, { keys: ['Esc'], text: 'keys.escape' }];

const pictures = () => el('div', { className: 'howto-pictures' }, PICTURES.map((name) => el('figure', {}, drawing(name), el('figcaption', {}, t(`howto.${name}`)))));

const keyList = (list) => [el('h3', {}, t('keys.title')), el('dl', { className: 'key-list' }, [...list, ...COMMON].flatMap(({ keys, text, values = {} }) => [el('dt', {}, keys.map((key) => el('kbd', {}, key))), el('dd', {}, t(text, values))]))];

/** The help of another place: what it is about, and its keys. */
export const openKeys = (title, texts, keys) => sheet(title, [...texts.map((text) => el('p', {}, text)), ...keyList(keys)]);

/** The help: how it is played, what counts as help, the keys; what a finger does comes first where one is used. */
export function openHelp() {
  const touches = matchMedia('(pointer: coarse)').matches;
  const touch = el('p', { className: 'muted', id: 'help-touch' }, t('keys.touch'));
  sheet(t('howto.title'), [
    pictures(),
    el('h3', {}, t('howto.helpHead')),
    el('p', {}, t('howto.help')),
    el('p', { className: 'muted' }, t('howto.free')),
    ...(touches ? [touch] : []),
    ...keyList(KEYS),
    ...(touches ? [] : [touch]),
    el('p', { className: 'muted' }, t('keys.letters')),
  ]);
}

/** The card of the first visit, on the board. Any key and any tap take it away, for good, and do what they do anyway. */
export function showCard() {
  const frame = $('frame');
  if (document.body.dataset.phase !== 'whole' || document.querySelector('dialog[open]') || document.documentElement.dataset.place !== 'play') return;
  const card = el('aside', { className: 'howto-card', id: 'howto-card', 'aria-label': t('howto.title') }, pictures(), button(t('howto.begin'), dismiss, { kind: 'filled', id: 'howto-begin' }));
  function dismiss(event) {
    // Modifier keys and Tab are on their way to something else.
    if (event instanceof KeyboardEvent && ['Tab', 'Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return;
    setPref('met', true);
    for (const name of ['keydown', 'pointerdown']) document.removeEventListener(name, later, true);
    card.remove();
  }
  // A tap on the card is nothing but that; elsewhere it goes on to what lies there.
  const later = (event) => { if (event.type === 'keydown' || !card.contains(event.target)) dismiss(event); };
  card.addEventListener('click', dismiss);
  for (const name of ['keydown', 'pointerdown']) document.addEventListener(name, later, true);
  frame.append(card);
}
