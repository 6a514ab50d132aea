// What the tests of the library do again and again.

import assert from 'node:assert/strict';
import { KEY, game, noticed, phase, ready, scramble, until } from './harness.mjs';

/** A 4×4 position with its blank in the last cell, from which the blank can go round and round. */
export const ROUND = '#p=4x4&b=15&t=3.1.2.4.5.6.7.8.9.10.11.12.13.14.15.0&pic=dawn';

/** Plain http on another machine has no Web Locks. */
export const noLocks = () => Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });

/** Makes so many moves: the blank goes round the last four cells. */
export async function circle(page, count) {
  for (let i = 0; i < count; i += 1) await page.keyboard.press(KEY['ULDR'[i % 4]]);
}

export const moves = async (page) => (await game(page)).moves.length;
export const elsewhere = (page) => page.waitForSelector('#away-veil:not([hidden])');

/** What the server has of this browser. */
export const saves = async (page, { url }) => (await page.request.get(`${url}api/saves`)).json();
export const running = async (page, server) => (await saves(page, server)).filter(({ name }) => name === 'autosave');
export const savedMoves = (page, server, count) => until(async () => (await running(page, server)).some((save) => save.moves === count), `the server has ${count} moves`);

/** What this browser's own database has. */
export const kept = (page, store = 'saves') => page.evaluate((name) => new Promise((resolve, reject) => {
  const request = indexedDB.open('pintu');
  request.onerror = () => reject(request.error);
  request.onsuccess = () => {
    const all = request.result.transaction(name).objectStore(name).getAll();
    all.onsuccess = () => { request.result.close(); resolve(all.result.map(({ blob: _, ...rest }) => rest)); };
  };
}), store);
export const keptMoves = (page, count) => until(async () => (await kept(page)).some((entry) => entry.game.moves?.length === count), `the browser has ${count} moves`);

/** The id of the game on the table. */
export const onTable = (page) => page.evaluate(async () => (await packed('js/session.js')).current().id);
/** Waits until another game lies on the table, and is kept: a reload before that shows the one before. */
export const keptOther = (page, id) => until(async () => {
  const now = await onTable(page);
  return now !== id && (await kept(page)).some((entry) => entry.id === now);
}, 'another game lies on the table, and is kept');

/** The state of a game that must not be lost. */
export const essence = ({ moves: done, redo, runs, tiles, blank, rows, cols, picture, helped, start }) => ({ done, redo, runs, tiles, blank, rows, cols, picture, helped, start });

/** Puts the position of a link on the table of a page that is open. */
export async function follow(page, hash) {
  await page.evaluate((fragment) => { location.hash = fragment; }, hash);
  // It is taken out of the address when it is opened; what lay there before may have been shuffled, too.
  await page.waitForFunction(() => location.hash === '' && document.body.dataset.phase === 'shuffled');
}

/** Solves a scramble that counts; `extra` goes there and back first, so that another way is another record. */
export async function finishOne(page, extra = 0) {
  await scramble(page, [1, 2, 3, 4, 5, 6, 7, 0, 8]);
  for (let i = 0; i < extra; i += 1) for (const key of [KEY.L, KEY.R]) await page.keyboard.press(key);
  await page.keyboard.press(KEY.R);
  await page.waitForSelector('dialog.win-card');
  await page.keyboard.press('Escape');
}

/** Keeps a copy of the game on the table under a name. */
export async function saveAs(page, name) {
  await page.keyboard.press('Control+s');
  await page.fill('#save-name', name);
  await page.click('#save-now');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  await noticed(page, new RegExp(name));
}

/** Deletes everything, by the sheet. */
export async function wipe(page) {
  await page.click('#load');
  await page.click('#wipe');
  await page.getByRole('button', { name: 'Delete everything', exact: true }).click();
  await noticed(page, /Everything is deleted/);
  await page.keyboard.press('Escape');
}

/** What puts something else on the table. `Open` needs a copy called “a copy”, `Watch` a record. */
export const ACTS = {
  Shuffle: (page) => page.click('#shuffle'),
  Watch: async (page) => {
    await page.click('.places [data-place=records]');
    await page.getByRole('button', { name: 'Watch' }).click();
    await page.waitForFunction(() => document.body.dataset.phase === 'playback');
  },
  Open: async (page) => {
    await page.click('#load');
    await page.getByRole('button', { name: 'Open a copy' }).click();
    await page.waitForFunction(() => !document.querySelector('dialog'));
  },
  Import: async (page) => {
    const { tiles: _tiles, hole: _hole, phase: _phase, ...save } = await game(page);
    const buffer = Buffer.from(JSON.stringify({ name: 'a file', game: save }));
    await page.click('#load');
    await page.setInputFiles('#import-file', { name: 'game.pintu.json', mimeType: 'application/json', buffer });
    await page.waitForFunction(() => !document.querySelector('dialog'));
  },
};

/**
 * Plays a game and keeps a copy, does one of the acts, kills the server and reloads: the game that ran is still there, and is given back as it was.
 * @param {any} server
 * @param {string} url The address with which this browser is let in.
 */
export async function survives(page, server, url, name) {
  if (name === 'Watch') await finishOne(page);
  await follow(page, ROUND);
  await circle(page, 2);
  await saveAs(page, 'a copy');
  await page.keyboard.press(KEY.D);
  const before = essence(await game(page));
  const id = await onTable(page);
  await savedMoves(page, { url }, 3);
  await ACTS[name](page);
  if (name !== 'Watch') await keptOther(page, id);
  await server.kill();
  await server.start();
  await page.reload();
  await ready(page);
  if (name === 'Watch') assert.equal(await phase(page), 'paused', 'a replay is no game');
  else await goOn(page);
  assert.deepEqual(essence(await game(page)), before);
  return before;
}

/** Goes on with an unfinished game of the sheet: the first that is not on the table. It lies there a moment after the sheet has closed. */
export async function goOn(page) {
  await page.click('#load');
  const id = await onTable(page);
  await page.getByRole('button', { name: /^Continue / }).first().click();
  await until(async () => (await onTable(page)) !== id, 'the other game lies on the table');
  await page.waitForFunction(() => !document.querySelector('dialog'));
}

/** Takes the game over that another tab has, and waits until it lies here: keys before that are for nobody. */
export async function takeOver(page) {
  await page.click('#take-over');
  await page.waitForFunction(() => document.body.dataset.phase !== 'whole');
}

/** Somebody else writes nine moves into the only save on the server; whoever finds that the page has written meanwhile reads again. */
export const writtenByAnother = (page, { url }) => until(async () => {
  const [{ id, revision }] = await running(page, { url });
  assert.ok(revision > 0, 'a save has a revision');
  const { name, game: theirs } = await (await page.request.get(`${url}api/saves/${id}`)).json();
  const put = await page.request.put(`${url}api/saves/${id}`, { data: { name, revision, game: { ...theirs, moves: 'ULDRULDRU', runs: [] } } });
  return put.status() === 200;
}, 'another has written');
