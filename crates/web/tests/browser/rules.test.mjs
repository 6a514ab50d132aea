// The page's own rules, without a browser: the golden vectors shared with Rust, scrambles, saves, links, words.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { PAGE, ROOT } from './harness.mjs';

const load = (name) => import(path.join(PAGE, name));
const rules = await load('js/rules.js');
const { Game } = await load('js/game.js');

/** A small seeded generator, so that a failure can be repeated. */
function seeded(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * limit);
  };
}

const doStep = {
  tap: (game, { cell }) => make(game, rules.runTo(game.board, game.hole, cell)),
  push: (game, { tile }) => make(game, rules.OPPOSITE[tile]),
  follow: (game, { moves }) => make(game, moves),
  undo: (game) => game.undo(),
  redo: (game) => game.redo(),
  restart: (game) => { Object.assign(game, game.fromStart()); return ''; },
};

const make = (game, run) => (game.make(run) ? run : '');

test('the golden vectors hold', async () => {
  const { cases } = JSON.parse(await readFile(path.join(ROOT, 'crates/game/golden/moves.json'), 'utf8'));
  assert.ok(cases.length >= 5);
  for (const { name, rows, cols, wrap_rows: wrapRows, wrap_cols: wrapCols, blank, start, steps } of cases) {
    const game = new Game({ rows, cols, wrapRows, wrapCols, blank, start });
    steps.forEach((step, i) => {
      const played = doStep[step.do](game, step);
      const { moves, redo, runs } = game.toSave();
      const found = { played, tiles: game.tiles, moves, redo, runs, misplaced: game.misplaced, solved: game.solved };
      assert.deepEqual(found, step.then, `${name}, step ${i + 1}`);
    });
  }
});

const golden = JSON.parse(await readFile(path.join(ROOT, 'crates/game/golden/records.json'), 'utf8'));
const { readSave } = await load('js/save.js');
const ranking = await load('js/scoring.js');

/** The golden vectors' game with some fields changed; null takes a field away. */
const changed = (change) => Object.fromEntries(Object.entries({ ...golden.base, ...change }).filter(([, value]) => value !== null));

test('saves are refused as the golden vectors say', () => {
  assert.ok(golden.saves.length > 20);
  for (const { name, change, refused } of golden.saves) {
    let code = null;
    try {
      readSave(changed(change));
      Game.fromSave(changed(change));
    } catch (error) {
      code = error.code;
    }
    assert.equal(code, refused, name);
  }
});

test('records are scored, told apart and ranked as the golden vectors say', () => {
  assert.ok(golden.records.length > 15);
  for (const { name, change, refused, score, board } of golden.records) {
    const save = changed(change);
    assert.equal(ranking.refusal(save), refused, name);
    if (refused) continue;
    const game = Game.fromSave(save);
    assert.deepEqual([game.millis, game.count], score, name);
    assert.deepEqual([game.rows, game.cols, game.board.wrapRows, game.board.wrapCols], board, name);
  }
  for (const { name, one, other, same } of golden.same) assert.equal(ranking.sameGame(changed(one), changed(other)), same, name);
  for (const { name, scores, standing } of golden.standings) {
    const list = scores.map(([millis, moves], index) => ({ millis, moves, index }));
    const found = ranking.standing(list);
    const mine = { games: found.games, best_time: found.time?.index ?? null, best_moves: found.moves?.index ?? null, average_of_5: found.ao5, average_of_12: found.ao12, best_average_of_5: found.bestAo5, best_average_of_12: found.bestAo12 };
    assert.deepEqual(mine, standing, name);
  }
});

test('boards are read, and refused, as the command line does it', async () => {
  const { readBoards } = await load('js/boardtext.js');
  const { read, refused } = JSON.parse(await readFile(path.join(ROOT, 'crates/tiles/golden/boards.json'), 'utf8'));
  assert.ok(read.length > 10 && refused.length > 10);
  const said = ({ rows, cols, tiles }) => `${rows}x${cols}: ${tiles.join(' ')}`;
  for (const { text, board } of read) {
    const { start, goal } = readBoards(text);
    assert.equal(goal ? `${said(start)} -> ${said(goal)}` : said(start), board, JSON.stringify(text));
  }
  for (const { text, problem, says } of refused) {
    const line = Number(/^line (\d+):/.exec(says)[1]);
    assert.throws(() => readBoards(text), (error) => error.problem === problem && error.values.line === line, JSON.stringify(text));
  }
});

test('what an algorithm would need is what is known of these boards', async () => {
  const { arrangements, branching, lacksOf: lacks, prospects, statesText } = await load('js/prospects.js');
  const lacksOf = (name, states, seconds) => lacks(name, states, seconds, { statesASecond: 7, statesHeld: 8 });
  const near = (found, expected, by) => assert.ok(Math.abs(found - expected) < by, `${found}, expected ${expected}`);
  for (const [side, expected] of [[3, Math.sqrt(3)], [4, 2.1304], [5, 2.3676]]) near(branching(rules.shape(side, side)), expected, 0.001);
  const all = (n) => Array.from({ length: n }, (_, i) => i);
  near(branching(rules.shape(4, 4, all(4), all(4))), 3, 1e-6);
  near(10 ** arrangements(rules.shape(3, 3)), 181440, 1);
  near(10 ** arrangements(rules.shape(3, 3, [0])), 362880, 1);
  assert.equal(statesText(arrangements(rules.shape(4, 4))), '10¹³');
  assert.equal(statesText(arrangements(rules.shape(5, 5))), '8\u00a0×\u00a010²⁴');
  const random = seeded(5);
  const hopeless = (side) => {
    const board = rules.shape(side, side);
    const needed = prospects({ board, tiles: rules.uniform(board, side * side - 1, random), blank: side * side - 1 });
    return Object.entries(needed).filter(([name, states]) => lacksOf(name, states, 20).length > 0).map(([name]) => name).sort();
  };
  assert.deepEqual(hopeless(3), []);
  for (const name of ['bfs', 'dijkstra', 'iddfs', 'bfs-tree', 'dfs']) assert.ok(hopeless(4).includes(name), name);
  for (const name of ['astar', 'ida']) assert.ok(!hopeless(4).includes(name) && hopeless(5).includes(name), name);
  const board = rules.shape(4, 4);
  const close = prospects({ board, tiles: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 0, 14, 15], blank: 15 });
  assert.ok(lacksOf('bfs', close.bfs, 20).length === 0, 'two moves from home nothing is hopeless for breadth-first search');
  assert.deepEqual(['bfs', 'ida'].map((name) => lacksOf(name, 20, 20)), [['time', 'memory'], ['time']], 'what keeps no states lacks no memory');
  for (const name of ['bfs', 'bfs-tree']) assert.deepEqual(lacksOf(name, 8.5, 300), ['memory'], name);
});

test('scrambles can be solved, are not solved, and a walk is legal', () => {
  const random = seeded(7);
  for (const [rows, cols, wrapRows, wrapCols] of [[2, 2, [], []], [3, 3, [], []], [4, 3, [1], []], [5, 5, [2], [2]], [2, 7, [], []], [10, 10, [], []]]) {
    const board = rules.shape(rows, cols, wrapRows, wrapCols);
    for (const blank of [0, rows * cols - 1, 1]) {
      for (const scrambled of [rules.uniform, rules.walk]) {
        const tiles = scrambled(board, blank, random);
        assert.deepEqual([...tiles].sort((a, b) => a - b), tiles.map((_, i) => i));
        assert.ok(rules.solvable(board, tiles, blank));
        assert.ok(!rules.solved(tiles, blank));
      }
    }
  }
});

test('the parity rule agrees with an exhaustive search on small boards', () => {
  for (const [rows, cols, wrapRows, wrapCols] of [[2, 2, [], []], [2, 3, [], []], [3, 2, [], []], [2, 3, [0], []], [3, 2, [], [1]]]) {
    const board = rules.shape(rows, cols, wrapRows, wrapCols);
    for (const blank of [0, rows * cols - 1]) {
      const reached = reachable(board, rules.whole(rows, cols, blank));
      for (const tiles of permutations(rows * cols)) assert.equal(rules.solvable(board, tiles, blank), reached.has(tiles.join()), `${rows}x${cols} ${wrapRows}|${wrapCols} ${tiles}`);
    }
  }
});

function reachable(board, from) {
  const seen = new Set([from.join()]);
  const queue = [from];
  for (const tiles of queue) {
    for (const direction of rules.DIRECTIONS) {
      const next = rules.play(board, tiles, direction);
      if (next && !seen.has(next.join())) {
        seen.add(next.join());
        queue.push(next);
      }
    }
  }
  return seen;
}

function permutations(n) {
  if (n === 1) return [[0]];
  return permutations(n - 1).flatMap((rest) => Array.from({ length: n }, (_, at) => [...rest.slice(0, at), n - 1, ...rest.slice(at)]));
}

test('swapping two tiles mends an unsolvable position', () => {
  const board = rules.shape(3, 3);
  const wrong = [2, 1, 3, 4, 5, 6, 7, 8, 0];
  assert.ok(!rules.solvable(board, wrong, 8));
  assert.ok(rules.solvable(board, rules.swapTwo(wrong), 8));
});

test('a save restores the game with its undo steps, and nonsense is refused', () => {
  const random = seeded(3);
  const board = rules.shape(4, 5, [1], [2]);
  const game = new Game({ rows: 4, cols: 5, wrapRows: [1], wrapCols: [2], blank: 7, start: rules.uniform(board, 7, random), picture: 'builtin:pond' });
  for (let i = 0; i < 60; i += 1) game.make(rules.runTo(game.board, game.hole, random(20)));
  for (let i = 0; i < 9; i += 1) game.undo();
  game.millis = 4321;
  const again = Game.fromSave(JSON.parse(JSON.stringify(game.toSave())));
  assert.deepEqual(again.toSave(), game.toSave());
  assert.deepEqual([again.tiles, again.past, again.future], [game.tiles, game.past, game.future]);
  while (again.redo());
  assert.equal(again.future.length, 0);
  const save = game.toSave();
  for (const wrong of [{ version: 2 }, { rows: 11 }, { blank: 20 }, { start: [1, 2] }, { moves: 'UX' }, { moves: `${save.moves}UUUUUUUUU` }, { runs: [[0, 900]] }, { wrap_rows: [9] }]) assert.throws(() => Game.fromSave({ ...save, ...wrong }), RangeError, JSON.stringify(wrong));
});

/** What is loaded when it is first wanted, with words of its own. */
/** The page's own words, those of recorded searches and of each place, in a language. */
async function dictionaries(language) {
  const places = (await readdir(path.join(PAGE, 'places'))).map((name) => `places/${name}/${language}.js`);
  return Promise.all([`i18n/${language}.js`, `i18n/later/${language}.js`, `trace/${language}.js`, ...places].map(async (name) => (await load(name)).default));
}

test('both languages have the same keys and the same placeholders', async () => {
  const [ens, zhs] = await Promise.all(['en', 'zh'].map(dictionaries));
  ens.forEach((words, i) => assert.deepEqual(Object.keys(zhs[i]), Object.keys(words)));
  const [en, zh] = [ens, zhs].map((list) => Object.assign({}, ...list));
  assert.equal(Object.keys(en).length, ens.reduce((sum, words) => sum + Object.keys(words).length, 0), 'no key twice');
  const names = (text) => [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name))].sort();
  for (const key of Object.keys(en)) {
    assert.deepEqual(names(zh[key]), names(en[key]), key);
    assert.ok(en[key].trim() && zh[key].trim(), key);
  }
});

test('every word that is asked for exists, and none is left over', async () => {
  const en = Object.assign({}, ...(await dictionaries('en')));
  const folders = ['js', 'trace', 'classic', 'daily', 'howto', 'lessons', 'players', ...(await readdir(path.join(PAGE, 'places'))).map((name) => `places/${name}`)];
  const modules = await Promise.all(folders.map(async (folder) => (await readdir(path.join(PAGE, folder))).map((name) => path.join(PAGE, folder, name))));
  const files = modules.flat().filter((file) => file.endsWith('.js') && !/\/(en|zh)\.js$/.test(file));
  const text = (await Promise.all([...files, path.join(PAGE, 'index.html')].map((file) => readFile(file, 'utf8')))).join('\n');
  const asked = [...text.matchAll(/\bt\('([\w.-]+)'|data-t(?:-label)?="([\w.-]+)"|text: '([\w.]+)'/g)].map((found) => found[1] ?? found[2] ?? found[3]);
  for (const key of asked) assert.ok(key in en, key);
  const built = ['picture.', 'algorithm.', 'caption.', 'badge.', 'limit.', 'way.', 'theme.', 'size.', 'error.', 'keep.', 'win.out.', 'classic.out.', 'daily.state.', 'howto.', 'lesson.', 'position.', 'file.', 'playback.', 'trace.', 'lab.fair.', 'lab.example.', 'lab.col.', 'lab.state.', 'lab.node.', 'lab.fate.', 'lab.why.', 'lab.plot.',
    'paths.brush.', 'paths.corners.', 'paths.export.', 'paths.format.', 'paths.gen.', 'paths.ground.', 'paths.legend.', 'paths.map.', 'paths.missing.', 'paths.show.', 'paths.tour.', 'paths.ways.'];
  // Words whose names are put together where they are asked for.
  for (const [, prefix] of text.matchAll(/\bt\(`([a-z][\w.-]*\.)\$\{/g)) built.push(prefix);
  for (const [, key] of text.matchAll(/\bstepper\('([\w.]+)'/g)) built.push(`${key}.`);
  for (const key of Object.keys(en)) assert.ok(text.includes(`'${key}'`) || text.includes(`"${key}"`) || built.some((prefix) => key.startsWith(prefix)), `${key} is never used`);
});

test('the solver’s stretch is none of the player’s own moves, also after the game was saved', () => {
  const game = new Game({ rows: 3, cols: 3, start: [8, 6, 7, 2, 5, 4, 3, 0, 1], picture: 'builtin:dawn' });
  for (const run of ['U', 'U', 'DD', 'R']) game.make(run);
  assert.deepEqual([game.count, game.own], [5, 5]);
  game.make('U');
  for (const move of 'ULD') game.extend(move);
  assert.deepEqual([game.count, game.own, Game.fromSave(game.toSave()).own], [9, 5, 5]);
});

test('a game that is begun anew after a move, and every one that is made of it, says so in its save', () => {
  const game = new Game({ rows: 3, cols: 3, start: [8, 6, 7, 2, 5, 4, 3, 0, 1], picture: 'builtin:dawn' });
  assert.equal(game.fromStart().restarted, false, 'nothing was played yet');
  game.make('U');
  assert.equal('restarted' in game.toSave(), false);
  const again = game.fromStart();
  assert.equal(again.toSave().restarted, true);
  assert.equal(Game.fromSave(again.toSave()).fromStart().restarted, true);
});
