// What the page may cost in bytes, and that the measuring works. Times are a benchmark's business
// (`npm run trace`): a busy machine would fail them here for no fault of the page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measure } from './trace.mjs';

test('the page is small, and what it takes can be measured', async () => {
  const { paint, bytes, made, median } = await measure();
  assert.ok(bytes.wire < 150_000, `${bytes.wire} bytes over the wire`);
  assert.ok(made >= 150, `only ${made} moves were made`);
  assert.ok(paint > 0 && median > 0, 'the first paint and a move take some time');
});
