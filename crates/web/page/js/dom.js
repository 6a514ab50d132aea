// The few helpers with which the page builds its elements.

/** An element by its id, of whichever kind it is. @type {(id: string) => any} */
export const $ = (id) => document.getElementById(id);

/**
 * Creates an element. `props` sets properties, `on…` listeners, `aria-…`, `role` and `data-…` attributes.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...any} children
 * @returns {any}
 */
export function el(tag, props = {}, ...children) {
  /** @type {any} */
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (/^(aria-|data-|role$|for$)/.test(name)) node.setAttribute(name, value);
    else node[name] = value;
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function icon(/** @type {string} */ name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  use.setAttribute('href', `#i-${name}`);
  svg.append(use);
  return svg;
}

/**
 * A labelled button, with an icon when one is named.
 * @param {string} label
 * @param {(event?: Event) => any} onclick
 * @param {{ kind?: string, symbol?: string | null, id?: string, [name: string]: any }} [options]
 */
export function button(label, onclick, { kind = '', symbol = null, id, ...rest } = {}) {
  return el('button', { type: 'button', className: `button ${kind}`.trim(), onclick, id, ...rest }, symbol && icon(symbol), el('span', {}, label));
}

/** Fills an element anew; where something in it had the focus, what has its name now gets it, or the child in its place. @param {any} host @param {...any} children */
export function refill(host, ...children) {
  const held = document.activeElement;
  const at = [...host.children].findIndex((child) => child.contains(held));
  host.replaceChildren(...children);
  if (at >= 0) ($(held?.id ?? '') ?? host.children[Math.min(at, host.children.length - 1)])?.focus({ preventScroll: true });
}

/** Leaves a mark where an element of the page is, for it is lent elsewhere; returns what brings it back. @param {Element} node */
export function lend(node) {
  const home = document.createComment('lent');
  node.before(home);
  return () => home.replaceWith(node);
}

/** Sets text only where it differs, in the text node that is there: nothing is taken out and put in again. @param {any} node @param {any} text */
export function setText(node, text) {
  const only = node.firstChild;
  if (node.textContent === text) return;
  if (only?.nodeType === Node.TEXT_NODE && !only.nextSibling) only.data = text;
  else node.textContent = text;
}

/** Lets the browser save a file. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const anchor = el('a', { href: URL.createObjectURL(blob), download: name });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
}

/**
 * Disables a button, or enables it. One that has the focus keeps it until that goes elsewhere: it says that it does nothing, and does nothing.
 * @param {HTMLButtonElement} node @param {boolean} off
 */
export function setDisabled(node, off) {
  const isHeld = off && node === document.activeElement;
  node.disabled = off && !isHeld;
  if (!isHeld) node.removeAttribute('aria-disabled');
  else if (!node.hasAttribute('aria-disabled')) {
    node.setAttribute('aria-disabled', 'true');
    node.addEventListener('blur', () => { if (node.hasAttribute('aria-disabled')) setDisabled(node, true); }, { once: true });
  }
}

/** Calls back when the page has another look. @param {() => void} callback */
export const onLook = (callback) => new MutationObserver(callback).observe(document.documentElement, { attributes: true, attributeFilter: ['data-look'] });
