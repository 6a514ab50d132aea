// What counts, and what is said of it: one rule for records, averages and the card of a win, judged by what is kept and not by what a tab knows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, FIVE_LEFT, KEY, ONE_LEFT, game, noticed, ready, resize, scramble, stage, standIn, tab, until, visit } from './harness.mjs';
import { kept, keptOther, noLocks, onTable, saveAs, savedMoves } from './library-steps.mjs';

const held = stage();
/** Where nothing moves, the card of a win comes sooner. */
const CALM = { ...DESKTOP, reducedMotion: 'reduce' };
const WORDS = {
  'en-US': { again: /more than one go at this scramble, so it sets no record/, caption: /Same scramble again: it sets no record/, best: /Best time/, loaded: /Opened “[^”]*”\. It is another go/, quick: /Faster than a hand/ },
  'zh-CN': { again: /这个打乱不止做过一次，不计入纪录/, caption: /再来一次，不计入纪录/, best: /最快纪录/, loaded: /算另做一次，不计入纪录/, quick: /手速不可能这么快/ },
};

/** Makes moves of the blank, with time between them, and waits for the card. */
async function finish(page, moves) {
  const { millis } = await game(page);
  for (const [i, move] of [...moves].entries()) {
    await page.keyboard.press(KEY[move]);
    if (i < moves.length - 1) await until(async () => (await game(page)).millis >= millis + (i + 1) * 5, 'some time has passed');
  }
  await page.waitForSelector('dialog.win-card');
}

const close = async (page) => {
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog'));
};
const flags = (page) => page.locator('#win-record').count();

for (const [how, script, isTold] of [['are told of each other’s records', null, true], ['have no locks', noLocks, true], ['hear nothing of each other', () => { delete globalThis.BroadcastChannel; }, false]]) {
  test(`two tabs that ${how}: what a game sets is judged by what is kept`, async () => {
    const { page: one, context, problems } = await visit(held.browser, held.server.url, CALM, script);
    const two = await tab(context, held.server.url, problems);
    await one.bringToFront();
    await scramble(one, ONE_LEFT);
    await finish(one, 'R');
    assert.match(await one.textContent('#win-record'), WORDS['en-US'].best, 'the first is the best');
    await two.keyboard.press('1');
    if (isTold) await two.waitForFunction(() => document.getElementById('hud-best').textContent !== '–');
    await two.bringToFront();
    await scramble(two, [1, 2, 3, 4, 5, 6, 0, 7, 8]);
    await two.keyboard.press(KEY.R);
    await until(async () => (await game(two)).millis > 700, 'slower than the other');
    await finish(two, 'R');
    assert.equal(await flags(two), 0, 'neither the quickest nor the shortest');
    assert.match(await two.innerText('#win-past'), /Last time/, 'the other tab’s is the last and the best');
    assert.equal((await kept(two, 'records')).length, 2);
    assert.deepEqual(problems, []);
  });
}

for (const locale of ['en-US', 'zh-CN']) {
  const words = WORDS[locale];
  test(`${locale}: a scramble has one go: a restart and a copy that was overtaken set no record, and say so`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...CALM, locale });
    const records = async () => (await kept(page, 'records')).length;
    // Begun anew by mistake, and taken back: there was one go.
    await scramble(page, FIVE_LEFT);
    await page.keyboard.press(KEY.D);
    await page.click('#restart');
    assert.match(await page.textContent('#caption'), words.caption, 'said before the first move');
    await page.click('#undo');
    await finish(page, 'ULDDRR');
    assert.deepEqual([await page.locator('#win-unranked').count(), await records()], [0, 1]);
    await close(page);
    // After the win, and in the middle.
    await page.click('#restart');
    await finish(page, 'LDDRR');
    assert.match(await page.textContent('#win-unranked'), words.again);
    assert.deepEqual([await flags(page), await records()], [0, 1], 'fewer moves, and no record');
    await close(page);
    await scramble(page, [1, 2, 3, 4, 0, 5, 7, 8, 6]);
    await page.keyboard.press(KEY.R);
    const first = await onTable(page);
    await page.click('#restart');
    await keptOther(page, first);
    await page.reload();
    await ready(page);
    assert.match(await page.textContent('#caption'), words.caption, 'a reload does not make it the first');
    await finish(page, 'RD');
    assert.match(await page.textContent('#win-unranked'), words.again);
    await close(page);
    // A copy, from before more was tried.
    await scramble(page, [1, 2, 3, 0, 4, 5, 7, 8, 6]);
    await page.keyboard.press(KEY.R);
    await saveAs(page, 'mine');
    await page.keyboard.press(KEY.R);
    await page.click('#load');
    await page.locator('.save-item').filter({ hasText: 'mine' }).getByRole('button').first().click();
    await noticed(page, words.loaded);
    await finish(page, 'RD');
    assert.match(await page.textContent('#win-unranked'), words.again);
    assert.deepEqual([await flags(page), await records()], [0, 1]);
    assert.deepEqual(problems, []);
  });

  test(`${locale}: a game faster than a hand is said to be that`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...CALM, locale });
    await scramble(page, FIVE_LEFT);
    await page.evaluate(async () => {
      const session = await packed('js/session.js');
      for (const move of 'DU'.repeat(200) + 'LDDRR') session.play(move);
    });
    await page.waitForSelector('dialog.win-card');
    assert.match(await page.textContent('#win-unranked'), words.quick);
    assert.deepEqual([await kept(page, 'records'), problems], [[], []]);
  });
}

test('a copy is another go, also when the game that was played on past it is deleted', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, CALM);
  await scramble(page, FIVE_LEFT);
  await page.keyboard.press(KEY.L);
  await saveAs(page, 'mine');
  for (const move of 'DDR') await page.keyboard.press(KEY[move]);
  await page.click('#load');
  await page.locator(`[data-save="${await onTable(page)}"]`).getByRole('button', { name: /^Delete/ }).click();
  await noticed(page, /is deleted/);
  await page.getByRole('button', { name: 'Open mine' }).click();
  await noticed(page, WORDS['en-US'].loaded);
  await finish(page, 'DDRR');
  assert.match(await page.textContent('#win-unranked'), WORDS['en-US'].again);
  assert.deepEqual([await flags(page), await kept(page, 'records'), problems], [0, [], []]);
});

test('a copy of a game that was not played past it is that game: nothing is doubled, and its time goes on', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, CALM);
  await scramble(page, FIVE_LEFT);
  for (const move of 'LD') await page.keyboard.press(KEY[move]);
  await saveAs(page, 'mine');
  const id = await onTable(page);
  await until(async () => (await game(page)).millis > 300, 'the clock runs on');
  await page.keyboard.press('Control+z');
  await page.click('#load');
  await page.getByRole('button', { name: 'Open mine' }).click();
  await noticed(page, /Opened “[^”]*”(?!\.)/);
  assert.deepEqual([(await game(page)).moves, await onTable(page)], ['LD', id]);
  assert.ok((await game(page)).millis > 300, 'the time of the game, not of the copy');
  await finish(page, 'DRR');
  assert.deepEqual([await page.locator('#win-unranked').count(), (await kept(page, 'records')).length, problems], [0, 1, []]);
});

test('a game that comes back from the server is what it was: helped or not, begun anew or not', async () => {
  const { page } = await visit(held.browser, held.server.url, CALM);
  const emptied = async () => {
    await page.goto(`${held.server.url}favicon.svg`);
    await page.evaluate(() => new Promise((resolve) => {
      localStorage.clear();
      sessionStorage.clear();
      const request = indexedDB.deleteDatabase('pintu');
      request.onsuccess = resolve;
      request.onblocked = resolve;
    }));
    await page.goto(held.server.url);
    await ready(page);
  };
  await scramble(page, FIVE_LEFT);
  await page.keyboard.press(KEY.L);
  await savedMoves(page, held.server, 1);
  await emptied();
  assert.equal((await game(page)).moves, 'L', 'the game is back');
  await finish(page, 'DDRR');
  assert.deepEqual([await page.locator('#win-unranked').count(), (await kept(page, 'records')).length], [0, 1]);
  await close(page);
  await page.click('#restart');
  for (const move of 'LD') await page.keyboard.press(KEY[move]);
  await savedMoves(page, held.server, 2);
  await emptied();
  assert.equal((await game(page)).moves, 'LD');
  await finish(page, 'DRR');
  assert.match(await page.textContent('#win-unranked'), WORDS['en-US'].again);
});

test('a scramble that is begun anew and played is known in the game before, too', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, CALM);
  await scramble(page, FIVE_LEFT);
  await page.keyboard.press(KEY.L);
  await page.click('#restart');
  await page.keyboard.press(KEY.D);
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  assert.equal((await game(page)).moves, 'L', 'the game before');
  await finish(page, 'DDRR');
  assert.match(await page.textContent('#win-unranked'), WORDS['en-US'].again);
  assert.deepEqual([await kept(page, 'records'), problems], [[], []]);
});

test('a game that is undone and finished once more is not compared with itself, and says as what it counts', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, CALM);
  await scramble(page, FIVE_LEFT);
  await finish(page, 'DULDDRR');
  await close(page);
  for (let i = 0; i < 7; i += 1) await page.keyboard.press('Control+z');
  await finish(page, 'LDDRR');
  assert.match(await page.textContent('#win-unranked'), /the one that counts: 7 moves/);
  assert.equal(await page.locator('#win-past').count(), 0, 'there was no other game');
  await close(page);
  await page.click('#open-classic');
  await page.waitForSelector('#classic');
  await scramble(page, ONE_LEFT, 'builtin:rows');
  for (const key of [KEY.L, KEY.R, KEY.R]) await page.keyboard.press(key);
  await page.waitForSelector('#classic-result');
  assert.equal(await page.locator('#classic-first').count(), 0);
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('Control+z');
  await page.waitForFunction(() => !document.getElementById('classic-result'));
  await page.keyboard.press(KEY.R);
  await page.waitForSelector('#classic-first');
  assert.match(await page.textContent('#classic-result-line'), /3 moves/);
  assert.deepEqual(problems, []);
});

test('a copy that was not played on since is the same go, and a scramble that chance deals twice is two', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, CALM);
  await scramble(page, FIVE_LEFT);
  await page.keyboard.press(KEY.L);
  await saveAs(page, 'mine');
  await page.click('#shuffle');
  await page.click('#load');
  await page.getByRole('button', { name: 'Open mine' }).click();
  await until(async () => (await game(page)).moves.length === 1, 'the copy lies on the table');
  await finish(page, 'DDRR');
  assert.deepEqual([await page.locator('#win-unranked').count(), (await kept(page, 'records')).length], [0, 1]);
  await close(page);
  // Of 2×2 there are so few that each comes again soon.
  await resize(page, 2, 2);
  const deal = () => page.evaluate(async () => {
    const session = await packed('js/session.js');
    const { shuffle } = await packed('js/deals.js');
    do shuffle(); while (session.current().start.join() !== '0,2,1,3');
  });
  for (let n = 2; n <= 3; n += 1) {
    await deal();
    await page.keyboard.press(KEY.D);
    await until(async () => (await game(page)).millis > n * 300, 'in another time');
    await finish(page, 'R');
    assert.deepEqual([await page.locator('#win-unranked').count(), (await kept(page, 'records')).length], [0, n], `deal ${n - 1}`);
    await close(page);
  }
  assert.deepEqual(problems, []);
});

/** The least moves from each 3×3 position to the whole, by breadth first from the end: nothing of the page is asked. */
function distances() {
  const key = (tiles) => tiles.join('');
  const end = [1, 2, 3, 4, 5, 6, 7, 8, 0];
  const found = new Map([[key(end), 0]]);
  const queue = [end];
  for (const tiles of queue) {
    const hole = tiles.indexOf(0);
    for (const to of [hole - 3, hole + 3, ...(hole % 3 ? [hole - 1] : []), ...(hole % 3 < 2 ? [hole + 1] : [])]) {
      if (to < 0 || to > 8) continue;
      const next = [...tiles];
      [next[hole], next[to]] = [next[to], 0];
      if (found.has(key(next))) continue;
      found.set(key(next), found.get(key(tiles)) + 1);
      queue.push(next);
    }
  }
  return (tiles) => found.get(key(tiles));
}

const FAR = { U: -3, D: 3, L: -1, R: 1 };

/** A walk of so many moves, always the same, and then home by the shortest way: the start, the moves and what is left before each of them. */
function wander(far, start, count, seed) {
  let [tiles, state, moves] = [[...start], seed, ''];
  const left = [far(tiles)];
  const step = (move) => {
    const hole = tiles.indexOf(0);
    tiles = [...tiles];
    [tiles[hole], tiles[hole + FAR[move]]] = [tiles[hole + FAR[move]], 0];
    moves += move;
    left.push(far(tiles));
  };
  const ways = () => { const hole = tiles.indexOf(0); return Object.keys(FAR).filter((way) => !((way === 'U' && hole < 3) || (way === 'D' && hole > 5) || (way === 'L' && hole % 3 === 0) || (way === 'R' && hole % 3 === 2))); };
  while (moves.length < count) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    step(ways()[(state >>> 8) % ways().length]);
  }
  const after = (way) => { const hole = tiles.indexOf(0); const next = [...tiles]; [next[hole], next[hole + FAR[way]]] = [next[hole + FAR[way]], 0]; return far(next); };
  while (left.at(-1)) step(ways().find((way) => after(way) < left.at(-1)));
  return { start, moves, left };
}

test('where most moves were lost is where most were lost, by an account of one’s own', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, CALM);
  const far = distances();
  assert.equal(far([8, 6, 7, 2, 5, 4, 3, 0, 1]), 31, 'the account knows the hardest board');
  for (const [n, [start, count]] of [[FIVE_LEFT, 14], [FIVE_LEFT, 40], [[8, 6, 7, 2, 5, 4, 3, 0, 1], 25], [[1, 2, 3, 4, 5, 6, 7, 0, 8], 60]].entries()) {
    const walk = wander(far, start, count, 7 + n);
    const said = await page.evaluate(async ({ start: tiles, moves, least }) => {
      const { Game } = await packed('js/game.js');
      const { lookAlong, stretchOf } = await packed('js/analysis.js');
      const one = new Game({ rows: 3, cols: 3, start: tiles });
      one.make(moves);
      const { marks, left } = await lookAlong(one, { moves: 'U'.repeat(least), optimal: true }, () => true);
      return stretchOf(marks, left);
    }, { ...walk, least: walk.left[0] });
    const all = walk.moves.length;
    const lost = (from, to) => to - from - (walk.left[from] - walk.left[to]);
    const over = all - walk.left[0];
    assert.ok(over > 0 && said !== null, `walk ${n} lost ${over} of ${all}`);
    assert.deepEqual([said.lost, said.over, said.isProved], [lost(said.from, said.to), over, true], `walk ${n}: the numbers`);
    assert.ok(said.lost * 2 > over, `walk ${n}: more than half of what was lost`);
    const parts = Math.min(48, all);
    const marks = Array.from({ length: parts + 1 }, (_, at) => Math.round((all * at) / parts));
    for (const from of marks) for (const to of marks) if (to > from && to - from < said.to - said.from) assert.ok(lost(from, to) * 2 <= over, `walk ${n}: ${from} to ${to} is shorter, and has lost no more than half`);
  }
  assert.deepEqual(problems, []);
});

for (const [locale, says] of [
  ['en-US', { equal: /^As short as the shortest known \(5 moves\), not proved shortest: at least 3 are needed\.$/, about: /^2 over the shortest known \(3 moves\), not proved shortest/, perfect: /^Perfect: 5 moves, the shortest there is\.$/, limit: /ran out of memory before it found a solution/, rough: /not proved shortest, most were lost from move \d+ to move \d+: about \d+/ }],
  ['zh-CN', { equal: /^与已知最短的 5 步一样（未证明最短，至少要 3 步）。$/, about: /^比已知最短的 3 步多 2 步（未证明最短/, perfect: /^完美：5 步，正是最少步数。$/, limit: /达到了内存限制，没有找到/, rough: /未证明最短.*第 \d+ 步到第 \d+ 步，约 \d+ 步/ }],
]) {
  test(`${locale}: the card says no more than is proved, and why there is nothing to compare with`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...CALM, locale });
    const answer = (moves, bound) => ({ status: 'solved', moves, length: moves.length, optimal: false, lower_bound: bound });
    const card = async (json, detour = '') => {
      const hear = await standIn(page, '**/api/solve', (route) => route.fulfill({ json: typeof json === 'function' ? json(route.request().postDataJSON()) : json }));
      await scramble(page, FIVE_LEFT);
      await finish(page, `${detour}LDDRR`);
      await page.waitForFunction(() => !/Looking|正在/.test(document.querySelector('dialog.win-card').textContent));
      const text = [await page.textContent('#win-optimal'), (await page.locator('#win-lost').isVisible()) ? await page.textContent('#win-lost') : ''];
      hear();
      await close(page);
      await page.reload();
      await ready(page);
      return text;
    };
    const [equal, nothing] = await card(answer('LDDRR', 3));
    assert.match(equal, says.equal);
    assert.equal(nothing, '', 'nothing was lost that anybody knows of');
    assert.match((await card(answer('LDD', 1)))[0], says.about);
    assert.match((await card(answer('LDDRRLR', 5)))[0], says.perfect, 'nobody can be shorter than the bound');
    assert.match((await card({ status: 'limit', reason: 'memory', lower_bound: 3 }))[0], says.limit);
    // On the way nothing is found: what the player did from there is all that is known of it.
    const rough = (request) => (request.tiles.join() === FIVE_LEFT.join() ? answer('LDDRR', 3) : { status: 'limit', reason: 'time' });
    assert.match((await card(rough, 'DUDUDUDUDU'))[1], says.rough);
    assert.deepEqual(problems, []);
  });
}

test('the differences on the card are those of the figures beside them', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, CALM);
  const rows = (millis, others) => page.evaluate(async ({ own, past }) => {
    const { Game } = await packed('js/game.js');
    const { rest } = await packed('js/later.js');
    const { showCard } = await rest();
    const one = new Game({ rows: 3, cols: 3, start: [1, 2, 3, 4, 5, 6, 7, 0, 8] });
    one.make('R');
    one.millis = own;
    const [last, best] = past.map((time) => ({ millis: time, moves: 1 }));
    showCard(one, null, { last, time: best, moves: best, own: null });
    const text = (node) => node.textContent.trim();
    const read = { own: text(document.querySelector('dialog:last-of-type .win-figures dd')), past: [...document.querySelectorAll('dialog:last-of-type #win-past tr')].map((row) => text(row.cells[1]).split(' ')) };
    document.querySelector('dialog:last-of-type').close();
    return read;
  }, { own: millis, past: others });
  assert.deepEqual(await rows(11_090, [10_000, 10_010]), { own: '00:11.0', past: [['00:10.0', '+1.0'], ['00:10.0', '+1.0']] });
  assert.deepEqual(await rows(10_000, [10_099, 10_100]), { own: '00:10.0', past: [['00:10.0', '±0'], ['00:10.1', '−0.1']] });
  assert.deepEqual(await rows(59_999, [60_000, 2_450]), { own: '00:59.9', past: [['01:00.0', '−0.1'], ['00:02.4', '+57.5']] });
  assert.deepEqual(await rows(154_320, [10_090, 3_599_990]), { own: '02:34.3', past: [['00:10.0', '+02:24.3'], ['59:59.9', '−57:25.6']] });
  assert.deepEqual(await rows(3_601_900, [3_600_100, 7_205_700]), { own: '1:00:01', past: [['1:00:00', '+1.0'], ['2:00:05', '−1:00:04']] });
  assert.deepEqual(problems, []);
});
