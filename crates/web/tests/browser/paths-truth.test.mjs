// What Paths says is true of the map that is on the page, and what it reads is read as the command line reads it.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { COMMAND, stage, standIn, until, visit } from './harness.mjs';
import { folder, meet, openPaths, place, settled, shown } from './paths-steps.mjs';

const held = stage();
const run = promisify(execFile);

/** What is wrong with a text: a key of the dictionary, or null. */
async function complaint(text, options) {
  const [{ read }, { MapError }] = await Promise.all([place('formats'), place('map')]);
  try { read(text, options); return null; } catch (error) { assert.ok(error instanceof MapError, String(error)); return error.key; }
}

/** Whether the command line reads a file. */
async function isRead(name, text, ...ends) {
  const file = path.join(await folder(), name);
  await writeFile(file, text);
  return run(COMMAND, ['path', file, ...ends, '--algorithm', 'dijkstra']).then(() => true, ({ code }) => code !== 2);
}

test('a file is read, or refused, as the command line does it', async () => {
  for (const [text, key] of [['S.G\r...\r', 'paths.bad.return'], ['S\r.G\n', 'paths.bad.return'], ['S.G\r\n...\r\n', null], ['S.G \n...\n', null]]) {
    assert.equal(await complaint(text), key, JSON.stringify(text));
    assert.equal(await isRead('map.txt', text), key === null, JSON.stringify(text));
  }
  const graphs = {
    'a b 5.\n': null, 'a b 1.0000000\n': null, 'a b 5 \r\n': null, 'a b 9007199254740992\n': null, 'a b 99999999999999.9\n': null, '@ a +1 .5\n@ b 1. 1e3\na b 1\n': null, '@ a 0 0\n@ a 0 0\na b 1\n': null,
    'a b .5\n': 'paths.bad.cost', 'a b -1\n': 'paths.bad.cost', 'a b 1e3\n': 'paths.bad.cost', 'a b 0.00000001\n': 'paths.bad.cost', 'a b 99999999999999999999\n': 'paths.bad.dear', 'a b 9007199254740993\n': 'paths.bad.dear', 'a b 1000000000\nb c 0.000001\n': 'paths.bad.dear',
    '@ a 0x10 0\na b 1\n': 'paths.bad.coordinate', '@ a Infinity 0\na b 1\n': 'paths.bad.coordinate', '@ a 1e400 0\na b 1\n': 'paths.bad.coordinate', '@ a 0 0\n@ a 1 1\na b 1\n': 'paths.bad.twoPlaces',
  };
  for (const [text, key] of Object.entries(graphs)) {
    assert.equal(await complaint(text, { format: 'graph' }), key, text);
    assert.equal(await isRead('map.graph', text, '--from', 'a', '--to', 'b'), key === null, text);
  }
  const [en, zh] = await Promise.all(['en', 'zh'].map(async (name) => (await place(name)).default));
  for (const key of new Set(Object.values(graphs).filter(Boolean))) assert.ok(en[key] && zh[key], `${key} is worded in both languages`);
});

test('all goals of a file are searched for, or the file is refused', async () => {
  const { read } = await place('formats');
  const far = `${'G'.padEnd(41, '.')}\n`.repeat(20);
  assert.equal(read(`${far}${'.'.repeat(37)}S..G\n`).goals.length, 21);
  assert.equal(await complaint(`S${'G'.repeat(300)}\n`), 'paths.bad.goals');
});

test('it is told which ends a file cannot hold', async () => {
  const { read, lostIn, fileText } = await place('formats');
  const map = { ...read('S..\n.9.\n..G\n'), goals: [4, 8] };
  assert.deepEqual(lostIn(map, 'terrain'), { start: false, goals: 1 });
  assert.equal(fileText(map, 'terrain'), 'S..\n.9.\n..G\n');
  assert.deepEqual(lostIn(read('S..\n..G\n'), 'terrain'), { start: false, goals: 0 });
  assert.deepEqual(lostIn(read('S..\n..G\n'), 'octile'), { start: true, goals: 1 });
});

test('what changes nothing leaves what can be done again', async () => {
  const { state, replaceMap, note, settleNote, paint, undo, canRedo, redo, canUndo } = await place('state');
  const { read } = await place('formats');
  replaceMap(read('S.#\n..G\n'));
  note();
  paint([1], 0);
  settleNote();
  undo();
  note();
  paint([2], 0);
  settleNote();
  assert.equal(canRedo(), true, 'the cell was a wall before');
  redo();
  assert.equal(state.map.cells[1], 0);
  undo();
  note();
  paint([3], 0);
  settleNote();
  assert.deepEqual([canRedo(), canUndo()], [false, true], 'another change takes its place');
});

test('a name in a link is a name, whatever objects have under it', async () => {
  const { regenerate } = await place('generate');
  for (const origin of ['constructor:5x5:1', '__proto__:5x5:1', 'maze:9x9', 'maze:9x9:NaN', 'random:9x9:1:x']) assert.equal(regenerate(origin), null, origin);
  assert.ok(regenerate('maze:9x9:1'));
});

test('a command that is shown hands on what a graph’s nodes are called, and runs nothing of it', async () => {
  const [{ state, replaceMap }, { commandOf }, { read }] = await Promise.all([place('state'), place('ask'), place('formats')]);
  const dir = await folder();
  await writeFile(path.join(dir, 'pintu'), '#!/bin/sh\nfor word; do printf "%s\\n" "$word"; done\n');
  await chmod(path.join(dir, 'pintu'), 0o755);
  const names = ['$(touch${IFS}mark)', '`touch${IFS}mark`', "it's", '"&|<>*?~!\\', '-x', '--help', "';touch${IFS}mark;'", '拼图', 'a#', 'a=b'];
  for (const from of names) {
    for (const to of names.filter((name) => name !== from)) {
      const map = read(`${from} ${to} 1\n`, { format: 'graph' });
      replaceMap(map);
      const command = commandOf({ algorithm: 'astar', heuristic: 'euclidean', weight: '' }, 'map.graph');
      const { stdout } = await run('sh', ['-c', command], { cwd: dir, env: { ...process.env, PATH: `${dir}:${process.env.PATH}` } });
      assert.deepEqual(stdout.trimEnd().split('\n'), ['path', 'map.graph', '--map-format', 'graph', `--from=${from}`, `--to=${to}`, '--algorithm', 'astar', '--heuristic', 'euclidean', '--inadmissible', '--format', 'json']);
    }
  }
  await assert.rejects(readFile(path.join(dir, 'mark')), 'nothing was run');
  replaceMap({ ...state.map, names: ['a\u000fb', 'c'] });
  assert.equal(commandOf({ algorithm: 'astar', heuristic: '', weight: '' }, 'map.graph'), null, 'a key of the terminal is in it');
});

/** Puts a map of a text in place, without files. */
const put = (page, text, runs, format) => page.evaluate(async ([map, names, kind]) => {
  const [{ read }, { replaceMap, runOf }] = await Promise.all([packed('places/paths/formats.js'), packed('places/paths/state.js')]);
  replaceMap(read(map, kind ? { format: kind } : {}), { diagonal: 'never', runs: names.map((one) => runOf(...one)) });
}, [text, runs, format]);
const figures = (page) => page.$$eval('.pane', (panes) => panes.map((pane) => ['.run-figures', '.run-verdict'].map((part) => pane.querySelector(part).textContent).join(' ')));
const exported = async (page, name) => {
  await page.evaluate(async () => (await packed('places/paths/exports.js')).openExport());
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(`#paths-export-${name}`)]);
  await page.keyboard.press('Escape');
  return readFile(await download.path(), 'utf8');
};

/** What cannot be exported now. */
const unexportable = async (page) => {
  await page.click('#paths-export');
  const names = await page.$$eval('dialog .exports button:disabled', (nodes) => nodes.map(({ id }) => id.replace('paths-export-', '')));
  assert.match(await page.textContent('#paths-export-lacks'), /no answer to export yet/);
  await page.keyboard.press('Escape');
  return names;
};

test('an answer belongs to what was asked: until there is another, it is faded, and never exported', async () => {
  const { page } = await openPaths(held.browser, held.server.url);
  await put(page, 'S....\n.....\n....G\n', [['astar']]);
  await settled(page);
  assert.match((await figures(page))[0], /cost 6.*optimal/);
  // A server that is busy: it keeps every question.
  const waiting = [];
  await page.route('**/api/path', (route) => { waiting.push(route); });
  await put(page, 'S#...\n##...\n....G\n', [['astar']]);
  await until(async () => /cost –.*Searching/.test((await figures(page))[0]), 'the other map is being asked about');
  assert.deepEqual(await unexportable(page), ['csv', 'posthoc']);
  await page.unroute('**/api/path');
  await Promise.all(waiting.map((route) => route.continue().catch(() => {})));
  await settled(page);
  assert.match((await figures(page))[0], /No path/);
  assert.match(await page.textContent('#paths-cut-off'), /cut off from the start\. Erase a wall/);
  // A server that is gone.
  await put(page, 'S....\n.....\n....G\n', [['astar']]);
  await settled(page);
  await held.server.kill();
  await page.evaluate(async () => { const { note, paint } = await packed('places/paths/state.js'); note(); paint([1, 5], 0); });
  await until(async () => /cost –.*No answer yet/.test((await figures(page))[0]), 'nobody answers');
  assert.deepEqual(await unexportable(page), ['csv', 'posthoc']);
  assert.equal(JSON.parse(await exported(page, 'json')).runs[0].answer, null);
  const [drawn] = /<svg x=.*?<\/svg>/s.exec(await exported(page, 'svg'));
  assert.doesNotMatch(drawn, /stroke="#c8402a"/, 'no path through walls');
  assert.doesNotMatch(await page.textContent('#paths-summary'), /expanded/);
});

test('figures, drawings and words are those of the search', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url);
  await put(page, 'a b 5\na c 0\nc b 0\n', [['bfs'], ['dijkstra']], 'graph');
  await page.evaluate(async () => (await packed('places/paths/state.js')).moveGoal(0, 1));
  await settled(page);
  assert.match((await figures(page))[0], /\+5(?! ?%)/);
  const said = async (algorithm, at) => {
    await put(page, 'S....\n.....\n....G\n', [algorithm]);
    await settled(page);
    return page.evaluate(async (k) => {
      const [{ inspect }, { placeText }] = await Promise.all([packed('places/paths/place.js'), packed('places/paths/keyboard.js')]);
      inspect().player.seek(k);
      return placeText(1, inspect().entries[0]);
    }, at);
  };
  // In Chinese, a cell that is named and a sentence that follows stand without a gap.
  await page.evaluate(async () => (await packed('js/i18n.js')).setLanguage('zh'));
  await put(page, 'S#.\n##G\n', [['astar']]);
  await settled(page);
  assert.match(await page.textContent('#paths-said'), /^第 1 次扩展：第 1 行第 1 列，f = 0 \+ 3，是 open 表里 f 最小的。它不生成后继。搜索结束：无路可走。$/);
  assert.match(await page.textContent('#paths-summary'), /起点在第 1 行第 1 列，1 个目标在第 2 行第 3 列。A\*：扩展 1。无路可走。$/);
  await page.evaluate(async () => (await packed('js/i18n.js')).setLanguage('en'));
  assert.match(await said(['bfs'], 3), /, depth 1$/, 'it counts steps');
  assert.match(await said(['dijkstra'], 3), /, g 1$/);
  assert.match(await said(['greedy', 'manhattan'], 3), /, g 1, h 5$/);
  assert.match(await said(['wastar', 'manhattan', '5'], 3), /, g 1, h 5, f 26$/);
  const svg = () => page.evaluate(async () => (await packed('places/paths/exports.js')).svgText());
  assert.match(await svg(), />26<\/text><text[^>]*>1\+5×5<\/text>/, 'what stands on the cells stands in the drawing');
  await page.evaluate(async () => (await packed('places/paths/state.js')).setShow({ figures: false, distances: true, flow: true }));
  await until(async () => /font:[\d.]+px[^>]*>6<\/text>/.test(await svg()), 'so do the distances');
  // IDA* leaves and forgets: crosses of two strokes, and small rings.
  await said(['ida', 'manhattan'], 1e6);
  await put(page, 'S.#..\n.##..\n....G\n', [['ida', 'none']]);
  await settled(page);
  const drawing = await page.evaluate(async () => {
    const [{ inspect }, { svgText }] = await Promise.all([packed('places/paths/place.js'), packed('places/paths/exports.js')]);
    const { player, entries: [{ search: { rec, cursor } }] } = inspect();
    const counts = { 4: 0, 5: 0 };
    for (let k = rec.length; k > 0 && !(counts[4] && counts[5]); k -= 1) {
      player.seek(k);
      // A cell shows the last of the nodes that it stands for.
      const last = [...new Map(Array.from(rec.states, (cell, node) => [cell, cursor.status(node)])).values()];
      [counts[4], counts[5]] = [4, 5].map((status) => last.filter((one) => one === status).length);
    }
    return { counts, text: svgText() };
  });
  assert.ok(drawing.counts[4] && drawing.counts[5], JSON.stringify(drawing.counts));
  assert.equal(drawing.text.match(/d="M[\d.]+ [\d.]+L[\d.]+ [\d.]+M[\d.]+ [\d.]+L[\d.]+ [\d.]+" fill="none"/g)?.length, drawing.counts[4], 'crosses');
  assert.ok((drawing.text.match(/a[\d.]+ [\d.]+ 0 1 0[^"]+" fill="none"/g)?.length ?? 0) >= drawing.counts[5], 'rings');
  assert.deepEqual(problems, []);
});

test('what is read of a search is what it has found so far, and that a limit ended it', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { fragment: '#map=map:meadow&a=astar&w=no-corners' });
  const asText = async () => {
    await page.click('#paths-tool-file');
    const text = await page.innerText('dialog .sheet-body');
    await page.keyboard.press('Escape');
    return text;
  };
  const { cost, expanded } = (await shown(page)).entries[0].answer;
  const end = `A*: cost ${cost.toFixed(2)}, ${expanded} expanded.`;
  assert.ok((await page.textContent('#paths-summary')).endsWith(end));
  assert.match(await asText(), /\n.*\*/, 'the path is drawn');
  await page.fill('#paths-player-nth', '40');
  await page.press('#paths-player-nth', 'Enter');
  assert.match(await page.textContent('#paths-summary'), /A\*: 40 expanded so far\.$/);
  const early = await asText();
  assert.match(early, /A\*: 40 expanded so far\./);
  assert.doesNotMatch(early, /cost|\n.*\*/, 'no path before the search has come to it');
  await page.click('#paths-player-last');
  assert.ok((await page.textContent('#paths-summary')).endsWith(end));
  await standIn(page, '**/api/path', (route) => route.fulfill({ json: { status: 'limit', reason: 'memory', algorithm: 'astar', heuristic: 'octile', expanded: 7, generated: 9, seconds: 1 } }));
  await put(page, 'S....\n.....\n....G\n', [['astar']]);
  await settled(page);
  assert.match(await page.textContent('#paths-summary'), /A\*: 7 expanded\. A limit was reached\.$/);
  assert.match((await figures(page))[0], /A limit was reached.*expanded 7/);
  assert.deepEqual(problems, []);
});

test('it is said truly what was put where, what a file leaves out, and what a link names', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}paths#map=map:constructor`);
  const toasts = () => page.innerText('#toasts');
  await until(async () => /found “constructor”, expected one of meadow/.test(await toasts()), 'the first link');
  await page.evaluate(() => { location.hash = '#map=open:5x5&f=constructor'; });
  await until(async () => /found “constructor”, expected one of terrain sea octile/.test(await toasts()), 'the second link');
  assert.equal(await page.$('#paths .run-name') !== null, true, 'the place is there');
  const open = async (text) => {
    await page.evaluate(async () => (await packed('places/paths/files.js')).openFiles());
    await page.fill('#paths-paste', text);
    await page.click('#paths-read');
    await page.waitForFunction(() => !document.querySelector('dialog'));
    await meet(page, ({ busy }) => !busy);
    return toasts();
  };
  assert.match(await open('S\n'), /no goal \(G\), and no open ground/);
  assert.match(await open('###\n###\n'), /no start \(S\), and no open ground.*no goal \(G\), and no open ground/);
  assert.match(await open('type octile\nheight 2\nwidth 3\nmap\n...\n..@\n'), /so they were put on open ground/);
  await open('type octile\nheight 3\nwidth 4\nmap\n..@T\nSWWT\n....\n');
  const ends = (await shown(page)).map;
  assert.deepEqual([ends.start, ...ends.goals].map((cell) => ends.cells[cell]), [1, 1], 'open ground, and not water');
  const { map } = await shown(page);
  assert.ok(map.start >= 0 && map.goals.length === 1 && map.goals[0] !== map.start, JSON.stringify(map));
  await open('S..\n.9.\n..G\n');
  await page.evaluate(async () => { (await packed('places/paths/state.js')).moveGoal(0, 4); (await packed('places/paths/files.js')).openFiles(); });
  assert.match(await page.innerText('#paths-lost'), /“Terrain[^.]*\. 1–9 S G” leaves out 1 goal\./);
  await page.keyboard.press('Escape');
  assert.deepEqual(JSON.parse(await exported(page, 'json')).to, [[1, 1]]);
  assert.deepEqual(problems, []);
});

/** How many pixels of the searches differ from those of a fresh drawing at the same position, by contestant. */
const falsePixels = (page) => page.evaluate(async () => {
  const { inspect } = await packed('places/paths/place.js');
  const { paneOf } = await packed('places/paths/panes.js');
  const read = (canvas) => {
    const ctx = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
    ctx.drawImage(canvas, 0, 0);
    return ctx.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  return inspect().entries.map((_, i) => {
    const pane = paneOf(i);
    pane.flush();
    const drawn = read(pane.sheets[1]);
    pane.ask('search');
    pane.flush();
    const fresh = read(pane.sheets[1]);
    return fresh.reduce((count, value, at) => count + (at % 4 === 3 && Math.abs(value - drawn[at]) > 8 ? 1 : 0), 0);
  });
});

test('what is drawn while a search plays is what a fresh drawing of the same position shows', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url);
  const speed = (value) => page.selectOption('#paths-player-speed', String(value));
  // Cells large enough for shapes, and cells of a pixel; with a memory, from both ends, and forgetful.
  for (const fragment of ['map=map:trap&a=dijkstra.bidirectional.jps.greedy&w=no-corners', 'map=open:4x6&a=ida-none.astar&w=never&s=0&g=21', 'map=caves:256x256:5&a=astar.bidirectional&w=no-corners']) {
    await page.evaluate((hash) => { location.hash = hash; }, fragment);
    await meet(page, `({ state }) => state.map.origin === '${/map=([^&]+)/.exec(fragment)[1]}'`);
    await settled(page);
    for (const times of fragment.includes('trap') ? [16, 64, 256, 1e9] : [64, 1e9]) {
      await speed(times);
      await page.click('#paths-player-first');
      await page.click('#paths-player-play');
      await meet(page, ({ player }) => !player.playing || player.k > Math.min(80, player.length / 2));
      await page.evaluate(async () => (await packed('places/paths/place.js')).inspect().player.pause());
      assert.deepEqual((await falsePixels(page)).filter(Boolean), [], `${fragment}, half-way at ${times}×`);
    }
    await page.click('#paths-player-play');
    await meet(page, ({ player }) => !player.playing && player.k === player.length);
    assert.deepEqual((await falsePixels(page)).filter(Boolean), [], `${fragment}, at its end`);
    // Several steps within a frame, on and back.
    await page.evaluate(async () => { const { player } = (await packed('places/paths/place.js')).inspect(); for (const by of [-1, -1, -1, 1, -1, -1, 1]) player.step(by); });
    assert.deepEqual((await falsePixels(page)).filter(Boolean), [], `${fragment}, step by step`);
  }
  assert.deepEqual(problems, []);
});
