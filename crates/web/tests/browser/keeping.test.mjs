// What must not be lost, must not come back, and must not count twice: by what a tab does not know of the others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, FIVE_LEFT, KEY, game, link, noticed, pressNotice, ready, scramble, stage, standIn, tab, until, visit } from './harness.mjs';
import { ROUND, circle, elsewhere, finishOne, follow, goOn, kept, keptMoves, moves, noLocks, onTable, running, saveAs, savedMoves, saves, takeOver, wipe } from './library-steps.mjs';

const held = stage();
const idle = (page) => until(async () => (await kept(page)).every((entry) => !entry.dirty && !entry.gone), 'everything is with the server');

test('a tab that knows an older state deletes nothing that another has played', async () => {
  const { page: one, context, problems } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await until(async () => (await kept(one)).length === 1, 'the position is kept');
  const two = await tab(context, held.server.url, problems);
  await takeOver(two);
  await elsewhere(one);
  await circle(two, 8);
  await savedMoves(two, held.server, 8);
  await two.close();
  await one.bringToFront();
  await one.keyboard.press('n');
  await until(async () => (await kept(one)).length === 2, 'a new game lies on the table');
  await one.evaluate(async () => (await packed('js/sync.js')).flush());
  assert.ok((await kept(one)).some((entry) => entry.game.moves.length === 8 && !entry.gone), 'here');
  assert.ok((await running(one, held.server)).some((save) => save.moves === 8), 'and on the server');
  assert.deepEqual(problems, []);
});

test('a game that was undone to its beginning is kept with all that can be redone', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await circle(page, 6);
  await savedMoves(page, held.server, 6);
  for (let i = 0; i < 6; i += 1) await page.keyboard.press('Control+z');
  await keptMoves(page, 0);
  await page.click('#shuffle');
  await until(async () => (await kept(page)).length === 2, 'a new game lies on the table');
  await idle(page);
  await page.reload();
  await ready(page);
  await goOn(page);
  assert.equal((await game(page)).redo.length, 6);
  assert.deepEqual(problems, []);
});

test('undo brings back what was deleted, not what the list showed', async () => {
  const { page: one, context, problems } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await circle(one, 4);
  await keptMoves(one, 4);
  const two = await tab(context, held.server.url, problems);
  await two.waitForSelector('#take-over');
  await two.keyboard.press('Escape');
  await two.click('#load');
  await two.locator('#saves-list').getByRole('button', { name: /^Delete/ }).first().waitFor();
  await circle(one, 8);
  await savedMoves(one, held.server, 12);
  await one.close();
  await two.locator('#saves-list').getByRole('button', { name: /^Delete/ }).first().click();
  await until(async () => (await running(two, held.server)).length === 0, 'deleted on the server');
  await pressNotice(two);
  await savedMoves(two, held.server, 12);
  assert.ok((await kept(two)).some((entry) => entry.game.moves.length === 12));
  assert.deepEqual(problems, []);
});

for (const [how, before] of [['locks', null], ['no locks', noLocks]]) {
  test(`with ${how}, what is deleted stays deleted, whatever is on its way and whoever plays on`, async () => {
    const { page: one, context, problems } = await visit(held.browser, `${held.server.url}${ROUND}`, DESKTOP, before);
    await circle(one, 4);
    await savedMoves(one, held.server, 4);
    const two = await tab(context, held.server.url, problems);
    if (!before) {
      await two.waitForSelector('#take-over');
      await two.keyboard.press('Escape');
    }
    await two.evaluate(async () => (await packed('js/deals.js')).shuffle());
    await follow(two, ROUND);
    // The other tab plays all the time, without a pause for the wipe.
    await two.evaluate(async () => {
      const session = await packed('js/session.js');
      let i = 0;
      window.playing = setInterval(() => { session.play('ULDR'[i % 4]); i += 1; }, 5);
    });
    await until(async () => (await running(two, held.server)).length === 2, 'both are with the server');
    await wipe(one);
    await two.waitForFunction(() => document.body.dataset.phase === 'whole');
    await ready(two);
    await one.evaluate(async () => (await packed('js/sync.js')).flush());
    await two.evaluate(async () => (await packed('js/sync.js')).flush());
    assert.deepEqual(await running(one, held.server), [], 'on the server');
    assert.deepEqual(await kept(one), [], 'and here');
    assert.deepEqual(problems.filter((text) => !/status of 404/.test(text)), []);
  });
}

test('a game that is undone at its end and finished again counts once, also where the answer was lost', async () => {
  const { page, context, problems } = await visit(held.browser, held.server.url);
  const hear = await standIn(context, '**/api/records', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch();
    return route.abort();
  });
  await finishOne(page);
  for (let i = 0; i < 3; i += 1) {
    await page.keyboard.press('Control+z');
    await page.keyboard.press(KEY.R);
    await page.waitForFunction(() => document.body.dataset.phase === 'won');
  }
  await until(async () => (await kept(page, 'records')).some((record) => record.attempted), 'the record was sent');
  hear();
  await page.reload();
  await ready(page);
  await until(async () => (await kept(page, 'records')).every((record) => record.posted), 'the record is with the server');
  assert.equal((await kept(page, 'records')).length, 1);
  assert.deepEqual(problems, []);
});

test('a deleted game stays deleted, though nobody heard that it had been sent', async () => {
  const { page, context, problems } = await visit(held.browser, `${held.server.url}${ROUND}`);
  const hear = await standIn(context, '**/api/saves/*', async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback();
    await route.fetch();
    return route.abort();
  });
  await circle(page, 3);
  await until(async () => (await running(page, held.server)).length === 1, 'the server has got it');
  await page.click('#load');
  await page.locator('#saves-list').getByRole('button', { name: /^Delete/ }).first().click();
  await until(async () => (await kept(page)).every((entry) => entry.gone), 'it is deleted here');
  hear();
  await page.evaluate(async () => (await packed('js/sync.js')).flushAll());
  await until(async () => (await running(page, held.server)).length === 0, 'and on the server');
  await page.reload();
  await ready(page);
  assert.equal((await kept(page)).filter((entry) => !entry.gone).length, 0);
  assert.deepEqual(problems, []);
});

test('a stranger’s page is no picture', async () => {
  const { page, context } = await visit(held.browser, held.server.url);
  await context.route('**/api/pictures/*', (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<p>log in</p>' }));
  const got = await page.evaluate(async () => {
    const { ownPicture } = await packed('js/sync.js');
    return (await ownPicture('0123456789abcdef01234567')) === null;
  });
  assert.ok(got);
  assert.deepEqual(await kept(page, 'pictures'), []);
});

test('a database that is late does not double what the server has, and is not taken for one that was emptied', async () => {
  const { page, context } = await visit(held.browser, held.server.url);
  await wipe(page);
  await follow(page, ROUND);
  await circle(page, 5);
  await savedMoves(page, held.server, 5);
  await saveAs(page, 'a copy');
  await idle(page);
  await page.close();
  await context.addInitScript(() => {
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function late(name, ...rest) {
      if (name !== 'pintu' || window.soon) return open.call(this, name, ...rest);
      const stand = new EventTarget();
      window.openLate = () => {
        const real = open.call(this, name, ...rest);
        for (const event of ['success', 'error', 'upgradeneeded', 'blocked']) real.addEventListener(event, (told) => { Object.defineProperty(stand, 'result', { value: real.result, configurable: true }); stand[`on${event}`]?.(told); });
      };
      return stand;
    };
  });
  const late = await tab(context, held.server.url);
  await late.waitForFunction(() => /browser/i.test(document.getElementById('link-state')?.textContent ?? ''));
  await late.evaluate(() => window.openLate());
  await late.waitForFunction(() => document.getElementById('link-state')?.hidden || document.getElementById('link-state')?.textContent === '');
  await late.evaluate(() => { window.soon = true; });
  const names = (await kept(late)).filter((entry) => !entry.gone).map(({ name }) => name).sort();
  assert.deepEqual(names, ['a copy', 'autosave']);
  assert.equal(await moves(late), 5);
});

test('a record that is taken back while the server deletes it stays, here and there', async () => {
  const { page, context, problems } = await visit(held.browser, held.server.url);
  await finishOne(page);
  const posted = async () => { const all = await kept(page, 'records'); return all.length === 1 && all[0].posted; };
  await until(posted, 'the record is with the server');
  let go = null;
  const deleting = new Promise((seen) => {
    void context.route('**/api/records/*', async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback();
      await new Promise((resolve) => { go = resolve; seen(null); });
      return route.continue();
    });
  });
  await page.evaluate(async () => {
    const { allRecords, removeRecord } = await packed('js/records.js');
    [window.removed] = allRecords();
    await removeRecord(window.removed);
    void (await packed('js/sync.js')).flush();
  });
  await deleting;
  await page.evaluate(async () => (await packed('js/records.js')).restoreRecord(window.removed));
  go();
  await page.evaluate(async () => (await packed('js/sync.js')).flush());
  await until(posted, 'the record is with the server again');
  const boards = await (await page.request.get(`${held.server.url}api/records`)).json();
  assert.equal(boards.flatMap(({ recent }) => recent).length, 1, 'on the server');
  assert.deepEqual(problems, []);
});

for (const [locale, words] of [['en-US', { ask: /middle of a game \(3 moves\)/, open: 'Open it', kept: /Your game is with the unfinished ones/ }], ['zh-CN', { ask: /已走 3 步/, open: '打开链接', kept: /已放进未完成的对局/ }]]) {
  test(`${locale}: a link that is opened during a replay asks about the game that waits, and gives it back`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, locale, reducedMotion: 'reduce' });
    await finishOne(page);
    await follow(page, ROUND);
    await circle(page, 3);
    await keptMoves(page, 3);
    const id = await onTable(page);
    await page.evaluate(async () => {
      const [record] = (await packed('js/records.js')).allRecords();
      (await packed('js/film.js')).replay(record.game);
    });
    await page.waitForFunction(() => document.body.dataset.phase === 'playback');
    // What waits is on the table, as the list has it: it is not deleted behind the player's back.
    await page.click('#load');
    await page.waitForSelector(`[data-save="${id}"]`);
    assert.equal(await page.locator(`[data-save="${id}"] .button`).count(), 0, 'nothing to go on with: it is the player’s own');
    await page.keyboard.press('Escape');
    await page.evaluate((hash) => { location.hash = hash; }, link(FIVE_LEFT));
    await page.waitForSelector('dialog[open]');
    assert.match(await page.innerText('dialog[open]'), words.ask, 'the player’s moves, not the film’s');
    await page.getByRole('button', { name: words.open, exact: true }).click();
    await noticed(page, words.kept);
    assert.deepEqual((await game(page)).tiles, FIVE_LEFT);
    await pressNotice(page);
    assert.deepEqual([await onTable(page), await moves(page)], [id, 3]);
    assert.deepEqual(problems, []);
  });
}

test('a notice that is pressed during a replay brings back what it says, and the game that waits can be gone on to', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, reducedMotion: 'reduce' });
  await finishOne(page);
  await follow(page, ROUND);
  await circle(page, 3);
  await page.click('#shuffle');
  const dealt = (await game(page)).start;
  await page.evaluate(async () => {
    const [record] = (await packed('js/records.js')).allRecords();
    (await packed('js/film.js')).replay(record.game);
  });
  await pressNotice(page);
  assert.equal(await moves(page), 3);
  await page.click('#redo');
  assert.deepEqual((await game(page)).start, dealt);
  assert.deepEqual(problems, []);
});

test('a game is said to be saved where it is: one without a move is not, however long its clock ran', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await scramble(page, FIVE_LEFT);
  const unmoved = await onTable(page);
  // As when the time to look runs out.
  await page.evaluate(async () => (await packed('js/session.js')).beginClock());
  await until(async () => (await game(page)).millis > 0, 'the clock runs');
  await page.keyboard.press('n');
  await until(async () => (await onTable(page)) !== unmoved, 'another game lies on the table');
  assert.doesNotMatch(await page.innerText('#toasts'), /saved/);
  await scramble(page, FIVE_LEFT);
  await page.keyboard.press(KEY.L);
  await page.keyboard.press('n');
  await noticed(page, /Your last game is saved/);
  assert.deepEqual(problems, []);
});

const REFUSED = /Nothing was deleted, here or on the server: /;
const UNKNOWN = /may have, or not\. Nothing was deleted in this browser/;
const said = (status, code) => (route) => route.fulfill({ status, contentType: 'application/json', body: JSON.stringify({ error: 'no', code }) });
for (const [how, answer, says] of [
  ['is full', said(507, 'storage-full'), REFUSED],
  ['fails', said(500, 'internal'), REFUSED],
  ['does not answer its proxy', (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }), UNKNOWN],
  ['deletes everything, and its answer is lost', async (route) => { await route.fetch(); await route.abort(); }, UNKNOWN],
]) {
  test(`what is said of deleting everything where the server ${how}`, async () => {
    const { page } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
    await saveAs(page, 'one');
    const answers = await standIn(page, '**/api/data', answer);
    await page.click('#load');
    const press = async () => {
      await page.click('#wipe');
      await page.getByRole('button', { name: 'Delete everything', exact: true }).click();
    };
    await press();
    await noticed(page, says);
    assert.ok((await kept(page)).some(({ name }) => name === 'one'), 'it is all here');
    answers();
    await press();
    await noticed(page, /Everything is deleted/);
    await until(async () => (await saves(page, held.server)).length === 0 && (await kept(page)).length === 0, 'nothing is left');
  });
}

test('a damaged file of everything is read as far as it can be, and the server takes its names', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  const begun = { version: 1, rows: 2, cols: 2, wrap_rows: [], wrap_cols: [], blank: 3, start: [1, 2, 0, 3], moves: '', millis: 0, helped: false, picture: 'builtin:dawn' };
  const name = `${'x'.repeat(79)}\u{1f9e9}`;
  const list = [{ name: `\u0007${name} and more`, updated_millis: 'soon', game: begun }, null, 7];
  const file = { pintu: 1, saves: list, records: null, pictures: null, days: 7 };
  await page.click('#load');
  await page.setInputFiles('#import-file', { name: 'all.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(file)) });
  await noticed(page, /1 game .*2 entries/);
  await until(async () => (await saves(page, held.server)).some((save) => save.name === name), 'the server takes the name');
  await page.click('#load');
  await page.getByText(name).first().waitFor();
  assert.deepEqual(problems, []);
});
