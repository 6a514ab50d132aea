// Nothing outside is to be relied on: a clock that is set back, an answer that is not the server's, or none at all.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, FIVE_LEFT, KEY, game, noticed, ready, scramble, stage, standIn, tab, toEnd, until, visit } from './harness.mjs';
import { ROUND, circle, kept, keptMoves, running, savedMoves } from './library-steps.mjs';

const held = stage();

const here = async (page) => (await kept(page)).filter(({ gone }) => !gone);

/** Begins another game, makes so many moves in it, and waits until it is kept. */
async function playOne(page, count) {
  await scramble(page, FIVE_LEFT);
  return page.evaluate(async (moves) => {
    const session = await packed('js/session.js');
    for (const move of moves) session.play(move);
    await (await packed('js/library.js')).keep();
    return session.current().id;
  }, 'DU'.repeat(count).slice(0, count));
}

test('a clock that was set back deletes nothing that was just played', async () => {
  const { page, context } = await visit(held.browser, held.server.url);
  const { KEPT } = await page.evaluate(async () => ({ ...(await packed('js/library.js')) }));
  const oldest = await playOne(page, 1);
  await page.evaluate(async ([id, most]) => {
    const store = await packed('js/store.js');
    const entry = await store.get('saves', id);
    for (let i = 1; i < most; i += 1) await store.put('saves', { ...entry, id: `${i}`.padStart(32, '0'), serverId: null, revision: null, dirty: true, turn: entry.turn + i / most });
  }, [oldest, KEPT - 1]);
  // The one that the next tab finds on its table is not the oldest.
  await playOne(page, 1);
  await page.close();
  await context.addInitScript(() => {
    const now = Date.now;
    Date.now = () => now.call(Date) - 30 * 24 * 3600 * 1000;
  });
  const later = await tab(context, held.server.url);
  const played = await playOne(later, 8);
  const next = await playOne(later, 3);
  await until(async () => !(await here(later)).some(({ id }) => id === oldest), 'the oldest makes room');
  const ids = (await here(later)).map(({ id }) => id);
  assert.ok(ids.includes(played) && ids.includes(next), 'both are here');
  const there = async () => (await running(later, held.server)).map(({ moves }) => moves);
  await until(async () => (await there()).includes(3), 'the server follows');
  assert.ok((await there()).includes(8), 'and has it too');
  await later.reload();
  await ready(later);
  assert.equal(await later.evaluate(async () => (await packed('js/session.js')).current().id), next, 'the latest is on the table');
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
    const hear = await standIn(page, '**/api/saves**', strange);
    await circle(page, 3);
    await page.waitForSelector('#link-state:not([hidden])');
    await keptMoves(page, 3);
    const [entry] = await kept(page);
    assert.deepEqual([entry.dirty, entry.revision ?? null], [true, null]);
    hear();
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
  const hear = await standIn(page, '**/api/saves/*', strange);
  await page.evaluate(async () => {
    const { drop } = await packed('js/library.js');
    const session = await packed('js/session.js');
    const { id } = session.current();
    (await packed('js/deals.js')).reset();
    await drop(id);
  });
  await page.waitForSelector('#link-state:not([hidden])');
  hear();
  await until(async () => (await running(page, held.server)).length === 0, 'deleted there');
});

/** A tab whose clock the test sets. */
async function clocked(address) {
  const { page, context } = await visit(held.browser, held.server.url);
  await page.close();
  const play = await context.newPage();
  await play.clock.install();
  await play.goto(address);
  await ready(play);
  return { page: play, context };
}

test('a request that hangs is told as no answer, and neither this tab nor another waits for it for ever', async () => {
  const { page, context } = await clocked(`${held.server.url}${ROUND}`);
  let hung = 0;
  const hang = () => { hung += 1; };
  const hear = await standIn(page, '**/api/saves/*', hang);
  await circle(page, 3);
  await until(() => hung === 1, 'a request hangs');
  const other = await tab(context, held.server.url);
  await playOne(other, 5);
  await page.clock.fastForward('00:30');
  await page.waitForFunction(() => /Server offline/.test(document.getElementById('link-words').textContent));
  await savedMoves(other, held.server, 5);
  hear();
  await page.clock.fastForward('00:30');
  await savedMoves(page, held.server, 3);
  await page.waitForSelector('#link-state', { state: 'hidden' });
});

test('a page that is opened with a password in its address plays and saves as any other', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await page.goto(`${held.server.url.replace('//', '//name:word@')}${ROUND}`);
  await page.waitForFunction(() => !document.URL.includes('@'));
  await ready(page);
  await circle(page, 3);
  await savedMoves(page, held.server, 3);
  assert.deepEqual(problems, []);
});

test('a refusal dated ahead of the clock is tried again at once, and nothing spins', async () => {
  const { page } = await visit(held.browser, `${held.server.url}${ROUND}`);
  const full = (route) => (route.request().method() === 'PUT' ? route.fulfill({ status: 507, contentType: 'application/json', body: '{"error":"full","code":"quota-saves"}' }) : route.continue());
  const hear = await standIn(page, '**/api/saves/*', full);
  await circle(page, 3);
  await until(async () => (await kept(page))[0]?.problem, 'refused');
  await page.evaluate(async () => {
    const store = await packed('js/store.js');
    const [{ id }] = await store.all('saves');
    await store.update('saves', id, (now) => ({ ...now, problem: { ...now.problem, at: Date.now() + 40 * 24 * 3600 * 1000 } }));
  });
  hear();
  await circle(page, 1);
  await savedMoves(page, held.server, 4);
});

test('a stranger’s Retry-After of months is no reason to wait for months', async () => {
  const { page } = await clocked(`${held.server.url}${ROUND}`);
  let asked = 0;
  const busy = (route) => { asked += 1; return route.fulfill({ status: 503, contentType: 'application/json', headers: { 'Retry-After': '9999999' }, body: '{"error":"x","code":"busy"}' }); };
  const hear = await standIn(page, '**/api/saves/*', busy);
  await circle(page, 1);
  await page.waitForSelector('#link-state:not([hidden])');
  await page.clock.fastForward('04:00');
  await page.evaluate(async () => (await packed('js/store.js')).all('saves'));
  assert.equal(asked, 1, 'it is waited for all the same');
  hear();
  await page.clock.fastForward('01:10');
  await savedMoves(page, held.server, 1);
});

test('help belongs to the scramble: the game before a restart, and one gone on with later, are helped too', async () => {
  const { page, context, problems } = await visit(held.browser, held.server.url);
  await scramble(page, FIVE_LEFT);
  await page.keyboard.press(KEY.D);
  await keptMoves(page, 1);
  await page.evaluate(async () => (await packed('js/deals.js')).restart());
  await page.click('#solve');
  await page.waitForSelector('#playback:not([hidden])');
  await toEnd(page);
  const other = await tab(context, held.server.url);
  const known = await other.evaluate(async () => {
    const { gameOf, unfinished } = await packed('js/library.js');
    return (await unfinished()).map(({ entry }) => [gameOf(entry).moves, gameOf(entry).helped]);
  });
  assert.ok(known.some(([moves, helped]) => moves === 'D' && helped), 'a second tab knows');
  await page.click('#undo');
  await page.click('#undo');
  const original = await game(page);
  assert.deepEqual([original.moves, original.helped], ['D', true]);
  for (const move of 'ULDDRR') await page.keyboard.press(KEY[move]);
  await page.waitForSelector('#win-unranked');
  assert.deepEqual(await kept(page, 'records'), []);
  await page.keyboard.press('Escape');
  await scramble(page, [1, 2, 3, 4, 5, 6, 0, 7, 8]);
  assert.equal((await game(page)).helped, false, 'another scramble is not');
  assert.deepEqual(problems, []);
});

test('delete everything where the database does not clear: that is said, nothing comes back, and it is tried again', async () => {
  const failing = () => {
    for (const name of ['clear', 'delete']) {
      const act = IDBObjectStore.prototype[name];
      IDBObjectStore.prototype[name] = function unless(...args) {
        if (!window.healed) throw new DOMException('no', 'UnknownError');
        return act.apply(this, args);
      };
    }
  };
  const { page } = await visit(held.browser, `${held.server.url}${ROUND}`, DESKTOP, failing);
  await circle(page, 3);
  await savedMoves(page, held.server, 3);
  await page.click('#load');
  await page.click('#wipe');
  await page.getByRole('button', { name: 'Delete everything', exact: true }).click();
  await noticed(page, /could not delete its own copy/);
  assert.doesNotMatch((await page.locator('.toast').allTextContents()).join(), /Everything is deleted/);
  assert.equal(await page.locator('.save-item[data-save]').count(), 0, 'it counts as deleted');
  assert.deepEqual(await running(page, held.server), []);
  assert.equal((await kept(page)).length, 1, 'the disk still has it');
  await page.evaluate(() => { window.healed = true; });
  await until(async () => (await kept(page)).length === 0, 'deleted after all');
  assert.deepEqual(await running(page, held.server), []);
});

test('the first answers that are lost make no second save', async () => {
  const { page } = await visit(held.browser, `${held.server.url}${ROUND}`);
  let lost = 0;
  await page.route('**/api/saves/*', async (route) => {
    if (route.request().method() !== 'PUT' || lost >= 3) return route.continue();
    lost += 1;
    await route.fetch();
    return route.abort();
  });
  await circle(page, 2);
  await until(() => lost > 0, 'an answer is lost');
  await circle(page, 4);
  await savedMoves(page, held.server, 6);
  await page.waitForSelector('#link-state', { state: 'hidden' });
  assert.deepEqual((await running(page, held.server)).map(({ moves }) => moves), [6]);
  assert.equal((await here(page)).length, 1);
});
