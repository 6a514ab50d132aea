// Speed-solving in a real browser: numbers as pictures, exact times, averages that leave out what must be left out,
// notation, files, time to look, and solving by pointing.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { DESKTOP, FIVE_LEFT, KEY, ONE_LEFT, PHONE, atRest, game, pressNotice, ready, scramble, stage, still, tab, until, visit } from './harness.mjs';
import { kept, saves } from './library-steps.mjs';
import { cutOff, objections } from './looks.mjs';

const held = stage();

/** 3×3 starts, and the blank's moves that solve them. */
const SOLVES = [
  [ONE_LEFT, 'R'],
  [[1, 2, 3, 4, 5, 6, 0, 7, 8], 'RR'],
  [[1, 2, 3, 4, 5, 0, 7, 8, 6], 'D'],
  [[1, 2, 0, 4, 5, 3, 7, 8, 6], 'DD'],
  [[1, 2, 3, 4, 0, 5, 7, 8, 6], 'RD'],
  [[1, 2, 3, 0, 4, 5, 7, 8, 6], 'RRD'],
];

async function solve(page, [start, moves]) {
  await scramble(page, start, 'builtin:rows');
  await finish(page, moves);
}

async function finish(page, moves) {
  const before = (await kept(page, 'solves')).length;
  let pressed = 0;
  for (const move of moves) {
    await page.keyboard.press(KEY[move]);
    pressed += 1;
    // A busy browser may be given several keys at once; what is faster than any hand does not count.
    if (pressed < moves.length) await until(async () => (await game(page)).millis > pressed * 3, 'some time has passed');
  }
  await until(async () => (await kept(page, 'solves')).length === before + 1, 'the solve is kept');
  await page.waitForFunction((count) => document.querySelectorAll('#classic-list li').length === count, before + 1);
}

const text = (page, id) => page.textContent(`#classic-${id}`);
const exact = (millis) => (millis / 1000).toFixed(3);
const ordered = async (page) => (await kept(page, 'solves')).sort((a, b) => a.order - b.order);

/** An average as cubers define it, written anew: without the best and the worst. */
function average(times) {
  const middle = times.toSorted((a, b) => a - b).slice(1, -1);
  return exact(Math.round(middle.reduce((a, b) => a + b) / middle.length));
}

for (const [locale, words] of [['en-US', { head: 'Classic 3×3', out: /help/, again: /more than one go/ }], ['zh-CN', { head: '竞速 3×3', out: /帮助/, again: /不止做过一次/ }]]) {
  test(`${locale}: solves are timed to the millisecond, listed, averaged, kept, copied and exported`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, locale, permissions: ['clipboard-read', 'clipboard-write'] });
    await page.click('#open-classic');
    await page.waitForSelector('#classic');
    assert.equal((await game(page)).picture, 'builtin:rows', 'plain numbers lie on the board');
    assert.match(await page.textContent('#hud-time'), /^\d+\.\d{3}$/);
    for (const one of SOLVES.slice(0, 4)) await solve(page, one);
    assert.deepEqual([await page.textContent('#classic-head'), await text(page, 'ao5')], [words.head, '–']);
    // What does not count: a hint was seen, the scramble was begun again, it was walked.
    await scramble(page, [1, 2, 3, 4, 6, 8, 7, 5, 0], 'builtin:rows');
    await page.keyboard.press('h');
    await page.waitForSelector('.hinted');
    await scramble(page, [0, 2, 3, 1, 4, 6, 7, 5, 8], 'builtin:rows');
    await page.evaluate(async () => (await packed('js/session.js')).markHelped());
    await finish(page, 'DRDR');
    await scramble(page, [1, 0, 3, 4, 2, 6, 7, 5, 8], 'builtin:rows');
    await page.keyboard.press(KEY.D);
    await page.click('#restart');
    await finish(page, 'DDR');
    assert.deepEqual([await text(page, 'ao5'), (await ordered(page)).map(({ out }) => out)], ['–', [null, null, null, null, 'helped', 'again']]);
    await solve(page, SOLVES[4]);
    const times = (await ordered(page)).filter(({ out }) => !out).map(({ millis }) => millis);
    assert.equal(await text(page, 'ao5'), average(times));
    assert.equal(await text(page, 'single-best'), exact(Math.min(...times)));
    assert.equal(await text(page, 'single'), exact(times.at(-1)));
    assert.equal(await page.locator('.win-card').count(), 0, 'no card is in the way');
    await page.reload();
    await ready(page);
    // A game that ends while the server's are being looked through is gone there when its turn comes, which the browser notes.
    await page.waitForLoadState('networkidle');
    await page.waitForSelector('#classic-list li');
    assert.equal(await text(page, 'ao5'), average(times), 'nothing is lost');
    assert.equal(await page.locator('#classic-list li').count(), 7);
    await solve(page, SOLVES[5]);
    const all = await ordered(page);
    const six = all.filter(({ out }) => !out).map(({ millis }) => millis);
    assert.deepEqual([await text(page, 'ao5'), await text(page, 'ao5-best'), await text(page, 'ao12')], [average(six.slice(1)), exact(Math.min(...[six.slice(0, 5), six.slice(1)].map((some) => Number(average(some)) * 1000))), '–']);
    // One solve: its notation, from both ends.
    await page.click('#classic-list li:first-child button');
    assert.equal(await page.inputValue('#classic-position'), '1 2 3/0 4 5/7 8 6');
    assert.equal(await page.inputValue('#classic-solution'), 'L2U');
    assert.equal(await page.inputValue('#classic-scramble'), 'DR2');
    await page.click('#classic-solution-copy');
    await until(async () => (await page.evaluate(() => navigator.clipboard.readText())) === 'L2U', 'copied');
    await page.keyboard.press('Escape');
    await page.click('#classic-list li:nth-child(3) button');
    assert.match(await page.textContent('#classic-out'), words.again);
    await page.click('#classic-drop');
    await page.waitForFunction(() => document.querySelectorAll('#classic-list li').length === 7);
    await page.click('.toast button');
    await page.waitForFunction(() => document.querySelectorAll('#classic-list li').length === 8);
    await page.click('#classic-list li:nth-child(4) button');
    assert.match(await page.textContent('#classic-out'), words.out);
    await page.keyboard.press('Escape');
    // Files.
    await page.click('#classic-options summary');
    const file = async (id) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.click(id)]);
      return readFile(await download.path(), 'utf8');
    };
    const lines = (await file('#classic-csv')).trim().split('\r\n').map((line) => line.split(','));
    assert.deepEqual(lines[0], ['solve', 'when', 'size', 'seconds', 'moves', 'moves_per_second', 'counts', 'reason', 'scramble', 'solution']);
    assert.deepEqual(lines.slice(1).map(([n, , size, seconds, , , counts, reason]) => [Number(n), size, seconds, counts, reason]), all.map(({ millis, out }, i) => [i + 1, '3x3', exact(millis), String(!out), out ?? '']));
    assert.deepEqual(lines.at(-1).slice(-2), ['1 2 3/0 4 5/7 8 6', 'L2U']);
    const json = JSON.parse(await file('#classic-json'));
    assert.deepEqual([json.notation, json.solves.map((one) => one.seconds * 1000)], ['tile', all.map(({ millis }) => millis)]);
    assert.deepEqual(json.solves.map((one) => one.game), all.map((one) => one.game));
    // Another sitting, and back.
    await page.click('#classic-anew');
    await until(async () => (await kept(page, 'solves')).length === 0, 'the list is empty');
    await page.click('.toast button');
    await until(async () => (await kept(page, 'solves')).length === 8, 'and full again');
    assert.equal((await kept(page, 'records')).length, 6, 'records are none of its business, and what does not count there counts in none');
    await page.click('#open-classic');
    await page.waitForFunction(() => !document.getElementById('classic'));
    assert.match(await page.textContent('#hud-time'), /^\d\d:\d\d\.\d$/);
    assert.deepEqual(problems, []);
  });
}

for (const [locale, words] of [['en-US', { best: 'Best time', average: 'average of 5: ', again: /more than one go/, next: 'next scramble' }], ['zh-CN', { best: '最快纪录', average: '5 次平均 ', again: /不止做过一次/, next: '下一把' }]]) {
  test(`${locale}: a solve is told in a line under the board, which takes no key and goes with the next scramble`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, locale });
    await page.click('#open-classic');
    await page.waitForSelector('#classic');
    await page.evaluate(() => document.activeElement.blur());
    const line = async () => ((await page.locator('#classic-result').count()) ? page.textContent('#classic-result') : '');
    const board = await page.locator('#frame').boundingBox();
    for (const [n, one] of SOLVES.slice(0, 5).entries()) {
      await scramble(page, one[0], 'builtin:rows');
      assert.equal(await line(), '', 'the board has gone on');
      await finish(page, one[1]);
      const times = (await ordered(page)).map(({ millis }) => millis);
      const isBest = times.at(-1) < Math.min(Infinity, ...times.slice(0, -1));
      await until(async () => (await line()).startsWith(`${exact(times.at(-1))} · `), 'time, moves and pace');
      assert.equal((await line()).includes(words.best), isBest, `solve ${n + 1} of ${times}: ${await line()}`);
      assert.equal((await line()).includes(words.average), n === 4);
      if (n === 4) assert.ok((await line()).includes(words.average + average(times)));
      assert.ok((await line()).endsWith(words.next));
      assert.ok((await page.textContent('#live')).startsWith(`${exact(times.at(-1))} · `), 'and said');
      assert.deepEqual([await page.locator('#caption').isVisible(), await page.locator('.win-card, .petal').count()], [false, 0], 'nothing else is in the way');
      assert.equal(await page.evaluate(() => document.activeElement === document.body), true, 'the keys are the board’s');
      assert.deepEqual(await page.locator('#frame').boundingBox(), board, 'the board stays where it is');
    }
    await solve(page, SOLVES[5]);
    await page.keyboard.press('r');
    await finish(page, SOLVES[5][1]);
    await until(async () => words.again.test(await line()), 'why it does not count');
    await page.click('#language');
    await until(async () => (await line()).endsWith(locale === 'zh-CN' ? 'next scramble' : '下一把'), 'in the other language');
    for (const [width, height] of [[320, 640], [360, 740], [740, 360], [768, 1024], [1280, 800]]) {
      await page.setViewportSize({ width, height });
      assert.deepEqual([...(await cutOff(page)), ...(await page.locator('#classic-result > *').evaluateAll((nodes) => nodes.filter((node) => node.getBoundingClientRect().right > innerWidth).map((node) => node.textContent)))], [], `${width}×${height}`);
    }
    assert.deepEqual(await objections(page), []);
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('n');
    await page.waitForSelector('#classic-result', { state: 'detached' });
    assert.equal((await game(page)).phase, 'shuffled');
    assert.deepEqual(problems, []);
  });
}

for (const [how, script] of [['are told of each other', null], ['hear nothing of each other', () => { delete globalThis.BroadcastChannel; }]]) {
  test(`two tabs that ${how} solve in one session: each solve is in it once, and a new one begins for both`, async () => {
    const { page: one, context, problems } = await visit(held.browser, held.server.url, DESKTOP, script);
    await one.click('#open-classic');
    await one.waitForSelector('#classic');
    const two = await tab(context, held.server.url, problems);
    await two.waitForSelector('#classic');
    const shows = (page, count) => page.waitForFunction((n) => document.querySelectorAll('#classic-list li').length === n, count);
    await one.bringToFront();
    for (const some of SOLVES.slice(0, 2)) await solve(one, some);
    await two.bringToFront();
    await two.keyboard.press('1');
    if (!script) await shows(two, 2);
    await solve(two, SOLVES[2]);
    await shows(two, 3);
    assert.deepEqual((await ordered(two)).map(({ order }) => order), [1, 2, 3]);
    // The end of a game undone and done again is no other solve.
    await two.keyboard.press('Control+z');
    await two.keyboard.press(KEY.D);
    await two.waitForFunction(() => document.body.dataset.phase === 'won');
    await two.evaluate(async () => (await packed('classic/sitting.js')).loadSolves());
    assert.equal((await kept(two, 'solves')).length, 3);
    await one.bringToFront();
    await one.click('#classic-anew');
    await until(async () => (await kept(one, 'solves')).length === 0, 'also what the other tab has solved');
    await shows(one, 0);
    if (!script) await shows(two, 0);
    await pressNotice(one);
    await shows(one, 3);
    assert.deepEqual((await ordered(one)).map(({ order }) => order), [1, 2, 3]);
    assert.deepEqual(problems, []);
  });
}

/** A page of speed-solving with eight seconds to look, on which time passes when the test says so. */
async function inspecting() {
  const { page, context, problems } = await visit(held.browser, held.server.url);
  await page.close();
  const play = await context.newPage();
  await play.clock.install();
  await play.goto(held.server.url);
  await ready(play);
  await play.click('#open-classic');
  await play.click('#classic-options summary');
  await play.check('input[name=inspection][value="8"]');
  await play.clock.pauseAt(Date.now() + 600_000);
  await play.keyboard.press('n');
  await play.waitForSelector('.classic-line.looking');
  return { play, problems };
}

/** Hides the page, or shows it again; timers do not come round between. */
const setHidden = (page, hidden) => page.evaluate((now) => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => now });
  document.dispatchEvent(new Event('visibilitychange'));
}, hidden);

const shownPhase = (page) => page.evaluate(() => document.body.dataset.phase);

/** The time that is shown, in milliseconds, and the one that would be kept. */
const times = async (page) => page.evaluate(async () => {
  const shown = Number(document.getElementById('hud-time').textContent) * 1000;
  return { shown: Math.round(shown), kept: (await packed('js/session.js')).keepClock().millis };
});

test('the time to look runs down, ends with the first move, and starts the clock when it is over', async () => {
  const { play, problems } = await inspecting();
  assert.match(await play.textContent('#classic-line'), /^Inspection: [78] s$/);
  await play.clock.runFor(3000);
  assert.match(await play.textContent('#classic-line'), /^Inspection: [45] s$/);
  assert.equal((await game(play)).phase, 'shuffled');
  await play.clock.runFor(5200);
  assert.equal((await game(play)).phase, 'playing', 'the clock runs before the first move');
  await play.clock.runFor(1000);
  assert.ok((await game(play)).millis >= 1000);
  await play.keyboard.press('n');
  await play.waitForSelector('.classic-line.looking');
  for (const key of ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight']) await play.keyboard.press(key);
  await play.clock.runFor(200);
  assert.equal(await play.locator('.classic-line.looking').count(), 0, 'the first move ends it');
  assert.deepEqual(problems, []);
});

test('the caption counts the time to look down where it is seen, and is the game’s again after it', async () => {
  const { play, problems } = await inspecting();
  const caption = () => play.textContent('#caption');
  assert.match(await caption(), /^Inspection: [78] s, then the clock starts/);
  await play.clock.runFor(3000);
  assert.match(await caption(), /^Inspection: [45] s/);
  for (const [width, height] of [[360, 740], [740, 360], [320, 640]]) {
    await play.setViewportSize({ width, height });
    await play.evaluate(() => scrollTo(0, 0));
    const isSeen = await play.evaluate(() => {
      const box = document.getElementById('caption').getBoundingClientRect();
      return document.elementFromPoint(box.x + 5, box.y + box.height / 2)?.id;
    });
    assert.equal(isSeen, 'caption', `${width}×${height}`);
  }
  for (const key of ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight']) await play.keyboard.press(key);
  await play.clock.runFor(200);
  assert.match(await caption(), /in line with the gap/);
  assert.deepEqual(problems, []);
});

test('the time to look waits under a dialog, and a reload goes on with what was left', async () => {
  const { play, problems } = await inspecting();
  const seconds = async () => Number(/\d+/.exec(await play.textContent('#classic-line'))[0]);
  await play.clock.runFor(3000);
  const before = await seconds();
  await play.click('#classic-scramble-now');
  await play.waitForSelector('dialog[open]');
  await play.clock.runFor(20_000);
  assert.deepEqual([await seconds(), await shownPhase(play)], [before, 'shuffled']);
  await play.keyboard.press('Escape');
  await play.waitForFunction(() => !document.querySelector('dialog'));
  await play.clock.runFor(1500);
  const on = await seconds();
  assert.ok(on < before && on > 0, `it goes on: ${before}, ${on}`);
  await play.clock.runFor(500);
  const left = await seconds();
  // Time passes by itself again, or the page would not come.
  await play.clock.resume();
  await play.addInitScript(() => {
    new MutationObserver(() => { globalThis.firstLook ??= /^Inspection: \d+ s/.exec(document.getElementById('caption')?.textContent ?? '')?.[0]; }).observe(document, { childList: true, characterData: true, subtree: true });
  });
  await play.reload();
  await play.waitForFunction(() => globalThis.firstLook);
  assert.ok(Number(/\d+/.exec(await play.evaluate(() => globalThis.firstLook))?.[0]) <= left, 'not the whole time again');
  assert.deepEqual(problems, []);
});

test('when the time to look is over the clock is seen to run, from that instant on, however late that was noticed', async () => {
  const { play, problems } = await inspecting();
  // All timers come round once, late: the page was busy.
  await play.clock.fastForward(9500);
  assert.equal(await shownPhase(play), 'playing');
  await play.clock.runFor(200);
  const late = await times(play);
  assert.ok(late.kept >= 1500 && late.kept - late.shown < 100, JSON.stringify(late));
  await play.click('#clock');
  assert.equal(await shownPhase(play), 'paused', 'it can be stopped');
  const rest = await times(play);
  assert.equal(rest.shown, rest.kept);
  assert.deepEqual(problems, []);
});

test('time to look that runs out while the page is hidden costs nothing: the clock waits for who comes back', async () => {
  for (const comesRound of [true, false]) {
    const { play, problems } = await inspecting();
    await setHidden(play, true);
    // A browser may keep a hidden page's timers back until it is seen again.
    if (comesRound) await play.clock.fastForward(60_000);
    else await play.evaluate(() => { const before = performance.now.bind(performance); performance.now = () => before() + 60_000; });
    await setHidden(play, false);
    assert.deepEqual([await shownPhase(play), await times(play)], ['paused', { shown: 0, kept: 0 }]);
    await play.click('#veil');
    assert.equal(await shownPhase(play), 'playing', 'going on starts it');
    assert.equal(await play.locator('.classic-line.looking').count(), 0, 'nobody looks twice');
    await play.clock.runFor(1000);
    const later = await times(play);
    assert.ok(later.kept >= 1000 && later.kept < 1100 && later.kept - later.shown < 100, JSON.stringify(later));
    // A game whose clock has run is put aside and comes back with its time, at rest.
    await play.keyboard.press('n');
    await play.keyboard.press('u');
    assert.equal(await shownPhase(play), 'paused');
    assert.ok((await times(play)).kept >= 1000);
    assert.deepEqual(problems, []);
  }
});

test('pointing slides what is in line with the gap, once it is switched on, and keys can be inverted here', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await page.click('#open-classic');
  await page.waitForSelector('#classic');
  await page.click('#classic-options summary');
  await scramble(page, [1, 2, 3, 4, 5, 6, 0, 7, 8], 'builtin:rows');
  await still(page);
  const box = await page.locator('#board').boundingBox();
  const over = async (row, col) => page.mouse.move(box.x + ((col + 0.5) * box.width) / 3, box.y + ((row + 0.5) * box.height) / 3);
  await over(2, 1);
  assert.equal((await game(page)).moves, '', 'off at first');
  await page.check('#classic-hover');
  await over(1, 1);
  assert.equal((await game(page)).moves, '', 'not in line');
  await over(0, 1);
  await over(0, 0);
  assert.equal((await game(page)).moves, 'UU', 'the whole line goes');
  await over(0, 1);
  assert.equal((await game(page)).moves, 'UUR');
  await page.click('#classic-invert');
  await page.keyboard.press('ArrowLeft');
  assert.equal((await game(page)).moves, 'UURL', 'the key moves the gap');
  assert.deepEqual(problems, []);
});

test('numbers are drawn for their board, in every look, and travel by save, link and record', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}#p=2x3&b=0&t=1.0.2.3.4.5&pic=fringe`);
  assert.equal((await game(page)).picture, 'builtin:fringe');
  const seen = await page.evaluate(async () => {
    const { CLASSIC, paintBuiltin } = await packed('js/pictures.js');
    const colours = {};
    for (const name of CLASSIC) {
      const { data } = (await paintBuiltin(name, 600, { rows: 3, cols: 4, blank: 5 })).getContext('2d').getImageData(0, 0, 600, 450);
      const at = (x, y) => [...data.slice((y * 600 + x) * 4, (y * 600 + x) * 4 + 4)];
      colours[name] = { gap: at(225, 225)[3], first: at(12, 12).join(), right: at(588, 12).join(), below: at(12, 162).join(), inner: at(588, 162).join() };
    }
    return colours;
  });
  for (const [name, { gap }] of Object.entries(seen)) assert.equal(gap, 0, `${name} has a gap`);
  assert.ok(seen.rows.first === seen.rows.right && seen.rows.first !== seen.rows.below && seen.rows.below === seen.rows.inner, 'a colour a row');
  assert.ok(seen.fringe.first === seen.fringe.right && seen.fringe.first === seen.fringe.below && seen.fringe.first !== seen.fringe.inner, 'a colour a layer');
  await page.keyboard.press('ArrowUp');
  await until(async () => (await saves(page, held.server)).some(({ picture }) => picture === 'builtin:fringe'), 'the server has it');
  await page.click('#share');
  assert.match(await page.inputValue('#share-link'), /pic=fringe/);
  await page.keyboard.press('Escape');
  await scramble(page, ONE_LEFT, 'builtin:slate');
  await page.keyboard.press('ArrowLeft');
  await page.waitForSelector('.win-card');
  await until(async () => (await (await page.request.get(`${held.server.url}api/records`)).json()).length === 1, 'a record with numbers');
  assert.equal((await kept(page, 'records'))[0].game.picture, 'builtin:slate');
  assert.deepEqual(problems, []);
});

for (const locale of ['en-US', 'zh-CN']) {
  test(`${locale}: beside the panel, what is pressed while solving is above the fold, the solver too; all of it goes back when Classic ends`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, locale });
    const order = () => page.evaluate(() => [...document.getElementById('rail-body').children].map((node) => node.id || node.querySelector('[id]').id));
    const usual = await order();
    await page.click('#open-classic');
    await page.waitForSelector('#classic');
    for (let i = 1; i <= 6; i += 1) {
      await scramble(page, ONE_LEFT);
      await page.keyboard.press('ArrowLeft');
      await page.waitForFunction((count) => document.querySelectorAll('#classic-list li').length === count, i);
    }
    await scramble(page, FIVE_LEFT);
    for (const [width, height] of [[1280, 800], [1024, 768], [1366, 768], [1440, 900], [1920, 1080]]) {
      await page.setViewportSize({ width, height });
      await still(page);
      const below = await page.evaluate(() => ['shuffle', 'hint', 'save', 'algorithm', 'solve'].filter((id) => { const { top, bottom } = document.getElementById(id).getBoundingClientRect(); return top < 0 || bottom > innerHeight; }));
      assert.deepEqual([...below, ...(await cutOff(page))], [], `${width}×${height}`);
    }
    await page.setViewportSize(DESKTOP.viewport);
    await page.click('#open-classic');
    await page.waitForSelector('#classic', { state: 'detached' });
    assert.deepEqual(await order(), usual);
    assert.deepEqual(problems, []);
  });
}

test('numbers are drawn while the server is away', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await atRest(page);
  await held.server.kill();
  await page.click('#open-classic');
  await page.waitForFunction(() => document.getElementById('board').classList.contains('classic'));
  assert.deepEqual(problems, []);
});

test('what starts the clock is said until it has begun', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  const line = () => page.textContent('#classic-line');
  await scramble(page, FIVE_LEFT);
  await page.click('#open-classic');
  await page.waitForSelector('#classic-line');
  assert.equal(await line(), 'Your first move starts the clock.');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await until(async () => (await game(page)).moves.length > 0 && (await line()) === '', 'it has begun');
  await page.click('#open-classic');
  await page.waitForSelector('#classic', { state: 'detached' });
  await page.click('#open-classic');
  await page.waitForSelector('#classic-line', { state: 'attached' });
  assert.equal(await line(), '', 'also where Classic is opened in mid-game');
  assert.deepEqual(problems, []);
});

test('on a phone, Classic is on the first screen, and keeps board and clock in view', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, PHONE);
  await page.click('#open-classic');
  await page.waitForSelector('#classic-single');
  await scramble(page, FIVE_LEFT);
  assert.ok(await page.evaluate(() => ['clock', 'frame'].every((id) => { const { top, bottom } = document.getElementById(id).getBoundingClientRect(); return top >= 0 && bottom <= document.querySelector('.bar').getBoundingClientRect().top; })));
  assert.deepEqual(problems, []);
});
