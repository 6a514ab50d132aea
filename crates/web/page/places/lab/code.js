// The algorithm's text with the line that runs.

import { el } from '../../js/dom.js';
import { language, onLanguage } from '../../js/i18n.js';
import { lineAt, lineOf, pseudocode } from '../../trace/pseudocode.js';
import { EXPANDED } from '../../trace/recording.js';
import { productionsOf } from '../../trace/sentence.js';

/** @param {HTMLElement} root */
export function createCode(root) {
  const list = el('ol', { className: 'code', id: 'lab-code' });
  root.append(el('h2', { 'data-t': 'lab.code' }), list);
  let algorithm = '';
  let lit = -1;
  /** The lines through which an expansion goes after its own, by their numbers. @type {Set<number>} */
  let along = new Set();

  function draw() {
    list.replaceChildren(...pseudocode(algorithm).map((line) => el('li', {}, line[language()])));
    light();
  }

  function light() {
    [...list.children].forEach((node, i) => {
      node.classList.toggle('lit', i === lit);
      node.classList.toggle('along', along.has(i) && i !== lit);
      if (i === lit) node.setAttribute('aria-current', 'step');
      else node.removeAttribute('aria-current');
    });
  }

  /** Where a step is an expansion, what it produces comes before the next step: those lines are marked, too. */
  function follow(rec, k) {
    lit = lineOf(rec, k);
    along = new Set(k !== rec.goalEvent && rec.what[k - 1] === EXPANDED ? productionsOf(rec, k - 1).map((at) => lineAt(algorithm, rec.what[at])) : []);
    light();
  }

  onLanguage(draw);
  return {
    load: (rec) => { algorithm = rec?.answer.algorithm ?? ''; lit = -1; along = new Set(); draw(); },
    follow,
  };
}
