// Paths in a real browser: painting, making, running, comparing, saving, linking; and every count as the command line has it.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { DESKTOP, PAGE, PHONE, pintu, stage, until, visit } from './harness.mjs';
import { drag, meet, openPaths, settled, shown, spotOf, wire } from './paths-steps.mjs';

const held = stage();
const place = (name) => import(path.join(PAGE, `places/paths/${name}.js`));
const folder = () => mkdtemp(path.join(tmpdir(), 'pintu-paths-'));
const COUNTS = ['status', 'cost', 'optimal', 'algorithm', 'heuristic', 'expanded', 'generated', 'peak_states', 'path'];
const countsOf = (answer) => Object.fromEntries(COUNTS.map((name) => [name, answer[name]]));

/** What the command line says about the map on the page, for each contestant. */
async function commanded(page, { map, diagonal, runs }) {
  const file = path.join(await folder(), map.kind === 'graph' ? 'map.graph' : 'map.txt');
  await writeFile(file, await wire(page));
  const spot = (at) => (map.kind === 'graph' ? map.names[at] : `${Math.floor(at / map.cols)},${at % map.cols}`);
  return Promise.all(runs.map(({ algorithm, heuristic, weight }) => pintu('path', file, '--map-format', map.format, '--from', spot(map.start), '--to', map.goals.map(spot).join(';'),
    ...(map.kind === 'graph' ? [] : ['--diagonal', diagonal]), '--algorithm', algorithm, ...(heuristic ? ['--heuristic', heuristic, '--inadmissible'] : []), ...(weight ? ['--weight', weight] : []), '--format', 'json')));
}

test('a seed makes the same map for ever', async () => {
  const { generate } = await place('generate');
  const hashes = Object.fromEntries(['maze', 'rooms', 'caves', 'random'].map((kind) => {
    const map = generate(kind, 41, 67, 12345);
    return [kind, createHash('sha256').update(map.cells).update(`${map.start} ${map.goals}`).digest('hex').slice(0, 16)];
  }));
  assert.deepEqual(hashes, { maze: '69c4a38aa2b6bcf4', rooms: 'ac9a9c911c2a75bb', caves: 'c62f926f418a905d', random: 'bc8e80c02c6ed2d6' });
});

test('every format comes back as it was written, and what is wrong is said with its line', async () => {
  const { read, fileText, savable, recognise, MapError } = await place('formats');
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

test('the words of both languages are the same in number', async () => {
  const [en, zh] = await Promise.all(['en', 'zh'].map(async (name) => Object.keys((await place(name)).default).sort()));
  assert.deepEqual(en, zh);
});

test('every count is the command line’s, for every built-in map and every algorithm', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url);
  const names = await page.$$eval('#paths-builtin option', (options) => options.map(({ value }) => value).filter(Boolean));
  assert.equal(names.length, 9);
  for (const name of names) {
    await page.selectOption('#paths-builtin', name);
    for (const some of [['auto', 'bfs', 'bidirectional', 'dijkstra'], ['greedy', 'astar', 'wastar', 'jps']]) {
      await page.evaluate(async (runs) => { const { setRuns, runOf } = await import('/places/paths/state.js'); setRuns(runs.map((run) => runOf(run))); }, some);
      await settled(page);
      const now = await shown(page);
      for (const [i, run] of now.runs.entries()) {
        const { answer, error, expanded } = now.entries[i];
        if (error) {
          assert.equal(run.algorithm, 'jps', `${name}: ${error.message}`);
          await assert.rejects(commanded(page, { ...now, runs: [run] }), 'the command line refuses it, too');
          continue;
        }
        const [expected] = await commanded(page, { ...now, runs: [run] });
        assert.deepEqual(countsOf(answer), countsOf(expected), `${name} ${run.algorithm}`);
        // At its end, the recording has made as many expansions as the answer says.
        assert.equal(expanded, expected.expanded, `${name} ${run.algorithm} recorded`);
      }
    }
  }
  assert.deepEqual(problems, [], 'what cannot be asked is not asked');
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
  await page.selectOption('#paths-kind', 'random');
  await page.fill('#paths-rows', '512');
  await page.fill('#paths-cols', '512');
  await page.fill('#paths-seed', '77');
  await page.fill('#paths-density', '30');
  await page.evaluate(async () => { const { setRuns, runOf } = await import('/places/paths/state.js'); setRuns([runOf('auto'), runOf('dijkstra')]); });
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

test('four searches in step: results at once, steps on and back, scrubbing, jumps, and a run', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url);
  assert.equal(await page.locator('.pane').count(), 4);
  let now = await shown(page);
  assert.equal(now.at, now.length, 'the whole search is shown first');
  await page.click('#paths-player-first');
  assert.deepEqual((await shown(page)).entries.map(({ expanded }) => expanded), [0, 0, 0, 0]);
  assert.match(await page.textContent('.pane .run-figures'), /421/, 'the figures do not wait for the player');
  await page.click('#paths-player-forward');
  await page.click('#paths-player-forward');
  assert.deepEqual((await shown(page)).entries.map(({ expanded }) => expanded), [2, 2, 2, 2]);
  await page.click('#paths-player-back');
  assert.deepEqual((await shown(page)).entries.map(({ expanded }) => expanded), [1, 1, 1, 1]);
  await page.fill('#paths-player-nth', '60');
  await page.keyboard.press('Enter');
  now = await shown(page);
  assert.deepEqual(now.entries.map(({ expanded, answer }) => Math.min(60, answer.expanded) === expanded), [true, true, true, true]);
  assert.match(await page.textContent('#paths-said'), /Expansion 60/);
  await page.click('#paths-player-goal');
  assert.match(await page.textContent('#paths-said'), /this is the goal/);
  await page.click('.pane:nth-child(3) header');
  assert.match(await page.textContent('#paths-where h2'), /A\*/);
  await page.selectOption('#paths-player-speed', { index: 7 });
  await page.click('#paths-run');
  await meet(page, ({ player }) => player.playing);
  await meet(page, ({ player }) => !player.playing && player.k === player.length);
  assert.deepEqual(problems, []);
});

test('a heuristic that overestimates is named, with what it costs', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { fragment: '#map=map:meadow&a=astar-manhattan.astar&w=no-corners&s=226&g=252' });
  const { entries, cheapest } = await shown(page);
  const [loose, proved] = entries.map(({ answer }) => answer);
  assert.equal(loose.optimal, false);
  assert.equal(cheapest, proved.cost);
  assert.match(await page.textContent('.pane:first-child .run-note'), /Manhattan overestimates/);
  if (loose.cost > proved.cost) assert.match(await page.textContent('.pane:first-child .badge'), /^\+\d/);
  assert.deepEqual(problems, []);
});

test('what is done with lets the ground be seen, and words lie above the path', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { fragment: '#map=map:meadow&a=dijkstra&w=no-corners&s=226&g=252' });
  /** What is seen at a cell, of all sheets together. */
  const seen = (row, col) => page.evaluate(async ([r, c]) => {
    const { pane, view } = (await import('/places/paths/place.js')).inspect();
    pane.flush();
    const density = pane.sheets[0].width / pane.size.width;
    const at = [view.x + (c + 0.5) * view.scale, view.y + (r + 0.75) * view.scale].map((value) => Math.round(value * density));
    return pane.sheets.slice(0, 2).map((sheet) => {
      const read = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
      read.drawImage(sheet, -at[0], -at[1]);
      return [...read.getImageData(0, 0, 1, 1).data];
    });
  }, [row, col]);
  const [[ground], [swamp]] = [await seen(1, 2), await seen(9, 11)];
  assert.notDeepEqual(ground, swamp, 'the ground differs');
  for (const spot of [[1, 2], [9, 11]]) {
    const [, search] = await seen(...spot);
    assert.ok(search[3] > 60 && search[3] < 170, `a tint, not a lid: ${search}`);
  }
  await page.selectOption('#paths-builtin', 'passages');
  await settled(page);
  const written = await page.evaluate(async () => {
    const { pane, scene, view, state, entries } = (await import('/places/paths/place.js')).inspect();
    pane.flush();
    const [from, to] = entries[0].path;
    const middle = [0, 1].map((axis) => (scene.centre(from)[axis] + scene.centre(to)[axis]) / 2);
    const density = pane.sheets[0].width / pane.size.width;
    const [x, y] = [view.x + middle[0] * view.scale, view.y + middle[1] * view.scale].map((value) => Math.round(value * density));
    const read = new OffscreenCanvas(16, 16).getContext('2d', { willReadFrequently: true });
    read.drawImage(pane.sheets[2], 8 - x, 8 - y);
    const { data } = read.getImageData(0, 0, 16, 16);
    const { rgb, palette } = await import('/places/paths/theme.js');
    const [red, green, blue] = rgb(palette().ink);
    let ink = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && Math.abs(data[i] - red) + Math.abs(data[i + 1] - green) + Math.abs(data[i + 2] - blue) < 60) ink += 1;
    return { ink, edges: state.map.edges.length };
  });
  assert.ok(written.ink > 5, `the cost of an edge is written above the path: ${written.ink}`);
  assert.deepEqual(problems, []);
});

test('a built-in map says that it brings contestants, and leaves those alone that somebody chose', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url);
  const names = async () => (await shown(page)).runs.map(({ algorithm }) => algorithm);
  const before = await names();
  await page.selectOption('#paths-builtin', 'city');
  await settled(page);
  assert.match(await page.innerText('#toasts'), /comes with its own contestants: Breadth-first, Dijkstra, A\*/);
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
  assert.deepEqual(problems, []);
});

test('on a phone the map goes from edge to edge, and the player is low', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { options: { ...PHONE, viewport: { width: 360, height: 740 } }, fragment: '#map=rooms:33x33:7&a=astar&w=no-corners' });
  const box = (selector) => page.$eval(selector, (node) => node.getBoundingClientRect().toJSON());
  const [ground, player, paint] = [await box('#paths-stage-0'), await box('#paths-player'), await box('#paths-paint')];
  assert.deepEqual([ground.left, ground.width], [0, 360]);
  assert.ok(ground.height >= 340 && ground.bottom <= player.top, JSON.stringify({ ground, player }));
  assert.ok(player.height <= 90 && paint.height <= 110, JSON.stringify({ player, paint }));
  assert.deepEqual(problems, []);
});

test('distances and the flow field are those of the engine', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { fragment: '#map=map:sea-8&a=astar&w=never&s=26&g=23' });
  const [asked] = await Promise.all([page.waitForResponse((response) => response.url().endsWith('/api/path') && response.request().postDataJSON().distances), page.check('#paths-show-distances')]);
  const matrix = await asked.json();
  assert.equal(matrix[3][2], 0);
  assert.equal(matrix[2][7], 10);
  const [flow] = await Promise.all([page.waitForResponse((response) => response.url().endsWith('/api/path') && response.request().postDataJSON().directions), page.check('#paths-show-flow')]);
  assert.deepEqual((await flow.json()).directions[2][6], [0, 1]);
  await page.waitForSelector('.sign-flow');
  const legend = await page.innerText('.legend');
  assert.match(legend, /distance from the start, 0 to \d+/);
  const colours = await page.evaluate(async () => { const { palette } = await import('/places/paths/theme.js'); return [palette().far, palette().closed, palette().path2]; });
  assert.equal(new Set(colours).size, 3, 'distances have a colour of their own');
  assert.deepEqual(problems, []);
});

test('the tour: five steps with a sentence each; leaving it keeps the map', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url);
  const told = [];
  for (let step = 1; step <= 5; step += 1) {
    await page.click(step === 1 ? '#paths-tour-1' : '#paths-tour-next');
    await settled(page);
    const { entries } = await shown(page);
    told.push({ text: await page.textContent('#paths-tour-text'), expanded: entries.map(({ answer }) => answer.expanded), cost: entries.map(({ answer }) => answer.cost) });
  }
  assert.equal(new Set(told.map(({ text }) => text)).size, 5);
  assert.ok(told[1].expanded[0] < told[0].expanded[0] / 3, 'stopping early is less');
  assert.ok(told[2].cost[1] < told[2].cost[0], 'Dijkstra is cheaper than fewest steps');
  assert.ok(told[3].expanded[1] < told[3].expanded[0] && told[3].cost[1] > told[3].cost[0], 'greedy is quicker and longer');
  assert.ok(told[4].cost[2] === told[4].cost[0] && told[4].expanded[2] < told[4].expanded[0], 'A* is as short, with less');
  const { map } = await shown(page);
  await page.click('#paths-tour-leave');
  assert.deepEqual((await shown(page)).map, map);
  assert.deepEqual(problems, []);
});

test('a graph: drawn, searched, its ends moved, one-way edges', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url);
  await page.selectOption('#paths-builtin', 'passages');
  await settled(page);
  let now = await shown(page);
  assert.deepEqual(now.entries.map(({ answer }) => countsOf(answer)), (await commanded(page, now)).map(countsOf));
  assert.deepEqual(now.entries[2].answer.path, ['Study', 'Hall', 'Kitchen', 'Garden']);
  const at = await page.evaluate(async () => {
    const { scene, view, state } = (await import('/places/paths/place.js')).inspect();
    const box = document.getElementById('paths-stage-0').getBoundingClientRect();
    return [state.map.names.indexOf('Garden'), state.map.names.indexOf('Cellar')].map((node) => { const [x, y] = scene.centre(node); return { x: box.left + view.x + x * view.scale, y: box.top + view.y + y * view.scale }; });
  });
  await page.mouse.move(at[0].x, at[0].y);
  await page.mouse.down();
  await page.mouse.move(at[1].x, at[1].y, { steps: 8 });
  await page.mouse.up();
  await settled(page);
  now = await shown(page);
  assert.equal(now.entries[2].answer.path.at(-1), 'Cellar');
  await page.check('#paths-directed');
  await settled(page);
  assert.equal((await shown(page)).entries[0].answer.status, 'unreachable', 'nothing leads out of the study but the tower');
  await page.click('#paths-files');
  await page.selectOption('#paths-format', 'graph');
  await page.fill('#paths-paste', 'a b 1\nb c 1\na c 5\n');
  await page.click('#paths-read');
  await settled(page);
  now = await shown(page);
  assert.deepEqual([now.map.placed, now.entries[1].answer.path], [false, ['a', 'b', 'c']]);
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
  await page.evaluate(async () => { const { moveStart, moveGoal, paint, note } = await import('/places/paths/state.js'); note(); moveStart(402); moveGoal(0, 406); paint([3000, 3001, 3002, 60000], 7); });
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

test('everything can be exported', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url);
  await page.click('#paths-export');
  const dir = await folder();
  const take = async (name) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#paths-export-${name}`)]);
    const file = path.join(dir, download.suggestedFilename());
    await download.saveAs(file);
    return readFile(file);
  };
  const { entries } = await shown(page);
  const rows = (await take('csv')).toString().trim().split('\r\n').map((line) => line.split(','));
  assert.deepEqual(rows[0].slice(0, 5), ['algorithm', 'heuristic', 'weight', 'status', 'cost']);
  assert.deepEqual(rows.slice(1).map((row) => Number(row[rows[0].indexOf('expanded')])), entries.map(({ answer }) => answer.expanded));
  const json = JSON.parse((await take('json')).toString());
  assert.deepEqual(json.runs.map(({ answer }) => answer.generated), entries.map(({ answer }) => answer.generated));
  const svg = (await take('svg')).toString();
  assert.match(svg, /^<svg[^>]+viewBox="0 0 640 300"/);
  assert.match(svg, /<polyline/);
  assert.equal((await take('png')).subarray(1, 4).toString(), 'PNG');
  const map = (await take('map')).toString();
  assert.match(map, /S.*G/s);
  const posthoc = JSON.parse((await take('posthoc')).toString());
  assert.equal(posthoc.version, '1.4.0');
  assert.equal(posthoc.events.filter(({ type }) => type === 'expanding').length, entries[0].answer.expanded);
  const command = (await page.textContent('#paths-command')).replace('map.txt', path.join(dir, 'map.txt')).replaceAll("'", '').split(' ').slice(1);
  assert.deepEqual(countsOf(await pintu(...command)), countsOf(entries[0].answer), 'the command line that is shown asks the same');
  assert.deepEqual(problems, []);
});

test('with the keyboard alone: cursor, brushes, ends, play; each place is said', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { fragment: '#map=open:9x21&a=astar&w=never&s=84&g=104' });
  const said = () => page.textContent('#live');
  for (let i = 0; i < 60 && !(await page.evaluate(() => document.activeElement?.id === 'paths-stage-0')); i += 1) await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'paths-stage-0', 'the map can be reached by Tab');
  await page.keyboard.press('ArrowRight');
  assert.match(await said(), /^row 4, column 1, cost 1, on the path/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('w');
  assert.match(await said(), /Brush: wall/);
  await page.keyboard.press('Enter');
  await settled(page);
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

test('with reduced motion, nothing plays by itself', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { options: { ...DESKTOP, reducedMotion: 'reduce' } });
  await page.click('#paths-player-first');
  await page.click('#paths-run');
  await settled(page);
  const now = await shown(page);
  assert.deepEqual([now.playing, now.at], [false, now.length]);
  assert.deepEqual(problems, []);
});

test('the server goes away in the middle: the map stays, and the searches go on when it returns', async () => {
  const { page } = await openPaths(held.browser, held.server.url);
  await held.server.kill();
  const { release } = await drag(page, [1, 24], [1, 30]);
  await release();
  await page.waitForFunction(() => /does not answer/.test(document.getElementById('toasts').textContent));
  assert.equal((await shown(page)).map.cells[32 + 27], 0, 'it is painted on all the same');
  await page.click('#paths-player-first');
  await page.click('#paths-player-forward');
  await held.server.start();
  await page.getByRole('button', { name: 'Try again' }).click();
  await settled(page);
  const now = await shown(page);
  assert.deepEqual(now.entries.map(({ answer }) => countsOf(answer)), (await commanded(page, now)).map(countsOf));
});

test('a late answer belongs to the map it was asked for', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { fragment: '#map=open:9x21&a=astar&w=never&s=84&g=104' });
  const late = [];
  await page.route('**/api/path', (route) => { if (late.length) void route.continue(); else late.push(route); });
  await page.selectOption('#paths-builtin', 'city');
  await until(() => late.length === 1, 'a question is on its way');
  await page.selectOption('#paths-builtin', 'sea-8');
  await late[0].continue().catch(() => {});
  await settled(page);
  const now = await shown(page);
  assert.equal(now.entries[0].answer.cost, 10);
  assert.deepEqual(problems, []);
});
