// What the page may cost: bytes, the first paint, and a move on the largest board.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measure } from './trace.mjs';

test('the page keeps its budget', async () => {
  const { paint, bare, bytes, made, median } = await measure();
  assert.ok(made > 150, `${made} moves were made`);
  assert.ok(bytes.wire < 150_000, `${bytes.wire} bytes over the wire`);
  // On a machine that is busy with other things a bare page is late too.
  assert.ok(paint < Math.max(300, 4 * bare), `first paint after ${paint} ms, a bare page after ${bare} ms`);
  assert.ok(median < 4, `${median} ms a move`);
});
