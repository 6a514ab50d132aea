// A player with two devices: pairing, one collection of games, conflicts, a device that is sent away, recovery; and the daily ranking.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { DESKTOP, KEY, ONE_LEFT, PHONE, atRest, game, noticed, ready, scramble, solution, stage, still, tab, until, visit } from './harness.mjs';
import { ROUND, circle, kept, keptMoves, onTable, saveAs, savedMoves, saves } from './library-steps.mjs';
import { cutOff, misfits, objections } from './looks.mjs';

const held = stage();
const START = [8, 6, 7, 2, 5, 4, 3, 0, 1];

async function openPlayer(page) {
  await page.click('#open-settings');
  await page.click('#settings-player');
  await page.waitForSelector('#player-pair');
}

/** The code that a device shows. */
async function codeOf(page) {
  await openPlayer(page);
  await page.click('#player-pair');
  const code = await page.textContent('#pair-code');
  await page.waitForFunction(() => document.querySelector('.pair-qr')?.naturalWidth > 0);
  assert.match(await page.innerText('#share-here'), /only on this computer: its address is 127\.0\.0\.1/, 'no other device can follow the picture');
  return code;
}

async function closeAll(page) {
  while (await page.locator('dialog[open]').count()) await page.keyboard.press('Escape');
}

async function joinBy(page, text) {
  await openPlayer(page);
  await page.click('#player-enter');
  await page.fill('#join-text', text);
  await page.click('#join-go');
  await noticed(page, /one of yours/);
  const told = await page.locator('.toast', { hasText: 'one of yours' }).innerText();
  await closeAll(page);
  return told;
}

/** Begins a game and makes some moves, which the server has then. */
async function begin(page, keys, start = START) {
  await scramble(page, start);
  for (const key of keys) await page.keyboard.press(KEY[key]);
  await keptMoves(page, keys.length);
  await savedMoves(page, held.server, keys.length);
}

/** A phone and a laptop of one player, each with a game of its own. */
async function pair() {
  const phone = await visit(held.browser, held.server.url, DESKTOP);
  const laptop = await visit(held.browser, held.server.url, DESKTOP);
  await begin(phone.page, 'UL');
  await begin(laptop.page, 'R', [1, 2, 3, 4, 5, 6, 0, 7, 8]);
  // By the sheets it is done where they are what is tested.
  const code = await phone.page.evaluate(async () => (await (await packed('players/service.js')).makeCode()).code);
  await laptop.page.evaluate(async (text) => { await (await packed('players/service.js')).join({ code: text }); }, code);
  for (const { page } of [laptop, phone]) {
    await page.evaluate(async () => {
      await (await packed('players/service.js')).player();
      await (await packed('players/follow.js')).bring();
    });
  }
  return { phone, laptop };
}

/** The card of the win says the rank. */
const ranked = (page, pattern) => page.waitForFunction((source) => new RegExp(source).test(document.querySelector('.win-card #win-rank')?.textContent), pattern.source);

const startsOf = async (page) => (await kept(page)).filter(({ gone }) => !gone).map(({ game: { start } }) => start.join()).sort();

test('two devices have all games, and the one that was played last lies on the table', async () => {
  const { phone, laptop } = await pair();
  for (const { page } of [phone, laptop]) await until(async () => (await startsOf(page)).length === 2, 'both games are here');
  assert.deepEqual(await startsOf(phone.page), await startsOf(laptop.page));
  // The phone plays on; the laptop, opened anew, goes on where the phone stopped.
  await phone.page.keyboard.press(KEY.D);
  await savedMoves(phone.page, held.server, 3);
  await laptop.page.reload();
  await ready(laptop.page);
  await until(async () => (await game(laptop.page)).moves === 'ULD', 'the game of the phone is on the table');
  assert.deepEqual((await game(laptop.page)).start, START);
  assert.equal((await saves(laptop.page, held.server)).length, 2, 'nothing was sent twice');
  assert.deepEqual([...phone.problems, ...laptop.problems], []);
});

test('two players who become one have the records of both, each once', async () => {
  const finish = async (page, times) => page.evaluate(async (all) => {
    const { Game } = await packed('js/game.js');
    const save = { version: 1, rows: 2, cols: 2, wrap_rows: [], wrap_cols: [], blank: 3, start: [1, 2, 0, 3], moves: 'R', helped: false, picture: 'builtin:dawn' };
    await (await packed('js/records.js')).takeRecords(all.map((millis) => ({ when: Date.now(), game: Game.fromSave({ ...save, millis }) })));
    await (await packed('js/sync.js')).flush();
  }, times);
  const phone = await visit(held.browser, held.server.url, DESKTOP);
  const laptop = await visit(held.browser, held.server.url, DESKTOP);
  await finish(phone.page, [5000, 1234]);
  await finish(laptop.page, [900, 1234]);
  await joinBy(laptop.page, await codeOf(phone.page));
  await phone.page.reload();
  await ready(phone.page);
  for (const { page } of [phone, laptop]) {
    const times = async () => (await kept(page, 'records')).map(({ millis }) => millis).sort((a, b) => a - b).join();
    await until(async () => await times() === '900,1234,5000', 'all three are here');
    const [board] = await page.evaluate(async () => (await fetch('/api/records')).json());
    assert.deepEqual([board.games, board.best_time.millis], [3, 900]);
  }
  assert.deepEqual([...phone.problems, ...laptop.problems], []);
});

test('what one device deletes goes from the other, unless it is open or was played on there', async () => {
  const { phone, laptop } = await pair();
  const [other, own] = [[1, 2, 3, 4, 5, 6, 0, 7, 8], [8, 1, 3, 4, 0, 2, 7, 6, 5]];
  // Neither game lies on the table of the laptop, which has played on with the second one.
  await begin(laptop.page, 'U', own);
  await until(async () => (await startsOf(laptop.page)).length === 3, 'the game of the phone has come');
  await laptop.page.evaluate(async () => {
    const { api, store } = { api: await packed('js/api.js'), store: await packed('js/store.js') };
    const won = { version: 1, rows: 2, cols: 2, wrap_rows: [], wrap_cols: [], blank: 3, start: [1, 2, 0, 3], moves: 'R', millis: 1234, helped: false, picture: 'builtin:dawn' };
    const { id } = await api.postRecord({ game: won });
    await store.put('records', { id: 'record', serverId: id, posted: true, category: '2x2', millis: 1234, moves: 1, when: 1, game: won });
  });
  await phone.page.reload();
  await ready(phone.page);
  await until(async () => (await startsOf(phone.page)).length === 3, 'all three are at the phone');
  await phone.page.evaluate(async () => {
    const { library, sync, records } = { library: await packed('js/library.js'), sync: await packed('js/sync.js'), records: await packed('js/store.js') };
    for (const { id } of await library.entries()) await library.drop(id);
    for (const { id } of await records.all('records')) await records.update('records', id, (now) => ({ ...now, gone: true }));
    await sync.flush();
  });
  await until(async () => (await saves(phone.page, held.server)).length === 0, 'the server has none');
  await laptop.page.evaluate(async (start) => {
    const store = await packed('js/store.js');
    const entry = (await store.all('saves')).find((one) => one.game.start.join() === start);
    await store.put('saves', { ...entry, game: { ...entry.game, moves: 'RR' }, version: entry.version + 1, dirty: true });
    await (await packed('players/follow.js')).bring();
  }, other.join());
  const records = () => laptop.page.evaluate(async () => (await packed('js/store.js')).count('records'));
  await until(async () => await records() === 0, 'the record is gone, and does not come back');
  await until(async () => (await saves(laptop.page, held.server)).length > 0, 'what was played on is sent again');
  assert.deepEqual(await startsOf(laptop.page), [own, other].map(String).sort(), 'the game of the table stays, too');
  assert.deepEqual((await saves(laptop.page, held.server)).map(({ moves }) => moves), [2]);
});

test('what another device has played on is not deleted by one that did not know', async () => {
  const { phone, laptop } = await pair();
  for (const { page } of [phone, laptop]) await until(async () => (await startsOf(page)).length === 2, 'both games are here');
  await begin(laptop.page, 'U', [1, 2, 3, 4, 0, 6, 7, 5, 8]);
  await phone.page.keyboard.press(KEY.D);
  await savedMoves(phone.page, held.server, 3);
  await laptop.page.evaluate(async (start) => {
    const { drop, entries } = await packed('js/library.js');
    await drop((await entries()).find(({ game: one }) => one.start.join() === start).id);
  }, START.join());
  await noticed(laptop.page, /was not deleted/);
  const moves = async () => (await kept(laptop.page)).filter(({ gone, game: { start } }) => !gone && start.join() === START.join()).map((entry) => entry.game.moves);
  assert.deepEqual(await moves(), ['ULD'], 'it is back as the phone has played it');
  assert.ok((await saves(phone.page, held.server)).some((save) => save.moves === 3), 'the server has it');
  assert.deepEqual([...phone.problems.filter((text) => !/status of 409/.test(text)), ...laptop.problems.filter((text) => !/status of 409/.test(text))], []);
});

test('what both devices played on is kept twice', async () => {
  const { phone, laptop } = await pair();
  await laptop.page.reload();
  await ready(laptop.page);
  await until(async () => (await kept(laptop.page)).length === 2, 'both games are here');
  await laptop.page.evaluate(async (start) => {
    const { entries, gameOf } = await packed('js/library.js');
    const entry = (await entries()).find(({ game: one }) => one.start.join() === start);
    (await packed('js/session.js')).put(gameOf(entry));
  }, START.join());
  await laptop.context.setOffline(true);
  await laptop.page.keyboard.press(KEY.R);
  await keptMoves(laptop.page, 3);
  await phone.page.keyboard.press(KEY.D);
  await savedMoves(phone.page, held.server, 3);
  await laptop.context.setOffline(false);
  await noticed(laptop.page, /./);
  const played = async () => (await saves(laptop.page, held.server)).filter(({ moves }) => moves === 3);
  await until(async () => (await played()).length === 2, 'the server has both');
  const theirs = (await kept(laptop.page)).map((entry) => entry.game.moves);
  assert.ok(theirs.includes('ULD') && theirs.includes('ULR'), String(theirs));
});

test('a device that is sent away keeps what it has, and gets nothing more', async () => {
  const { phone, laptop } = await pair();
  await openPlayer(phone.page);
  await phone.page.click('#player-phrase');
  await phone.page.waitForSelector('#phrase-words');
  await phone.page.keyboard.press('Escape');
  await phone.page.getByText('You have recovery words.').waitFor();
  await phone.page.click('[data-device=other] button:last-of-type');
  await phone.page.getByText('Your recovery words will no longer work').waitFor();
  await phone.page.getByRole('button', { name: 'Remove', exact: true }).last().click();
  await until(async () => (await phone.page.locator('#player-devices li').count()) === 1, 'one device is left');
  await phone.page.getByText('twelve words bring your games back').waitFor();
  await closeAll(phone.page);
  await begin(phone.page, 'U', [1, 2, 3, 4, 0, 6, 7, 5, 8]);
  const before = await startsOf(laptop.page);
  await laptop.page.reload();
  await ready(laptop.page);
  await atRest(laptop.page);
  await noticed(laptop.page, /was removed/);
  assert.deepEqual(await startsOf(laptop.page), before, 'its games are still there');
  const ids = async (page) => (await saves(page, held.server)).map(({ id }) => id);
  const ofPhone = await ids(phone.page);
  assert.ok(ofPhone.length >= 3 && (await ids(laptop.page)).every((id) => !ofPhone.includes(id)), 'no save is of both');
  assert.deepEqual(phone.problems, []);
});

test('a device that was sent away gives what it has to a device that joins it, and nothing twice to the player it was of', async () => {
  const { phone, laptop } = await pair();
  await saveAs(laptop.page, 'a copy');
  await laptop.page.evaluate(async () => {
    const { Game } = await packed('js/game.js');
    const save = { version: 1, rows: 2, cols: 2, wrap_rows: [], wrap_cols: [], blank: 3, start: [1, 2, 0, 3], moves: 'R', millis: 1234, helped: false, picture: 'builtin:dawn' };
    await (await packed('js/records.js')).takeRecords([{ when: Date.now(), game: Game.fromSave(save) }]);
    await (await packed('js/sync.js')).flush();
  });
  await phone.page.reload();
  await ready(phone.page);
  const all = async (page) => (await kept(page)).filter(({ gone }) => !gone).map(({ name, game: { start } }) => `${name} ${start}`).sort();
  const counts = async (page) => (await page.evaluate(async () => (await fetch('/api/records')).json())).map(({ games }) => games);
  const has = async (page, what) => {
    await until(async () => (await kept(page, 'records')).length === 1, `${what}: the record`);
    await until(async () => (await all(page)).length === 3, `${what}: each game once`);
    await until(async () => (await saves(page, held.server)).length === 3, `${what}: each once on the server, too`);
    assert.deepEqual(await counts(page), [1], what);
  };
  await has(phone.page, 'phone');
  const games = await all(phone.page);
  await openPlayer(phone.page);
  await phone.page.click('[data-device=other] button:last-of-type');
  await phone.page.getByRole('button', { name: 'Remove', exact: true }).last().click();
  await until(async () => (await phone.page.locator('#player-devices li').count()) === 1, 'the laptop is removed');
  await closeAll(phone.page);
  await laptop.page.reload();
  await ready(laptop.page);
  await atRest(laptop.page);
  await noticed(laptop.page, /was removed/);
  const tablet = await visit(held.browser, held.server.url, DESKTOP);
  assert.match(await joinBy(tablet.page, await codeOf(laptop.page)), /3 games came/);
  await closeAll(laptop.page);
  await has(tablet.page, 'tablet');
  await joinBy(laptop.page, await codeOf(phone.page));
  await closeAll(phone.page);
  for (const [what, { page }] of Object.entries({ phone, laptop, tablet })) {
    await page.reload();
    await ready(page);
    await page.evaluate(async () => (await packed('players/follow.js')).bring());
    await has(page, `${what}, joined again`);
    assert.deepEqual(await all(page), games);
  }
});

test('all devices of a player follow when one of them joins another player', async () => {
  const { phone, laptop } = await pair();
  const tablet = await visit(held.browser, held.server.url, DESKTOP);
  await begin(tablet.page, 'U', [1, 2, 3, 4, 0, 6, 7, 5, 8]);
  await joinBy(phone.page, await codeOf(tablet.page));
  await laptop.page.reload();
  await ready(laptop.page);
  await until(async () => (await startsOf(laptop.page)).length === 3, 'all games are here');
  await atRest(laptop.page);
  assert.equal(await laptop.page.getByText(/was removed/).count(), 0, 'nobody was sent away');
  const shared = () => laptop.page.evaluate(async () => (await packed('js/prefs.js')).pref('player', { anew: true }).shared);
  assert.equal(await shared(), true);
  assert.equal((await saves(laptop.page, held.server)).length, 3, 'nothing was sent twice');
});

test('recovery words bring everything back, also when they are written in Chinese', async () => {
  const lost = await visit(held.browser, held.server.url, { ...DESKTOP, locale: 'zh-CN' });
  await begin(lost.page, 'UL');
  await openPlayer(lost.page);
  await lost.page.click('#player-phrase');
  const words = await lost.page.inputValue('#phrase-words');
  assert.equal(words.split(' ').length, 12);
  await lost.context.close();
  const found = await visit(held.browser, held.server.url, DESKTOP);
  await joinBy(found.page, words.replaceAll(' ', ''));
  await until(async () => (await game(found.page)).moves === 'UL', 'the game is back, and lies on the table');
  assert.ok((await startsOf(found.page)).includes(START.join()));
  await openPlayer(found.page);
  await found.page.click('#player-enter');
  await found.page.fill('#join-text', 'ZZZZ ZZZZ');
  await found.page.click('#join-go');
  await noticed(found.page, /mistyped/);
});

test('a link of a QR picture asks before it joins', async () => {
  const phone = await visit(held.browser, held.server.url, DESKTOP);
  await begin(phone.page, 'UL');
  const code = (await codeOf(phone.page)).replace(' ', '');
  const link = await phone.page.inputValue('#share-link');
  assert.equal(link, `${held.server.url}#join=${code}`, 'the same as a link to copy');
  const other = await visit(held.browser, link, PHONE);
  await other.page.waitForSelector('#join-go');
  assert.equal(new URL(other.page.url()).hash, '', 'the code does not stay in the address');
  assert.deepEqual(await saves(other.page, held.server), []);
  await still(other.page);
  assert.deepEqual([await cutOff(other.page), await objections(other.page)], [[], []]);
  await other.page.click('#join-go');
  await noticed(other.page, /one of yours/);
  assert.equal((await saves(other.page, held.server)).length, 1);
  await onTable(other.page);
});

for (const [locale, words] of [['en-US', { nickname: 'Anna', you: 'Anna (you)', placed: /no\. 1 today, in \d\d:\d\d\.\d by the server/, ranked: / ranked$/, runs: 'Ranked: the server’s clock is already running.' }], ['zh-CN', { nickname: '小明', you: '小明 (你)', placed: /第 1 名，服务器计时 \d\d:\d\d\.\d/, ranked: /排行$/, runs: '参加排行：服务器已经开始计时。' }]]) {
  test(`${locale}: the daily puzzle is ranked, with a nickname`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, locale, reducedMotion: 'reduce' });
    await openPlayer(page);
    await page.fill('#player-nickname', words.nickname);
    await page.click('#player-name');
    await until(async () => (await page.locator('#player-devices li').count()) === 1, 'the nickname is kept');
    await closeAll(page);
    await page.click('#open-daily');
    await page.click('#daily-part');
    await until(async () => (await game(page)).origin === 'daily', 'the puzzle is on the table');
    await until(async () => (await page.textContent('#caption')) === words.runs, 'the caption says whose clock runs');
    assert.match(await page.textContent('#hud-day'), words.ranked);
    for (const move of await solution(page, held.server.url)) await page.keyboard.press(KEY[move]);
    await ranked(page, words.placed);
    assert.deepEqual([await cutOff(page), await objections(page)], [[], []]);
    await closeAll(page);
    await page.click('#open-daily');
    await page.waitForSelector('#daily-ranking .own');
    assert.match(await page.textContent('#daily-rules'), words.placed, 'the rank does not go with the card');
    assert.equal(await page.textContent('#daily-ranking .own td:nth-child(2)'), words.you);
    await still(page);
    assert.deepEqual([await cutOff(page), await objections(page)], [[], []]);
    assert.equal(await page.locator('#daily-part').count(), 0, 'once a day');
    assert.deepEqual(problems, []);
  });
}

test('the sheet with the code says when the other device has joined, and deleting everything names the others', async () => {
  const { page, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, reducedMotion: 'reduce' });
  const other = await visit(held.browser, held.server.url, { ...DESKTOP, reducedMotion: 'reduce' });
  await openPlayer(page);
  await page.click('#player-pair');
  const code = await page.textContent('#pair-code');
  await openPlayer(other.page);
  await other.page.click('#player-enter');
  await other.page.click('#join-go');
  assert.equal(await other.page.evaluate(() => document.activeElement?.id), 'join-text', 'nothing is sent of nothing');
  await other.page.fill('#join-text', code);
  await other.page.press('#join-text', 'Enter');
  await noticed(page, /has joined/);
  assert.equal(await page.locator('#pair-code').count(), 0, 'the code that was used is gone');
  await until(async () => (await page.locator('#player-devices li').count()) === 2, 'both devices are listed');
  await closeAll(page);
  await page.click('#load');
  await page.click('#wipe');
  await page.locator('dialog', { hasText: 'Your other devices are removed, too.' }).last().waitFor();
  assert.deepEqual([problems, other.problems], [[], []]);
});

test('a puzzle of the day that was put aside after a hint is no first go', async () => {
  const { page } = await visit(held.browser, held.server.url, { ...DESKTOP, reducedMotion: 'reduce' });
  await page.click('#open-daily');
  await page.click('#daily-play');
  await until(async () => (await game(page)).origin === 'daily', 'the puzzle is on the table');
  await closeAll(page);
  await page.keyboard.press('h');
  await until(async () => (await game(page)).helped, 'a hint is help');
  await scramble(page, START);
  await page.click('#open-daily');
  await page.waitForSelector('#daily-rules');
  assert.equal(await page.locator('#daily-part').count(), 0);
});

/** Takes part in the ranking of the day, whose puzzle lies on the table then. */
async function takePart(page) {
  await page.click('#open-daily');
  await page.click('#daily-part');
  await until(async () => (await game(page)).origin === 'daily', 'the puzzle is on the table');
}

async function solveIt(page) {
  for (const move of await solution(page, held.server.url)) await page.keyboard.press(KEY[move]);
  await page.waitForSelector('.win-card');
}

for (const [locale, words] of [['en-US', { help: /this game is no longer ranked/, again: /Only a first go is ranked/, cancel: 'Cancel', take: 'Help me anyway', over: 'Restart', lost: /not ranked: it had help/ }], ['zh-CN', { help: /不再参加排行/, again: /排行只算第一次/, cancel: '取消', take: '仍要使用', over: '重来', lost: /不计入排行/ }]]) {
  test(`${locale}: a ranked game is asked about each time before help or a restart ends that, and nothing says that it is ranked afterwards`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, locale, reducedMotion: 'reduce' });
    const isRanked = (wanted) => page.waitForFunction(([on]) => / ranked$|排行$/.test(document.getElementById('hud-day').innerText) === on, [wanted]);
    const asked = async (key, what, answer) => {
      await page.keyboard.press(key);
      await page.locator('dialog', { hasText: what }).getByRole('button', { name: answer, exact: true }).click();
      await page.waitForFunction(() => !document.querySelector('dialog'));
    };
    await takePart(page);
    await asked('h', words.help, words.cancel);
    await page.keyboard.press(KEY[(await solution(page, held.server.url))[0]]);
    await asked('r', words.again, words.cancel);
    assert.deepEqual([(await game(page)).moves.length, (await game(page)).helped], [1, false]);
    await isRanked(true);
    await asked('r', words.again, words.over);
    assert.equal((await game(page)).moves, '');
    await isRanked(false);
    await page.click('#undo');
    assert.equal((await game(page)).moves.length, 1, 'a restart that is undone costs nothing');
    await isRanked(true);
    await asked('h', words.help, words.take);
    await isRanked(false);
    await page.click('#open-daily');
    await page.locator('#daily-rules', { hasText: words.lost }).waitFor();
    assert.equal(await page.locator('#daily-part').count(), 0);
    await closeAll(page);
    await page.keyboard.press('r');
    await until(async () => (await game(page)).moves === '', 'there is nothing left to ask about');
    assert.deepEqual(problems, []);
  });

  test(`${locale}: a ranking with a long name has all figures on one line on a phone, a line where ranks are left out, and keeps the focus`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, { ...PHONE, locale });
    const rank = (place) => ({ place, nickname: place === 2 ? 'Wolfeschlegelsteinha' : place === 3 ? '王小明'.repeat(6) : `Anna ${place}`, days: 7, millis: 754_321 + place, moves: 1234, is_own: place === 26 });
    const ranks = [...Array(10).keys(), 23, 24, 25, 26, 27].map((n) => rank(n + 1));
    await page.route('**/api/daily/*', (route) => route.fulfill({ json: { players: 28, time: ranks, moves: ranks, own: [] } }));
    await page.click('#open-daily');
    await page.click('#daily-ranking .row .row:first-child button:last-child');
    await page.waitForFunction(() => document.querySelectorAll('#daily-ranking th').length === 5);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-pressed')), 'true', 'the button that was pressed has the focus');
    for (const width of [320, 360, 1280]) {
      await page.setViewportSize({ width, height: 780 });
      await still(page);
      const broken = await page.evaluate(() => [...document.querySelectorAll('#daily-ranking th, #daily-ranking td:not(:nth-child(2))')].filter((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
      }).map((cell) => cell.textContent));
      assert.deepEqual([broken, await cutOff(page), await page.evaluate(() => document.querySelector('dialog').scrollWidth > document.querySelector('dialog').clientWidth)], [[], [], false], `${width}`);
    }
    assert.deepEqual(await page.locator('#daily-ranking .gap td:first-child').allTextContents(), ['24']);
    assert.deepEqual([await objections(page), problems], [[], []]);
  });
}

test('the player’s sheet keeps the focus, and a nickname that is not saved yet, while it is drawn anew', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${ROUND}`, { ...DESKTOP, reducedMotion: 'reduce' });
  await circle(page, 1);
  await savedMoves(page, held.server, 1);
  await openPlayer(page);
  const focus = () => page.evaluate(() => document.activeElement.id || document.activeElement.getAttribute('aria-label'));
  /** Marks what is drawn now, does something, and waits until it is drawn anew. */
  const redrawn = async (act) => {
    await page.evaluate(() => { document.getElementById('player-nickname').dataset.old = 'yes'; });
    await act();
    await page.waitForSelector('#player-nickname:not([data-old])');
  };
  await page.fill('#player-nickname', 'Bert');
  const typed = () => page.inputValue('#player-nickname');
  await redrawn(async () => {
    await page.click('#player-devices button:first-of-type');
    await page.fill('#player-text', 'My laptop');
    await page.keyboard.press('Enter');
  });
  assert.deepEqual([await focus(), await typed()], ['Rename: My laptop', 'Bert']);
  await redrawn(async () => {
    await page.click('#player-pair');
    await page.waitForSelector('#pair-code');
    await page.keyboard.press('Escape');
  });
  assert.deepEqual([await focus(), await typed()], ['player-pair', 'Bert']);
  await redrawn(() => page.press('#player-nickname', 'Enter'));
  assert.deepEqual([await focus(), await typed()], ['player-nickname', 'Bert']);
  await page.fill('#player-nickname', '');
  await redrawn(() => page.click('#player-name'));
  assert.deepEqual([await focus(), await typed()], ['player-name', '']);
  await redrawn(async () => {
    await page.click('#player-phrase');
    await page.waitForSelector('#phrase-words');
    await page.keyboard.press('Escape');
  });
  assert.equal(await focus(), 'player-phrase');
  assert.deepEqual(problems, []);
});

test('where the server is away, the player’s sheet says so once, in the player’s language', async () => {
  const { page, context } = await visit(held.browser, held.server.url, { ...DESKTOP, locale: 'zh-CN' });
  await openPlayer(page);
  await context.setOffline(true);
  await page.click('#player-pair');
  await noticed(page, /没有成功：服务器没有响应$/);
  await closeAll(page);
  await page.evaluate(() => document.querySelectorAll('.toast').forEach((toast) => toast.remove()));
  await page.click('#open-settings');
  await page.click('#settings-player');
  await page.locator('#player', { hasText: '服务器没有响应' }).waitFor();
  assert.equal(await page.locator('.toast').count(), 0);
});

const rankedMoves = async (page) => page.evaluate(async () => {
  const { today } = await packed('daily/day.js');
  return (await (await fetch(`/api/daily/${today()}`)).json()).time.filter((rank) => rank.is_own).map(({ moves }) => moves);
});

test('a run that was begun on one device is ranked when another finishes it', async () => {
  const { phone, laptop } = await pair();
  await takePart(phone.page);
  const [move] = await solution(phone.page, held.server.url);
  await phone.page.keyboard.press(KEY[move]);
  await until(async () => (await saves(phone.page, held.server)).length === 3, 'the server has it, with the two games from before');
  await laptop.page.reload();
  await ready(laptop.page);
  await until(async () => (await game(laptop.page)).origin === 'daily', 'the game of the phone is on the table');
  await solveIt(laptop.page);
  await ranked(laptop.page, /Ranked: no\. 1 today/);
  assert.equal((await rankedMoves(phone.page)).length, 1);
});

test('a run that is finished while the server is away is sent when it is back, also by the page that is opened then', async () => {
  const { page } = await visit(held.browser, held.server.url, { ...DESKTOP, reducedMotion: 'reduce' });
  await atRest(page);
  await takePart(page);
  const moves = await solution(page, held.server.url);
  await held.server.kill();
  for (const move of moves) await page.keyboard.press(KEY[move]);
  await page.waitForSelector('.win-card');
  await noticed(page, /not reached the server yet/);
  await held.server.start();
  await page.reload();
  await ready(page);
  await until(async () => (await rankedMoves(page)).length === 1, 'the run is ranked');
  assert.deepEqual(await rankedMoves(page), [moves.length]);
  await until(async () => (await kept(page, 'days')).every(({ run }) => !run), 'nothing is left to be sent');
});

test('taking part is offered as long as something can come of it, and no false reason is told', async () => {
  const { page, context, problems } = await visit(held.browser, held.server.url, { ...DESKTOP, reducedMotion: 'reduce' });
  const part = async () => {
    await page.click('#open-daily');
    await page.waitForSelector('#daily-rules');
    const found = [await page.locator('#daily-part').count(), await page.textContent('#daily-rules')];
    assert.deepEqual(await cutOff(page), []);
    return found;
  };
  assert.equal((await part())[0], 1, 'nothing is begun yet');
  await page.click('#daily-play');
  await until(async () => (await game(page)).origin === 'daily', 'the puzzle is on the table');
  assert.equal((await part())[0], 1, 'nothing is moved yet');
  await closeAll(page);
  const other = await tab(context, held.server.url);
  const mayRun = () => other.evaluate(async () => (await packed('players/ranking.js')).mayRun());
  assert.equal(await mayRun(), false);
  const moves = await solution(page, held.server.url);
  await page.keyboard.press(KEY[moves[0]]);
  const [offered, why] = await part();
  assert.equal(offered, 0, 'the game has begun before the run');
  assert.match(why, /first move/);
  await closeAll(page);
  // Another tab may have offered it before.
  await page.evaluate(async () => {
    const { today } = await packed('daily/day.js');
    await (await packed('players/service.js')).begin(today());
    (await packed('js/prefs.js')).setPref('run', today());
    (await packed('js/session.js')).keepClock().millis += 60_000;
    (await packed('js/session.js')).open((await packed('js/session.js')).current());
  });
  assert.equal(await mayRun(), true, 'the other tab took part meanwhile');
  await other.close();
  for (const move of moves.slice(1)) await page.keyboard.press(KEY[move]);
  await page.waitForSelector('.win-card');
  await noticed(page, /begun before you took part/);
  await closeAll(page);
  assert.equal((await part())[0], 0, 'it is solved');
  await page.click('#daily-play');
  await until(async () => { const { restarted, moves: made } = await game(page); return restarted && made === ''; }, 'another go at it is one');
  assert.deepEqual(await rankedMoves(page), []);
  assert.ok(problems.every((problem) => /status of 400/.test(problem)), String(problems));
});

test('the browser is asked not to delete what would be missed: after the first win, with a code and with recovery words', async () => {
  const counting = () => {
    localStorage.setItem('pintu.met', 'false');
    Object.assign(globalThis, { asked: 0 });
    navigator.storage.persist = async () => { globalThis.asked += 1; return true; };
  };
  const { page } = await visit(held.browser, held.server.url, { ...DESKTOP, reducedMotion: 'reduce' }, counting);
  const asked = () => page.evaluate(() => globalThis.asked);
  await atRest(page);
  await scramble(page, ONE_LEFT);
  assert.equal(await asked(), 0);
  await page.keyboard.press(KEY.R);
  await page.waitForSelector('.win-card');
  assert.equal(await asked(), 1);
  await closeAll(page);
  await codeOf(page);
  assert.equal(await asked(), 2);
  await closeAll(page);
  await openPlayer(page);
  await page.click('#player-phrase');
  await page.waitForSelector('#phrase-words');
  assert.equal(await asked(), 3);
});

/** The file of everything, by the button of the open sheet. */
async function exported(page) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#export-all')]);
  assert.equal(download.suggestedFilename(), 'pintu.json');
  return JSON.parse(await readFile(await download.path(), 'utf8'));
}

test('the export has what is here alone, and what only the server has', async () => {
  const { page } = await visit(held.browser, held.server.url, DESKTOP);
  await begin(page, 'UL');
  await saveAs(page, 'there');
  await until(async () => (await saves(page, held.server)).some(({ name }) => name === 'there'), 'the server has the copy');
  const { game: sent } = (await (await page.request.get(`${held.server.url}api/data`)).json()).saves[0];
  await page.request.put(`${held.server.url}api/player`, { data: { nickname: 'Anna' } });
  await page.request.post(`${held.server.url}api/saves`, { data: { name: 'of another device', game: sent } });
  const picture = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 });
    canvas.getContext('2d').fillRect(0, 0, 64, 64);
    const body = await new Promise((resolve) => { canvas.toBlob(resolve, 'image/jpeg'); });
    return (await (await fetch('/api/pictures', { method: 'POST', body })).json()).id;
  });
  await page.route('**/api/saves/*', (route) => (route.request().method() === 'PUT' ? route.fulfill({ status: 403, contentType: 'application/json', body: '{"error":"no","code":"banned"}' }) : route.fallback()));
  await saveAs(page, 'here alone');
  await page.evaluate(async () => (await packed('js/store.js')).put('days', { id: '2026-01-07', on: '2026-01-07', helped: false, millis: 61_000, moves: 80 }));
  const names = ['autosave', 'here alone', 'of another device', 'there'];
  await openPlayer(page);
  const file = await exported(page);
  assert.deepEqual(file.saves.map(({ name }) => name).sort(), names);
  assert.deepEqual([file.nickname, file.devices.length, file.days.length, Object.keys(file.pictures)], ['Anna', 1, 1, [picture]]);
  // Deleting is elsewhere: the button is named as it is there.
  const text = await page.innerText('dialog[open]');
  await closeAll(page);
  await page.click('#load');
  assert.ok(text.includes(`“${await page.innerText('#wipe')}”`), text);
  await held.server.kill();
  const alone = await exported(page);
  assert.deepEqual(alone.saves.map(({ name }) => name).sort(), names, 'all of it has come here before');
  await noticed(page, /did not give what only it has/);
});

for (const locale of ['en-US', 'zh-CN']) {
  test(`${locale}: the player’s sheet, a code and the recovery words fit at every size, and axe has no objections`, async () => {
    const { page, problems } = await visit(held.browser, `${held.server.url}${ROUND}`, { ...DESKTOP, locale });
    await circle(page, 1);
    await savedMoves(page, held.server, 1);
    await page.evaluate(async () => (await (await packed('js/later.js')).fetchRest()).openPlayer());
    await page.waitForSelector('#player-devices li');
    const faults = [];
    const look = async (what) => {
      for (const size of [[360, 740], [1440, 900]]) faults.push(...[...(await misfits(page, [size])), ...(await objections(page))].map((fault) => `${what}: ${fault}`));
    };
    await look('sheet');
    await page.click('#player-pair');
    await page.waitForSelector('.pair-code');
    await look('code');
    await page.keyboard.press('Escape');
    await page.click('#player-phrase');
    await page.waitForSelector('#phrase-words');
    await look('words');
    assert.deepEqual([faults, problems], [[], []]);
  });
}
