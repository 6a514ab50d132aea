// Measures the page in a real browser: first paint, bytes, and what a move costs on a 10×10 board, from a
// browser trace. A bare page is the yardstick for the paint, and a move is counted in processor time, for
// the machine may be busy with other things.
//   npm run trace

import { get } from 'node:http';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { DESKTOP, game, launch, ready, resize, startServer, visit } from './harness.mjs';

const MOVES = 100;
const LOADS = 5;
const COUNTED = new Set(['UpdateLayoutTree', 'Layout', 'FireAnimationFrame', 'TimerFire']);
const BARE = '<!doctype html><title>bare</title><h1>bare</h1>';

/** First contentful paints in fresh browsers, in milliseconds, sorted: of our page and of a bare one. */
async function paints(browser, url) {
  const times = { ours: [], bare: [] };
  for (let i = 0; i < LOADS; i += 1) {
    for (const kind of ['ours', 'bare']) {
      const context = await browser.newContext(DESKTOP);
      const page = await context.newPage();
      if (kind === 'bare') await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: BARE }));
      await page.goto(url);
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length);
      times[kind].push(await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime));
      await context.close();
    }
  }
  return { ours: times.ours.sort((a, b) => a - b), bare: times.bare.sort((a, b) => a - b) };
}

/** Timers of a second and more, which load what nobody sees at first, never fire. */
const withoutLateTimers = () => {
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (act, millis = 0, ...args) => (millis < 1000 ? setTimeout(act, millis, ...args) : 0);
};

/**
 * The files that a first visit asks for, without the pictures' own code, and the sizes of their bodies, compressed and unpacked. The icon is always
 * counted: a browser without windows does not ask for it.
 */
export async function firstLoad(browser, url, locale) {
  const context = await browser.newContext({ ...DESKTOP, locale });
  await context.addInitScript(withoutLateTimers);
  const page = await context.newPage();
  const paths = new Set(['/favicon.svg']);
  page.on('request', (request) => { if (request.url().startsWith(url)) paths.add(new URL(request.url()).pathname); });
  await page.goto(url);
  await ready(page);
  await page.waitForLoadState('networkidle');
  await context.close();
  const files = [...paths].filter((path) => !/^\/api\/|\/paint\//.test(path)).sort();
  const bodies = await Promise.all(files.map((path) => body(new URL(path, url))));
  return { files, compressed: bodies.reduce((sum, bytes) => sum + bytes.length, 0), unpacked: bodies.reduce((sum, bytes) => sum + gunzipSync(bytes).length, 0) };
}

/** The body of a file as it is sent, which must be compressed. */
const body = (url) => new Promise((resolve, reject) => {
  get(url, { headers: { 'accept-encoding': 'gzip' } }, async (response) => {
    if (response.statusCode !== 200 || response.headers['content-encoding'] !== 'gzip') reject(new Error(`${url}: ${response.statusCode}, ${response.headers['content-encoding']}`));
    else resolve(Buffer.concat(await response.toArray()));
  }).on('error', reject);
});

/** Script, style and layout for each move, in milliseconds, from a trace of real key presses. */
async function moveCosts(browser, page) {
  await browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'] });
  const around = ['ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight'];
  for (let i = 0; i < MOVES; i += 1) {
    await page.keyboard.press(around[i % 4]);
    await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); }));
  }
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const { moves } = await game(page);
  const keys = traceEvents.filter(({ name, args }) => name === 'EventDispatch' && args?.data?.type === 'keydown').sort((a, b) => a.ts - b.ts);
  const { pid, tid } = keys[0];
  const work = traceEvents.filter((event) => event.pid === pid && event.tid === tid && event.tdur && COUNTED.has(event.name));
  const costs = keys.map((key, i) => {
    const until = keys[i + 1]?.ts ?? key.ts + 20000;
    return (key.tdur + work.filter(({ ts }) => ts >= key.ts + key.dur && ts < until).reduce((sum, { tdur }) => sum + tdur, 0)) / 1000;
  });
  return { made: moves.length, costs: costs.sort((a, b) => a - b) };
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];

/** All the numbers. */
export async function measure() {
  const server = await startServer();
  const browser = await launch();
  try {
    const first = await paints(browser, server.url);
    const loads = await Promise.all(['en-US', 'zh-CN'].map((locale) => firstLoad(browser, server.url, locale)));
    const { page } = await visit(browser, server.url);
    await resize(page, 10, 10);
    await page.click('#shuffle');
    const { made, costs } = await moveCosts(browser, page);
    return { paint: at(first.ours, 0.5), bare: at(first.bare, 0.5), delay: first.ours[0] - first.bare[0], loads, made, median: at(costs, 0.5), p95: at(costs, 0.95), mean: costs.reduce((a, b) => a + b, 0) / costs.length };
  } finally {
    await browser.close();
    await server.clean();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { paint, bare, loads, made, median, p95, mean } = await measure();
  console.log(`first contentful paint   ${paint.toFixed(0)} ms (median of ${LOADS} loads; a bare page in the same run ${bare.toFixed(0)} ms)`);
  for (const { files, compressed, unpacked } of loads) console.log(`page before pictures     ${(compressed / 1000).toFixed(1)} kB compressed, ${(unpacked / 1000).toFixed(1)} kB unpacked, ${files.length} files`);
  console.log(`a move at 10×10          ${median.toFixed(2)} ms of processor time for script, style and layout (median of ${made}; mean ${mean.toFixed(2)}, 95th of 100 ${p95.toFixed(2)})`);
}
