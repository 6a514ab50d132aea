// What must fit: the figures into a line, a verdict into its card, the table above the bar, cells under a finger, a scroll bar beside the page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, FIVE_LEFT, KEY, ONE_LEFT, PHONE, knowing, launch, link, scramble, stage, standIn, still, until, visit } from './harness.mjs';
import { cutOff } from './looks.mjs';

const held = stage();
const sized = (page, width, height) => page.setViewportSize({ width, height });
/** Whether all of something is on the screen, and nothing lies on it. */
const inSight = (page, selector) => page.locator(selector).evaluate((node) => { const { left, right, top, bottom } = node.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight && node.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2)); });
const noSheet = (page) => page.waitForFunction(() => !document.querySelector('dialog'));

/** Where a search ran out of time, with the longest words there are. */
const LIMIT = { status: 'limit', reason: 'time', seconds: 21, expanded: 9449215, generated: 19449215, lower_bound: 38, algorithm: 'bfs' };

for (const locale of ['en-US', 'zh-CN']) {
  test(`${locale}: a verdict is in sight below the head of its card, which need not be scrolled`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, locale });
    await standIn(page, '**/api/solve*', (route) => route.fulfill({ contentType: 'application/json', body: JSON.stringify(LIMIT) }));
    await page.keyboard.press('3');
    await page.keyboard.press('n');
    for (const name of ['bfs', 'astar']) {
      await page.selectOption('#algorithm', name);
      await page.click('#solve');
      await page.waitForSelector('#try-next');
      for (const [width, height] of [[1280, 800], [1440, 900], [1024, 768], [1920, 1080]]) {
        await page.setViewportSize({ width, height });
        await still(page);
        const [card, head, verdict] = await page.evaluate(() => ['solver', 'solver-head', 'verdict'].map((id) => document.getElementById(id).getBoundingClientRect().toJSON()));
        const [whole, shown] = await page.evaluate(() => [document.getElementById('solver').scrollHeight, document.getElementById('solver').clientHeight]);
        assert.ok(head.top >= card.top && head.bottom <= verdict.top && verdict.bottom <= card.bottom && whole <= shown, `${name} at ${width}×${height}: ${JSON.stringify({ card, head, verdict, whole, shown })}`);
        assert.deepEqual(await cutOff(page), [], `${width}×${height}`);
      }
      await page.setViewportSize(DESKTOP.viewport);
    }
    assert.deepEqual(problems, []);
  });
}

for (const locale of ['en-US', 'zh-CN']) {
  test(`${locale} on the smallest phones: all of the table lies above the bar, and what comes next after a win is in sight`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...PHONE, locale });
    for (const [width, height] of [[320, 640], [360, 640]]) {
      await sized(page, width, height);
      await page.waitForSelector('#setup #sizes');
      const [setup, foot] = await page.evaluate(() => ['setup', 'foot'].map((id) => document.getElementById(id).getBoundingClientRect().toJSON()));
      assert.ok(setup.height > 0 && setup.bottom <= foot.top, `${width}×${height}: ${setup.bottom} of ${foot.top}`);
    }
    await sized(page, 320, 640);
    for (const keys of ['R', 'LRLRR']) {
      await scramble(page, ONE_LEFT);
      for (const key of keys) await page.keyboard.press(KEY[key]);
      await page.waitForSelector('dialog.win-card');
      if (keys.length === 1) await page.keyboard.press('Escape');
    }
    await page.waitForSelector('#win-past');
    await page.waitForFunction(() => /\d/.test(document.getElementById('win-optimal').textContent));
    await still(page);
    assert.ok(await inSight(page, '#win-next'));
    assert.deepEqual([...(await cutOff(page)), ...problems], []);
  });
}

test('the figures above the board are one line, two on a phone, with nothing cut or overlapping, however much they say', async () => {
  for (const locale of ['en-US', 'zh-CN']) {
    const { page, problems } = await visit(held.browser, held.server.url, { ...PHONE, locale });
    await page.evaluate(async () => (await packed('js/session.js')).put((await packed('daily/day.js')).gameOf('2026-11-16')));
    await page.waitForSelector('#hud-day', { state: 'attached' });
    const isDaily = (yes) => page.evaluate((hidden) => { document.getElementById('hud-day').hidden = hidden; }, !yes);
    await page.evaluate(() => {
      document.getElementById('hud-left-box').hidden = false;
      for (const [id, text] of [['left', '≤ 1,089'], ['moves', '1,234'], ['rate', '18.04'], ['best', '09:41.3']]) document.getElementById(`hud-${id}`).textContent = text;
    });
    for (const [width, height] of [[320, 640], [360, 740], [360, 780], [375, 812], [390, 844], [740, 360], [600, 900], [768, 1024], [860, 700], [1280, 800]]) for (const daily of [true, false]) {
      await sized(page, width, height);
      await isDaily(daily);
      await still(page);
      const faults = await page.evaluate((most) => {
        const box = (node) => node.getBoundingClientRect();
        const seen = [...document.querySelectorAll('.hud .value, .hud .label')].filter((node) => box(node).width && getComputedStyle(node).clipPath === 'none');
        const hud = box(document.querySelector('.hud'));
        const lines = new Set(seen.filter((node) => node.matches('.value')).map((node) => Math.round(box(node).top)));
        const out = seen.filter((node) => box(node).right > hud.right + 0.5 || box(node).bottom > hud.bottom + 0.5 || box(node).top < hud.top);
        const on = seen.filter((a, i) => seen.slice(i + 1).some((b) => box(a).left < box(b).right && box(b).left < box(a).right && box(a).top < box(b).bottom - 1 && box(b).top < box(a).bottom - 1));
        const isLow = most === 1 && box(document.getElementById('hud-best')).top > box(document.getElementById('hud-moves')).bottom + 4;
        return [lines.size > most && 'several lines', isLow && 'the best lies below', ...[...out, ...on].map((node) => node.textContent)].filter(Boolean);
      }, width >= 860 ? 1 : 2);
      assert.deepEqual(faults, [], `${locale} ${width}×${height}${daily ? ', a day’s puzzle' : ''}`);
      if (width < 860 && height >= 740) assert.equal(await page.locator('#hud-time-label').evaluate((node) => getComputedStyle(node).clipPath), 'none', 'the clock keeps its name');
    }
    assert.deepEqual(problems, []);
  }
});

for (const locale of ['en-US', 'zh-CN']) {
  test(`${locale}: on a phone the ways to play are wholly in sight or wholly below the bar`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...PHONE, locale });
    await scramble(page, FIVE_LEFT);
    for (const [width, height] of [[360, 640], [360, 700], [360, 740], [360, 780], [360, 800], [375, 812], [390, 844], [393, 852], [412, 915], [540, 900]]) {
      await sized(page, width, height);
      await still(page);
      const [extras, foot] = await page.evaluate(() => ['extras', 'foot'].map((id) => document.getElementById(id).getBoundingClientRect().toJSON()));
      assert.ok(extras.bottom <= foot.top || extras.top >= foot.top - 1, `${width}×${height}: ${extras.top} to ${extras.bottom} of ${foot.top}`);
    }
    assert.deepEqual(problems, []);
  });

  test(`${locale}: what plays a long solution is within its card`, async () => {
    const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`, { ...DESKTOP, locale });
    await page.click('#solve');
    await page.waitForSelector('#playback:not([hidden])');
    await page.click('#pb-last');
    await page.evaluate(() => {
      const at = document.getElementById('pb-at');
      at.style.setProperty('--long', '11');
      at.textContent = '1,115 / 1,115';
    });
    for (const [width, height] of [[1280, 800], [1440, 900], [1024, 768]]) {
      await sized(page, width, height);
      const { wide, room, least, over } = await page.evaluate(() => {
        const [card, parts] = [document.getElementById('solver'), [...document.querySelectorAll('#playback *')].map((node) => node.getBoundingClientRect())];
        return { wide: card.scrollWidth, room: card.clientWidth, least: Math.min(...[...document.querySelectorAll('#playback .ghost')].map((node) => node.getBoundingClientRect().width)), over: Math.max(...parts.map(({ right }) => right)) - card.getBoundingClientRect().right };
      });
      assert.ok(wide <= room && over < -12 && least >= 24, `${width}×${height}: ${JSON.stringify({ wide, room, least, over })}`);
    }
    assert.deepEqual(problems, []);
  });
}

test('the cells among which the gap is chosen are large enough for a finger', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, PHONE);
  for (const [width, height] of [[320, 640], [360, 740], [740, 360], [768, 1024]]) {
    await sized(page, width, height);
    await page.click('#sizes button:nth-child(4)');
    for (const [rows, cols] of [[4, 4], [10, 10], [2, 10], [10, 2]]) {
      await page.fill('#custom-rows', String(rows));
      await page.fill('#custom-cols', String(cols));
      const { least, isIn, count } = await page.evaluate(() => {
        const cells = [...document.querySelectorAll('#blank-grid button')].map((node) => node.getBoundingClientRect());
        return { count: cells.length, least: Math.min(...cells.map(({ width: w, height: h }) => Math.min(w, h))), isIn: cells.every(({ left, right }) => left >= 0 && right <= innerWidth) };
      });
      assert.deepEqual([count, isIn, least >= (cols < 5 ? 39.5 : 24)], [rows * cols, true, true], `${rows}×${cols} on ${width}×${height}: ${least}`);
    }
    assert.deepEqual(await cutOff(page), [], `${width}×${height}`);
    await page.keyboard.press('Escape');
    await noSheet(page);
  }
  assert.deepEqual(problems, []);
});

test('where scroll bars take room, none lies on a narrow page, and on a wide one it moves nothing', async () => {
  const browser = await launch({ scrollBars: true });
  try {
    const { page } = await visit(browser, `${held.server.url}${link(FIVE_LEFT)}`, { ...DESKTOP, viewport: { width: 600, height: 500 } });
    const edges = () => page.evaluate(() => ({ room: document.documentElement.clientWidth, window: innerWidth, page: Math.max(...['board', 'setup', 'foot', 'open-help'].map((id) => document.getElementById(id).getBoundingClientRect().right)), frame: document.getElementById('frame').getBoundingClientRect().x, scrolls: document.documentElement.scrollWidth }));
    const narrow = await edges();
    assert.ok(narrow.room < narrow.window, 'there is a scroll bar');
    assert.ok(narrow.page <= narrow.room && narrow.scrolls <= narrow.room, JSON.stringify(narrow));
    await page.setViewportSize({ width: 1280, height: 800 });
    const { frame } = await edges();
    await page.evaluate(() => document.body.append(Object.assign(document.createElement('div'), { id: 'long', textContent: 'long' })));
    await page.locator('#long').evaluate((node) => { node.style.height = '2000px'; });
    const scrolled = await edges();
    assert.ok(scrolled.room < scrolled.window);
    assert.equal(scrolled.frame, frame);
  } finally {
    await browser.close();
  }
});

for (const locale of ['en-US', 'zh-CN']) for (const [device, options, sizes] of [['a desktop', DESKTOP, [[1280, 800], [1440, 900], [1024, 768]]], ['a phone', PHONE, [[360, 740], [740, 360], [768, 1024]]]]) {
  test(`${locale} on ${device}: a hint moves nothing below it, be it found or still looked for`, async () => {
    const { page, problems } = await visit(held.browser, `${held.server.url}#p=5x5&b=24&t=24.23.22.21.20.19.18.17.16.15.14.13.12.11.10.9.8.7.6.5.4.3.2.1.0&pic=dawn`, { ...options, locale });
    /** @type {(() => void) | null} The engine's answer, once it is asked. */
    let answer = null;
    await standIn(page, '**/api/solve*', async (route) => {
      if (route.request().postDataJSON().algorithm === 'greedy') return route.fallback();
      await new Promise((resolve) => { answer = () => resolve(undefined); });
      return route.fulfill({ json: { status: 'limit', reason: 'time', lower_bound: 60 } });
    });
    const tops = () => page.evaluate(() => ['show-numbers', 'peek', 'setup'].map((id) => document.getElementById(id).getBoundingClientRect().top));
    await page.keyboard.press(KEY.U);
    for (const [n, [width, height]] of sizes.entries()) {
      await sized(page, width, height);
      await page.waitForFunction((isPhone) => (document.getElementById('setup').getBoundingClientRect().height > 0) === isPhone, options === PHONE);
      await still(page);
      await knowing(page);
      const before = await tops();
      answer = null;
      await page.keyboard.press('h');
      await page.waitForFunction(() => /\d.*…$/.test(document.getElementById('hint-line').textContent));
      await until(() => answer !== null, 'the engine is asked');
      assert.deepEqual(await tops(), before, `${width}×${height}: while a better one is looked for`);
      answer?.();
      await page.waitForFunction(() => /\d/.test(document.getElementById('hint-line').textContent) && !/…/.test(document.getElementById('hint-line').textContent));
      assert.deepEqual([...(await tops()), ...(await cutOff(page))], before, `${width}×${height}: when nothing better has come`);
      // Of another position nothing is known yet.
      await page.keyboard.press(KEY['LDR'[n]]);
      await page.waitForFunction(() => document.getElementById('hint-line').hidden);
    }
    assert.deepEqual(problems, []);
  });
}

for (const [locale, says] of [['en-US', ['Most were lost from move 1 to move 5: 6 of the 10.', 'Move 3 cost 2 moves.', 'All were lost from move 1 to move 2.']], ['zh-CN', ['多走的 10 步里，有 6 步出在第 1 步到第 5 步。', '第 3 步走错，多走了 2 步。', '多走的步数全出在第 1 步到第 2 步。']]]) {
  test(`${locale}: the card of a win says exactly where moves were lost, and has it to see above the fold`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...PHONE, locale, reducedMotion: 'reduce' });
    for (const [n, moves] of ['DUDUDUDUDULDDRR', 'LDUDDRR', 'RDULLDDRR'].entries()) {
      await scramble(page, FIVE_LEFT);
      for (const move of moves) await page.keyboard.press(KEY[move]);
      await page.waitForSelector('#win-see');
      await still(page);
      assert.equal(await page.textContent('#win-lost p'), says[n]);
      for (const [width, height] of [[740, 360], [667, 375], [360, 740], [1280, 800]]) {
        await sized(page, width, height);
        await still(page);
        assert.ok(await inSight(page, '#win-see'), `${moves} at ${width}×${height}`);
        assert.deepEqual(await cutOff(page), [], `${width}×${height}`);
      }
      await page.keyboard.press('Escape');
      await noSheet(page);
    }
    assert.deepEqual(problems, []);
  });
}

test('on a phone’s side the picture of a result is whole, with what can be done with it', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, { ...PHONE, viewport: { width: 740, height: 360 }, reducedMotion: 'reduce' });
  await scramble(page, ONE_LEFT);
  await page.keyboard.press(KEY.R);
  await page.click('#win-postcard');
  await page.waitForSelector('#postcard');
  await still(page);
  const [card, save, head] = await page.evaluate(() => [document.getElementById('postcard'), document.getElementById('postcard-save'), [...document.querySelectorAll('.sheet-head')].at(-1)].map((node) => node.getBoundingClientRect().toJSON()));
  assert.ok(card.top >= head.bottom && card.bottom <= 360 && card.height > 200, JSON.stringify({ card, head }));
  assert.ok(Math.abs(card.width / card.height - 1080 / 1350) < 0.01, 'in its own shape');
  assert.ok(save.top >= head.bottom && save.bottom <= 360 && save.left > card.right, JSON.stringify(save));
  assert.deepEqual(problems, []);
});
