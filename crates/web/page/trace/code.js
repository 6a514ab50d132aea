// The algorithm's text with the line that runs, and those that run before the next step.

import { el } from '../js/dom.js';
import { language, onLanguage } from '../js/i18n.js';
import { lineAt, lineOf, pseudocode } from './pseudocode.js';
import { EXPANDED } from './recording.js';
import { productionsOf } from './sentence.js';

/** Builds it in `root`, under its heading. @param {HTMLElement} root @param {string} id */
export function createCode(root, id) {
  const list = el('ol', { className: 'code', id });
  const head = el('h2', { 'data-t': 'trace.code' });
  root.append(head, list);
  /** Whose text it is, and in what kind of space. */
  let [algorithm, kind] = ['', 'tiles'];
  let lit = -1;
  /** The lines through which an expansion goes after its own, by their numbers. @type {Set<number>} */
  let along = new Set();

  function draw() {
    const lines = pseudocode(algorithm, kind);
    head.hidden = !lines.length;
    list.lang = language() === 'zh' ? 'zh-Hans' : 'en';
    list.replaceChildren(...lines.map((line) => {
      const text = /** @type {any} */ (line)[language()];
      const node = el('li', {}, text);
      // What does not fit into a line goes on under it, further in than it begins.
      node.style.setProperty('--hang', `${text.search(/\S/) + 2}ch`);
      return node;
    }));
    light();
  }

  function light() {
    [...list.children].forEach((node, i) => {
      node.classList.toggle('lit', i === lit);
      node.classList.toggle('along', along.has(i) && i !== lit);
      if (i === lit) node.setAttribute('aria-current', 'step');
      else node.removeAttribute('aria-current');
    });
    // Where the list is low, the line that runs is brought into sight, and the page does not move.
    const line = /** @type {HTMLElement | undefined} */ (list.children[lit]);
    const scrolls = list.scrollHeight > list.clientHeight;
    list.tabIndex = scrolls ? 0 : -1;
    if (line && scrolls) list.scrollTop = line.offsetTop - list.offsetTop - (list.clientHeight - line.offsetHeight) / 2;
  }

  onLanguage(draw);
  return {
    /** Shows the text of an algorithm; no line runs. @param {string} name @param {string} [space] */
    load(name, space = 'tiles') {
      const isOther = name !== algorithm || space !== kind;
      [algorithm, kind, lit, along] = [name, space, -1, new Set()];
      if (isOther) draw();
      else light();
    },
    /** Lights the line that runs at a position, and returns it; where a step is an expansion, those of what it generates are marked, too. @param {import('./recording.js').Recording} rec @param {number} k */
    follow(rec, k) {
      lit = lineOf(rec, k);
      along = new Set(k !== rec.goalEvent && rec.what[k - 1] === EXPANDED ? productionsOf(rec, k - 1).map((at) => lineAt(algorithm, rec.what[at], kind)) : []);
      light();
      return list.children[lit]?.textContent?.trim() ?? '';
    },
  };
}
