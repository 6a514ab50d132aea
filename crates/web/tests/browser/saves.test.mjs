// Saves survive reloads, a killed server and another machine; links open without overwriting a game.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { ENGINE } from './engine.mjs';
import { FIVE_LEFT, ONE_LEFT, atRest, game, launch, link, phase, pressNotice, ready, stage, until, visit, warmed, watch } from './harness.mjs';
import { saveAs } from './library-steps.mjs';

const held = stage(launch, { engine: ENGINE });

const onServer = async (page) => (await page.request.get(`${held.server.url}api/saves`)).json();
const autosaved = async (page) => (await onServer(page)).find(({ name }) => name === 'autosave');

const unfinished = ({ moves, redo, runs, tiles, blank, rows, cols, picture, helped, start }) => ({ moves, redo, runs, tiles, blank, rows, cols, picture, helped, start });

test('autosave after every move: closed and opened, the game is exactly there, undo included', async () => {
  const { page, problems, context } = await visit(held.browser, `${held.server.url}${link([0, 1, 2, 4, 5, 3, 7, 8, 6])}`);
  await page.click('#tile-2');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('u');
  const before = await game(page);
  assert.equal(before.redo.length, 1);
  await until(async () => (await autosaved(page))?.moves === before.moves.length);
  await page.close();
  const again = await context.newPage();
  watch(again, problems);
  await again.goto(held.server.url);
  await ready(again);
  // A tab that is closed may take a moment to let go of its game.
  await until(async () => (await phase(again)) === 'paused', 'the game is there');
  assert.deepEqual(unfinished(await game(again)), unfinished(before));
  await again.keyboard.press('Control+z');
  assert.equal((await game(again)).moves, '', 'the run is still one undo');
  assert.deepEqual(problems, []);
});

test('save, kill the server, play on, start it again, load: nothing is lost', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
  await page.keyboard.press('ArrowUp');
  await saveAs(page, 'before the storm');
  const saved = await game(page);
  await until(async () => (await onServer(page)).some(({ name }) => name === 'before the storm'));
  await atRest(page);
  if (ENGINE) await warmed(page);
  await held.server.kill();
  await page.keyboard.press('ArrowUp');
  await page.waitForSelector('#link-state:not([hidden])');
  await page.keyboard.press('ArrowLeft');
  await saveAs(page, 'in the storm');
  assert.match(await page.textContent('body'), /Server offline: saved here/);
  if (ENGINE) {
    await page.keyboard.press('h');
    await page.waitForSelector('.hinted');
  }
  const played = await game(page);
  await held.server.start();
  await page.waitForSelector('#link-state[hidden]', { state: 'attached' });
  await until(async () => (await autosaved(page))?.moves === played.moves.length);
  await until(async () => (await onServer(page)).some(({ name }) => name === 'in the storm'));
  await page.click('#load');
  await page.getByRole('button', { name: 'Open before the storm' }).click();
  await until(async () => (await game(page)).moves === saved.moves, 'the copy lies on the table');
  assert.deepEqual(unfinished(await game(page)), { ...unfinished(saved), helped: Boolean(ENGINE) }, 'all of it, and the hint for its scramble');
  await pressNotice(page);
  assert.equal((await game(page)).moves, played.moves, 'loading can be undone');
  assert.deepEqual(problems, []);
});

test('saves have thumbnails, can be deleted and brought back, and everything can be wiped', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
  await saveAs(page, 'one');
  await page.click('#load');
  await page.waitForFunction(() => {
    const canvas = document.querySelector('.save-item canvas');
    return canvas && canvas.getContext('2d').getImageData(20, 20, 1, 1).data[3] > 0;
  });
  await page.getByRole('button', { name: 'Delete one' }).click();
  await page.waitForSelector('#no-saves');
  await pressNotice(page);
  await page.waitForSelector('.save-item[data-save]');
  await page.click('#wipe');
  await page.getByRole('button', { name: 'Delete everything', exact: true }).click();
  await page.waitForSelector('#no-saves');
  await until(async () => (await onServer(page)).filter(({ name }) => name === 'one').length === 0);
  assert.deepEqual(problems.filter((text) => !/willReadFrequently/.test(text)), []);
});

test('export to a file with the picture inside, import it on another machine', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
  await page.click('#more-pictures');
  const png = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [64, 64];
    const ctx = canvas.getContext('2d');
    for (let i = 0; i < 64; i += 1) { ctx.fillStyle = `hsl(${i * 5} 80% 50%)`; ctx.fillRect(i, 0, 1, 64); }
    return canvas.toDataURL('image/png').split(',')[1];
  });
  await page.setInputFiles('#picture-file', { name: 'own.png', mimeType: 'image/png', buffer: Buffer.from(png, 'base64') });
  await page.click('#crop-use');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  await page.keyboard.press('ArrowUp');
  const mine = await game(page);
  await page.click('#save');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#export-now')]);
  const text = await readFile(await download.path(), 'utf8');
  assert.match(JSON.parse(text).game.picture, /^data:image\/jpeg;base64,/);
  const other = await visit(held.browser, held.server.url);
  await other.page.click('#load');
  await other.page.setInputFiles('#import-file', { name: 'game.pintu.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await until(async () => (await game(other.page)).moves === mine.moves);
  const theirs = await game(other.page);
  assert.deepEqual({ ...unfinished(theirs), picture: '' }, { ...unfinished(mine), picture: '' });
  assert.doesNotMatch(theirs.picture, /^builtin/);
  await other.page.click('#load');
  await other.page.setInputFiles('#import-file', { name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from('{"game":{"version":9}}') });
  await other.page.waitForFunction(() => /bad\.json/.test(document.body.textContent));
  assert.deepEqual([...problems, ...other.problems], []);
});

test('a link carries the whole position, and a running game is asked about and kept', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}#p=3x4&b=5&t=1.2.3.4.5.0.6.7.8.9.11.10&wr=1&pic=pond`);
  await page.keyboard.press('ArrowLeft');
  const mine = await game(page);
  await page.click('#share');
  const url = await page.inputValue('#share-link');
  await page.keyboard.press('Escape');
  const other = await visit(held.browser, url);
  const theirs = await game(other.page);
  assert.deepEqual([theirs.tiles, theirs.blank, theirs.rows, theirs.cols, theirs.wrap_rows, theirs.picture], [mine.tiles, mine.blank, 3, 4, [1], 'builtin:pond']);
  assert.equal(new URL(other.page.url()).hash, '', 'the address is clean again');
  await page.evaluate((hash) => { location.hash = hash; }, link(ONE_LEFT));
  await page.getByRole('button', { name: 'Keep playing this one' }).click();
  assert.deepEqual((await game(page)).tiles, mine.tiles);
  await page.evaluate((hash) => { location.hash = hash; }, link(ONE_LEFT));
  await page.getByRole('button', { name: 'Open it' }).click();
  await page.waitForFunction(() => document.querySelectorAll('.tile').length === 8);
  await page.click('#load');
  await page.waitForFunction(() => /Unfinished[^]*Koi pond/.test(document.getElementById('saves-list')?.textContent));
  assert.deepEqual([...problems, ...other.problems], []);
});

test('a pasted position that cannot be solved says why and offers to swap two tiles', async () => {
  const { page, problems } = await visit(held.browser, held.server.url);
  await page.click('#load');
  await page.click('summary');
  await page.fill('#paste-text', '1 2 3\n4 5 6\n8 7 0');
  await page.click('#paste-open');
  assert.match(await page.textContent('#paste-error'), /cannot be solved/);
  await page.click('#paste-swap');
  assert.deepEqual((await game(page)).tiles, [2, 1, 3, 4, 5, 6, 8, 7, 0]);
  await page.click('#load');
  await page.click('summary');
  await page.fill('#paste-text', '1 2 2 0');
  await page.click('#paste-open');
  assert.match(await page.textContent('#paste-error'), /not a position/);
  await page.fill('#paste-text', '3\n1 2 3 4 5 6 7 0 8');
  await page.click('#paste-open');
  assert.deepEqual((await game(page)).tiles, [1, 2, 3, 4, 5, 6, 7, 0, 8]);
  assert.deepEqual(problems, []);
});
