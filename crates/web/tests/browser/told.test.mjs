// What is said of a search is so: its text, typed in, counts as the engine does, and every sentence and every line that
// lights is checked against a reading of the recorded events that shares no code with the page.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { COMMAND, PAGE, pintu, pintuLines } from './harness.mjs';

globalThis.document ??= /** @type {any} */ ({ documentElement: { lang: 'en' } });
const load = (name) => import(path.join(PAGE, name));
const { decodeRecording, createCursor } = await load('trace/recording.js');
const { ALGORITHMS_WITH_TEXT, lineOf, pseudocode } = await load('trace/pseudocode.js');
const { addWords } = await load('js/i18n.js');
await addWords(() => load('trace/en.js'));
const { sentence } = await load('trace/sentence.js');
const { takenOrder } = await load('trace/order.js');
const { searchLayer } = await load('places/paths/search-layer.js');

const here = await mkdtemp(path.join(tmpdir(), 'pintu-told-'));
after(() => rm(here, { recursive: true, force: true }));

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
  'open ← [start]; seen ← {start}': 'open = [start]; const seen = new Set([start]);',
  'open ← [start]': 'open = [start];',
  'while open ≠ ∅:  (depth by depth)': 'while (open.length) {',
  'n ← take the first of open': 'const n = open.shift(); expanded += 1;',
  'if s ∉ seen: add s to seen; parent(s) ← n': 'if (!seen.has(s)) { seen.add(s); s.parent = n;',
  'append s to open': 'open.push(s);',
  'append s to open, parent n, seen or not': 's.parent = n; open.push(s);',
  'level(A) ← seen(A) ← {start}; level(B) ← seen(B) ← {goal}': 'const level = { A: [start], B: goals }; const seen = { A: new Map([[start.key, start]]), B: new Map(goals.map((one) => [one.key, one])) };',
  'if start = goal: return path(expand it)': 'if (isGoal(start)) { expanded += 1; return start; }',
  'while level(A) ≠ ∅ and level(B) ≠ ∅:': 'while (level.A.length && level.B.length) {',
  'X ← the side with fewer in its level (ties: A)': 'const X = level.A.length <= level.B.length ? "A" : "B"; const now = level[X]; level[X] = [];',
  'for n in level(X), oldest first:  (level(X) ← ∅)': 'for (const n of now) { expanded += 1;',
  'for s in neighbours(n) *, s ≠ parent(n):': 'for (const s of X === "A" ? successors(n) : origins(n)) { if (s.key === n.parent?.key) continue; generated += 1;',
  'if s ∈ seen(X): skip': 'if (seen[X].has(s.key)) continue;',
  'add s to seen(X), level(X); parent(s) ← n': 'seen[X].set(s.key, s); level[X].push(s); s.parent = n;',
  'if s ∈ seen of the other side: return': 'if (seen[X === "A" ? "B" : "A"].has(s.key)) {',
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
  'n ← smallest f = g + h in open (ties: first met last)': 'const n = least((s) => s.g + h(s), (s) => -s.met); expanded += 1;',
  'n ← smallest f = g + h in open (ties: by rows, goal last)': 'const n = least((s) => s.g + h(s), (s) => Number(isGoal(s))); expanded += 1;',
  'n ← smallest ⌊16.3384 · f⌋ in open (ties: last in)': 'const n = least((s) => Math.floor((16.3384 * (s.g + h(s))) / unit), () => 0);',
  'if f(n) = g(n) + h(n) ≥ best: skip': 'if (n.g + h(n) >= best) continue; expanded += 1;',
  'if n = goal: best ← g(n); skip': 'if (isGoal(n)) { best = n.g; continue; }',
  'for s in needed(n) (↑←→↓ ↖↗↙↘):': 'for (const s of needed(n)) { generated += 1;',
  'return path(goal); no solution if best = ∞': 'return best < Infinity;',
};
/** The last lines of jump points and of A* without needless steps say in words what a jump is and which steps are needed; that is `leaping` here. */
const IN_WORDS = /^(jumps\(c, d\):|go from c by d|d(iagonal)? (diagonal|\(4 ways)|also those along|turn: |needed\(n\): |or as cheap|if all that is free|no way past n)/;
/** Who makes a node of everything it generates. */
const TREES = ['bfs-tree', 'dfs', 'dfs-tree', 'iddfs', 'ida', 'ida-table'];

/** The program that a text is. */
function typed(lines) {
  const out = [];
  const open = [];
  for (const { en } of lines) {
    if (IN_WORDS.test(en.trim())) continue;
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

/** An 8-puzzle some random moves from its goal. */
function board(roll, moves) {
  const slide = (tiles, [dr, dc]) => {
    const blank = tiles.indexOf(0);
    const [row, col] = [Math.floor(blank / 3) + dr, (blank % 3) + dc];
    if (row < 0 || row > 2 || col < 0 || col > 2) return null;
    const next = [...tiles];
    [next[blank], next[row * 3 + col]] = [next[row * 3 + col], 0];
    return next;
  };
  let tiles = [1, 2, 3, 4, 5, 6, 7, 8, 0];
  for (let i = 0; i < moves; i += 1) tiles = slide(tiles, STEPS[roll(4)]) ?? tiles;
  const successors = (key) => STEPS.flatMap((step) => { const next = slide(key.split(',').map(Number), step); return next ? [[next.join(), 1]] : []; });
  const h = (key) => key.split(',').reduce((sum, text, at) => { const home = Number(text) - 1; return home < 0 ? sum : sum + Math.abs(Math.floor(home / 3) - Math.floor(at / 3)) + Math.abs((home % 3) - (at % 3)); }, 0);
  return { tiles, problem: { start: tiles.join(), goals: ['1,2,3,4,5,6,7,8,0'], successors, origins: successors, h } };
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
/** The open node that is listed first at a position, or -1. */
function firstOf(rec, cursor) {
  const order = takenOrder(rec, cursor);
  let first = -1;
  for (let n = 0; n < rec.nodes; n += 1) if (cursor.statuses[n] === 1 && (first < 0 || order(n, first) < 0)) first = n;
  return first;
}

/** Checks what is said at each position of a recording. */
function hear(rec, cheapest = 1) {
  const { what, paid, left, answer, place } = rec;
  const { algorithm } = answer;
  const mine = reader(rec, cheapest);
  const lines = pseudocode(algorithm, place.kind).map(({ en }) => en.trim());
  const cursor = createCursor(rec);
  const isBlind = ['bfs', 'bfs-tree', 'bidirectional', 'dfs', 'dfs-tree', 'iddfs'].includes(algorithm);
  const sum = (g, h) => (isBlind ? `depth ${number(g)}` : algorithm === 'dijkstra' ? `g = ${number(g)}` : algorithm === 'greedy' ? `h = ${number(h)}` : algorithm === 'wastar' ? `f = ${number(g)} + ${answer.weight} · ${number(h)}` : `f = ${number(g)} + ${number(h)}`);
  const has = (text, ...parts) => { for (const part of parts) assert.ok(text.includes(part), `“${text}” has “${part}”`); };
  let generated = 1;
  const layer = place.kind === 'tiles' ? null : searchLayer({ places: place.names?.length ?? place.rows * place.cols }, { rec, cursor });
  for (let k = 1; k <= rec.length; k += 1) {
    const i = k - 1;
    const said = sentence(rec, k);
    if (what[i] === EXPANDED && !mine.isDeep) assert.equal(firstOf(rec, cursor), rec.node[i], 'the first of the open list is taken');
    const { before } = mine.step(i);
    cursor.seek(k);
    const lit = lines[lineOf(rec, k)] ?? '';
    sayings.add(`${algorithm} ${place.kind} ${k === rec.goalEvent ? 'goal' : what[i]}`);
    if (mine.isDeep) assert.doesNotMatch(`${said} ${lines.join(' ')}`, /\b(open|closed)\b/, 'no lists where there are none');
    if (k === rec.goalEvent) {
      assert.ok(['solved', 'found'].includes(answer.status));
      if (algorithm === 'bidirectional' && what[i] !== EXPANDED) { has(said, 'Generates', 'here the two meet'); has(lit, 'of the other side: return'); }
      else { has(said, 'Expands', 'this is the goal', number(paid[i])); assert.match(lit, /goal: (return path|best ← g\(n\))/); }
    } else if (what[i] === EXPANDED) {
      has(said, `Expansion ${mine.expansions.toLocaleString('en')}: expands `);
      if (!mine.isQueue) has(said, sum(paid[i], left[i]));
      else has(said, `at depth ${number(paid[i])}`);
      assert.match(lit, /^(n ← |dive\(n\)|for n in level)/);
      const { counts, isWhole } = tally(rec, i, mine.isDeep);
      const words = { [NEW]: / (\d+) (?:new|for open|within the bound)/, [KNOWN]: / (\d+) (?:known and no better|met before, no deeper|pruned by the table)/, [CHEAPER]: / (\d+) with a cheaper way/, [REOPENED]: / (\d+) reopened/, [CUT]: / (\d+) (?:beyond the bound|no cheaper than the path)/ };
      for (const [kind, pattern] of Object.entries(words)) assert.equal(Number(pattern.exec(said)?.[1] ?? 0), counts[kind] ?? 0, `${said} (${kind})`);
      assert.equal(said.includes('It generates nothing.'), !Object.keys(counts).length && isWhole, said);
      assert.equal(said.includes('The recording ends before'), !isWhole, said);
    } else if (what[i] === ITERATION) {
      if (mine.isDeep) {
        has(said, algorithm === 'ida' ? `f = ${number(paid[i])}` : `depth ${number(paid[i])}`);
        assert.equal(said.includes('begins again'), mine.rounds > 1, said);
      } else if (algorithm.startsWith('bfs')) has(said, `Depth ${number(paid[i])} begins`);
      else if (algorithm === 'bidirectional') has(said, `look ${number(paid[i])} step`);
      else { has(said, `bound rises to ${number(paid[i])}`); assert.ok(!(paid[i] < before - 1e-9) && !(rec.cost !== undefined && rec.cost !== null && paid[i] > rec.cost + 1e-6), 'no path costs less'); }
      assert.match(lit, /^(while |loop|bound ← max|wasCut ← no)/);
    } else {
      generated += 1;
      has(said, 'Generates ');
      const line = { [NEW]: /^(if s ∉|append s|add s|parent\(s\) ← n; dive)/, [KNOWN]: /^(else: leave|if s ∈ seen|if seen\(s\)|if table\(s\))/, [CHEAPER]: /^else if g/, [REOPENED]: /^else if g/, [CUT]: /> bound|≥ best/ }[what[i]];
      assert.match(lit, line);
      const must = { [NEW]: mine.isDeep ? 'expanded next' : 'joins the open list', [KNOWN]: mine.table ? 'so it is pruned' : algorithm === 'dfs' ? 'no deeper than here' : 'no better', [CHEAPER]: 'open already', [REOPENED]: 'so it is reopened', [CUT]: algorithm === 'jps' ? 'costs no more' : 'beyond the bound' };
      has(said, must[what[i]]);
      if (what[i] !== KNOWN) has(said, sum(paid[i], left[i]));
    }
    assert.deepEqual([cursor.expanded, cursor.generated], [mine.expansions, generated + (k === rec.goalEvent && what[i] !== EXPANDED ? 1 : 0)]);
    if (layer && cursor.current !== NOBODY) assert.equal(layer.shown(rec.states[cursor.current]), cursor.current, 'the current node is the one that is drawn at its place');
    if (!mine.isDeep) assert.equal(cursor.open, mine.open, 'open is as long as is shown');
  }
  const end = sentence(rec, rec.length);
  if (rec.cut) return;
  assert.deepEqual([cursor.expanded, cursor.generated], [answer.expanded, answer.generated], 'the figures at the end are the answer’s');
  if (answer.status === 'unreachable') {
    has(end, 'there is no path');
    assert.deepEqual([cursor.current, [...cursor.statuses].includes(3)], [NOBODY, false], 'no node is current after the end');
    assert.doesNotMatch(end, /bound rises/);
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

/** Records a search, and reads it. */
async function recorded(args, file = path.join(here, 'one.ptr')) {
  await promisify(execFile)(COMMAND, [...args, '--trace', file]).catch((error) => { if (error.code !== 1 && error.code !== 3) throw error; });
  return read(file);
}

/** A graph on which the estimate is far too high for the cheaper way: A* closes n2, and reopens it. */
const REOPENING = 'n0 n1 1\nn1 n2 1\nn0 n2 3\nn2 n3 1\nn3 n4 200\n@ n0 0 0\n@ n1 0 100\n@ n2 5 0\n@ n3 6 0\n@ n4 10 0';

/** A graph of random edges: some cost nothing, some lead back to where they come from. */
function net(roll) {
  const nodes = 5 + roll(8);
  const edges = Array.from({ length: nodes + roll(2 * nodes) }, () => `n${roll(nodes)} n${roll(nodes)} ${roll(4) ? 1 + roll(6) : 0}`);
  return ['n0 n1 3', 'n1 n2 1', ...edges, ...Array.from({ length: nodes }, (_, n) => `@ n${n} ${roll(20)} ${roll(20)}`)].join('\n');
}

test('every sentence and every line that lights is true, of any search on any instance', async () => {
  const roll = random(11);
  let heard = 0;
  const check = (rec, about, cheapest) => { try { hear(rec, cheapest); heard += 1; } catch (error) { error.message = `${about}: ${error.message}`; throw error; } };
  for (let i = 0; i < 170; i += 1) {
    const { tiles } = board(roll, 1 + roll(14));
    await promisify(execFile)(COMMAND, ['compare', ...tiles.map(String), '--algorithms', ON_BOARDS.join(), '--max-depth', '9', '--trace', path.join(here, 'race.ptr'), '--trace-events', i % 4 ? '700' : '60']).catch((error) => { if (error.code !== 3) throw error; });
    for (const name of ON_BOARDS) check(await read(path.join(here, `race.${name.replaceAll(':', '-')}.ptr`)), `${name} on ${tiles}`);
    const file = path.join(here, i % 2 ? 'map.txt' : 'map.graph');
    const map = ground(roll, 4 + roll(5), 4 + roll(6), i % 3 ? 1 + roll(9) : 1);
    const text = i % 2 ? map.text : i ? net(roll) : REOPENING;
    await writeFile(file, text);
    const how = i % 2 ? ['--map-format', 'terrain', '--from', map.from, '--to', map.to, '--diagonal', RULES[roll(4)]] : ['--from', 'n0', '--to', i ? `n${2 + roll(3)}` : 'n4'];
    const isEven = i % 2 && !/[2-9]/.test(text);
    for (const name of [...ON_MAPS, ...(i % 2 ? ['auto', 'astar-pruned'] : []), ...(isEven ? ['jps', 'astar-levels'] : [])]) {
      const guided = ['greedy', 'astar', 'wastar', 'ida'].includes(name);
      const args = [...how, '-a', name, ...(guided ? ['--inadmissible', ...(i && !roll(4) ? ['-H', 'none'] : i % 2 ? [] : ['-H', 'euclidean'])] : [])];
      check(await recorded(['path', file, ...args, '--trace-events', i % 5 ? '500' : '25']), `${args.join(' ')} on\n${text}\n`, i % 2 ? Math.min(...text.match(/\d/g)) : 1);
    }
  }
  // IDA* prunes by its table on maps and graphs alone; who follows every step of a tree knows nothing.
  const kinds = (name, kind) => [...sayings].filter((one) => one.startsWith(`${name} ${kind} `)).map((one) => one.split(' ')[2]);
  for (const kind of ['cells', 'graph']) assert.ok(kinds('ida', kind).includes(String(KNOWN)), kind);
  for (const name of ['ida', 'iddfs', 'dfs-tree', 'bfs-tree']) assert.ok(!kinds(name, 'tiles').includes(String(KNOWN)), name);
  assert.ok(kinds('jps', 'cells').includes(String(CUT)) && kinds('astar-pruned', 'cells').length && kinds('astar-levels', 'cells').length, 'jump points, and what Auto chooses');
  assert.ok(heard >= 3000, `${heard} recordings`);
  assert.ok(['graph', 'cells'].some((kind) => kinds('astar', kind).includes(String(REOPENED)) || kinds('wastar', kind).includes(String(REOPENED))));
});
