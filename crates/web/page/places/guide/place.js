// The guide: which algorithm when, with numbers and pictures. Its text is one of the docs; the server makes it HTML.

import { button, el } from '../../js/dom.js';
import { addressOf } from '../../js/host.js';
import { language, onLanguage, setLanguage, t } from '../../js/i18n.js';

export const title = 'guide.title.page';
export const styles = ['places/guide/guide.css'];
export const words = (/** @type {string} */ name) => import(`./${name}.js`);

/** The other language's text, as the docs link to it. @type {Record<string, string>} */
const LANGUAGES = { 'guide.md': 'en', 'guide.zh.md': 'zh' };

/** @type {any} */
let root = null;
let shown = '';

export async function mount(/** @type {HTMLElement} */ place) {
  root = el('article', { id: 'guide-text' });
  place.append(root);
  await load();
  onLanguage(() => { if (shown !== language()) void load(); });
}

async function load() {
  const wanted = language();
  shown = wanted;
  const text = await fetch(addressOf(`guide/${wanted}.html`)).then((response) => (response.ok ? response.text() : null), () => null);
  if (shown !== wanted) return;
  if (text === null) {
    shown = '';
    root.replaceChildren(el('h1', { tabIndex: -1 }, t('guide.title')), el('p', {}, t('guide.away')), button(t('again'), load, { id: 'guide-again' }));
    return;
  }
  const page = new DOMParser().parseFromString(text, 'text/html').body;
  root.replaceChildren(...page.childNodes);
  dress();
}

/** What the docs cannot say: where the focus goes, that wide tables scroll, and that some links are places of this page. */
function dress() {
  root.querySelector('h1')?.setAttribute('tabindex', '-1');
  for (const table of root.querySelectorAll('table')) {
    const box = el('div', { className: 'table-scroll', tabIndex: 0, role: 'region', 'aria-label': nameOf(table) });
    table.replaceWith(box);
    box.append(table);
  }
  for (const picture of root.querySelectorAll('img')) {
    picture.loading = 'lazy';
    picture.src = addressOf(picture.getAttribute('src') ?? '');
  }
  // Boards that can be played; without the server the text is there all the same.
  if (root.querySelector('pintu-board')) import('../../element/pintu-board.js').catch(() => {});
  for (const link of root.querySelectorAll('a')) {
    const other = LANGUAGES[link.getAttribute('href') ?? ''];
    if (other) link.addEventListener('click', (/** @type {Event} */ event) => { event.preventDefault(); void setLanguage(other); });
  }
}

/** What a table is called: the heading above it, and its columns. @param {HTMLTableElement} table */
function nameOf(table) {
  let at = table.previousElementSibling;
  while (at && !/^H[1-6]$/.test(at.tagName)) at = at.previousElementSibling;
  return [at?.textContent ?? t('guide.title'), ...[...table.querySelectorAll('th')].map((head) => head.textContent)].join(', ');
}

export const focus = () => root.querySelector('h1');

export const actions = {};
