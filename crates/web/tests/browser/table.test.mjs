// The table: square pieces on every board, everything in sight on every screen, and nothing that moves by itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, FIVE_LEFT, PHONE, game, knowing, link, phase, stage, still, toEnd, touch, until, visit } from './harness.mjs';
import { SIZES, misfits } from './looks.mjs';

const held = stage();

const HARD = '#p=5x5&b=24&t=24.23.22.21.20.19.18.17.16.15.14.13.12.11.10.9.8.7.6.5.4.3.2.1.0&pic=night';
const WIDE = { ...DESKTOP, viewport: { width: 1440, height: 900 } };

/** Puts a board on the table. */
const lay = (page, settings) => page.evaluate(async (how) => {
  const session = await packed('js/session.js');
  const { Game } = await packed('js/game.js');
  session.open(new Game(how));
}, settings);

const box = (page, selector) => page.locator(selector).first().boundingBox();

/** A striped photograph: so many bands of equal width, the colours of a rainbow. */
const stripes = (page, width, height, bands) => page.evaluate(([w, h, count]) => {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [w, h];
  const ctx = canvas.getContext('2d');
  for (let i = 0; i < count; i += 1) {
    ctx.fillStyle = `hsl(${(i * 360) / count} 90% 50%)`;
    ctx.fillRect((i * w) / count, 0, w / count, h);
  }
  return canvas.toDataURL('image/png').split(',')[1];
}, [width, height, bands]).then((text) => Buffer.from(text, 'base64'));

for (const [name, device] of [['phone', PHONE], ['desktop', DESKTOP]]) {
  test(`on every ${name} the pieces are square, the board is all in sight, and so is the goal`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, device);
    const faults = [];
    for (const [rows, cols, wraps] of [[4, 4, []], [2, 10, [0]], [5, 3, []], [10, 2, []]]) {
      const last = rows * cols - 1;
      await lay(page, { rows, cols, wrapRows: wraps, start: [...Array.from({ length: last - 1 }, (_, i) => i + 1), 0, last] });
      for (const [width, height] of SIZES[name]) {
        await page.setViewportSize({ width, height });
        await still(page);
        const [tile, frame, goal] = [await box(page, '#tile-1'), await box(page, '#frame'), await box(page, '#goal')];
        const foot = (await page.locator('#foot').isVisible()) && width < height ? (await box(page, '#foot')).y : height;
        const near = (a, b) => Math.abs(a - b) < 0.6;
        const wrong = [
          !near(tile.width, tile.height) && `pieces of ${tile.width}×${tile.height}`,
          !near(goal.width / goal.height, cols / rows) && !near(goal.height, (goal.width * rows) / cols) && `a goal of ${goal.width}×${goal.height}`,
          (frame.x < 0 || frame.x + frame.width > width || frame.y < 0 || frame.y + frame.height > foot) && `the board from ${frame.x},${frame.y} is ${frame.width}×${frame.height}`,
          (goal.x < 0 || goal.x + goal.width > width || goal.y < 0 || goal.y + goal.height > foot) && 'the goal is out of sight',
          width < 860 && height > 999 && (await page.evaluate(() => document.documentElement.scrollHeight > innerHeight)) && 'a tablet has to scroll',
          goal.x < frame.x + frame.width && frame.x < goal.x + goal.width && goal.y < frame.y + frame.height && frame.y < goal.y + goal.height && 'the goal lies on the board',
        ];
        faults.push(...wrong.filter(Boolean).map((fault) => `${rows}×${cols} at ${width}×${height}: ${fault}`));
      }
      faults.push(...(await misfits(page, SIZES[name])).map((fault) => `${rows}×${cols}: ${fault}`));
    }
    assert.deepEqual([...faults, ...problems], []);
  });
}

test('the crop has the board’s shape, and a picture of another shape shows its middle', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, WIDE);
  const ratio = async () => { const { width, height } = await box(page, '#crop-stage'); return width / height; };
  const crop = async (buffer) => {
    await page.click('#more-pictures');
    await page.setInputFiles('#picture-file', { name: 'photo.png', mimeType: 'image/png', buffer });
    await page.waitForSelector('#crop-stage');
    await still(page);
  };
  const kept = () => page.evaluate(async () => {
    const { pictureUrl } = await packed('js/pictures.js');
    const { width, height } = await pictureUrl((await packed('js/session.js')).current().picture);
    return [width, height];
  });
  await crop(await stripes(page, 1200, 800, 3));
  for (const size of SIZES.desktop) {
    await page.setViewportSize({ width: size[0], height: size[1] });
    assert.ok(Math.abs((await ratio()) - 1) < 0.01, `square at ${size}`);
  }
  await page.setViewportSize(WIDE.viewport);
  await page.click('#crop-use');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  assert.deepEqual(await kept(), [1024, 1024]);
  const face = (cell) => page.locator(`.face[data-at="${cell}"]`).evaluate((node) => [node.style.backgroundSize, node.style.backgroundPosition]);
  assert.deepEqual(await face(5), ['400% 400%', `${100 / 3}% ${100 / 3}%`.replace(/(\d+\.\d{4})\d+/g, '$1')]);
  await lay(page, { rows: 2, cols: 10, picture: (await game(page)).picture });
  const [size, at] = await face(0);
  assert.equal(size, '1000% 1000%', 'a square picture on a long board is as wide as the board');
  assert.match(at, /^0% 44\.4/, 'and its middle is shown');
  await crop(await stripes(page, 2000, 400, 10));
  assert.ok(Math.abs((await ratio()) - 5) < 0.05, 'the crop is as long as the board');
  await page.click('#crop-use');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  assert.deepEqual(await kept(), [1600, 320]);
  const { picture } = await game(page);
  /** The hue of each piece where it is at home, as a small picture of the position shows it. */
  const hues = (rows, cols) => page.evaluate(async (how) => {
    const { drawPosition } = await packed('js/pictures.js');
    const { home, whole } = await packed('js/rules.js');
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [200, 200];
    const blank = how.rows * how.cols - 1;
    await drawPosition(canvas, { ...how, blank, tiles: whole(how.rows, how.cols, blank) }, home);
    const side = canvas.width / how.cols;
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const ctx = copy.getContext('2d', { willReadFrequently: true });
    ctx.drawImage(canvas, 0, 0);
    return { size: [canvas.width, canvas.height], first: Array.from({ length: how.cols }, (_, col) => [...ctx.getImageData((col + 0.5) * side, side / 2, 1, 1).data.slice(0, 3)]) };
  }, { rows, cols, picture });
  const long = await hues(2, 10);
  assert.deepEqual(long.size, [200, 40]);
  assert.equal(new Set(long.first.map(String)).size >= 9, true, 'each piece has its own band');
  const square = await hues(4, 4);
  assert.deepEqual(square.size, [200, 200]);
  const like = (a, b) => a.every((value, i) => Math.abs(value - b[i]) < 24);
  assert.ok(like(square.first[0], long.first[4]) && like(square.first[3], long.first[5]), 'four columns show the two bands in the middle');
  await page.reload();
  await page.waitForSelector('body[data-ready=yes]');
  assert.deepEqual(await kept(), [1600, 320], 'and it stays so');
  await lay(page, { rows: 3, cols: 5, start: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 14], picture });
  await page.keyboard.press('ArrowLeft');
  await page.waitForSelector('.win-card');
  const [board, card] = [await box(page, '#board'), await box(page, '.win-card')];
  assert.ok(Math.abs(board.width / board.height - 5 / 3) < 0.02 && board.x + board.width <= card.x, 'the finished picture has the board’s shape, and the card leaves it in sight');
  assert.deepEqual(problems, []);
});

for (const locale of ['en-US', 'zh-CN']) {
  test(`${locale} on a phone: a search, its Stop and its failure are in sight, picture and size at hand`, async () => {
    const { page, problems } = await visit(held.browser, `${held.server.url}${HARD}`, { ...PHONE, locale });
    let reply = null;
    await page.route('**/api/solve*', (route) => { reply = route; });
    const inSight = (selector) => page.locator(selector).evaluate((node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      return right > left && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && node.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
    });
    for (const [width, height] of SIZES.phone) {
      await page.setViewportSize({ width, height });
      await page.evaluate(() => scrollTo(0, 0));
      await page.click('.bar [data-does=more]');
      await page.selectOption('#algorithm', 'bfs');
      await page.click('#solve');
      await page.waitForFunction(() => !document.querySelector('dialog') && !document.getElementById('searching').hidden);
      await page.evaluate(() => { for (const id of ['s-expanded', 's-generated']) document.getElementById(id).textContent = '1,234,567,890'; });
      await still(page);
      for (const selector of ['#stop', '#s-expanded', '.bar [data-does=undo]']) assert.ok(await inSight(selector), `${selector} at ${width}×${height}`);
      const [frame, dock] = [await box(page, '#frame'), await box(page, '#dock')];
      assert.ok(dock.y >= frame.y + frame.height - 1 || dock.x >= frame.x + frame.width - 1, `the search hides no tile at ${width}×${height}`);
      assert.deepEqual(await misfits(page, [[width, height]]), []);
      await until(() => reply !== null);
      await reply.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify({ status: 'limit', reason: 'memory', expanded: 123456, seconds: 1.2 }) });
      reply = null;
      await page.waitForSelector('#try-next');
      await still(page);
      for (const selector of ['#verdict .error', '#try-next', '#dock-close']) assert.ok(await inSight(selector), `${selector} at ${width}×${height}`);
      assert.deepEqual(await misfits(page, [[width, height]]), []);
      await page.click('#dock-close');
      assert.equal(await page.locator('#dock').isVisible(), false, 'the failure can be closed');
    }
    await page.setViewportSize(PHONE.viewport);
    assert.equal(await page.locator('#algorithm').isVisible(), false, 'the algorithms are not in the way');
    for (const selector of ['#sizes', '#more-pictures']) assert.equal(await page.locator(selector).isVisible(), true, selector);
    await page.locator('#sizes button').first().click();
    assert.equal((await game(page)).rows, 3);
    assert.ok(await inSight('#sizes'), 'the sizes are in sight before a game');
    assert.equal(await page.locator('.bar [data-does=undo]').evaluate((node) => node.disabled), true);
    assert.ok(await page.locator('.bar [data-does=undo]').evaluate((node) => Number(getComputedStyle(node).opacity)) < 0.5, 'what cannot be pressed looks so');
    assert.deepEqual(problems, []);
  });
}

/** Where everything is that can be pressed, but for what the search itself shows. */
const places = (page) => page.locator('#rail button:visible, .overlays button, #frame, .top button').evaluateAll((nodes) => nodes.filter((node) => !node.closest('#solver')).map((node) => {
  const { x, y, width } = node.getBoundingClientRect();
  return `${node.id || node.textContent.trim()} ${Math.round(x)} ${Math.round(y)} ${Math.round(width)}`;
}));

const MENDABLE = JSON.stringify({ status: 'limit', reason: 'memory', expanded: 1234567890, seconds: 19.9, lower_bound: 80 });

for (const locale of ['en-US', 'zh-CN']) {
  test(`${locale}: a search, its playback, its end and its failure move no button and make the page no higher`, async () => {
    const { page, problems } = await visit(held.browser, `${held.server.url}${HARD}`, { ...WIDE, locale });
    await knowing(page);
    let reply = null;
    await page.route('**/api/solve*', (route) => { reply = route; });
    for (const [width, height] of [[1280, 800], [1366, 768], [1440, 900], [1920, 1080]]) {
      await page.setViewportSize({ width, height });
      const before = await places(page);
      assert.ok(before.length > 20);
      const unmoved = async (when) => {
        await still(page);
        assert.deepEqual(await places(page), before, `${when} at ${width}×${height}`);
        assert.deepEqual(await page.evaluate(() => [scrollY, Math.max(0, document.documentElement.scrollHeight - innerHeight)]), [0, 0], `${when} at ${width}×${height}: nothing to scroll`);
      };
      await unmoved('at rest');
      await page.selectOption('#algorithm', 'auto');
      await page.focus('#solve');
      await page.keyboard.press('Enter');
      await page.waitForSelector('#play-best:not([disabled])');
      await page.evaluate(() => { for (const id of ['s-expanded', 's-generated', 's-bound']) document.getElementById(id).textContent = '1,234,567,890'; });
      await unmoved('searching');
      assert.equal(await page.evaluate(() => document.activeElement.id), 'stop', 'the focus is where the search can be ended');
      await page.click('#play-best');
      await page.waitForSelector('#playback:not([hidden])');
      await unmoved('playing');
      await page.waitForFunction(() => Number(document.getElementById('pb-scrub').value) > 0);
      await page.click('#stop');
      await page.waitForSelector('#searching', { state: 'hidden' });
      await page.click('#undo');
      await page.waitForSelector('#playback', { state: 'hidden' });
      await page.focus('#solve');
      await page.keyboard.press('Enter');
      await page.waitForSelector('#play-best:not([disabled])');
      await page.focus('#stop');
      await page.keyboard.press('Enter');
      await page.waitForSelector('#play-kept');
      assert.equal(await page.evaluate(() => document.activeElement.id), 'solve');
      await unmoved('stopped');
      await page.selectOption('#algorithm', 'bfs');
      reply = null;
      await page.click('#solve');
      await until(() => reply !== null);
      await reply.fulfill({ status: 200, contentType: 'application/json', body: MENDABLE });
      await page.waitForSelector('#try-next');
      await unmoved('failed');
      const next = await page.locator('#try-next').evaluate((node) => { node.scrollIntoView({ block: 'nearest' }); const { bottom } = node.getBoundingClientRect(); return bottom <= innerHeight; });
      assert.ok(next, `what to do next can be reached at ${width}×${height}`);
    }
    assert.deepEqual(problems, []);
  });
}

test('the page is as wide as the window, scrolled or not, and no strip is left beside it', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, WIDE);
  const wide = () => page.evaluate(() => [document.querySelector('.top').getBoundingClientRect().right, document.getElementById('frame').getBoundingClientRect().x, document.documentElement.scrollWidth - innerWidth]);
  const before = await wide();
  assert.equal(before[0], WIDE.viewport.width);
  await page.evaluate(() => { document.body.style.minHeight = '3000px'; });
  assert.deepEqual(await wide(), before);
  assert.deepEqual(problems, []);
});

test('the clock waits while a sheet is open, and the board is covered', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
  await page.clock.install();
  await page.keyboard.press('ArrowUp');
  await page.clock.runFor(300);
  await page.click('#open-settings');
  await page.waitForSelector('dialog[open]');
  const { millis } = await game(page);
  assert.ok(millis >= 300);
  assert.equal(await phase(page), 'paused');
  await page.clock.runFor(5000);
  assert.equal((await game(page)).millis, millis);
  await page.keyboard.press('Escape');
  await until(async () => (await phase(page)) === 'playing');
  await page.clock.runFor(300);
  assert.ok((await game(page)).millis >= millis + 300, 'and goes on after it');
  await page.click('#clock');
  await page.click('#open-settings');
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  assert.equal(await phase(page), 'paused', 'a pause of the player’s stays one');
  assert.deepEqual(problems, []);
});

test('the caption says when a playback is over; a hint has a ring in every look', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
  await page.keyboard.press('h');
  await page.waitForSelector('.hinted');
  for (const look of ['light', 'dark', 'contrast']) {
    const ring = await page.evaluate((name) => {
      document.documentElement.dataset.look = name;
      const { borderTopWidth, borderTopColor, content } = getComputedStyle(document.querySelector('.hinted'), '::after');
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = 'var(--seal)';
      const seal = getComputedStyle(probe).color;
      probe.remove();
      return content !== 'none' && parseFloat(borderTopWidth) >= 3 && borderTopColor === seal;
    }, look);
    assert.ok(ring, look);
  }
  // Slowly: it must not be over before it is looked at.
  await page.evaluate(async () => (await packed('js/prefs.js')).setPref('speed', 0.25));
  await page.click('#solve');
  await page.waitForSelector('#playback:not([hidden])');
  assert.match(await page.textContent('#caption'), /^Playing the solution/);
  await page.click('#pb-play');
  assert.match(await page.textContent('#caption'), /^At move [0-4] of 5\./);
  await toEnd(page);
  assert.match(await page.textContent('#caption'), /Solved for you/);
  await page.click('#pb-back');
  assert.match(await page.textContent('#caption'), /^At move 4 of 5\./);
  assert.deepEqual(problems, []);
});

test('wrapping lines are marked, named, and counted in the ways home', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}#p=3x5&b=14&t=5.2.3.4.1.6.7.8.9.10.11.12.13.14.0&wr=0.2&wc=1&pic=dawn`);
  assert.equal(await page.getAttribute('#board', 'aria-label'), 'Board, 3 rows, 5 columns; wrapping rows: 1, 3; wrapping columns: 2');
  await page.waitForSelector('.wrap-mark');
  const marks = await page.locator('.wrap-mark').evaluateAll((nodes) => nodes.map((node) => node.className.replace('wrap-mark ', '')).sort());
  assert.deepEqual(marks, ['bottom', 'left', 'left', 'right', 'right', 'top']);
  const [frame, mark, tile] = [await box(page, '#frame'), await box(page, '.wrap-mark.left'), await box(page, '#tile-5')];
  assert.ok(mark.x >= frame.x && mark.x + mark.width <= tile.x + 3, 'on the frame, beside the row');
  assert.ok(Math.abs(mark.y + mark.height / 2 - (tile.y + tile.height / 2)) < 1.5);
  await page.click('#show-homeward');
  await page.waitForFunction(() => parseFloat(document.querySelector('#tile-5 .compass .icon').style.rotate) < 0);
  const degrees = (number) => page.locator(`#tile-${number} .compass .icon`).evaluate((node) => Math.round((parseFloat(node.style.rotate) * 180) / Math.PI));
  assert.equal(await degrees(5), -90, 'through the left edge');
  assert.equal(await degrees(1), 90, 'through the right edge');
  await page.keyboard.press('2');
  assert.equal(await page.locator('.wrap-mark').count(), 0);
  assert.deepEqual(problems, []);
});

test('Space or Enter after a click on Shuffle changes nothing, in Classic and after a look at the help too; with the keyboard alone the button works', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  const isLeft = async () => {
    const { tiles } = await game(page);
    for (const key of ['Space', 'Enter']) await page.keyboard.press(key);
    assert.deepEqual((await game(page)).tiles, tiles);
  };
  await page.click('#shuffle');
  await isLeft();
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog') && document.activeElement?.id === 'shuffle');
  await isLeft();
  await page.click('#open-classic');
  await page.waitForSelector('#classic');
  await page.evaluate(() => { document.getElementById('classic-options').open = true; scrollTo(0, 1e6); });
  assert.ok(await page.evaluate(() => scrollY > 200 && document.getElementById('frame').getBoundingClientRect().top >= 0), 'the board stays in sight beside a long panel');
  await page.evaluate(() => { document.getElementById('classic-options').open = false; scrollTo(0, 0); });
  assert.ok(await page.evaluate(() => ['shuffle', 'hint', 'save'].every((id) => document.getElementById(id).getBoundingClientRect().bottom <= innerHeight)), 'and what is pressed most lies above the fold');
  for (const pressed of await page.locator('[data-anew]:visible:enabled').all()) {
    await pressed.click();
    await isLeft();
    await page.click('#shuffle');
  }
  await page.click('#open-classic');
  await page.waitForSelector('#classic', { state: 'detached' });
  assert.deepEqual(await page.evaluate(() => [...document.getElementById('rail-body').children].map(({ id }) => id)), ['extras', '', '', '', '', '', 'solver-side'], 'all is back in its place');
  const { tiles } = await game(page);
  await page.focus('#clock');
  await page.keyboard.press('Tab');
  await page.focus('#shuffle');
  await page.keyboard.press('Enter');
  assert.notDeepEqual((await game(page)).tiles, tiles);
  assert.deepEqual(problems, []);
});

test('dragging a tile that cannot move moves none', async () => {
  const { page, problems, context } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`, { ...DESKTOP, hasTouch: true });
  const stuck = await box(page, '#tile-8');
  const [x, y] = [stuck.x + stuck.width / 2, stuck.y + stuck.height / 2];
  for (const [dx, dy] of [[-90, 0], [0, -90]]) {
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + dx, y + dy, { steps: 3 });
    await page.mouse.up();
    assert.equal((await game(page)).moves, '');
  }
  const cdp = await context.newCDPSession(page);
  const up = Array.from({ length: 6 }, (_, i) => ({ x, y: y - i * 16 }));
  await touch(cdp, up, 900);
  assert.equal((await game(page)).moves, '', 'a slow finger drags, it does not swipe');
  await touch(cdp, up, 150);
  assert.equal((await game(page)).moves, 'D', 'a quick one swipes: the tile below the gap goes up');
  assert.deepEqual(problems, []);
});

test('the pieces of a whole picture meet: each is drawn as large as its cell, however many there are', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, PHONE);
  for (const [rows, cols] of [[10, 10], [3, 7]]) {
    await lay(page, { rows, cols });
    await still(page);
    const off = await page.evaluate(() => Math.max(...[...document.querySelectorAll('#board .face')].map((face) => {
      const [drawn, cell] = [face, face.parentElement].map((node) => node.getBoundingClientRect());
      const { borderLeftWidth, borderTopWidth } = getComputedStyle(face);
      return Math.max(Math.abs(drawn.left + Number.parseFloat(borderLeftWidth) - cell.left), Math.abs(drawn.height - 2 * Number.parseFloat(borderTopWidth) - cell.height));
    })));
    assert.ok(off < 0.1, `${rows}×${cols}: ${off} pixels off`);
  }
  assert.deepEqual(problems, []);
});
