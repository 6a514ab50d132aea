// The page's structure: places that load when they are entered, parts that need no order, boards and players by themselves.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { FIVE_LEFT, KEY, ONE_LEFT, PHONE, ROOT, atRest, game, link, noticed, phase, ready, scramble, stage, standIn, still, toEnd, visit } from './harness.mjs';
import { SIZES, misfits, objections } from './looks.mjs';

const held = stage();
const loaded = (page) => page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname.replace(/^\/page-[0-9a-f]+/, '')));

test('a second visit asks for the document and nothing else of the page', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await page.waitForLoadState('networkidle');
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Network.enable');
  /** @type {Map<string, { url: string, isCached: boolean }>} */ const asked = new Map();
  cdp.on('Network.requestWillBeSent', ({ requestId, request }) => asked.set(requestId, { url: request.url, isCached: false }));
  cdp.on('Network.requestServedFromCache', ({ requestId }) => { asked.get(requestId).isCached = true; });
  cdp.on('Network.responseReceived', ({ requestId, response }) => { if (response.fromDiskCache) asked.get(requestId).isCached = true; });
  await page.goto(`${held.server.url}lab`);
  await page.waitForSelector('#lab h1');
  await page.goto(held.server.url);
  await ready(page);
  await page.waitForLoadState('networkidle');
  asked.clear();
  await page.goto(`${held.server.url}lab`);
  await page.waitForSelector('#lab h1');
  await page.waitForLoadState('networkidle');
  const files = [...asked.values()].filter(({ url }) => url.startsWith(held.server.url) && !url.includes('/api/'));
  assert.ok(files.filter(({ isCached }) => isCached).length > 5, 'its files come from the cache');
  assert.deepEqual(files.filter(({ isCached }) => !isCached).map(({ url }) => url), [`${held.server.url}lab`]);
  assert.deepEqual(problems, []);
});

test('a place is loaded when it is first entered, with its own words, style, title and focus', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  assert.ok(!(await loaded(page)).some((name) => name.startsWith('/places/records/') || name.endsWith('/records.js') && name.startsWith('/app/')), 'not before');
  assert.equal(await page.title(), 'Pintu · the sliding picture');
  await page.click('.places [data-place=records]');
  await page.waitForSelector('#records h1');
  assert.equal(await page.title(), 'Records · Pintu');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Records');
  assert.equal(await page.locator('#board').isVisible(), false);
  assert.ok((await loaded(page)).includes('/places/records/records.css'));
  await page.goBack();
  await page.waitForFunction(() => document.title.startsWith('Pintu'));
  assert.equal(await page.locator('#board').isVisible(), true);
  await page.goForward();
  await page.waitForFunction(() => document.title.startsWith('Records'));
  await page.click('#language');
  await page.waitForFunction(() => document.querySelector('#records h1').textContent === '纪录' && document.title.startsWith('纪录'));
  assert.deepEqual(problems, []);
});

test('a place can be opened first, and the game follows when it is entered', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}records`);
  assert.equal(await page.locator('#board').isVisible(), false);
  assert.ok(!(await loaded(page)).some((file) => file.endsWith('/play.js')), 'the game is not loaded');
  await page.keyboard.press('n');
  await page.keyboard.press('?');
  assert.match(await page.innerText('dialog[open]'), /Ctrl Z/, 'help is everywhere');
  await page.keyboard.press('Escape');
  await page.click('.places [data-place=play]');
  await page.waitForSelector('.tile');
  assert.equal(await phase(page), 'whole', 'the key did nothing in the other place');
  await page.keyboard.press('n');
  assert.equal(await phase(page), 'shuffled');
  assert.deepEqual(problems, []);
});

test('a place that cannot be loaded says so, and the one before stays', async () => {
  const { page } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
  await atRest(page);
  await held.server.kill();
  await page.click('.places [data-place=records]');
  await noticed(page, /cannot be loaded/);
  assert.equal(await page.locator('#board').isVisible(), true);
  await page.keyboard.press(KEY.D);
  assert.equal((await game(page)).moves, 'D');
  // What has the focus does not go away, however long the server takes.
  await page.getByRole('button', { name: 'Try again' }).focus();
  await held.server.start();
  await page.getByRole('button', { name: 'Try again' }).press('Enter');
  await page.waitForSelector('#records h1');
});

test('a place whose style did not come is not shown without it', async () => {
  const { page } = await visit(held.browser, held.server.url);
  const hear = await standIn(page, /\/places\/records\/records\.css/, (route) => route.abort());
  await page.click('.places [data-place=records]');
  await noticed(page, /cannot be loaded/);
  assert.equal(await page.locator('#board').isVisible(), true);
  hear();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.waitForSelector('#records h1');
  assert.equal(await page.evaluate(() => document.querySelectorAll('link[href$="/places/records/records.css"]').length), 1);
  assert.ok((await page.evaluate(() => document.querySelector('link[href$="/places/records/records.css"]').sheet?.cssRules.length ?? 0)) > 0, 'its style is there');
});

test('the parts of the game need no order', async () => {
  for (const order of ['PARTS.reverse()', '[...PARTS.slice(7), ...PARTS.slice(0, 7)]']) {
    const context = await held.browser.newContext({ locale: 'en-US' });
    const page = await context.newPage();
    const problems = [];
    page.on('pageerror', (error) => problems.push(error.message));
    await page.route('**/play.js', async (route) => {
      const script = await (await route.fetch()).text();
      assert.ok(script.includes('of PARTS)'));
      await route.fulfill({ contentType: 'text/javascript', body: script.replace('of PARTS)', `of ${order})`) });
    });
    await page.goto(`${held.server.url}${link(FIVE_LEFT)}`);
    await ready(page);
    await page.waitForFunction(() => document.querySelector('.face').style.backgroundImage.startsWith('url("blob:'));
    assert.equal(await page.locator('#sizes button').count(), 4);
    assert.equal(await page.locator('#algorithm option').count(), 11);
    await page.keyboard.press(KEY.D);
    assert.equal(await page.textContent('#hud-moves'), '1');
    await page.keyboard.press('u');
    await page.click('#solve');
    await page.waitForSelector('#playback:not([hidden])');
    await toEnd(page);
    assert.equal(await page.evaluate(() => document.getElementById('board').classList.contains('joined')), true);
    assert.deepEqual(problems, []);
  }
});

test('several boards and players live on one page without knowing of each other', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  const seen = await page.evaluate(async () => {
    const [{ createBoard }, { createPlayback, createTransport }, { Game }] = await Promise.all(['board', 'playback', 'game'].map((name) => packed(`js/${name}.js`)));
    const make = (name) => {
      const root = document.createElement('div');
      root.className = 'board';
      document.getElementById('play').append(root);
      const shown = new Game({ rows: 3, cols: 3, start: [1, 2, 3, 4, 5, 6, 0, 7, 8] });
      const board = createBoard(root, () => shown, { onRun: (run) => { shown.make(run); board.follow(); }, onWholeTap() {}, onIdleTap() {} }, { name });
      return { root, shown, board };
    };
    const [one, two] = [make('one'), make('two')];
    one.root.querySelector('#one-7').click();
    const controls = document.createElement('div');
    document.getElementById('play').append(controls);
    const transport = createTransport(controls, { name: 'lab' });
    const at = [];
    const player = createPlayback({ length: 9, go: (from, to) => at.push([from, to]) }, transport);
    transport.drive(player);
    controls.querySelector('#lab-forward').click();
    controls.querySelector('#lab-last').click();
    controls.querySelector('#lab-first').click();
    one.board.destroy();
    return { one: one.shown.moves, two: two.shown.moves, ids: new Set([...document.querySelectorAll('[id]')].map(({ id }) => id)).size === document.querySelectorAll('[id]').length, at, left: one.root.children.length };
  });
  assert.deepEqual(seen, { one: 'R', two: '', ids: true, at: [[0, 1], [1, 9], [9, 0]], left: 0 });
  assert.equal((await game(page)).moves, '', 'the game’s own board has not moved');
  assert.deepEqual(problems, []);
});

test('links mean the same here and on the command line', async () => {
  const { links, refused } = JSON.parse(await readFile(path.join(ROOT, 'crates/game/golden/links.json'), 'utf8'));
  assert.ok(links.length >= 3 && refused.length >= 5);
  const { page } = await visit(held.browser, held.server.url);
  const read = await page.evaluate(async ({ good, bad }) => {
    const { fragmentOf, gameOf } = await packed('js/share.js');
    const said = (fragment) => { try { return gameOf(fragment) && ''; } catch (error) { return error.name; } };
    return {
      games: good.map(({ fragment }) => { const { board, blank, start } = gameOf(fragment); return { rows: board.rows, cols: board.cols, wrap_rows: [...board.wrapRows], wrap_cols: [...board.wrapCols], blank, start: [...start] }; }),
      again: good.map(({ fragment }) => fragmentOf(gameOf(fragment)).startsWith(fragment)),
      refused: bad.map(said),
    };
  }, { good: links, bad: refused });
  assert.deepEqual(read.games, links.map(({ fragment: _, ...rest }) => rest));
  assert.ok(read.again.every(Boolean));
  assert.deepEqual(read.refused, refused.map(() => 'RangeError'));
});

for (const [locale, says, columns] of [['en-US', /No records yet/, ['Board', 'Time', 'Moves', 'Replay']], ['zh-CN', /还没有纪录/, ['棋盘', '用时', '步数', '回放']]]) {
  test(`${locale} on a phone: Records shows in outline what will stand there and leads to it, and then has columns with heads`, async () => {
    const { page, problems } = await visit(held.browser, `${held.server.url}records`, { ...PHONE, locale });
    assert.match(await page.textContent('#records-body'), says);
    assert.deepEqual(await page.locator('.outline tbody td').evaluateAll((cells) => cells.map((cell) => cell.textContent)), ['4×4', '–', '–', '–', '–', '0']);
    assert.deepEqual([...(await misfits(page, SIZES.phone)), ...(await objections(page))], []);
    await page.click('#records-begin');
    await page.waitForFunction(() => document.body.dataset.phase === 'shuffled');
    await scramble(page, ONE_LEFT);
    await page.keyboard.press(KEY.R);
    await page.waitForSelector('dialog.win-card');
    await page.keyboard.press('Escape');
    await page.click('.places [data-place=records]');
    await page.waitForSelector('.games tbody tr');
    await still(page);
    const shown = await page.evaluate(() => {
      const seen = (node) => { const { width, height } = node.getBoundingClientRect(); return width > 1 && height > 1 && getComputedStyle(node).clipPath === 'none'; };
      const right = (node) => Math.round(node.getBoundingClientRect().right);
      const [heads, cells] = [document.querySelectorAll('.games th'), document.querySelectorAll('.games tbody td')];
      return { heads: [...heads].filter(seen).map((node) => node.textContent), under: [1, 2].map((i) => right(heads[i]) - right(cells[i])), small: [...document.querySelectorAll('.games .acts > *')].filter((node) => Math.min(node.offsetWidth, node.offsetHeight) < 40).length };
    });
    assert.deepEqual(shown, { heads: columns, under: [0, 0], small: 0 });
    assert.deepEqual([...(await misfits(page, SIZES.phone)), ...(await objections(page)), ...problems], []);
  });
}
