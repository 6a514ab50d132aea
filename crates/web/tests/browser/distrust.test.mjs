// Nothing outside is to be relied on: a clock that is set back, an answer that is not the server's, or none at all.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIVE_LEFT, KEY, ready, scramble, stage, tab, until, visit } from './harness.mjs';
import { ROUND, circle, kept, keptMoves, running, savedMoves } from './library-steps.mjs';

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

const STRANGERS = [
  ['200 {}', { status: 200, contentType: 'application/json', body: '{}' }],
  ['200 null', { status: 200, contentType: 'application/json', body: 'null' }],
  ['200 with an id alone', { status: 200, contentType: 'application/json', body: '{"id":"x"}' }],
  ['204', { status: 204 }],
  ['503 null', { status: 503, contentType: 'application/json', body: 'null' }],
  ['404 of another kind', { status: 404, contentType: 'application/json', body: '{"code":404,"error":"no"}' }],
];

for (const [name, answer] of STRANGERS) {
  test(`a save that a stranger answers with ${name} is not taken for saved, is told of, and is sent again by itself`, async () => {
    const { page, problems } = await visit(held.browser, `${held.server.url}${ROUND}`);
    const strange = (route) => (['POST', 'PUT'].includes(route.request().method()) ? route.fulfill(answer) : route.continue());
    await page.route('**/api/saves**', strange);
    await circle(page, 3);
    await page.waitForSelector('#link-state:not([hidden])');
    await keptMoves(page, 3);
    const [entry] = await kept(page);
    assert.deepEqual([entry.dirty, entry.serverId ?? null], [true, null]);
    await page.unroute('**/api/saves**', strange);
    await savedMoves(page, held.server, 3);
    await page.waitForSelector('#link-state', { state: 'hidden' });
    assert.deepEqual(problems.filter((text) => !/status of (404|503)/.test(text)), []);
  });
}

test('a deletion that a stranger answers is sent again until the server has heard of it', async () => {
  const { page } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await circle(page, 3);
  await savedMoves(page, held.server, 3);
  const strange = (route) => (route.request().method() === 'DELETE' ? route.fulfill({ status: 200, contentType: 'application/json', body: '{}' }) : route.continue());
  await page.route('**/api/saves/*', strange);
  await page.evaluate(async () => {
    const library = await import('/js/library.js');
    const session = await import('/js/session.js');
    const { id } = session.current();
    session.reset();
    await library.drop(id);
  });
  await page.waitForSelector('#link-state:not([hidden])');
  await page.unroute('**/api/saves/*', strange);
  await until(async () => (await running(page, held.server)).length === 0, 'deleted there');
});
