// What the page may cost: bytes, the first paint, and a move on the largest board. A busy machine makes
// everything late, a bare page too; so the paint is also compared with that, and there are three attempts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measure } from './trace.mjs';

const ATTEMPTS = 3;

/** What is over the budget, as text; nothing when all is well. */
function excess({ paint, bare, bytes, made, median }) {
  return [
    made < 150 && `only ${made} moves were made`,
    bytes.wire >= 150_000 && `${bytes.wire} bytes over the wire`,
    paint >= Math.max(300, 5 * bare) && `first paint after ${paint} ms, of a bare page after ${bare} ms`,
    median >= 4 && `${median} ms a move`,
  ].filter(Boolean);
}

test('the page keeps its budget', async () => {
  let found = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    found = excess(await measure());
    if (!found.length) return;
  }
  assert.deepEqual(found, []);
});
