// The searches of Paths in a real browser: run, compared, stepped through, explained and exported; and every count as the command line has it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { DESKTOP, noticed, pintu, pressNotice, stage, until } from './harness.mjs';
import { commanded, countsOf, drag, folder, meet, openPaths, settled, shown } from './paths-steps.mjs';

const held = stage();

test('every count is the command line’s, for every built-in map and every algorithm', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url);
  const names = await page.$$eval('#paths-builtin option', (options) => options.map(({ value }) => value).filter(Boolean));
  assert.equal(names.length, 10);
  for (const name of names) {
    await page.selectOption('#paths-builtin', name);
    for (const some of [['auto', 'bfs', 'bidirectional', 'dijkstra'], ['greedy', 'astar', 'wastar', 'jps']]) {
      await page.evaluate(async (runs) => { const { setRuns, runOf } = await packed('places/paths/state.js'); setRuns(runs.map((run) => runOf(run))); }, some);
      await settled(page);
      const now = await shown(page);
      const all = now.runs.map((run, i) => ({ run, ...now.entries[i] }));
      const answered = all.filter(({ error }) => !error);
      const expected = await commanded(page, { ...now, runs: answered.map(({ run }) => run) });
      for (const [i, { run, answer, expanded }] of answered.entries()) {
        assert.deepEqual(countsOf(answer), countsOf(expected[i]), `${name} ${run.algorithm}`);
        // At its end, the recording has made as many expansions as the answer says.
        assert.equal(expanded, expected[i].expanded, `${name} ${run.algorithm} recorded`);
      }
      for (const { run, error } of all.filter((one) => one.error)) {
        assert.equal(run.algorithm, 'jps', `${name}: ${error.message}`);
        await assert.rejects(commanded(page, { ...now, runs: [run] }), 'the command line refuses it, too');
      }
    }
  }
  assert.deepEqual(problems, [], 'what cannot be asked is not asked');
});

test('four searches in step: results at once, steps on and back, scrubbing, jumps, and a run', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url);
  assert.equal(await page.locator('.pane').count(), 4);
  let now = await shown(page);
  assert.equal(now.at, now.length, 'the whole search is shown first');
  await page.click('#paths-player-first');
  assert.deepEqual((await shown(page)).entries.map(({ expanded }) => expanded), [0, 0, 0, 0]);
  assert.match(await page.textContent('.pane .run-figures'), /^cost –\s*expanded 0/, 'the figures go with the player');
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
  // It may be over before anybody can ask.
  const playing = page.waitForFunction(() => document.querySelector('#paths-player-play use').getAttribute('href') === '#i-pause');
  await page.click('#paths-run');
  await playing;
  await meet(page, ({ player }) => !player.playing && player.k === player.length);
  // Who stays keeps the colour and the shape.
  const marks = () => page.$$eval('.pane, .run-row', (nodes) => nodes.map((node) => /run-(\d)/.exec(node.className)[1]).join(''));
  await page.click('#paths-drop-1');
  assert.equal(await marks(), '134134');
  await page.click('#paths-add');
  assert.equal(await marks(), '13421342');
  await settled(page);
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
  // There is a map on which it really costs something.
  await page.selectOption('#paths-builtin', 'fence');
  await settled(page);
  await pressNotice(page);
  await settled(page);
  assert.match(await page.textContent('.pane:nth-child(2) .run-figures'), /Manhattan overestimates diagonal steps: 2\.59 more than the cheapest\./);
  assert.equal(await page.textContent('.pane:nth-child(2) .badge'), '+8.5%');
  assert.match(await page.textContent('.pane:first-child .badge'), /^optimal$/);
  assert.deepEqual(problems, []);
});

test('what is done with lets the ground be seen, and words lie above the path', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { fragment: '#map=map:meadow&a=dijkstra&w=no-corners&s=226&g=252' });
  /** What is seen at a cell, of all sheets together. */
  const seen = (row, col) => page.evaluate(async ([r, c]) => {
    const { pane, view } = (await packed('places/paths/place.js')).inspect();
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
  /** How many pixels of the topmost sheet are ink, around the middle of some places of the path. */
  const inkAround = (...steps) => page.evaluate(async (numbers) => {
    const { pane, scene, view, entries } = (await packed('places/paths/place.js')).inspect();
    pane.flush();
    const places = numbers.map((number) => scene.centre(entries[0].path[number]));
    const middle = [0, 1].map((axis) => places.reduce((sum, at) => sum + at[axis], 0) / places.length);
    const density = pane.sheets[0].width / pane.size.width;
    const [x, y] = [view.x + middle[0] * view.scale, view.y + middle[1] * view.scale].map((value) => Math.round(value * density));
    const read = new OffscreenCanvas(16, 16).getContext('2d', { willReadFrequently: true });
    read.drawImage(pane.sheets[2], 8 - x, 8 - y);
    const { data } = read.getImageData(0, 0, 16, 16);
    const { rgb, palette } = await packed('places/paths/theme.js');
    const [red, green, blue] = rgb(palette().ink);
    let ink = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200 && Math.abs(data[i] - red) + Math.abs(data[i + 1] - green) + Math.abs(data[i + 2] - blue) < 60) ink += 1;
    return ink;
  }, steps);
  assert.ok(await inkAround(0, 1) > 5, 'the cost of an edge is written above the path');
  await page.setViewportSize({ width: 1440, height: 900 });
  await meet(page, ({ view }) => view.scale > 40);
  for (const step of [0, 1]) assert.ok(await inkAround(step) > 5, `a node’s figures are written above the path and its ends: ${step}`);
  await page.evaluate(() => { location.hash = '#map=open:3x4&a=dijkstra&w=never&s=0&g=3'; });
  await meet(page, ({ state }) => state.map.kind === 'cells' && state.map.cols === 4);
  await settled(page);
  for (const step of [0, 1, 3]) assert.ok(await inkAround(step) > 5, `figures are written above the path and its ends: ${step}`);
  assert.deepEqual(problems, []);
});

test('distances and the flow field are those of the engine', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { fragment: '#map=map:sea-8&a=astar&w=never&s=26&g=23' });
  const [asked] = await Promise.all([page.waitForResponse((response) => response.url().endsWith('/api/path') && response.request().postDataJSON().distances), page.check('#paths-show-distances')]);
  const code = () => page.textContent('#paths-code');
  assert.match(await code(), /successors\(n\) \(↑←→↓\)/, 'four ways');
  const matrix = await asked.json();
  assert.equal(matrix[3][2], 0);
  assert.equal(matrix[2][7], 10);
  const [flow] = await Promise.all([page.waitForResponse((response) => response.url().endsWith('/api/path') && response.request().postDataJSON().directions), page.check('#paths-show-flow')]);
  assert.deepEqual((await flow.json()).directions[2][6], [0, 1]);
  await page.waitForSelector('.sign-flow');
  const legend = await page.innerText('.legend');
  assert.match(legend, /distance from the start, 0 to \d+/);
  const colours = await page.evaluate(async () => { const { palette } = await packed('places/paths/theme.js'); return [palette().far, palette().closed, palette().path2]; });
  assert.equal(new Set(colours).size, 3, 'distances have a colour of their own');
  await page.evaluate(async () => (await packed('places/paths/state.js')).setDiagonal('always'));
  await until(async () => /successors\(n\) \(↑←→↓ ↖↗↙↘\)/.test(await code()), 'eight ways');
  assert.deepEqual(problems, []);
});

test('the tour: five steps with a sentence each; leaving it keeps the map', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url);
  const told = [];
  /** What is told at a share of the way, and the colour of the ground in the corner that the search comes to last. */
  const at = (share) => page.evaluate(async (part) => {
    const { player, pane, scene, view, entries: [{ search }] } = (await packed('places/paths/place.js')).inspect();
    player.pause();
    player.seek(Math.floor(player.length * part));
    pane.flush();
    const [x, y] = scene.centre(14 * 32 + 30);
    const [sheet] = pane.sheets;
    const { a } = sheet.getContext('2d').getTransform();
    const pixel = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
    pixel.drawImage(sheet, -Math.round((view.x + x * view.scale) * a), -Math.round((view.y + y * view.scale) * a));
    const ground = [...pixel.getImageData(0, 0, 1, 1).data].join();
    return { ground, expanded: search.cursor.expanded };
  }, share);
  for (let step = 1; step <= 5; step += 1) {
    await page.focus(step === 1 ? '#paths-tour-1' : '#paths-tour-next');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.id), step === 1 ? 'paths-tour-1' : step === 5 ? 'paths-tour-leave' : 'paths-tour-next', 'the focus goes on');
    await settled(page);
    if (step === 1) {
      await until(() => page.evaluate(async () => (await packed('places/paths/panes.js')).overlaid() !== null), 'distances are there');
      const written = (pattern) => until(async () => pattern.test(`${await page.textContent('.run-verdict')}|${await page.textContent('.run-figures')}`), String(pattern));
      const half = await at(0.5);
      await written(new RegExp(`^\\|cost –\\s*expanded ${half.expanded}\\s*generated`));
      const end = await at(1);
      await written(new RegExp(`^optimal\\|cost \\d+\\s*expanded ${end.expanded}\\s*generated`));
      assert.notEqual(half.ground, end.ground, 'no distance is seen before the search has come there');
    }
    const { entries } = await shown(page);
    told.push({ text: await page.textContent('#paths-tour-text'), expanded: entries.map(({ answer }) => answer.expanded), cost: entries.map(({ answer }) => answer.cost) });
  }
  assert.equal(new Set(told.map(({ text }) => text)).size, 5);
  assert.ok(told[1].expanded[0] < told[0].expanded[0] / 3, 'stopping early is less');
  assert.ok(told[2].cost[1] < told[2].cost[0], 'Dijkstra is cheaper than fewest steps');
  assert.ok(told[3].expanded[1] < told[3].expanded[0] && told[3].cost[1] > told[3].cost[0], 'greedy is quicker and longer');
  assert.ok(told[4].cost[2] === told[4].cost[0] && told[4].expanded[2] < told[4].expanded[0], 'A* is as short, with less');
  const { map } = await shown(page);
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'paths-tour-1');
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
    const { scene, view, state } = (await packed('places/paths/place.js')).inspect();
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
  assert.match(await page.textContent('#paths-cut-off'), /untick “Edges lead one way”/);
  await readGraph(page, 'a b 1\nb c 1\na c 5\n');
  now = await shown(page);
  assert.deepEqual([now.map.placed, now.entries[1].answer.path], [false, ['a', 'b', 'c']]);
  assert.deepEqual(problems, []);
});

test('a graph that does not say where its nodes lie is searched without an estimate, and the page says so', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url);
  await readGraph(page, 'a b 1\nb c 1\na c 5\n');
  await page.selectOption('#paths-alg-0', 'wastar');
  await page.selectOption('#paths-alg-1', 'greedy');
  await settled(page);
  const { entries } = await shown(page);
  assert.deepEqual(entries.slice(0, 2).map(({ answer }) => answer.heuristic), ['none', 'none']);
  for (const n of [0, 1]) assert.equal(await page.textContent(`#paths-heu-${n} option:checked`), 'default: none');
  const said = await page.locator('.run-figures').allTextContents();
  assert.doesNotMatch(said[0], /overestimates/);
  assert.match(said[1], /Has no heuristic/);
  assert.deepEqual(problems, []);
});

test('a graph has nodes, not cells, and a map that follows it is painted with the brush from before', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url);
  const pressed = () => page.getAttribute('.brush[aria-pressed=true]', 'id');
  const search = () => page.locator('label:has(#paths-show-search)').textContent();
  await page.click('#paths-brush-3');
  assert.equal(await search(), 'open and closed cells');
  await readGraph(page, 'a b 1\n');
  assert.deepEqual([await pressed(), await search()], ['paths-brush-goal', 'open and closed nodes']);
  assert.match(await page.textContent('#paths-map'), /2 nodes, 1 edge(?!s)/);
  await page.click('#paths-undo');
  assert.equal(await pressed(), 'paths-brush-3', 'undone');
  await page.click('#paths-redo');
  assert.equal(await pressed(), 'paths-brush-goal', 'done again');
  await page.selectOption('#paths-builtin', 'trap');
  await settled(page);
  assert.equal(await pressed(), 'paths-brush-3');
  assert.deepEqual(problems, []);
});

test('the legend draws the path as the map in front does', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url);
  const colour = (selector) => page.evaluate((one) => getComputedStyle(document.querySelector(one)).backgroundColor, selector);
  const { runs } = await shown(page);
  for (const [n, { mark }] of runs.entries()) {
    await page.click(`#paths-stage-${n}`, { position: { x: 4, y: 4 } });
    await until(async () => (await colour('.legend .sign-path')) === (await colour(`.run-row.run-${mark} .run-mark`)), `the path of contestant ${n + 1}`);
  }
  assert.deepEqual(problems, []);
});

/** Opens a graph that is pasted as text. */
async function readGraph(page, text) {
  await page.click('#paths-files');
  await page.selectOption('#paths-format', 'graph');
  await page.fill('#paths-paste', text);
  await page.click('#paths-read');
  await settled(page);
}

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
  // A drawing has the name, the figures, the legend and the link of what is drawn; the card has all maps.
  for (const [name, maps] of [['svg', 1], ['cardSvg', entries.length]]) {
    const svg = (await take(name)).toString();
    assert.match(svg, /<path [^>]*stroke="#c8402a"/, name);
    assert.equal(svg.match(/<svg x=/g).length, maps, name);
    assert.doesNotMatch(svg, /127\.0\.0\.1/, 'an address that means something here alone is not printed');
    for (const word of [`expanded ${entries[0].answer.expanded}`, 'current node', '/paths#map=']) assert.ok(svg.includes(word), `${name}: ${word}`);
  }
  for (const name of ['png', 'cardPng']) {
    const picture = await take(name);
    assert.deepEqual([picture.subarray(1, 4).toString(), Math.max(picture.readUInt32BE(16), picture.readUInt32BE(20))], ['PNG', 2400], name);
  }
  const map = (await take('map')).toString();
  assert.match(map, /S.*G/s);
  const posthoc = JSON.parse((await take('posthoc')).toString());
  assert.equal(posthoc.version, '1.4.0');
  assert.equal(posthoc.events.filter(({ type }) => type === 'expanding').length, entries[0].answer.expanded);
  const command = (await page.textContent('#paths-command')).replace('map.txt', path.join(dir, 'map.txt')).replaceAll("'", '').split(' ').slice(1);
  assert.deepEqual(countsOf(await pintu(...command)), countsOf(entries[0].answer), 'the command line that is shown asks the same');
  // Without a start there are no figures and no search, and it is said why.
  await page.keyboard.press('Escape');
  await page.evaluate(() => { location.hash = '#map=open:4x6&a=astar&w=never&s=99&g=5'; });
  await meet(page, ({ state }) => state.map.start === -1);
  await settled(page);
  await page.click('#paths-export');
  assert.deepEqual(await page.$$eval('dialog .exports button:disabled', (nodes) => nodes.map(({ id }) => id)), ['paths-export-csv', 'paths-export-posthoc']);
  assert.match(await page.textContent('#paths-export-lacks'), /There is no start/);
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
  assert.equal((await shown(page)).length, 0, 'there is nothing to play');
  assert.equal(await page.isDisabled('#paths-player-forward'), true);
  await held.server.start();
  await page.click('#paths-run');
  await settled(page);
  assert.equal(await page.locator('.toast').count(), 0, 'nobody says any more that it does not answer');
  assert.ok((await shown(page)).length > 0);
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

test('a weight that is none is not taken in silence, in the field or in a link', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { fragment: '#map=map:meadow&a=wastar-octile-2_5&w=no-corners' });
  await page.fill('#paths-weight-0', '0');
  await page.press('#paths-weight-0', 'Enter');
  await noticed(page, /a number from 1 to 1,000\. It stays at 2\.5/);
  assert.equal(await page.inputValue('#paths-weight-0'), '2.5');
  assert.equal((await shown(page)).runs[0].weight, '2.5');
  await page.fill('#paths-weight-0', '1.25');
  await page.press('#paths-weight-0', 'Enter');
  await meet(page, ({ entries }) => entries[0].answer?.weight === 1.25);
  for (const [run, why] of [['wastar--0', /found the weight “0”, expected a number from 1 to 1,000/], ['astra', /found “astra”, expected one of auto bfs/]]) {
    await page.evaluate((a) => { location.hash = `#map=map:trap&a=${a}&w=no-corners`; }, run);
    await noticed(page, why);
  }
  assert.equal((await shown(page)).map.origin, 'map:meadow', 'the map stays');
  assert.deepEqual(problems, []);
});
