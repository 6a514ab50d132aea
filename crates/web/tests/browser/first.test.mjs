// The first minute: what somebody meets who has never been here, and what can be sent on after a win.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, FIVE_LEFT, KEY, ONE_LEFT, PHONE, atRest, game, link, perform, scramble, solution, stage, still, tab, toEnd, visit } from './harness.mjs';
import { SIZES, misfits, objections } from './looks.mjs';

const held = stage();

/** The buttons of the game that can be seen, by what they say. */
const controls = (page) => page.evaluate(() => [...document.querySelectorAll('#play button, #foot button')].filter((node) => node.checkVisibility({ visibilityProperty: true }) && !node.closest('#board')).map((node) => node.id || node.dataset.does || node.dataset.picture || node.parentElement.id));

/** What can be read of the game, the names for screen readers left out. */
const text = (page, root = '#play') => page.evaluate((selector) => document.querySelector(selector).innerText, root);

/** The boxes of the finished picture and of the card. */
const boxes = async (page) => Promise.all(['#frame', '.win-card'].map((selector) => page.locator(selector).boundingBox()));

test('on a phone: shuffled and moved within two taps, won without reading, and the picture stays in sight', async () => {
  const { page, context, problems } = await visit(held.browser, held.server.url, { ...PHONE, first: true });
  const seen = await controls(page);
  assert.deepEqual(new Set(seen), new Set(['open-daily', 'open-classic', 'open-lessons', 'open-calm', 'dawn', 'more-pictures', 'sizes', 'shuffle']), 'a picture, its size, one thing to do, and the ways to play');
  assert.match(await page.textContent('#caption'), /Shuffle/);
  assert.deepEqual([await objections(page), await misfits(page, SIZES.phone)], [[], []]);
  const above = await page.evaluate(() => document.getElementById('extras').getBoundingClientRect().bottom <= document.getElementById('frame').getBoundingClientRect().top);
  assert.ok(above, 'the ways to play are above the board');
  await page.tap('.bar [data-does=shuffle]');
  assert.deepEqual([(await game(page)).rows, (await game(page)).cols], [3, 3]);
  assert.ok(await page.locator('#board .near .face').first().evaluate((face) => face.getAnimations().length > 0), 'what can move is shown to who has never won');
  await page.tap('#board .near');
  assert.equal((await game(page)).moves.length, 1, 'the second tap is a move');
  for (const name of ['undo', 'hint', 'solve', 'more']) assert.ok(await page.isVisible(`.bar [data-does=${name}]`), name);
  // Something to be done again, which the sheet has then.
  await page.tap('#board .near');
  await page.tap('.bar [data-does=undo]');
  await page.tap('.bar [data-does=more]');
  const more = await page.locator('dialog.more button:visible').evaluateAll((nodes) => nodes.map(({ id }) => id).filter(Boolean));
  assert.deepEqual(more.filter((id) => ['shuffle', 'undo', 'hint', 'open-daily'].includes(id)), [], 'the sheet has what the bar lacks');
  assert.ok(['restart', 'redo', 'save', 'load', 'share'].every((id) => more.includes(id)), `what can be used: ${more.join()}`);
  assert.deepEqual(await objections(page), []);
  await page.keyboard.press('Escape');
  await perform(page, await solution(page, held.server.url), (tile) => page.tap(`#tile-${tile}`));
  await page.waitForSelector('.win-card');
  await still(page);
  const [frame, card] = await boxes(page);
  assert.ok(card.y >= frame.y + frame.height - 1 && frame.y >= 0, 'the card lies below the picture');
  assert.ok(await page.locator('#win-next').isVisible() && card.y + card.height <= 781);
  assert.deepEqual(await objections(page), []);
  await page.keyboard.press('Escape');
  await page.tap('#sizes button:nth-child(2)');
  const next = await tab(context, held.server.url, problems);
  assert.deepEqual([(await game(next)).rows, (await game(next)).phase], [4, 'whole'], 'after the first win what was played last');
  assert.deepEqual(problems, []);
});

test('who has not won yet finds three by three again, whatever was chosen', async () => {
  const { page, context } = await visit(held.browser, held.server.url, { ...DESKTOP, locale: 'zh-CN', colorScheme: 'dark', first: true });
  assert.deepEqual(new Set(await controls(page)), new Set(['open-daily', 'open-classic', 'open-lessons', 'open-calm', 'dawn', 'mist', 'night', 'spring', 'more-pictures', 'sizes', 'shuffle']));
  // The chosen size stands out in the dark: its background from that of the row.
  const ratio = await page.evaluate(() => {
    const light = (node) => getComputedStyle(node).backgroundColor.match(/[\d.]+/g).slice(0, 3).map((part) => ((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))(part / 255)).reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
    const [a, b] = [light(document.querySelector('#sizes [aria-pressed=true]')), light(document.querySelector('#sizes'))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  });
  assert.ok(ratio >= 3, `${ratio.toFixed(1)} to 1`);
  await page.click('#sizes button:nth-child(3)');
  const again = await tab(context, held.server.url);
  assert.equal((await game(again)).rows, 3);
  assert.deepEqual(await misfits(again, [...SIZES.desktop, [360, 740]]), []);
});

test('calm: no clock and no figure is seen, before, while playing and after a win', async () => {
  const { page, context, problems } = await visit(held.browser, held.server.url);
  await scramble(page, ONE_LEFT);
  await page.click('#show-numbers');
  await page.click('#open-classic');
  await page.waitForSelector('#classic');
  await page.click('#open-calm');
  await page.waitForSelector('#classic', { state: 'detached' });
  // Whatever is said to a screen reader from here on.
  await page.evaluate(() => {
    window.heard = [];
    new MutationObserver(() => window.heard.push(document.getElementById('live').textContent)).observe(document.getElementById('live'), { childList: true, characterData: true, subtree: true });
  });
  const heard = () => page.evaluate(() => window.heard.splice(0).filter(Boolean));
  await scramble(page, FIVE_LEFT);
  assert.doesNotMatch(await text(page), /\d|clock/, 'before the first move');
  // The colour of a button changes over some milliseconds.
  await page.waitForFunction(() => { const [on, off] = ['open-calm', 'open-lessons'].map((id) => getComputedStyle(document.getElementById(id)).backgroundColor); return on !== off; });
  const [first, ...others] = await solution(page, held.server.url);
  await page.keyboard.press(KEY[first]);
  await page.keyboard.press('h');
  await page.waitForSelector('#hint-line:not([hidden])');
  assert.doesNotMatch(await text(page), /\d/, 'while playing');
  const told = await heard();
  assert.ok(told.some((one) => /^Moved/.test(one)), told.join());
  assert.doesNotMatch(told.join(), /\d/, 'nor heard');
  await page.click('#solve');
  await page.waitForFunction(() => document.body.dataset.phase === 'playback');
  await toEnd(page);
  await page.waitForFunction(() => window.heard.some((one) => /^Solved/.test(one)));
  assert.doesNotMatch((await heard()).join(), /\d/, 'nor where the solver plays');
  await page.keyboard.press('u');
  for (const move of others) await page.keyboard.press(KEY[move]);
  await page.waitForSelector('.win-card');
  assert.doesNotMatch(await text(page, '.win-card') + await text(page), /\d/, 'after the win');
  assert.doesNotMatch((await heard()).join(), /\d/, 'nor heard of the win');
  assert.deepEqual(await objections(page), []);
  const other = await tab(context, `${held.server.url}${link(FIVE_LEFT)}`);
  assert.ok(await other.isHidden('#clock'), 'it stays calm');
  await other.click('#open-calm');
  assert.ok(await other.isVisible('#clock'));
  const sent = await tab(context, `${held.server.url}${link(ONE_LEFT, '&c=1153.60000')}`);
  assert.match(await sent.textContent('#caption'), /1,153 moves/);
  await sent.click('#open-calm');
  assert.doesNotMatch(await sent.textContent('#caption'), /\d|clock/, 'what is to beat is a figure, too');
  assert.deepEqual(problems, []);
});

test('a challenge: the same scramble, and both results side by side', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, PHONE);
  await scramble(page, FIVE_LEFT);
  const moves = await solution(page, held.server.url);
  // A detour of two moves first, so that the results differ.
  await page.keyboard.press(KEY[moves[0]]);
  await page.keyboard.press('u');
  const back = { U: 'D', D: 'U', L: 'R', R: 'L' }[moves[0]];
  await page.keyboard.press(KEY[moves[0]]);
  await page.keyboard.press(KEY[back]);
  for (const move of moves) await page.keyboard.press(KEY[move]);
  await page.waitForSelector('#win-ribbon');
  assert.equal(await page.locator('#win-ribbon i').count(), moves.length + 2, 'a short game is looked at move by move');
  assert.ok(await page.locator('#win-ribbon i').evaluateAll((parts) => parts.some((part) => Number(part.style.getPropertyValue('--lost')) > 0)));
  await page.tap('#win-share');
  const sent = await page.inputValue('#share-link');
  assert.doesNotMatch(await page.innerText('dialog.sheet:last-of-type'), /with help/);
  assert.match(sent, /#p=3x3&b=8&t=2\.0\.3\.1\.5\.6\.4\.7\.8&pic=dawn&c=7\.\d+$/);
  assert.deepEqual(await objections(page), []);
  const other = await visit(held.browser, sent);
  assert.deepEqual([(await game(other.page)).tiles, (await game(other.page)).origin], [FIVE_LEFT, 'link']);
  assert.match(await other.page.textContent('#caption'), /7 moves/);
  for (const move of moves) await other.page.keyboard.press(KEY[move]);
  await other.page.waitForSelector('#win-versus');
  const cells = await other.page.locator('#win-versus tr:nth-child(2) td').allTextContents();
  assert.deepEqual(cells, [String(moves.length), '7']);
  assert.equal(await other.page.locator('#win-versus tr:nth-child(2) td.ahead').textContent(), String(moves.length), 'fewer moves are ahead');
  assert.deepEqual([await objections(other.page), problems, other.problems], [[], [], []]);
  // The end of a replay is the same game, and no more helped than it was.
  await other.page.click('#win-replay');
  await toEnd(other.page);
  await other.page.evaluate(async () => (await packed('js/share.js')).openShare());
  assert.match(await other.page.inputValue('#share-link'), new RegExp(`&c=${moves.length}\\.\\d+$`));
  // What the solver did alone is nobody's result.
  const watched = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
  await watched.page.click('#solve');
  await watched.page.waitForSelector('#playback:not([hidden])');
  await toEnd(watched.page);
  await watched.page.click('#share');
  assert.match(await watched.page.inputValue('#share-link'), /t=2\.0\.3\.1\.5\.6\.4\.7\.8&pic=dawn$/);
  // A photo of one's own cannot travel, and that is said.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await scramble(page, ONE_LEFT, 'mine');
  await page.keyboard.press('ArrowLeft');
  await page.waitForSelector('#win-share');
  await page.tap('#win-share');
  await page.waitForSelector('#share-own-picture');
});

test('a result with help says so and is ahead of nobody; one that cannot be is none; a pasted one is read like an address', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT, '&c=5.1.h')}`);
  assert.match(await page.textContent('#caption'), /5 moves in 00:00\.0, with help/);
  const moves = await solution(page, held.server.url);
  for (const move of moves) await page.keyboard.press(KEY[move]);
  await page.waitForSelector('#win-versus');
  assert.equal(await page.locator('#win-versus td.ahead').count(), 0, 'a quicker time with help is not ahead');
  await page.keyboard.press('Escape');
  const caption = () => page.textContent('#caption');
  const paste = async (sent) => {
    await page.click('#load');
    await page.locator('details:has(#paste-text) summary').click();
    await page.fill('#paste-text', sent);
    await page.click('#paste-open');
    await page.waitForFunction(() => !document.querySelector('dialog'));
  };
  const SIX = [2, 5, 3, 1, 0, 6, 4, 7, 8];
  for (const absurd of ['0.0', '5.2000', '6.86400001']) {
    await page.evaluate((hash) => { location.hash = hash; }, link(SIX, `&c=${absurd}`));
    await page.waitForFunction(() => location.hash === '' && document.body.dataset.phase === 'shuffled');
    assert.doesNotMatch(await caption(), /To beat/, absurd);
  }
  // A challenge that is declined leaves nothing behind.
  await page.keyboard.press(KEY[(await solution(page, held.server.url))[0]]);
  await page.evaluate((hash) => { location.hash = hash; }, link(FIVE_LEFT, '&c=9.9000'));
  await page.waitForSelector('dialog[open]');
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  assert.deepEqual(await page.evaluate(() => Object.values(JSON.parse(localStorage.getItem('pintu.challenges'))).map((one) => one.moves)), [5]);
  const TEN = [1, 2, 3, 4, 5, 6, 0, 7, 8];
  await paste(`Your turn! ${held.server.url}${link(TEN, '&c=8.7000')}`);
  await page.waitForFunction(() => /To beat: 8 moves/.test(document.getElementById('caption').textContent));
  assert.deepEqual((await game(page)).tiles, TEN);
  assert.deepEqual(problems, []);
});

test('who has won before is no beginner, also where only the records say so', async () => {
  const { page, context, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, first: true });
  await scramble(page, ONE_LEFT);
  await page.keyboard.press('ArrowLeft');
  await page.waitForSelector('.win-card');
  await page.keyboard.press('Escape');
  await page.click('#sizes button:nth-child(2)');
  await page.evaluate(() => localStorage.removeItem('pintu.met'));
  const next = await tab(context, held.server.url, problems);
  assert.deepEqual([(await game(next)).rows, await next.evaluate(() => [document.body.classList.contains('novice'), localStorage.getItem('pintu.met')])], [4, [false, 'true']]);
  assert.deepEqual(problems, []);
});

test('a button that disables itself keeps the focus; what is said in a sheet is heard there; high contrast keeps dark', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`, { ...DESKTOP, colorScheme: 'dark', contrast: 'more' });
  const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(paper, 'rgb(0, 0, 0)');
  assert.deepEqual(await objections(page), []);
  await page.keyboard.press('ArrowLeft');
  await page.focus('#undo');
  await page.keyboard.press('Enter');
  assert.equal((await game(page)).moves, '');
  assert.deepEqual(await page.evaluate(() => [document.activeElement.id, document.activeElement.getAttribute('aria-disabled')]), ['undo', 'true']);
  await page.keyboard.press('Enter');
  assert.deepEqual((await game(page)).tiles, FIVE_LEFT, 'it does nothing');
  await page.keyboard.press('Tab');
  assert.ok(await page.isDisabled('#undo'));
  await atRest(page);
  await page.click('#open-settings');
  await page.evaluate(async () => (await packed('js/sheets.js')).announce('heard'));
  assert.equal(await page.textContent('dialog[open] > [role=status]'), 'heard');
  await page.keyboard.press('Escape');
  await page.evaluate(async () => (await packed('js/sheets.js')).announce('outside'));
  assert.equal(await page.textContent('#live'), 'outside');
  assert.deepEqual(problems, []);
});

test('boards in the shape of a photo are offered, and a place opens at its top', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await atRest(page);
  const offered = (width, height) => page.evaluate(async (sides) => (await packed('js/crop.js')).shapesFor(sides).map(({ rows, cols }) => `${rows}×${cols}`), [width, height]);
  assert.deepEqual([await offered(3000, 2000), await offered(1500, 1500), await offered(2000, 3000)], [['3×5', '4×6'], [], ['5×3', '6×4']]);
  const photo = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 900, height: 600 });
    const ctx = canvas.getContext('2d');
    for (let i = 0; i < 54; i += 1) { ctx.fillStyle = `hsl(${i * 40} 70% 50%)`; ctx.fillRect((i % 9) * 100, Math.floor(i / 9) * 100, 100, 100); }
    return canvas.toDataURL('image/png').split(',')[1];
  });
  await page.click('#more-pictures');
  await page.setInputFiles('#picture-file', { name: 'lake.png', mimeType: 'image/png', buffer: Buffer.from(photo, 'base64') });
  await page.waitForSelector('#crop-shapes');
  assert.deepEqual(await page.locator('#crop-shapes button').allTextContents(), ['4×4', '3×5', '4×6']);
  await page.click('#crop-shapes button:nth-child(3)');
  assert.equal(await page.getAttribute('#crop-shapes button:nth-child(3)', 'aria-pressed'), 'true');
  assert.deepEqual(await objections(page), []);
  await page.click('#crop-use');
  await page.waitForFunction(() => document.querySelectorAll('#board .tile').length === 23);
  assert.deepEqual([(await game(page)).rows, (await game(page)).cols], [4, 6]);
  await page.setViewportSize({ width: 700, height: 420 });
  await page.evaluate(() => scrollTo(0, 400));
  await page.click('.places a[data-place=records]');
  await page.waitForSelector('#records-body');
  assert.equal(await page.evaluate(() => scrollY), 0);
  assert.deepEqual(problems, []);
});
