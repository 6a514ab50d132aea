// The day's puzzle, lessons, the help, sounds: in a real browser, in both languages and every size.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, FIVE_LEFT, KEY, ONE_LEFT, PHONE, game, link, noticed, ready, scramble, solution, stage, still, tab, until, visit } from './harness.mjs';
import { elsewhere, kept, keptMoves, takeOver } from './library-steps.mjs';
import { cutOff, objections } from './looks.mjs';

const held = stage();

/** It is still the 15th in Greenwich, and the 16th, a Monday, where the player is. */
const MONDAY = { timezoneId: 'Asia/Shanghai' };
const MORNING = new Date('2026-11-15T22:00:00Z');
const after = (days) => new Date(MORNING.getTime() + days * 86_400_000);

async function solveIt(page, url) {
  for (const move of await solution(page, url)) await page.keyboard.press(KEY[move]);
  await page.waitForSelector('.win-card');
}

/** A day's puzzle of so many columns lies on the table. */
const given = (page, cols) => until(async () => {
  const found = await game(page);
  return found.origin === 'daily' && found.cols === cols;
}, `a day’s puzzle of ${cols} columns`);

async function openDaily(page) {
  await page.click('#open-daily');
  await page.waitForSelector('#daily-play');
}

for (const [locale, words] of [['en-US', { play: 'Play today’s puzzle', one: 'Streak: 1 day', two: 'Streak: 2 days', late: /earlier day/, same: /same daily puzzle/, name: 'Daily puzzle, November 17' }], ['zh-CN', { play: '玩今天这一题', one: '连续 1 天', two: '连续 2 天', late: /不计入连续天数/, same: /每日一题人人相同/, name: '11月17日的每日一题' }]]) {
  test(`${locale}: the day's puzzle by the player's own calendar, its streak, and days before`, async () => {
    const { page, context, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, ...MONDAY, locale, reducedMotion: 'reduce' });
    await context.clock.setFixedTime(MORNING);
    await page.click('#shuffle');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await openDaily(page);
    assert.equal(await page.textContent('#daily-play'), words.play);
    await page.click('#daily-play');
    await given(page, 3);
    const first = await game(page);
    assert.deepEqual([first.rows, first.cols, first.origin], [3, 3, 'daily']);
    const golden = await page.evaluate(async () => (await packed('daily/day.js')).startOf('2026-11-16'));
    assert.deepEqual(first.start, golden);
    await page.waitForSelector('.toast button');
    await solveIt(page, held.server.url);
    await page.waitForSelector('#win-streak');
    assert.ok((await page.textContent('#win-streak')).includes(words.one));
    assert.match(await page.textContent('#win-unranked'), words.same);
    await page.keyboard.press('Escape');
    // The next day, with a puzzle of its own; a reload changes nothing.
    await context.clock.setFixedTime(after(1));
    await page.reload();
    await ready(page);
    await openDaily(page);
    assert.deepEqual([await page.textContent('#daily-streak'), await page.textContent('#daily-play')], ['1', words.play]);
    assert.match(await page.getAttribute('[data-date="2026-11-16"]', 'class'), /counts/);
    await page.click('#daily-play');
    await given(page, 4);
    // Put aside with some moves, it is gone on with.
    const moves = await solution(page, held.server.url);
    await page.keyboard.press(KEY[moves[0]]);
    await scramble(page, ONE_LEFT);
    await page.click('#load');
    await page.waitForFunction((name) => [...document.querySelectorAll('#saves-list b')].some(({ textContent }) => textContent === name), words.name);
    await until(async () => (await (await page.request.get(`${held.server.url}api/saves`)).json()).length > 0, 'the server has taken it');
    await page.keyboard.press('Escape');
    await openDaily(page);
    await page.click('#daily-play');
    await until(async () => (await game(page)).moves.length === 1, 'the game that was put aside');
    await solveIt(page, held.server.url);
    await page.waitForSelector('#win-streak');
    assert.ok((await page.textContent('#win-streak')).includes(words.two));
    await page.keyboard.press('Escape');
    // A day that was missed can be played, but not made up for.
    await openDaily(page);
    await page.click('[data-date="2026-11-14"]');
    await given(page, 5);
    await page.evaluate(async () => {
      const [session, { port }, { problemOf }] = [await packed('js/session.js'), await packed('js/port.js'), await packed('js/search.js')];
      const found = await port.hint(problemOf(session.current(), { algorithm: 'greedy', heuristic: 'manhattan' })).promise;
      for (const move of found.moves) session.play(move);
    });
    await page.waitForSelector('#win-streak');
    assert.match(await page.textContent('#win-streak'), words.late);
    await page.keyboard.press('Escape');
    const days = (await kept(page, 'days')).map(({ id, on, helped, size }) => [id, on, helped, size]).sort();
    assert.deepEqual(days, [['2026-11-14', '2026-11-17', false, '4×5'], ['2026-11-16', '2026-11-16', false, '3×3'], ['2026-11-17', '2026-11-17', false, '3×4']]);
    assert.deepEqual(await kept(page, 'records'), [], 'a board that everybody knows sets no record');
    await openDaily(page);
    assert.deepEqual([await page.textContent('#daily-streak'), await page.textContent('#daily-longest')], ['2', '2']);
    const { picture } = first;
    assert.equal(await page.locator(`.daily-progress [data-picture=${picture.slice(8)}] .done`).count(), 1, 'the size is marked on its picture');
    assert.deepEqual(problems, []);
  });

  test(`${locale}: the lessons are done one by one, on boards of their own, and end in a real game`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, locale });
    await page.click('#shuffle');
    const before = (await game(page)).start;
    await page.click('#open-lessons');
    await page.waitForSelector('#lesson-words');
    await page.keyboard.press('ArrowLeft');
    assert.notEqual(await page.textContent('#lesson-praise'), '', 'a key slides the tile');
    await page.click('#lesson-next');
    await page.click('#lesson-next');
    await page.click('#lesson-back');
    // One language goes through all of them, the other through the first.
    const last = locale === 'en-US' ? 11 : 3;
    for (let step = 2; step <= last; step += 1) {
      assert.match(await page.textContent('#lesson-count'), new RegExp(`\\b${step}\\b`));
      for (let made = 0; (await page.textContent('#lesson-praise')) === '' && made < 20; made += 1) {
        await page.click('#lesson-show');
        await page.click('.lesson-board .hinted');
      }
      assert.notEqual(await page.textContent('#lesson-praise'), '', `lesson ${step}`);
      if (step < last) await page.click('#lesson-next');
    }
    assert.deepEqual((await game(page)).start, before, 'the table is as it was');
    assert.equal((await game(page)).helped, false, 'and nobody was helped');
    if (last < 11) await page.keyboard.press('Escape');
    else await page.click('#lesson-next');
    await page.waitForFunction(() => !document.querySelector('dialog'));
    assert.deepEqual([(await game(page)).rows, (await game(page)).phase], [last < 11 ? 4 : 3, 'shuffled']);
    await page.reload();
    await ready(page);
    await openDaily(page);
    assert.match(await page.textContent('.daily-path p'), new RegExp(`\\b${last}\\D+11\\b`));
    assert.deepEqual(problems, []);
  });

  test(`${locale}: a lesson that was skipped is not done`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, locale });
    await page.click('#open-lessons');
    await page.waitForSelector('#lesson-words');
    await still(page);
    assert.deepEqual(await page.locator('.lesson-board .hole-mark, .lesson-board .piece').evaluateAll((nodes) => nodes.map((node) => getComputedStyle(node).opacity)), ['0', '0'], 'what the game shows of its missing piece lies on no tile');
    await page.setViewportSize({ width: 320, height: 640 });
    for (let step = 1; step < 11; step += 1) {
      assert.deepEqual(await page.evaluate(() => {
        const sheet = document.querySelector('dialog[open]');
        const [board, next] = ['.lesson-frame', '#lesson-next'].map((name) => document.querySelector(name).getBoundingClientRect());
        return [sheet.scrollWidth - sheet.clientWidth, sheet.scrollTop, board.right <= innerWidth - 12, next.bottom <= innerHeight, board.bottom <= next.top];
      }), [0, 0, true, true, true], `lesson ${step} fits a small phone`);
      await page.click('#lesson-next');
    }
    await page.setViewportSize(DESKTOP.viewport);
    assert.match(await page.textContent('#lesson-count'), /\b11\D+11\b/);
    assert.equal(await page.locator('.lesson-bar').evaluate((bar) => bar.value), 0, 'nothing is done yet');
    for (let made = 0; (await page.textContent('#lesson-praise')) === '' && made < 20; made += 1) {
      await page.click('#lesson-show');
      await page.click('.lesson-board .hinted');
    }
    assert.equal(await page.locator('.lesson-bar').evaluate((bar) => bar.value), 1);
    await page.keyboard.press('Escape');
    await openDaily(page);
    assert.match(await page.textContent('.daily-path p'), /\b1\D+11\b/);
    await page.click('#daily-lessons');
    await page.waitForSelector('#lesson-words');
    assert.match(await page.textContent('#lesson-count'), /\b1\D+11\b/, 'it goes on with the first that is not done');
    assert.deepEqual(problems, []);
  });

  test(`${locale}: the day's button goes on with the day's game, beside a replay of it too, and after midnight it is the next day's`, async () => {
    const { page, context, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, ...MONDAY, locale, reducedMotion: 'reduce' });
    await context.clock.setFixedTime(MORNING);
    const [again, goOn, play] = locale === 'zh-CN' ? ['再玩一次', '接着玩', '玩今天这一题'] : ['Play it again', 'Continue', 'Play today’s puzzle'];
    const press = async (label) => {
      await openDaily(page);
      assert.equal(await page.textContent('#daily-play'), label);
      await page.click('#daily-play');
    };
    const shown = () => page.evaluate(async () => { const { current, phase: now } = await packed('js/session.js'); return `${now()} ${current().replay} ${current().moves.length}`; });
    await press(play);
    await given(page, 3);
    await solveIt(page, held.server.url);
    await page.click('#win-replay');
    await page.waitForFunction(() => document.body.dataset.phase === 'playback');
    await press(again);
    await until(async () => (await shown()) === 'shuffled false 0', 'another go at it, no replay');
    const [first] = await solution(page, held.server.url);
    await page.keyboard.press(KEY[first]);
    await page.evaluate(async () => {
      const { current } = await packed('js/session.js');
      (await packed('js/film.js')).replay(current().toSave());
    });
    await page.waitForFunction(() => document.body.dataset.phase === 'playback');
    await press(goOn);
    await until(async () => (await shown()).endsWith('false 1'), 'the game that waited');
    await scramble(page, ONE_LEFT);
    await press(goOn);
    await until(async () => (await shown()).endsWith('false 1'), 'the game that was put aside');
    // Half a second before midnight the sheet is open; then it is another day's.
    await context.clock.setFixedTime(new Date('2026-11-16T15:59:59.500Z'));
    await openDaily(page);
    assert.equal(await page.textContent('#daily-play'), goOn);
    await context.clock.setFixedTime(new Date('2026-11-16T16:00:01Z'));
    await page.waitForFunction((label) => document.getElementById('daily-play')?.textContent === label, play);
    await page.click('#daily-play');
    await given(page, 4);
    // The day before counted, whatever is done with its board since: nothing else is said of it.
    await openDaily(page);
    await page.click('[data-date="2026-11-16"]');
    await until(async () => (await game(page)).cols === 3, 'the day before');
    const time = (await kept(page, 'days'))[0].millis;
    await solveIt(page, held.server.url);
    await page.waitForSelector('#win-streak');
    assert.match(await page.textContent('#win-streak'), locale === 'zh-CN' ? /^11月16日的 3×3 当天就做出来了，计入连续天数。$/ : /^The daily 3×3 of November 16 was solved on its day and counts for the streak\.$/);
    assert.deepEqual((await kept(page, 'days')).map(({ id, on, millis }) => [id, on, millis]), [['2026-11-16', '2026-11-16', time]], 'the first solution is what is kept');
    await page.click('#daily-send');
    const sent = await page.inputValue('#daily-text');
    assert.match(sent, /^Pintu[^\n]+16[^\n]+3×3[^\n]*\n🧩 \d+ \S+ {2}⏱️ \d\d:\d\d\.\d {2}✅[^\n]+🔥[^\n]+\nhttp[^\n]+\/#daily$/);
    assert.ok(await page.isVisible('#share-here'), 'that the address means this computer');
    assert.deepEqual(await objections(page), []);
    // Days later the row is over, and nothing is said of one.
    await page.keyboard.press('Escape');
    await context.clock.setFixedTime(after(4));
    await page.click('#daily-send');
    assert.match(await page.inputValue('#daily-text'), /✅[^🔥]+$/u);
    await page.goto(`${held.server.url}favicon.svg`);
    await page.goto(`${held.server.url}#daily`);
    await page.waitForSelector('dialog .daily-today');
    assert.deepEqual(problems, []);
  });

  test(`${locale}: how to play is under ?`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...PHONE, locale });
    await page.keyboard.press('?');
    await page.waitForSelector('dialog .howto-pictures');
    assert.equal(await page.locator('dialog .howto-pictures svg').count(), 3);
    assert.match(await page.locator('dialog figcaption').first().textContent(), /^(Shuffle first|先打乱)/);
    assert.match(await page.innerText('dialog'), locale === 'zh-CN' ? /什么算帮助[\s\S]*Ctrl Z/ : /What counts as help[\s\S]*Ctrl Z/);
    assert.match(await page.textContent('#solver .help-note'), locale === 'zh-CN' ? /使用后不计成绩/ : /count as help/);
    assert.deepEqual([await cutOff(page), await objections(page), problems], [[], [], []]);
  });
}

/** The 16th of November under the clock. */
const TAGS = { en: 'Daily · Nov 16', zh: '每日 · 11月16日' };

test('under the clock it stands which day’s puzzle is played: begun here, after a reload, by a link, in either language, and of no other game', async () => {
  const { page, context, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, ...MONDAY, reducedMotion: 'reduce' });
  await context.clock.setFixedTime(MORNING);
  const tagged = async (text) => { await page.waitForFunction((said) => document.getElementById('hud-day')?.innerText === said, text); };
  const untagged = () => page.waitForFunction(() => !document.getElementById('hud-day')?.offsetWidth);
  await page.click('#shuffle');
  assert.equal(await page.locator('#hud-day').count(), 0);
  await openDaily(page);
  await page.click('#daily-play');
  await tagged(TAGS.en);
  const [move] = await solution(page, held.server.url);
  await page.keyboard.press(KEY[move]);
  await keptMoves(page, 1);
  await page.reload();
  await ready(page);
  await tagged(TAGS.en);
  await page.click('#language');
  await tagged(TAGS.zh);
  await page.click('#language');
  await tagged(TAGS.en);
  const { start } = await game(page);
  await solveIt(page, held.server.url);
  await page.waitForSelector('#win-streak');
  await page.keyboard.press('Escape');
  await tagged(TAGS.en);
  await scramble(page, ONE_LEFT);
  await untagged();
  await page.evaluate((hash) => { location.hash = hash; }, link(start));
  await tagged(TAGS.en);
  await page.evaluate((hash) => { location.hash = hash; }, link(FIVE_LEFT));
  await untagged();
  assert.deepEqual(problems, []);
});

test('the day’s button takes its game back from the tab that has it', async () => {
  const { page, context, problems } = await visit(held.browser, held.server.url);
  await openDaily(page);
  await page.click('#daily-play');
  await until(async () => (await game(page)).origin === 'daily', 'the day’s puzzle');
  const [first] = await solution(page, held.server.url);
  await page.keyboard.press(KEY[first]);
  await keptMoves(page, 1);
  const other = await tab(context, held.server.url, problems);
  await takeOver(other);
  await elsewhere(page);
  await page.bringToFront();
  await openDaily(page);
  assert.equal(await page.textContent('#daily-play'), 'Continue');
  await page.click('#daily-play');
  await page.waitForFunction(() => document.body.dataset.phase === 'paused');
  await elsewhere(other);
  assert.equal((await game(page)).moves.length, 1);
  assert.deepEqual(problems, []);
});

test('delete everything says what goes, and goes on to delete days, solves, lessons and the map of Paths', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await page.evaluate(async () => {
    const { put } = await packed('js/store.js');
    await put('days', { id: '2026-11-16', on: '2026-11-16', millis: 1, moves: 1, helped: false, size: '3×3', picture: 'builtin:dawn' });
    await put('solves', { id: 'one', order: 1, category: '3x3', millis: 1, moves: 1, out: null, game: {} });
    const { STEPS, noteLearnt } = await packed('lessons/steps.js');
    noteLearnt(STEPS[0]);
    for (const storage of [sessionStorage, localStorage]) storage.setItem('pintu.paths', '#map=open:3x3');
  });
  await page.click('#load');
  await page.click('#wipe');
  assert.match(await page.locator('dialog[open]').last().innerText(), /Classic times, the daily streak, the lessons done and the map in Paths/);
  await page.getByRole('button', { name: 'Delete everything', exact: true }).click();
  await noticed(page, /Everything is deleted/);
  assert.deepEqual([await kept(page, 'days'), await kept(page, 'solves'), await page.evaluate(async () => (await packed('lessons/steps.js')).learnt())], [[], [], []]);
  assert.deepEqual(await page.evaluate(() => [sessionStorage, localStorage].map((storage) => storage.getItem('pintu.paths'))), [null, null]);
  assert.deepEqual(problems, []);
});

test('sound and vibration are off until they are wanted', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`, DESKTOP, () => {
    window.felt = { buzzes: 0, sounds: 0 };
    navigator.vibrate = () => { window.felt.buzzes += 1; return true; };
    const start = AudioScheduledSourceNode.prototype.start;
    AudioScheduledSourceNode.prototype.start = function counted(...args) { window.felt.sounds += 1; return start.apply(this, args); };
    const begin = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function counted(...args) { window.felt.sounds += 1; return begin.apply(this, args); };
  });
  await page.keyboard.press('ArrowUp');
  await page.click('#open-settings');
  assert.deepEqual([await page.isChecked('#set-sound'), await page.isChecked('#set-vibration')], [false, false]);
  assert.deepEqual(await page.evaluate(() => window.felt), { buzzes: 0, sounds: 0 });
  await page.check('#set-sound');
  await page.check('#set-vibration');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction(() => window.felt.buzzes === 1 && window.felt.sounds === 2);
  await page.keyboard.press('u');
  await page.waitForFunction(() => window.felt.buzzes === 2);
  assert.deepEqual(problems, []);
});

const SIZES = [[320, 640], [360, 740], [740, 360], [768, 1024], [1440, 900]];

for (const locale of ['en-US', 'zh-CN']) {
  test(`${locale}: nothing of it is cut off at any size, nothing scrolls sideways, nothing axe objects to`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, locale });
    await page.click('#open-classic');
    await page.waitForSelector('#classic');
    await scramble(page, ONE_LEFT, 'builtin:rows');
    await page.keyboard.press('ArrowLeft');
    await until(async () => (await kept(page, 'solves')).length === 1);
    const solved = (await kept(page, 'solves'))[0];
    await page.evaluate(async (one) => {
      const { put } = await packed('js/store.js');
      for (let n = 0; n < 60; n += 1) await put('solves', { ...one, id: `made-${n}`, order: 100 + n, millis: 3_661_001 + n * 1000, moves: 1234 });
      (await packed('js/session.js')).recordsChanged();
    }, solved);
    await page.waitForFunction(() => document.querySelectorAll('#classic-list li').length > 60);
    await page.click('#classic-options summary');
    const faults = [];
    const look = async (what, axe) => {
      await still(page);
      const wide = await page.evaluate(() => [...document.querySelectorAll('#classic, dialog[open]')].filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => `${node.id || node.className} scrolls sideways`));
      faults.push(...[...wide, ...(await cutOff(page)), ...(axe ? await objections(page) : [])].map((fault) => `${what}: ${fault}`));
    };
    const sheets = {
      solve: () => page.click('#classic-list li:first-child button'),
      daily: () => page.evaluate(() => document.getElementById('open-daily').click()),
      lessons: () => page.evaluate(() => document.getElementById('open-lessons').click()),
      help: () => page.click('#open-help'),
      settings: () => page.click('#open-settings'),
    };
    const lookAtAll = async (name) => {
      for (const [width, height] of SIZES) {
        await page.setViewportSize({ width, height });
        await look(`${name} ${width}`, width === 360);
      }
    };
    await lookAtAll('play');
    for (const [name, open] of Object.entries(sheets)) {
      await open();
      await page.waitForSelector({ daily: '#daily-play', lessons: '#lesson-words', help: '.howto-pictures', solve: '#classic-solution' }[name] ?? 'dialog[open]');
      await lookAtAll(name);
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => !document.querySelector('dialog'));
    }
    await page.evaluate(() => { localStorage.setItem('pintu.theme', 'dark'); dispatchEvent(new Event('pintu:theme')); });
    await look('dark', true);
    await sheets.daily();
    await page.waitForSelector('#daily-play');
    await look('dark daily', true);
    assert.deepEqual([...faults, ...problems], []);
  });
}

for (const [locale, words] of [['en-US', { today: /today’s puzzle will not count for your streak/, day: /marked as solved with help/, no: 'Cancel' }], ['zh-CN', { today: /今天这一题就不计入连续天数/, day: /标为用过帮助/, no: '取消' }]]) {
  test(`${locale}: help with a day’s puzzle says that it costs the day, also where a link has opened it`, async () => {
    const { page, context, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, ...MONDAY, locale, first: true }, () => localStorage.setItem('pintu.met', 'true'));
    await context.clock.setFixedTime(MORNING);
    const asked = async (what) => {
      await page.keyboard.press('h');
      await page.waitForSelector('dialog[open]');
      const text = await page.innerText('dialog[open]');
      assert.match(text, what);
      assert.doesNotMatch(text, /record|纪录/);
      await page.getByRole('button', { name: words.no }).click();
      await page.waitForFunction(() => !document.querySelector('dialog'));
      assert.equal((await game(page)).helped, false);
    };
    await openDaily(page);
    assert.match(await page.textContent('.daily-streak'), locale === 'zh-CN' ? /剩余步数/ : /“Moves left”/);
    await page.click('#daily-play');
    await given(page, 3);
    await asked(words.today);
    await page.goto(`${held.server.url}${link((await game(page)).start)}`);
    await until(async () => (await game(page)).origin === 'link', 'the link has opened it');
    await asked(words.today);
    await context.clock.setFixedTime(after(1));
    await asked(words.day);
    assert.deepEqual(problems, []);
  });
}
