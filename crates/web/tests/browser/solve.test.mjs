// Auto-solve: every algorithm of the menu, stop, limits, playback, taking over, hints, and late answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, FIVE_LEFT, KEY, ONE_LEFT, PHONE, game, knowing, link, phase, resize, scramble, solution, stage, standIn, tab, toEnd, until, visit } from './harness.mjs';
import { kept, keptMoves } from './library-steps.mjs';

const held = stage();
const HARD = '#p=5x5&b=24&t=24.23.22.21.20.19.18.17.16.15.14.13.12.11.10.9.8.7.6.5.4.3.2.1.0&pic=night';

const open = async (hash, options = DESKTOP) => visit(held.browser, `${held.server.url}${hash}`, options);
const played = (page) => page.waitForSelector('#playback:not([hidden])');

const PROVING = new Set(['auto', 'bfs', 'bidirectional', 'astar', 'ida', 'iddfs', 'dijkstra', 'bfs-tree']);

/** Whether the engine itself calls its answer the shortest. */
async function optimal(page, algorithm) {
  const answer = await page.request.post(`${held.server.url}api/solve`, { data: { rows: 3, cols: 3, tiles: FIVE_LEFT, algorithm } });
  return (await answer.json()).optimal;
}

test('each algorithm of the menu plays a solution to the end', async () => {
  const { page, problems } = await open(link(FIVE_LEFT));
  const names = await page.locator('#algorithm option').evaluateAll((options) => options.map((option) => option.value));
  for (const name of ['auto', 'bfs', 'bidirectional', 'astar', 'ida', 'greedy', 'iddfs', 'dijkstra', 'dfs', 'bfs-tree', 'dfs-tree']) {
    assert.ok(names.includes(name), name);
    await page.selectOption('#algorithm', name);
    await page.click('#solve');
    await played(page);
    const badge = await page.textContent('#badge');
    if (PROVING.has(name)) assert.equal(badge, 'optimal', name);
    else assert.equal(badge, (await optimal(page, name)) ? 'optimal' : 'not proved optimal', name);
    if (name === 'dfs') assert.equal(badge, 'not proved optimal', 'depth first goes a long way round');
    await toEnd(page);
    const end = await game(page);
    assert.deepEqual(end.tiles, [1, 2, 3, 4, 5, 6, 7, 8, 0], name);
    assert.equal(end.helped, true);
    await page.click('#undo');
    assert.deepEqual((await game(page)).tiles, FIVE_LEFT, `${name}: undo returns to where the player was`);
  }
  assert.deepEqual(problems, []);
});

test('A* has its weight: 1 below 5×5, 5 there, and the player’s own', async () => {
  const { page, problems } = await open(link(FIVE_LEFT));
  await page.selectOption('#algorithm', 'astar');
  assert.equal(await page.inputValue('#weight'), '1');
  await page.keyboard.press('Escape');
  await page.evaluate((hash) => { location.hash = hash; }, HARD);
  await page.waitForFunction(() => document.querySelectorAll('.tile').length === 24);
  assert.equal(await page.inputValue('#weight'), '5');
  const request = page.waitForRequest('**/api/solve');
  await page.click('#solve');
  const body = (await request).postDataJSON();
  assert.deepEqual([body.algorithm, body.weight], ['wastar', 5]);
  await page.waitForSelector('#playback:not([hidden]), #try-next');
  assert.deepEqual(problems, []);
});

test('searching shows its counts and can be stopped', async () => {
  const { page, problems } = await open(HARD);
  await page.selectOption('#algorithm', 'ida');
  await page.evaluate(async () => (await packed('js/prefs.js')).setPref('seconds', 300));
  await page.click('#solve');
  await page.waitForFunction(() => Number(document.getElementById('s-expanded').textContent.replace(/\D/g, '')) > 1000);
  assert.equal(await phase(page), 'searching');
  assert.match(await page.textContent('#s-bound'), /\d/);
  await page.click('#stop');
  await page.waitForFunction(() => /Stopped/.test(document.getElementById('verdict').textContent));
  assert.equal(await phase(page), 'shuffled');
  assert.deepEqual(problems, []);
});

test('a limit says what was spent and proposes one that will do', async () => {
  const { page, problems } = await open(HARD);
  await page.evaluate(async () => (await packed('js/prefs.js')).setPref('seconds', 1));
  await page.selectOption('#algorithm', 'bfs');
  await page.click('#solve');
  await page.waitForSelector('#try-next');
  const text = await page.textContent('#verdict');
  assert.match(text, /ran out of (time|memory)/);
  assert.match(text, /[\d,]+ states expanded/);
  await page.click('#try-next');
  await page.waitForSelector('#playback:not([hidden])');
  await toEnd(page);
  assert.equal((await game(page)).tiles.at(-1), 0);
  assert.deepEqual(problems, []);
});

test('it ends with an answer at 10×10 too, labelled as not proved', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await page.evaluate(async () => (await packed('js/prefs.js')).setPref('seconds', 5));
  await resize(page, 10, 10);
  await page.click('#shuffle');
  await page.click('#solve');
  await page.waitForSelector('#playback:not([hidden])');
  assert.equal(await page.textContent('#badge'), 'not proved optimal');
  await toEnd(page);
  const { tiles, blank } = await game(page);
  assert.equal(tiles[blank], 0);
  assert.equal(await page.evaluate(() => document.getElementById('board').classList.contains('joined')), true);
  assert.deepEqual(problems, []);
});

test('where there is no engine but the server’s, the page says when that does not answer, and shows what it knows', async () => {
  const { page } = await open(link(FIVE_LEFT));
  await page.route('**/api/**', (route) => route.abort());
  await page.click('#solve');
  await page.waitForFunction(() => /server does not answer/.test(document.getElementById('verdict').textContent));
  await page.keyboard.press('h');
  await page.waitForFunction(() => /server does not answer/.test(document.querySelector('.toast')?.textContent));
  assert.deepEqual([await page.locator('.hinted').count(), (await game(page)).helped], [0, false]);
  await page.unroute('**/api/**');
  await knowing(page);
  await page.route('**/api/**', (route) => route.abort());
  await page.keyboard.press('h');
  await page.waitForSelector('.hinted');
  await page.click('#solve');
  await played(page);
  assert.match(await page.textContent('#verdict'), /stopped answering\. Its best so far: \d+ moves/);
  assert.equal(await page.textContent('#badge'), 'not proved optimal');
  await toEnd(page);
  assert.deepEqual((await game(page)).tiles, [1, 2, 3, 4, 5, 6, 7, 8, 0]);
});

test('playback: pause, step, scrub, speed, and taking over', async () => {
  const { page, problems } = await open(link(FIVE_LEFT));
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.click('#solve');
  await played(page);
  await page.click('#pb-play');
  const at = async () => Number(await page.inputValue('#pb-scrub'));
  const start = await at();
  await page.keyboard.press('.');
  assert.equal(await at(), start + 1);
  await page.keyboard.press(',');
  assert.equal(await at(), start);
  await page.evaluate(() => {
    const scrub = document.getElementById('pb-scrub');
    scrub.value = '3';
    scrub.dispatchEvent(new Event('input'));
  });
  assert.equal((await game(page)).moves.length, 3);
  await page.selectOption('#pb-speed', '8');
  await page.click('#pb-first');
  await page.locator('#pb-speed').blur();
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('Space');
  await page.clock.runFor(110);
  assert.equal(await at(), 2, 'two steps of 420 ms, eight times as fast');
  await page.keyboard.press('Space');
  const { moves } = await game(page);
  const movable = await page.locator('.tile.near').first();
  await movable.click();
  await until(async () => (await phase(page)) !== 'playback', 'touching a tile takes over');
  await until(async () => (await game(page)).moves.length > moves.length, 'the tile has moved');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  assert.deepEqual((await game(page)).tiles, FIVE_LEFT, 'one undo for the playback');
  assert.deepEqual(problems, []);
});

test('a hint points at the next moves and shows the distance; the game is helped', async () => {
  const { page, problems } = await open(link(FIVE_LEFT));
  await page.keyboard.press('h');
  await page.waitForSelector('.hinted .pointer');
  assert.equal(await page.locator('.pointer').count() <= 3, true);
  // Where the engine is slow, a longer way stands in for the shortest at first.
  await page.waitForFunction(() => /^\d+$/.test(document.getElementById('hud-left').textContent));
  await page.waitForFunction(() => document.getElementById('hint').getAttribute('aria-busy') === 'false');
  assert.match(await page.textContent('#live'), /Move tile \d+ (up|down|left|right); \d+ moves? left/);
  const left = Number(await page.textContent('#hud-left'));
  await page.locator('.hinted').click();
  assert.equal((await game(page)).helped, true);
  await page.keyboard.press('h');
  await page.waitForSelector('.hinted .pointer');
  assert.equal(Number(await page.textContent('#hud-left')), left - 1);
  await page.click('#solve');
  await played(page);
  await toEnd(page);
  await page.click('.places [data-place=records]');
  await page.waitForFunction(() => /No records yet/.test(document.getElementById('records-body')?.textContent ?? ''));
  assert.deepEqual(problems, []);
});

test('the distance left says that it is help before it is, and then follows the play', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await scramble(page, FIVE_LEFT);
  const asked = [];
  page.on('request', (request) => { if (request.url().endsWith('/api/solve')) asked.push(request); });
  await page.click('#show-left');
  assert.match(await page.innerText('dialog[open]'), /counts as help[^]*sets no record/);
  await page.getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual([(await game(page)).helped, asked.length, await page.getAttribute('#show-left', 'aria-pressed')], [false, 0, 'false']);
  await page.click('#show-left');
  await page.getByRole('button', { name: 'Help me anyway' }).click();
  const left = () => page.waitForFunction(() => /^\d+$/.test(document.getElementById('hud-left').textContent));
  await left();
  assert.equal((await game(page)).helped, true);
  await page.keyboard.press('ArrowUp');
  await left();
  await scramble(page, ONE_LEFT);
  assert.equal(await page.locator('#hud-left-box').isVisible(), false, 'another game is asked about anew');
  assert.equal((await game(page)).helped, false);
  assert.deepEqual(problems, []);
});

test('the moves left are asked for again when the server is back', async () => {
  const { page, problems } = await open(link(FIVE_LEFT));
  let refused = 0;
  const hear = await standIn(page, '**/api/**', (route) => { refused += route.request().url().endsWith('/api/solve'); return route.abort(); });
  await page.click('#show-left');
  await until(() => refused > 0, 'it is asked for in vain');
  assert.match(await page.textContent('#hud-left'), /^≥ \d$/);
  hear();
  await page.waitForFunction(() => document.getElementById('hud-left').textContent === '5');
  assert.deepEqual(problems, []);
});

for (const [locale, words] of [['en-US', { hint: /^There is no hint: the solver ran out of time\.$/, turn: /^IDA\* ran out of its share of the server’s time: 21\.0 s,/ }], ['zh-CN', { hint: /^没有提示：求解器达到了时间限制。$/, turn: /^IDA\* 达到了服务器分配的时间限制：21\.0 秒，/ }]]) {
  test(`${locale}: a search that ends without a solution says what it ran out of`, async () => {
    const { page, problems } = await open(link(FIVE_LEFT), { ...DESKTOP, locale });
    const limit = (reason) => ({ status: 'limit', reason, seconds: 21, expanded: 7, generated: 9, algorithm: 'ida' });
    await standIn(page, '**/api/solve', (route) => route.fulfill({ json: limit(route.request().postDataJSON().algorithm === 'auto' ? 'time' : 'cancelled') }));
    await page.keyboard.press('h');
    await page.waitForFunction((source) => new RegExp(source).test(document.querySelector('.toast span')?.textContent), words.hint.source);
    await page.selectOption('#algorithm', 'ida');
    await page.click('#solve');
    await page.waitForSelector('#try-next');
    assert.match(await page.textContent('#verdict .error'), words.turn);
    assert.deepEqual(problems, []);
  });
}

/** Answers searches, by their number and position: with a solution on the way after which the engine is not heard any more, or with one at the end. */
async function answering(page, answerTo) {
  const state = { asked: 0 };
  await standIn(page, '**/api/solve', (route) => {
    state.asked += 1;
    const { onTheWay, atTheEnd } = answerTo(state.asked, route.request().postDataJSON().tiles) ?? {};
    if (onTheWay) return route.fulfill({ contentType: 'text/event-stream', body: `event: progress\ndata: ${JSON.stringify({ expanded: 9, generated: 20, bound: 3, solution: { moves: onTheWay } })}\n\n` });
    return atTheEnd ? route.fulfill({ contentType: 'application/json', body: JSON.stringify({ status: 'solved', moves: atTheEnd, length: atTheEnd.length, optimal: false, algorithm: 'beam' }) }) : route.abort();
  });
  return state;
}

/** Notes each number of moves left that is shown from now on. */
const noteLeft = (page) => page.evaluate(() => {
  window.shownLeft = [];
  new MutationObserver(() => window.shownLeft.push(document.getElementById('hud-left').textContent)).observe(document.getElementById('hud-left'), { childList: true, characterData: true, subtree: true });
});
const shownLeft = (page) => page.evaluate(() => window.shownLeft);

test('a hint that was good gets no worse by asking again, and neither do the moves left', async () => {
  const { page } = await open(link(FIVE_LEFT));
  const state = await answering(page, (asked) => [{ onTheWay: 'LDDRR' }, { atTheEnd: 'DULDDRR' }][asked - 1]);
  const idle = () => page.waitForFunction(() => document.getElementById('hint').getAttribute('aria-busy') === 'false');
  await page.keyboard.press('h');
  await page.waitForFunction(() => document.getElementById('hud-left').textContent === '≤ 5');
  await idle();
  await noteLeft(page);
  const hinted = await page.getAttribute('.hinted', 'id');
  await page.keyboard.press('h');
  await until(() => state.asked === 2, 'it is asked again');
  await idle();
  assert.deepEqual([await page.textContent('#hud-left'), await shownLeft(page), await page.getAttribute('.hinted', 'id')], ['≤ 5', [], hinted]);
  assert.match(await page.textContent('#hint-line'), /5 moves left/);
  await page.keyboard.press(KEY.L);
  await page.keyboard.press('h');
  await page.waitForSelector('.hinted');
  assert.equal(await page.textContent('#hud-left'), '≤ 4', 'a move along the way is one move less');
});

test('the moves left only get fewer for a position, and are one fewer after a move along the way', async () => {
  const { page } = await open(link(FIVE_LEFT));
  // The first position is asked about anew whenever the server is back.
  await answering(page, (_, tiles) => (tiles.join() === FIVE_LEFT.join() ? { onTheWay: 'LDDRR' } : { atTheEnd: 'RLDDRR' }));
  await page.click('#show-left');
  await page.waitForFunction(() => document.getElementById('hud-left').textContent === '≤ 5');
  await noteLeft(page);
  await page.keyboard.press(KEY.L);
  // There may be a shorter way: it is asked for. The answer has come when what is known is called final.
  await until(() => page.evaluate(async () => (await packed('js/search.js')).recall((await packed('js/session.js')).current()).final === true), 'the answer is there');
  assert.deepEqual(await shownLeft(page), ['≤ 4']);
  await page.keyboard.press(KEY.R);
  assert.deepEqual(await shownLeft(page), ['≤ 4', '≤ 5'], 'and back');
});

test('help with a position that a link was made of is help with the kept game that came by it, and with no other', async () => {
  const { page, context, problems } = await visit(held.browser, held.server.url);
  await scramble(page, FIVE_LEFT);
  const moves = await solution(page, held.server.url);
  await page.keyboard.press(KEY[moves[0]]);
  const shared = link((await game(page)).tiles);
  await page.keyboard.press(KEY[moves[1]]);
  await scramble(page, [1, 2, 3, 4, 0, 5, 7, 8, 6]);
  await page.keyboard.press('ArrowLeft');
  await keptMoves(page, 1);
  const other = await tab(context, held.server.url + shared, problems);
  await other.keyboard.press(KEY[moves[1]]);
  await other.keyboard.press(KEY[moves[2]]);
  await other.keyboard.press('h');
  await other.waitForSelector('.hinted');
  await until(async () => (await kept(other)).filter(({ game: { helped } }) => helped).length === 2, 'the kept game is marked');
  await page.keyboard.press('ArrowUp');
  await page.waitForSelector('.win-card');
  assert.equal((await game(page)).helped, false, 'another game');
  await page.keyboard.press('Escape');
  await page.evaluate(async () => { (await packed('js/session.js')).bringBack(); });
  await until(async () => (await game(page)).helped, 'the game that comes back is read again');
  assert.deepEqual(problems, []);
});

test('a hint is said in the language that is chosen after it, and another go at its scramble says that it does not count', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await scramble(page, FIVE_LEFT);
  await page.keyboard.press(KEY[(await solution(page, held.server.url))[0]]);
  await page.keyboard.press('h');
  await page.waitForFunction(() => /^Move .* left/.test(document.getElementById('hint-line').textContent));
  const speak = (language) => page.evaluate(async (name) => (await packed('js/i18n.js')).setLanguage(name), language);
  await speak('zh');
  await page.waitForFunction(() => !/[a-z]/.test(document.getElementById('hint-line').textContent));
  assert.match(await page.textContent('#hint-line'), /步/);
  await speak('en');
  await page.keyboard.press('r');
  await page.waitForFunction(() => /had help with this one/.test(document.getElementById('caption').textContent));
  assert.deepEqual(problems, []);
});

test('to have read how long a solution is counts as help, stopped or not', async () => {
  const { page } = await visit(held.browser, held.server.url);
  await scramble(page, FIVE_LEFT);
  await knowing(page);
  await standIn(page, '**/api/solve', () => {});
  await page.click('#solve');
  await page.waitForSelector('#play-best:not([disabled])');
  await page.click('#stop');
  await page.waitForSelector('#play-kept');
  assert.equal((await game(page)).helped, true);
  await page.selectOption('#algorithm', 'bfs');
  await scramble(page, ONE_LEFT);
  await page.click('#solve');
  await page.waitForSelector('#searching:not([hidden])');
  await page.click('#stop');
  await page.waitForFunction(() => /Stopped/.test(document.getElementById('verdict').textContent));
  assert.equal((await game(page)).helped, false, 'nothing was told');
});

for (const [locale, device, words] of [['en-US', DESKTOP, { text: /counts as help[^]*sets no record and enters no average\.\s+Cancel/, no: 'Cancel', yes: 'Help me anyway' }], ['zh-CN', PHONE, { text: /使用后不计成绩[^]*不计入纪录，也不计入平均成绩。\s+取消/, no: '取消', yes: '仍要使用' }]]) {
  test(`${locale}: what counts as help is said where it is asked for, before it counts, and once`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...device, locale, first: true }, () => localStorage.setItem('pintu.met', 'true'));
    const press = (what) => page.click(device === PHONE ? `.bar [data-does=${what}]` : `#${what}`);
    await scramble(page, FIVE_LEFT);
    for (const what of ['hint', 'solve']) {
      await press(what);
      assert.match(await page.innerText('dialog[open]'), words.text);
      await page.getByRole('button', { name: words.no }).click();
      await page.waitForFunction(() => !document.querySelector('dialog'));
    }
    assert.deepEqual([(await game(page)).helped, await phase(page), await page.locator('.hinted').count()], [false, 'shuffled', 0]);
    await press('hint');
    await page.getByRole('button', { name: words.yes }).click();
    await page.waitForSelector('.hinted');
    assert.equal((await game(page)).helped, true);
    await scramble(page, ONE_LEFT);
    await press('solve');
    await played(page);
    assert.equal(await page.locator('dialog').count(), 0, 'it was said');
    assert.deepEqual(problems, []);
  });
}

test('who solves with the keyboard keeps the focus where it was: in the solver, through search, failure, playback and their ends', async () => {
  for (const device of [DESKTOP, PHONE]) {
    const { page, problems } = await open(link(FIVE_LEFT), device);
    const isPhone = device === PHONE;
    const focused = (selector, what) => until(() => page.evaluate((one) => document.activeElement?.matches(one), selector), what);
    const begin = isPhone ? '.bar [data-does=solve]' : '#solve';
    const limit = { status: 'limit', reason: 'time', seconds: 21, expanded: 9449215, generated: 19449215, lower_bound: 3, algorithm: 'bfs' };
    let fails = true;
    await page.evaluate(async () => (await packed('js/algorithms.js')).choose('bfs'));
    await standIn(page, '**/api/solve', (route) => (fails ? route.fulfill({ contentType: 'application/json', body: JSON.stringify(limit) }) : route.fallback()));
    await page.focus(begin);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#try-next');
    await focused(begin, 'a search that failed leaves the focus at what began it');
    fails = false;
    await page.focus('#try-next');
    await page.keyboard.press('Enter');
    await played(page);
    await focused(isPhone ? begin : '#pb-play', 'what was pressed is gone: what stands there has it');
    await toEnd(page);
    await page.focus('#pb-leave');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#playback', { state: 'hidden' });
    await focused(isPhone ? '.bar [data-does=more]' : '#algorithm', 'there is nothing to solve any more, but the menu');
    await page.click(isPhone ? '.bar [data-does=undo]' : '#undo');
    await page.focus(begin);
    await standIn(page, '**/api/solve', () => {});
    await page.evaluate(async () => (await packed('js/algorithms.js')).choose('ida'));
    await page.keyboard.press('Enter');
    await page.waitForSelector('#searching:not([hidden])');
    if (isPhone) await page.focus('#stop');
    await focused('#stop', 'a search can be stopped at once');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#searching', { state: 'hidden' });
    await focused(begin, 'and begun again');
    assert.deepEqual(problems, []);
  }
});

/** Holds every search back until it is let go; counts those that are open at once. */
async function holdBack(page) {
  const state = { asked: 0, open: 0, most: 0, routes: [] };
  await page.route('**/api/solve', (route) => {
    state.asked += 1;
    state.open += 1;
    state.most = Math.max(state.most, state.open);
    state.routes.push(route);
  });
  page.on('requestfailed', (request) => { if (request.url().endsWith('/api/solve')) state.open -= 1; });
  return state;
}

test('one search is open at a time: a new one ends the one before', async () => {
  const { page, problems } = await open(link(FIVE_LEFT));
  const state = await holdBack(page);
  await page.click('#solve');
  await until(() => state.asked === 1, 'the first search');
  await page.keyboard.press('h');
  await until(() => state.asked === 2, 'a hint asks, too');
  await until(() => state.open === 1, 'the first search has ended');
  await page.click('#solve');
  await until(() => state.asked === 3, 'a third search');
  await until(() => state.open === 1, 'the hint’s has ended');
  assert.equal(await page.locator('#searching').isVisible(), true, 'the last one goes on');
  await state.routes[2].continue();
  await played(page);
  assert.deepEqual(problems, []);
});

test('a late answer never touches a board that has moved on', async () => {
  const { page, problems } = await open(link(FIVE_LEFT));
  const state = await holdBack(page);
  await page.click('#solve');
  await until(() => state.asked === 1);
  await page.keyboard.press('ArrowUp');
  const after = await game(page);
  await until(() => state.open === 0, 'the search was cancelled');
  await state.routes[0].fulfill({ contentType: 'application/json', body: JSON.stringify({ status: 'solved', moves: 'D', length: 1, optimal: true }) }).catch(() => {});
  // A search of the position that is there now goes through the same channel after the late one.
  await page.click('#solve');
  await until(() => state.asked === 2);
  assert.deepEqual((await game(page)).tiles, after.tiles);
  assert.equal(await page.locator('#playback').isVisible(), false);
  assert.deepEqual(problems, []);
});

test('a full server is asked again, and play goes on', async () => {
  const { page } = await open(link(FIVE_LEFT));
  let full = true;
  await page.route('**/api/solve', async (route) => {
    if (!full) return route.continue();
    return route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, contentType: 'application/json', body: '{"error":"busy","code":"busy"}' });
  });
  await page.click('#solve');
  await page.waitForFunction(() => /busy/.test(document.getElementById('verdict').textContent));
  full = false;
  await played(page);
});

test('another language leaves the keyboard at what the solver offers, and a playback that rests is told of as it is', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link([2, 1, 3, 4, 5, 6, 7, 8, 0])}`);
  const speak = (language) => page.evaluate(async (name) => (await packed('js/i18n.js')).setLanguage(name), language);
  await page.focus('#verdict button');
  const before = await page.textContent('#verdict button');
  await speak('zh');
  await page.waitForFunction((text) => document.querySelector('#verdict button').textContent !== text, before);
  assert.equal(await page.evaluate(() => document.activeElement === document.querySelector('#verdict button')), true);
  await speak('en');
  await scramble(page, FIVE_LEFT);
  await page.click('#solve');
  await page.waitForSelector('#pb-scrub:visible');
  await page.evaluate(async () => (await packed('js/hud.js')).showRest({ at: 1, length: 4 }));
  await page.evaluate(async () => (await packed('js/hud.js')).showRest({ at: 1, length: 5 }));
  assert.match(await page.textContent('#caption'), /1 of 5/);
  assert.deepEqual(problems, []);
});
