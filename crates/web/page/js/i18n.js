// The page's words. Elements marked data-t (text) and data-t-label (accessible name) are filled from the
// chosen language; `t` serves what is built in code. Only the chosen language is loaded, and a place brings its own.

import { hasServer } from './host.js';
import { tellAll } from './tell.js';

const watchers = new Set();
const loaders = [(/** @type {string} */ name) => import(`../i18n/${name}.js`)];

/** The words that differ where there is no server; they come last. */
const instead = hasServer ? [] : [(/** @type {string} */ name) => import(`../i18n/files/${name}.js`)];

let current = document.documentElement.lang.startsWith('zh') ? 'zh' : 'en';
let words = await wordsIn(current);

/** All dictionaries of a language, or some, as one. @param {string} name */
async function wordsIn(name, from = loaders) {
  const all = await Promise.all([...from, ...instead].map((load) => load(name)));
  return Object.assign({}, ...all.map((module) => module.default));
}

/** The dictionary that is being loaded, if any. @type {Promise<object> | null} */
let coming = null;

/** Adds a place's dictionary. If the language changes meanwhile, the dictionary is loaded again in the new one. @param {(language: string) => Promise<{ default: object }>} load */
export async function addWords(load) {
  for (;;) {
    await coming?.catch(() => {});
    const asked = current;
    const added = await wordsIn(asked, [load]);
    if (coming || asked !== current) continue;
    loaders.push(load);
    Object.assign(words, added);
    return;
  }
}

/** Loads the other language before anybody asks for it: there may be no server to ask then. */
export const fetchOther = () => wordsIn(current === 'zh' ? 'en' : 'zh').catch(() => {});

export const language = () => current;

/** A message by its key: {name} is replaced from `values`, {name|move|moves} by the number and its word. Whole numbers are written as everywhere; what is a name, such as a seed, comes as a text. @param {any} key @param {Record<string, any>} [values] @returns {string} */
export function t(key, values = {}) {
  const message = words[key] ?? key;
  const text = message.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (/** @type {string} */ _, /** @type {string} */ name, /** @type {string} */ one, /** @type {string} */ many) => {
    const value = values[name] ?? '';
    const said = Number.isInteger(value) ? whole(value) : value;
    return one === undefined ? said : `${said} ${Number(value) === 1 ? one : many}`;
  });
  // Chinese keeps a blank between itself and A*.
  return text.replace(/[一-鿿](?=(ID)?A\*)|\*(?=[一-鿿])/g, '$& ');
}

/** The message of a server's error, in the reader's language if its code is known. @param {any} error */
export const errorText = (error) => (error.code && knows(`error.${error.code}`) ? t(`error.${error.code}`) : error.message);

export const knows = (/** @type {string} */ key) => key in words;

/** Calls back now and after each change of language. @param {() => void} callback */
export function onLanguage(callback) {
  watchers.add(callback);
  callback();
}

/** @returns {NodeListOf<HTMLElement>} @param {ParentNode} root @param {string} selector */
const marked = (root, selector) => root.querySelectorAll(selector);

/** Fills the marked elements below `root`. @param {ParentNode} root */
export function fill(root = document) {
  for (const node of marked(root, '[data-t]')) node.textContent = t(node.dataset.t);
  for (const node of marked(root, '[data-t-label]')) {
    node.setAttribute('aria-label', t(node.dataset.tLabel));
    if (node.matches('button')) node.title = t(node.dataset.tLabel);
  }
}

/** Shows the page in another language; the one that was asked for last wins. @param {string} name */
export async function setLanguage(name) {
  const gathering = wordsIn(name);
  coming = gathering;
  try {
    const gathered = await gathering;
    if (coming !== gathering) return;
    words = gathered;
    current = name;
  } finally {
    if (coming === gathering) coming = null;
  }
  document.documentElement.lang = name === 'zh' ? 'zh-Hans' : 'en';
  fill();
  tellAll(watchers);
}

const formats = new Map();

/** A number with so many decimals. Formats are kept: making one costs more than a move. @param {number} value */
export function decimal(value, digits = 1) {
  const key = `${current} ${digits}`;
  if (!formats.has(key)) formats.set(key, new Intl.NumberFormat(current === 'zh' ? 'zh-CN' : 'en', { minimumFractionDigits: digits, maximumFractionDigits: digits }));
  return formats.get(key).format(value);
}

export const whole = (/** @type {number} */ value) => decimal(value, 0);

/** Moves a second, of the whole milliseconds that are kept; a single move takes no time. @param {number} moves @param {number} millis */
export const rateText = (moves, millis) => (moves && millis ? decimal((moves * 1000) / Math.round(millis), 2) : '–');

/** A duration cut to what is shown: tenths of a second, or seconds from an hour on. Differences are taken of these, so that they add up. @param {number} millis */
export const shownMillis = (millis) => millis - (millis % (millis < 3_600_000 ? 100 : 1000));

/** A duration as 01:24.6, with hours when there are any. @param {number} millis */
export function clockText(millis) {
  const tenths = shownMillis(millis) / 100;
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const [hours, minutes, seconds] = [Math.floor(tenths / 36000), Math.floor(tenths / 600) % 60, Math.floor(tenths / 10) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${two(minutes)}:${two(seconds)}.${tenths % 10}`;
}

/** The step of this browser's clock in milliseconds: workers measure with no finer one. */
let step = 0;
function clockStep() {
  const from = performance.now();
  // A clock that stands still is not waited for.
  for (let look = 0; !step && look < 1e6; look += 1) step = performance.now() - from;
  return Math.max(0.1, step);
}

/** Seconds of computing, in the unit that suits them; less than a clock's step is said to be that. @param {number | null | undefined} seconds */
export function duration(seconds) {
  if (seconds === undefined || seconds === null) return '–';
  const micros = Math.round(seconds * 1e6);
  if (!micros) return t('under', { time: t('millis', { n: decimal(clockStep(), 1) }) });
  // Tenths of a millisecond are what a coarse clock gives.
  if (micros < 1000 && micros % 100) return t('micros', { n: whole(micros) });
  if (seconds < 1) return t('millis', { n: decimal(seconds * 1e3, seconds < 0.1 ? 1 : 0) });
  return t('seconds', { n: decimal(seconds, seconds < 10 ? 2 : 1) });
}

export const when = (/** @type {string | number | Date} */ stamp) => new Intl.DateTimeFormat(current === 'zh' ? 'zh-CN' : 'en', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(stamp));

/** The blank between two sentences; Chinese has none. */
export const between = () => (language() === 'zh' ? '' : ' ');
