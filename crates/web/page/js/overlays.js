// What can be laid over the board: numbers, ways home, and the whole picture while it is held.

import { $ } from './dom.js';
import { pref, setPref } from './prefs.js';

/** Shows the whole picture, or hides it again. */
export function setPeek(on) {
  $('peek-view').classList.toggle('on', on);
  $('peek').classList.toggle('held', on);
}

export function initOverlays() {
  for (const name of ['numbers', 'homeward']) {
    const button = $(`show-${name}`);
    const show = () => {
      $('board').classList.toggle(name, pref(name));
      button.setAttribute('aria-pressed', String(pref(name)));
    };
    button.addEventListener('click', () => { setPref(name, !pref(name)); show(); });
    show();
  }
  const peek = $('peek');
  // The goal picture can be held as well: it grows over the board.
  for (const node of [peek, $('goal')]) {
    node.addEventListener('pointerdown', () => setPeek(true));
    for (const name of ['pointerup', 'pointercancel', 'pointerleave', 'blur']) node.addEventListener(name, () => setPeek(false));
    node.addEventListener('contextmenu', (event) => event.preventDefault());
  }
  peek.addEventListener('keydown', (event) => { if (event.key === ' ' || event.key === 'Enter') setPeek(true); });
  peek.addEventListener('keyup', () => setPeek(false));
}
