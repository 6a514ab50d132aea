// The places of the site. Each is a module of its own with its markup, style and words, loaded when it is first
// entered; the address says which one is shown. Nothing here knows what a place does.

import { $, el } from './dom.js';
import { pathOf } from './host.js';
import { addWords, fill, onLanguage, t } from './i18n.js';
import { imported, offerAgain } from './later.js';
import { fetchStyle, styled } from './sheets.js';

/**
 * @typedef {object} Place
 * @property {string} title The key of its title.
 * @property {string[]} [styles] The addresses of its style sheets; a place whose style is in the page has none.
 * @property {(language: string) => Promise<{ default: object }>} [words] Loads its dictionary in a language.
 * @property {(root: HTMLElement) => void | Promise<void>} mount Builds it, once.
 * @property {() => void} [enter] It is shown.
 * @property {() => void} [leave] It is hidden.
 * @property {() => HTMLElement | null} [focus] What gets the focus after coming here.
 * @property {Record<string, () => void>} [actions] What the keys do here.
 */

/** Every place: its name and its module's file. */
const PLACES = [
  { name: 'play', file: 'js/play' },
  { name: 'lab', file: 'places/lab/place' },
  { name: 'paths', file: 'places/paths/place' },
  { name: 'guide', file: 'places/guide/place' },
  { name: 'records', file: 'places/records/place' },
];

/** Mounted places by name. @type {Map<string, Promise<Place>>} */
const mounted = new Map();
/** @type {Place | null} */
let current = null;
let turn = 0;

export const placeActions = () => current?.actions ?? {};

/** A path without the suffix that hosts add. @param {string} path */
const bare = (path) => path.replace(/\/(index\.html)?$/, '');
const byPath = () => PLACES.find(({ name }) => bare(pathOf(name)) === bare(location.pathname)) ?? PLACES[0];

/** The element a place lives in; Play's is part of the page, so that it can be painted at once. @param {string} name */
const rootOf = (name) => $(name) ?? document.querySelector('main:last-of-type')?.insertAdjacentElement('afterend', el('main', { id: name, className: name, hidden: true }));

async function mount(/** @type {{ name: string, file: string }} */ { name, file }) {
  const place = /** @type {Place} */ (await imported(file));
  await Promise.all([...(place.styles ?? []).map(styled), place.styles && fetchStyle(), place.words && addWords(place.words)]);
  const root = rootOf(name);
  await place.mount(root);
  fill(root);
  return place;
}

/** Shows a place; it is loaded first if it must be. Resolves to whether it is shown now. @param {any} [name] */
export async function go(name, { push = true } = {}) {
  const target = PLACES.find((place) => place.name === name) ?? PLACES[0];
  const mine = turn += 1;
  if (!mounted.has(name)) mounted.set(name, mount(target));
  let place;
  try {
    place = await mounted.get(name);
  } catch (error) {
    mounted.delete(name);
    if (!(error instanceof TypeError || error instanceof SyntaxError)) throw error;
    void offerAgain(target.file, () => { if (mine === turn) void go(name); }, error);
    return false;
  }
  if (mine !== turn) return false;
  if (push && byPath() !== target) history.pushState(null, '', pathOf(target.name));
  if (place !== current) show(place, name);
  return true;
}

function show(/** @type {any} */ place, /** @type {string} */ name) {
  const first = current === null;
  current?.leave?.();
  current = place;
  document.documentElement.dataset.place = name;
  for (const other of PLACES) if ($(other.name)) $(other.name).hidden = other.name !== name;
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.places a'))) {
    if (link.dataset.place === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  document.title = t(place.title);
  place.enter?.();
  if (!first) scrollTo(0, 0);
  if (!first) (place.focus?.() ?? rootOf(name).querySelector('h1'))?.focus({ preventScroll: true });
}

/** Focuses the main part of the place: the drawing, the open tab, or the title. */
function skip() {
  const first = (/** @type {string} */ what) => /** @type {HTMLElement | null} */ (document.querySelector(`main:not([hidden]) ${what}`));
  (first('[role=application]') ?? first('[role=tab][aria-selected=true]') ?? first('h1'))?.focus();
}

/** Shows the place of the address, and follows links and the browser's own buttons. */
export function initPlaces() {
  document.addEventListener('click', (event) => {
    const link = /** @type {Element} */ (event.target).closest('a[data-place]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void go(/** @type {HTMLElement} */ (link).dataset.place);
  });
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('a[data-place]'))) link.href = pathOf(/** @type {string} */ (link.dataset.place));
  $('skip').onclick = skip;
  addEventListener('popstate', () => void go(byPath().name, { push: false }));
  onLanguage(() => { if (current) document.title = t(current.title); });
  return go(byPath().name, { push: false });
}
