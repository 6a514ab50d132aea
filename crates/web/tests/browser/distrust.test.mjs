// Nothing outside is to be relied on: a clock that is set back, an answer that is not the server's, or none at all.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIVE_LEFT, KEY, ready, scramble, stage, tab, until, visit } from './harness.mjs';
import { kept, running } from './library-steps.mjs';

const held = stage();

const here = async (page) => (await kept(page)).filter(({ gone }) => !gone);

/** Begins another game, makes so many moves in it, and waits until it is kept. */
async function playOne(page, count) {
  await scramble(page, FIVE_LEFT);
  for (let i = 0; i < count; i += 1) await page.keyboard.press(i % 2 ? KEY.U : KEY.D);
  return page.evaluate(async () => {
    await (await import('/js/library.js')).keep();
    return (await import('/js/session.js')).current().id;
  });
}

test('a clock that was set back deletes nothing that was just played', async () => {
  const { page, context } = await visit(held.browser, held.server.url);
  const { KEPT } = await page.evaluate(async () => ({ ...(await import('/js/library.js')) }));
  const oldest = await playOne(page, 1);
  for (let i = 1; i < KEPT; i += 1) await playOne(page, 1);
  await until(async () => (await running(page, held.server)).length === KEPT, 'all on the server');
  await page.close();
  await context.addInitScript(() => {
    const now = Date.now;
    Date.now = () => now.call(Date) - 30 * 24 * 3600 * 1000;
  });
  const later = await tab(context, held.server.url);
  const played = await playOne(later, 8);
  const next = await playOne(later, 3);
  await until(async () => (await here(later)).length === KEPT, 'room was made');
  const ids = (await here(later)).map(({ id }) => id);
  assert.ok(ids.includes(played) && ids.includes(next), 'both are here');
  assert.ok(!ids.includes(oldest), 'the oldest made room');
  const there = async () => (await running(later, held.server)).map(({ moves }) => moves);
  await until(async () => (await there()).includes(3) && (await there()).length === KEPT, 'the server follows');
  assert.ok((await there()).includes(8), 'and has it too');
  await later.reload();
  await ready(later);
  assert.equal(await later.evaluate(async () => (await import('/js/session.js')).current().id), next, 'the latest is on the table');
});
