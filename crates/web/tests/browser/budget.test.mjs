// What the page may cost: the compressed bytes of the files that a first visit asks for, the quickest first paint beside
// that of a bare page in the same run, and a move in processor time. A page that has grown is noticed; a busy or slow
// machine has room.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measure } from './trace.mjs';

/** The page of November 2026 took 59.8 kB in English and 60.3 kB in Chinese. */
const MOST_BYTES = 70_000;
const MOST_PAINT_MILLIS = 1500;
const MOST_MOVE_MILLIS = 20;

test('the page is small and quick', async () => {
  const { delay, loads, made, median } = await measure();
  for (const { compressed, files } of loads) assert.ok(compressed < MOST_BYTES, `${compressed} bytes in ${files.length} files: ${files.join(', ')}`);
  assert.ok(made >= 75, `only ${made} moves were made`);
  assert.ok(delay < MOST_PAINT_MILLIS, `the first paint comes ${Math.round(delay)} ms after that of a bare page`);
  assert.ok(median < MOST_MOVE_MILLIS, `a move takes ${median.toFixed(1)} ms`);
});
