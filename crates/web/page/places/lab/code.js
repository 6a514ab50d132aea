// The algorithm's text with the line that runs.

import { el } from '../../js/dom.js';
import { language, onLanguage } from '../../js/i18n.js';
import { GOAL, lineAt, pseudocode } from '../../trace/pseudocode.js';

/** @param {HTMLElement} root */
export function createCode(root) {
  const list = el('ol', { className: 'code', id: 'lab-code' });
  root.append(el('h2', { 'data-t': 'lab.code' }), list);
  let algorithm = '';
  let lit = -1;

  function draw() {
    list.replaceChildren(...pseudocode(algorithm).map((line) => el('li', {}, line[language()])));
    light(lit);
  }

  function light(index) {
    lit = index;
    [...list.children].forEach((node, i) => {
      node.classList.toggle('lit', i === index);
      if (i === index) node.setAttribute('aria-current', 'step');
      else node.removeAttribute('aria-current');
    });
  }

  onLanguage(draw);
  return {
    load: (rec) => { algorithm = rec?.answer.algorithm ?? ''; lit = -1; draw(); },
    follow: (rec, k) => light(k > 0 ? lineAt(algorithm, k === rec.goalEvent ? GOAL : rec.what[k - 1]) : 0),
  };
}
