// Both languages, every look, every width: nothing missing, nothing cut off, nothing axe objects to.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { DESKTOP, FIVE_LEFT, KEY, ONE_LEFT, PAGE, PHONE, ROOT, game, knowing, link, pressNotice, ready, solution, stage, standIn, tab, toEnd, until, visit } from './harness.mjs';
import { follow } from './library-steps.mjs';
import { SIZES, cutOff, misfits, objections, objectionsInBoth } from './looks.mjs';

const held = stage();

const keysShown = (page) => page.evaluate(() => document.body.innerText.match(/\b(?:do|hud|solve|saves|share|picture|size|blank|keys|win|net|caption|overlay|playback|settings|records|hint|keep|elsewhere|left|place|error|extra|help|howto|classic|daily|lesson)\.[a-z]\w+/g));

const SHEETS = {
  picture: async (page) => page.click('#more-pictures'),
  saves: async (page) => page.keyboard.press('Control+s'),
  load: async (page, narrow) => { if (narrow) await page.click('.bar [data-does=more]'); await page.click('#load'); },
  help: async (page) => page.click('#open-help'),
  settings: async (page) => page.click('#open-settings'),
  size: async (page) => page.click('#sizes button:nth-child(4)'),
  more: async (page) => page.click('.bar [data-does=more]'),
};

for (const locale of ['en-US', 'zh-CN']) {
  for (const [name, device] of [['phone', PHONE], ['desktop', DESKTOP]]) {
    test(`${locale} on every ${name}: chosen from the browser, complete, nothing cut off, accessible`, async () => {
      const { page, problems, context } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`, { ...device, locale });
      const narrow = name === 'phone';
      assert.equal(await page.getAttribute('html', 'lang'), locale === 'zh-CN' ? 'zh-Hans' : 'en');
      assert.match(await page.textContent('.places'), locale === 'zh-CN' ? /游戏/ : /Play/);
      const faults = [];
      const look = async (what, where = page, judge = objections) => {
        const found = [...(await misfits(where, SIZES[name])), ...((await keysShown(where)) ?? []), ...(await judge(where))];
        faults.push(...found.map((fault) => `${what}: ${fault}`));
      };
      for (const [width, height] of SIZES[name].slice(1)) {
        await page.setViewportSize({ width, height });
        faults.push(...(await objections(page)).map((fault) => `${width}×${height}: ${fault}`));
      }
      await look('play', page, objectionsInBoth);
      for (const [sheet, openIt] of Object.entries(SHEETS)) {
        if (sheet === 'more' && !narrow) continue;
        await openIt(page, narrow);
        await page.waitForSelector(sheet === 'more' ? 'dialog[open]' : 'dialog[open]:not(.more)');
        await look(sheet);
        for (let i = 0; i < 3; i += 1) await page.keyboard.press('Escape');
        await page.waitForFunction(() => !document.querySelector('dialog'));
      }
      await page.keyboard.press('ArrowUp');
      const other = await tab(context, held.server.url, problems);
      await other.waitForSelector('#take-over');
      await look('offer', other);
      await other.click('#take-over');
      await page.waitForSelector('#away-veil:not([hidden])');
      await look('elsewhere');
      await page.click('#take-back');
      await other.close();
      await page.waitForSelector('#away-veil', { state: 'hidden' });
      await page.route('**/api/saves/*', (route) => route.fulfill({ status: 507, contentType: 'application/json', body: '{"error":"full","code":"quota-saves"}' }));
      await page.keyboard.press('ArrowUp');
      await page.waitForSelector('#link-state:not([hidden])');
      await look('full');
      await page.click('#link-state');
      await page.waitForSelector('dialog[open] #keep-server');
      await look('keeping');
      await page.keyboard.press('Escape');
      await page.click(narrow ? '.bar [data-does=solve]' : '#solve');
      await page.waitForSelector('#playback:not([hidden])');
      await look('playback');
      await toEnd(page);
      await follow(page, link(ONE_LEFT));
      await page.keyboard.press('ArrowLeft');
      await page.waitForSelector('dialog.win-card');
      await look('win', page, objectionsInBoth);
      await page.keyboard.press('Escape');
      await page.click('.places [data-place=records]');
      await page.waitForSelector('#records-body > *');
      await look('records', page, objectionsInBoth);
      assert.deepEqual([...faults, ...problems.filter((text) => !/507/.test(text))], []);
        });
  }
}

for (const locale of ['en-US', 'zh-CN']) {
  test(`${locale} on a phone: sheets are as wide as the screen, and a long search makes nothing wider`, async () => {
    const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`, { ...PHONE, locale });
    for (const name of ['picture', 'saves']) {
      await SHEETS[name](page, true);
      const box = await page.locator('dialog.wide').evaluate((node) => ({ left: node.offsetLeft, width: node.offsetWidth }));
      assert.deepEqual(box, { left: 0, width: PHONE.viewport.width }, name);
      for (let i = 0; i < 3; i += 1) await page.keyboard.press('Escape');
      await page.waitForFunction(() => !document.querySelector('dialog'));
    }
    await page.route('**/api/solve*', () => {});
    await page.click('.bar [data-does=solve]');
    await page.waitForSelector('#searching:not([hidden])');
    await page.evaluate(() => { for (const id of ['s-expanded', 's-generated']) document.getElementById(id).textContent = '1,234,567,890'; });
    assert.equal(await page.evaluate(() => innerWidth), PHONE.viewport.width);
    assert.deepEqual(await cutOff(page), []);
    const bar = await page.locator('#bar').boundingBox();
    assert.deepEqual([bar.width, bar.y + bar.height], [PHONE.viewport.width, PHONE.viewport.height], 'the bar is where it was');
    assert.deepEqual(problems, []);
  });
}

/** Codes whose sentence says what is wrong with what was sent, or that the page answers itself. */
const TOLD_OTHERWISE = ['bad-map', 'unknown-map', 'method-not-allowed', 'no-host'];

test('what the server can refuse is worded in both languages', async () => {
  const table = (await readFile(path.join(ROOT, 'docs/http.md'), 'utf8')).split('## Errors')[1].split('\n## ')[0];
  const codes = [...table.matchAll(/^\| (?:\d+) \|(.*)\|$/gm)].flatMap(([, cell]) => [...cell.matchAll(/`([a-z_-]+)`/g)].map(([, code]) => code));
  assert.ok(codes.length > 25, String(codes));
  for (const language of ['en', 'zh']) {
    const parts = ['i18n', 'i18n/later'].map((folder) => import(pathToFileURL(path.join(PAGE, `${folder}/${language}.js`)).href));
    const words = Object.assign({}, ...(await Promise.all(parts)).map((part) => part.default));
    assert.deepEqual(codes.filter((code) => !TOLD_OTHERWISE.includes(code) && !words[`error.${code}`]), [], language);
  }
});

test('the language can be switched, at once and for good', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await page.click('#language');
  await page.waitForFunction(() => document.getElementById('shuffle').textContent === '打乱');
  assert.match(await page.title(), /拼图/);
  await page.reload();
  await page.waitForSelector('body[data-ready=yes]');
  assert.equal(await page.textContent('#shuffle'), '打乱');
  assert.deepEqual(problems, []);
});

test('a place that comes while the language changes speaks the new one', async () => {
  const { context, problems } = await visit(held.browser, held.server.url);
  /** Holds what fits the pattern back until what it resolves to is called. */
  const holdBack = async (pattern) => {
    let letGo = null;
    const free = new Promise((resolve) => { letGo = resolve; });
    const waits = { asked: 0, letGo };
    await standIn(context, pattern, async (route) => { waits.asked += 1; await free; await route.continue(); });
    return waits;
  };
  const inChinese = async (page) => {
    await page.waitForSelector('#records-body > *');
    await page.waitForFunction(() => document.getElementById('shuffle').textContent === '打乱' && document.title.includes('纪录'));
    assert.equal(await keysShown(page), null);
    assert.match(await page.innerText('#records'), /纪录/);
    assert.doesNotMatch(await page.innerText('#records'), /[a-z]{3,}/i);
  };
  // The language comes after the words of the place.
  const chinese = await holdBack('**/i18n/zh.js');
  const first = await tab(context, held.server.url, problems);
  await first.click('#language');
  const english = first.waitForResponse('**/places/records/en.js');
  await first.click('.places [data-place=records]');
  await Promise.race([english, until(() => chinese.asked > 0)]);
  chinese.letGo();
  await inChinese(first);
  await first.click('#language');
  await first.waitForFunction(() => document.getElementById('shuffle').textContent === 'Shuffle');
  await first.close();
  // The words of the place come after the language.
  const words = await holdBack('**/places/records/en.js');
  const second = await tab(context, held.server.url, problems);
  await second.click('.places [data-place=records]');
  await until(() => words.asked > 0, 'the place is on its way');
  await second.click('#language');
  await second.waitForFunction(() => document.getElementById('shuffle').textContent === '打乱');
  words.letGo();
  await inChinese(second);
  assert.deepEqual(problems, []);
});

for (const look of ['light', 'dark', 'contrast']) {
  test(`the ${look} look is accessible`, async () => {
    const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
    await page.click('#open-settings');
    await page.check(`input[value=${look}]`);
    assert.deepEqual(await objections(page), []);
    await page.keyboard.press('Escape');
    await page.click('#solve');
    await page.waitForSelector('#playback:not([hidden])');
    await page.click('#show-numbers');
    assert.deepEqual(await objections(page), []);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.look), look);
    const [chosen, others] = await page.evaluate(() => ['#sizes [aria-pressed=true]', '#sizes'].map((selector) => {
      const [r, g, b] = getComputedStyle(document.querySelector(selector)).backgroundColor.match(/\d+/g).map((value) => ((Number(value) / 255 + 0.055) / 1.055) ** 2.4);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    }));
    assert.ok(Math.max(chosen, others) / Math.min(chosen, others) > (look === 'light' ? 1.2 : 2), 'the chosen size stands out');
    assert.deepEqual(problems, []);
    });
}

test('tiles are buttons with names, and moves are announced', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
  assert.equal(await page.getAttribute('#board', 'role'), 'group');
  assert.equal(await page.getAttribute('#tile-5', 'aria-label'), 'tile 5, row 2, column 2, can move');
  assert.equal(await page.getAttribute('#tile-8', 'aria-label'), 'tile 8, row 3, column 3');
  await page.focus('#tile-5');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.getElementById('live').textContent.startsWith('5 up; 1 move;'));
  assert.match(await page.textContent('#live'), /^5 up; 1 move; \d misplaced$/);
  assert.equal(await page.getAttribute('#tile-5', 'aria-label'), 'tile 5, row 1, column 2, can move');
  assert.equal(await page.locator('[aria-live]').count(), 1, 'one live region');
  assert.deepEqual(problems, []);
});

test('a strict content policy holds: no inline script or style, and a favicon', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  const html = await (await page.request.get(held.server.url)).text();
  assert.doesNotMatch(html, /<script(?![^>]*src=)|<style|\sstyle=|\son\w+=/);
  assert.equal((await page.request.get(`${held.server.url}favicon.svg`)).status(), 200);
  assert.deepEqual(problems, []);
});

test('what a notice, a verdict and the line of a search say is said anew in another language', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  const spoken = (selector, pattern) => page.waitForFunction(([where, source]) => [...document.querySelectorAll(where)].some((node) => new RegExp(source).test(node.innerText)), [selector, pattern.source]);
  const bothWays = async (selector, english, chinese) => {
    await spoken(selector, english);
    await page.click('#language');
    await spoken(selector, chinese);
    await page.click('#language');
    await spoken(selector, english);
  };
  await page.keyboard.press('1');
  await page.keyboard.press('n');
  await page.keyboard.press(KEY[(await solution(page, held.server.url))[0]]);
  await page.keyboard.press('n');
  await bothWays('.toast', /^Your last game is saved\s+Undo$/, /^上一局已保留\s+撤销$/);
  await pressNotice(page);
  assert.equal((await game(page)).moves.length, 1, 'its button still does what it says');
  let letGo = () => {};
  await knowing(page);
  await standIn(page, '**/api/solve*', async (route) => {
    await new Promise((resolve) => { letGo = resolve; });
    await route.fulfill({ json: { status: 'limit', reason: 'memory', seconds: 2, expanded: 9000, lower_bound: 12, algorithm: 'bfs' } });
  });
  await page.click('#solve');
  await bothWays('#s-best', /^Best so far: \d+ moves$/, /^目前最短：\d+ 步$/);
  await page.click('#stop');
  await bothWays('#verdict', /^Stopped\. Best so far/, /^已停止/);
  await page.selectOption('#algorithm', 'bfs');
  await page.click('#solve');
  await until(() => { letGo(); return page.locator('#try-next').isVisible(); });
  await bothWays('#verdict', /ran out of memory.*No solution is shorter than 12 moves/, /内存.*12 步/);
  // A place's own words, and a link's.
  await page.goto(`${held.server.url}lab#lab=3x99`);
  await ready(page);
  await bothWays('.toast', /^This link is not right: lab is “3x99”/, /3x99/);
  await page.goto(`${held.server.url}paths#map=nonsense`);
  await ready(page);
  await spoken('.toast', /link/i);
  await page.click('#language');
  await spoken('.toast', /链接/);
  assert.deepEqual(problems, []);
});
