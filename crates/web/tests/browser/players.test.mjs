// A player with two devices: pairing, one collection of games, conflicts, a device that is sent away, recovery; and the daily ranking.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DESKTOP, KEY, PHONE, atRest, game, noticed, ready, scramble, solution, stage, still, until, visit } from './harness.mjs';
import { kept, keptMoves, onTable, saveAs, savedMoves, saves } from './library-steps.mjs';
import { cutOff, objections } from './looks.mjs';

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
  await closeAll(page);
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
  await joinBy(laptop.page, await codeOf(phone.page));
  await closeAll(phone.page);
  return { phone, laptop };
}

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

test('what both devices played on is kept twice', async () => {
  const { phone, laptop } = await pair();
  await laptop.page.reload();
  await ready(laptop.page);
  await until(async () => (await kept(laptop.page)).length === 2, 'both games are here');
  await laptop.page.evaluate(async (start) => {
    const { entries, gameOf } = await packed('js/entries.js');
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
  await phone.page.click('[data-device=other] button:last-of-type');
  await phone.page.getByRole('button', { name: 'Send away', exact: true }).last().click();
  await until(async () => (await phone.page.locator('#player-devices li').count()) === 1, 'one device is left');
  await closeAll(phone.page);
  await begin(phone.page, 'U', [1, 2, 3, 4, 0, 6, 7, 5, 8]);
  const before = await startsOf(laptop.page);
  await laptop.page.reload();
  await ready(laptop.page);
  await atRest(laptop.page);
  await noticed(laptop.page, /sent away/);
  assert.deepEqual(await startsOf(laptop.page), before, 'its games are still there');
  const ids = async (page) => (await saves(page, held.server)).map(({ id }) => id);
  const ofPhone = await ids(phone.page);
  assert.ok(ofPhone.length >= 3 && (await ids(laptop.page)).every((id) => !ofPhone.includes(id)), 'no save is of both');
  assert.deepEqual(phone.problems, []);
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
  await until(async () => (await startsOf(found.page)).includes(START.join()), 'the game is back');
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
  const other = await visit(held.browser, `${held.server.url}#join=${code}`, PHONE);
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

for (const [locale, words] of [['en-US', { nickname: 'Anna', you: 'Anna (you)', placed: /place 1/ }], ['zh-CN', { nickname: '小明', you: '小明 (你)', placed: /第 1 名/ }]]) {
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
    for (const move of await solution(page, held.server.url)) await page.keyboard.press(KEY[move]);
    await page.waitForSelector('.win-card');
    await noticed(page, words.placed);
    await closeAll(page);
    await page.click('#open-daily');
    await page.waitForSelector('#daily-ranking .own');
    assert.equal(await page.textContent('#daily-ranking .own td:nth-child(2)'), words.you);
    await still(page);
    assert.deepEqual([await cutOff(page), await objections(page)], [[], []]);
    assert.equal(await page.locator('#daily-part').count(), 0, 'once a day');
    assert.deepEqual(problems, []);
  });
}

test('export is one file, and a copy with a name is in it', async () => {
  const { page } = await visit(held.browser, held.server.url, DESKTOP);
  await begin(page, 'UL');
  await saveAs(page, 'my copy');
  await until(async () => (await saves(page, held.server)).some(({ name }) => name === 'my copy'), 'the server has the copy');
  await openPlayer(page);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#player-export')]);
  assert.equal(download.suggestedFilename(), 'pintu.json');
  const file = JSON.parse((await import('node:fs')).readFileSync(await download.path(), 'utf8'));
  assert.ok(file.saves.some(({ name }) => name === 'my copy'));
});
