// The colours of the maps, as the style sheet has them for the look that is chosen.

import { onLook } from '../../js/dom.js';
import { tellAll } from '../../js/tell.js';

const NAMES = ['ground', 'wall', 'grid', 'ink', 'paper', 'water', 'swamp', 'trees', 'enemy', 'dear', 'start', 'goal', 'open', 'closed', 'behind', 'now', 'faint', 'path1', 'path2', 'path3', 'path4', 'far', 'cursor'];

/** @type {Record<string, string>} */
let colours = {};
const watchers = new Set();

/** Reads them anew; `root` is an element that the style sheet speaks of. @param {Element} root */
function read(root) {
  const style = getComputedStyle(root);
  colours = Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--m-${name}`).trim()]));
  tellAll(watchers);
}

export const palette = () => colours;

/** Calls back when the colours are others. @param {(...values: any[]) => void} callback */
export const onPalette = (callback) => watchers.add(callback);

export function initTheme(/** @type {Element} */ root) {
  read(root);
  onLook(() => read(root));
}

/** A colour's red, green and blue. @param {any} colour */
export function rgb(colour) {
  const digits = colour.replace('#', '');
  const wide = digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits;
  return [0, 2, 4].map((at) => parseInt(wide.slice(at, at + 2), 16));
}

/** A colour between two, as the 32 bits of a pixel. @param {any} from */
export function pixel(from, to = from, share = 0, alpha = 255) {
  const [a, b] = [rgb(from), rgb(to)];
  const [red, green, blue] = a.map((value, i) => Math.round(value + (b[i] - value) * share));
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** A colour between two, as a style. @param {any} from @param {any} to @param {number} share */
export function mixed(from, to, share) {
  const [a, b] = [rgb(from), rgb(to)];
  return `rgb(${a.map((value, i) => Math.round(value + (b[i] - value) * share)).join(' ')})`;
}
