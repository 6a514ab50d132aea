// What is said of a search is so: its text, typed in, counts as the engine does, and every sentence and every line that
// lights is checked against a reading of the recorded events that shares no code with the page.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { COMMAND, PAGE, pintu, pintuLines, startServer } from './harness.mjs';

globalThis.document ??= /** @type {any} */ ({ documentElement: { lang: 'en' }, querySelectorAll: () => [] });
const load = (name) => import(path.join(PAGE, name));
const { decodeRecording, createCursor } = await load('trace/recording.js');
const { ALGORITHMS_WITH_TEXT, lineOf, pseudocode } = await load('trace/pseudocode.js');
const { addWords, setLanguage } = await load('js/i18n.js');
await addWords((language) => load(`trace/${language}.js`));
const { sentence } = await load('trace/sentence.js');
const { takenOrder } = await load('trace/order.js');
const { searchLayer } = await load('places/paths/search-layer.js');
const { bend } = await load('places/paths/map.js');

const here = await mkdtemp(path.join(tmpdir(), 'pintu-told-'));
const server = await startServer();
after(async () => {
  await server.clean();
  await rm(here, { recursive: true, force: true });
});

/** The same numbers on every run. */
function random(seed) {
  let state = seed;
  return (below) => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor((state / 2 ** 32) * below); };
}

/** What each line of the texts does, in JavaScript; blocks end where the text's indentation does. */
const CODE = {
  'open ← {start}; closed ← ∅; g(start) ← 0': 'open = [start]; closed = new Set(); start.g = 0;',
  'while open ≠ ∅:': 'while (open.length) {',
  'n ← smallest f = g + h in open (ties: smaller h, last in)': 'const n = least((s) => s.g + h(s)); expanded += 1;',
  'n ← smallest f = g + w·h in open (ties: smaller h, last in)': 'const n = least((s) => s.g + w * h(s)); expanded += 1;',
  'n ← smallest g in open (ties: last in)': 'const n = least((s) => s.g, () => 0); expanded += 1;',
  'n ← smallest h in open (ties: last in)': 'const n = least((s) => h(s)); expanded += 1;',
  'move n from open to closed': 'open.splice(open.indexOf(n), 1); closed.add(n);',
  'if n = goal: return path(n)': 'if (isGoal(n)) return n;',
  'for s in successors(n) *, s ≠ parent(n):': 'for (const s of successors(n)) { if (s.key === n.parent?.key) continue; generated += 1;',
  'if s ∉ open ∪ closed: put(s, n)': 'if (!open.includes(s) && !closed.has(s)) { put(s, n); }',
  'else if g(n) + cost(n, s) < g(s):': 'else if (n.g + s.step < s.g) {',
  'else if g(n) + cost(n, s) < g(s) and s ∈ open:': 'else if (n.g + s.step < s.g && open.includes(s)) {',
  'put(s, n)': 'put(s, n);',
  'else: leave s as it is': 'else { /* Nothing. */ }',
  'return no solution': 'return null;',
  'put(s, n):': 'function put(s, n) {',
  'g(s) ← g(n) + cost(n, s); parent(s) ← n': 's.g = n.g + s.step; s.parent = n; s.arrived = s.coming; s.met ??= met += 1;',
  'move s to open (from closed, too), as the last in': 'closed.delete(s); open = [...open.filter((one) => one !== s), s];',
  'move s to open, as the last in': 'open = [...open.filter((one) => one !== s), s];',
  'open ← [start]; closed ← ∅': 'open = [start]; closed = new Set();',
  'open ← [start]': 'open = [start];',
  'while open ≠ ∅:  (depth by depth)': 'while (open.length) {',
  'n ← the first of open': 'const n = open[0]; expanded += 1;',
  'n ← take the first of open': 'const n = open.shift(); expanded += 1;',
  'if s ∉ open ∪ closed: parent(s) ← n': 'if (!open.includes(s) && !closed.has(s)) { s.parent = n;',
  'append s to open': 'open.push(s);',
  'append s to open, parent n, seen or not': 's.parent = n; open.push(s);',
  'open(A) ← [start]; open(B) ← [goal]': 'open = { A: [start], B: goals };',
  'closed(A) ← ∅; closed(B) ← ∅': 'closed = { A: [], B: [] }; const lists = (side, s) => [...open[side], ...closed[side]].some(({ key }) => key === s.key);',
  'if start = goal: return path(expand it)': 'if (isGoal(start)) { expanded += 1; return start; }',
  'while open(A) ≠ ∅ and open(B) ≠ ∅:': 'while (open.A.length && open.B.length) {',
  'X ← side with the shorter open (ties: A); Y ← other': 'const [X, Y] = open.A.length <= open.B.length ? ["A", "B"] : ["B", "A"];',
  'for n in open(X) as it is now, oldest first:': 'for (const n of [...open[X]]) { expanded += 1;',
  'move n from open(X) to closed(X)': 'open[X].splice(open[X].indexOf(n), 1); closed[X].push(n);',
  'for s in neighbours(n) *, s ≠ parent(n):': 'for (const s of X === "A" ? successors(n) : origins(n)) { if (s.key === n.parent?.key) continue; generated += 1;',
  'if s ∈ open(X) ∪ closed(X): skip': 'if (lists(X, s)) continue;',
  'append s to open(X); parent(s) ← n': 'open[X].push(s); s.parent = n;',
  'if s ∈ open(Y) ∪ closed(Y): return': 'if (lists(Y, s)) {',
  'path(start … s … goal)': 'return s;',
  'bound ← max depth; dive(start)': 'bound = maxDepth; const found = dive(start);',
  'bound ← max depth; seen(start) ← 0; dive(start)': 'bound = maxDepth; seen.set(start.key, 0); const found = dive(start);',
  'if not found: no solution, or none so shallow if wasCut': 'return found;',
  'for bound = 0, 1, 2, …:': 'for (bound = 0; ; bound += 1) {',
  'wasCut ← no; dive(start); if found: return it': 'wasCut = false; const found = dive(start); if (found) return found;',
  'if not wasCut: return no solution': 'if (!wasCut) return null;',
  'bound ← h(start)': 'bound = h(start);',
  'loop: dive(start); if found: return it': 'for (;;) { const found = dive(start); if (found) return found;',
  'loop: table(start) ← 0; dive(start); if found: return it': 'for (;;) { round += 1; table.set(start.key, { g: 0, round }); const found = dive(start); if (found) return found;',
  'if none was noted: return no solution': 'if (!noted.length) return null;',
  'bound ← smallest noted; forget the noted ones': 'bound = Math.min(...noted); noted = [];',
  'dive(n):': 'function dive(n) { expanded += 1;',
  'if depth(s) > bound: wasCut ← yes; skip': 'if (s.depth > bound) { wasCut = true; continue; }',
  'if g(s) + h(s) > bound: note it; skip': 'if (s.g + h(s) > bound) { noted.push(s.g + h(s)); continue; }',
  'if seen(s) ≤ depth(s): skip': 'if (seen.get(s.key) <= s.depth) continue;',
  'seen(s) ← depth(s)': 'seen.set(s.key, s.depth);',
  'if table(s) < g(s), or = g(s) in this round: skip': 'const had = table.get(s.key); if (had && (had.g < s.g || (had.g === s.g && had.round === round))) continue;',
  'table(s) ← g(s)': 'table.set(s.key, { g: s.g, round });',
  'parent(s) ← n; dive(s); if found: return it': 's.parent = n; const found = dive(s); if (found) return found;',
  'return not found': 'return null;',
  'open ← {start}; closed ← ∅; g(start) ← 0; best ← ∞': 'open = [start]; closed = new Set(); start.g = 0; let best = Infinity;',
  'for d in needed(n) (↑←→↓ ↖↗↙↘), s in jumps(n, d):': 'for (const s of jumping(n)) { generated += 1;',
  'if g(n) + cost(n, s) + h(s) ≥ best: skip': 'if (n.g + s.step + h(s) >= best) continue;',
  'if s = goal: best ← g(n) + cost(n, s)': 'if (isGoal(s)) best = n.g + s.step;',
  'n ← smallest f = g + h in open (ties: newest node)': 'const n = least((s) => s.g + h(s), (s) => -s.met); expanded += 1;',
  'n ← smallest f = g + h in open (ties: by rows, goal last)': 'const n = least((s) => s.g + h(s), (s) => Number(isGoal(s))); expanded += 1;',
  'n ← smallest ⌊16.3384 · f⌋ in open (ties: last in)': 'const n = least((s) => Math.floor((16.3384 * (s.g + h(s))) / unit), () => 0);',
  'if f(n) = g(n) + h(n) ≥ best: skip': 'if (n.g + h(n) >= best) continue; expanded += 1;',
  'if n = goal: best ← g(n); skip': 'if (isGoal(n)) { best = n.g; continue; }',
  'for s in needed(n) (↑←→↓ ↖↗↙↘):': 'for (const s of needed(n)) { generated += 1;',
  'return path(goal); no solution if best = ∞': 'return best < Infinity;',
};
/** Who makes a node of everything it generates. */
const TREES = ['bfs-tree', 'dfs', 'dfs-tree', 'iddfs', 'ida', 'ida-table'];

/** The program that a text is. */
function typed(lines) {
  const out = [];
  const open = [];
  // Jump points and canonical A* define in words what a jump is and which steps are needed; that is `leaping` here.
  for (const { en, isWords } of lines) {
    if (isWords) continue;
    const depth = en.search(/\S/);
    const code = CODE[en.trim().replace(/\([^()]*[↑a][^()]*\)(?=, s ≠)/, '*')];
    assert.ok(code, `no code for “${en}”`);
    while (open.length && open.at(-1) >= depth) { out.push('}'); open.pop(); }
    out.push(code);
    if ((code.match(/{/g) ?? []).length > (code.match(/}/g) ?? []).length) open.push(depth);
  }
  return [...out, ...open.map(() => '}')].join('\n');
}

/** Runs a text on a problem; counts what it expands and generates. */
function counted(name, kind, problem, { maxDepth = 0, w = 1 } = {}) {
  const isTree = TREES.includes(name);
  const known = [new Map(), new Map()];
  const node = (key, which = 0) => {
    if (isTree) return { key };
    if (!known[which].has(key)) known[which].set(key, { key });
    return known[which].get(key);
  };
  // One after the other: two edges may lead to one node.
  function* follow(n, list, which) {
    for (const [key, step] of list) yield Object.assign(node(key, which), { step }, isTree && { g: n.g + step, depth: n.depth + 1 });
  }
  // What depends on the step by which a node was reached.
  const arriving = (way) => function* arrive(n) { for (const [key, step, coming] of problem[way](n.key, n.arrived)) yield Object.assign(node(key), { step, coming }); };
  const start = Object.assign(node(problem.start), { g: 0, depth: 0 });
  const tools = {
    start, maxDepth, w, h: (s) => problem.h(s.key), isGoal: (s) => problem.goals.includes(s.key), goals: problem.goals.map((key) => node(key, 1)),
    unit: problem.unit ?? 1, jumping: arriving('jumps'), needed: arriving('needed'),
    successors: (n) => follow(n, problem.successors(n.key), 0), origins: (n) => follow(n, problem.origins(n.key), 1),
  };
  const text = pseudocode(name === 'ida-table' ? 'ida' : name, kind);
  const least = 'const least = (rank, second = h) => open.reduceRight((best, s) => (!best || rank(s) < rank(best) || (rank(s) === rank(best) && second(s) < second(best)) ? s : best), null);';
  const run = new Function(...Object.keys(tools), `"use strict"; let open, closed, bound, wasCut, round = 0, noted = [], expanded = 0, generated = 1, met = 0; const seen = new Map(), table = new Map(); ${least}
    const end = (() => { ${typed(text)}\nreturn null; })(); return { found: Boolean(end), expanded, generated };`);
  return run(...Object.values(tools));
}

const STEPS = [[-1, 0], [0, -1], [0, 1], [1, 0]];

/** A board some random moves from its goal. */
function board(roll, moves, rows = 3, cols = 3, goal = [...Array(rows * cols).keys()].map((at) => (at + 1) % (rows * cols))) {
  const slide = (tiles, [dr, dc]) => {
    const blank = tiles.indexOf(0);
    const [row, col] = [Math.floor(blank / cols) + dr, (blank % cols) + dc];
    if (row < 0 || row >= rows || col < 0 || col >= cols) return null;
    const next = [...tiles];
    [next[blank], next[row * cols + col]] = [next[row * cols + col], 0];
    return next;
  };
  let tiles = goal;
  for (let i = 0; i < moves; i += 1) tiles = slide(tiles, STEPS[roll(4)]) ?? tiles;
  const successors = (key) => STEPS.flatMap((step) => { const next = slide(key.split(',').map(Number), step); return next ? [[next.join(), 1]] : []; });
  const h = (key) => key.split(',').map(Number).reduce((sum, tile, at) => { const home = goal.indexOf(tile); return tile === 0 ? sum : sum + Math.abs(Math.floor(home / cols) - Math.floor(at / cols)) + Math.abs((home % cols) - (at % cols)); }, 0);
  return { tiles, goal, problem: { start: tiles.join(), goals: [goal.join()], successors, origins: successors, h } };
}

/** A map with walls and ground of several costs, walked four ways. */
function ground(roll, rows, cols, dearest = 9) {
  const cells = Array.from({ length: rows * cols }, () => (roll(100) < 25 ? 0 : 1 + roll(dearest)));
  const [from, to] = [roll(rows * cols), roll(rows * cols)];
  cells[from] ||= 1;
  cells[to] ||= 1;
  const text = Array.from({ length: rows }, (_, row) => cells.slice(row * cols, (row + 1) * cols).map((cost) => (cost ? String(cost) : '#')).join('')).join('\n');
  const beside = (cell) => STEPS.flatMap(([dr, dc]) => { const [row, col] = [Math.floor(cell / cols) + dr, (cell % cols) + dc]; return row < 0 || row >= rows || col < 0 || col >= cols || !cells[row * cols + col] ? [] : [row * cols + col]; });
  const least = Math.min(...cells.filter((cost) => cost));
  const spot = (cell) => `${Math.floor(cell / cols)},${cell % cols}`;
  return { text, from: spot(from), to: spot(to), problem: {
    start: from, goals: [to], successors: (cell) => beside(cell).map((one) => [one, cells[one]]), origins: (cell) => beside(cell).map((one) => [one, cells[cell]]),
    h: (cell) => least * (Math.abs(Math.floor(cell / cols) - Math.floor(to / cols)) + Math.abs((cell % cols) - (to % cols))),
  } };
}

/** The lengths of steps, as whole numbers: sums of those are exact. Any two that are near 1 : √2 will do; these are the engine's. */
const [STRAIGHT, SLANTED] = [33_461, 47_321];
const WAYS = [...STEPS, [-1, -1], [-1, 1], [1, -1], [1, 1]];

/** A map for searches that leave steps out, by their words: which directions are needed, and (where all costs are one) where jumps lead. */
function leaping(roll, rows, cols, rule, dearest = 1) {
  const cells = Array.from({ length: rows * cols }, () => (roll(100) < 28 ? 0 : 1 + (roll(3) ? 0 : roll(dearest))));
  const [from, to] = [roll(rows * cols), roll(rows * cols)];
  cells[from] = cells[to] = 1;
  const isFree = (row, col) => row >= 0 && col >= 0 && row < rows && col < cols && cells[row * cols + col] > 0;
  const isSlanted = ([dr, dc]) => dr !== 0 && dc !== 0;
  const ways = rule === 'never' ? STEPS : WAYS;
  const ranksFirst = (way) => (rule === 'never' ? way[1] === 0 : isSlanted(way));
  const long = (way) => (isSlanted(way) ? SLANTED : STRAIGHT);
  /** Whether one may step, where `free` says what is free. */
  const may = (free, [row, col], [dr, dc]) => {
    if (Math.max(Math.abs(dr), Math.abs(dc)) !== 1 || !free(row + dr, col + dc)) return false;
    if (!isSlanted([dr, dc])) return true;
    const beside = Number(free(row, col + dc)) + Number(free(row + dr, col));
    return rule !== 'never' && (rule === 'always' || beside >= (rule === 'no-squeeze' ? 1 : 2));
  };
  function neededAt(free, [row, col], came) {
    const legal = ways.filter((way) => may(free, [row, col], way));
    if (!came) return legal;
    const before = [row - came[0], col - came[1]];
    return legal.filter((way) => {
      const goal = [row + way[0], col + way[1]];
      if (way[0] === -came[0] && way[1] === -came[1]) return false;
      const there = [goal[0] - before[0], goal[1] - before[1]];
      if (may(free, before, there)) return false;
      // Ways past the cell, through one of those around it.
      return !WAYS.some((aside) => {
        const between = [row + aside[0], col + aside[1]];
        const [first, second] = [[between[0] - before[0], between[1] - before[1]], [goal[0] - between[0], goal[1] - between[1]]];
        if (!may(free, before, first) || !may(free, between, second)) return false;
        const [past, through] = [long(first) + long(second), long(came) + long(way)];
        return past < through || (past === through && ranksFirst(first) && !ranksFirst(came) && ranksFirst(way));
      });
    });
  }
  const turns = (at, came) => { const open = neededAt(() => true, at, came).map(String); return neededAt(isFree, at, came).some((way) => !open.includes(String(way))); };
  function* line(at, way, paid) {
    let [row, col] = at;
    for (let gone = paid; may(isFree, [row, col], way);) {
      [row, col, gone] = [row + way[0], col + way[1], gone + long(way)];
      if (row * cols + col === to || turns([row, col], way)) { yield [row * cols + col, gone, way]; return; }
      if (!ranksFirst(way)) continue;
      for (const side of rule === 'never' ? [[0, -1], [0, 1]] : [[way[0], 0], [0, way[1]]]) yield* line([row, col], side, gone);
    }
  }
  const spot = (cell) => `${Math.floor(cell / cols)},${cell % cols}`;
  const placed = (cell) => [Math.floor(cell / cols), cell % cols];
  const entered = ([row, col], [dr, dc]) => [(row + dr) * cols + col + dc, cells[(row + dr) * cols + col + dc] * long([dr, dc]), [dr, dc]];
  /** The steps that are needed where costs may differ. */
  function* needed(cell, came) {
    const at = placed(cell);
    const isEven = WAYS.every(([dr, dc]) => !isFree(at[0] + dr, at[1] + dc) || cells[(at[0] + dr) * cols + at[1] + dc] === cells[cell]);
    const isApart = ([dr, dc]) => !came || Math.abs(came[0] + dr) + Math.abs(came[1] + dc) > 1;
    for (const way of isEven ? neededAt(isFree, at, came) : ways.filter((one) => may(isFree, at, one) && isApart(one))) yield entered(at, way);
  }
  return { text: Array.from({ length: rows }, (_, row) => cells.slice(row * cols, (row + 1) * cols).map((cost) => (cost ? String(cost) : '#')).join('')).join('\n'), from: spot(from), to: spot(to), rule, problem: {
    start: from, goals: [to], unit: STRAIGHT, needed, origins: () => [],
    successors: (cell) => ways.filter((way) => may(isFree, placed(cell), way)).map((way) => entered(placed(cell), way)),
    h: (cell) => { const [dr, dc] = [Math.abs(Math.floor(cell / cols) - Math.floor(to / cols)), Math.abs((cell % cols) - (to % cols))]; return rule === 'never' ? STRAIGHT * (dr + dc) : SLANTED * Math.min(dr, dc) + STRAIGHT * Math.abs(dr - dc); },
    jumps: function* jumps(cell, came) { const at = placed(cell); for (const way of neededAt(isFree, at, came)) yield* line(at, way, 0); },
  } };
}

/** The graph of a text without places: edges lead both ways, in the order of the file. */
function netted(text, from, to) {
  const edges = text.split('\n').filter((one) => !one.startsWith('@')).map((one) => one.split(' '));
  const beside = (key) => edges.flatMap(([a, b, cost]) => [...(a === key ? [[b, Number(cost)]] : []), ...(b === key && a !== b ? [[a, Number(cost)]] : [])]);
  return { start: from, goals: [to], successors: beside, origins: beside, h: () => 0 };
}

const ON_BOARDS = ['bfs', 'bidirectional', 'dijkstra', 'greedy:manhattan', 'astar:manhattan', 'wastar:manhattan:3', 'ida:manhattan', 'dfs', 'iddfs', 'bfs-tree', 'dfs-tree'];
const RULES = ['never', 'always', 'no-squeeze', 'no-corners'];
const ON_MAPS = ['bfs', 'bidirectional', 'dijkstra', 'greedy', 'astar', 'wastar', 'ida'];

test('whoever types a text in expands and generates as many states as the engine', async () => {
  const roll = random(5);
  const done = new Set();
  const same = (name, kind, problem, answer, options) => {
    const mine = counted(name, kind, problem, options);
    assert.deepEqual(mine, { found: ['solved', 'found'].includes(answer.status), expanded: answer.expanded, generated: answer.generated }, `${name} on ${kind}: ${problem.start}`);
    done.add(name);
  };
  for (let i = 0; i < 10; i += 1) {
    const { tiles, problem } = board(roll, 2 + i * 2);
    const answers = await pintuLines(['compare', ...tiles.map(String), '--algorithms', ON_BOARDS.join(), '--max-depth', '12', '--format', 'json']);
    for (const [at, answer] of answers.entries()) same(ON_BOARDS[at].split(':')[0], 'tiles', problem, answer, { maxDepth: 12, w: 3 });
    const map = ground(roll, 6, 8, i % 2 ? 9 : 2);
    const file = path.join(here, 'map.txt');
    await writeFile(file, map.text);
    for (const name of ON_MAPS) same(name === 'ida' ? 'ida-table' : name, 'cells', map.problem, await pintu('path', file, '--map-format', 'terrain', '--from', map.from, '--to', map.to, '-a', name, ...(name === 'wastar' ? ['-w', '3'] : []), '--format', 'json'), { w: 3 });
    // These know without a search where nobody gets: there is nothing to count then.
    for (const [name, rule, dearest] of [['jps', RULES[i % 4], 1], ['astar-levels', 'never', 1], ['astar-pruned', RULES[i % 4], i % 5 ? 4 : 1]]) {
      for (let isCounted = false; !isCounted;) {
        const leaps = leaping(roll, 9, 12, rule, dearest);
        await writeFile(file, leaps.text);
        const answer = await pintu('path', file, '--map-format', 'terrain', '--from', leaps.from, '--to', leaps.to, '--diagonal', rule, '-a', name, '--format', 'json');
        assert.equal(answer.algorithm, name);
        isCounted = answer.status === 'found';
        if (isCounted) same(name, 'cells', leaps.problem, answer);
      }
    }
    const [text, graph, to] = [net(roll), path.join(here, 'net.graph'), `n${1 + roll(4)}`];
    await writeFile(graph, text);
    for (const name of ON_MAPS) same(name === 'ida' ? 'ida-table' : name, 'graph', netted(text, 'n0', to), await pintu('path', graph, '--from', 'n0', '--to', to, '-a', name, ...(['greedy', 'astar', 'wastar', 'ida'].includes(name) ? ['-H', 'none'] : []), ...(name === 'wastar' ? ['-w', '3'] : []), '--format', 'json'), { w: 3 });
  }
  assert.deepEqual([...done].sort(), [...ALGORITHMS_WITH_TEXT].sort(), 'every text was typed in');
});

const [EXPANDED, NEW, KNOWN, CHEAPER, REOPENED, CUT, , , ITERATION] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const NOBODY = 0xffffffff;
const number = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(2));
const near = (a, b) => Math.abs(a - b) < 1e-6;

/** Reads the events of a recording one after the other and says what must be so, by states alone. `cheapest` is what the cheapest step costs. */
function reader(rec, cheapest) {
  const { what, node, parent, paid, left, answer, place } = rec;
  const { algorithm } = answer;
  const key = (n) => `${rec.backward[n]}${rec.width === 1 ? rec.states[n] : Array.from(rec.states.subarray(n * rec.width, (n + 1) * rec.width)).join()}`;
  const rank = { greedy: (g, h) => h, wastar: (g, h) => g + answer.weight * h }[algorithm] ?? ((g, h) => g + h);
  const isDeep = ['ida', 'iddfs', 'dfs', 'dfs-tree'].includes(algorithm);
  const isQueue = ['bfs', 'bfs-tree', 'bidirectional'].includes(algorithm);
  const isTree = algorithm === 'bfs-tree';
  const table = algorithm === 'ida' && place.kind !== 'tiles';
  const open = [];
  const closed = new Map();
  const least = new Map();
  let [bound, rounds, expansions] = [NaN, 0, 0];
  /** What the best path costs that jump points have found so far. */
  let best = Infinity;
  const waiting = (id) => open.findIndex((one) => one.id === id);
  const idOf = (n) => (isTree ? String(n) : key(n));
  // What a search begins with is open before anything happens.
  for (let i = 0; i < rec.length && !isDeep; i += 1) if (what[i] === EXPANDED && parent[i] === NOBODY && waiting(idOf(node[i])) < 0) open.push({ id: idOf(node[i]), g: paid[i], h: left[i], side: rec.backward[node[i]] });

  /** What an event does must be what its sentence and its line say. */
  function step(i) {
    const [n, g, h] = [node[i], paid[i], left[i]];
    if (what[i] === ITERATION) {
      rounds += 1;
      const before = bound;
      bound = g;
      return { before };
    }
    const id = idOf(n);
    if (what[i] === EXPANDED) {
      expansions += 1;
      if (isDeep) {
        if (parent[i] === NOBODY) least.set(id, { g: 0, rounds });
        else assert.deepEqual([what[i - 1], node[i - 1]], [NEW, n], 'a search that dives expands what it has just generated');
        return {};
      }
      const at = waiting(id);
      assert.ok(at >= 0, 'only what is open is expanded');
      const mine = open[at];
      const rest = open.filter(({ side }) => algorithm !== 'bidirectional' || side === mine.side);
      if (isQueue) assert.equal(rest[0], mine, 'the oldest in open');
      else {
        const smallest = Math.min(...rest.map((one) => rank(one.g, one.h)));
        const grain = algorithm === 'astar-pruned' ? cheapest / 16 : 1e-6;
        assert.ok(rank(mine.g, mine.h) - smallest < grain, `the smallest in open: ${rank(mine.g, mine.h)} and ${smallest}`);
      }
      assert.ok(near(mine.g, g));
      open.splice(at, 1);
      closed.set(id, mine);
      return {};
    }
    const had = isDeep ? least.get(id) : closed.get(id) ?? open[waiting(id)];
    if (isDeep) {
      const isOver = (algorithm === 'ida' ? g + h : g) > bound + 1e-9;
      assert.equal(what[i] === CUT, isOver, 'what is beyond the bound is pruned, and nothing else by it');
      if (isOver) return {};
      const isKnown = algorithm === 'dfs' ? had && had.g <= g : table ? had && (had.g < g - 1e-9 || (near(had.g, g) && had.rounds === rounds)) : false;
      assert.equal(what[i] === KNOWN, Boolean(isKnown), 'what was met before and is left alone');
      if (!isKnown) least.set(id, { g, rounds });
      return {};
    }
    if (algorithm === 'jps') {
      const isDear = g + h >= best - 1e-9;
      assert.equal(what[i] === CUT, isDear, 'what costs as much as a path that is known is left alone');
      if (isDear) return {};
      if (place.goals.includes(rec.states[n])) best = g;
    }
    const isClosed = closed.has(id);
    const fate = !had || isTree ? NEW : isQueue || g >= had.g - 1e-9 || (isClosed && algorithm === 'greedy') ? KNOWN : isClosed ? REOPENED : CHEAPER;
    assert.equal(what[i], fate, 'what becomes of a successor');
    if (fate !== KNOWN) {
      closed.delete(id);
      const at = waiting(id);
      if (at >= 0) open.splice(at, 1);
      open.push({ id, g, h, side: rec.backward[n] });
    }
    return {};
  }
  return { step, isDeep, isQueue, table, get expansions() { return expansions; }, get rounds() { return rounds; }, get bound() { return bound; }, get open() { return open.length; }, get closed() { return closed.size; } };
}

/** How many of each kind an expansion generates: what hangs from it until it is left. */
function tally(rec, i, isDeep) {
  const counts = {};
  let isWhole = !rec.cut;
  const depth = (at) => { let steps = 0; for (let n = rec.node[at]; rec.treeParent[n] !== NOBODY; n = rec.treeParent[n]) steps += 1; return steps; };
  const own = isDeep ? depth(i) : 0;
  for (let at = i + 1; at < rec.length; at += 1) {
    if (rec.what[at] === ITERATION || (rec.what[at] === EXPANDED && (!isDeep || depth(at) <= own))) { isWhole = true; break; }
    // Deeper down something else has been generated by a state above: this one is done with.
    if (isDeep && rec.what[at] !== EXPANDED && depth(at) <= own) isWhole = true;
    if (rec.what[at] !== EXPANDED && rec.parent[at] === rec.node[i]) counts[rec.what[at]] = (counts[rec.what[at]] ?? 0) + 1;
  }
  return { counts, isWhole };
}

const sayings = new Set();

/** What the sentences and the lines have in each language, written apart from the dictionaries. */
const SAYS = {
  en: {
    begin: { any: 'Nothing has happened yet', deep: 'about to expand', both: 'of their side', open: 'the start is in the open list' },
    depth: 'depth ', atDepth: 'at depth ', atOwnDepth: 'at depth ', expands: (n) => `Expansion ${n}: expands `,
    meets: ['Generates', 'here the two meet'], goal: ['Expands', 'this is the goal'],
    parts: { [NEW]: / (\d+) (?:new|for open|within the bound)/, [KNOWN]: / (\d+) (?:known and no better|met before, no deeper|pruned by the transposition table)/, [CHEAPER]: / (\d+) with a cheaper path/, [REOPENED]: / (\d+) reopened/, [CUT]: / (\d+) (?:beyond the bound|no cheaper than the path)/ },
    nothing: 'It generates nothing.', isCut: 'The recording ends before', again: 'begins again',
    round: { breadth: (n) => `Depth ${n} begins`, both: (n) => `look ${n} step`, rises: (n) => `bound rises to ${n}` },
    generates: 'Generates ',
    fates: { [NEW]: 'joins the open list', [KNOWN]: 'no better', [CHEAPER]: 'open already', [REOPENED]: 'so it is reopened', [CUT]: 'beyond the bound', newDeep: 'expanded next', knownTable: 'so it is pruned', knownDive: 'no deeper than here', cutJump: 'costs no more' },
    noPath: 'there is no path', noneWithin: 'there is no solution within the bound', before: 'has ended before that', rises: 'bound rises',
    lines: { goal: /goal: (return path|best ← g\(n\))/, [EXPANDED]: /^(n ← |dive\(n\)|for n in open\(X\))/, [ITERATION]: /^(while |loop|bound ← max|wasCut ← no)/, [NEW]: /^(if s ∉|append s|parent\(s\) ← n; dive)/, [KNOWN]: /^(else: leave|if s ∈ open\(X\)|if seen\(s\)|if table\(s\))/, [CHEAPER]: /^else if g/, [REOPENED]: /^else if g/, [CUT]: /> bound|≥ best/ },
  },
  zh: {
    begin: { any: '还没开始', deep: '即将扩展起点', both: '各在自己一侧的 open 表', open: '起点在 open 表里' },
    depth: '深度 ', atDepth: '深度 ', atOwnDepth: '深度为 ', expands: (n) => `第 ${n} 次扩展：`,
    meets: ['生成', '两边相遇了'], goal: ['扩展', '这就是目标'],
    parts: { [NEW]: /(\d+) 个(?:是新的|进 open 表|在界限内)/, [KNOWN]: /(\d+) 个(?:见过，路径并不更好|曾在同样深或更浅处见过|被置换表剪掉)/, [CHEAPER]: /(\d+) 个有了代价更小的路径/, [REOPENED]: /(\d+) 个被重新打开/, [CUT]: /(\d+) 个(?:超出界限|代价不比已知路径小)/ },
    nothing: '它不生成后继。', isCut: '录制', again: '从起点重新开始',
    round: { breadth: (n) => `开始扩展深度 ${n}`, both: (n) => `看到 ${n} 步远`, rises: (n) => `界限升到 ${n}` },
    generates: '生成',
    fates: { [NEW]: '放进 open 表', [KNOWN]: '并不更好', [CHEAPER]: '已在 open 表里', [REOPENED]: '于是重新打开', [CUT]: '超出界限', newDeep: '接着就扩展它', knownTable: '剪掉', knownDive: '在同样深或更浅的地方见过', cutJump: '代价不比它大' },
    noPath: '无路可走', noneWithin: '界限之内无解', before: '在此之前搜索就结束了', rises: '界限升到',
    lines: { goal: /目标: (return 路径|best ← g\(n\))/, [EXPANDED]: /^(n ← |dive\(n\)|for n in 此刻的 open\(X\))/, [ITERATION]: /^(while |loop|界限 ← 最大深度|剪过 ← 否)/, [NEW]: /^(if s ∉|s 排到 open|父\(s\) ← n；dive)/, [KNOWN]: /^(else: s 不变|if s ∈ open\(X\)|if 见过\(s\)|if 表\(s\))/, [CHEAPER]: /^else if g/, [REOPENED]: /^else if g/, [CUT]: /> 界限|≥ best/ },
  },
};

/** The sentences of a language that have not been said yet, as patterns. Dead ends and too large costs do not occur: here every node has a way to the goal by its estimate, and every cost fits. */
const unsaid = Object.fromEntries(await Promise.all(Object.keys(SAYS).map(async (language) => [language, new Map(Object.entries((await load(`trace/${language}.js`)).default).filter(([key]) => key.startsWith('trace.say.') && !/\.(dead|dear|back)$/.test(key))
  .map(([key, text]) => [key, new RegExp(text.replace(/[.*+?^$()|[\]]/g, '\\$&').replace(/ ?\{[^}]*\}/g, '.+?'))]))])));

/** The open node that is listed first at a position, or -1. */
function firstOf(rec, cursor) {
  const order = takenOrder(rec, cursor);
  let first = -1;
  for (let n = 0; n < rec.nodes; n += 1) if (cursor.statuses[n] === 1 && (first < 0 || order(n, first) < 0)) first = n;
  return first;
}

/** Checks what is said in a language at each position of a recording. */
function hear(rec, language, cheapest = 1) {
  const { what, paid, left, answer, place } = rec;
  const { algorithm } = answer;
  const mine = reader(rec, cheapest);
  const lines = pseudocode(algorithm, place.kind).map((line) => line[language].trim());
  const says = SAYS[language];
  const cursor = createCursor(rec);
  const isBlind = ['bfs', 'bfs-tree', 'bidirectional', 'dfs', 'dfs-tree', 'iddfs'].includes(algorithm);
  const sum = (g, h) => (isBlind ? `${says.depth}${number(g)}` : algorithm === 'dijkstra' ? `g = ${number(g)}` : algorithm === 'greedy' ? `h = ${number(h)}` : algorithm === 'wastar' ? `f = ${number(g)} + ${answer.weight} · ${number(h)}` : `f = ${number(g)} + ${number(h)}`);
  const has = (text, ...parts) => { for (const part of parts) assert.ok(text.includes(part), `“${text}” has “${part}”`); };
  const listen = (said) => {
    for (const [key, pattern] of unsaid[language]) if (pattern.test(said)) unsaid[language].delete(key);
    return said;
  };
  let generated = 1;
  const first = listen(sentence(rec, 0));
  if (rec.length) has(first, says.begin.any, says.begin[mine.isDeep ? 'deep' : algorithm === 'bidirectional' ? 'both' : 'open']);
  const layer = place.kind === 'tiles' ? null : searchLayer({ places: place.names?.length ?? place.rows * place.cols }, { rec, cursor });
  for (let k = 1; k <= rec.length; k += 1) {
    const i = k - 1;
    const said = listen(sentence(rec, k));
    if (what[i] === EXPANDED && !mine.isDeep) assert.equal(firstOf(rec, cursor), rec.node[i], 'the first of the open list is taken');
    const { before } = mine.step(i);
    cursor.seek(k);
    const lit = lines[lineOf(rec, k)] ?? '';
    sayings.add(`${algorithm} ${place.kind} ${k === rec.goalEvent ? 'goal' : what[i]}`);
    if (mine.isDeep) assert.doesNotMatch(`${said} ${lines.join(' ')}`, /\b(open|closed)\b/, 'no lists where there are none');
    if (k === rec.goalEvent) {
      assert.ok(['solved', 'found'].includes(answer.status));
      if (algorithm === 'bidirectional' && what[i] !== EXPANDED) { has(said, ...says.meets); has(lit, 'open(Y) ∪ closed(Y): return'); }
      else { has(said, ...says.goal, number(paid[i])); assert.match(lit, says.lines.goal); }
    } else if (what[i] === EXPANDED) {
      has(said, says.expands(mine.expansions.toLocaleString('en')));
      has(said, mine.isQueue ? `${algorithm === 'bidirectional' ? says.atOwnDepth : says.atDepth}${number(paid[i])}` : sum(paid[i], left[i]));
      assert.match(lit, says.lines[EXPANDED]);
      const { counts, isWhole } = tally(rec, i, mine.isDeep);
      for (const [kind, pattern] of Object.entries(says.parts)) assert.equal(Number(pattern.exec(said)?.[1] ?? 0), counts[kind] ?? 0, `${said} (${kind})`);
      assert.equal(said.includes(says.nothing), !Object.keys(counts).length && isWhole, said);
      assert.equal(said.includes(says.isCut), !isWhole, said);
    } else if (what[i] === ITERATION) {
      if (mine.isDeep) {
        has(said, algorithm === 'ida' ? `f = ${number(paid[i])}` : `${says.depth}${number(paid[i])}`);
        assert.equal(said.includes(says.again), mine.rounds > 1, said);
      } else if (algorithm.startsWith('bfs')) has(said, says.round.breadth(number(paid[i])));
      else if (algorithm === 'bidirectional') has(said, says.round.both(number(paid[i])));
      else { has(said, says.round.rises(number(paid[i]))); assert.ok(!(paid[i] < before - 1e-9) && !(rec.cost !== undefined && rec.cost !== null && paid[i] > rec.cost + 1e-6), 'no path costs less'); }
      assert.match(lit, says.lines[ITERATION]);
    } else {
      generated += 1;
      has(said, says.generates);
      assert.match(lit, says.lines[what[i]]);
      const own = { [NEW]: mine.isDeep && 'newDeep', [KNOWN]: mine.table ? 'knownTable' : algorithm === 'dfs' && 'knownDive', [CUT]: algorithm === 'jps' && 'cutJump' }[what[i]];
      has(said, says.fates[own || what[i]]);
      if (what[i] !== KNOWN) has(said, sum(paid[i], left[i]));
    }
    assert.deepEqual([cursor.expanded, cursor.generated], [mine.expansions, generated + (k === rec.goalEvent && what[i] !== EXPANDED ? 1 : 0)]);
    if (layer && cursor.current !== NOBODY) assert.equal(layer.shown(rec.states[cursor.current]), cursor.current, 'the current node is the one that is drawn at its place');
    if (!mine.isDeep) assert.equal(cursor.open, mine.open, 'open is as long as is shown');
  }
  const end = listen(sentence(rec, rec.length));
  if (rec.cut) return;
  assert.deepEqual([cursor.expanded, cursor.generated], [answer.expanded, answer.generated], 'the figures at the end are the answer’s');
  assert.equal(end.includes(says.before), end.includes(says.fates.newDeep), 'what is not done any more is not promised');
  if (answer.status === 'unreachable' || answer.reason === 'depth') {
    has(end, answer.reason === 'depth' ? says.noneWithin : says.noPath);
    assert.deepEqual([cursor.current, [...cursor.statuses].includes(3)], [NOBODY, false], 'no node is current after the end');
    assert.ok(!end.includes(says.rises), end);
    cursor.seek(0);
    cursor.seek(rec.length);
    cursor.seek(rec.length - 1);
    assert.equal(cursor.expanded, answer.expanded - (what[rec.length - 1] === EXPANDED ? 1 : 0));
  }
}

async function read(file) {
  const bytes = await readFile(file);
  return decodeRecording(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/** Records a search on a map, and reads it: the server is asked, for a program that begins costs more than a search. */
async function recorded(question) {
  const response = await fetch(`${server.url}api/trace`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(question) });
  assert.equal(response.status, 200, JSON.stringify(question));
  return decodeRecording(await response.arrayBuffer());
}

/** The path to a node that jump points have found is drawn over free cells: jumps turn where they do. */
function leadsOverGround(rec, text, rule) {
  const rows = text.split('\n');
  const cols = rows[0].length;
  for (let n = 0; n < rec.nodes; n += 1) {
    if (rec.treeParent[n] === NOBODY) continue;
    const [from, to] = [rec.states[rec.treeParent[n]], rec.states[n]];
    let at = from;
    for (const end of [bend(from, to, cols, rule === 'never'), to]) {
      const [down, across] = [Math.floor(end / cols) - Math.floor(at / cols), (end % cols) - (at % cols)];
      assert.ok(!down || !across || (Math.abs(down) === Math.abs(across) && rule !== 'never'), 'each part is straight');
      while (at !== end) {
        at += Math.sign(down) * cols + Math.sign(across);
        assert.notEqual(rows[Math.floor(at / cols)][at % cols], '#', `the way from ${from} to ${to} on\n${text}`);
      }
    }
  }
}

/** A graph on which the estimate is far too high for the cheaper way: A* closes n2, and reopens it. */
const REOPENING = 'n0 n1 1\nn1 n2 1\nn0 n2 3\nn2 n3 1\nn3 n4 200\n@ n0 0 0\n@ n1 0 100\n@ n2 5 0\n@ n3 6 0\n@ n4 10 0';

/** A graph of random edges: some cost nothing, some lead back to where they come from. */
function net(roll) {
  const nodes = 5 + roll(8);
  const edges = Array.from({ length: nodes + roll(2 * nodes) }, () => `n${roll(nodes)} n${roll(nodes)} ${roll(4) ? 1 + roll(6) : 0}`);
  return ['n0 n1 3', 'n1 n2 1', ...edges, ...Array.from({ length: nodes }, (_, n) => `@ n${n} ${roll(20)} ${roll(20)}`)].join('\n');
}

/** Rows, columns, heuristic, whether the goal is a board of its own, and what wraps. */
const SHAPES = [
  [3, 3, 'manhattan', false], [3, 3, 'linear-conflict', true], [2, 4, 'misplaced', false, '--wrap-rows', 'all'], [3, 3, 'manhattan', false], [3, 4, 'walking-distance', false],
  [2, 4, 'manhattan', true], [3, 3, 'manhattan', false, '--wrap-rows', '1', '--wrap-cols', '0'], [3, 3, 'misplaced', false], [3, 4, 'manhattan', true, '--wrap-cols', 'all'],
];

test('every sentence and every line that lights is true, in both languages, of any search on any instance', async () => {
  const roll = random(11);
  let [instances, recordings] = [0, 0];
  const check = async (rec, about, cheapest) => {
    recordings += 1;
    for (const language of Object.keys(SAYS)) {
      await setLanguage(language);
      try { hear(rec, language, cheapest); } catch (error) { error.message = `${about}, ${language}: ${error.message}`; throw error; }
    }
  };
  for (let i = 0; i < 170; i += 1) {
    instances += 2;
    const [rows, cols, heuristic, isOdd, ...wraps] = SHAPES[i % SHAPES.length];
    const given = board(roll, 1 + roll(14), rows, cols);
    const { tiles, goal } = isOdd ? board(roll, 1 + roll(14), rows, cols, given.tiles) : given;
    const race = ON_BOARDS.map((name) => name.replace('manhattan', heuristic));
    await promisify(execFile)(COMMAND, ['compare', ...tiles.map(String), '--size', `${rows}x${cols}`, '--goal', goal.join(' '), ...wraps, '--algorithms', race.join(), '--max-depth', '9', '--trace', path.join(here, 'race.ptr'), '--trace-events', i % 4 ? '700' : '60']).catch((error) => { if (error.code !== 3) throw error; });
    for (const name of race) await check(await read(path.join(here, `race.${name.replaceAll(':', '-')}.ptr`)), `${name} on ${tiles} to ${goal} ${wraps.join(' ')}`);
    const map = ground(roll, 4 + roll(5), 4 + roll(6), i % 3 ? 1 + roll(9) : 1);
    const text = i % 2 ? map.text : i ? net(roll) : REOPENING;
    const spot = (at) => at.split(',').map(Number);
    const asked = i % 2 ? { format: 'terrain', from: spot(map.from), to: [spot(map.to)], diagonal: RULES[roll(4)] } : { format: 'graph', from: 'n0', to: [i ? `n${2 + roll(3)}` : 'n4'] };
    const isEven = i % 2 && !/[2-9]/.test(text);
    for (const algorithm of [...ON_MAPS, ...(i % 2 ? ['auto', 'astar-pruned'] : []), ...(isEven ? ['jps', 'astar-levels'] : [])]) {
      const guided = ['greedy', 'astar', 'wastar', 'ida'].includes(algorithm);
      const question = { ...asked, algorithm, ...(guided ? { inadmissible: true, ...(i && !roll(4) ? { heuristic: 'none' } : i % 2 ? {} : { heuristic: 'euclidean' }) } : {}), events: i % 5 ? 500 : 25 };
      const rec = await recorded({ map: text, ...question });
      if (algorithm === 'jps') leadsOverGround(rec, text, asked.diagonal);
      await check(rec, `${JSON.stringify(question)} on\n${text}\n`, i % 2 ? Math.min(...text.match(/\d/g)) : 1);
    }
  }
  await check(await recorded({ map: '1#1', format: 'terrain', from: [0, 0], to: [[0, 2]], algorithm: 'jps' }), 'a goal that is cut off');
  for (const nodes of [2, 3, 4, 5]) for (const algorithm of ['dfs', 'iddfs']) await check(await recorded({ rows: 3, cols: 3, tiles: [8, 6, 7, 2, 5, 4, 3, 0, 1], algorithm, limits: { nodes } }), `${algorithm} of ${nodes} nodes`);
  // IDA* prunes by its table on maps and graphs alone; who follows every step of a tree knows nothing.
  const kinds = (name, kind) => [...sayings].filter((one) => one.startsWith(`${name} ${kind} `)).map((one) => one.split(' ')[2]);
  for (const kind of ['cells', 'graph']) assert.ok(kinds('ida', kind).includes(String(KNOWN)), kind);
  for (const name of ['ida', 'iddfs', 'dfs-tree', 'bfs-tree']) assert.ok(!kinds(name, 'tiles').includes(String(KNOWN)), name);
  assert.ok(kinds('jps', 'cells').includes(String(CUT)) && kinds('astar-pruned', 'cells').length && kinds('astar-levels', 'cells').length, 'jump points, and what Auto chooses');
  for (const language of Object.keys(SAYS)) assert.deepEqual([...unsaid[language].keys()], [], `every kind of sentence was heard (${language})`);
  assert.ok(recordings >= 3000 && instances === 340, `${recordings} recordings of ${instances} instances`);
  assert.ok(['graph', 'cells'].some((kind) => kinds('astar', kind).includes(String(REOPENED)) || kinds('wastar', kind).includes(String(REOPENED))));
});
