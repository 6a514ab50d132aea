// What the tests of the library do again and again.

import { KEY, game, until } from './harness.mjs';

/** A 4×4 position with its blank in the last cell, from which the blank can go round and round. */
export const ROUND = '#p=4x4&b=15&t=3.1.2.4.5.6.7.8.9.10.11.12.13.14.15.0&pic=dawn';

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

/** The state of a game that must not be lost. */
export const essence = ({ moves: done, redo, runs, tiles, blank, rows, cols, picture, helped, start }) => ({ done, redo, runs, tiles, blank, rows, cols, picture, helped, start });

/** Goes on with an unfinished game of the sheet: the first that is not on the table. */
export async function goOn(page) {
  await page.click('#load');
  await page.getByRole('button', { name: /^Go on with/ }).first().click();
  await page.waitForFunction(() => !document.querySelector('dialog[open]'));
}
