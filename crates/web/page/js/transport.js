// The controls of a player: scrubber, first, back, play, on, last, speed, and where it is. Built once in a root;
// whichever player is given to it is the one that its buttons drive.

import { el, icon, setText } from './dom.js';
import { onLanguage, t, whole } from './i18n.js';
import { SPEEDS } from './playback.js';
import { pref, setPref } from './prefs.js';

/** The speed that stands for as fast as it goes; a number that can be kept. */
export const FASTEST = 1e9;

/**
 * @param {HTMLElement} root
 * @param {{ name?: string, speeds?: number[], kept?: 'speed' | 'pace', words?: string }} [options] The ids of the
 *   controls begin with `name`, the keys of what they are called with `words`; the speed is kept under `kept`.
 */
export function createTransport(root, { name = 'pb', speeds = SPEEDS, kept = 'speed', words = 'playback' } = {}) {
  let player = null;
  const ghost = (id, symbol, run) => el('button', { type: 'button', className: 'ghost', id: `${name}-${id}`, onclick: () => player && run() }, icon(symbol));
  const scrub = el('input', { type: 'range', id: `${name}-scrub`, min: 0, max: 0, value: 0, oninput: () => player?.jump(Number(scrub.value)) });
  const first = ghost('first', 'first', () => player.jump(0));
  const back = ghost('back', 'back', () => player.step(-1));
  const toggle = ghost('play', 'play', () => player.toggle());
  const forward = ghost('forward', 'forward', () => player.step(1));
  const last = ghost('last', 'last', () => player.jump(Infinity));
  const speed = el('select', { className: 'speed', id: `${name}-speed`, onchange: () => {
    setPref(kept, Number(speed.value));
    player?.hasten();
  } });
  const at = el('span', { className: 'pb-at', id: `${name}-at` });
  root.append(scrub, el('div', { className: 'transport' }, first, back, toggle, forward, last, speed, at));

  function show({ at: now, length, playing }) {
    scrub.max = String(length);
    scrub.value = String(now);
    setText(at, `${whole(now)} / ${whole(length)}`);
    toggle.querySelector('use').setAttribute('href', playing ? '#i-pause' : '#i-play');
    toggle.setAttribute('aria-label', t(playing ? 'playback.pause' : 'playback.play'));
    for (const [node, off] of [[back, now === 0], [first, now === 0], [forward, now === length], [last, now === length]]) node.disabled = off;
  }

  onLanguage(() => {
    for (const [node, key] of [[scrub, 'scrub'], [first, 'first'], [back, 'back'], [forward, 'forward'], [last, 'last'], [speed, 'speed']]) {
      node.setAttribute('aria-label', t(`${words}.${key}`));
      if (node.matches('button')) node.title = t(`${words}.${key}`);
    }
    speed.replaceChildren(...speeds.map((value) => new Option(value === FASTEST ? t('playback.fastest') : `${{ 0.25: '¼', 0.5: '½' }[value] ?? whole(value)}×`, String(value), false, value === pref(kept))));
    if (player) player.show();
    else toggle.setAttribute('aria-label', t('playback.play'));
  });

  /** Takes the next speed that is quicker, or slower. @param {1 | -1} by */
  function faster(by) {
    speed.selectedIndex = Math.max(0, Math.min(speeds.length - 1, speed.selectedIndex + by));
    speed.dispatchEvent(new Event('change'));
  }

  return { show, faster, speed: () => (pref(kept) === FASTEST ? Infinity : pref(kept)), drive: (next) => { player = next; } };
}
