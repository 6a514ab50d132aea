// The essentials of the library in Firefox, where there is one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { game, hasFirefox, launchFirefox, openDoor, ready, skip, stage, tab, until, visit } from './harness.mjs';
import { ROUND, circle, elsewhere, essence, follow, goOn, kept, keptMoves, keptOther, moves, onTable, running, savedMoves, saves, survives, takeOver, wipe, writtenByAnother } from './library-steps.mjs';

const held = hasFirefox ? stage(launchFirefox) : null;
const options = { skip: !hasFirefox };
if (!hasFirefox) skip('the page in Firefox: firefox-esr is not installed');
const SMALL = { viewport: { width: 1280, height: 800 } };

test('Firefox: a game survives a reload, the server’s death and a shuffle', options, async () => {
  const url = await openDoor(held.server);
  const { page, problems } = await visit(held.browser, `${url}${ROUND}`, SMALL);
  await circle(page, 3);
  const before = essence(await game(page));
  await savedMoves(page, { url }, 3);
  await held.server.kill();
  await circle(page, 1);
  await page.waitForSelector('#link-state:not([hidden])');
  await page.keyboard.press('u');
  await held.server.start();
  await page.waitForSelector('#link-state', { state: 'hidden' });
  await page.reload();
  await ready(page);
  assert.deepEqual({ ...essence(await game(page)), redo: '' }, before);
  const id = await onTable(page);
  await page.click('#shuffle');
  await keptOther(page, id);
  await page.reload();
  await ready(page);
  await goOn(page);
  assert.deepEqual({ ...essence(await game(page)), redo: '' }, before);
  assert.deepEqual(problems, []);
});

test('Firefox: two tabs, a take-over, and a third tab after both', options, async () => {
  const url = await openDoor(held.server);
  const { page: one, context, problems } = await visit(held.browser, `${url}${ROUND}`, SMALL);
  await circle(one, 4);
  await keptMoves(one, 4);
  const two = await tab(context, url, problems);
  await takeOver(two);
  await two.waitForFunction(() => document.getElementById('hud-moves').textContent === '4');
  await elsewhere(one);
  await circle(two, 8);
  await keptMoves(two, 12);
  await one.close();
  await two.close();
  const three = await tab(context, url, problems);
  await three.waitForFunction(() => document.getElementById('hud-moves').textContent === '12');
  assert.equal(await moves(three), 12);
  assert.deepEqual(problems, []);
});

// The others differ in nothing that a browser does; Chromium has them all.
for (const name of ['Shuffle', 'Import']) {
  test(`Firefox: ${name}, then a reload, then kill -9: the running game is still there`, options, async () => {
    const url = await openDoor(held.server);
    const { page, problems } = await visit(held.browser, url, SMALL);
    await survives(page, held.server, url, name);
    assert.deepEqual(problems, []);
  });
}

test('Firefox: a database that does not open: said at once, and kept on the server', options, async () => {
  const url = await openDoor(held.server);
  const denied = () => { IDBFactory.prototype.open = () => { throw new DOMException('denied', 'SecurityError'); }; };
  const { page } = await visit(held.browser, `${url}${ROUND}`, SMALL, denied);
  await page.waitForSelector('#link-state:not([hidden])');
  assert.match(await page.textContent('#link-state'), /Not saved in this browser/);
  await circle(page, 6);
  const before = essence(await game(page));
  await savedMoves(page, { url }, 6);
  await page.reload();
  await ready(page);
  assert.deepEqual(essence(await game(page)), before);
});

test('Firefox: a late writer gets 409, and both versions are kept', options, async () => {
  const url = await openDoor(held.server);
  const { page } = await visit(held.browser, `${url}${ROUND}`, SMALL);
  await circle(page, 4);
  await savedMoves(page, { url }, 4);
  await writtenByAnother(page, { url });
  await circle(page, 1);
  await until(async () => (await running(page, { url })).length === 2, 'both on the server');
  assert.deepEqual((await running(page, { url })).map((save) => save.moves).sort(), [5, 9]);
  await until(async () => (await kept(page)).length === 2, 'and both here');
});

test('Firefox: delete everything: all is gone, and what comes next is kept', options, async () => {
  const url = await openDoor(held.server);
  const { page } = await visit(held.browser, `${url}${ROUND}`, SMALL);
  await circle(page, 3);
  await savedMoves(page, { url }, 3);
  await wipe(page);
  assert.deepEqual([await kept(page), await saves(page, { url })], [[], []]);
  await follow(page, ROUND);
  await circle(page, 2);
  await keptMoves(page, 2);
  await savedMoves(page, { url }, 2);
});
