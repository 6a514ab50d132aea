// What a first look at the Lab and at Paths meets: nothing empty, one filled button, figures under their names, and the same names and colours in both.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, FIVE_LEFT, PHONE, scramble, stage, visit } from './harness.mjs';
import { change, finished, opener, recorded } from './lab-steps.mjs';
import { meet, openPaths, settled } from './paths-steps.mjs';

const held = stage();
const open = opener(held);

/** Says everything in another language, in the same page. */
const speak = (page, language) => page.evaluate(async (name) => (await packed('js/i18n.js')).setLanguage(name), language);
const filled = (page) => page.$$eval('.button.filled:not(#skip)', (nodes) => nodes.filter((node) => node.getClientRects().length).map(({ id }) => id));
/** The names of buttons that take more than one line. */
const broken = (page) => page.$$eval('.problem-card .acts .button span', (nodes) => nodes.filter((node) => { const range = document.createRange(); range.selectNodeContents(node); return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1; }).map(({ textContent }) => textContent));

test('the Lab opens with a race that has run, one filled button, nothing empty, and names that are not broken', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}lab`);
  await finished(page, 6);
  assert.ok(await page.isVisible('#lab-growth svg'));
  assert.equal(await page.locator('#race-others .example').count(), 4, 'and with what else could be raced');
  for (const language of ['en', 'zh']) {
    await speak(page, language);
    await page.click('#tab-race');
    assert.deepEqual(await filled(page), ['lab-run'], language);
    assert.deepEqual(await broken(page), [], language);
    await page.click('#tab-step');
    assert.deepEqual(await filled(page), ['lab-step-run'], language);
    assert.equal(await page.isVisible('#lab-where'), false, 'nothing is recorded that it could tell of');
    // In cards of one height words begin at one height under their heads.
    const gaps = await page.$$eval('.panel:not([hidden]) .example', (nodes) => nodes.map(({ children: [head, text] }) => Math.round(text.getBoundingClientRect().top - head.getBoundingClientRect().bottom)));
    assert.equal(new Set(gaps).size, 1, `${language}: ${gaps}`);
  }
  await page.click('#lab-step-run');
  await recorded(page);
  assert.equal(await page.isVisible('#lab-where'), true);
  assert.deepEqual(await filled(page), ['lab-step-run']);
  assert.deepEqual(problems, []);
});

test('on a phone the Lab says what it is, and Details are there once there are any', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}lab`, PHONE);
  const title = await page.locator('.lab > h1').boundingBox();
  assert.ok(title && title.height > 15 && title.width > 15, JSON.stringify(title));
  await page.click('#tab-step');
  assert.equal(await page.isVisible('#open-where'), false);
  await page.click('#lab-step-run');
  await recorded(page);
  assert.equal(await page.isVisible('#open-where'), true);
  assert.deepEqual(problems, []);
});

/** Where the words of each cell of a race end, by column: of the heads or names, and of the figures. */
const ends = (page) => page.$$eval('#lab-race table', ([table]) => {
  const endOf = (node) => { const range = document.createRange(); range.selectNodeContents(node); return Math.round(range.getBoundingClientRect().right); };
  const isCards = table.closest('.cards') !== null;
  return [...table.tBodies[0].rows[0].cells].slice(1).map((cell, i) => ({ name: cell.className, head: isCards ? Math.round(cell.getBoundingClientRect().right) : endOf(table.tHead.rows[0].cells[i + 1]), figures: [...table.tBodies[0].rows].map((row) => endOf(row.cells[i + 1])) }));
});

test('the figures of a race end where the names of their columns do, as a table and as cards', async () => {
  const { page, problems } = await open({ who: 'bfs astar:manhattan wastar:manhattan:5', tab: 'race' }, DESKTOP);
  await finished(page, 3);
  for (const [width, height] of [[1280, 800], [768, 1024], [390, 844], [360, 780]]) {
    await page.setViewportSize({ width, height });
    await page.click('#tab-why');
    await page.click('#tab-race');
    for (const { name, head, figures } of await ends(page)) for (const end of figures) assert.ok(Math.abs(end - head) <= 1, `${width}: ${name}: ${head}, ${figures}`);
  }
  assert.deepEqual(problems, []);
});

test('a race that is refused leaves no heading of curves behind', async () => {
  const { page } = await open({ who: 'bfs', tab: 'race' }, DESKTOP);
  await finished(page, 1);
  assert.equal(await page.isVisible('.growth'), true);
  await scramble(page, FIVE_LEFT);
  await change(page, { t: FIVE_LEFT.join('.'), who: 'bfs', tab: 'race' });
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('#lab-race tr'));
  assert.equal(await page.isVisible('.growth'), false);
});

test('a search has one name and one colour of its current node, in the Lab and in Paths', async () => {
  const lab = await open({ who: 'wastar:manhattan:5', tab: 'step' }, DESKTOP);
  await recorded(lab.page);
  const paths = await openPaths(held.browser, held.server.url, { fragment: '#map=map:meadow&a=wastar-manhattan-5&w=no-corners&s=226&g=252' });
  for (const [language, name] of [['en', 'Weighted A* 5\u00a0×\u00a0Manhattan'], ['zh', '加权 A* 5\u00a0×\u00a0曼哈顿']]) {
    await Promise.all([speak(lab.page, language), speak(paths.page, language)]);
    assert.equal(await lab.page.textContent('#step-who option'), name);
    assert.equal(await paths.page.textContent('.run-name'), name);
  }
  for (const look of ['light', 'dark', 'contrast']) {
    const [tree, map] = await Promise.all([lab, paths].map(({ page }) => page.evaluate(async (chosen) => {
      document.documentElement.dataset.look = chosen;
      await new Promise((resolve) => { requestAnimationFrame(resolve); });
      if (document.getElementById('paths')?.hidden === false) { const { now, open: waiting, closed } = (await packed('places/paths/theme.js')).palette(); return [now, waiting, closed]; }
      const { current, open: waiting, closed } = (await packed('places/lab/paint.js')).inks(document.documentElement);
      return [current, waiting, closed];
    }, look)));
    assert.deepEqual(tree, map, look);
    assert.ok(tree.every((colour) => /^#[\da-f]{3,6}$/i.test(colour)), `${tree}`);
  }
});

/** Whether the path is drawn: a line without dashes, as wide as nothing else of its colour. */
const isDrawn = (page) => page.evaluate(async () => {
  const { svgSheet } = await packed('trace/export.js');
  const { palette } = await packed('places/paths/theme.js');
  const { pane } = (await packed('places/paths/place.js')).inspect();
  const sheet = svgSheet();
  pane.drawOn(sheet, 20);
  return (sheet.text.match(/<path [^>]*fill="none"[^>]*>/g) ?? []).some((line) => line.includes(`stroke="${palette().path1}"`) && line.includes('stroke-linejoin="round"') && !line.includes('dasharray'));
});

test('a path is seen when its search has found it, not while that plays', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { fragment: '#map=map:meadow&a=astar&w=no-corners&s=226&g=252' });
  assert.equal(await isDrawn(page), true, 'at its end');
  await page.click('#paths-run');
  assert.equal(await isDrawn(page), false, 'nor while it is asked for');
  await meet(page, ({ player }) => player.playing && player.k > 1);
  await page.click('#paths-player-play');
  assert.equal(await isDrawn(page), false, 'while it plays');
  await settled(page);
  await page.focus('#paths-player-play');
  await page.keyboard.press('End');
  await meet(page, ({ player }) => player.k === player.length);
  assert.equal(await isDrawn(page), true);
  await page.keyboard.press('ArrowLeft');
  assert.equal(await isDrawn(page), false, 'a step before its end');
  assert.deepEqual(problems, []);
});
