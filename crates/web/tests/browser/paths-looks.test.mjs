// How Paths looks: in both languages, on a phone and a desktop, in every theme.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, stage } from './harness.mjs';
import { WIDTHS, cutOff, misfits, objections } from './looks.mjs';
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
  assert.ok(player.height <= 140 && paint.height <= 110, JSON.stringify({ player, paint }));
  assert.match(await page.innerText('#paths-player'), /^Expands row .* this is the goal/, 'the step is said where it is made');
  assert.deepEqual(problems, []);
});

test('on a phone the text of the algorithm has whole lines at every step, and the tour’s numbers stand in the middle', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { options: PHONE, fragment: '#map=rooms:33x33:7&a=astar&w=no-corners' });
  const faults = [];
  for (const [width, height] of [[360, 740], [360, 780], [390, 844], [412, 915]]) {
    await page.setViewportSize({ width, height });
    for (let step = 0; step < 6; step += 1) {
      await page.click('#paths-player-back');
      const cut = await page.$eval('.paths-middle .code', (box) => {
        const { top, height: room } = box.getBoundingClientRect();
        const line = parseFloat(getComputedStyle(box).lineHeight);
        const off = (length) => Math.abs(length / line - Math.round(length / line)) * line;
        const [first, lit] = [box.querySelector('li'), box.querySelector('.lit')].map((node) => node.getBoundingClientRect());
        return { lines: room / line, ends: [off(room), off(top - first.top)], isSeen: lit.top > top - 1 && lit.bottom < top + room + 1 };
      });
      if (cut.lines < 3.9 || cut.ends.some((part) => part > 1.5) || !cut.isSeen) faults.push(`${width}×${height}, step ${step}: ${JSON.stringify(cut)}`);
    }
  }
  await page.click('#paths-bar-hint');
  const off = await page.$$eval('.tour-steps .chip', (chips) => chips.map((chip) => {
    const [whole, number] = [chip, chip.firstChild].map((node) => node.getBoundingClientRect());
    return Math.abs(number.left + number.right - whole.left - whole.right);
  }));
  assert.equal(off.length, 5);
  assert.deepEqual([...faults, ...off.filter((by) => by > 1), ...problems], []);
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
      const narrow = name === 'phone';
      // On a desktop all widths are tried: a page is resized sooner than it is loaded.
      const resized = async (what) => { if (!narrow) faults.push(...(await misfits(page, WIDTHS)).map((fault) => `${what}: ${fault}`)); };
      await look('at first');
      await resized('at first');
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
      await resized('graph');
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
    // What blocks the way is told from the ground, and what costs more from what costs less.
    const told = await page.evaluate(async () => {
      const [{ groundStyle }, { rgb }] = await Promise.all([packed('places/paths/grid-scene.js'), packed('places/paths/theme.js')]);
      const light = (code) => { const [r, g, b] = rgb(groundStyle(code)).map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)); return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05; };
      const against = (one, other) => Math.max(light(one), light(other)) / Math.min(light(one), light(other));
      return { blocked: [0, 13].map((code) => against(code, 1)), dear: [2, 9].map((code) => against(code, 1)), steps: [2, 3, 4, 5, 6, 7, 8].map((code) => against(code, code + 1)) };
    });
    assert.ok(Math.min(...told.blocked) >= 3 && told.dear[0] >= 1.3 && told.dear[1] >= 2.4 && Math.min(...told.steps) > 1.05, JSON.stringify(told));
    assert.deepEqual(problems, []);
  });
}

test('the legend has the shapes that are drawn, and start and goal of a large map lie within its frame', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { fragment: '#map=open:4x6&a=ida-none&w=never&s=0&g=21' });
  const legend = () => page.$$eval('.legend .sign', (nodes) => nodes.map((node) => node.className.replace('sign sign-', '')));
  assert.deepEqual((await legend()).filter((name) => ['dropped', 'forgotten'].includes(name)), ['dropped', 'forgotten']);
  await page.evaluate(() => { location.hash = '#map=map:passages&a=bfs.dijkstra.astar&s=3&g=6'; });
  await meet(page, ({ state }) => state.map.kind === 'graph');
  await settled(page);
  assert.equal(await page.$eval('.legend .sign-open', (node) => getComputedStyle(node).borderRadius), '50%', 'nodes are round');
  assert.equal((await legend()).includes('dropped'), false);
  // No cost is written on a name.
  const covered = await page.evaluate(async () => {
    const { inspect } = await packed('places/paths/place.js');
    const written = [];
    const sheet = new Proxy(document.createElement('canvas').getContext('2d'), { get: (ctx, name) => (name === 'fillText' ? (text, x, y) => written.push({ text, x, y, wide: ctx.measureText(text).width }) : typeof ctx[name] === 'function' ? ctx[name].bind(ctx) : ctx[name]), set: (ctx, name, value) => { ctx[name] = value; return true; } });
    inspect().scene.above(sheet, inspect().view);
    if (!written.some(({ text }) => text === 'Garden')) return ['no names'];
    return written.flatMap((one, i) => written.slice(i + 1).filter((two) => Math.abs(one.x - two.x) < (one.wide + two.wide) / 2 && Math.abs(one.y - two.y) < 11).map((two) => `${one.text} ${two.text}`));
  });
  assert.deepEqual(covered, []);
  // Four wide maps are shown nearly as large as two columns can be.
  await page.evaluate(() => { location.hash = '#map=map:meadow&a=dijkstra.greedy.astar.wastar&w=no-corners'; });
  await meet(page, ({ state, view }) => state.map.cols === 32 && state.runs.length === 4 && view.scale > 8.2);
  await page.evaluate(() => { location.hash = '#map=rooms:512x512:7&a=dijkstra.astar.greedy.jps&w=no-corners'; });
  await meet(page, ({ state }) => state.map.rows === 512);
  await settled(page);
  const room = await page.evaluate(async () => {
    const { inspect } = await packed('places/paths/place.js');
    const { state, scene, view, pane } = inspect();
    return [state.map.start, state.map.goals[0]].flatMap((cell) => { const [x, y] = scene.centre(cell).map((value, axis) => value * view.scale + [view.x, view.y][axis]); return [x, y, pane.size.width - x, pane.size.height - y]; });
  });
  assert.ok(Math.min(...room) >= 7, `room around the ends: ${room}`);
  assert.deepEqual(problems, []);
});

for (const locale of ['en-US', 'zh-CN']) {
  test(`${locale} on a phone that lies on its side: most of the page is map, and nothing lies on it`, async () => {
    const { page, problems } = await openPaths(held.browser, held.server.url, { options: { ...PHONE, locale, viewport: { width: 740, height: 360 } }, fragment: '#map=rooms:33x49:7&a=astar&w=no-corners' });
    const box = (selector) => page.$eval(selector, (node) => node.getBoundingClientRect().toJSON());
    const [ground, player, bar, figures] = [await box('#paths-stage-0'), await box('#paths-player'), await box('#paths .foot'), await box('.run-figures .figure-line')];
    assert.ok(ground.height >= 180 && ground.width >= 550 && figures.bottom <= player.top, JSON.stringify({ ground, player, figures }));
    assert.ok(player.height <= 56 && player.right <= bar.left && bar.bottom <= 360, JSON.stringify({ player, bar }));
    assert.equal(await page.isVisible('#paths-player-level'), false, 'the jumps are folded');
    await page.click('#paths-player-more');
    await page.click('#paths-player-first');
    assert.equal(await page.isVisible('#paths-player-level'), true);
    assert.deepEqual([...(await cutOff(page)), ...problems], []);
  });
}

/** Notes with every frame where the maps lie on the page, and which part of them is seen. */
const follow = (page) => page.evaluate(async () => {
  const { inspect } = await packed('places/paths/place.js');
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
