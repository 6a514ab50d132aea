// What players of numbers, of the day's puzzle and of the lessons are given, without a browser: averages, notation,
// the day's board, streaks, and lessons that can be done. Numbers were worked out apart from the page's code.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { COMMAND, PAGE, ROOT } from './harness.mjs';

const load = (name) => import(path.join(PAGE, name));
const rules = await load('js/rules.js');
const { averages, leftOutOf } = await load('js/scoring.js');
const { block } = await load('daily/day.js');
const day = await load('daily/day.js');
const { better, progress, streaks } = await load('daily/day.js');
const { exactText, notation, positionText } = await load('classic/notation.js');
const { STEPS } = await load('lessons/steps.js');
const { isDone, wayTo } = await load('lessons/steps.js');

test('averages leave out a twentieth at each end, rounded up', () => {
  assert.deepEqual([5, 12, 50, 100].map(leftOutOf), [1, 1, 3, 5]);
  // 10.00 and 15.00 are out; (12.34 + 11.11 + 13.37) / 3 = 12.2733…
  assert.deepEqual(averages([12340, 10000, 15000, 11110, 13370], 5), [12273]);
  // The next one falls: 10.00 is still the best, 15.00 the worst; (11.11 + 13.37 + 14.00) / 3.
  assert.deepEqual(averages([12340, 10000, 15000, 11110, 13370, 14000], 5), [12273, 12827]);
  // 9 and 300 are out: (10 + 12 + 11 + 13 + 14 + 10 + 12 + 11 + 13 + 15) / 10 = 12.1 s.
  assert.deepEqual(averages([10, 12, 9, 11, 13, 300, 14, 10, 12, 11, 13, 15].map((s) => s * 1000), 12), [12100]);
  // Squares from 1 to 50, in disorder: those of 4 to 47 add up to 35706, and 35706 / 44 = 811.5.
  const squares = Array.from({ length: 50 }, (_, i) => ((i * 37) % 50) + 1).map((n) => n * n);
  assert.deepEqual(averages(squares, 50), [812]);
  assert.deepEqual(averages(squares.slice(1), 50), []);
});

test('times are written to the millisecond', () => {
  assert.deepEqual([0, 7, 12345, 59999.4, 59999.6, 62345, 3602345].map(exactText), ['0.000', '0.007', '12.345', '59.999', '1:00.000', '1:02.345', '1:00:02.345']);
});

test('moves are the tiles’, runs compressed', () => {
  // The blank goes left twice and up: two tiles go right, one goes down.
  assert.equal(notation('LLU'), 'R2D');
  assert.equal(notation(''), '');
  assert.equal(notation('UDDDLRRRRRRRRRRR'), 'DU3RL11');
  assert.equal(positionText([4, 1, 3, 0, 2, 5], 3), '4 1 3/0 2 5');
});

test('the generator is ChaCha, as others have published its numbers', () => {
  const bytes = (words) => words.flatMap((word) => [0, 8, 16, 24].map((at) => (word >>> at) & 255)).map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const key = [0, 0, 0, 0, 0, 0, 0, 0];
  assert.equal(bytes(block(key, 0)), '3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42');
  assert.match(bytes(block(key, 0, 20)), /^76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7/);
});

/** A week, a turn of the year and a leap day, for ever the same. */
const GOLDEN = [
  ['2026-11-16', '3x3', 'spring', '5 4 7 1 6 3 0 2 8'],
  ['2026-11-17', '3x4', 'pond', '4 7 11 9 3 10 0 5 6 2 8 1'],
  ['2026-11-18', '4x4', 'panda', '4 10 11 1 5 12 3 7 0 9 6 14 15 8 2 13'],
  ['2026-11-19', '3x5', 'dawn', '11 10 6 3 7 9 13 14 0 2 1 8 5 12 4'],
  ['2026-11-20', '4x4', 'mist', '2 8 3 1 14 7 12 6 15 10 13 0 5 9 4 11'],
  ['2026-11-21', '4x5', 'night', '17 2 13 9 3 6 19 15 8 12 5 0 11 1 7 14 18 10 16 4'],
  ['2026-11-22', '5x5', 'spring', '2 21 22 10 14 5 15 17 1 13 12 3 19 8 11 0 20 18 7 4 24 9 6 16 23'],
  ['2026-12-31', '3x5', 'glaze', '1 11 4 8 6 13 2 12 5 3 0 9 10 7 14'],
  ['2027-01-01', '4x4', 'dawn', '2 8 9 7 0 11 1 15 12 3 13 4 14 6 10 5'],
  ['2028-02-29', '3x4', 'mist', '1 11 2 6 3 7 4 8 5 10 0 9'],
  ['2030-07-04', '3x5', 'dawn', '2 13 5 7 1 8 9 6 14 12 10 4 11 3 0'],
  ['2099-12-31', '3x5', 'dawn', '10 0 12 11 2 13 6 8 3 1 4 14 5 7 9'],
];

test('a date’s board is the same for ever, and the command line makes it too', async () => {
  assert.ok(GOLDEN.length >= 10);
  for (const [date, size, picture, tiles] of GOLDEN) {
    const game = day.gameOf(date);
    assert.deepEqual([`${game.rows}x${game.cols}`, game.picture, game.start.join(' ')], [size, `builtin:${picture}`, tiles], date);
    const { stdout } = await promisify(execFile)(COMMAND, ['generate', '--size', size, '--seed', date.replaceAll('-', '')]);
    assert.equal(stdout.trim(), tiles, date);
    assert.ok(rules.solvable(game.board, game.start, game.blank) && !game.fresh, date);
    assert.equal(day.dayOf(game, day.plus(date, 3)), date);
    assert.equal(day.dayOf(game, day.plus(date, -1)), null, 'no day that is yet to come');
    assert.equal(day.dayOf(game, '1970-01-01'), null, 'nor where the clock was never set');
  }
});

test('a week has all sizes once, from light to large, and four weeks show each picture', () => {
  const plans = Array.from({ length: 28 }, (_, i) => day.planOf(day.plus('2026-11-16', i)));
  assert.deepEqual(plans.slice(0, 7).map(({ rows, cols }) => `${rows}×${cols}`), ['3×3', '3×4', '4×4', '3×5', '4×4', '4×5', '5×5']);
  assert.equal(new Set(plans.map(({ picture }) => picture)).size, 7);
  assert.equal(day.plus('2028-02-28', 1), '2028-02-29');
  assert.equal(day.plus('2027-01-01', -1), '2026-12-31');
});

test('days have the boards that the server expects', async () => {
  const golden = JSON.parse(await readFile(path.join(ROOT, 'crates/game/golden/days.json'), 'utf8'));
  assert.ok(golden.length > 10);
  for (const { date, start, ...plan } of golden) {
    assert.deepEqual({ ...day.planOf(date), seed: undefined }, { ...plan, seed: undefined }, date);
    assert.deepEqual(day.startOf(date), start, date);
  }
});

test('streaks count days that were solved on their day without help', () => {
  const solved = (id, on = id, helped = false) => ({ id, on, helped, millis: 1000 });
  const days = ['2026-11-10', '2026-11-11', '2026-11-12', '2026-11-14', '2026-11-15'].map((id) => solved(id));
  assert.deepEqual(streaks(days, '2026-11-15'), { now: 2, since: '2026-11-14', best: 3 });
  assert.deepEqual(streaks(days, '2026-11-16'), { now: 2, since: '2026-11-14', best: 3 }, 'today is not over');
  assert.deepEqual(streaks(days, '2026-11-17'), { now: 0, since: '2026-11-17', best: 3 });
  assert.deepEqual(streaks([...days, solved('2026-11-13', '2026-11-16')], '2026-11-15'), { now: 2, since: '2026-11-14', best: 3 }, 'later is too late');
  assert.deepEqual(streaks([...days, solved('2026-11-13', '2026-11-13', true)], '2026-11-15'), { now: 2, since: '2026-11-14', best: 3 }, 'help does not count');
  assert.deepEqual(streaks([...days, solved('2026-11-13')], '2026-11-15'), { now: 6, since: '2026-11-10', best: 6 });
  assert.deepEqual(streaks([], '2026-11-15'), { now: 0, since: '2026-11-15', best: 0 });
  const [helped, late, own] = [solved('d', 'd', true), solved('d', 'e'), solved('d')];
  assert.equal(better(undefined, helped), helped);
  assert.equal(better(own, { ...late, millis: 1 }), own);
  assert.equal(better(helped, late), late);
  assert.equal(better(own, { ...own, millis: 999 }).millis, 1000, 'a second go is no better');
});

test('progress is told by picture, in the order of size', () => {
  const record = (category, picture) => ({ category, game: { picture } });
  const found = progress([record('5x5', 'builtin:dawn'), record('3x3', 'builtin:dawn'), record('3x3', 'builtin:dawn'), record('4x4+0|', 'builtin:dawn'), record('2x10', 'mine')],
    [{ picture: 'builtin:dawn', size: '3×4', helped: false }, { picture: 'builtin:mist', size: '3×3', helped: true }]);
  assert.deepEqual([...found], [['builtin:dawn', ['3×3', '3×4', '5×5']], ['mine', ['2×10']]]);
});

test('every lesson can be done, in a few moves, and is not done at its beginning', () => {
  const lengths = STEPS.map(({ name, rows, cols, start, goal }) => {
    const [board, blank] = [rules.shape(rows, cols), rows * cols - 1];
    assert.ok(rules.solvable(board, start, blank), name);
    const way = wayTo(board, start, goal, blank);
    assert.ok(isDone(goal, rules.play(board, start, way), blank) && !isDone(goal, start, blank), name);
    return way.length;
  });
  assert.deepEqual(lengths, [1, 3, 2, 3, 6, 4, 2, 7, 2, 3, 14]);
  assert.equal(new Set(STEPS.map(({ name }) => name)).size, STEPS.length);
});
