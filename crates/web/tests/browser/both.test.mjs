// The page of a server that has the engine for browsers as well: each question goes to whichever answers it better.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { ENGINE } from './engine.mjs';
import { DESKTOP, FIVE_LEFT, atRest, launch, link, skip, startServer, until, visit, warmed } from './harness.mjs';

const FIFTEEN = { text: '14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3', goal_text: 'blank-first', limits: { seconds: 60 } };
const EASY = { rows: 3, cols: 3, tiles: FIVE_LEFT };
const options = { skip: !ENGINE };
const held = {};
if (!ENGINE) skip('the page with a server and an engine of its own: there is no engine for browsers');

before(async () => { if (ENGINE) held.browser = await launch(); });
beforeEach(async () => { if (ENGINE) held.server = await startServer({ engine: ENGINE }); });
afterEach(async () => {
  await Promise.all((held.browser?.contexts() ?? []).map((context) => context.close()));
  await held.server?.clean();
});
after(async () => { await held.browser?.close(); });

const asked = (page, what, body) => page.evaluate(async ([call, request]) => (await packed('js/port.js')).port[call](request).promise, [what, body]);

/** Opens the page and notes what the server is asked of the engine, and for its module. */
async function opened(address = '', device = DESKTOP) {
  const visited = await visit(held.browser, `${held.server.url}${address}`, device);
  const calls = [];
  visited.page.on('request', (request) => {
    const found = /\/(api\/(?:solve|race|trace|path|check|examine)|engine-\w+\/.*)$/.exec(request.url());
    if (found) calls.push(found[1].replace(/engine-\w+/, 'engine'));
  });
  return { ...visited, calls };
}

test('the server answers until a worker is ready, then hard boards alone', options, async () => {
  const { page, calls, problems } = await opened(link(FIVE_LEFT));
  assert.deepEqual(calls, [], 'nobody fetches the engine before it is wanted');
  await page.click('#hint');
  await page.waitForSelector('#hint-line:not([hidden])');
  await until(() => calls.includes('engine/engine.wasm'), 'the engine is fetched');
  await warmed(page);
  const map = '3 5\n10030\n02220\n00004\n';
  const contestants = [{ algorithm: 'bfs' }, { algorithm: 'astar', heuristic: 'manhattan' }];
  calls.length = 0;
  assert.equal((await asked(page, 'solve', { ...EASY, algorithm: 'auto' })).length, 5);
  assert.equal((await asked(page, 'race', { ...EASY, contestants })).length, 2);
  assert.equal((await asked(page, 'path', { map, format: 'sea' })).status, 'found');
  assert.equal((await asked(page, 'check', EASY)).status, 'solvable');
  await asked(page, 'trace', { ...EASY, algorithm: 'astar' });
  assert.deepEqual(calls, []);
  assert.equal((await asked(page, 'solve', FIFTEEN)).length, 57);
  assert.deepEqual(calls, ['api/solve']);
  assert.deepEqual(problems, []);
});

test('the menu knows what a search at the server may hold', options, async () => {
  const { page, problems } = await opened(link(FIVE_LEFT));
  await page.route('**/api/limits', (route) => route.fulfill({ json: { search_bytes: 20e6 } }));
  await page.reload();
  await until(() => page.evaluate(async () => (await packed('js/port.js')).meansOf('bfs').statesHeld === 6), 'a million states');
  assert.deepEqual(problems, []);
});

test('a large board brings the networks that it has a use for, once', options, async () => {
  const { page, calls } = await opened();
  await warmed(page);
  calls.length = 0;
  for (const [rows, cols] of [[5, 6], [6, 6], [6, 7], [7, 7], [7, 7]]) {
    const tiles = Array.from({ length: rows * cols }, (_, cell) => (cell + 1) % (rows * cols));
    [tiles[rows * cols - 1], tiles[rows * cols - 2]] = [tiles[rows * cols - 2], 0];
    assert.equal((await asked(page, 'hint', { rows, cols, tiles, limits: { nodes: 100 } })).status, 'solved');
    if (rows < 7) assert.deepEqual(calls, rows < 6 ? [] : ['engine/6.bin'], `${rows}×${cols}`);
  }
  assert.deepEqual(calls, ['engine/6.bin', 'engine/7.bin']);
});

test('a worker answers where the server is away or full, and the server where a worker cannot', options, async () => {
  const { page, calls, problems } = await opened();
  await warmed(page);
  await page.route('**/api/solve', (route) => route.fulfill({ status: 503, headers: { 'Retry-After': '30' }, json: { error: 'full', code: 'busy' } }));
  calls.length = 0;
  assert.deepEqual([(await asked(page, 'solve', FIFTEEN)).length, calls], [57, ['api/solve']]);
  await page.unroute('**/api/solve');
  // What a proxy says whose server is away, and a network that wants its guests to log in.
  for (const status of [502, 404, 200]) {
    await page.route('**/api/solve', (route) => route.fulfill({ status, contentType: 'text/html', body: '<h1>Login</h1>' }));
    assert.equal((await asked(page, 'solve', FIFTEEN)).length, 57, `${status}`);
    await page.unroute('**/api/solve');
  }
  await held.server.kill();
  assert.equal((await asked(page, 'solve', FIFTEEN)).length, 57);
  await held.server.start();
  assert.deepEqual(problems.filter((text) => !/50[23]|404|ERR_CONNECTION/.test(text)), []);

  const other = await opened();
  await other.page.route('**/engine.wasm', (route) => route.fulfill({ status: 404, body: '' }));
  for (const what of ['solve', 'hint', 'check']) await asked(other.page, what, EASY);
  await until(() => other.calls.includes('engine/engine.wasm'), 'the engine is asked for');
  await asked(other.page, 'examine', EASY);
  assert.deepEqual(other.calls.filter((call) => call.startsWith('api/')), ['api/solve', 'api/solve', 'api/check', 'api/examine']);
});

for (const [locale, says] of [['en-US', /^The server does not answer\. Keep playing and try again when it is back\.$/], ['zh-CN', /^服务器没有响应。先玩着，等它恢复再试。$/]]) {
  test(`${locale}: where the server goes before anything was searched, hint and solve say so, and answer when it is back`, options, async () => {
    const { page, calls } = await opened(link(FIVE_LEFT), { ...DESKTOP, locale });
    await atRest(page);
    await held.server.kill();
    const told = (selector) => page.waitForFunction(([where, source]) => new RegExp(source).test(document.querySelector(where)?.textContent), [selector, says.source]);
    await page.click('#hint');
    await told('.toast span');
    await page.click('#solve');
    await told('#verdict .error');
    assert.deepEqual(await page.locator('.hinted').count(), 0);
    await held.server.start();
    await page.click('#verdict button').catch(() => page.click('#solve'));
    await page.waitForSelector('#playback:not([hidden])');
    assert.ok(calls.includes('api/solve'));
  });
}
