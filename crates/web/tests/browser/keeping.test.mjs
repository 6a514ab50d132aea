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

for (const [how, before] of [['locks', null], ['a lease', noLocks]]) {
  test(`with ${how}, what is deleted stays deleted, whatever is on its way and whoever plays on`, async () => {
    const { page: one, context, problems } = await visit(held.browser, `${held.server.url}${ROUND}`, DESKTOP, before);
    await circle(one, 4);
    await savedMoves(one, held.server, 4);
    const two = await tab(context, held.server.url, problems);
    await two.waitForSelector('#take-over');
    await two.keyboard.press('Escape');
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
    await two.evaluate(() => clearInterval(window.playing));
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
  const hear = await standIn(context, '**/api/saves', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
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
    const { ownPicture } = await packed('js/exchange.js');
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

/** Begins so many games, each with a move more than the one before. */
async function beginGames(page, count, from = 1) {
  for (let n = from; n < from + count; n += 1) {
    await scramble(page, FIVE_LEFT);
    await page.evaluate(async (run) => {
      const session = await packed('js/session.js');
      for (const move of run) session.play(move);
      await (await packed('js/library.js')).keep();
    }, 'DU'.repeat(n).slice(0, n));
  }
}

for (const [locale, words] of [
  ['en-US', { crowded: /When you start another, the oldest moves to “To be deleted”/, room: /^More than 30 unfinished games: the oldest will be deleted after 10 more\.Load$/, last: /^The next game you start deletes “Hills at dawn 3×3, 1 move”\.Keep it$/, lastMany: /^The next game you start deletes \d old ones\.Keep them$/, savedMany: /^\d games are saved/, goes: /will be deleted after 10 more games/, saved: /Saved as “Hills at dawn 3×3, 1 move”/, name: 'Hills at dawn 3×3, 1 move' }],
  ['zh-CN', { crowded: /最早的一局就列入“即将删除”/, room: /^未完成的对局超过 30 局：再开 10 局，最早的一局就会删除。打开$/, last: /^下次开局会删除“晓山 3×3，1 步”。保留$/, lastMany: /^下次开局会删除最早的 \d 局。全部保留$/, savedMany: /^\d 局已各自起名保存/, goes: /再开 10 局后删除/, saved: /已存为“晓山 3×3，1 步”/, name: '晓山 3×3，1 步' }],
]) {
  test(`${locale}: the game that makes room for another is told of before and when it does, once and shortly, and can be kept long after its notice`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, locale });
    const { KEPT } = await page.evaluate(async () => ({ ...(await packed('js/entries.js')) }));
    const here = async () => (await kept(page)).filter(({ gone }) => !gone);
    await beginGames(page, KEPT - 1);
    await page.click('#load');
    await page.waitForFunction((count) => document.querySelectorAll('.save-item[data-save]').length === count, KEPT - 1);
    assert.equal(await page.locator('#saves-crowded').count(), 0, 'there is room');
    await page.keyboard.press('Escape');
    await beginGames(page, 1, KEPT);
    await page.click('#load');
    await page.waitForSelector('#saves-crowded');
    assert.match(await page.textContent('#saves-crowded'), words.crowded, 'said before it happens');
    await page.keyboard.press('Escape');
    // A game that cannot be read is none that makes room.
    const oldest = (await here()).find((entry) => entry.game.moves.length === 1);
    await page.evaluate(async (entry) => (await packed('js/store.js')).put('saves', { ...entry, id: 'broken', turn: 1, dirty: false, serverId: null, game: { ...entry.game, version: 99 } }), oldest);
    await page.click('#shuffle');
    await until(async () => (await here()).length === KEPT + 2, 'nothing makes room for what is not played yet');
    await beginGames(page, 1, KEPT + 1);
    await noticed(page, words.room);
    // The next notice takes its place at once, and another document knows nothing of it.
    await page.reload();
    await ready(page);
    await page.click('#load');
    assert.match(await page.innerText(`[data-save="${oldest.id}"]`), words.goes);
    assert.ok((await here()).some(({ id }) => id === 'broken'), 'what cannot be read is left untouched');
    await page.locator(`[data-save="${oldest.id}"] .button`).nth(1).click();
    await noticed(page, words.saved);
    const now = (await here()).find(({ id }) => id === oldest.id);
    assert.deepEqual([now.name, now.game.moves, now.game.start], [words.name, oldest.game.moves, oldest.game.start]);
    await until(async () => (await saves(page, held.server)).some(({ name }) => name === words.name), 'on the server, too');
    assert.equal((await running(page, held.server)).length, KEPT);
    await page.keyboard.press('Escape');
    // Several at a time, as after another browser's games have come from the server.
    await page.evaluate(async (entry) => {
      const { put } = await packed('js/store.js');
      await put('saves', { ...entry, id: 'came', name: 'autosave', turn: 2, dirty: false, serverId: null });
    }, oldest);
    await beginGames(page, 1, KEPT + 2);
    await noticed(page, words.room);
    assert.deepEqual((await here()).filter(({ name, left }) => name === 'autosave' && left !== undefined).map(({ left }) => left), [10, 10], 'two make room, each with ten games to go');
    // One that has waited goes with the next game that is begun.
    await page.evaluate(async (entry) => (await packed('js/store.js')).put('saves', { ...entry, id: 'waited', name: 'autosave', turn: 3, left: 1, dirty: false, serverId: null }), oldest);
    await beginGames(page, 1, KEPT + 3);
    await until(async () => !(await here()).some(({ id }) => id === 'waited'), 'it has gone');
    // Once somebody waits, the list alone tells of the others; the first that goes is told of once more.
    const waiting = (await here()).filter(({ name, left }) => name === 'autosave' && left !== undefined);
    await page.evaluate(async (list) => {
      const { put } = await packed('js/store.js');
      for (const entry of list) await put('saves', { ...entry, left: 3 });
      (await packed('js/sheets.js')).hush();
    }, waiting);
    await beginGames(page, 1, KEPT + 4);
    const left = async (moved) => (await here()).find((entry) => entry.left !== undefined && entry.game.moves.length === moved)?.left;
    await until(async () => (await left(2)) === 2, 'another waits');
    assert.equal(await page.locator('.toast').count(), 0, 'and nothing is said of it');
    await beginGames(page, 1, KEPT + 5);
    await noticed(page, words.lastMany);
    await pressNotice(page);
    await noticed(page, words.savedMany);
    assert.equal((await here()).filter(({ name }) => name !== 'autosave').length, 1 + waiting.length, 'they are kept');
    await page.evaluate(async (entry) => (await packed('js/store.js')).put('saves', { ...entry, id: 'alone', name: 'autosave', turn: 4, left: 2, dirty: false, serverId: null }), oldest);
    await beginGames(page, 1, KEPT + 6);
    await noticed(page, words.last);
    await page.evaluate(async () => (await packed('js/saves.js')).afresh());
    assert.equal(await page.locator('.toast').count(), 0, 'what it offers is gone with everything');
    assert.deepEqual(problems, []);
  });
}

test('a game whose first move comes while it is being written is begun once, and only once do the oldest make room for it', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await beginGames(page, 1);
  const crowded = await page.evaluate(async ([start]) => {
    const { keep } = await packed('js/library.js');
    const { KEPT, onLibrary } = await packed('js/entries.js');
    const session = await packed('js/session.js');
    const { put, get: read } = await packed('js/store.js');
    const { Game } = await packed('js/game.js');
    const entry = await read('saves', session.current().id);
    for (let i = 0; i < KEPT; i += 1) await put('saves', { ...entry, id: `old${i}`, turn: i + 1, left: i === 1 ? 1 : undefined, dirty: false, serverId: null });
    session.replace(new Game({ rows: 3, cols: 3, start, picture: 'builtin:dawn' }));
    await keep();
    const heard = [];
    onLibrary('crowded', (oldest) => { heard.push(oldest.map(({ entry: { id } }) => id)); });
    const { get } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.get = function played(id) {
      if (this.name === 'saves' && id === session.current().id) {
        IDBObjectStore.prototype.get = get;
        session.play('D');
      }
      return get.call(this, id);
    };
    await keep();
    await keep();
    return heard;
  }, [FIVE_LEFT]);
  assert.deepEqual(crowded, [['old1', 'old0']]);
  // The one that was among the latest until now has all its time, though it had waited once before.
  await until(async () => (await kept(page)).filter(({ id }) => ['old0', 'old1'].includes(id)).every(({ left }) => left === 10), 'both begin to wait');
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
