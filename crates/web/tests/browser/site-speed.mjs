// Measures the site without a server beside the same page served: the first paint and the bytes of a first visit, how soon a
// worker is ready to answer, and how long a goal that is dragged over the largest map takes until its path is drawn.
// node site-speed.mjs, with PINTU and PINTU_SERVE release builds and PINTU_ENGINE a module of the profile `wasm`.

import { gzipSync } from 'node:zlib';
import { ENGINE } from './engine.mjs';
import { DESKTOP, launch, ready, startServer } from './harness.mjs';
import { SIDE, WIDE, at, dragging, sorted } from './paths-speed.mjs';
import { openPaths, settled } from './paths-steps.mjs';
import { hostSite } from './site-steps.mjs';

const LOADS = 7;
const say = (line) => process.stdout.write(`${line}\n`);
const spread = (times) => `${at(sorted(times), 0.5).toFixed(0)} ms (median of ${times.length}, least ${times[0].toFixed(0)})`;

/** The first contentful paint of a visit, and the bytes of what it asked for, compressed. */
async function load(browser, url) {
  const context = await browser.newContext(DESKTOP);
  const page = await context.newPage();
  const bodies = [];
  page.on('response', (response) => bodies.push(response.body().catch(() => Buffer.alloc(0))));
  await page.goto(url);
  await ready(page);
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length);
  const paint = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0].startTime);
  const bytes = (await Promise.all(bodies)).reduce((sum, body) => sum + (body.length ? gzipSync(body, { level: 9 }).length : 0), 0);
  await context.close();
  return { paint, bytes };
}

/** Milliseconds until the first worker is ready, from when it is wanted: its code is fetched, too. */
async function beginning(browser, url) {
  const context = await browser.newContext(DESKTOP);
  const page = await context.newPage();
  await page.goto(url);
  await ready(page);
  const times = await page.evaluate(async () => {
    const workers = await packed('js/workers.js');
    const begun = performance.now();
    await workers.ready();
    return performance.now() - begun;
  });
  await context.close();
  return times;
}

const [server, host, browser] = [await startServer({ engine: ENGINE }), await hostSite(), await launch()];
try {
  const loads = { site: [], served: [] };
  for (let i = 0; i < LOADS; i += 1) {
    loads.site.push(await load(browser, host.url));
    loads.served.push(await load(browser, server.url));
  }
  for (const [name, all] of Object.entries(loads)) say(`${name}: first paint ${spread(all.map(({ paint }) => paint))}, ${(all[0].bytes / 1000).toFixed(1)} kB compressed`);
  const readies = [];
  for (let i = 0; i < LOADS; i += 1) readies.push(await beginning(browser, host.url));
  say(`a worker ready: ${spread(readies)}`);
  const { page } = await openPaths(browser, host.url, { options: WIDE, address: 'paths/', fragment: `#map=random:${SIDE}x${SIDE}:1:25&a=auto&w=no-corners` });
  await settled(page);
  const moved = await dragging(page);
  const of = (name) => sorted(moved.map((one) => one[name]));
  say(`goal dragged on ${SIDE} × ${SIDE}: drawn after ${at(of('drawn'), 0.5).toFixed(1)} ms (median of ${moved.length}; 95th of 100 ${at(of('drawn'), 0.95).toFixed(1)}), answered after ${at(of('solved'), 0.5).toFixed(1)} ms`);
} finally {
  await browser.close();
  await host.clean();
  await server.clean();
}
