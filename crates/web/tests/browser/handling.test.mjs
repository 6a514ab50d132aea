// What a hand meets in mid-game: sheets that open over it, notices that come, and games that are put aside.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ENGINE } from './engine.mjs';
import { DESKTOP, FIVE_LEFT, KEY, ONE_LEFT, PHONE, atRest, game, launch, link, perform, phase, scramble, solution, stage, tab, until, visit, warmed } from './harness.mjs';
import { ROUND, circle, elsewhere, follow, keptMoves, onTable } from './library-steps.mjs';

const held = stage(launch, { engine: ENGINE });
const WRONG = [1, 2, 3, 4, 5, 6, 8, 7, 0];
const more = (page) => page.click('.bar [data-does=more]');
const sized = (page, width, height) => page.setViewportSize({ width, height });
const caption = (page) => page.textContent('#caption');
const frameTop = (page) => page.evaluate(() => document.getElementById('frame').getBoundingClientRect().top + scrollY);
const noSheet = (page) => page.waitForFunction(() => !document.querySelector('dialog'));

for (const [width, height] of [[360, 740], [740, 360], [768, 1024]]) {
  test(`${width}×${height}: More in mid-game opens and closes, and the board goes on`, async () => {
    const { page, problems } = await visit(held.browser, `${held.server.url}${ROUND}`, { ...PHONE, viewport: { width, height } });
    await circle(page, 3);
    for (const close of [() => page.keyboard.press('Escape'), () => page.click('dialog.more .sheet-head button')]) {
      await more(page);
      await page.waitForSelector('dialog.more');
      assert.equal(await phase(page), 'paused');
      await close();
      await noSheet(page);
      assert.equal(await phase(page), 'playing');
      assert.equal(await page.isVisible('#veil'), false);
      assert.equal(await page.evaluate(() => document.getElementById('rail-body').parentElement.id), 'rail');
    }
    const before = (await game(page)).moves.length;
    await circle(page, 1);
    assert.equal((await game(page)).moves.length, before + 1);
    assert.deepEqual(problems, []);
  });
}

test('on a phone, More has no empty card while a solution plays at the foot', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, PHONE);
  await scramble(page, FIVE_LEFT);
  await more(page);
  assert.ok(await page.isVisible('dialog.more #solver'));
  await page.keyboard.press('Escape');
  await noSheet(page);
  await page.evaluate(async () => (await packed('js/prefs.js')).setPref('told', true));
  await page.click('.bar [data-does=solve]');
  await page.waitForSelector('#playback:not([hidden])');
  await more(page);
  await page.waitForSelector('dialog.more #save');
  assert.equal(await phase(page), 'playback');
  assert.equal(await page.isVisible('dialog.more #solver'), false);
  assert.deepEqual(problems, []);
});

test('one listener that fails keeps nothing from the others', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${ROUND}`);
  const told = await page.evaluate(async () => {
    const session = await packed('js/session.js');
    let heard = 0;
    session.on('phase', () => { throw new Error('deaf'); });
    session.on('phase', () => { heard += 1; });
    session.setActivity({ searching: false });
    return heard;
  });
  assert.equal(told, 1);
  await until(() => problems.length > 0);
  assert.deepEqual(problems, ['exception: deaf'], 'it is reported all the same');
});

for (const locale of ['en-US', 'zh-CN']) {
  test(`${locale}: a mark in the head moves no board`, async () => {
    const { page, problems } = await visit(held.browser, `${held.server.url}${ROUND}`, { ...PHONE, locale });
    await atRest(page);
    const sizes = [[360, 740], [320, 640], [740, 360], [600, 800], [768, 1024]];
    const tops = async () => {
      const all = [];
      for (const [width, height] of sizes) {
        await sized(page, width, height);
        all.push(await frameTop(page));
      }
      return all;
    };
    const before = await tops();
    if (ENGINE) await warmed(page);
    await held.server.kill();
    await circle(page, 1);
    await page.waitForSelector('#link-state:not([hidden])');
    assert.deepEqual(await tops(), before);
    for (const [width, height] of sizes) {
      await sized(page, width, height);
      const [mark, hud, tools] = await page.evaluate(() => ['#link-words', '#hud-time', '.tools'].map((at) => document.querySelector(at).getBoundingClientRect().toJSON()));
      assert.ok(mark.left >= 0 && mark.right <= width && mark.width > 50, `${width}×${height}: in the window`);
      assert.ok(mark.bottom <= hud.top + 2, `${width}×${height}: ${mark.bottom} over the clock at ${hud.top}`);
      assert.ok(mark.right <= tools.left || mark.top >= tools.bottom - 1, `${width}×${height}: over the tools`);
    }
    if (!ENGINE) return;
    await sized(page, 360, 740);
    await page.click('.bar [data-does=solve]');
    await page.waitForSelector('#playback:not([hidden])');
    const [board, foot] = await page.evaluate(() => { scrollTo(0, 0); return ['board', 'foot'].map((id) => document.getElementById(id).getBoundingClientRect().toJSON()); });
    assert.ok(board.bottom <= foot.top, `the last row is covered: ${board.bottom} under ${foot.top}`);
    assert.deepEqual(problems, []);
  });
}

test('the sheet of a custom board has room between its lines, and each side stands beside its name', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, PHONE);
  for (const width of [360, 320]) {
    await sized(page, width, 740);
    await page.click('#sizes button:nth-child(4)');
    assert.equal(await page.evaluate(() => document.activeElement.matches('input')), false, 'no keyboard rises over it');
    await page.click('.stepper:first-child button:last-child');
    assert.equal(await page.inputValue('#custom-rows'), '5');
    assert.equal(await page.locator('.wrap-lines fieldset:first-child input').count(), 5, 'the lines follow');
    const { gaps, apart } = await page.locator('dialog form').evaluate((form) => {
      const boxes = [...form.children].map((node) => node.getBoundingClientRect());
      return {
        gaps: boxes.slice(1).map((box, i) => box.top - boxes[i].bottom),
        apart: [...form.querySelectorAll('.size-form input')].map((input) => {
          const range = document.createRange();
          range.selectNodeContents(input.parentElement);
          return Math.abs(range.getBoundingClientRect().height - input.getBoundingClientRect().height);
        }),
      };
    });
    assert.ok(gaps.every((gap) => gap >= 8), `${width}: ${gaps}`);
    assert.ok(apart.every((difference) => difference < 8), `${width}: ${apart}`);
    await page.keyboard.press('Escape');
    await noSheet(page);
  }
  assert.deepEqual(problems, []);
});

test('on a phone what puts a game on the table shows it: More is closed', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${ROUND}`, PHONE);
  await circle(page, 2);
  await page.keyboard.press('Control+s');
  await page.fill('dialog input[type=text]', 'mine');
  await page.click('dialog button[type=submit]');
  await page.keyboard.press('Escape');
  await noSheet(page);
  await circle(page, 2);
  await more(page);
  await page.click('#load');
  await page.click('dialog [aria-label="Open mine"]');
  await noSheet(page);
  // It is fetched after the sheet is gone.
  await until(async () => (await game(page)).moves.length === 2, 'the saved game lies on the table');
  await page.waitForSelector('#toasts .toast');
  await more(page);
  await page.click('#load');
  await page.click('dialog details summary');
  await page.fill('#paste-text', '1 2 3\n4 5 6\n7 0 8');
  await page.click('#paste-open');
  await noSheet(page);
  assert.deepEqual((await game(page)).tiles, ONE_LEFT);
  await more(page);
  await page.click('#reset');
  await noSheet(page);
  assert.deepEqual(problems, []);
});

const records = (page) => page.evaluate(async () => (await packed('js/records.js')).allRecords().length);

test('a solve that is deleted takes its record with it, and one Undo brings both back; a new session leaves records alone', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await page.click('#open-classic');
  await page.waitForSelector('#classic');
  await scramble(page, ONE_LEFT);
  await page.keyboard.press('ArrowLeft');
  await page.waitForSelector('#classic-list li');
  await until(async () => (await records(page)) === 1);
  await page.click('#classic-list li button');
  await page.click('#classic-drop');
  await page.waitForFunction(() => /solve and its record/.test(document.getElementById('toasts').textContent));
  assert.equal(await records(page), 0);
  assert.equal(await page.locator('#classic-list li').count(), 0);
  await page.click('.toast button');
  await page.waitForSelector('#classic-list li');
  await until(async () => (await records(page)) === 1);
  await page.click('#classic-anew');
  await page.waitForFunction(() => /Your records stay/.test(document.getElementById('toasts').textContent));
  assert.equal(await records(page), 1);
  await page.click('.places [data-place=records]');
  await page.waitForSelector('#records-body table.games');
  assert.deepEqual(problems, []);
});

for (const [locale, words] of [['en-US', { rests: (at) => `At move ${at} of 5.`, plays: /^Playing the solution/, ends: /^Solved for you/, other: /^停在第 3 步，共 5 步/ }], ['zh-CN', { rests: (at) => `停在第 ${at} 步，共 5 步。`, plays: /^正在演示解法/, ends: /^演示完毕/, other: /^At move 3 of 5/ }]]) {
  test(`${locale}: where a solution that plays has come to rest, the caption says so, and follows it`, async () => {
    const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`, { ...DESKTOP, locale });
    const says = (pattern) => page.waitForFunction((source) => new RegExp(source).test(document.getElementById('caption').textContent), pattern.source);
    const rests = (at) => page.waitForFunction((text) => document.getElementById('caption').textContent.startsWith(text), words.rests(at));
    await page.evaluate(async () => (await packed('js/prefs.js')).setPref('speed', 0.25));
    await page.click('#solve');
    await page.waitForSelector('#playback:not([hidden])');
    await says(words.plays);
    await page.click('#pb-play');
    await rests(Number(await page.inputValue('#pb-scrub')));
    await page.locator('#pb-first').evaluate((node) => node.click());
    await rests(0);
    for (const at of [1, 2, 3]) {
      await page.click('#pb-forward');
      await rests(at);
    }
    await page.click('#language');
    await says(words.other);
    await page.click('#language');
    await rests(3);
    await page.click('#pb-play');
    await says(words.plays);
    await page.click('#pb-last');
    await says(words.ends);
    await page.click('#pb-back');
    await rests(4);
    await page.click('#pb-leave');
    await page.waitForFunction((text) => !document.getElementById('caption').textContent.startsWith(text), words.rests(4));
    assert.deepEqual(problems, []);
  });
}

test('a replay is called one; who takes over plays a game of their own, and the one before is a press away', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await page.evaluate(async (start) => {
    const session = await packed('js/session.js');
    const { Game } = await packed('js/game.js');
    session.replace(Object.assign(new Game({ rows: 3, cols: 3, start }), { millis: 600000 }));
  }, FIVE_LEFT);
  const moves = await solution(page, held.server.url);
  for (const move of moves) await page.keyboard.press(KEY[move]);
  await page.waitForSelector('dialog.win-card');
  await page.keyboard.press('Escape');
  await follow(page, ROUND);
  await circle(page, 3);
  const mine = await game(page);
  await page.click('.places [data-place=records]');
  await page.click('#records-body .acts .link');
  await page.waitForSelector('#playback:not([hidden])');
  await page.click('#pb-play');
  await page.locator('#pb-scrub').evaluate((node) => { node.value = '2'; node.dispatchEvent(new Event('input', { bubbles: true })); });
  assert.match(await caption(page), /^A replay/);
  assert.equal(await page.textContent('#solver-head'), 'Replay');
  const shown = await game(page);
  await page.keyboard.press(KEY[moves[2]]);
  await page.waitForFunction(() => /last game is saved/.test(document.getElementById('toasts').textContent));
  assert.equal(await page.textContent('#solver-head'), 'Auto-solve');
  const taken = await game(page);
  assert.deepEqual([taken.start, taken.moves, taken.helped], [shown.tiles, moves[2], true]);
  assert.equal(await page.textContent('#hud-moves'), '1');
  assert.ok(taken.millis < 300000, 'its clock is its own, not that of the ten minutes which are watched');
  await page.keyboard.press(KEY[moves[3]]);
  assert.ok(await page.isVisible('#toasts .toast'), 'it stays to be pressed');
  await page.click('.toast button');
  const back = await game(page);
  assert.deepEqual([back.tiles, back.moves], [mine.tiles, mine.moves]);
  assert.equal(await records(page), 1);
  assert.deepEqual(problems, []);
});

test('that the last game is saved is said until the next one is played', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await circle(page, 2);
  await page.click('#shuffle');
  await page.waitForSelector('#toasts .toast');
  await perform(page, (await solution(page, held.server.url))[0], (_, move) => page.keyboard.press(KEY[move]));
  assert.equal(await page.locator('#toasts .toast').count(), 0);
  assert.deepEqual(problems, []);
});

for (const [name, device] of [['phone', PHONE], ['desktop', DESKTOP]]) {
  test(`a link to a position that cannot be solved says so once on a ${name}, with a true caption`, async () => {
    const { page, problems } = await visit(held.browser, `${held.server.url}${link(WRONG)}`, device);
    await page.waitForSelector('#verdict:not([hidden]) button');
    assert.equal(await page.getByText('This position cannot be solved').and(page.locator('p, .toast span')).count(), 1);
    assert.equal(await page.getByRole('button', { name: 'Swap two tiles' }).count(), 1);
    assert.ok(await page.locator('#verdict button').evaluate((node) => { const { top, bottom } = node.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; }), 'in sight');
    assert.match(await caption(page), /^No sliding/);
    await page.click('#verdict button');
    assert.match(await caption(page), /^Your first move starts/);
    assert.deepEqual(problems, []);
  });
}

test('a tab whose game went elsewhere offers no Undo, whatever was played before', async () => {
  const { page, context, problems } = await visit(held.browser, `${held.server.url}${ROUND}`);
  await circle(page, 2);
  await page.click('#shuffle');
  await page.waitForFunction(() => document.body.dataset.phase === 'shuffled');
  await follow(page, ROUND);
  await circle(page, 4);
  await keptMoves(page, 4);
  assert.equal(await page.isEnabled('#undo'), true);
  const other = await tab(context, held.server.url, problems);
  await other.click('#take-over');
  await elsewhere(page);
  assert.equal(await page.isEnabled('#undo'), false);
  // Once the other tab has ended that game, nothing old of it comes back.
  await other.evaluate(async (id) => (await packed('js/library.js')).drop(id), await onTable(page));
  await other.click('#shuffle');
  await page.bringToFront();
  await page.waitForFunction(() => document.body.dataset.phase === 'whole');
  assert.deepEqual(problems, []);
});

test('on a phone the board keeps its place through a shuffle', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, PHONE);
  const place = () => page.locator('#frame').evaluate((node) => node.getBoundingClientRect().top);
  const before = await place();
  await page.click('.bar [data-does=shuffle]');
  await page.waitForFunction(() => document.body.dataset.phase === 'shuffled');
  assert.ok(Math.abs((await place()) - before) <= 4);
  assert.deepEqual(problems, []);
});
