// Numbers as people read them: counts, bytes and times.

import { decimal, t, whole } from '../../js/i18n.js';

export const count = (value) => (value === undefined || value === null ? '–' : Number.isInteger(value) ? whole(value) : decimal(value, value < 100 ? 1 : 0));

/** Seconds, in the unit that suits them. */
export function duration(seconds) {
  if (seconds === undefined || seconds === null) return '–';
  if (seconds < 0.001) return t('lab.unit.micros', { n: whole(seconds * 1e6) });
  if (seconds < 1) return t('lab.unit.millis', { n: decimal(seconds * 1e3, seconds < 0.1 ? 1 : 0) });
  return t('seconds', { n: decimal(seconds, 2) });
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB'];

/** Bytes, in the unit that suits them. */
export function bytes(value) {
  if (value === undefined || value === null) return '–';
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, value)) / 10));
  return `${decimal(value / 1024 ** power, power ? 1 : 0)} ${UNITS[power]}`;
}

/** How long a bar is, from 0 to 1, on a logarithmic scale that ends at `most`. */
export const logShare = (value, most) => (value > 0 && most > 0 ? Math.log10(value + 1) / Math.log10(most + 1) : 0);
