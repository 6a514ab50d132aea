// What the page may cost: bytes, the quickest first paint beside that of a bare page in the same run, and a move in
// processor time. The limits leave room for a busy machine, not for a page that has grown.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measure } from './trace.mjs';

test('the page is small and quick', async () => {
  const { delay, bytes, made, median } = await measure();
  assert.ok(bytes.wire < 95_000, `${bytes.wire} bytes over the wire`);
  assert.ok(made >= 150, `only ${made} moves were made`);
  assert.ok(delay < 600, `the first paint comes ${Math.round(delay)} ms after that of a bare page`);
  assert.ok(median < 8, `a move takes ${median.toFixed(1)} ms`);
});
