// The quiet celebration of a win: a glow around the board, and a few red petals that fall over the whole picture.

import { $, el } from './dom.js';

const PETALS = 26;

/** Has the board glow for a moment. */
export function glow() {
  $('board').classList.add('won-glow');
  setTimeout(() => $('board').classList.remove('won-glow'), 1500);
}

/** Has the petals fall. */
export function scatter() {
  for (let i = 0; i < PETALS; i += 1) {
    const petal = el('span', { className: 'petal' });
    petal.style.left = `${Math.random() * 100}%`;
    petal.style.top = `${-4 - Math.random() * 14}%`;
    $('frame').append(petal);
    const fall = [{ transform: 'translate(0, 0) rotate(0)', opacity: 0.9 }, { transform: `translate(${Math.random() * 120 - 60}px, ${$('frame').clientHeight * (0.7 + Math.random() * 0.5)}px) rotate(${Math.random() * 720}deg)`, opacity: 0 }];
    petal.animate(fall, { duration: 1500 + Math.random() * 1400, easing: 'cubic-bezier(.3,.2,.6,1)' }).finished.finally(() => petal.remove());
  }
}
