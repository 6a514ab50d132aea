// The site on a bare host of files: the page with the engine in the browser, without a server, and without a network.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { ENGINE } from './engine.mjs';
import { DESKTOP, FIVE_LEFT, KEY, game, hasFirefox, launch, launchFirefox, launchKept, link, perform, ready, skip, tab, toEnd, until, visit } from './harness.mjs';
import { EIGHT, figure, finished, recorded, setup } from './lab-steps.mjs';
import { keptMoves } from './library-steps.mjs';
import { drag, openPaths, shown } from './paths-steps.mjs';
import { hostSite, keptOffline, writeSite } from './site-steps.mjs';

/** Korf's first board, whose shortest solution has 57 moves, and a random one of 5×5. */
const FIFTEEN = { text: '14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3', goal_text: 'blank-first' };
const TWENTY_FOUR = { text: '24 0 12 10 23 14 16 17 5 9 2 19 15 11 6 13 4 21 8 7 3 1 22 18 20' };
const HARDEST = [14, 15, 8, 12, 10, 11, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0];
if (!ENGINE) skip('the page without a server: there is no engine for browsers');
else if (!hasFirefox) skip('the page without a server in Firefox: firefox-esr is not installed');

const answered = (page) => page.waitForSelector('#playback:not([hidden])');
/** What the page's port answers. */
const asked = (page, what, body) => page.evaluate(async ([call, request]) => (await packed('js/port.js')).port[call](request).promise, [what, body]);

/** Runs the flows in a browser; `all` has those as well in which a browser is no other than the next. */
const flows = (open, all) => () => {
  const held = {};
  const flow = (name, run) => test(name, { skip: !ENGINE }, run);

  before(async () => { if (ENGINE) held.browser = await open({}); });
  beforeEach(async () => { if (ENGINE) held.host = await hostSite(); });
  afterEach(async () => {
    await Promise.all((held.browser?.contexts() ?? []).map((context) => context.close()));
    await held.host?.clean();
  });
  after(async () => { await held.browser?.close(); });

  flow('a game is played to its win, which is a record, and nothing asks for a server', async () => {
    const { page, problems } = await visit(held.browser, held.host.url, DESKTOP);
    await page.evaluate(async (start) => {
      const [session, { Game }, { noteDealt }] = [await packed('js/session.js'), await packed('js/game.js'), await packed('js/helped.js')];
      const dealt = new Game({ rows: 3, cols: 3, start, picture: 'builtin:dawn' });
      noteDealt(dealt);
      session.replace(dealt);
    }, FIVE_LEFT);
    const { moves } = await asked(page, 'solve', { rows: 3, cols: 3, tiles: FIVE_LEFT });
    await perform(page, moves, (_, move) => page.keyboard.press(KEY[move]));
    await page.waitForSelector('dialog.win-card');
    await page.keyboard.press('Escape');
    await page.click('.places [data-place=records]');
    await page.waitForSelector('#records-body tr');
    assert.equal(new URL(page.url()).pathname, new URL('records/', held.host.url).pathname);
    assert.equal(await page.isVisible('#link-state'), false);
    assert.deepEqual(held.host.asked.filter((address) => address.includes('/api')), []);
    assert.deepEqual(problems, []);
  });

  flow('auto-solve: 3×3, 4×4 proved, 5×5 within its time', async () => {
    const { page, problems } = await visit(held.browser, `${held.host.url}${link(FIVE_LEFT)}`, DESKTOP);
    await page.click('#solve');
    await answered(page);
    assert.match(await page.innerText('#playback'), /optimal/i);
    await toEnd(page);
    const fifteen = await asked(page, 'solve', { ...FIFTEEN, limits: { seconds: 60 } });
    assert.deepEqual([fifteen.length, fifteen.optimal], [57, true]);
    const five = await asked(page, 'solve', { ...TWENTY_FOUR, limits: { seconds: 3 } });
    assert.ok(five.status === 'solved' && five.length < 180 && five.seconds < 30, JSON.stringify(five));
    assert.deepEqual(problems, []);
  });

  flow('a search that is stopped keeps what it found, and one that is cancelled makes room at once', async () => {
    const { page, problems } = await visit(held.browser, `${held.host.url}lab/`, DESKTOP);
    const stopped = await page.evaluate(async (tiles) => {
      const { port } = await packed('js/port.js');
      let handle = null;
      let told = null;
      handle = port.race({ rows: 4, cols: 4, tiles, contestants: [{ algorithm: 'ida', heuristic: 'none' }, { algorithm: 'iddfs' }], limits: { seconds: 60 } }, {
        onProgress: (rows) => { told = rows; if (rows.every((row) => row.expanded > 0)) handle.stop(); },
      });
      return { answer: await handle.promise, told };
    }, HARDEST);
    for (const row of stopped.answer) assert.ok(row.status === 'limit' && row.reason === 'cancelled' && row.expanded > 0, JSON.stringify(row));
    const swift = await page.evaluate(async (tiles) => {
      const { port } = await packed('js/port.js');
      const many = Array.from({ length: 5 }, () => port.solve({ rows: 4, cols: 4, tiles, algorithm: 'ida', heuristic: 'none', limits: { seconds: 60 } }));
      const ends = many.map(({ promise }) => promise.then(() => 'answered', (error) => error.name));
      await new Promise((resolve) => { setTimeout(resolve, 300); });
      for (const handle of many) handle.cancel();
      const small = await port.solve({ rows: 2, cols: 2, tiles: [1, 2, 0, 3] }).promise;
      return { ends: await Promise.all(ends), small: small.status };
    }, HARDEST);
    assert.deepEqual(swift, { ends: Array.from({ length: 5 }, () => 'AbortError'), small: 'solved' });
    assert.deepEqual(problems, []);
  });

  flow('the Lab races and steps', async () => {
    const at = (fields) => `${held.host.url}${setup({ t: EIGHT, who: 'bfs astar:manhattan', ...fields }).replace('lab#', 'lab/#')}`;
    const { page, problems, context } = await visit(held.browser, at({ tab: 'race' }), DESKTOP);
    await finished(page, 2);
    assert.ok((await figure(page, 0, 'expanded')) > (await figure(page, 1, 'expanded')));
    const other = await tab(context, at({ tab: 'step' }), problems);
    assert.ok((await recorded(other)).expansions > 0);
    assert.deepEqual(problems, []);
  });

  flow('Paths follow a goal that is dragged', async () => {
    const { page, problems } = await openPaths(held.browser, held.host.url, { address: 'paths/' });
    const { map } = await shown(page);
    const at = map.goals[0];
    const [row, col] = [Math.floor(at / map.cols), at % map.cols];
    const { release } = await drag(page, [row, col], [row > 1 ? row - 1 : row + 1, col]);
    await release();
    await until(async () => { const now = await shown(page); return now.map.goals[0] !== at && now.entries[0].answer && now.entries[0].path?.at(-1) === now.map.goals[0]; }, 'the path follows');
    assert.deepEqual(problems, []);
  });

  if (!all) return;

  flow('after one visit everything opens without a network, and a newer version waits for the game to be left', async () => {
    const { page, context, problems } = await visit(held.browser, `${held.host.url}${link(FIVE_LEFT)}`, DESKTOP);
    await keptOffline(page);
    await page.keyboard.press('ArrowUp');
    await keptMoves(page, 1);
    await held.host.close();
    for (const place of ['', 'lab/', 'paths/', 'guide/', 'records/', 'lab']) {
      const other = await tab(context, `${held.host.url}${place}`, problems);
      if (place === 'guide/') await other.waitForSelector('#guide-text table');
      if (place === 'lab/') assert.equal((await asked(other, 'solve', { rows: 3, cols: 3, tiles: FIVE_LEFT })).length, 5);
      await other.close();
    }
    // Another version comes while the game goes on.
    await held.host.open();
    await writeSite(held.host.folder, 'another');
    const engine = (one) => one.getAttribute('html', 'data-engine');
    const first = await engine(page);
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
    await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration()).waiting !== null);
    await page.keyboard.press('ArrowDown');
    await keptMoves(page, 2);
    await page.reload();
    await ready(page);
    assert.equal(await engine(page), first, 'the page that is open stays what it is');
    assert.equal((await game(page)).moves.length, 2);
    await page.close();
    await until(async () => {
      const next = await tab(context, held.host.url, problems);
      const isNew = (await engine(next)) !== first;
      if (isNew) assert.equal((await game(next)).moves.length, 2, 'the game is on the table');
      await next.close();
      return isNew;
    }, 'the newer version is there');
    assert.deepEqual(problems.filter((text) => !/ERR_CONNECTION|sw\.js/.test(text)), []);
  });

  flow('games outlive the browser', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'pintu-profile-'));
    try {
      let context = await launchKept(folder);
      let page = await tab(context, `${held.host.url}${link(FIVE_LEFT)}`);
      await page.keyboard.press('ArrowUp');
      await keptMoves(page, 1);
      await context.close();
      context = await launchKept(folder);
      page = await tab(context, held.host.url);
      assert.equal((await game(page)).moves.length, 1);
      await context.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
};

describe('Chromium, without a server', flows(launch, true));
if (hasFirefox) describe('Firefox, without a server', flows(launchFirefox, false));
