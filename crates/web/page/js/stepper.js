// A number with a button on either side, each large enough for a finger.

import { el, icon } from './dom.js';
import { t } from './i18n.js';

/**
 * Makes one. `key` names its words: its own, `key.minus` and `key.plus`; `least` and `most` are its bounds, and `changed` hears of each
 * number that somebody sets.
 * @param {string} key
 * @param {{ id: string, value: number, least: number, most: () => number, changed: (value: number) => void }} options
 */
export function stepper(key, { id, value, least, most, changed }) {
  const input = el('input', { id, type: 'number', min: least, max: most(), value, inputMode: 'numeric', required: true, oninput: () => changed(read()) });
  const read = () => Math.min(most(), Math.max(least, Math.round(Number(input.value)) || least));
  const turn = (symbol, by) => el('button', { type: 'button', className: 'small', 'data-t-label': `${key}.${symbol}`, 'aria-label': t(`${key}.${symbol}`), onclick: () => {
    input.value = String(read() + by);
    input.value = String(read());
    changed(read());
  } }, icon(symbol));
  const node = el('div', { className: 'stepper' }, el('label', { for: id, 'data-t': key }, t(key)), turn('minus', -1), input, turn('plus', 1));
  return {
    node, input, read,
    /** Shows another number, which nobody has set here. */
    show(now) {
      input.max = most();
      if (Number(input.value) !== now) input.value = String(now);
    },
  };
}
