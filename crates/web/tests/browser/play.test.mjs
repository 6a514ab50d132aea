// From the first visit to the win, with mouse, touch and keyboard; the blank; runs; undo; nothing is lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, FIVE_LEFT, KEY, ONE_LEFT, PHONE, game, link, perform, phase, pressNotice, ready, resize, scramble, solution, stage, still, touch, until, visit } from './harness.mjs';
import { kept } from './library-steps.mjs';

const held = stage();

const won = (page) => page.waitForSelector('dialog.win-card');

async function cardOf(page) {
  const card = await won(page);
  await page.waitForFunction(() => !/Looking/.test(document.querySelector('#win-optimal')?.textContent ?? 'Looking'));
  return card.innerText();
}

test('first visit to win with the mouse', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  assert.equal(await phase(page), 'whole');
  await page.waitForFunction(() => document.querySelector('.face').style.backgroundImage.startsWith('url("blob:'));
  await page.click('#sizes button:nth-child(1)');
  await page.click('#shuffle');
  assert.equal(await phase(page), 'shuffled');
  assert.equal(await page.textContent('#hud-time'), '00:00.0');
  const moves = await solution(page, held.server.url);
  await perform(page, moves, (tile) => page.click(`#tile-${tile}`));
  const text = await cardOf(page);
  assert.match(text, new RegExp(`Perfect: ${moves.length} moves?, the shortest there is\\.`));
  assert.match(text, /Best time/);
  assert.equal(await phase(page), 'won');
  await page.waitForFunction(() => Number(getComputedStyle(document.querySelector('.piece')).opacity) > 0);
  await page.click('#win-replay');
  assert.equal(await phase(page), 'playback');
  assert.match(await page.textContent('#badge'), /replay/);
  // The card can be had again, also in another language.
  await page.click('#pb-leave');
  for (const before of ['Show the result', '查看成绩']) {
    await page.waitForFunction((said) => document.getElementById('show-card')?.textContent === said, before);
    await page.click('#show-card');
    await won(page);
    await page.keyboard.press('Escape');
    await page.click('#language');
  }
  await page.click('#shuffle');
  assert.equal(await page.locator('#show-card').count(), 0);
  assert.deepEqual(problems, []);
});

test('first visit to win with the keyboard alone', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await page.keyboard.press('1');
  await page.keyboard.press('n');
  const moves = await solution(page, held.server.url);
  const letters = { ArrowDown: 's', ArrowUp: 'w', ArrowRight: 'd', ArrowLeft: 'a' };
  let turn = 0;
  await perform(page, moves, (_, move) => page.keyboard.press((turn += 1) % 2 ? KEY[move] : letters[KEY[move]]));
  await won(page);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'win-next');
  await page.keyboard.press('Enter');
  assert.equal(await phase(page), 'shuffled');
  await page.keyboard.press('?');
  assert.match(await page.innerText('dialog[open]'), /Ctrl Z/);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  assert.deepEqual(problems, []);
});

test('first visit to win with touch: taps, swipes, and the bar', async () => {
  const { page, problems, context } = await visit(held.browser, held.server.url, PHONE);
  await page.tap('#sizes button:nth-child(1)');
  await page.tap('.bar [data-does=shuffle]');
  const moves = await solution(page, held.server.url);
  const cdp = await context.newCDPSession(page);
  const swipe = async (dx, dy) => {
    const { tiles, hole } = await game(page);
    const aside = tiles.find((tile, cell) => tile && cell % 3 !== hole % 3 && Math.floor(cell / 3) !== Math.floor(hole / 3));
    const box = await page.locator(`#tile-${aside}`).boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await touch(cdp, [0, 1, 2, 3, 4].map((i) => ({ x: x + (dx * i) / 4, y: y + (dy * i) / 4 })), 120);
  };
  const way = { ArrowUp: [0, -60], ArrowDown: [0, 60], ArrowLeft: [-60, 0], ArrowRight: [60, 0] };
  let turn = 0;
  await perform(page, moves, (tile, move) => ((turn += 1) % 2 ? page.tap(`#tile-${tile}`) : swipe(...way[KEY[move]])));
  await won(page);
  assert.equal((await game(page)).moves, moves);
  assert.deepEqual(problems, []);
});

test('a tap far along the line slides the run: k moves, one undo; a drag does too', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link([0, 1, 2, 4, 5, 3, 7, 8, 6])}`);
  await page.click('#tile-2');
  assert.equal((await game(page)).moves, 'RR');
  assert.equal(await page.textContent('#hud-moves'), '2');
  await page.keyboard.press('Control+z');
  assert.equal((await game(page)).moves, '');
  await still(page);
  const from = await page.locator('#tile-2').boundingBox();
  await page.mouse.move(from.x + 20, from.y + 20);
  await page.mouse.down();
  await page.mouse.move(from.x - 30, from.y + 22, { steps: 4 });
  await page.mouse.move(from.x - from.width * 0.7, from.y + 22, { steps: 4 });
  await page.mouse.up();
  assert.equal((await game(page)).moves, 'RR');
  await page.click('#tile-5');
  assert.equal((await game(page)).moves, 'RR', 'a tile that is not in line stays');
  await page.click('#tile-6');
  await won(page);
  assert.deepEqual(problems, []);
});

test('any blank: the tile tapped on the whole picture, the grid, and a win there', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await page.keyboard.press('1');
  await page.click('#tile-5');
  assert.equal((await game(page)).blank, 4);
  await page.click('#shuffle');
  const { start } = await game(page);
  await page.click('#sizes button:nth-child(4)');
  await page.focus('#blank-grid [aria-checked=true]');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowLeft');
  assert.deepEqual((await game(page)).start, start, 'arrows among the cells put no game aside');
  await page.click('dialog button[type=submit]');
  assert.equal((await game(page)).blank, 0);
  await page.click('#sizes button:nth-child(4)');
  await page.click('#blank-grid button:nth-child(6)');
  await page.click('dialog button[type=submit]');
  assert.equal((await game(page)).blank, 5);
  // A size is typed figure by figure: the gap is where it was picked. A corner stays that corner.
  for (const [pick, to, cell] of [[11, '10', 10], [4, '6', 3], [13, '7', 24]]) {
    await resize(page, 4, 4, () => page.click(`#blank-grid button:nth-child(${pick})`));
    await page.click('#sizes button:nth-child(4)');
    await page.fill('#custom-rows', '');
    await page.locator('#custom-rows').pressSequentially(to);
    await page.click('dialog button[type=submit]');
    assert.equal((await game(page)).blank, cell, `${to} rows`);
  }
  await resize(page, 3, 3, () => page.click('#blank-grid button:nth-child(6)'));
  await page.click('#shuffle');
  await perform(page, await solution(page, held.server.url), (tile) => page.click(`#tile-${tile}`));
  await won(page);
  assert.equal((await game(page)).hole, 5);
  assert.deepEqual(problems, []);
});

test('custom sizes, rectangles and wrapping lines', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await resize(page, 2, 5, async () => { await page.click('dialog summary'); await page.locator('.wrap-grid input').first().check(); });
  await page.click('#shuffle');
  const { rows, cols, wrap_rows: wraps, tiles } = await game(page);
  assert.deepEqual([rows, cols, wraps, tiles.length], [2, 5, [0], 10]);
  for (const [r, c] of [[10, 10], [2, 2], [10, 2]]) {
    await page.click('#sizes button:nth-child(4)');
    await page.fill('#custom-rows', String(r));
    await page.fill('#custom-cols', String(c));
    await page.click('dialog button[type=submit]');
    await page.click('#shuffle');
    assert.equal(await page.locator('.tile').count(), r * c - 1);
  }
  await page.goto(`${held.server.url}#p=3x3&b=8&t=1.2.3.4.5.6.0.8.7&wr=2&pic=dawn`);
  await page.reload();
  await ready(page);
  assert.deepEqual(problems, []);
});

test('a tile goes through a wrap', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}#p=3x3&b=8&t=1.2.3.4.5.6.0.7.8&wr=2&pic=dawn`);
  await page.keyboard.press('ArrowRight');
  assert.equal((await game(page)).moves, 'L');
  assert.deepEqual((await game(page)).tiles, [1, 2, 3, 4, 5, 6, 8, 7, 0]);
  assert.deepEqual(problems, []);
});

test('undo and redo without limit; nothing discards a game without an undo', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
  for (const key of ['ArrowUp', 'ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
  const { moves } = await game(page);
  assert.ok(moves.length >= 3);
  for (let i = 0; i < moves.length; i += 1) await page.keyboard.press('u');
  assert.deepEqual((await game(page)).tiles, FIVE_LEFT);
  for (let i = 0; i < moves.length; i += 1) await page.keyboard.press('Control+y');
  assert.equal((await game(page)).moves, moves);
  for (const act of [() => page.click('#shuffle'), () => page.click('#restart'), () => page.click('#reset'), () => page.keyboard.press('3'), () => page.keyboard.press('2')]) {
    await act();
    assert.notEqual((await game(page)).moves, moves);
    await pressNotice(page);
    assert.equal((await game(page)).moves, moves, String(act));
  }
  await page.keyboard.press('n');
  await page.keyboard.press('Control+z');
  assert.equal((await game(page)).moves, moves);
  assert.deepEqual(problems, []);
});

test('a notice goes by itself, but not while it has the focus', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`, { ...DESKTOP, fleeting: true });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  for (const focused of [false, true]) {
    await scramble(page, FIVE_LEFT);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('n');
    if (focused) await page.locator('.toast button').focus();
    await page.clock.runFor(7000);
    assert.equal(await page.locator('.toast').count(), 1);
    await page.clock.runFor(3000);
    assert.equal(await page.locator('.toast').count(), focused ? 1 : 0);
  }
  await page.locator('.toast button').blur();
  await page.clock.runFor(1100);
  assert.equal(await page.locator('.toast').count(), 0);
  assert.deepEqual(problems, []);
});

test('the clock starts at the first move and pauses with the tab', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
  await page.clock.install();
  await page.clock.runFor(250);
  assert.equal((await game(page)).millis, 0);
  await page.keyboard.press('ArrowUp');
  await page.clock.runFor(250);
  assert.ok((await game(page)).millis >= 250);
  await page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { value: true, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  const { millis } = await game(page);
  assert.equal(await phase(page), 'paused');
  await page.clock.runFor(250);
  assert.equal((await game(page)).millis, millis);
  await page.click('#veil');
  assert.equal(await phase(page), 'playing');
  assert.deepEqual(problems, []);
});

test('fast input never drops a move', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}#p=4x4&b=15&t=0.1.2.3.5.6.7.4.9.10.11.8.13.14.15.12&pic=dawn`);
  await page.evaluate(() => {
    const keys = ['ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowUp', 'ArrowLeft', 'ArrowLeft', 'ArrowDown', 'ArrowDown'];
    for (const key of keys) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, code: key, bubbles: true }));
  });
  assert.equal((await game(page)).moves.length, 12);
  assert.deepEqual(problems, []);
});

test('keys: never while typing, letters can be switched off, arrows can be inverted', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
  await page.keyboard.press('Control+s');
  await page.fill('#save-name', '');
  await page.keyboard.type('n r h u 1');
  assert.equal(await page.inputValue('#save-name'), 'n r h u 1');
  await page.keyboard.press('Escape');
  assert.deepEqual((await game(page)).tiles, FIVE_LEFT);
  await page.click('#open-settings');
  await page.uncheck('#set-letters');
  await page.check('#set-invert');
  await page.keyboard.press('Escape');
  await page.keyboard.press('n');
  assert.deepEqual((await game(page)).tiles, FIVE_LEFT);
  await page.keyboard.press('ArrowDown');
  assert.equal((await game(page)).moves, 'D', 'inverted: the blank goes down');
  assert.deepEqual(problems, []);
});

test('overlays: numbers off by default, ways home, peek while held', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
  assert.equal(await page.locator('.number').first().isVisible(), false);
  await page.click('#show-numbers');
  assert.equal(await page.locator('.number').first().isVisible(), true);
  await page.click('#show-homeward');
  assert.equal(await page.locator('#tile-2 .compass').isVisible(), true);
  assert.equal(await page.locator('#tile-3 .compass').isVisible(), false, 'at home');
  const opacity = (value) => page.waitForFunction((wanted) => Number(getComputedStyle(document.getElementById('peek-view')).opacity) === wanted, value);
  await opacity(0);
  await page.keyboard.down('p');
  await opacity(1);
  await page.keyboard.up('p');
  await opacity(0);
  // The goal picture can be held as well, with a mouse or a finger.
  await page.hover('#goal');
  await page.mouse.down();
  await opacity(1);
  await page.mouse.up();
  await opacity(0);
  assert.deepEqual(problems, []);
});

test('records: best time, fewest moves, averages of five; the same way played faster counts; one can be deleted', async () => {
  // The card comes sooner where nothing moves.
  const { page, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, reducedMotion: 'reduce' });
  const pairs = [[], ['ArrowRight', 'ArrowLeft'], ['ArrowDown', 'ArrowUp'], ['ArrowRight', 'ArrowLeft'], ['ArrowDown', 'ArrowUp']];
  for (let i = 0; i < 5; i += 1) {
    await scramble(page, [1, 2, 3, 4, 5, 6, 0, 7, 8]);
    await page.keyboard.press('ArrowLeft');
    for (const key of pairs.slice(0, i + 1).flat()) await page.keyboard.press(key);
    await page.keyboard.press('ArrowLeft');
    await won(page);
    await page.keyboard.press('Escape');
  }
  await page.click('.places [data-place=records]');
  await page.waitForSelector('#records-body tbody tr');
  assert.equal(new URL(page.url()).pathname, '/records');
  const summary = () => page.locator('#records-body tbody').first().locator('tr').innerText();
  const clock = (millis) => new Date(Math.floor(millis / 100) * 100).toISOString().slice(14, 21);
  const times = (await kept(page, 'records')).map(({ millis }) => millis).sort((a, b) => a - b);
  const middle = Math.round((times[1] + times[2] + times[3]) / 3);
  assert.deepEqual((await summary()).split(/\s+/), ['3×3', clock(times[0]), '2', clock(middle), '–', '5']);
  await page.reload();
  await ready(page);
  assert.match(await summary(), /\s5$/);
  const onServer = async () => (await page.request.get(`${held.server.url}api/records`)).json();
  await until(async () => (await onServer())[0]?.games === 5, 'the server replayed and kept them');
  await page.click('.places [data-place=play]');
  await page.waitForSelector('#play:not([hidden])');
  await scramble(page, [1, 2, 3, 4, 5, 6, 0, 7, 8]);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await won(page);
  await page.keyboard.press('Escape');
  await until(async () => (await onServer())[0]?.games === 6, 'the same moves in another time are another record');
  await page.click('.places [data-place=records]');
  await page.waitForFunction(() => /\s6$/.test(document.querySelector('#records-body tbody tr').innerText));
  await page.getByRole('button', { name: 'Delete this record' }).first().click();
  await page.waitForFunction(() => /\s5$/.test(document.querySelector('#records-body tbody tr').innerText));
  await until(async () => (await onServer())[0]?.games === 5, 'deleted on the server');
  assert.deepEqual(problems, []);
});

test('a position from a link sets no record, and the card says why', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(ONE_LEFT)}`);
  await page.keyboard.press('ArrowLeft');
  const card = await won(page);
  assert.match(await card.innerText(), /A position from a link or a text sets no record/);
  await page.keyboard.press('Escape');
  await page.click('.places [data-place=records]');
  await page.waitForFunction(() => /No records yet/.test(document.getElementById('records-body')?.textContent ?? ''));
  assert.deepEqual(problems, []);
});

test('a few petals fall over what was won', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(ONE_LEFT)}`);
  await page.keyboard.press('ArrowLeft');
  await page.waitForSelector('.petal', { state: 'attached' });
  await won(page);
  assert.deepEqual(problems, []);
});

test('reduced motion: no slide, no petals', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(ONE_LEFT)}`, { ...DESKTOP, reducedMotion: 'reduce' });
  const time = await page.evaluate(() => parseFloat(getComputedStyle(document.querySelector('.tile')).transitionDuration));
  assert.ok(time < 0.001);
  await page.keyboard.press('ArrowLeft');
  await won(page);
  assert.equal(await page.locator('.petal').count(), 0);
  assert.deepEqual(problems, []);
});

test('on the smallest tiles a number and an arrow home lie beside each other', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, PHONE);
  await page.evaluate(async () => (await packed('js/deals.js')).reshape(10, 10, [], []));
  await page.click('.bar [data-does=shuffle]');
  await page.click('#show-numbers');
  await page.click('#show-homeward');
  await page.waitForFunction(() => document.querySelectorAll('#board .tile').length >= 99);
  const overlaps = await page.$$eval('#board .tile:not(.at-home) .face', (faces) => faces.filter((face) => {
    const [number, compass] = ['.number', '.compass'].map((name) => face.querySelector(name).getBoundingClientRect());
    return compass.width > 0 && number.right > compass.left + 0.5 && number.bottom > compass.top + 0.5;
  }).length);
  assert.equal(overlaps, 0);
  assert.deepEqual(problems, []);
});
