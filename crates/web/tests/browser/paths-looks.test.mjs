// How Paths looks: in both languages, on a phone and a desktop, in every theme.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, stage } from './harness.mjs';
import { cutOff, objections } from './looks.mjs';
import { drag, meet, openPaths, place, settled } from './paths-steps.mjs';

const held = stage();

test('the words of both languages are the same in number', async () => {
  const [en, zh] = await Promise.all(['en', 'zh'].map(async (name) => Object.keys((await place(name)).default).sort()));
  assert.deepEqual(en, zh);
});

test('on a phone the map goes from edge to edge, and the player is low', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { options: { ...PHONE, viewport: { width: 360, height: 740 } }, fragment: '#map=rooms:33x33:7&a=astar&w=no-corners' });
  const box = (selector) => page.$eval(selector, (node) => node.getBoundingClientRect().toJSON());
  const [ground, player, paint] = [await box('#paths-stage-0'), await box('#paths-player'), await box('#paths-paint')];
  assert.deepEqual([ground.left, ground.width], [0, 360]);
  assert.ok(ground.height >= 340 && ground.bottom <= player.top, JSON.stringify({ ground, player }));
  assert.ok(player.height <= 90 && paint.height <= 110, JSON.stringify({ player, paint }));
  assert.deepEqual(problems, []);
});

for (const locale of ['en-US', 'zh-CN']) {
  for (const [name, device] of [['phone', PHONE], ['desktop', { viewport: { width: 1440, height: 900 } }]]) {
    test(`${locale} on a ${name}: complete, nothing cut off, accessible`, async () => {
      const { page, problems } = await openPaths(held.browser, held.server.url, { options: { ...device, locale } });
      const faults = [];
      const look = async (what) => {
        const keys = (await page.evaluate(() => document.body.innerText.match(/\b(?:paths|trace|nav|share|playback)\.[a-z]\w+/g))) ?? [];
        faults.push(...[...(await cutOff(page)), ...keys, ...(await objections(page))].map((fault) => `${what}: ${fault}`));
      };
      const close = async () => {
        const open = await page.locator('dialog').count();
        await page.keyboard.press('Escape');
        await page.waitForFunction((count) => document.querySelectorAll('dialog').length < count, open);
      };
      await look('at first');
      const narrow = name === 'phone';
      const aside = async (button, act) => {
        if (narrow) await page.click(button);
        await act();
        if (narrow) await close();
      };
      if (narrow) for (const button of ['#paths-bar-whole', '#paths-bar-settings']) { await page.click(button); await look(button); await close(); }
      for (const opens of ['#paths-maker', '#paths-files', '#paths-export']) await aside('#paths-bar-whole', async () => { await page.click(opens); await look(opens); await close(); });
      await page.click('#paths-tool-file');
      await look('as text');
      await close();
      if (narrow) {
        await page.click('#paths-player-more');
        await look('jumps');
        await page.click('#paths-player-more');
        await page.click('#paths-bar-hint');
      }
      if (!narrow) await page.click('#paths-tour-1');
      await settled(page);
      await page.click('#paths-tour-3');
      await settled(page);
      await look('tour');
      await aside('#paths-bar-whole', () => page.selectOption('#paths-builtin', 'passages'));
      await settled(page);
      await look('graph');
      await aside('#paths-bar-whole', () => page.selectOption('#paths-builtin', 'sea-8-cut'));
      await settled(page);
      await look('no path');
      assert.deepEqual([...faults, ...problems], []);
    });
  }
}

for (const look of ['dark', 'contrast']) {
  test(`the ${look} look is accessible`, async () => {
    const { page, problems } = await openPaths(held.browser, held.server.url);
    await page.click('#open-settings');
    await page.check(`input[value=${look}]`);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('dialog'));
    assert.deepEqual(await objections(page), []);
    assert.deepEqual(problems, []);
  });
}

/** Notes with every frame where the maps lie on the page, and which part of them is seen. */
const follow = (page) => page.evaluate(async () => {
  const { inspect } = await import('/places/paths/place.js');
  const places = new Set();
  const look = () => {
    const { scale, x, y } = inspect().view;
    places.add(JSON.stringify([scale, x, y, ...[...document.querySelectorAll('#paths .stage')].map((node) => { const { left, top, width, height } = node.getBoundingClientRect(); return [left, top + scrollY, width, height]; })]));
    if (window.follows === places) requestAnimationFrame(look);
  };
  Object.assign(window, { follows: places });
  look();
});
/** Where they have been since. */
const followed = (page) => page.evaluate(() => [.../** @type {any} */ (window).follows]);

for (const locale of ['en-US', 'zh-CN']) {
  for (const [name, device, sizes] of [['phone', PHONE, [[360, 740]]], ['desktop', {}, [[1440, 900], [1280, 800], [1024, 768]]]]) {
    test(`${locale} on a ${name}: the map stays where it is while ends are dragged and searches run`, async () => {
      // Whose figures change most: dearer than the cheapest, or not; with a path, or without.
      const { page, problems } = await openPaths(held.browser, held.server.url, { options: { ...device, locale }, fragment: '#map=map:meadow&a=greedy.wastar.bfs.astar-manhattan&w=no-corners&s=226&g=252' });
      for (const [width, height] of sizes) {
        await page.setViewportSize({ width, height });
        await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => requestAnimationFrame(resolve)); }));
        await follow(page);
        const goal = await drag(page, [7, 28], [7, 3], [2, 12], [12, 20], [7, 28]);
        await goal.release();
        await settled(page);
        await page.click(name === 'phone' ? '#paths-bar-play' : '#paths-run');
        await meet(page, ({ player }) => player.playing);
        await meet(page, ({ player }) => player.k > 3);
        await page.click('#paths-player-play');
        assert.equal((await followed(page)).length, 1, `${width}×${height}: ${(await followed(page)).join('\n')}`);
      }
      assert.deepEqual(problems, []);
    });
  }
}
