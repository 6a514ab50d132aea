// The element `<pintu-board>` as others use it: its npm package, installed beside a plain HTML file, on a server that only hands out files.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { PAGE, ROOT, hasFirefox, launch, launchFirefox, skip, until, watch } from './harness.mjs';
import { objections } from './looks.mjs';

const run = promisify(execFile);
const FIVE_LEFT = '2 0 3 / 1 5 6 / 4 7 8';
const FIVE = 'LDDRR';
const HTML = (body, attributes = 'lang="en"') => `<!doctype html><html ${attributes}><meta charset="utf-8"><title>A plain page</title><link rel="icon" href="data:,">
<script type="module" src="node_modules/pintu-board/pintu-board.js"></script><main><h1>Boards</h1>${body}</main></html>`;
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.svg': 'image/svg+xml' };

/** The archive that `cargo xtask element` has made. */
async function archive() {
  if (process.env.PINTU_ELEMENT) return process.env.PINTU_ELEMENT;
  const folder = path.join(ROOT, 'target/element');
  const found = existsSync(folder) ? (await readdir(folder)).find((name) => name.endsWith('.tgz')) : undefined;
  if (!found) throw new Error('found no archive of the element: run `cargo xtask element` first');
  return path.join(folder, found);
}

let folder = '';
let url = '';
let browser = null;
const server = createServer((request, response) => {
  const file = path.join(folder, path.normalize(new URL(request.url, 'http://x').pathname));
  readFile(file).then((data) => response.writeHead(200, { 'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream' }).end(data), () => response.writeHead(404).end());
});

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pintu-element-'));
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module" }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', await archive()], { cwd: folder });
  await writeFile(path.join(folder, 'picture.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="#c8402a"/></svg>');
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  url = `http://127.0.0.1:${server.address().port}/`;
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Opens a page with this body; `events` in it are those of its boards. */
async function open(body, { attributes, in: where = browser, ...options } = {}) {
  await writeFile(path.join(folder, 'page.html'), HTML(body, attributes));
  const context = await where.newContext(options);
  const page = await context.newPage();
  const problems = [];
  watch(page, problems);
  await page.addInitScript(() => {
    window.events = [];
    for (const name of ['move', 'solved']) addEventListener(name, ({ type, detail }) => window.events.push([type, detail.by, detail.moves]));
  });
  await page.goto(`${url}page.html`);
  await page.waitForFunction(() => customElements.get('pintu-board'));
  return { context, page, problems };
}

const tile = (page, number) => page.locator(`#tile-${number}`);
const state = (page) => page.$eval('pintu-board', ({ tiles, moves, solved, problem }) => ({ tiles: tiles.join(' '), moves, solved, problem }));
const events = (page) => page.evaluate(() => window.events.splice(0));

/** What any browser must do: play by click and keys, tell it, name tiles, and play the recorded solution. */
async function essentials(where) {
  const { context, page, problems } = await open(`<pintu-board position="${FIVE_LEFT}" solution="${FIVE}" controls></pintu-board>`, { in: where });
  assert.equal(await tile(page, 3).getAttribute('aria-label'), 'tile 3, row 1, column 3, can move');
  assert.equal(await tile(page, 6).getAttribute('aria-label'), 'tile 6, row 2, column 3');
  await tile(page, 3).click();
  assert.deepEqual(await events(page), [['move', 'player', 'R']]);
  assert.match(await page.locator('[aria-live]').textContent(), /^3 left; 1 move; \d misplaced$/);
  await tile(page, 3).press('ArrowDown');
  assert.equal((await state(page)).moves, 'R', 'no tile can go down');
  await tile(page, 3).press('ArrowUp');
  assert.deepEqual([(await state(page)).moves, await events(page)], ['RD', [['move', 'player', 'D']]]);
  // From where the player has gone, the recorded solution begins with the way back.
  await page.getByRole('button', { name: 'Next move of the solution' }).click();
  await until(async () => (await state(page)).moves === 'RDU', 'the first step goes back');
  await page.getByRole('button', { name: 'To the beginning' }).click();
  assert.equal((await state(page)).moves, '');
  await events(page);
  await page.getByRole('button', { name: 'Play the solution' }).click();
  await until(async () => (await state(page)).solved, 'it is solved');
  assert.deepEqual(await events(page), [...FIVE].map((move) => ['move', 'solution', move]).concat([['solved', 'solution', FIVE]]));
  assert.equal(await page.locator('[aria-live]').textContent(), 'Solved in 5 moves');
  assert.deepEqual(problems, []);
  await context.close();
}

test('a plain page: play, follow a recorded solution, and hear of it', () => essentials(browser));

if (!hasFirefox) skip('the element in Firefox: firefox-esr is not installed');
test('the same in Firefox', { skip: !hasFirefox }, async () => {
  const firefox = await launchFirefox();
  try {
    await essentials(firefox);
  } finally {
    await firefox.close();
  }
});

test('a run of tiles slides by a click, a tile by a drag; touching one ends the playback', async () => {
  const { page, problems } = await open('<pintu-board position="1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 0 13 14 15" solution="RRR" controls></pintu-board>');
  const box = await tile(page, 9).boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height, { steps: 4 });
  await page.mouse.up();
  assert.deepEqual(await events(page), [['move', 'player', 'U']]);
  await page.getByRole('button', { name: 'One move back' }).click();
  await page.getByRole('button', { name: 'Play the solution' }).click();
  await until(async () => (await state(page)).moves.length === 1, 'the playback runs');
  await tile(page, 1).click();
  assert.equal(await page.getByRole('button', { name: 'Pause' }).count(), 0, 'a click on a tile takes over');
  await page.$eval('pintu-board', (board) => board.reset());
  await events(page);
  await tile(page, 15).click();
  assert.deepEqual(await events(page), [['move', 'player', 'RRR'], ['solved', 'player', 'RRR']]);
  assert.deepEqual(problems, []);
});

test('an engine that the page brings: asked as Pintu’s own is, cancelled by a move, believed only where it is right', async () => {
  const { page, problems } = await open('<pintu-board size="3x3" controls></pintu-board>');
  assert.equal(await page.getByRole('button', { name: 'Play the solution' }).count(), 0, 'nothing can be played yet');
  await page.$eval('pintu-board', (board, position) => {
    window.asked = [];
    board.position = position;
    board.engine = (request, { signal }) => new Promise((resolve) => { window.asked.push({ request, signal, resolve }); });
  }, FIVE_LEFT);
  await page.getByRole('button', { name: 'Play the solution' }).click();
  assert.equal(await page.locator('.note').textContent(), 'Searching for a solution…');
  assert.deepEqual(await page.evaluate(() => window.asked[0].request), { rows: 3, cols: 3, tiles: [2, 0, 3, 1, 5, 6, 4, 7, 8], goal: [1, 2, 3, 4, 5, 6, 7, 8, 0] });
  await tile(page, 2).click();
  assert.deepEqual(await page.evaluate(() => { const { signal, resolve } = window.asked[0]; resolve({ status: 'solved', moves: 'LDDRR' }); return signal.aborted; }), true);
  await events(page);
  const refused = await page.$eval('pintu-board', async (board) => {
    const answers = [];
    for (const answer of [{ status: 'limit' }, { status: 'solved', moves: 'U' }]) {
      const solving = board.step();
      window.asked.at(-1).resolve(answer);
      answers.push(await solving.then(() => 'believed', ({ message }) => message));
    }
    return answers;
  });
  assert.ok(refused.every((message) => /expected moves that solve the position/.test(message)), refused);
  assert.equal(await page.locator('.note').textContent(), 'No solution was found.');
  assert.deepEqual(await events(page), [], 'the answer for another position moved nothing');
  assert.ok(await page.$eval('pintu-board', async (board) => {
    board.engine = async () => ({ status: 'solved', moves: 'DDRR' });
    await board.solve();
    return board.solved;
  }), 'the playback is waited for');
  assert.deepEqual(problems, []);
});

test('attributes: sizes, the blank’s place, a picture, and what cannot be read', async () => {
  const { page, problems } = await open('<pintu-board></pintu-board>');
  const set = (attributes) => page.$eval('pintu-board', async (board, pairs) => {
    for (const name of ['size', 'position', 'blank', 'solution']) board[name] = pairs[name] ?? null;
    await null;
    return { tiles: board.tiles.length, solved: board.solved, problem: board.problem, note: board.shadowRoot.querySelector('.note').textContent };
  }, attributes);
  assert.deepEqual(await state(page).then(({ problem, solved }) => [problem, solved]), [null, false], 'shuffled');
  assert.equal((await set({ size: '4' })).tiles, 16);
  assert.equal((await set({ size: '2×5' })).tiles, 10);
  assert.equal((await set({ position: '0 1 2 / 3 4 5', blank: '0,0' })).solved, true);
  assert.equal((await set({ size: '2x3', position: '1 2 3 4 5 0' })).solved, true);
  assert.equal((await set({ position: '123456870' })).note, 'This position cannot be solved.');
  for (const [attributes, expected] of [
    [{ size: 'large' }, /size “large”, expected rows and columns/],
    [{ size: '11x11' }, /sides are 2 to 10/],
    [{ position: '1 2 3 / 4 5' }, /not a position: ragged/],
    [{ position: '1 2 2 / 3 4 0' }, /not a position: tiles/],
    [{ size: '4x4', position: '123456780' }, /position of 3×3, expected 4×4/],
    [{ position: '123456780\n\n123456780' }, /expected one position/],
    [{ blank: '3,0' }, /blank at “3,0”, expected row,col below 3,3/],
    [{ solution: 'ULDR' }, /expected a position beside it/],
    [{ position: FIVE_LEFT, solution: 'LDX' }, /expected moves of the blank that are legal/],
    [{ position: FIVE_LEFT, solution: 'LD' }, /found a solution that ends at/],
  ]) {
    const got = await set(attributes);
    assert.match(got.problem ?? '', expected);
    assert.ok(got.note.includes(got.problem));
  }
  assert.equal((await set({ position: FIVE_LEFT })).problem, null);
  await page.$eval('pintu-board', (board) => { board.picture = 'picture.svg'; });
  await page.waitForSelector('.board.pictured');
  assert.match(await page.locator('#tile-1 .face').evaluate((face) => getComputedStyle(face).backgroundImage), /picture\.svg/);
  await page.$eval('pintu-board', (board) => { board.picture = null; });
  await page.waitForSelector('.board:not(.pictured)');
  assert.deepEqual(problems, []);
});

test('what is set before the element is defined, and what happens out of the page', async () => {
  const early = "document.querySelector('pintu-board').engine = async () => ({ status: 'solved', moves: 'R' });";
  const { page, problems } = await open(`<pintu-board position="1 2 3 / 4 5 6 / 7 0 8"></pintu-board><script>${early}</script>`);
  const got = await page.$eval('pintu-board', async (board) => {
    await board.solve();
    const { solved } = board;
    const place = board.parentNode;
    board.remove();
    board.setAttribute('position', '1 2 / 0 3');
    board.engine = null;
    place.append(board);
    board.controls = true;
    return [solved, board.tiles.join(), board.hasAttribute('controls'), await board.step().then(() => '', ({ message }) => message)];
  });
  assert.deepEqual(got, [true, '1,2,0,3', true, 'found neither a solution nor an engine']);
  assert.deepEqual(problems, []);
});

for (const [scheme, back] of [['light', 'rgb(255, 253, 248)'], ['dark', 'rgb(31, 34, 41)']]) {
  test(`${scheme}: the colours of the page around it, and nothing that axe objects to`, async () => {
    const { page, problems } = await open(`<pintu-board position="${FIVE_LEFT}" solution="${FIVE}" controls></pintu-board>`, { attributes: 'lang="en" style="color-scheme: light dark; background: Canvas"', colorScheme: scheme, reducedMotion: 'reduce' });
    assert.equal(await page.locator('#tile-1 .face').evaluate((face) => getComputedStyle(face).backgroundColor), back);
    assert.equal(await tile(page, 1).evaluate((node) => getComputedStyle(node).transitionProperty), 'none', 'tiles do not slide');
    assert.deepEqual(await objections(page), []);
    assert.deepEqual(problems, []);
  });
}

test('both languages, in the words of the game', async () => {
  for (const language of ['en', 'zh']) {
    const { default: words } = await import(path.join(PAGE, 'i18n', `${language}.js`));
    const { wordsFor } = await import(path.join(PAGE, 'element/words.js'));
    const own = wordsFor(language === 'zh' ? 'zh-Hans' : 'en');
    const fill = (key, values) => words[key].replace(/\{(\w+)(?:\|(\w+)\|(\w+))?\}/g, (_, name, one, many) => (one ? `${values[name]} ${values[name] === 1 ? one : many}` : values[name]));
    const at = { tile: 7, row: 2, col: 3 };
    assert.equal(own.movable(at), fill('tile.moves', at));
    assert.equal(own.fixed(at), fill('tile.fixed', at));
    assert.equal(own.board({ rows: 3, cols: 4 }), fill('board.label', { rows: 3, cols: 4 }));
    assert.deepEqual(own.ways, Object.fromEntries(['U', 'D', 'L', 'R'].map((way) => [way, words[`way.${way}`]])));
    for (const count of [1, 2]) {
      const what = fill(count > 1 ? 'say.run' : 'say.tile', { tile: 7, count, way: own.ways.L });
      assert.equal(own.moved({ tile: 7, count, way: own.ways.L, moves: count, misplaced: 5 }), fill('say.move', { what, moves: fill('moves', { count }), misplaced: 5 }));
      assert.equal(own.solved(count), fill('playback.solved', { count }));
    }
  }
  const { page } = await open('<pintu-board position="1 2 3 / 4 5 6 / 7 0 8" controls></pintu-board>', { attributes: 'lang="zh-Hans"' });
  assert.equal(await tile(page, 8).getAttribute('aria-label'), '8 号，第 3 行第 3 列，可移动');
});

test('the package: its exports and types are what they say', async () => {
  const { uniform, solvable, shape, manhattan } = await import(path.join(folder, 'node_modules/pintu-board/rules.js'));
  const board = shape(3, 3);
  const tiles = uniform(board, 8, (n) => Math.floor(Math.random() * n));
  assert.ok(solvable(board, tiles, 8) && manhattan(board, tiles, 8) > 0);
  await writeFile(path.join(folder, 'use.ts'), `
    import { PintuBoard, type Engine } from 'pintu-board';
    import { solvable, shape } from 'pintu-board/rules';
    const board: PintuBoard = document.querySelector('pintu-board')!;
    const engine: Engine = async ({ rows, tiles }, { signal }) => (signal.aborted || rows < tiles[0] ? { status: 'limit' } : { status: 'solved', moves: 'U' });
    board.engine = engine;
    board.addEventListener('solved', ({ detail }) => detail.moves.length + detail.by.length);
    board.addEventListener('click', ({ clientX }) => clientX);
    const isFine: boolean = solvable(shape(3, 3), board.tiles, 8) && board.move('U');
    void board.solve().then(() => isFine);
    // @ts-expect-error A size is a text.
    board.size = 4;
    // @ts-expect-error There is no such event.
    board.addEventListener('moved', () => {});
  `);
  const tsc = path.join(path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--moduleResolution', 'nodenext', '--lib', 'es2023,dom', 'use.ts'];
  await run(process.execPath, [tsc, ...options], { cwd: folder }).catch(({ stdout }) => assert.fail(stdout));
});
