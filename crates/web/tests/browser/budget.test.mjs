// What the page may cost: the compressed bytes of the files that a first visit asks for and of the engine, the quickest
// first paint beside that of a bare page in the same run, and a move in processor time. A page that has grown is noticed; a
// busy or slow machine has room.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { ENGINE } from './engine.mjs';
import { skip } from './harness.mjs';
import { measure } from './trace.mjs';

/** The page of November 2026 took 64.8 kB in English and 65.3 kB in Chinese. */
const MOST_BYTES = 70_000;
/** The engine took 491 kB. */
const MOST_ENGINE_BYTES = 500_000;
const MOST_PAINT_MILLIS = 1500;
const MOST_MOVE_MILLIS = 20;

test('the page is small and quick', async () => {
  const { delay, loads, made, median } = await measure();
  for (const { compressed, files } of loads) assert.ok(compressed < MOST_BYTES, `${compressed} bytes in ${files.length} files: ${files.join(', ')}`);
  assert.ok(made >= 75, `only ${made} moves were made`);
  assert.ok(delay < MOST_PAINT_MILLIS, `the first paint comes ${Math.round(delay)} ms after that of a bare page`);
  assert.ok(median < MOST_MOVE_MILLIS, `a move takes ${median.toFixed(1)} ms`);
});

if (!ENGINE) skip('the size of the engine for browsers: there is none');
test('the engine for browsers is small', { skip: !ENGINE }, async () => {
  const bytes = gzipSync(await readFile(ENGINE), { level: 9 }).length;
  assert.ok(bytes < MOST_ENGINE_BYTES, `${bytes} bytes compressed`);
});
