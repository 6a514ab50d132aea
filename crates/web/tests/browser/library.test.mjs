// Games stay: whatever is done next, whatever fails, and wherever they are looked for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, FIVE_LEFT, KEY, game, link, noticed, perform, phase, pressNotice, ready, scramble, solution, stage, tab, until, visit } from './harness.mjs';
import { ACTS, ROUND, circle, finishOne, follow, goOn, kept, keptMoves, moves, saveAs, savedMoves, saves, survives, wipe } from './library-steps.mjs';

const held = stage();
/** Where nothing moves, the card of a win comes sooner. */
const CALM = { ...DESKTOP, reducedMotion: 'reduce' };

/** Deletes what this browser keeps, its cookie excepted. */
async function emptyBrowser(page, context) {
  await page.goto(`${held.server.url}favicon.svg`);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
    return new Promise((resolve) => { const request = indexedDB.deleteDatabase('pintu'); request.onsuccess = resolve; });
  });
  await page.close();
  return tab(context, held.server.url);
}

for (const name of Object.keys(ACTS)) {
  test(`${name}, then a reload, then kill -9: the running game is still there`, async () => {
    const { page, context, problems } = await visit(held.browser, held.server.url);
    const before = await survives(page, held.server, held.server.url, name);
    await page.goto('about:blank');
    const fresh = await emptyBrowser(await tab(context, held.server.url), context);
    await fresh.click('#load');
    const all = (await kept(fresh)).map((entry) => entry.game);
    assert.ok(all.some((entry) => entry.moves === before.done && entry.start.join() === before.start.join()), 'and in an empty browser');
    assert.deepEqual(problems, []);
  });
}

/** Thinks, without a move, until the game has taken so long; resolves to the time it has taken then. */
async function think(page, least) {
  await until(async () => (await game(page)).millis >= least, `${least} ms`);
  return (await game(page)).millis;
}

test('thinking before another game is part of the game that was left, and reaches the server', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await scramble(page, FIVE_LEFT);
  await page.keyboard.press(KEY.D);
  await keptMoves(page, 1);
  const left = await think(page, 2000);
  await page.click('#shuffle');
  const moved = async () => (await kept(page)).find(({ game: { moves: made } }) => made.length === 1);
  await until(async () => (await moved())?.game.millis >= left, 'the entry has the time');
  await until(async () => !(await moved()).dirty, 'and is sent');
  const { serverId } = await moved();
  const sent = await page.evaluate(async (id) => (await fetch(`/api/saves/${id}`)).json(), serverId);
  assert.ok((sent.game ?? sent).millis >= left, JSON.stringify(sent).slice(0, 200));
  const [latest] = (await kept(page)).sort((one, other) => other.turn - one.turn);
  assert.equal(latest.game.moves, '', 'the new game is still the one that was played last');
  assert.deepEqual(problems, []);
});

test('thinking counts up to a reload, another game and a crash, and the record has all of it', async () => {
  const { page, context, problems } = await visit(held.browser, held.server.url);
  await scramble(page, FIVE_LEFT);
  await page.keyboard.press(KEY.D);
  await keptMoves(page, 1);
  const before = await think(page, 1200);
  await page.reload();
  await ready(page);
  assert.ok((await game(page)).millis >= before, 'after a reload');
  await page.keyboard.press(KEY.U);
  const left = await think(page, before + 1200);
  await page.click('#shuffle');
  await until(async () => (await kept(page)).length === 2, 'the new scramble is kept, too');
  await page.reload();
  await ready(page);
  await goOn(page);
  assert.ok((await game(page)).millis >= left, 'after another game');
  await page.keyboard.press(KEY.D);
  await keptMoves(page, 3);
  // A document that crashes says nothing any more: what was noted while the game was thought about is what there is.
  const noted = () => page.evaluate(async () => (await packed('js/library.js')).elapsed((await packed('js/session.js')).current().id));
  await until(async () => (await noted()) >= left + 1000, 'thinking is noted without a move');
  const last = await noted();
  const crashed = page.waitForEvent('crash');
  await Promise.race([crashed, (await context.newCDPSession(page)).send('Page.crash').catch(() => crashed)]);
  await page.close();
  const next = await tab(context, held.server.url, problems);
  const found = (await game(next)).millis;
  assert.ok(found >= last, `${found} ms of ${last} after a crash`);
  await perform(next, await solution(next, held.server.url), (_, move) => next.keyboard.press(KEY[move]));
  await until(async () => (await kept(next, 'records')).length === 1);
  assert.ok((await kept(next, 'records'))[0].millis >= found, 'the record');
  assert.deepEqual(problems, []);
});

test('a scramble without a move survives a reload and leaves nothing behind when it is replaced', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await page.click('#shuffle');
  const { tiles } = await game(page);
  await until(async () => (await kept(page)).length === 1);
  await page.reload();
  await ready(page);
  assert.deepEqual((await game(page)).tiles, tiles);
  for (let i = 0; i < 5; i += 1) await page.click('#shuffle');
  // Faster than anything can be held.
  await page.evaluate(() => { for (let i = 0; i < 5; i += 1) document.getElementById('shuffle').click(); });
  await until(async () => (await kept(page)).length === 1, 'one scramble is on the table, none in the library');
  assert.deepEqual(await saves(page, held.server), []);
  assert.deepEqual(problems, []);
});

test('the library keeps the latest games, with picture, size and progress; the oldest unfinished ones go, those with names and those that cannot be read stay', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await scramble(page, FIVE_LEFT, 'builtin:pond');
  await page.keyboard.press(KEY.D);
  await keptMoves(page, 1);
  const most = await page.evaluate(async () => {
    const [{ KEPT }, store] = [await packed('js/library.js'), await packed('js/store.js')];
    const [entry] = await store.all('saves');
    const old = (id, turn, change = {}) => store.put('saves', { ...entry, id, turn, serverId: null, revision: null, dirty: false, ...change });
    await old('named', 1, { name: 'mine' });
    await old('broken', 2, { game: { ...entry.game, version: 99 } });
    for (let i = 0; i < KEPT - 3; i += 1) await old(`old${i}`, 3 + i);
    return KEPT;
  });
  assert.equal((await kept(page)).length, most);
  for (let i = 0; i < 3; i += 1) {
    await scramble(page, FIVE_LEFT, 'builtin:mist');
    await page.keyboard.press(KEY.D);
    await page.evaluate(async () => (await packed('js/library.js')).keep());
  }
  const left = async () => (await kept(page)).filter(({ gone }) => !gone).length;
  await until(async () => (await left()) === most + 1, 'two have gone: the one with a name does not count');
  const ids = new Set((await kept(page)).map(({ id }) => id));
  assert.deepEqual(['named', 'broken', 'old0', 'old1', 'old2'].map((id) => ids.has(id)), [true, true, false, false, true]);
  assert.equal(await page.locator('.toast').filter({ hasText: /delete/i }).count(), 0, 'nothing is said of it');
  await page.click('#load');
  await page.waitForFunction((count) => document.querySelectorAll('.save-item[data-save]').length === count, most + 1);
  assert.match(await page.locator('.save-item[data-save]').nth(3).innerText(), /Koi pond\s+3×3 · \d of 8 in place · 1 move/);
  await page.keyboard.press('Escape');
  await page.evaluate(async () => {
    const store = await packed('js/store.js');
    const [entry] = await store.all('saves');
    for (let i = 0; i < 9; i += 1) await store.put('saves', { ...entry, id: `other${i}`, name: 'autosave', turn: 3, serverId: null, revision: null, dirty: false });
  });
  await scramble(page, FIVE_LEFT, 'builtin:mist');
  await page.keyboard.press(KEY.D);
  await until(async () => (await left()) === most + 1 + 9 + 1 - 2, 'the games of another device that has joined go by twos');
  assert.deepEqual(problems, []);
});

test('a copy of a scramble that nobody has begun is the first go at it, and counts', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await scramble(page, FIVE_LEFT);
  await saveAs(page, 'for later');
  await page.click('#shuffle');
  await until(async () => (await kept(page)).length === 2, 'the scramble without a move has gone');
  await page.click('#load');
  await page.getByRole('button', { name: 'Open for later' }).click();
  await noticed(page, /Opened “for later”(?!\.)/);
  await page.keyboard.press(KEY.D);
  await keptMoves(page, 1);
  await page.click('#shuffle');
  await page.click('#load');
  await page.getByRole('button', { name: 'Open for later' }).click();
  await noticed(page, /another go/);
  assert.deepEqual(problems, []);
});

test('what is deleted while the list of games is on its way is deleted on the server, too: all of it', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await circle(page, 1);
  await saveAs(page, 'one');
  await saveAs(page, 'two');
  await until(async () => (await saves(page, held.server)).length === 3, 'the server has them');
  let answer = () => {};
  const asked = new Promise((resolve) => {
    void page.route('**/api/saves', async (route) => { resolve(); await new Promise((done) => { answer = done; }); await route.continue(); }, { times: 1 });
  });
  await page.click('#load');
  await asked;
  await page.getByRole('button', { name: 'Delete one' }).click();
  await until(() => page.evaluate(async () => (await navigator.locks.query()).pending.length > 0), 'it waits to be sent');
  await page.getByRole('button', { name: 'Delete two' }).click();
  await until(async () => (await kept(page)).filter(({ gone }) => gone).length === 2, 'both are to be deleted');
  answer();
  await until(async () => (await saves(page, held.server)).length === 1, 'both are gone');
  assert.deepEqual(problems, []);
});

test('a move costs as much in a large library as in a small one: one entry is read, one is written, one is sent', async () => {
  const { page } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await circle(page, 1);
  await savedMoves(page, held.server, 1);
  const asked = [];
  page.on('request', (request) => { if (request.url().includes('/api/')) asked.push(`${request.method()} ${new URL(request.url()).pathname.split('/')[2]}`); });
  await page.evaluate(() => {
    window.read = [];
    for (const name of ['get', 'getAll', 'put', 'count', 'openCursor']) {
      const act = IDBObjectStore.prototype[name];
      IDBObjectStore.prototype[name] = function noted(...args) { window.read.push(`${name} ${this.name}`); return act.apply(this, args); };
    }
  });
  await circle(page, 5);
  await savedMoves(page, held.server, 5 + 1);
  const read = await page.evaluate(() => window.read);
  assert.deepEqual([...new Set(read)].sort(), ['get saves', 'put saves'], 'nothing is read through');
  assert.deepEqual([...new Set(asked)], ['PUT saves']);
});

test('a game that is begun while the page waits for the server stays on the table when the answer comes', async () => {
  const { page, context } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await circle(page, 4);
  await savedMoves(page, held.server, 4);
  await page.goto(`${held.server.url}favicon.svg`);
  await page.evaluate(() => new Promise((resolve) => { localStorage.clear(); sessionStorage.clear(); Object.assign(indexedDB.deleteDatabase('pintu'), { onsuccess: resolve, onblocked: resolve }); }));
  let answer = null;
  await context.route('**/api/saves', async (route) => {
    if (route.request().method() === 'GET' && !answer) await new Promise((resolve) => { answer = resolve; });
    await route.continue();
  });
  await page.goto(held.server.url);
  await until(() => answer !== null, 'the page asks for the games');
  await page.waitForSelector('#shuffle');
  await page.click('#shuffle');
  await page.waitForFunction(() => document.body.dataset.phase === 'shuffled');
  const dealt = (await game(page)).start;
  answer();
  await ready(page);
  assert.deepEqual((await game(page)).start, dealt);
  await until(async () => (await kept(page)).some((entry) => entry.game.moves.length === 4), 'the other game is in the library');
});

test('two tabs that begin with an empty library take each game over once', async () => {
  const { page, context } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await circle(page, 4);
  await savedMoves(page, held.server, 4);
  await saveAs(page, 'mine');
  await until(async () => (await saves(page, held.server)).length === 2, 'both are with the server');
  await page.goto(`${held.server.url}favicon.svg`);
  await page.evaluate(() => new Promise((resolve) => { localStorage.clear(); sessionStorage.clear(); Object.assign(indexedDB.deleteDatabase('pintu'), { onsuccess: resolve, onblocked: resolve }); }));
  const two = await context.newPage();
  await Promise.all([page.goto(held.server.url), two.goto(held.server.url)]);
  await Promise.all([ready(page), ready(two)]);
  await until(async () => (await kept(page)).length >= 2, 'the games have come');
  assert.deepEqual((await kept(page)).map(({ name }) => name).sort(), ['autosave', 'mine']);
});

test('an unreadable save is told of and left as it is, whatever is played next', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await circle(page, 2);
  await keptMoves(page, 2);
  await until(async () => (await kept(page)).every(({ dirty }) => !dirty), 'nothing is on its way');
  const broken = await page.evaluate(() => new Promise((resolve) => {
    const request = indexedDB.open('pintu');
    request.onsuccess = () => {
      const store = request.result.transaction('saves', 'readwrite').objectStore('saves');
      store.getAll().onsuccess = ({ target }) => {
        const entry = { ...target.result[0], dirty: false, game: { ...target.result[0].game, version: 99 } };
        store.put(entry).onsuccess = () => resolve(entry);
      };
    };
  }));
  await page.reload();
  await ready(page);
  await noticed(page, /1 saved game could not be read/);
  await page.click('#shuffle');
  await page.keyboard.press(KEY.U);
  await page.keyboard.press(KEY.L);
  await page.evaluate(async () => (await packed('js/library.js')).keep());
  const now = (await kept(page)).find(({ id }) => id === broken.id);
  assert.deepEqual(now.game, broken.game);
  await page.click('#load');
  await page.waitForFunction(() => /cannot be read/.test(document.getElementById('saves-list')?.textContent));
  assert.deepEqual(problems, []);
});

test('what the server has comes back whole into an empty browser: games, copies, records and pictures', async () => {
  const { page, context, problems } = await visit(held.browser, held.server.url, CALM);
  for (let i = 0; i < 3; i += 1) await finishOne(page, i);
  await useOwnPicture(page);
  await page.evaluate((hash) => { location.hash = hash; }, ROUND);
  await page.waitForFunction(() => document.querySelectorAll('.tile').length === 15);
  await circle(page, 3);
  await scramble(page, FIVE_LEFT, (await kept(page, 'pictures'))[0].id);
  await page.keyboard.press(KEY.D);
  await saveAs(page, 'a copy');
  await until(async () => (await saves(page, held.server)).length === 3, 'the server has them');
  await until(async () => (await (await page.request.get(`${held.server.url}api/records`)).json())[0]?.games === 3);
  const before = (await kept(page)).filter(({ gone }) => !gone).map((entry) => `${entry.name} ${entry.game.start} ${entry.game.moves}`).sort();
  const fresh = await emptyBrowser(page, context);
  assert.equal(await moves(fresh), 1, 'the latest is on the table');
  const after = (await kept(fresh)).map((entry) => `${entry.name} ${entry.game.start} ${entry.game.moves}`).sort();
  assert.deepEqual(after, before);
  await until(async () => (await kept(fresh, 'records')).length === 3, 'the records');
  assert.equal((await kept(fresh, 'pictures')).length, 1, 'the picture');
  assert.doesNotMatch((await game(fresh)).picture, /^builtin/);
  assert.doesNotMatch(await fresh.textContent('#toasts'), /is not here/, 'and it is shown');
  assert.deepEqual(problems.filter((text) => !/favicon\.ico/.test(text)), []);
});

/** Plays with a picture of one's own. */
async function useOwnPicture(page) {
  await page.click('#more-pictures');
  await page.setInputFiles('#picture-file', { name: 'own.png', mimeType: 'image/png', buffer: Buffer.from(await stripes(page), 'base64') });
  await page.click('#crop-use');
  await page.waitForFunction(() => !document.querySelector('dialog'));
}

const stripes = (page) => page.evaluate(() => {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [64, 64];
  const ctx = canvas.getContext('2d');
  for (let i = 0; i < 64; i += 1) { ctx.fillStyle = `hsl(${i * 5} 80% 50%)`; ctx.fillRect(i, 0, 1, 64); }
  return canvas.toDataURL('image/png').split(',')[1];
});

test('a cookie that is lost: the server gets everything again, games, copies and records', async () => {
  const { page, context, problems } = await visit(held.browser, held.server.url, CALM);
  const records = async () => (await (await page.request.get(`${held.server.url}api/records`)).json())[0]?.games ?? 0;
  await finishOne(page);
  await finishOne(page, 1);
  await scramble(page, FIVE_LEFT);
  await page.keyboard.press(KEY.D);
  await scramble(page, [1, 2, 3, 4, 5, 6, 0, 7, 8]);
  for (const move of 'URD') await page.keyboard.press(KEY[move]);
  await saveAs(page, 'a copy');
  await until(async () => (await saves(page, held.server)).length === 3 && (await records()) === 2, 'all on the server');
  await context.clearCookies();
  await page.reload();
  await ready(page);
  await page.keyboard.press(KEY.U);
  await until(async () => (await records()) === 2, 'the records are there again');
  await until(async () => (await saves(page, held.server)).length === 3, 'the games and the copy, too');
  assert.deepEqual((await saves(page, held.server)).map((save) => save.moves).sort(), [1, 3, 4]);
  await until(async () => (await kept(page)).every(({ dirty }) => !dirty), 'nothing is left to be sent');
  assert.equal((await kept(page)).length, 3);
  assert.deepEqual(problems.filter((text) => !/404/.test(text)), []);
});

test('delete everything with a picture of one’s own on the table: all is gone, and what comes next is kept', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
  await useOwnPicture(page);
  await page.keyboard.press(KEY.D);
  await savedMoves(page, held.server, 1);
  await wipe(page);
  assert.equal(await phase(page), 'whole');
  assert.match((await game(page)).picture, /^builtin/);
  for (const store of ['saves', 'pictures', 'records']) assert.deepEqual(await kept(page, store), [], store);
  assert.deepEqual(await saves(page, held.server), []);
  await follow(page, ROUND);
  await circle(page, 2);
  await keptMoves(page, 2);
  await savedMoves(page, held.server, 2);
  assert.equal(await page.locator('#link-state').isVisible(), false, 'nothing is refused');
  assert.deepEqual(problems, []);
});

test('a picture can be deleted, here and on the server; of one in use that is asked first; undo brings it back', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
  await useOwnPicture(page);
  await page.keyboard.press(KEY.D);
  await savedMoves(page, held.server, 1);
  const [{ picture }] = await saves(page, held.server);
  await page.click('#more-pictures');
  await page.click('.own-picture .drop');
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  assert.match(await page.locator('dialog[open]').last().innerText(), /1 game shows this picture and will show “Hills at dawn” instead/);
  await page.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await page.locator('.own-picture').count(), 1, 'it stays');
  await page.click('.own-picture .drop');
  await page.getByRole('button', { name: 'Delete the picture' }).click();
  await page.waitForFunction(() => !document.querySelector('.own-picture'));
  await until(async () => (await saves(page, held.server))[0].picture === 'builtin:dawn');
  await until(async () => (await page.request.get(`${held.server.url}api/pictures/${picture}`)).status() === 404, 'gone from the server');
  assert.deepEqual(await kept(page, 'pictures'), []);
  await pressNotice(page);
  await until(async () => !(await saves(page, held.server))[0].picture.startsWith('builtin:'), 'taken back, and on the server again');
  const [{ picture: again }] = await saves(page, held.server);
  assert.equal((await page.request.get(`${held.server.url}api/pictures/${again}`)).status(), 200);
  assert.deepEqual(problems.filter((text) => !/404/.test(text)), []);
});

test('a picture that is deleted while it is sent stays deleted, here and on the server', async () => {
  const { page, context, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
  let go = null;
  let sent = '';
  await context.route('**/api/pictures', async (route) => {
    await new Promise((resolve) => { go = resolve; });
    const response = await route.fetch();
    sent = (await response.json()).id;
    await route.fulfill({ response });
  });
  await useOwnPicture(page);
  await page.keyboard.press(KEY.D);
  await until(() => go !== null, 'the picture is on its way');
  await page.click('#more-pictures');
  await page.click('.own-picture .drop');
  await page.getByRole('button', { name: 'Delete the picture' }).click();
  await page.waitForFunction(() => !document.querySelector('.own-picture'));
  go();
  await until(() => sent !== '', 'the server has got it');
  await until(async () => (await saves(page, held.server))[0]?.picture === 'builtin:dawn', 'the game shows another');
  await page.evaluate(async () => (await packed('js/sync.js')).flush());
  await until(async () => (await page.request.get(`${held.server.url}api/pictures/${sent}`)).status() === 404, 'gone from the server');
  assert.deepEqual(await kept(page, 'pictures'), []);
  assert.deepEqual(problems.filter((text) => !/404|409/.test(text)), []);
});
