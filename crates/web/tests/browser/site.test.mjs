// The site on a bare host of files: the page with the engine in the browser, without a server, and without a network.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ENGINE } from './engine.mjs';
import { DESKTOP, FIVE_LEFT, KEY, game, hasFirefox, launch, launchFirefox, launchKept, link, noticed, perform, ready, skip, startServer, tab, toEnd, until, visit, watch } from './harness.mjs';
import { EIGHT, figure, finished, recorded, setup } from './lab-steps.mjs';
import { finishOne, follow, kept, keptMoves, wipe } from './library-steps.mjs';
import { drag, openPaths, shown } from './paths-steps.mjs';
import { hostSite, keptOffline, writeSite } from './site-steps.mjs';

/** Korf's first board, whose shortest solution has 57 moves, and a random one of 5×5. */
const FIFTEEN = { text: '14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3', goal_text: 'blank-first' };
const TWENTY_FOUR = { text: '24 0 12 10 23 14 16 17 5 9 2 19 15 11 6 13 4 21 8 7 3 1 22 18 20' };
/** The fragment of a board on which its blank belongs in some cell. */
const linkOf = ({ text }, side, blank) => `#p=${side}x${side}&b=${blank}&t=${text.replaceAll(' ', '.')}&pic=dawn`;
const THIRTY_SIX = '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 0 34 35';
/** The states that a board of 5×5 may cost. */
const NODES = 200_000;
const HARDEST = [14, 15, 8, 12, 10, 11, 9, 13, 2, 6, 5, 1, 3, 7, 4, 0];
if (!ENGINE) skip('the page without a server: there is no engine for browsers');
else if (!hasFirefox) skip('the page without a server in Firefox: firefox-esr is not installed');
else skip('games over a restart of Firefox: what speaks to it opens no profile twice');

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
      const [session, { Game }] = [await packed('js/session.js'), await packed('js/game.js')];
      session.replace(new Game({ rows: 3, cols: 3, start, picture: 'builtin:dawn' }));
    }, FIVE_LEFT);
    const { moves } = await asked(page, 'solve', { rows: 3, cols: 3, tiles: FIVE_LEFT });
    await perform(page, moves, (_, move) => page.keyboard.press(KEY[move]));
    await page.waitForSelector('dialog.win-card');
    await page.keyboard.press('Escape');
    await page.click('.places [data-place=records]');
    await page.waitForSelector('#records-body tr');
    assert.equal(new URL(page.url()).pathname, new URL('records/', held.host.url).pathname);
    assert.equal(await page.isVisible('#link-state'), false);
    await page.click('.places [data-place=play]');
    await page.click('#shuffle');
    await page.click('#share');
    assert.match(await page.innerText('#share-here'), /only on this computer: its address is \S+\. For other devices put the page on a web server/, 'no advice about a server that is not there');
    await page.keyboard.press('Escape');
    await wipe(page);
    assert.equal(await page.isVisible('#link-state'), false);
    assert.deepEqual(held.host.asked.filter((address) => address.includes('/api')), []);
    assert.deepEqual(problems, []);
  });

  flow('auto-solve: 3×3 and 4×4 proved, 5×5 within its states, and any search within its time', async () => {
    const { page, problems } = await visit(held.browser, `${held.host.url}${link(FIVE_LEFT)}`, DESKTOP);
    const solved = async () => {
      await page.click('#solve');
      await answered(page);
      assert.match(await page.innerText('#playback'), /optimal/i);
      await toEnd(page);
      return (await game(page)).moves.length;
    };
    assert.equal(await solved(), 5);
    await follow(page, linkOf(FIFTEEN, 4, 0));
    assert.equal(await solved(), 57);
    const five = await asked(page, 'solve', { ...TWENTY_FOUR, limits: { nodes: NODES, seconds: 60 } });
    assert.ok(five.status === 'solved' && five.length < 180 && five.expanded <= NODES, JSON.stringify(five));
    const timed = await asked(page, 'solve', { rows: 4, cols: 4, tiles: HARDEST, algorithm: 'ida', heuristic: 'none', limits: { seconds: 1 } });
    assert.deepEqual([timed.status, timed.reason], ['limit', 'time']);
    const { statesASecond } = await page.evaluate(async () => (await packed('js/port.js')).meansOf('ida'));
    assert.ok(Math.abs(statesASecond - Math.log10(timed.expanded / timed.seconds)) < 0.3, `${statesASecond} for ${timed.expanded} in ${timed.seconds} s`);
    assert.deepEqual(problems, []);
  });

  flow('a search that is stopped keeps what it found, one that is cancelled makes room at once, and one that is stopped while it waits for a worker never begins', async () => {
    const { page, problems } = await visit(held.browser, `${held.host.url}${linkOf(TWENTY_FOUR, 5, 24)}`, DESKTOP);
    await page.evaluate(async () => (await packed('js/prefs.js')).setPref('seconds', 300));
    await page.click('#solve');
    await page.waitForSelector('#play-best:not([disabled])');
    await page.click('#stop');
    await page.click('#play-kept');
    await answered(page);
    await toEnd(page);
    const { tiles: reached } = await game(page);
    assert.deepEqual(reached, [...reached.keys()].map((cell) => (cell + 1) % reached.length));
    const stopped = await page.evaluate(async (tiles) => {
      const { port } = await packed('js/port.js');
      const contestants = [{ algorithm: 'ida', heuristic: 'none' }, { algorithm: 'iddfs' }];
      const handle = port.race({ rows: 4, cols: 4, tiles, contestants, limits: { seconds: 60 } }, {
        onProgress: (rows) => { if (rows.every((row) => row.expanded > 0)) handle.stop(); },
      });
      return handle.promise;
    }, HARDEST);
    for (const row of stopped) assert.ok(row.status === 'limit' && row.reason === 'cancelled' && row.expanded > 0, JSON.stringify(row));
    const swift = await page.evaluate(async (tiles) => {
      const { port } = await packed('js/port.js');
      const { POOL_SIZE } = await packed('js/host.js');
      const begun = new Set();
      const many = Array.from({ length: POOL_SIZE + 1 }, (_, n) => port.solve({ rows: 4, cols: 4, tiles, algorithm: 'ida', heuristic: 'none', limits: { seconds: 60 } }, { onProgress: () => begun.add(n) }));
      const ends = many.map(({ promise }) => promise.then(() => 'answered', (error) => error.name));
      while (begun.size < POOL_SIZE) await new Promise((resolve) => { setTimeout(resolve, 20); });
      for (const handle of many) handle.cancel();
      const small = await port.solve({ rows: 2, cols: 2, tiles: [1, 2, 0, 3] }).promise;
      return { ends: [...new Set(await Promise.all(ends))], small: small.status };
    }, HARDEST);
    assert.deepEqual(swift, { ends: ['AbortError'], small: 'solved' });
    const ends = await page.evaluate(async (tiles) => {
      const { port } = await packed('js/port.js');
      const begun = [];
      const hard = (n) => port.solve({ rows: 4, cols: 4, tiles, algorithm: 'ida', heuristic: 'none', limits: { seconds: 60 } }, { onProgress: () => begun.push(n) });
      const { POOL_SIZE } = await packed('js/host.js');
      const busy = Array.from({ length: POOL_SIZE }, (_, n) => hard(n));
      while (new Set(begun).size < POOL_SIZE) await new Promise((resolve) => { setTimeout(resolve, 20); });
      const late = hard('late');
      await new Promise((resolve) => { setTimeout(resolve, 50); });
      late.stop();
      const end = await late.promise.then(() => 'answered', (error) => error.name);
      for (const handle of busy) handle.stop();
      return [end, begun.includes('late'), ...(await Promise.all(busy.map(({ promise }) => promise))).map(({ reason }) => reason).filter((reason) => reason !== 'cancelled')];
    }, HARDEST);
    assert.deepEqual(ends, ['AbortError', false]);
    assert.deepEqual(problems, []);
  });

  flow('where a worker cannot be told to stop, the solution that it told last is the answer', async () => {
    held.host.headers = { 'Content-Security-Policy': "connect-src 'self'" };
    const { page } = await visit(held.browser, held.host.url, DESKTOP);
    const { answer, told } = await page.evaluate(async ({ text }) => {
      const { port } = await packed('js/port.js');
      let last = '';
      const handle = port.solve({ text, limits: { seconds: 60 } }, { onProgress: ({ solution }) => { if (solution) { last = solution.moves; handle.stop(); } } });
      return { answer: await handle.promise, told: last };
    }, TWENTY_FOUR);
    assert.deepEqual([answer.status, answer.optimal, answer.moves, answer.length], ['solved', false, told, told.length]);
    assert.ok(answer.expanded > 0 && answer.seconds < 30, JSON.stringify(answer));
  });

  flow('a policy of the host that keeps the engine from running is told as that', async () => {
    // What speaks to Firefox evaluates in the page, which a policy of scripts forbids.
    for (const policy of ["connect-src 'none'", "worker-src 'none'", ...(all ? ["script-src 'self'"] : [])]) {
      held.host.headers = { 'Content-Security-Policy': policy };
      const { page } = await visit(held.browser, `${held.host.url}${link(FIVE_LEFT)}`, DESKTOP);
      await page.click('#hint');
      await noticed(page, /^The solver could not do it: the security policy \(CSP\) of this site does not allow it/);
    }
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

  flow('after one visit everything opens without a network, and is played', async () => {
    const { page, context, problems } = await visit(held.browser, held.host.url, DESKTOP);
    await keptOffline(page);
    const networks = () => held.host.asked.filter((address) => address.endsWith('.bin')).map((address) => path.basename(address));
    assert.deepEqual(networks(), [], 'a first visit does without the networks');
    await asked(page, 'solve', { text: THIRTY_SIX });
    assert.deepEqual(networks(), ['6.bin']);
    await page.close();
    await held.host.close();
    // Which address has which document is the service worker's own doing, in any browser.
    for (const place of all ? ['lab/', 'paths/', 'guide/', 'records/', 'lab'] : ['lab/']) {
      const other = await tab(context, `${held.host.url}${place}`, problems);
      if (place === 'guide/') await other.waitForSelector('#guide-text table');
      if (place === 'lab/') {
        assert.equal((await asked(other, 'solve', { rows: 3, cols: 3, tiles: FIVE_LEFT })).length, 5);
        const has = (name) => other.evaluate(async (file) => fetch((await packed('js/host.js')).engineAddress + file).then(({ ok }) => ok, () => false), name);
        assert.deepEqual([await has('6.bin'), await has('7.bin')], [true, false], 'a network that was used once is kept');
      }
      await other.close();
    }
    const lost = await context.newPage();
    await lost.goto(`${held.host.url}lab/no such/place`);
    assert.match(await lost.innerText('main'), /no page at this address.*没有页面/s);
    await lost.waitForFunction((url) => document.querySelector('a').href === url, held.host.url);
    await lost.click('a');
    await ready(lost);
    await lost.close();
    const play = await tab(context, held.host.url, problems);
    await play.click('#open-lessons');
    await play.waitForSelector('#lesson-words');
    await play.keyboard.press('ArrowLeft');
    assert.notEqual(await play.textContent('#lesson-praise'), '');
    await play.keyboard.press('Escape');
    const moved = (isThere) => until(async () => {
      const { moves, phase, ...there } = await game(play);
      if (phase === 'shuffled' && !moves) for (const key of Object.values(KEY)) await play.keyboard.press(key);
      return moves && isThere(there);
    }, 'a move is made');
    await play.click('#open-daily');
    await play.click('#daily-play');
    await moved(({ origin }) => origin === 'daily');
    await play.click('#open-classic');
    await play.waitForSelector('#classic');
    await play.click('#shuffle');
    await moved(({ origin }) => origin !== 'daily');
    assert.deepEqual(problems, []);
  });

  flow('a newer version waits for the game to be left, and no page has files of two', async () => {
    const { page, context, problems } = await visit(held.browser, `${held.host.url}${link(FIVE_LEFT)}`, DESKTOP);
    await keptOffline(page);
    await page.keyboard.press('ArrowUp');
    await keptMoves(page, 1);
    // What a document names, and where all that it has come to need is from.
    const named = (one) => one.evaluate(() => ['files', 'engine'].map((name) => /\w+-\w+/.exec(document.documentElement.dataset[name])[0]).sort());
    const used = (one) => one.evaluate(() => {
      const folders = performance.getEntriesByType('resource').map(({ name }) => /(?:page|engine)-\w+/.exec(name)?.[0]);
      return [...new Set(folders.filter(Boolean))].sort();
    });
    const first = await named(page);
    await writeSite(held.host.folder, 'another');
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration()).update());
    await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration()).waiting !== null);
    for (const round of ['the page that is open', 'the same, loaded anew']) {
      // Parts that come when they are wanted, and the engine.
      await page.click('.places [data-place=lab]');
      await page.waitForSelector('html[data-place=lab]');
      await page.click('.places [data-place=play]');
      await page.waitForSelector('html[data-place=play]');
      assert.equal((await asked(page, 'solve', { rows: 3, cols: 3, tiles: FIVE_LEFT })).length, 5);
      assert.deepEqual([await named(page), await used(page)], [first, first], round);
      if (round === 'the page that is open') {
        await page.keyboard.press('ArrowDown');
        await keptMoves(page, 2);
        await page.reload();
        await ready(page);
      }
    }
    assert.equal((await game(page)).moves.length, 2);
    await page.close();
    await until(async () => {
      const next = await tab(context, held.host.url, problems);
      const now = await named(next);
      const isNew = now.every((folder) => !first.includes(folder));
      assert.ok(isNew || now.join() === first.join(), now.join());
      if (isNew) assert.equal((await game(next)).moves.length, 2, 'the game is on the table');
      await next.close();
      return isNew;
    }, 'the newer version is there');
    assert.deepEqual(problems.filter((text) => !/ERR_CONNECTION|sw\.js/.test(text)), []);
  });

  flow('an engine that came damaged is asked for again', async () => {
    const [name] = (await readdir(held.host.folder)).filter((file) => file.startsWith('engine-'));
    const file = path.join(held.host.folder, name, 'engine.wasm');
    const whole = await readFile(file);
    await writeFile(file, whole.subarray(0, 1000));
    const { page, problems } = await visit(held.browser, held.host.url, DESKTOP);
    await keptOffline(page);
    const failed = await asked(page, 'solve', { rows: 3, cols: 3, tiles: FIVE_LEFT }).catch((error) => error.message);
    assert.match(failed, /the engine is damaged/);
    await writeFile(file, whole);
    assert.equal((await asked(page, 'solve', { rows: 3, cols: 3, tiles: FIVE_LEFT })).length, 5);
    await held.host.close();
    const other = await tab(page.context(), held.host.url, problems);
    assert.equal((await asked(other, 'solve', { rows: 3, cols: 3, tiles: FIVE_LEFT })).length, 5);
    assert.deepEqual(problems, []);
  });

  if (!all) return;

  flow('a document that is opened as a file says that it needs a web server', async () => {
    const page = await held.browser.newPage();
    await page.goto(pathToFileURL(path.join(held.host.folder, 'lab/index.html')).href);
    await page.waitForURL('file:**/404.html');
    assert.match(await page.innerText('body'), /opens from a web server only.*python3 -m http\.server/);
  });

  flow('what is said otherwise without a server is said in the language of the page', async () => {
    const { page, problems } = await visit(held.browser, held.host.url, DESKTOP);
    // As in a page at rest: the other language has come, and then the words of what is opened.
    await page.evaluate(async () => (await packed('js/i18n.js')).fetchOther());
    await page.evaluate(async () => (await packed('js/later.js')).laterWords());
    const others = () => page.evaluate(async () => {
      const { language, t } = await packed('js/i18n.js');
      const said = Object.entries((await packed(`i18n/files/${language()}.js`)).default);
      return said.filter(([key, text]) => t(key, { host: '{host}' }) !== text).map(([key]) => key);
    });
    assert.deepEqual(await others(), []);
    await page.click('#language');
    await page.waitForFunction(() => document.documentElement.lang === 'zh-Hans');
    assert.deepEqual(await others(), []);
    assert.deepEqual(problems, []);
  });

  flow('what needs a server is not shown; installing is, while the browser offers it', async () => {
    const { page, context, problems } = await visit(held.browser, held.host.url, DESKTOP);
    const { manifest, errors } = await (await context.newCDPSession(page)).send('Page.getAppManifest');
    assert.deepEqual([manifest.id, manifest.startUrl, manifest.scope, errors], [held.host.url, held.host.url, held.host.url, []]);
    await page.click('#open-daily');
    await page.waitForSelector('#daily-play');
    assert.equal(await page.locator('#daily-ranking').count(), 0);
    await page.keyboard.press('Escape');
    const settings = async () => {
      await page.click('#open-settings');
      await page.waitForSelector('#settings-games');
      return Promise.all(['#settings-player', '#settings-install'].map((id) => page.locator(id).count()));
    };
    assert.deepEqual(await settings(), [0, 0]);
    await page.keyboard.press('Escape');
    await page.evaluate(() => {
      const offer = new Event('beforeinstallprompt', { cancelable: true });
      offer.prompt = () => { document.body.dataset.prompted = 'yes'; return Promise.resolve(); };
      dispatchEvent(offer);
    });
    assert.deepEqual(await settings(), [0, 1]);
    await page.click('#settings-install');
    assert.equal(await page.getAttribute('body', 'data-prompted'), 'yes');
    await page.keyboard.press('Escape');
    assert.deepEqual(await settings(), [0, 0], 'an offer is taken once');
    assert.deepEqual(problems, []);
  });

  flow('a page beside the site includes the element by one line', async () => {
    await writeFile(path.join(held.host.folder, 'mine.html'), '<!doctype html><link rel="icon" href="data:,"><script type="module" src="pintu-board.js"></script><pintu-board position="1 2 3 / 4 5 6 / 7 0 8"></pintu-board>');
    const [page, problems] = [await held.browser.newPage(), []];
    watch(page, problems);
    await page.goto(`${held.host.url}mine.html`);
    await page.waitForFunction(() => customElements.get('pintu-board'));
    assert.deepEqual(await page.$eval('pintu-board', (board) => [board.move('R'), board.solved]), [true, true]);
    assert.deepEqual(problems, []);
  });

  flow('a game goes as a file from the site to a server, and back', async () => {
    const server = await startServer();
    try {
      const exported = async (page) => {
        const [download] = await Promise.all([page.waitForEvent('download'), page.evaluate(async () => {
          const [{ exportGame }, session] = [await packed('js/transfer.js'), await packed('js/session.js')];
          await exportGame('carried', session.current().toSave());
        })]);
        return readFile(await download.path());
      };
      const opened = (page, file) => page.evaluate(async (text) => (await packed('js/transfer.js')).openFile(new File([text], 'game.json')), file.toString());
      const [one, two] = [await visit(held.browser, `${held.host.url}${link(FIVE_LEFT)}`, DESKTOP), await visit(held.browser, server.url, DESKTOP)];
      await one.page.keyboard.press('ArrowUp');
      assert.equal(await opened(two.page, await exported(one.page)), true);
      const there = await game(two.page);
      assert.deepEqual([there.start, there.moves], [FIVE_LEFT, (await game(one.page)).moves]);
      await two.page.keyboard.press('ArrowDown');
      await until(async () => (await game(two.page)).moves.length === 2, 'the game goes on there');
      assert.equal(await opened(one.page, await exported(two.page)), true);
      assert.deepEqual((await game(one.page)).moves, (await game(two.page)).moves);
      assert.deepEqual([...one.problems, ...two.problems], []);
    } finally {
      await server.clean();
    }
  });

  flow('everything goes as one file from the site to another browser and to a server, once', async () => {
    const server = await startServer();
    try {
      const one = await visit(held.browser, held.host.url, DESKTOP);
      const { page } = one;
      await finishOne(page);
      await page.evaluate(async () => {
        const [{ keepPicture }, { keepCopy }, session, { Game }] = await Promise.all(['js/album.js', 'js/library.js', 'js/session.js', 'js/game.js'].map(packed));
        const canvas = document.createElement('canvas');
        Object.assign(canvas, { width: 300, height: 300 });
        canvas.getContext('2d').fillRect(0, 0, 150, 300);
        const picture = await keepPicture(await new Promise((resolve) => { canvas.toBlob(resolve, 'image/jpeg'); }));
        const begun = new Game({ rows: 3, cols: 3, start: [2, 0, 3, 1, 5, 6, 4, 7, 8], picture });
        await keepCopy('mine', begun.toSave());
        session.replace(begun);
      });
      await page.keyboard.press('ArrowUp');
      await keptMoves(page, 1);
      const DAYS = [['2026-01-05', '2026-01-05', false], ['2026-01-06', '2026-01-07', true]];
      await page.evaluate(async (days) => {
        const store = await packed('js/store.js');
        for (const [id, on, helped] of days) await store.put('days', { id, on, helped, millis: 61_000, moves: 80, size: '4×4', picture: 'builtin:pond' });
      }, DAYS);
      await page.click('#load');
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('#export-all')]);
      const file = await download.path();
      const written = JSON.parse(await readFile(file, 'utf8'));
      assert.deepEqual([written.pintu, written.saves.map(({ name }) => name).sort(), written.records.length, Object.keys(written.pictures).length], [1, ['autosave', 'mine'], 1, 1]);
      const there = async (other) => {
        const [saves, records, pictures] = await Promise.all(['saves', 'records', 'pictures'].map((store) => kept(other, store)));
        const own = new Set(pictures.map(({ id }) => id));
        return [saves.map(({ name, game: { moves, picture } }) => [name, moves, own.has(picture)]).sort(), records.map(({ game: { moves } }) => moves), pictures.length];
      };
      const whole = [[['autosave', 'D', true], ['mine', '', true]], ['R'], 1];
      assert.deepEqual(await there(page), whole);
      const bad = [{ date: '2026-02-30' }, { date: '2099-01-01', on: '2099-01-01' }, { millis: -1 }, { moves: 1.5 }, { helped: 'no' }, { on: '2025-01-01' }];
      await writeFile(file, JSON.stringify({ ...written, days: [...written.days, null, 7, ...bad.map((part) => ({ ...written.days[0], date: '2026-01-08', on: '2026-01-08', ...part }))] }));
      for (const url of [held.host.url, server.url]) {
        const { page: other, problems } = await visit(held.browser, url, DESKTOP);
        for (const said of [/1 record /, /here already/]) {
          await other.click('#load');
          await other.setInputFiles('#import-file', file);
          await noticed(other, said);
        }
        assert.deepEqual(await there(other), whole);
        assert.deepEqual((await kept(other, 'days')).map(({ id, on, helped }) => [id, on, helped]), DAYS, 'the days that are days');
        assert.deepEqual(problems, []);
        if (url !== server.url) continue;
        const stored = async () => (await other.request.get(`${url}api/data`)).json();
        await until(async () => (({ saves, records }) => saves.length === 2 && records.length === 1)(await stored()), 'the server has all of it');
        const data = await stored();
        await writeFile(file, JSON.stringify({ ...data, saves: [...data.saves, { name: 'bad', game: {} }] }));
        await page.setInputFiles('#import-file', file);
        await noticed(page, /1 entry/);
        assert.deepEqual(await there(page), whole, 'what the server gives is the same once more');
      }
      assert.deepEqual(one.problems, []);
    } finally {
      await server.clean();
    }
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
