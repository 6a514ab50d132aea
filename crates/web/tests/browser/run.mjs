// Runs files of tests side by side: `node run.mjs CONCURRENCY FILE…`. `node --test` sorts its files by name; here they begin
// in the order given, so that none of the long ones is left alone at the end. Says which files took longest. A file that fails
// beside others is run once more, alone: what fails then has failed, and what passes then is named, for its test waits wrongly.

import { run } from 'node:test';
import { dot } from 'node:test/reporters';
import { skip } from './harness.mjs';

/** A file whose browser has died fails after twenty minutes, rather than hang; the longest takes two. */
const TIMEOUT_MILLIS = 1_200_000;

const [concurrency, ...files] = process.argv.slice(2);
/** @type {Map<string, number>} What the tests of a file took, in seconds. */
const took = new Map();

/** The name of the file of a test at the top of one, or of a file that could not be run. */
const fileOf = ({ name, file = name }) => String(file).split('/').at(-1);

/** Runs files, so many at once; resolves to those of them in which a test failed, with the names of these tests. */
function runOnce(chosen, atOnce) {
  /** @type {Map<string, string[]>} */
  const failed = new Map();
  const note = (data) => {
    const file = fileOf(data);
    if (!data.nesting) took.set(file, (took.get(file) ?? 0) + data.details.duration_ms / 1000);
    return file;
  };
  const tests = run({ files: chosen, concurrency: atOnce, timeout: TIMEOUT_MILLIS });
  tests.on('test:pass', note);
  tests.on('test:fail', (data) => {
    const file = note(data);
    failed.set(file, [...(failed.get(file) ?? []), data.name]);
  });
  tests.compose(dot).pipe(process.stdout, { end: false });
  return new Promise((resolve) => { tests.on('end', () => setImmediate(() => resolve(failed))); });
}

const failed = await runOnce(files, Number(concurrency));
const longest = [...took].sort(([, one], [, other]) => other - one).slice(0, 12);
process.stdout.write(`\nlongest, in seconds: ${longest.map(([file, seconds]) => `${file.replace('.test.mjs', '')} ${seconds.toFixed(0)}`).join(', ')}\n`);
if (failed.size) {
  process.stdout.write(`\nonce more, alone: ${[...failed.keys()].join(' ')}\n`);
  const again = await runOnce([...failed.keys()], 1);
  for (const [file, names] of failed) if (!again.has(file)) skip(`${file} beside other files, where it failed; alone it passed (${names.join('; ')})`);
  process.exitCode = again.size ? 1 : 0;
}
