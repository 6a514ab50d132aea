// Numbers as people read them: costs, counts and bytes.

import { decimal, whole } from '../js/i18n.js';

/** A cost as short as it can be said. @param {number} cost */
export const amount = (cost) => (!Number.isFinite(cost) ? '∞' : Number.isInteger(cost) ? whole(cost) : decimal(cost, 2));

/** A count, or a mean of counts. @param {number | null | undefined} value */
export const count = (value) => (value === undefined || value === null ? '–' : Number.isInteger(value) ? whole(value) : decimal(value, value < 100 ? 1 : 0));

const UNITS = ['B', 'KiB', 'MiB', 'GiB'];

/** Bytes, in the unit that suits them. @param {number | null | undefined} value */
export function bytes(value) {
  if (value === undefined || value === null) return '–';
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, value)) / 10));
  return `${decimal(value / 1024 ** power, power ? 1 : 0)} ${UNITS[power]}`;
}
