// What the game says is so: of a position where it comes from, of a link what it opens, of a search who searched, and of the server whether it answers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FIVE_LEFT, KEY, link, ready, stage, standIn, until, visit } from './harness.mjs';
import { follow, kept, onTable } from './library-steps.mjs';

const held = stage();
const HARD = '#p=5x5&b=24&t=24.23.22.21.20.19.18.17.16.15.14.13.12.11.10.9.8.7.6.5.4.3.2.1.0&pic=night';
const WRONG = [1, 2, 3, 4, 5, 6, 8, 7, 0];

test('a position is called shuffled where the page shuffled it, a link is said to open what it opens, and a position without a solution says so after a reload, too', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
  const caption = () => page.textContent('#caption');
  assert.match(await caption(), /^Your first move starts/);
  const captions = await page.evaluate(async (start) => {
    const session = await packed('js/session.js');
    const { Game } = await packed('js/game.js');
    const { ORIGINS } = await packed('js/save.js');
    return ORIGINS.map((origin) => {
      session.open(new Game({ rows: 3, cols: 3, start, origin }));
      return [origin, document.getElementById('caption').textContent];
    });
  }, FIVE_LEFT);
  for (const [origin, text] of captions) assert.match(text, ['scramble', 'walk'].includes(origin) ? /^Shuffled/ : /^Your first move starts/, origin);

  const shared = async () => {
    const said = [await page.textContent('dialog p'), new URL(await page.inputValue('#share-link')).hash.match(/t=([\d.]+)/)[1]];
    await page.keyboard.press('Escape');
    return said;
  };
  await page.keyboard.press(KEY.D);
  await page.click('#share');
  const [here, tiles] = await shared();
  assert.match(here, /opens this very position/);
  assert.notEqual(tiles, FIVE_LEFT.join('.'));

  const { page: other } = await visit(held.browser, `${held.server.url.replace('127.0.0.1', '0.0.0.0')}${link(FIVE_LEFT)}`);
  await other.click('#share');
  assert.match(await other.innerText('#share-here'), /only on this computer: its address is 0\.0\.0\.0:.*pintu serve/);

  await page.click('#reset');
  await follow(page, link(WRONG));
  await page.waitForSelector('#verdict:not([hidden]) button');
  const id = await onTable(page);
  await until(async () => (await kept(page)).some((entry) => entry.id === id), 'it is kept');
  await page.reload();
  await ready(page);
  await page.waitForSelector('#verdict:not([hidden]) button');
  assert.match(await page.textContent('#verdict'), /cannot be solved: two tiles are swapped.*Swap two tiles/);
  await page.click('#verdict button');
  assert.match(await caption(), /^Your first move starts/);
  assert.equal(await page.isVisible('#verdict'), false);
  assert.deepEqual(problems, []);
});

test('a bound is told as that of the algorithm which proved it, and A* with a weight by its name', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}${HARD}`);
  await page.evaluate(async () => {
    const { port } = await packed('js/port.js');
    port.solve = (_, { onProgress }) => {
      let [cancel, end] = [() => {}, () => {}];
      const promise = new Promise((resolve, reject) => {
        cancel = () => reject(new DOMException('stopped', 'AbortError'));
        end = () => resolve({ status: 'limit', reason: 'time', lower_bound: 12, expanded: 9, generated: 9, seconds: 1 });
      });
      Object.assign(window, { end, tellBound: (bound) => onProgress({ expanded: 1, generated: 1, bound }) });
      return { promise, cancel };
    };
  });
  const told = async (bound) => {
    await page.evaluate((n) => window.tellBound(n), bound);
    return page.textContent('#s-bound');
  };
  await page.click('#solve');
  assert.equal(await told(92), '92');
  await page.click('#stop');
  await page.waitForSelector('#stop', { state: 'hidden' });
  await page.selectOption('#algorithm', 'bfs');
  await page.click('#solve');
  assert.equal(await told(12), '12', 'what Auto proved is not breadth-first’s');
  await page.evaluate(() => window.end());
  await page.waitForSelector('#try-next');
  assert.match(await page.textContent('#verdict'), /^Breadth-first ran out of time.*No solution is shorter than 12 moves/);

  const name = () => page.textContent('#algorithm option[value=astar]');
  await page.selectOption('#algorithm', 'astar');
  assert.equal(await page.inputValue('#weight'), '5');
  assert.match(await name(), /^Weighted A\*/);
  await page.click('#solve');
  assert.equal(await page.textContent('#live'), 'Searching with Weighted A*');
  await page.evaluate(() => window.end());
  await page.waitForSelector('#try-next');
  assert.match(await page.textContent('#verdict'), /^Weighted A\* ran out of time/);
  await page.fill('#weight', '1');
  await page.keyboard.press('Tab');
  assert.match(await name(), /^A\*/);
  assert.deepEqual(problems, []);
});

test('that the server does not answer is said until it does; what it did not answer stays true', async () => {
  const { page } = await visit(held.browser, `${held.server.url}${link(FIVE_LEFT)}`);
  const back = await standIn(page, '**/api/**', (route) => route.abort());
  for (const algorithm of ['auto', 'bfs']) {
    await page.selectOption('#algorithm', algorithm);
    await page.click('#solve');
    await page.waitForFunction(() => /^The server does not answer/.test(document.getElementById('verdict').textContent));
  }
  back();
  await page.waitForSelector('#verdict', { state: 'hidden' });
  // A thousand moves take forty seconds, unless the player wants them quicker.
  const paces = await page.evaluate(async () => {
    const told = [];
    const { setInterval } = globalThis;
    globalThis.setInterval = (act, millis, ...args) => { told.push(millis); return setInterval(act, 1e6, ...args); };
    const film = await packed('js/film.js');
    film.begin('LR'.repeat(500), 'found');
    Object.assign(document.getElementById('pb-speed'), { value: '2' }).dispatchEvent(new Event('change'));
    film.beginAnew('LR', 'found');
    globalThis.setInterval = setInterval;
    return told;
  });
  assert.deepEqual(paces, [40, 20, 210]);
});
