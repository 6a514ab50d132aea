// The same answers everywhere: what the command line, the server and the engine for browsers, here and in a browser's worker, say of
// the same boards, maps and recordings.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { ENGINE, createEngine } from './engine.mjs';
import { COMMAND, DESKTOP, ROOT, launch, pintu, pintuLines, skip, startServer, visit } from './harness.mjs';
import { hostSite } from './site-steps.mjs';

const held = {};
const options = { skip: !ENGINE };
if (!ENGINE) skip('the same answers everywhere: there is no engine for browsers');

before(async () => {
  if (!ENGINE) return;
  [held.server, held.engine, held.folder] = [await startServer(), await createEngine(), await mkdtemp(path.join(tmpdir(), 'pintu-same-'))];
});
after(async () => {
  await held.server?.clean();
  if (held.folder) await rm(held.folder, { recursive: true, force: true });
});

const post = (what, body) => fetch(`${held.server.url}api/${what}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
/** What must be the same: everything but the time and the bytes, wherever they are told, for addresses are shorter in a browser. */
const essence = (answer) => JSON.parse(JSON.stringify(answer), (key, value) => (['seconds', 'memory'].includes(key) ? undefined : value));
/** Every question with the engine's answer, for a worker in a browser: it is asked all of them. */
const asked = [];
const both = async (what, body) => {
  const [theirs, ours] = [await (await post(what, body)).json(), held.engine.ask(what, body)];
  assert.deepEqual(essence(ours), essence(theirs), `${what} ${JSON.stringify(body).slice(0, 200)}`);
  asked.push([what, body, essence(ours)]);
  return ours;
};

const BOARDS = [
  { text: '0 1 3 4 2 5 7 8 6' }, { text: '8 6 7 2 5 4 3 0 1' }, { text: '1 2 3 4 5 6 8 7 0' }, { text: '8 1 3 4 0 2 7 6 5', goal_text: 'snail' },
  { rows: 2, cols: 5, tiles: [9, 2, 3, 4, 5, 6, 7, 8, 1, 0] }, { rows: 3, cols: 3, tiles: [2, 1, 3, 4, 5, 6, 7, 8, 0], wrap_rows: [0], wrap_cols: [] },
  { rows: 4, cols: 4, tiles: [2, 5, 3, 4, 1, 7, 11, 8, 9, 6, 0, 12, 13, 14, 10, 15] },
];
const CONTESTANTS = ['bfs', 'bidirectional', 'dfs', 'iddfs', 'dijkstra', 'greedy:manhattan', 'astar:manhattan', 'astar:misplaced', 'wastar:manhattan:5', 'ida:manhattan', 'ida:pattern', 'auto'];
const entry = (name) => Object.fromEntries(['algorithm', 'heuristic', 'weight'].map((field, i) => [field, i === 2 ? Number(name.split(':')[2]) : name.split(':')[i]]).filter(([, value]) => value));
/** The command's arguments for a board and a contestant. */
const given = ({ rows, cols, tiles, text, goal_text: goal, wrap_rows: wraps = [] }) => [...(text ? text.split(' ') : tiles.map(String)), ...(tiles ? ['--size', `${rows}x${cols}`] : []), ...(goal ? ['--goal', goal] : []), ...(wraps.length ? ['--wrap-rows', wraps.join(',')] : [])];
const wanted = ({ algorithm, heuristic, weight }) => ['--algorithm', algorithm, ...(heuristic ? ['--heuristic', heuristic] : []), ...(weight ? ['--weight', String(weight)] : [])];

test('boards', options, async () => {
  for (const board of BOARDS) {
    const checked = await both('check', board);
    assert.equal((await pintu('check', ...given(board), '--format', 'json')).status, checked.status);
    await both('examine', board);
    for (const name of CONTESTANTS) {
      // Half of what is to be found, and no more than a browser takes a moment for.
      const limits = { nodes: 50_000, ...(name === 'dfs' ? { max_depth: 20 } : {}) };
      const ours = await both('solve', { ...board, ...entry(name), limits });
      const depth = name === 'dfs' ? ['--max-depth', '20'] : [];
      const said = await pintu('solve', ...given(board), ...wanted(entry(name)), ...depth, '--node-limit', '50000', '--threads', '1', '--format', 'json');
      assert.deepEqual(essence(said), essence(ours), `${name} ${JSON.stringify(board)}`);
    }
  }
});

test('races', options, async () => {
  const contestants = CONTESTANTS.slice(4, 10).map(entry);
  for (const fair of ['expansions', 'time']) await both('race', { ...BOARDS[1], contestants, fair, growth: true });
  const compared = (...args) => pintuLines(['compare', ...args, '--algorithms', CONTESTANTS.slice(4, 10).join(','), '--format', 'json']);
  assert.deepEqual(essence(await compared(...given(BOARDS[1]))), essence(await both('race', { ...BOARDS[1], contestants })));
  const averages = await both('race', { rows: 3, cols: 3, contestants, scrambles: { count: 5, seed: 7 } });
  assert.deepEqual(essence(await compared('--scrambles', '5', '--seed', '7')), essence(averages));
});

const MAPS = [
  { map: '3 5\n10030\n02220\n00004\n', format: 'sea' }, { map: '3 5\n10030\n02220\n00004\n', format: 'sea', diagonal: 'always' },
  { map: 'type octile\nheight 4\nwidth 5\nmap\n.....\n.@@@.\n...@.\n@....\n', format: 'octile', from: [0, 0], to: [[3, 4]] },
  { map: 'a b 2\nb c 3\na c 9\nc d 1\n', format: 'graph', from: 'a', to: ['d'] },
];

test('maps', options, async () => {
  for (const [at, question] of MAPS.entries()) {
    const file = path.join(held.folder, `map-${at}`);
    await writeFile(file, question.map);
    const ends = question.from ? [`--from=${question.from}`, `--to=${question.to[0]}`] : [];
    const rules = [...(question.diagonal ? ['--diagonal', question.diagonal] : []), '--map-format', question.format];
    for (const algorithm of ['auto', 'bfs', 'dijkstra', 'astar', 'bidirectional', 'ida', ...(question.format === 'octile' ? ['jps'] : [])]) {
      const ours = await both('path', { ...question, algorithm });
      assert.deepEqual(essence(await pintu('path', file, ...ends, ...rules, '--algorithm', algorithm, '--format', 'json')), essence(ours), `${algorithm} ${question.map}`);
    }
    const { to: _to, ...from } = question;
    const far = await both('path', { ...from, distances: true });
    assert.deepEqual(await pintu('path', file, ...ends.slice(0, 1), ...rules, '--distances', '--format', 'json'), far);
  }
  // A map is named by its id afterwards, and refusals are the same.
  const [question] = MAPS;
  const { map } = held.engine.call('path', question);
  assert.equal(held.engine.ask('path', { ...question, map: undefined, map_id: map }).cost, held.engine.ask('path', question).cost);
  for (const wrong of [{ ...question, algorithm: 'bsf' }, { map: '1 2\n13\n', format: 'sea', unknown: 1 }, { map: '3', format: 'sea' }, {}]) await both('path', wrong);
  assert.deepEqual(held.engine.ask('path', { map_id: 'none' }), await (await post('path', { map_id: 'none' })).json());
});

/** A recording for Posthoc, of which as much must be the same. */
const posthoc = (text) => essence(JSON.parse(String(text)));

/** A recording's header, and its arrays as bytes, wherever they begin: the header says the memory. */
function partsOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const { arrays, answer, ...header } = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + view.getUint32(4, true))));
  const width = { u8: 1, u32: 4, f32: 4, f64: 8 };
  const parts = Object.entries(arrays).map(([name, { type, offset, length }]) => [name, type, Buffer.from(bytes.subarray(offset, offset + length * width[type])).toString('base64')]);
  return { header, answer: essence(answer), arrays: parts };
}

test('recordings, to the byte', options, async () => {
  for (const what of [{ ...BOARDS[1], algorithm: 'astar' }, { ...BOARDS[0], algorithm: 'ida' }, { ...BOARDS[3], algorithm: 'bidirectional' }, { ...MAPS[1], algorithm: 'astar' }, { ...MAPS[3], algorithm: 'dijkstra' }]) {
    const ours = partsOf(held.engine.call('trace', what).bytes);
    assert.ok(ours.arrays.length > 3);
    assert.deepEqual(ours, partsOf(new Uint8Array(await (await post('trace', what)).arrayBuffer())), JSON.stringify(what));
    const drawn = posthoc(Buffer.from(held.engine.call('trace', { ...what, form: 'posthoc' }).bytes));
    assert.deepEqual(drawn, posthoc(await (await post('trace', { ...what, form: 'posthoc' })).text()));
    asked.push(['trace', what, ours], ['posthoc', what, drawn]);
  }
  const file = path.join(held.folder, 'a.trace.json');
  await promisify(execFile)(COMMAND, ['solve', ...given(BOARDS[1]), '--algorithm', 'astar', '--trace', file, '--format', 'json']);
  assert.deepEqual(posthoc(await readFile(file)), posthoc(Buffer.from(held.engine.call('trace', { ...BOARDS[1], algorithm: 'astar', form: 'posthoc' }).bytes)));
});

test('a worker in a browser', options, async () => {
  const [host, browser] = [await hostSite(), await launch({})];
  try {
    const { page, problems } = await visit(browser, host.url, DESKTOP);
    assert.ok(asked.length > 100, `${asked.length} questions of the tests before this one`);
    for (const [what, body, expected] of asked) {
      const answer = await page.evaluate(async ([call, request]) => {
        const found = await (await packed('js/port.js')).port[call](request).promise.catch(({ message, code }) => ({ error: message, code }));
        // A long text is handed over sooner than a long list.
        return found instanceof ArrayBuffer ? btoa(Array.from(new Uint8Array(found), (byte) => String.fromCharCode(byte)).join('')) : found;
      }, [what, body]);
      assert.deepEqual(what === 'trace' ? partsOf(Uint8Array.from(Buffer.from(answer, 'base64'))) : essence(answer), expected, `${what} ${JSON.stringify(body).slice(0, 200)}`);
    }
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
    await host.clean();
  }
});

/** Enough for the network to have been asked; without it, so many states lead to 201 moves. */
const NODES = 300_000;

test('a large board with its network, and a search that is told to end', options, async () => {
  const text = '5 14 20 17 35 3 13 31 29 22 0 8 9 10 15 18 16 34 25 28 27 12 26 6 23 19 11 32 2 24 33 4 21 30 7 1';
  const mended = ({ swap: [one, other] }) => text.split(' ').map((tile) => (tile === String(one) ? other : tile === String(other) ? one : tile)).join(' ');
  let told = 0;
  const engine = await createEngine({ tell: ({ solution }) => { told += 1; return solution !== undefined; } });
  const checked = engine.ask('check', { text });
  const board = { text: checked.swap ? mended(checked) : text };
  const first = engine.ask('solve', { ...board, limits: { seconds: 60 } });
  assert.ok(told > 0 && first.status === 'solved' && !first.optimal && first.seconds < 50, JSON.stringify(first));
  for (const side of [6, 7]) held.engine.weights(side, await readFile(path.join(ROOT, `crates/solver/weights/${side}.bin`)));
  const best = held.engine.ask('solve', { ...board, limits: { nodes: NODES, seconds: 60 } });
  assert.equal(best.heuristic, 'tables+network');
  assert.ok(best.length < 200, `${best.length} moves`);
});
