// When something fails: the browser's store, the server, or whoever is in between. It is said, told apart, tried
// again, and nothing is lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, FIVE_LEFT, KEY, atRest, game, link, noticed, pressNotice, ready, scramble, stage, standIn, tab, until, visit } from './harness.mjs';
import { ROUND, circle, essence, kept, keptMoves, moves, running, savedMoves, saves, writtenByAnother } from './library-steps.mjs';

const held = stage();
const mark = (page) => page.textContent('#link-state');
const marked = (page) => page.waitForSelector('#link-state:not([hidden])');
const unmarked = (page) => page.waitForSelector('#link-state', { state: 'hidden' });

/** What the sheet says about a store. */
async function told(page, part) {
  await page.click('#link-state');
  const text = await page.innerText(`#keep-${part}`);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  return text;
}

test('a database that does not open: said at once, kept on the server, and there after a reload', async () => {
  const denied = () => { IDBFactory.prototype.open = () => { throw new DOMException('denied', 'SecurityError'); }; };
  const { page, problems } = await visit(held.browser, `${held.server.url}${ROUND}`, DESKTOP, denied);
  await marked(page);
  assert.match(await mark(page), /Not saved in this browser/);
  assert.match(await told(page, 'browser'), /does not let the page store anything/);
  assert.match(await told(page, 'server'), /Everything is saved/);
  await circle(page, 6);
  const before = essence(await game(page));
  await savedMoves(page, held.server, 6);
  await page.reload();
  await ready(page);
  assert.deepEqual(essence(await game(page)), before);
  assert.deepEqual(problems, []);
});

test('a database whose upgrade fails: said, kept on the server, and written once it can be made', async () => {
  const failing = () => {
    const { createObjectStore } = IDBDatabase.prototype;
    IDBDatabase.prototype.createObjectStore = function createUnless(name, ...rest) {
      if (!window.healed && name === 'records') throw new DOMException('broken', 'UnknownError');
      return createObjectStore.call(this, name, ...rest);
    };
  };
  const { page } = await visit(held.browser, `${held.server.url}${ROUND}`, DESKTOP, failing);
  await marked(page);
  assert.match(await mark(page), /Not saved in this browser/);
  await circle(page, 6);
  const before = essence(await game(page));
  await savedMoves(page, held.server, 6);
  await page.reload();
  await ready(page);
  assert.deepEqual(essence(await game(page)), before, 'from the server');
  await page.evaluate(() => { window.healed = true; });
  await unmarked(page);
  await keptMoves(page, 6);
});

test('a full database: what to delete is said, the server has it, and it is written when there is room', async () => {
  const full = () => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function putUnlessFull(...args) {
      if (window.full) throw new DOMException('no room', 'QuotaExceededError');
      return put.apply(this, args);
    };
  };
  const { page, problems } = await visit(held.browser, `${held.server.url}${ROUND}`, DESKTOP, full);
  await circle(page, 2);
  await keptMoves(page, 2);
  await page.evaluate(() => { window.full = true; });
  await circle(page, 4);
  await marked(page);
  assert.match(await mark(page), /storage is full/);
  assert.match(await told(page, 'browser'), /Delete games or pictures/);
  await savedMoves(page, held.server, 6);
  assert.equal((await kept(page))[0].game.moves.length, 2);
  await page.evaluate(() => { window.full = false; });
  await unmarked(page);
  await keptMoves(page, 6);
  assert.equal((await kept(page)).length, 1);
  assert.deepEqual(problems, []);
});

test('a disk that turns out to be full when a write is carried out is said to be full', async () => {
  // As browsers do it: the request fails first, and what it failed with is the transaction's only when that is aborted.
  const full = () => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function putUntilFull(...args) {
      const { transaction } = this;
      let error = null;
      if (window.full) Object.defineProperty(transaction, 'error', { get: () => error });
      const request = put.apply(this, args);
      if (window.full) queueMicrotask(() => { transaction.dispatchEvent(new Event('error')); error = new DOMException('no room', 'QuotaExceededError'); transaction.abort(); });
      return request;
    };
  };
  const { page } = await visit(held.browser, `${held.server.url}${ROUND}`, DESKTOP, full);
  await circle(page, 2);
  await keptMoves(page, 2);
  await page.evaluate(() => { window.full = true; });
  await circle(page, 4);
  await marked(page);
  assert.match(await mark(page), /storage is full/);
  await page.evaluate(() => { window.full = false; });
  await unmarked(page);
  await keptMoves(page, 6);
});

test('both stores fail: it is said, the tab has it, and both get it when they are back', async () => {
  const failing = () => {
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function transactionUnless(...args) {
      if (window.failing) throw new DOMException('broken', 'UnknownError');
      return transaction.apply(this, args);
    };
  };
  const { page } = await visit(held.browser, `${held.server.url}${ROUND}`, DESKTOP, failing);
  await circle(page, 1);
  await savedMoves(page, held.server, 1);
  await page.evaluate(() => { window.failing = true; });
  await held.server.kill();
  await circle(page, 4);
  await page.waitForFunction(() => /only in this tab/.test(document.getElementById('link-words').textContent));
  await page.evaluate(() => { window.failing = false; });
  await held.server.start();
  await unmarked(page);
  await keptMoves(page, 5);
  await savedMoves(page, held.server, 5);
});

/** A page of this origin that runs none of our scripts, as another tab of another version. */
async function bystander(context) {
  const page = await context.newPage();
  await page.goto(`${held.server.url}favicon.svg`);
  return page;
}

test('a newer page upgrades the database while this one is open: it makes way, says so, and the server goes on', async () => {
  const { page, context } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await circle(page, 2);
  await keptMoves(page, 2);
  const newer = await bystander(context);
  const how = await newer.evaluate(() => new Promise((resolve) => {
    const request = indexedDB.open('pintu', 99);
    request.onblocked = () => resolve('blocked');
    request.onsuccess = () => { request.result.close(); resolve('upgraded'); };
  }));
  assert.equal(how, 'upgraded');
  await circle(page, 4);
  await marked(page);
  assert.match(await told(page, 'browser'), /newer version of this page/);
  await savedMoves(page, held.server, 6);
  await page.reload();
  await ready(page);
  assert.equal(await moves(page), 6, 'an old page on a new database goes on from the server');
});

test('a database that is late: play begins without it, and it gets everything once it opens', async () => {
  const { context } = await visit(held.browser, held.server.url);
  const holder = await bystander(context);
  await holder.evaluate(() => new Promise((resolve) => {
    const request = indexedDB.open('pintu');
    request.onsuccess = () => { window.connection = request.result; resolve(); };
  }));
  for (const other of context.pages()) if (other !== holder) await other.close();
  const deleter = await bystander(context);
  await deleter.evaluate(() => new Promise((resolve) => { indexedDB.deleteDatabase('pintu').onblocked = resolve; }));
  const page = await tab(context, `${held.server.url}${ROUND}`);
  await marked(page);
  await circle(page, 3);
  await savedMoves(page, held.server, 3);
  await holder.evaluate(() => window.connection.close());
  await unmarked(page);
  await keptMoves(page, 3);
});

test('the server is gone for half an hour of play: asked with growing pauses, and it has everything afterwards', async () => {
  const { page, context, problems } = await visit(held.browser, held.server.url);
  await page.close();
  const play = await context.newPage();
  await play.clock.install();
  await play.goto(`${held.server.url}${ROUND}`);
  await ready(play);
  await circle(play, 1);
  await savedMoves(play, held.server, 1);
  await atRest(play);
  let asked = 0;
  play.on('request', (request) => { asked += request.url().includes('/api/saves') ? 1 : 0; });
  await held.server.kill();
  await circle(play, 4);
  await marked(play);
  for (let minute = 0; minute < 30; minute += 1) {
    await circle(play, 4);
    await play.clock.fastForward('01:00');
  }
  await keptMoves(play, 125);
  assert.match(await mark(play), /Server offline/);
  assert.match(await told(play, 'server'), /does not answer/);
  assert.ok(asked < 200, `${asked} attempts in half an hour of 120 moves`);
  await held.server.start();
  await play.clock.fastForward('02:00');
  await savedMoves(play, held.server, 125);
  await unmarked(play);
  assert.equal((await running(play, held.server)).length, 1);
  assert.deepEqual(problems, []);
});

const REFUSALS = [
  ['429', { status: 429, body: { error: 'slow down', code: 'rate' }, headers: { 'Retry-After': '2' } }, /busy/, /too many requests at once/],
  ['408', { status: 408, body: { error: 'too slow', code: 'timeout' } }, /busy/, /the connection is slow/],
  ['a proxy’s error', { status: 502, text: '<h1>Bad gateway</h1>' }, /busy/, /a network or proxy answered in its place/],
  ['a proxy’s login page', { status: 200, text: '<h1>Welcome to the hotel</h1>' }, /No Pintu server here/, /a network or proxy answered in its place/],
  ['a full quota', { status: 507, body: { error: 'full', code: 'quota-saves' } }, /server space is full/, /delete games you no longer need/],
  ['a refusal', { status: 400, body: { error: 'no', code: 'bad-field' } }, /refused/, /something in it is not right/],
  ['a password', { status: 401, body: { error: 'password', code: 'password' } }, /password/, /asks for its password/],
];

for (const [name, { status, body, text, headers }, short, long] of REFUSALS) {
  test(`a save refused by ${name} is told as that, and is not taken for saved`, async () => {
    const { page } = await visit(held.browser, `${held.server.url}${ROUND}`);
    let refusing = true;
    await page.route('**/api/saves/*', (route) => (refusing && route.request().method() === 'PUT' ? route.fulfill({ status, headers, contentType: text ? 'text/html' : 'application/json', body: text ?? JSON.stringify(body) }) : route.continue()));
    await circle(page, 3);
    await marked(page);
    assert.match(await mark(page), short);
    assert.match(await told(page, 'server'), long);
    await keptMoves(page, 3);
    assert.equal((await kept(page))[0].dirty, true, 'not taken for saved');
    assert.deepEqual(await saves(page, held.server), []);
    // The sheet first: what is tried again by itself may take the mark away.
    await page.click('#link-state');
    await page.waitForSelector('#keep-again');
    refusing = false;
    await page.click('#keep-again');
    await savedMoves(page, held.server, 3);
    await unmarked(page);
  });
}

test('a host that has only the page is told as that, and everything is deleted here alone', async () => {
  const { page } = await visit(held.browser, held.server.url);
  await page.route('**/api/**', (route) => route.fulfill({ status: 404, contentType: 'text/html', body: '<h1>Not found</h1>' }));
  await page.goto(`${held.server.url}${ROUND}`);
  await until(async () => (await game(page)).origin === 'link', 'the link is opened');
  await circle(page, 3);
  await marked(page);
  assert.match(await mark(page), /No Pintu server here/);
  assert.match(await told(page, 'server'), /everything is kept in this browser/);
  await page.click('#load');
  await page.click('#wipe');
  await page.getByRole('button', { name: 'Delete everything', exact: true }).click();
  await noticed(page, /Everything in this browser is deleted/);
  assert.deepEqual(await kept(page), []);
});

test('what was refused is tried again by itself after a pause', async () => {
  const { page, context } = await visit(held.browser, held.server.url);
  await page.close();
  const play = await context.newPage();
  await play.clock.install();
  let refused = 0;
  await play.route('**/api/saves/*', (route) => {
    if (route.request().method() !== 'PUT' || refused >= 2) return route.continue();
    refused += 1;
    return route.fulfill({ status: 507, contentType: 'application/json', body: '{"error":"full","code":"quota-saves"}' });
  });
  await play.goto(`${held.server.url}${ROUND}`);
  await ready(play);
  await circle(play, 3);
  await marked(play);
  assert.equal(refused, 1, 'a move does not ask again at once');
  await until(async () => { await play.clock.fastForward('01:30'); return refused === 2; }, 'a second attempt');
  await until(async () => { await play.clock.fastForward('06:00'); return (await running(play, held.server)).length === 1; }, 'saved in the end');
  await unmarked(play);
});

test('a late writer gets 409, and both versions are kept, here and on the server', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await circle(page, 4);
  await savedMoves(page, held.server, 4);
  await writtenByAnother(page, held.server);
  await circle(page, 1);
  await noticed(page, /Both versions are saved/);
  await until(async () => (await running(page, held.server)).length === 2, 'both on the server');
  const there = (await running(page, held.server)).map((save) => save.moves).sort();
  assert.deepEqual(there, [5, 9]);
  const here = (await kept(page)).map((entry) => entry.game.moves.length).sort();
  assert.deepEqual(here, [5, 9]);
  await circle(page, 1);
  await savedMoves(page, held.server, 6);
  assert.equal((await running(page, held.server)).length, 2, 'and no third one');
  assert.deepEqual(problems.filter((text) => !/409/.test(text)), []);
});

test('an answer that was lost is no second version', async () => {
  const { page } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await circle(page, 1);
  await savedMoves(page, held.server, 1);
  let lost = 0;
  await page.route('**/api/saves/*', async (route) => {
    if (route.request().method() !== 'PUT' || lost) return route.continue();
    lost += 1;
    await route.fetch();
    return route.abort();
  });
  await circle(page, 1);
  await until(() => lost === 1);
  await circle(page, 3);
  await savedMoves(page, held.server, 5);
  assert.equal((await running(page, held.server)).length, 1);
});

/** Does the same in both languages, English first: what is said is said anew when the language changes. */
async function inBoth(page, both, listen) {
  for (const words of both) {
    await listen(words);
    await page.click('#language');
  }
  await page.waitForFunction(() => document.documentElement.lang === 'en');
}

test('a link is opened when the part for it comes, and the page does not wait for that', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  const hear = await standIn(page, /\/rest\.js/, (route) => route.abort());
  await page.goto(`${held.server.url}favicon.svg`);
  await page.goto(`${held.server.url}${link(FIVE_LEFT)}`);
  await ready(page);
  await inBoth(page, [/cannot be loaded/, /暂时打不开/], (away) => noticed(page, away));
  assert.notDeepEqual((await game(page)).tiles, FIVE_LEFT);
  await page.keyboard.press('n');
  await page.waitForFunction(() => document.body.dataset.phase === 'shuffled');
  hear();
  await pressNotice(page);
  await until(async () => (await game(page)).tiles.join() === FIVE_LEFT.join(), 'the link is open');
  assert.equal(new URL(page.url()).hash, '', 'and out of the address');
  assert.deepEqual(problems, []);
});

/** Why a file does not come, as it is said in both languages. */
const REASONS = {
  gone: [/: the server does not answer\.$/, /：服务器没有响应。$/],
  404: [/: it is no longer there\.$/, /：已经不在了。$/],
  500: [/: the server failed\.$/, /：服务器出错。$/],
  proxy: [/: a network or proxy answered in its place\.$/, /：应答的不是这台服务器，可能是网络代理。$/],
  garbled: [/: the file arrived damaged\.$/, /：收到的文件已损坏。$/],
  lost: [/: the file did not arrive completely\.$/, /：文件没有完整送达。$/],
};

test('a part or a place that does not come says what was answered, and comes when it can', async () => {
  const { page } = await visit(held.browser, held.server.url);
  const says = (kind) => inBoth(page, REASONS[kind], (reason) => page.waitForFunction((source) => [...document.querySelectorAll('.toast span')].some((node) => new RegExp(source).test(node.textContent)), reason.source));
  const refusal = (status, code) => (route) => route.fulfill({ status, json: { error: 'refused', code } });
  const answers = { 404: refusal(404, 'not-found'), 500: refusal(500, 'internal'), proxy: (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Log in</h1>' }), garbled: (route) => route.fulfill({ contentType: 'text/javascript', body: 'export const {' }), lost: (route) => route.abort() };
  // What is said does not depend on the file: a part is tried with one answer, a place with all of them.
  for (const [file, press, come, kinds] of [['records', '.places [data-place=records]', '#records h1', Object.entries(answers)], ['rest', '#open-help', 'dialog .key-list', Object.entries(answers).slice(0, 1)]]) {
    for (const [kind, answer] of kinds) {
      const hear = await standIn(page, new RegExp(`/${file}\\.js`), answer);
      await page.goto(`${held.server.url}favicon.svg`);
      await page.goto(held.server.url);
      await ready(page);
      await page.click(press);
      await says(kind);
      hear();
      await pressNotice(page);
      await page.waitForSelector(come);
    }
  }
  await page.goto(`${held.server.url}favicon.svg`);
  await page.goto(held.server.url);
  await ready(page);
  // No other words come later.
  await inBoth(page, ['en', 'zh-Hans'], (language) => page.waitForFunction((lang) => document.documentElement.lang === lang, language));
  await held.server.kill();
  await page.click('.places [data-place=records]');
  await says('gone');
});

test('where the browser remembers that a file did not come, the page is loaded anew, and the game goes on', async () => {
  const both = [{ stuck: /did not load.*your game is kept/, again: 'Try again', reload: 'Reload' }, { stuck: /没能加载.*这一局会保留/, again: '再试一次', reload: '刷新页面' }];
  const { page, problems } = await visit(held.browser, held.server.url);
  const hear = await standIn(page, /\/shared\.js/, (route) => route.abort());
  await page.goto(`${held.server.url}favicon.svg`);
  await page.goto(held.server.url);
  await ready(page);
  await scramble(page, FIVE_LEFT);
  for (const move of 'LDD') await page.keyboard.press(KEY[move]);
  await page.click('#share');
  await inBoth(page, both, ({ again }) => page.locator('.toast button', { hasText: again }).first().waitFor());
  // Some browsers remember it until the page is loaded anew; others ask again, and so it does not come again here.
  await until(async () => {
    await page.locator('.toast button', { hasText: both[0].again }).first().click({ timeout: 1000 }).catch(() => {});
    return (await page.locator('.toast').allTextContents()).some((note) => both[0].stuck.test(note));
  }, 'it is said that the browser does not ask again');
  await inBoth(page, both, async ({ stuck, reload }) => {
    await noticed(page, stuck);
    await page.getByRole('button', { name: reload, exact: true }).waitFor();
  });
  hear();
  await page.getByRole('button', { name: both[0].reload, exact: true }).click();
  await page.waitForFunction(() => performance.getEntriesByType('navigation')[0].type === 'reload');
  await ready(page);
  assert.equal((await game(page)).moves, 'LDD');
  await page.click('#share');
  await page.waitForSelector('#share-link');
  assert.deepEqual(problems, []);
});

test('a part that waits for a style is run anew when that comes; one that another version of the page does not have offers to reload', async () => {
  const { page } = await visit(held.browser, held.server.url);
  const style = await standIn(page, /\/css\/sheets\.css/, (route) => route.abort());
  await page.keyboard.press('?');
  await noticed(page, /cannot be loaded/);
  style();
  await pressNotice(page);
  await page.waitForSelector('dialog[open] .key-list');
  await page.keyboard.press('Escape');
  await standIn(page, /\/app\/records\.js/, (route) => route.fulfill({ status: 404, json: { error: 'refused', code: 'not-found' } }));
  await page.click('.places [data-place=records]');
  await noticed(page, /no longer there/);
  await pressNotice(page);
  await noticed(page, /your game is kept/);
  await page.getByRole('button', { name: 'Reload', exact: true }).waitFor();
});
