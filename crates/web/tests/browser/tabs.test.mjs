// One tab at a time holds a game; what another tab did meanwhile is never lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, FIVE_LEFT, KEY, game, link, noticed, phase, scramble, stage, tab, visit } from './harness.mjs';
import { ROUND, circle, elsewhere, follow, goOn, kept, keptMoves, moves, noLocks, savedMoves, takeOver } from './library-steps.mjs';

const held = stage();

test('two tabs: the second says so and takes over, and a third after both has all of it', async () => {
  const { page: one, context, problems } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await circle(one, 12);
  await keptMoves(one, 12);
  const two = await tab(context, held.server.url, problems);
  await two.waitForSelector('#take-over');
  assert.match(await two.innerText('dialog[open]'), /open in another tab/);
  assert.equal(await moves(two), 0, 'nothing is taken unasked');
  await two.click('#take-over');
  await two.waitForFunction(() => document.getElementById('hud-moves').textContent === '12');
  await elsewhere(one);
  await circle(two, 60);
  await circle(one, 4);
  assert.equal(await moves(one), 12, 'the first tab plays no more');
  await keptMoves(two, 72);
  await one.close();
  await two.close();
  const three = await tab(context, held.server.url, problems);
  await three.waitForFunction(() => document.getElementById('hud-moves').textContent === '72');
  await three.waitForFunction(() => !document.querySelector('dialog'));
  assert.equal((await kept(three)).length, 1);
  // A tab that is closed may lose an answer; the next one then learns the revision by a 409.
  assert.deepEqual(problems.filter((text) => !/409/.test(text)), []);
});

test('a game can be taken back, with what the other tab played, and comes back by itself once that tab is closed', async () => {
  const { page: one, context, problems } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await circle(one, 4);
  await keptMoves(one, 4);
  const two = await tab(context, held.server.url, problems);
  await takeOver(two);
  await elsewhere(one);
  await circle(two, 3);
  await keptMoves(two, 7);
  await one.bringToFront();
  await one.click('#take-back');
  await one.waitForFunction(() => document.getElementById('hud-moves').textContent === '7');
  await elsewhere(two);
  await circle(one, 1);
  await keptMoves(one, 8);
  await one.close();
  await two.bringToFront();
  await two.waitForFunction(() => document.getElementById('away-veil').hidden && document.getElementById('hud-moves').textContent === '8');
  await circle(two, 1);
  await keptMoves(two, 9);
  // A tab that is closed may lose an answer; the next one then learns the revision by a 409.
  assert.deepEqual(problems.filter((text) => !/409/.test(text)), []);
});

/** A busy browser: it grants a lock at once and tells of it late, or never where nobody waits any more. */
const lateLocks = () => {
  const { request } = LockManager.prototype;
  LockManager.prototype.request = function late(name, how, act) {
    const { signal, ...rest } = typeof how === 'function' ? {} : how;
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      const granted = async (lock) => {
        await new Promise((told) => { setTimeout(told, 1500); });
        return signal?.aborted ? null : (act ?? how)(lock);
      };
      request.call(this, name, rest, granted).then(resolve, reject);
    });
  };
};

test('a tab in which everything is being deleted may be closed: what the other one plays is kept', async () => {
  const { page, context, problems } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await circle(page, 1);
  await keptMoves(page, 1);
  const other = await tab(context, `${held.server.url}`);
  await other.waitForSelector('dialog');
  await other.click('#begin-fresh');
  await scramble(other, FIVE_LEFT);
  await page.route('**/api/data', () => {});
  await page.click('#load');
  await page.click('#wipe');
  const asked = page.waitForRequest((request) => request.method() === 'DELETE');
  await page.getByRole('button', { name: 'Delete everything', exact: true }).click();
  await asked;
  await other.keyboard.press(KEY.D);
  await page.close();
  await other.keyboard.press(KEY.U);
  await keptMoves(other, 2);
  assert.deepEqual(problems, []);
});

test('a lock that is told of late is not taken for another tab', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${ROUND}`, DESKTOP, lateLocks);
  await circle(page, 3);
  await keptMoves(page, 3);
  await savedMoves(page, held.server, 3);
  await circle(page, 2);
  await savedMoves(page, held.server, 5);
  assert.equal(await phase(page), 'playing');
  assert.deepEqual(problems, []);
});

test('a second tab can play another game, and both are kept', async () => {
  const { page: one, context, problems } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await circle(one, 5);
  await keptMoves(one, 5);
  const two = await tab(context, held.server.url, problems);
  await two.click('#begin-fresh');
  await follow(two, ROUND);
  await circle(two, 9);
  await circle(one, 1);
  await keptMoves(two, 9);
  await keptMoves(one, 6);
  assert.notEqual(await phase(one), 'elsewhere');
  await one.close();
  await two.reload();
  await two.waitForSelector('body[data-ready=yes]');
  assert.equal(await moves(two), 9, 'a tab keeps its own');
  await goOn(two);
  assert.equal(await moves(two), 6);
  // A reload may cut off a save whose answer then never came; the next one finds out by itself.
  assert.deepEqual(problems.filter((text) => !/409/.test(text)), []);
});

test('a link opens its position whatever another tab has open, and that tab keeps its game', async () => {
  const { page: one, context, problems } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await circle(one, 5);
  await keptMoves(one, 5);
  const two = await tab(context, `${held.server.url}${link(FIVE_LEFT)}`, problems);
  assert.equal(await two.locator('dialog[open]').count(), 0, 'nothing is asked');
  assert.deepEqual((await game(two)).tiles, FIVE_LEFT);
  await two.keyboard.press('ArrowUp');
  await keptMoves(two, 1);
  assert.notEqual(await phase(one), 'elsewhere');
  const bad = await tab(context, `${held.server.url}${link([1, 2])}`, problems);
  await bad.waitForSelector('#take-over');
  // A link that is followed while the question is there answers it: the tab that closes later brings nothing.
  await bad.evaluate((hash) => { location.hash = hash; }, link(FIVE_LEFT));
  await bad.waitForFunction(() => document.body.dataset.phase === 'shuffled' && !document.querySelector('dialog'));
  await one.close();
  await two.close();
  await bad.keyboard.press('ArrowUp');
  assert.equal(await moves(bad), 1);
  assert.deepEqual((await game(bad)).start, FIVE_LEFT);
  assert.deepEqual(problems, []);
});

test('without locks a reload keeps its game, and of two tabs that play the same game both versions are kept', async () => {
  const { page, context, problems } = await visit(held.browser, `${held.server.url}${ROUND}`, DESKTOP, noLocks);
  await circle(page, 3);
  await keptMoves(page, 3);
  await page.reload();
  await page.waitForSelector('body[data-ready=yes]');
  assert.equal(await moves(page), 3);
  const two = await tab(context, held.server.url, problems);
  assert.equal(await moves(two), 3);
  await circle(two, 8);
  await keptMoves(two, 11);
  await page.bringToFront();
  await circle(page, 2);
  await noticed(page, /Both versions are saved/);
  await keptMoves(page, 5);
  await savedMoves(page, held.server, 5);
  assert.deepEqual((await kept(page)).map((entry) => entry.game.moves.length).sort((a, b) => a - b), [5, 11]);
  assert.deepEqual(problems.filter((text) => !/409/.test(text)), []);
});
