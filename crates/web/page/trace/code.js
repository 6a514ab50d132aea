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
  /** The algorithm of the text, and the kind of space. */
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
      const node = el('li', { className: line.isWords ? 'words' : '' }, text);
      // A wrapped line is indented further than its beginning.
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
    bringIntoSight();
  }

  /** Scrolls the current line into sight within the list or (in a presentation) its panel; the page itself does not scroll. */
  function bringIntoSight() {
    const line = /** @type {HTMLElement | undefined} */ (list.children[lit]);
    const low = [list, root].find((box) => box.scrollHeight > box.clientHeight);
    list.tabIndex = low === list ? 0 : -1;
    if (line && low) low.scrollTop += line.getBoundingClientRect().top - low.getBoundingClientRect().top - (low.clientHeight - line.offsetHeight) / 2;
  }

  onLanguage(draw);
  new ResizeObserver(bringIntoSight).observe(root);
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
