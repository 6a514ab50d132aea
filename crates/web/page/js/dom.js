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

/** An icon of the sprite in the page. */
export function icon(name) {
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

/** Fills an element anew; where one of its children had the focus, the one in its place gets it. */
export function refill(host, ...children) {
  const at = [...host.children].indexOf(document.activeElement);
  host.replaceChildren(...children);
  if (at >= 0) host.children[Math.min(at, host.children.length - 1)]?.focus({ preventScroll: true });
}

/** Sets text only where it differs, in the text node that is there: nothing is taken out and put in again. */
export function setText(node, text) {
  const only = node.firstChild;
  if (node.textContent === text) return;
  if (only?.nodeType === Node.TEXT_NODE && !only.nextSibling) only.data = text;
  else node.textContent = text;
}
