// Answers at once that get better behind, choices judged before they are made, hints, messages, saves and photos one by
// one, and what the card says at the end.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { DESKTOP, FIVE_LEFT, KEY, PHONE, game, knowing, link, phase, scramble, solution, stage, still, toEnd, until, visit } from './harness.mjs';
import { saveAs } from './library-steps.mjs';
import { cutOff, objections } from './looks.mjs';

const held = stage();
const HARD = '#p=5x5&b=24&t=24.23.22.21.20.19.18.17.16.15.14.13.12.11.10.9.8.7.6.5.4.3.2.1.0&pic=night';
const FIFTEEN = '#p=4x4&b=15&t=2.14.12.3.15.8.6.1.0.7.10.5.11.13.9.4&pic=pond';
const WRONG = [1, 2, 3, 4, 5, 6, 8, 7, 0];
const CHINESE = { ...DESKTOP, locale: 'zh-CN' };

const open = (hash, options = DESKTOP) => visit(held.browser, `${held.server.url}${hash}`, options);
const goTo = (page, hash) => page.evaluate((fragment) => { location.hash = fragment; }, hash);
const number = async (page, selector) => Number(/\d+/.exec((await page.textContent(selector)).replaceAll(',', ''))[0]);
const best = (page) => page.waitForSelector('#play-best:not([disabled])');
const played = (page) => page.waitForSelector('#playback:not([hidden])');

test('auto has a solution at once: it plays while better ones are looked for, and stopping keeps the best', async () => {
  const { page, problems } = await open(HARD);
  await page.evaluate(async () => (await packed('js/prefs.js')).setPref('seconds', 300));
  // The first is known already: the engine is not heard before it was seen.
  await knowing(page);
  let hear = null;
  const heard = new Promise((resolve) => { hear = resolve; });
  await page.route('**/api/solve*', async (route) => { await heard; await route.continue(); });
  await page.click('#solve');
  await best(page);
  const first = await number(page, '#s-best');
  assert.equal(await phase(page), 'searching', 'long before the search ends');
  assert.match(await page.textContent('#s-best'), /^Best so far: \d+ moves$/);
  assert.equal(await page.getAttribute('#s-limit', 'max'), '300');
  await page.waitForFunction(() => document.getElementById('s-limit').value > 0);
  assert.match(await page.textContent('#s-seconds'), / of 300 s$/);
  assert.deepEqual([...(await cutOff(page)), ...(await objections(page))], []);
  await page.click('#play-best');
  await played(page);
  await page.waitForFunction(() => Number(document.getElementById('pb-scrub').value) > 0);
  assert.equal(await page.locator('#searching').isVisible(), true, 'the search goes on behind');
  assert.deepEqual(await Promise.all(['#s-best', '#stop', '#play-best', '.counts'].map((name) => page.locator(name).isVisible())), [true, true, false, false], 'in one line');
  // A long film moves all the time.
  await page.click('#pb-play');
  for (const [width, height] of [[360, 740], [768, 1024], [740, 360], [1440, 900], [1280, 800]]) {
    await page.setViewportSize({ width, height });
    await still(page);
    const over = await page.evaluate(() => {
      const { frame, foot, solver, dock } = Object.fromEntries(['frame', 'foot', 'solver', 'dock'].map((id) => [id, document.getElementById(id)]));
      const isBeside = foot.getBoundingClientRect().left > frame.getBoundingClientRect().left;
      return [solver, dock].some((box) => box.scrollHeight > box.clientHeight) || (foot.offsetHeight > 0 && !isBeside && frame.getBoundingClientRect().bottom > foot.getBoundingClientRect().top);
    });
    assert.ok(!over, `the board is seen whole, and so is what drives the film, at ${width}×${height}`);
  }
  assert.equal(await page.textContent('#badge'), 'not proved optimal');
  hear();
  await page.waitForFunction((length) => Number(/\d+/.exec(document.getElementById('s-best').textContent)[0]) < length, first);
  await page.click('#play-best');
  await page.waitForFunction((length) => Number(document.getElementById('pb-scrub').max) < length, first);
  await page.click('#stop');
  await page.waitForSelector('#searching', { state: 'hidden' });
  assert.equal(await page.locator('#playback').isVisible(), true, 'what plays goes on');
  await toEnd(page);
  assert.equal((await game(page)).tiles.at(-1), 0);
  await page.click('#undo');
  assert.equal((await game(page)).moves, '');
  await page.click('#solve');
  await best(page);
  const kept = await number(page, '#s-best');
  assert.ok(kept < first, 'what was found before is not forgotten');
  await page.click('#stop');
  await page.waitForSelector('#play-kept');
  assert.match(await page.textContent('#verdict'), /Stopped\. Best so far: \d+ moves\. No solution is shorter than \d+ moves/);
  await page.click('#play-kept');
  await played(page);
  await toEnd(page);
  assert.ok((await game(page)).moves.length <= kept);
  await page.click('#undo');
  await page.click('#solve');
  await best(page);
  await page.keyboard.press(KEY.U);
  await page.waitForSelector('#searching', { state: 'hidden' });
  assert.equal(await page.locator('#play-kept').count(), 0, 'the board has moved on');
  assert.deepEqual(problems, []);
});

test('a bound is never told to be less than it was: not while searching, nor after a stop', async () => {
  const { page, problems } = await open(HARD);
  await knowing(page);
  await page.evaluate(async () => {
    const { port } = await packed('js/port.js');
    port.solve = (_, { onProgress }) => {
      let cancel = null;
      const promise = new Promise((_resolve, reject) => { cancel = () => reject(new DOMException('stopped', 'AbortError')); });
      Object.assign(window, { tellBound: (bound) => onProgress({ expanded: 1, generated: 1, bound }) });
      return { promise, cancel };
    };
  });
  const told = async (bound) => {
    await page.evaluate((n) => window.tellBound(n), bound);
    return page.textContent('#s-bound');
  };
  await page.click('#solve');
  await best(page);
  assert.deepEqual([await told(88), await told(92), await told(90)], ['88', '92', '92']);
  await page.click('#stop');
  await page.waitForSelector('#play-kept');
  assert.match(await page.textContent('#verdict'), /No solution is shorter than 92 moves/);
  await page.selectOption('#algorithm', 'bfs');
  assert.equal(await page.locator('#prospect').isVisible(), true, 'what another choice would need is told beside what was kept');
  await page.selectOption('#algorithm', 'auto');
  await page.click('#solve');
  await best(page);
  assert.equal(await told(89), '92', 'nor when it is asked again');
  assert.deepEqual(problems, []);
});

test('what is proved shortest has no bound beside it, though one was told on the way', async () => {
  const { page, problems } = await open(link(FIVE_LEFT));
  const moves = await solution(page, held.server.url);
  await page.evaluate(async (found) => {
    const { port } = await packed('js/port.js');
    port.solve = (_, { onProgress }) => {
      onProgress({ expanded: 1, generated: 1, bound: 3 });
      return { promise: Promise.resolve({ status: 'solved', moves: found, length: found.length, optimal: true, algorithm: 'astar', expanded: 9, generated: 9, seconds: 0.1 }), cancel: () => {} };
    };
  }, moves);
  await page.selectOption('#algorithm', 'astar');
  await page.click('#solve');
  await page.waitForSelector('#playback:not([hidden])');
  assert.equal(await page.textContent('#badge'), 'optimal');
  assert.doesNotMatch(await page.textContent('#solver'), /No solution is shorter/);
  // It plays meanwhile: what is asked about is where it began.
  assert.equal(await page.evaluate(async () => { const session = await packed('js/session.js'); return (await packed('js/search.js')).recall(session.current().fromStart())?.bound; }), moves.length, 'and is the bound itself');
  assert.deepEqual(problems, []);
});

test('on the largest board, wrapping or not, there is a first solution long before the search ends', async () => {
  const { page, problems } = await open('');
  await page.evaluate(async () => (await packed('js/prefs.js')).setPref('seconds', 300));
  const all = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  for (const wraps of [[], all]) {
    await page.evaluate(async (lines) => {
      const { reshape, shuffle } = await packed('js/deals.js');
      reshape(10, 10, lines, lines);
      shuffle();
    }, wraps);
    await page.click('#solve');
    await best(page);
    await page.click('#play-best');
    await played(page);
    await toEnd(page);
    assert.equal((await game(page)).tiles.at(-1), 0);
  }
  assert.deepEqual(problems, []);
});

test('what is hopeless on a board is marked in the menu, with what it would need', async () => {
  for (const [options, group, option, line] of [[DESKTOP, 'Too many states to search here', 'Breadth-first: 10¹³ states', /about 10¹³ states/], [CHINESE, '状态太多，算不完', '广度优先：10¹³ 个状态', /约 10¹³ 个状态/]]) {
    const { page, problems } = await open(FIFTEEN, options);
    const marked = () => page.locator('#algorithm optgroup option').evaluateAll((nodes) => nodes.map(({ value }) => value));
    assert.equal(await page.getAttribute('#algorithm optgroup', 'label'), group);
    assert.ok((await page.locator('#algorithm option').allTextContents()).includes(option));
    assert.deepEqual((await marked()).filter((name) => ['auto', 'astar', 'ida', 'greedy'].includes(name)), []);
    assert.equal(await page.locator('#prospect').isVisible(), false);
    await page.selectOption('#algorithm', 'bfs');
    assert.match(await page.textContent('#prospect'), line);
    assert.deepEqual([...(await cutOff(page)), ...(await objections(page))], []);
    await page.selectOption('#algorithm', 'auto');
    assert.equal(await page.locator('#prospect').isVisible(), false);
    await goTo(page, link(FIVE_LEFT));
    await page.waitForFunction(() => !document.querySelector('#algorithm optgroup'));
    await goTo(page, HARD);
    await page.waitForFunction(() => document.querySelector('#algorithm optgroup option[value=ida]'));
    assert.deepEqual(problems, []);
  }
});

test('what a choice would need is told for the board as it stands, and of memory only where it is kept', async () => {
  for (const [options, time, both] of [[DESKTOP, /^From here .* about (.+) states: too many for 20 s\.$/, / too many for 20 s, and for memory\.$/], [CHINESE, /^从这里要看约 (.+) 个状态，20 秒看不完。$/, /，20 秒看不完，内存也装不下。$/]]) {
    const { page, problems } = await open(HARD, options);
    await page.waitForSelector('#algorithm optgroup option[value=ida]', { state: 'attached' });
    await page.selectOption('#algorithm', 'bfs');
    assert.match(await page.textContent('#prospect'), both);
    await page.selectOption('#algorithm', 'ida');
    const said = async () => time.exec(await page.textContent('#prospect'))[1];
    const first = await said();
    const option = page.locator('#algorithm option[value=ida]');
    assert.ok((await option.textContent()).includes(first));
    await page.focus('#algorithm');
    await page.locator('.tile.near').first().click();
    await page.locator('#algorithm').focus();
    await until(async () => (await said()) !== first, 'the game has gone on');
    assert.ok((await option.textContent()).includes(await said()), 'and so has the menu');
    assert.equal(await page.inputValue('#algorithm'), 'ida');
    await page.click('#open-settings');
    await page.check('input[name=seconds][value="60"]');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => /60/.test(document.getElementById('prospect').textContent));
    assert.deepEqual(problems, []);
  }
});

test('a hint comes at once and says what it is worth; a sign is seen while a better one is looked for', async () => {
  for (const options of [DESKTOP, { ...PHONE, locale: 'zh-CN' }]) {
    const isChinese = options.locale === 'zh-CN';
    const { page, problems } = await open(HARD, options);
    // The engine is not heard before the first hint, which is known, was seen.
    await knowing(page);
    let hear = null;
    const heard = new Promise((resolve) => { hear = resolve; });
    await page.route('**/api/solve*', async (route) => { await heard; await route.continue(); });
    await page.click(isChinese ? '.bar [data-does=hint]' : '#hint');
    await page.waitForSelector('.hinted .pointer');
    assert.equal(await page.getAttribute('#hint', 'aria-busy'), 'true');
    const line = await page.textContent('#hint-line');
    assert.match(line, isChinese ? /把圈出的那块向[上下左右]移；至多还需 \d+ 步……$/ : /^Move the ringed tile (up|down|left|right); at most \d+ moves left …$/);
    assert.equal(await page.locator('#hint-line').isVisible() && !(await page.locator('#caption').isVisible()), true);
    assert.match(await page.textContent('#hud-left'), /^≤ \d+$/);
    assert.deepEqual(await cutOff(page), []);
    const first = await number(page, '#hud-left');
    hear();
    await page.waitForFunction((left) => Number(/\d+/.exec(document.getElementById('hud-left').textContent)[0]) < left, first);
    await page.waitForFunction(() => document.getElementById('hint').getAttribute('aria-busy') === 'false');
    assert.doesNotMatch(await page.textContent('#hint-line'), /…/);
    assert.equal((await game(page)).helped, true);
    await page.locator('.hinted').click();
    await page.waitForFunction(() => document.getElementById('hint-line').hidden);
    await goTo(page, link(FIVE_LEFT));
    await page.locator('dialog[open] .filled').click();
    await page.waitForFunction(() => document.querySelectorAll('.tile').length === 8);
    await page.keyboard.press('h');
    await page.waitForFunction(() => /left at best$|最少还需 5 步$/.test(document.getElementById('hint-line').textContent));
    assert.deepEqual(problems, []);
  }
});

test('redo returns to the shuffle that was undone, and only there', async () => {
  const { page, problems } = await open(link(FIVE_LEFT));
  for (const key of [KEY.D, KEY.R]) await page.keyboard.press(key);
  const mine = await game(page);
  await page.click('#shuffle');
  const next = await game(page);
  await page.click('#undo');
  assert.deepEqual((await game(page)).tiles, mine.tiles);
  await page.keyboard.press('u');
  assert.equal((await game(page)).moves.length, 1);
  await page.keyboard.press('Control+y');
  assert.equal((await game(page)).moves, mine.moves, 'first what was undone in the game itself');
  assert.equal(await page.isDisabled('#redo'), false);
  await page.click('#redo');
  assert.deepEqual((await game(page)).tiles, next.tiles);
  assert.match(await page.textContent('.toast'), /later game/);
  assert.equal(await page.isDisabled('#redo'), true);
  await page.click('#undo');
  assert.deepEqual((await game(page)).moves, mine.moves, 'there and back');
  await page.keyboard.press(KEY.L);
  assert.equal(await page.isDisabled('#redo'), true, 'another move is another way');
  assert.deepEqual(problems, []);
});

/** What each message is, in both languages. */
const MESSAGES = {
  'en-US': { broken: /“IMG\.jpg” should be JPEG, but cannot be read/, file: /“notes\.json” is not a file that was exported here\./, changed: /“half\.json” looks like a saved game, but something in it is missing/, link: /cannot be opened: its tiles must be the numbers 0 to 8, each once/, sides: /its board is 12×3; sides go from 2 to 10 here/, paste: /line 2 has “x” instead of a number/, unsolvable: /cannot be solved: two tiles/, here: /works only on this computer: its address is 127\.0\.0\.1/ },
  'zh-CN': { broken: /“IMG\.jpg”应该是 JPEG，却读不出来/, file: /“notes\.json”不是从这里导出的文件/, changed: /“half\.json”像是存档/, link: /链接打不开：图块不是 0 到 8 各一个/, sides: /棋盘是 12×3/, paste: /第 2 行的“x”不是数/, unsolvable: /无法复原/, here: /只能在这台电脑上打开：它的地址是 127\.0\.0\.1/ },
};

for (const [locale, says] of Object.entries(MESSAGES)) {
  test(`${locale}: what is wrong is said in plain words of one language`, async () => {
    const { page, problems } = await open(link(FIVE_LEFT), { ...DESKTOP, locale });
    const plain = (text) => { if (locale === 'zh-CN') assert.doesNotMatch(text.replace(/“[^”]*”|JPEG|JSON|\.pintu\.json|pintu serve --addr|\d+(\.\d+)*(:\d+)?/g, ''), /[A-Za-z]{3,}/, text); };
    const toast = async (pattern) => {
      await page.waitForFunction((source) => [...document.querySelectorAll('.toast')].some((node) => new RegExp(source).test(node.textContent)), pattern.source);
      plain(await page.locator('.toast').last().textContent());
    };
    await page.click('#more-pictures');
    await page.setInputFiles('#picture-file', { name: 'IMG.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not really') });
    await page.waitForSelector('#picture-error:not([hidden])');
    assert.match(await page.textContent('#picture-error'), says.broken);
    plain(await page.textContent('#picture-error'));
    await page.keyboard.press('Escape');
    await page.click('#load');
    for (const [name, text, pattern] of [['notes.json', 'hello', says.file], ['notes.json', '[1, 2]', says.file], ['notes.json', 'null', says.file], ['half.json', '{"game":{"version":1,"start":[1]}}', says.changed]]) {
      await page.setInputFiles('#import-file', { name, mimeType: 'application/json', buffer: Buffer.from(text) });
      await toast(pattern);
    }
    await page.click('summary');
    await page.fill('#paste-text', '1 2 3\n4 x 5');
    await page.click('#paste-open');
    assert.match(await page.textContent('#paste-error'), says.paste);
    plain(await page.textContent('#paste-error'));
    assert.deepEqual([...(await cutOff(page)), ...(await objections(page))], []);
    await page.keyboard.press('Escape');
    await goTo(page, '#p=3x3&b=8&t=1.2.3.4.5.6.7.8.8');
    await toast(says.link);
    await goTo(page, '#p=12x3&b=8&t=1.2.3');
    await toast(says.sides);
    await goTo(page, link(WRONG));
    await page.waitForSelector('#verdict:not([hidden])');
    assert.match(await page.textContent('#verdict'), says.unsolvable);
    assert.deepEqual((await game(page)).tiles, WRONG, 'it is opened as it is');
    await page.click('#verdict button');
    assert.notDeepEqual((await game(page)).tiles, WRONG);
    await page.click('#solve');
    await played(page);
    await page.click('#share');
    assert.match(await page.textContent('#share-here'), says.here);
    plain(await page.textContent('#share-here'));
    assert.deepEqual(problems, []);
  });
}

test('a board can be pasted in every shape, with a goal of its own', async () => {
  const { page, problems } = await open('');
  const paste = async (text) => {
    await page.click('#load');
    await page.click('summary');
    await page.fill('#paste-text', text);
    await page.click('#paste-open');
    await page.waitForFunction(() => !document.querySelector('dialog'));
    const { rows, cols, tiles, blank } = await game(page);
    return [`${rows}x${cols}@${blank}`, tiles.join(' ')];
  };
  assert.deepEqual(await paste('# from the assignment\n3\n0 1 3\n4 2 5\n7 8 6'), ['3x3@8', '0 1 3 4 2 5 7 8 6']);
  assert.deepEqual(await paste('123456780\n\n123804765'.replace('123456780', '283104765')), ['3x3@4', '2 4 3 1 0 5 6 7 8'], 'numbered by the goal’s cells');
  await page.click('#solve');
  await played(page);
  assert.equal(await page.getAttribute('#pb-scrub', 'max'), '4', 'as the command line solves it');
  assert.deepEqual(await paste('2 3\n1 2 3 4 0 5'), ['2x3@5', '1 2 3 4 0 5']);
  assert.deepEqual(await paste(`http://example.org/${link(FIVE_LEFT)}`), ['3x3@8', FIVE_LEFT.join(' ')]);
  assert.deepEqual(problems, []);
});

test('saves: loading is apart from saving; a name that is taken is asked about; copies are renamed; all of it can be undone', async () => {
  const { page, problems } = await open(link(FIVE_LEFT));
  await page.keyboard.press(KEY.D);
  await saveAs(page, 'mine');
  await page.keyboard.press(KEY.R);
  const again = async (choice) => {
    await page.click('#save');
    await page.waitForSelector('#save-name');
    assert.equal(await page.locator('#saves-list').count(), 0, 'nothing is loaded here');
    assert.equal(await page.locator('#save-names option').count() > 0, true, 'names that are taken are proposed');
    await page.fill('#save-name', 'mine');
    await page.click('#save-now');
    await page.getByText('There is already a “mine”').waitFor();
    assert.match(await page.locator('dialog[open]').last().innerText(), /1 move/);
    await page.getByRole('button', { name: choice }).click();
  };
  const named = () => page.evaluate(async () => (await (await packed('js/library.js')).entries()).filter(({ name }) => name !== 'autosave').map(({ name, game: { moves } }) => `${name}: ${moves.length}`).sort());
  await again('Cancel');
  assert.deepEqual(await named(), ['mine: 1']);
  await page.keyboard.press('Escape');
  await again('Keep both');
  await until(async () => (await named()).join() === 'mine 2: 2,mine: 1');
  await again('Overwrite it');
  await until(async () => (await named()).join() === 'mine 2: 2,mine: 2');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  await page.locator('.toast button').click();
  await until(async () => (await named()).join() === 'mine 2: 2,mine: 1', 'overwriting is undone');
  await page.click('#load');
  assert.equal(await page.locator('#save-name').count(), 0, 'nothing is saved here');
  await page.getByRole('button', { name: 'Rename mine', exact: true }).click();
  for (const [wanted, says] of [['mine 2', /“mine 2” is taken/], ['  ', /Enter a name/]]) {
    await page.fill('#new-name', wanted);
    await page.click('#rename-now');
    await page.waitForFunction((source) => new RegExp(source).test(document.getElementById('name-error').textContent), says.source);
  }
  await page.fill('#new-name', 'yours');
  assert.deepEqual([...(await cutOff(page)), ...(await objections(page))], []);
  await page.click('#rename-now');
  await page.getByRole('button', { name: 'Open yours' }).waitFor();
  await until(async () => (await (await page.request.get(`${held.server.url}api/saves`)).json()).some(({ name }) => name === 'yours'), 'the server has the new name');
  await page.locator('dialog .toast button').click();
  await page.getByRole('button', { name: 'Open mine', exact: true }).click();
  await until(async () => (await game(page)).moves.length === 1, 'the copy lies on the table');
  // A copy is of the moment at which it is asked for, also where somebody goes on before the database has answered.
  await page.click('#save');
  await page.fill('#save-name', 'then');
  await page.evaluate(async () => {
    const session = await packed('js/session.js');
    document.getElementById('save-now').click();
    session.undo();
  });
  await until(async () => (await named()).some((one) => one.startsWith('then')));
  assert.ok((await named()).includes('then: 1'), `${await named()}`);
  assert.deepEqual(problems, []);
});

test('a photo can be cropped anew from what it was, and the one before goes with it', async () => {
  const { page, problems } = await open(link(FIVE_LEFT));
  const photo = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [600, 200];
    const ctx = canvas.getContext('2d');
    ['#c00', '#0a0', '#00c'].forEach((colour, i) => { ctx.fillStyle = colour; ctx.fillRect(i * 200, 0, 200, 200); });
    return canvas.toDataURL('image/png').split(',')[1];
  });
  await page.click('#more-pictures');
  await page.setInputFiles('#picture-file', { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from(photo, 'base64') });
  await page.click('#crop-use');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  const before = (await game(page)).picture;
  const middle = () => page.evaluate(async (id) => {
    const bitmap = await createImageBitmap((await (await packed('js/store.js')).get('pictures', id)).blob);
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [1, 1];
    canvas.getContext('2d').drawImage(bitmap, bitmap.width / 2, bitmap.height / 2, 1, 1, 0, 0, 1, 1);
    const [red, green, blue] = canvas.getContext('2d').getImageData(0, 0, 1, 1).data;
    return red > 120 ? 'red' : blue > 120 ? 'blue' : green > 80 ? 'green' : 'none';
  }, session);
  let session = before;
  assert.equal(await middle(), 'green');
  await page.click('#more-pictures');
  await page.click('.own-picture .recrop');
  await page.focus('#crop-stage');
  for (let i = 0; i < 60; i += 1) await page.keyboard.press('ArrowRight');
  await page.click('#crop-use');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  session = (await game(page)).picture;
  assert.notEqual(session, before);
  assert.equal(await middle(), 'blue', 'the photo was kept, not only what was cut out of it');
  await page.click('#more-pictures');
  await page.waitForFunction(() => document.querySelectorAll('.own-picture').length === 1);
  assert.deepEqual([...(await cutOff(page)), ...(await objections(page))], []);
  assert.deepEqual(problems, []);
});

for (const options of [DESKTOP, { ...PHONE, locale: 'zh-CN' }]) {
  test(`${options.locale}: the card compares, says where moves were lost, shows them, and makes a picture`, async () => {
    const isChinese = options.locale === 'zh-CN';
    const { page, problems } = await open('', options);
    const finish = async (detour) => {
      await scramble(page, FIVE_LEFT);
      const { moves } = await page.evaluate(async () => {
        const { port } = await packed('js/port.js');
        const { problemOf } = await packed('js/search.js');
        const { current } = await packed('js/session.js');
        return port.solve(problemOf(current(), { algorithm: 'astar' })).promise;
      });
      for (const move of `${detour}${moves}`) await page.keyboard.press(KEY[move]);
      await page.waitForSelector('dialog.win-card');
      await page.waitForFunction(() => !/Looking|正在/.test(document.querySelector('dialog.win-card').textContent));
      return moves.length;
    };
    const least = await finish('');
    assert.equal(await page.locator('#win-past').count(), 0, 'nothing to compare with');
    assert.match(await page.textContent('#win-optimal'), isChinese ? /^完美：\d+ 步，正是最少步数。$/ : /^Perfect: \d+ moves, the shortest there is\.$/);
    assert.equal(await page.locator('#win-lost').isVisible(), false);
    await page.keyboard.press('Escape');
    await finish('LRLRLRLRLR');
    assert.match(await page.locator('#win-past').innerText(), isChinese ? /上一次[^]*\+10[^]*最佳/ : new RegExp(`Last time[^]*${least} moves \\+10[^]*Best`));
    assert.match(await page.textContent('#win-optimal'), isChinese ? /多 10 步/ : /^10 over the shortest/);
    assert.match(await page.textContent('#win-lost'), isChinese ? /多走的 10 步里，有 \d+ 步出在第 \d+ 步到第 \d+ 步/ : /Most were lost from move \d+ to move \d+: \d+ of the 10/);
    assert.deepEqual([...(await cutOff(page)), ...(await objections(page))], []);
    await page.evaluate(async () => { (await packed('js/session.js')).current().helped = true; });
    await page.click('#win-postcard');
    await page.waitForSelector('#postcard');
    assert.match(await page.getAttribute('#postcard', 'aria-label'), isChinese ? /用过帮助/ : /with help/);
    assert.deepEqual([...(await cutOff(page)), ...(await objections(page))], []);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#postcard-save')]);
    const bytes = await readFile(await download.path());
    assert.deepEqual([bytes.subarray(1, 4).toString(), bytes.readUInt32BE(16), bytes.readUInt32BE(20)], ['PNG', 1080, 1350]);
    assert.ok(bytes.length > 100_000, 'there is a picture on it');
    await page.keyboard.press('Escape');
    const [, from, to] = /(?:move |第 )(\d+)(?: to move | 步到第 )(\d+)/.exec(await page.textContent('#win-lost')).map(Number);
    await page.click('#win-see');
    await played(page);
    await page.waitForFunction((place) => Number(document.getElementById('pb-scrub').value) === place && document.querySelector('#pb-play use').getAttribute('href') === '#i-play', to);
    assert.ok(from <= to && to <= 10, 'the detour is what was shown');
    assert.equal((await game(page)).moves.length, to, 'it rests where the stretch ends');
    const rests = isChinese ? `回放停在第 ${to} 步，` : `A replay, at move ${to} of `;
    await page.waitForFunction((text) => ['caption', 'live'].every((id) => document.getElementById(id).textContent.startsWith(text)), rests);
    assert.deepEqual(problems, []);
  });
}

test('a shorter solution is offered for the position it is of, and what was known before is not forgotten for less', async () => {
  const { page, problems } = await open(HARD);
  const seconds = (count) => page.evaluate(async (n) => (await packed('js/prefs.js')).setPref('seconds', n), count);
  await seconds(5);
  await page.click('#solve');
  await best(page);
  await page.click('#play-best');
  await played(page);
  await page.click('#pb-play');
  // What plays is the first solution or one that came soon; where none was shorter, there is nothing to offer.
  await page.waitForSelector('#searching', { state: 'hidden' });
  const isOffered = (await page.locator('#play-shorter').count()) === 1;
  const length = await number(page, '#verdict');
  await page.locator('#pb-scrub').evaluate((node) => { node.value = '3'; node.dispatchEvent(new Event('input', { bubbles: true })); });
  await page.click('#pb-leave');
  assert.equal(await page.locator('#play-shorter').count(), 0, `no offer beside another position (${isOffered})`);
  await page.click('#undo');
  await seconds(1);
  await page.click('#solve');
  await page.waitForSelector('#searching', { state: 'hidden' });
  await played(page);
  assert.ok(Number(await page.getAttribute('#pb-scrub', 'max')) <= length, 'no longer than before');
  assert.deepEqual(problems, []);
});
