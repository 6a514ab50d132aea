// The figures of the guide are those that the program counts.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { ROOT, pintu, pintuLines } from './harness.mjs';
import { HARDEST } from './lab-steps.mjs';
import { folder, place } from './paths-steps.mjs';

const texts = await Promise.all(['guide.md', 'guide.zh.md'].map((name) => readFile(path.join(ROOT, 'docs', name), 'utf8')));
const whole = (value) => Math.round(value).toLocaleString('en');
/** The rows of a text's n-th table, below its head. */
const rowsOf = (text, n) => text.split('\n\n').filter((part) => part.startsWith('|'))[n].trim().split('\n').slice(2).map((row) => row.split('|').slice(1, -1).map((cell) => cell.trim()));
const compare = (who, args, board = '') => pintuLines(['compare', ...args, '--algorithms', who.join(','), '--format', 'json'], board);

test('the table of the hardest 8-puzzle', async () => {
  const lines = await compare(['bfs', 'bidirectional', 'astar:misplaced', 'astar:manhattan', 'astar:linear-conflict', 'astar:pattern', 'wastar:manhattan:5', 'ida:linear-conflict'], ['-'], HARDEST.replaceAll('.', ' '));
  for (const text of texts) {
    const rows = rowsOf(text, 0);
    assert.deepEqual(rows.map((row) => row.slice(1, 4)), lines.map(({ expanded, peak_states: peak, length }) => [expanded, peak, length].map(whole)));
    for (const [row, { optimal, length }] of lines.entries()) assert.match(rows[row][4], optimal ? /^(yes|是)$/ : new RegExp(`\\+${length - 31}\\D+\\+${Math.round((100 * (length - 31)) / 31)}%`));
  }
});

test('the averages, and what depth-first search finds', async () => {
  const [bfs, both, dijkstra, weighted] = await compare(['bfs', 'bidirectional', 'dijkstra', 'wastar:manhattan:5'], ['--size', '3x3', '--scrambles', '50', '--seed', '1']);
  const [shortest, deep] = await compare(['bfs', 'dfs'], ['-', '--goal', '1 2 3 8 0 4 7 6 5', '--max-depth', '31'], '2 7 3 6 0 4 5 8 1');
  const figures = [...[bfs, both, dijkstra, weighted, deep].map(({ expanded }) => whole(expanded)), ...[bfs, weighted].map(({ length }) => length.toFixed(1)), deep.length, shortest.length];
  for (const text of texts) {
    const advice = text.split('\n## ')[2];
    assert.deepEqual(figures.filter((figure) => !new RegExp(`(?<![\\d.,])${figure}(?![\\d.,]*\\d)`).test(advice)), [], advice);
  }
});

test('the table of the meadow, and the figures of the trap', async () => {
  const [{ builtin }, { fileText }] = await Promise.all([place('builtin'), place('formats')]);
  const count = async (name, algorithm) => {
    const file = path.join(await folder(), 'map.txt');
    await writeFile(file, fileText(builtin(name)));
    return pintu('path', file, '--diagonal', 'no-corners', '--algorithm', algorithm, '--format', 'json');
  };
  const meadow = await Promise.all(['bfs', 'dijkstra', 'greedy', 'astar', 'wastar'].map((algorithm) => count('meadow', algorithm)));
  const [jumps, best, greedy] = await Promise.all(['jps', 'astar', 'greedy'].map((algorithm) => count('trap', algorithm)));
  for (const text of texts) {
    const rows = rowsOf(text, 1);
    assert.deepEqual(rows.map((row) => row.slice(1, 3)), meadow.map(({ expanded, cost }) => [whole(expanded), cost.toFixed(2)]));
    for (const row of [2, 4]) assert.match(rows[row][3], new RegExp(`\\D${whole(100 * (meadow[row].cost / meadow[1].cost - 1))}%`));
    const trap = text.split('\n![').find((part) => part.includes('](guide/meadow-astar.svg)'));
    assert.deepEqual([jumps.expanded, best.expanded, greedy.expanded, Math.round(100 * (greedy.cost / best.cost - 1))], (trap.split('\n\n')[1].match(/\d+/g) ?? []).map(Number), trap);
  }
});
