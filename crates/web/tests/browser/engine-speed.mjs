// The engine for browsers beside the program itself: Korf's hundred boards on one thread, in processor time, and what else a worker
// is asked for. node engine-speed.mjs, with PINTU a release build and PINTU_ENGINE a module of the profile `wasm`.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { ENGINE, createEngine } from './engine.mjs';
import { COMMAND, ROOT } from './harness.mjs';

const say = (line) => process.stdout.write(`${line}\n`);
const seconds = (micros) => (micros / 1e6).toFixed(2);
const median = (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)].toFixed(1);

const bytes = await readFile(ENGINE);
say(`engine: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} compressed`);

const begun = performance.now();
const engine = await createEngine();
say(`compiled and begun in ${(performance.now() - begun).toFixed(0)} ms`);

const boards = (await readFile(path.join(ROOT, 'data/korf100.txt'), 'utf8')).split('\n').filter((line) => /^\d/.test(line)).map((line) => line.split(/\s+/).slice(1, 17).join(' '));
const solve = (text) => engine.ask('solve', { text, goal_text: 'blank-first', limits: { seconds: 60 } });
solve(boards[0]);
const before = process.cpuUsage();
const answers = boards.map(solve);
const { user } = process.cpuUsage(before);
if (!answers.every(({ optimal }) => optimal)) throw new Error('not all are proved');
const sum = (of) => of.reduce((all, { expanded }) => all + expanded, 0);
say(`worker: ${boards.length} boards, ${sum(answers)} states, ${seconds(user)} s`);

const ran = promisify(execFile)('bash', ['-c', `TIMEFORMAT=%U; time "${COMMAND}" solve --batch --goal blank-first --threads 1 --format json`], { maxBuffer: 2 ** 26 });
ran.child.stdin.end(boards.join('\n'));
const { stdout, stderr } = await ran;
say(`program: ${sum(stdout.trim().split('\n').map((line) => JSON.parse(line)))} states, ${stderr.trim()} s`);

// Pattern tables, which a worker builds for itself, beside the bytes that a site would send instead.
for (const side of [4, 5]) {
  const [fresh, folder] = [await createEngine(), await mkdtemp(path.join(tmpdir(), 'pintu-tables-'))];
  const text = [...Array(side * side - 2).keys()].map((cell) => cell + 1).concat(0, side * side - 1).join(' ');
  const since = process.cpuUsage();
  fresh.ask('solve', { text, algorithm: 'ida', heuristic: 'pattern' });
  const { user: spent } = process.cpuUsage(since);
  await promisify(execFile)(COMMAND, ['tables', 'build', '--size', `${side}x${side}`, '--tables', folder]);
  const files = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name))));
  say(`tables of ${side}×${side}: built in ${seconds(spent)} s; ${gzipSync(Buffer.concat(files), { level: 9 }).length} bytes compressed`);
  await rm(folder, { recursive: true });
}

// A goal that is dragged about: the map is known by its id.
const side = 512;
let seed = 1;
const random = () => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 2147483648; };
const rows = Array.from({ length: side }, () => Array.from({ length: side }, () => (random() < 0.25 ? '2' : '0')).join(''));
const map = `${side} ${side}\n${rows.join('\n')}\n`;
const open = [];
for (let at = 0; open.length < 60; at += 4099) { const cell = [at % side, (at * 7) % side]; if (rows[cell[0]][cell[1]] === '0') open.push(cell); }
const { map: id } = engine.call('path', { map, format: 'sea', from: open[0], to: [open[1]] });
const ask = (from, to) => engine.ask('path', { map_id: id, format: 'sea', from, to: [to], limits: { seconds: 10 } });
// Not from a cell that walls shut in.
const from = open.find((cell) => ask(cell, open.at(-1)).status === 'found' && ask(cell, open.at(-2)).status === 'found');
const drags = open.map((to) => {
  const since = performance.now();
  ask(from, to);
  return performance.now() - since;
});
say(`goal moved on ${side}×${side}: ${median(drags)} ms at the median, ${Math.max(...drags).toFixed(1)} at most`);
