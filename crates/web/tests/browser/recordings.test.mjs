// Recorded searches without a browser: reading them, going anywhere in them, and saying what happens.

import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { PAGE } from './harness.mjs';

globalThis.document ??= /** @type {any} */ ({ documentElement: { lang: 'en' } });
const load = (name) => import(path.join(PAGE, name));
const { createCursor, decodeRecording, recordingOf, NOBODY } = await load('trace/recording.js');
const { inStep } = await load('trace/compare.js');
const { goesByDepth } = await load('trace/order.js');
const { createPort, isCancelled } = await load('js/port.js');
const { ApiError } = await load('js/api.js');
const link = await load('trace/link.js');

const N = NOBODY;
const E = 0; // expanded
/** A recording of events [what, node, parent, g, h], on a map of three columns. */
function made(events, { backward = [], algorithm = 'astar', weight = undefined, path: way = null, cut = false } = {}) {
  const column = (i, Kind) => Kind.from(events.map((event) => event[i]));
  const nodes = Math.max(-1, ...events.map(([, node]) => (node === N ? -1 : node))) + 1;
  return recordingOf({ place: { kind: 'cells', rows: 3, cols: 3, goals: [2] }, answer: { status: 'found', algorithm, weight }, counts: {}, cut, path: way, depth_first: ['ida', 'iddfs', 'dfs', 'dfs-tree'].includes(algorithm) }, {
    what: column(0, Uint8Array), node: column(1, Uint32Array), parent: column(2, Uint32Array), paid: column(3, Float64Array), left: column(4, Float64Array),
    states: Uint32Array.from({ length: nodes }, (_, i) => i), backward: Uint8Array.from({ length: nodes }, (_, i) => (backward.includes(i) ? 1 : 0)),
  });
}

/** Best first, with a cheaper path and a reopening. */
const BEST = [
  [8, N, N, 2, 0], [E, 0, N, 0, 2], [1, 1, 0, 1, 1], [1, 2, 0, 5, 0], [E, 1, 0, 1, 1], [3, 2, 1, 2, 0], [1, 3, 1, 2, 3],
  [8, N, N, 5, 0], [E, 3, 1, 2, 3], [4, 1, 3, 0.5, 1], [2, 0, 3, 3, 2], [5, 4, 3, 9, 9], [E, 1, 3, 0.5, 1], [E, 2, 1, 2, 0],
];
/** Depth first with two bounds; numbers are those of what is produced. */
const DEEP = [
  [8, N, N, 1, 0], [E, 0, N, 0, 1], [1, 1, 0, 1, 0], [E, 1, 0, 1, 0], [5, 2, 1, 2, 1], [5, 3, 0, 1, 2],
  [8, N, N, 3, 0], [E, 4, N, 0, 1], [1, 5, 4, 1, 0], [E, 5, 4, 1, 0], [1, 6, 5, 2, 1], [E, 6, 5, 2, 1], [1, 7, 4, 1, 2], [E, 7, 4, 1, 2],
];

/** Everything a cursor says, as one object. */
const stand = (rec, cursor) => ({
  status: [...cursor.statuses], g: [...cursor.statuses].map((_, n) => cursor.g(n)), parent: [...cursor.statuses].map((_, n) => cursor.parent(n)),
  current: cursor.current, expanded: cursor.expanded, generated: cursor.generated, open: cursor.open, closed: cursor.closed, bound: cursor.bound,
});

test('wherever a cursor has been before, it says the same of a position', () => {
  for (const rec of [made(BEST), made(DEEP, { algorithm: 'ida' }), made(DEEP, { algorithm: 'dfs' })]) {
    const fresh = Array.from({ length: rec.length + 1 }, (_, k) => {
      const cursor = createCursor(rec);
      cursor.seek(k);
      return stand(rec, cursor);
    });
    const cursor = createCursor(rec);
    let state = 7;
    for (let i = 0; i < 400; i += 1) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      const k = state % (rec.length + 1);
      cursor.seek(k);
      assert.equal(cursor.k, k);
      assert.deepEqual(stand(rec, cursor), fresh[k], `at ${k}`);
    }
    cursor.seek(-5);
    assert.equal(cursor.k, 0);
    cursor.seek(Infinity);
    assert.equal(cursor.k, rec.length);
  }
});

test('a search is told as it went: open, closed, current, cheaper, reopened, dropped, forgotten', () => {
  const rec = made(BEST, { path: [0, 1, 2] });
  const cursor = createCursor(rec);
  cursor.seek(4);
  assert.equal(cursor.takeChanges(), null, 'nobody has drawn anything yet');
  assert.deepEqual([...cursor.statuses], [3, 1, 1, 0, 0]);
  assert.deepEqual([cursor.expanded, cursor.generated, cursor.open, cursor.closed, cursor.bound], [1, 3, 2, 0, 2], 'the start is generated, too');
  cursor.seek(5);
  cursor.seek(6);
  assert.deepEqual([cursor.g(2), cursor.parent(2), cursor.takeChanges()], [2, 1, [0, 1, 2]], 'what two seeks have changed waits to be drawn');
  assert.deepEqual(cursor.takeChanges(), []);
  cursor.seek(10);
  assert.deepEqual([cursor.status(1), cursor.parent(1), cursor.bound], [1, 3, 5], 'opened again');
  cursor.seek(12);
  assert.equal(cursor.status(4), 4, 'beyond the bound');
  cursor.seek(9);
  assert.deepEqual([cursor.status(1), cursor.parent(1), cursor.g(1)], [2, 0, 1], 'and done with before');
  assert.deepEqual([rec.nextExpansion(0), rec.nextExpansion(5), rec.prevExpansion(5), rec.nthExpansion(3), rec.nextLevel(1), rec.nextReopening(0), rec.nextReopening(10), rec.goalEvent], [2, 9, 2, 9, 8, 10, -1, 14]);
  cursor.seek(0);
  assert.deepEqual([cursor.open, cursor.status(0), cursor.g(0), cursor.h(0)], [1, 1, 0, 2], 'before anything happens, the start waits');
  const deep = made(DEEP, { algorithm: 'ida' });
  const below = createCursor(deep);
  assert.deepEqual([below.status(0), below.status(4)], [1, 0], 'the next iteration’s start is none of this one’s');
  below.seek(7);
  assert.deepEqual([below.status(4), below.open], [1, 1], 'it waits when that begins');
  below.seek(6);
  assert.equal(below.status(4), 0);
  const both = createCursor(made([[8, N, N, 0, 0], [E, 0, N, 0, 0], [1, 1, 0, 1, 0], [8, N, N, 1, 0], [E, 2, N, 0, 0], [1, 3, 2, 1, 0]], { algorithm: 'bidirectional', backward: [2, 3] }));
  assert.deepEqual([both.open, both.status(0), both.status(2)], [2, 1, 1], 'from both ends, both wait');
  below.seek(5);
  assert.deepEqual([...below.statuses].slice(0, 3), [2, 3, 4], 'the path is kept');
  below.seek(7);
  assert.deepEqual([...below.statuses].slice(0, 3), [5, 5, 4], 'a new bound forgets it');
  below.seek(14);
  assert.deepEqual([...below.statuses].slice(4), [2, 5, 5, 3], 'coming back up forgets what is below');
});

test('a recording is read from its bytes, and a broken one refused', () => {
  const arrays = { what: Uint8Array.from([8, 0]), node: Uint32Array.from([N, 0]), parent: Uint32Array.from([N, N]), paid: Float64Array.from([0, 0]), left: Float64Array.from([0, 4.5]), states: Uint32Array.from([6]), backward: Uint8Array.from([0]) };
  const bytes = packed({ place: { kind: 'cells', rows: 3, cols: 3, goals: [2] }, answer: { algorithm: 'bfs' }, counts: { expanded: 1 }, cut: false }, arrays);
  const rec = decodeRecording(bytes);
  assert.deepEqual([rec.length, rec.nodes, rec.left[1], rec.state(0), rec.goalEvent], [2, 1, 4.5, 6, -1]);
  for (const wrong of [new ArrayBuffer(3), new ArrayBuffer(64), bytes.slice(0, 20), bytes.slice(0, bytes.byteLength - 8)]) assert.throws(() => decodeRecording(wrong), RangeError);
});

const TYPE = { Uint8Array: 'u8', Uint32Array: 'u32', Float32Array: 'f32', Float64Array: 'f64' };

/** The bytes of a recording. */
function packed(header, arrays) {
  let offset = 0;
  const list = {};
  for (const [name, array] of Object.entries(arrays)) {
    list[name] = { type: TYPE[array.constructor.name], offset, length: array.length };
    offset += Math.ceil(array.byteLength / 8) * 8;
  }
  const longest = JSON.stringify({ ...header, arrays: list }).length + 8 * Object.keys(list).length;
  const size = Math.ceil(longest / 8) * 8;
  for (const array of Object.values(list)) array.offset += 8 + size;
  const text = new TextEncoder().encode(JSON.stringify({ ...header, arrays: list }));
  const out = new Uint8Array(8 + size + offset).fill(32, 0, 8 + size);
  out.set([0x50, 0x54, 0x52, 0x31]);
  new DataView(out.buffer).setUint32(4, size, true);
  out.set(text, 8);
  for (const [name, array] of Object.entries(arrays)) out.set(new Uint8Array(array.buffer), list[name].offset);
  return out.buffer;
}

test('two searches run in step, and where they part is found', () => {
  const [one, other] = [made(BEST), made([...BEST.slice(0, 8), [E, 2, 1, 2, 0]])];
  const line = inStep([one, other]);
  assert.deepEqual([line.length, line.firstDifference, line.positionOf(other, 5), line.positionOf(one, 2)], [5, 3, 9, 5]);
  assert.equal(inStep([one, made(BEST)]).firstDifference, -1);
  assert.equal(inStep([one, made(BEST.slice(0, 9))]).firstDifference, 4, 'one ends before the other');
  const [broad, both] = ['bfs', 'bidirectional'].map((algorithm) => made(BEST, { algorithm }));
  assert.deepEqual([one, broad, inStep([broad, both]), inStep([broad, one])].map(goesByDepth), [false, true, true, false], 'levels are depths where all are');
});

test('every algorithm has its text in both languages, and a line for what it does', async () => {
  const { ALGORITHMS_WITH_TEXT, lineAt, pseudocode } = await load('trace/pseudocode.js');
  assert.equal(ALGORITHMS_WITH_TEXT.length, 15);
  for (const name of ALGORITHMS_WITH_TEXT) {
    for (const kind of ['tiles', 'cells', 'four', 'graph']) for (const { en, zh } of pseudocode(name, kind)) assert.ok(en.trim() && zh.trim() && en.length < 64, `${name}: ${en}`);
    for (const what of [0, 1, 8]) assert.ok(lineAt(name, what) >= 0, `${name} at ${what}`);
  }
});

test('each search says of what it generates what is true of it', async () => {
  const { addWords } = await load('js/i18n.js');
  await addWords(() => load('trace/en.js'));
  const { sentence } = await load('trace/sentence.js');
  const both = [[8, N, N, 1, 0], [E, 0, N, 0, 0], [1, 1, 0, 1, 0], [8, N, N, 2, 0], [E, 2, N, 0, 0], [1, 3, 2, 1, 0], [8, N, N, 3, 0], [E, 1, 0, 1, 0], [1, 4, 1, 2, 0]];
  const said = (algorithm, events) => { const rec = made(events, { algorithm, backward: algorithm === 'bidirectional' ? [2, 3] : [] }); return Array.from({ length: rec.length }, (_, k) => sentence(rec, k)); };
  for (const algorithm of ['ida', 'iddfs', 'dfs', 'dfs-tree']) {
    const all = said(algorithm, algorithm.startsWith('dfs') ? DEEP.slice(0, 7) : DEEP);
    assert.doesNotMatch(all.join('\n'), /\bopen\b|not met before, it joins/, algorithm);
    assert.doesNotMatch(all[1], /begins again/, `${algorithm} begins for the first time`);
    assert.match(all[2], /^Expansion 1: expands the start/, algorithm);
    assert.match(all[3], algorithm === 'dfs' ? /not met before at this depth or above/ : algorithm === 'ida' ? /the transposition table has no path to it that is cheaper/ : /within the bound, .*met before or not/, algorithm);
    if (!algorithm.startsWith('dfs')) assert.match(all[7], /no further than (f =|depth) 3, and begins again/, algorithm);
  }
  assert.match(said('ida', DEEP)[1], /f = 1\./);
  const held = made([[8, N, N, 3, 0], [E, 0, N, 0, 3], [1, 1, 0, 1, 2], [E, 1, 0, 1, 2], [5, 2, 1, 2, 5]], { algorithm: 'ida', cut: true });
  assert.match(sentence(held, 2), /The recording ends before it has generated everything; so far: 1 within the bound\.$/);
  assert.match(sentence(held, 4), /so far: 1 beyond the bound\.$/);
  assert.match(said('bfs-tree', BEST)[3], /joins the open list, met before or not/);
  assert.match(said('bfs', BEST)[3], /not met before, it joins the open list/);
  const sides = said('bidirectional', both);
  assert.match(sides[7], /Both sides together look 3 steps far/);
  assert.match(sides[8], /at depth 1 from the start, the oldest in the open list of that side/);
});

test('f is what the search orders by, in words and in the file of events', async () => {
  const [{ rankOf }, { sumText }, { eventsCsv }] = [await load('trace/order.js'), await load('trace/sentence.js'), await load('trace/export.js')];
  const rows = (rec) => eventsCsv(rec, 'mine', String).trim().split('\r\n').map((row) => row.split(','));
  const heavy = made(BEST, { algorithm: 'wastar', weight: 5 });
  assert.deepEqual([rows(heavy)[0].join(), rows(heavy)[2].join()], ['search,event,what,node,parent,g,h,weight,f,state', 'mine,2,expanded,0,,0,2,5,10,0']);
  assert.deepEqual([rankOf(heavy)(1, 2), sumText(heavy, 1, 2)], [11, 'f = 1 + 5 · 2']);
  assert.equal(rows(made(BEST))[2].slice(5, 9).join(), '0,2,1,2');
  assert.equal(rows(made(BEST, { algorithm: 'greedy' }))[2].slice(5, 9).join(), '0,2,,', 'greedy search has no f');
  assert.equal(rows(made(BEST, { algorithm: 'bfs' }))[2].slice(5, 9).join(), '0,,,', 'who is blind has no h either');
});

test('the port asks again while the engine is busy, and a handle is cancelled by itself', async () => {
  const asked = [];
  const port = createPort(async (what, request, { signal, onProgress }) => {
    asked.push(what);
    if (what === 'race' && asked.length === 1) throw new ApiError(503, { code: 'busy' }, 0.01);
    if (what === 'race') { onProgress([1]); return 'raced'; }
    return new Promise((_, reject) => { signal.addEventListener('abort', () => reject(signal.reason)); });
  });
  const [progress, busy] = [[], []];
  assert.equal(await port.race({}, { onProgress: (rows) => progress.push(rows), onBusy: (seconds) => busy.push(seconds) }).promise, 'raced');
  assert.deepEqual([asked, progress, busy], [['race', 'race'], [[1]], [0.01]]);
  const [one, two] = [port.solve({}), port.trace({})];
  let ended = false;
  void two.promise.catch(() => { ended = true; });
  one.cancel();
  await assert.rejects(one.promise, isCancelled);
  assert.equal(ended, false, 'the other goes on');
  two.cancel();
  await assert.rejects(two.promise, isCancelled);
});

test('a link carries fields there and back, and long texts packed', async () => {
  const fragment = link.fragmentOf({ size: '3x3', t: [1, 2, 0], w: 1.5, none: undefined, empty: [] });
  const fields = link.fieldsOf(fragment);
  assert.deepEqual([fragment, fields.text('size'), fields.numbers('t'), fields.number('w'), fields.has('none'), fields.list('x')], ['#size=3x3&t=1.2.0&w=1.5', '3x3', [1, 2, 0], 1.5, false, []]);
  const map = '..@\n'.repeat(5000);
  const packedMap = await link.pack(map);
  assert.ok(packedMap.length < 200);
  assert.equal(await link.unpack(packedMap), map);
  await assert.rejects(link.unpack('nothing'), RangeError);
});
