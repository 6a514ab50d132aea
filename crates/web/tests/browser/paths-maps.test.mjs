// The maps of Paths in a real browser: made, painted with hands and keys, dragged about, saved, opened and linked.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { PHONE, ROOT, noticed, pressNotice, stage, visit } from './harness.mjs';
import { commanded, countsOf, drag, folder, meet, openPaths, place, settled, shown, spotOf } from './paths-steps.mjs';

const held = stage();

test('a seed makes the same map for ever', async () => {
  const { generate } = await place('generate');
  const hashes = Object.fromEntries(['maze', 'rooms', 'caves', 'random'].map((kind) => {
    const map = generate(kind, 41, 67, 12345);
    return [kind, createHash('sha256').update(map.cells).update(`${map.start} ${map.goals}`).digest('hex').slice(0, 16)];
  }));
  assert.deepEqual(hashes, { maze: '69c4a38aa2b6bcf4', rooms: 'ac9a9c911c2a75bb', caves: 'c62f926f418a905d', random: 'bc8e80c02c6ed2d6' });
});

test('every format comes back as it was written, and what is wrong is said with its line', async () => {
  const [{ read, fileText, savable, recognise }, { MapError }] = await Promise.all([place('formats'), place('map')]);
  const texts = {
    terrain: 'S.#\n95G\n', sea: '2 3\n1 0 3\n2 0 4\n', octile: 'type octile\nheight 2\nwidth 3\nmap\n..@\nSWT\n', graph: '# towns\n@ a 0 0\n@ b 3 4\na b 5\n',
  };
  for (const [format, text] of Object.entries(texts)) {
    assert.equal(recognise(text), format);
    assert.equal(fileText(read(text)), text, format);
  }
  assert.deepEqual(savable(read('S.#\n..G\n')), ['terrain', 'sea', 'octile']);
  const complaint = (text) => { try { read(text); return null; } catch (error) { assert.ok(error instanceof MapError); return [error.key, error.values.line]; } };
  assert.deepEqual(complaint('..\n.x'), ['paths.bad.symbol', 2]);
  assert.deepEqual(complaint('..\n.'), ['paths.bad.ragged', 2]);
  assert.deepEqual(complaint('2 2\n00\n0'), ['paths.bad.ragged', 3]);
  assert.deepEqual(complaint('type octile\nwidth 3'), ['paths.bad.header', 2]);
  assert.deepEqual(complaint('S.S'), ['paths.bad.starts', 1]);
  assert.deepEqual(complaint('a b 1\na b'), ['paths.bad.graph', 2]);
  assert.equal(complaint(`${'.'.repeat(600)}\n`)[0], 'paths.bad.size');
});

test('a brush paints with the mouse, a stroke is undone and done again', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url);
  const before = (await shown(page)).map.cells;
  const stroke = await drag(page, [1, 24], [1, 30]);
  await stroke.release();
  await settled(page);
  const painted = (await shown(page)).map.cells;
  for (let col = 24; col <= 30; col += 1) assert.equal(painted[32 + col], 0);
  await page.click('#paths-brush-5');
  const dab = await spotOf(page, 0, 0);
  await page.mouse.click(dab.x, dab.y);
  assert.equal((await shown(page)).map.cells[0], 5);
  await page.keyboard.press('Control+z');
  assert.deepEqual((await shown(page)).map.cells, painted);
  await page.keyboard.press('Control+z');
  assert.deepEqual((await shown(page)).map.cells, before);
  await page.click('#paths-redo');
  assert.deepEqual((await shown(page)).map.cells, painted);
  await page.selectOption('#paths-width', '3');
  await page.click('#paths-brush-0');
  const corner = await spotOf(page, 13, 1);
  await page.mouse.click(corner.x, corner.y);
  const wide = (await shown(page)).map.cells;
  for (const row of [12, 13, 14]) for (const col of [0, 1, 2]) assert.equal(wide[row * 32 + col], 0, `${row},${col}`);
  await settled(page);
  assert.deepEqual(problems, []);
});

test('a finger paints, two fingers move and enlarge, and paint nothing', async () => {
  const { page, problems, context } = await openPaths(held.browser, held.server.url, { options: PHONE, fragment: '#map=open:16x24&a=astar&w=never&s=193&g=206' });
  const cdp = await context.newCDPSession(page);
  const touch = (type, ...points) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });
  const [a, b] = [await spotOf(page, 2, 3), await spotOf(page, 2, 9)];
  await touch('touchStart', a);
  await touch('touchMove', { x: (a.x + b.x) / 2, y: a.y });
  await touch('touchMove', b);
  await touch('touchEnd');
  const painted = (await shown(page)).map.cells;
  assert.deepEqual(painted.flatMap((ground, cell) => (ground === 0 ? [cell] : [])), [3, 4, 5, 6, 7, 8, 9].map((col) => 48 + col));
  const before = (await shown(page)).view;
  const [c, d] = [await spotOf(page, 5, 6), await spotOf(page, 5, 10)];
  await touch('touchStart', c);
  await touch('touchStart', c, d);
  await touch('touchMove', { x: c.x - 40, y: c.y }, { x: d.x + 40, y: d.y });
  await touch('touchEnd');
  const after = await shown(page);
  assert.ok(after.view.scale > before.scale * 1.3, `${before.scale} to ${after.view.scale}`);
  assert.deepEqual(after.map.cells, painted, 'nothing was painted');
  assert.equal(await page.isDisabled('#paths-redo'), true, 'and nothing is there to be done again');
  await settled(page);
  assert.deepEqual(problems, []);
});

test('start and goal are dragged, and the paths follow while they are', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { fragment: '#map=map:trap&a=auto.astar&w=no-corners&s=226&g=252' });
  const costs = async () => (await shown(page)).entries.map(({ answer }) => answer.cost);
  const before = await costs();
  const carried = await drag(page, [7, 28], [7, 18]);
  await meet(page, ({ entries }) => entries.every(({ answer, path: way }) => answer.cost === 16 && way.at(-1) === 7 * 32 + 18));
  assert.equal((await shown(page)).map.goals[0], 7 * 32 + 18, 'while the button is still down');
  await carried.release();
  await settled(page);
  const start = await drag(page, [7, 2], [3, 2]);
  await start.release();
  await settled(page);
  const now = await shown(page);
  assert.equal(now.map.start, 3 * 32 + 2);
  const expected = await commanded(page, now);
  assert.deepEqual(now.entries.map(({ answer }) => countsOf(answer)), expected.map(countsOf));
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await settled(page);
  assert.deepEqual(await costs(), before, 'dragging is undone, too');
  // A wall holds whoever is dragged against it.
  const blocked = await drag(page, [7, 28], [7, 22]);
  await blocked.release();
  await settled(page);
  assert.notEqual((await shown(page)).map.goals[0], 7 * 32 + 22);
  assert.deepEqual(problems, []);
});

test('several goals: the nearest counts, and one can be taken away', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { fragment: '#map=open:9x21&a=astar&w=never&s=84&g=104' });
  await page.click('#paths-brush-goal');
  const near = await spotOf(page, 4, 5);
  await page.mouse.click(near.x, near.y);
  await settled(page);
  let now = await shown(page);
  assert.deepEqual(now.map.goals, [104, 89]);
  assert.equal(now.entries[0].answer.cost, 5);
  await page.keyboard.press('Control+z');
  await settled(page);
  now = await shown(page);
  assert.deepEqual([now.map.goals, now.entries[0].answer.cost], [[104], 20]);
  assert.deepEqual(problems, []);
});

test('maps are made of a kind, size and seed, to 512 × 512', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url);
  for (const kind of ['maze', 'rooms', 'caves', 'random']) {
    await page.click(`#paths-gen-${kind}`);
    await settled(page);
    const { map, entries } = await shown(page);
    assert.match(map.origin, new RegExp(`^${kind}:`));
    assert.equal(entries.find(({ answer }) => answer?.optimal)?.answer.status, 'found', kind);
  }
  await page.click('#paths-maker');
  assert.doesNotMatch(await page.innerText('dialog'), /seed/, 'an empty map has none');
  await page.selectOption('#paths-kind', 'random');
  assert.match(await page.innerText('dialog'), /The same seed/);
  await page.fill('#paths-rows', '512');
  await page.fill('#paths-cols', '512');
  await page.fill('#paths-seed', '77');
  await page.fill('#paths-density', '30');
  await page.evaluate(async () => { const { setRuns, runOf } = await packed('places/paths/state.js'); setRuns([runOf('auto'), runOf('dijkstra')]); });
  await page.click('#paths-make');
  await settled(page);
  const now = await shown(page);
  assert.equal(now.map.origin, 'random:512x512:77:30');
  assert.equal(now.map.cells.length, 512 * 512);
  assert.equal(now.entries[1].cut, true, 'a recording that is full says so');
  assert.match(await page.textContent('.pane:nth-child(2) .run-note'), /ends after 200,000 events/);
  const expected = await commanded(page, now);
  assert.deepEqual(now.entries.map(({ answer }) => countsOf(answer)), expected.map(countsOf));
  assert.deepEqual(problems, []);
});

test('a built-in map says that it brings contestants, and leaves those alone that somebody chose', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url);
  const names = async () => (await shown(page)).runs.map(({ algorithm }) => algorithm);
  const before = await names();
  await page.selectOption('#paths-builtin', 'city');
  await settled(page);
  assert.match(await page.innerText('#toasts'), /comes with its own contestants: Breadth-first, Dijkstra, A\*/);
  const [notice, player] = await Promise.all(['.toast', '#paths-player'].map((name) => page.locator(name).boundingBox()));
  assert.ok(notice.y + notice.height <= player.y, 'a notice leaves the player alone');
  await page.click('#toasts button');
  await settled(page);
  assert.deepEqual(await names(), before, 'those from before are a press away');
  await page.selectOption('#paths-alg-0', 'greedy');
  const chosen = await names();
  await page.selectOption('#paths-builtin', 'trap');
  await settled(page);
  assert.deepEqual(await names(), chosen, 'what somebody chose stays');
  await page.click('#toasts button');
  await settled(page);
  assert.deepEqual(await names(), ['dijkstra', 'greedy', 'astar', 'jps']);
  // One that was painted on is another map, until it is chosen again.
  const listed = () => page.$eval('#paths-builtin', (list) => list.selectedOptions[0].textContent);
  const { release } = await drag(page, [1, 1], [1, 3]);
  await release();
  assert.equal(await listed(), 'The trap, changed');
  await page.click('#paths-undo');
  assert.equal(await listed(), 'The trap');
  await page.click('#paths-redo');
  await page.selectOption('#paths-builtin', 'trap');
  await settled(page);
  assert.equal(await listed(), 'The trap');
  assert.equal((await shown(page)).map.cells[32 + 2], 1);
  await page.click('#paths-files');
  await page.selectOption('#paths-format', 'graph');
  await page.fill('#paths-paste', 'a b 1\nb c 1\n');
  await page.click('#paths-read');
  await noticed(page, /Map opened\. Not for graphs, so removed: Jump point search\./);
  assert.deepEqual(await names(), ['dijkstra', 'greedy', 'astar']);
  await pressNotice(page);
  assert.deepEqual(await names(), ['dijkstra', 'greedy', 'astar', 'jps'], 'and it comes back with the map');
  await page.selectOption('#paths-builtin', 'city');
  await noticed(page, /./);
  await page.click('a[data-place=lab]');
  await page.waitForSelector('#lab:not([hidden])');
  assert.equal(await page.locator('.toast').count(), 0, 'what was said there does not follow');
  assert.deepEqual(problems, []);
});

test('maps are saved, opened, dropped and pasted in every format', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { fragment: '#map=caves:20x30:3&a=astar&w=never' });
  await page.click('#paths-brush-goal');
  const dir = await folder();
  const before = await shown(page);
  for (const format of ['terrain', 'sea', 'octile']) {
    await page.click('#paths-files');
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#paths-save-${format}`)]);
    const file = path.join(dir, `${format}-${download.suggestedFilename()}`);
    await download.saveAs(file);
    await page.keyboard.press('Escape');
    await page.selectOption('#paths-builtin', 'city');
    await page.click('#paths-files');
    await page.setInputFiles('#paths-file', file);
    await page.waitForFunction(() => !document.querySelector('dialog'));
    await settled(page);
    const { map } = await shown(page);
    assert.deepEqual([map.format, map.rows, map.cols], [format, 20, 30]);
    assert.deepEqual(map.cells, before.map.cells, format);
  }
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['S.5\n..G\n'], 'small.txt'));
    document.querySelector('#paths .panes').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  });
  await meet(page, ({ state }) => state.map.cols === 3);
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.setData('text/plain', '2 4\n1000\n0304\n');
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await meet(page, ({ state }) => state.map.format === 'sea');
  await page.click('#paths-files');
  await page.fill('#paths-paste', '..\n.?');
  await page.click('#paths-read');
  assert.match(await page.textContent('#paths-file-error'), /line 2, column 2: found “\?”, expected one of .* S G\.$/);
  await page.fill('#paths-paste', '...\n..G');
  await page.click('#paths-read');
  await page.waitForFunction(() => /It has no start \(S\), so one was put/.test(document.getElementById('toasts').textContent));
  await settled(page);
  assert.ok((await shown(page)).map.start >= 0);
  assert.deepEqual(problems, []);
});

test('a link carries the whole set-up, also of a large map that was painted on', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { fragment: '#map=maze:301x401:9&a=auto.wastar-octile-2_5&w=no-squeeze' });
  await page.click('#paths-brush-start');
  await page.evaluate(async () => { const { moveStart, moveGoal, paint, note } = await packed('places/paths/state.js'); note(); moveStart(402); moveGoal(0, 406); paint([3000, 3001, 3002, 60000], 7); });
  await settled(page);
  const before = await shown(page);
  await page.click('#paths-link');
  const link = await page.inputValue('#share-link');
  assert.ok(link.length < 400, `${link.length} letters`);
  const other = await visit(held.browser, link);
  await settled(other.page);
  const after = await shown(other.page);
  assert.deepEqual(after.map, before.map);
  assert.deepEqual([after.diagonal, after.runs], [before.diagonal, before.runs]);
  assert.deepEqual(after.entries.map(({ answer }) => countsOf(answer)), before.entries.map(({ answer }) => countsOf(answer)));
  await other.page.evaluate(() => { location.hash = '#map=maze:9x9999:1'; });
  await other.page.waitForFunction(() => /damaged/.test(document.getElementById('toasts').textContent));
  assert.deepEqual((await shown(other.page)).map, before.map, 'a bad link changes nothing');
  assert.deepEqual([...problems, ...other.problems], []);
});

test('the set-up survives a reload and whoever leaves: in the address, or in what the browser keeps', async () => {
  const { page, problems, context } = await openPaths(held.browser, held.server.url);
  const stroke = await drag(page, [1, 24], [1, 30]);
  await stroke.release();
  await page.waitForFunction(() => location.hash.includes('t=z'));
  const painted = (await shown(page)).map;
  await page.reload();
  await settled(page);
  assert.deepEqual((await shown(page)).map, painted, 'painted, and loaded anew');
  // In another place and back: nothing is asked or opened again.
  await page.click('a[data-place=lab]');
  await page.waitForSelector('html[data-place=lab]');
  await page.goBack();
  await page.waitForSelector('html[data-place=paths]');
  await settled(page);
  assert.deepEqual((await shown(page)).map, painted);
  assert.equal(await page.isDisabled('#paths-undo'), false, 'what opened it can be undone');
  // A map of noise is too large for an address: the browser keeps it.
  await page.evaluate(async () => {
    const [{ replaceMap, runOf }, { openMap }] = await Promise.all([packed('places/paths/state.js'), packed('places/paths/map.js')]);
    const map = openMap(300, 300);
    let seed = 1;
    for (let cell = 0; cell < map.cells.length; cell += 1) { seed = (seed * 16807) % 2147483647; if (cell !== map.start && cell !== map.goals[0]) map.cells[cell] = 1 + (seed % 9); }
    replaceMap({ ...map, origin: undefined }, { runs: [runOf('astar')] });
  });
  await page.waitForFunction(() => location.hash === '' && (sessionStorage.getItem('pintu.paths')?.length ?? 0) > 16000);
  const large = (await shown(page)).map.cells;
  await page.reload();
  await settled(page);
  assert.deepEqual((await shown(page)).map.cells, large, 'the large one, too');
  const other = await context.newPage();
  await other.goto(`${held.server.url}paths`);
  await settled(other);
  assert.deepEqual((await shown(other)).map.cells, large, 'and in a tab of its own');
  await other.close();
  // A browser that keeps nothing: it is said.
  await page.evaluate(() => { Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }; });
  await page.evaluate(async () => { const { note, paint } = await packed('places/paths/state.js'); note(); paint([1, 2, 3], 0); });
  await noticed(page, /a reload loses it. Save it as a file/);
  assert.deepEqual(problems, []);
});

test('with the keyboard alone: cursor, brushes, ends, play; each place is said', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { fragment: '#map=open:9x21&a=astar&w=never&s=84&g=104' });
  const said = () => page.textContent('#live');
  for (let i = 0; i < 60 && !(await page.evaluate(() => document.activeElement?.id === 'paths-stage-0')); i += 1) await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'paths-stage-0', 'the map can be reached by Tab');
  await page.keyboard.press('ArrowRight');
  assert.match(await said(), /^row 5, column 2, cost 1, on the path/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('w');
  assert.match(await said(), /Brush: wall/);
  await page.keyboard.press('Enter');
  await settled(page);
  assert.equal(await said(), 'Now there: row 5, column 3, wall', 'what was painted is said, and nothing after it');
  let now = await shown(page);
  assert.equal(now.map.cells[4 * 21 + 2], 0);
  assert.equal(now.entries[0].answer.cost, 22);
  await page.keyboard.press('Shift+ArrowUp');
  await page.keyboard.press('7');
  await page.keyboard.press('Shift+ArrowUp');
  now = await shown(page);
  assert.deepEqual([now.map.cells[3 * 21 + 2], now.map.cells[2 * 21 + 2]], [0, 7]);
  await page.keyboard.press('s');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await settled(page);
  assert.equal((await shown(page)).map.start, 21 + 2);
  await page.keyboard.press('Home');
  assert.equal((await shown(page)).at, 0);
  assert.equal(await page.textContent('#paths-where .code .lit'), 'open ← {start}; closed ← ∅; g(start) ← 0', 'before anything has happened, the first line waits');
  await page.keyboard.press('.');
  assert.equal((await shown(page)).entries[0].expanded, 1);
  await page.keyboard.press('Space');
  assert.equal((await shown(page)).playing, true);
  await page.keyboard.press('Space');
  assert.equal((await shown(page)).playing, false);
  await page.keyboard.press('Control+z');
  await settled(page);
  assert.equal((await shown(page)).map.start, 84);
  await page.click('#paths-tool-file');
  assert.match(await page.textContent('#paths-as-text'), /\*/);
  assert.match(await page.textContent('#paths-summary'), /A map of 9 rows and 21 columns/);
  assert.equal(await page.locator('[aria-live=polite]').count(), 1, 'one live region');
  assert.deepEqual(problems, []);
});

test('a scenario file is a list of queries beside their published lengths; jump points say how many cells they looked at', async () => {
  const [{ readScenario, isScenario }, { MapError }] = await Promise.all([place('formats'), place('map')]);
  const [map, scen] = ['rooms.map', 'rooms.map.scen'].map((name) => path.join(ROOT, 'data/maps', name));
  const text = await readFile(scen, 'utf8');
  assert.deepEqual([isScenario(text, ''), isScenario('', 'a.scen'), isScenario('S..G', 'a.txt'), readScenario(text).length], [true, true, false, 40]);
  assert.deepEqual(readScenario('0\ta.map\t5\t4\t1\t2\t3\t0\t4.5')[0], { rows: 4, cols: 5, from: 11, to: 3, length: 4.5 });
  for (const bad of ['', '0 a.map 5 4 1 2 3 0', '0 a.map 5 4 5 2 3 0 1', '0 a.map 5 4 1 2 3 0 x']) assert.throws(() => readScenario(bad), MapError, bad);
  const { page, problems } = await openPaths(held.browser, held.server.url);
  const give = async (...files) => {
    await page.click('#paths-files');
    await page.setInputFiles('#paths-file', files);
  };
  // Queries belong to a map: that of another size is refused.
  await give(scen);
  await noticed(page, /about a map of 49 rows and 73 columns: open that map first/);
  await page.keyboard.press('Escape');
  await give(map);
  await settled(page);
  await give(scen);
  await page.waitForSelector('#paths-queries-table');
  assert.equal(await page.locator('#paths-queries-table tbody tr').count(), 40);
  assert.match(await page.innerText('#paths-queries-table tbody tr:nth-child(3)'), /33, 20\s+28, 28\s+10\.66/);
  await page.focus('#paths-queries-run');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /^40 of 40 answered; same length as published: 40\./.test(document.getElementById('paths-queries-verdict').textContent));
  assert.equal(await page.locator('#paths-queries-table .agrees').count(), 40);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'paths-queries-run', 'the focus stays while they run');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#paths-queries').count(), 1, 'they are there for as long as their map');
  await page.click('#paths-queries');
  await page.click('#paths-query-2');
  await settled(page);
  await page.evaluate(async () => { const { setRuns, runOf } = await packed('places/paths/state.js'); setRuns([runOf('jps'), runOf('astar')]); });
  await settled(page);
  const { map: now, diagonal, entries } = await shown(page);
  assert.deepEqual([now.start, now.goals, diagonal], [32 * 73 + 19, [27 * 73 + 27], 'no-corners']);
  const [jps, astar] = entries.map(({ answer }) => answer);
  assert.ok(Math.abs(jps.cost - 10.65685) < 0.0001 && jps.scanned >= jps.expanded && astar.scanned === undefined, JSON.stringify([jps, astar]));
  assert.ok((await page.innerText('.pane:first-child .run-figures')).includes(`scanned ${jps.scanned}`));
  // The list is there again, with what was found.
  await page.click('#paths-queries');
  assert.equal(await page.locator('#paths-queries-table .agrees').count(), 40);
  await page.keyboard.press('Escape');
  // A map that is painted over is another map, about which nothing was published; so is another file of the same size.
  const openedOver = async (change) => { await page.evaluate(change); return page.locator('#paths-queries').count(); };
  assert.equal(await openedOver(async () => { const { note, paint, state } = await packed('places/paths/state.js'); note(); paint([state.map.start + 1], state.map.cells[state.map.start + 1] ? 0 : 1); }), 0);
  assert.equal(await openedOver(async () => (await packed('places/paths/state.js')).undo()), 1, 'undone, it is theirs again');
  assert.equal(await openedOver(async () => { const [{ replaceMap, state }, { copyOf }] = await Promise.all([packed('places/paths/state.js'), packed('places/paths/map.js')]); const other = copyOf(state.map); other.cells[0] = other.cells[0] ? 0 : 1; replaceMap(other); }), 0);
  await settled(page);
  assert.deepEqual(problems, []);
});

test('the wheel enlarges a map until nothing is left to enlarge, and scrolls the page then', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url);
  const wheel = (deltaY) => page.evaluate((by) => { const event = new WheelEvent('wheel', { deltaY: by, clientX: 600, clientY: 300, bubbles: true, cancelable: true }); document.getElementById('paths-stage-0').dispatchEvent(event); return event.defaultPrevented; }, deltaY);
  const before = (await shown(page)).view.scale;
  assert.equal(await wheel(-100), true);
  assert.ok((await shown(page)).view.scale > before);
  for (let i = 0; i < 40 && await wheel(400); i += 1);
  assert.equal(await wheel(400), false, 'it is as small as it gets: the page scrolls');
  assert.deepEqual(problems, []);
});
