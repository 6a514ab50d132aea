// The essentials of the library in Firefox, where there is one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { game, hasFirefox, launchFirefox, openDoor, ready, stage, tab, visit } from './harness.mjs';
import { ROUND, circle, elsewhere, essence, goOn, keptMoves, moves, savedMoves } from './library-steps.mjs';

const held = hasFirefox ? stage(launchFirefox) : null;
const options = { skip: hasFirefox ? false : 'Firefox is not installed (Debian: firefox-esr)' };
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
  await page.click('#shuffle');
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
  await two.click('#take-over');
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
