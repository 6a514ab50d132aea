// Measures Paths on the largest map: what a frame costs while a search is played, and how long it takes from a move of
// the goal until the new path is on the screen. Times of frames are processor time, from a trace, for the machine may be
// busy with other things.
//   npm run paths-speed

import { pathToFileURL } from 'node:url';
import { launch, startServer } from './harness.mjs';
import { meet, openPaths, settled } from './paths-steps.mjs';

export const SIDE = 512;
const MOVES = 60;
export const WIDE = { viewport: { width: 1440, height: 900 }, locale: 'en-US' };
const COUNTED = new Set(['FireAnimationFrame', 'UpdateLayoutTree', 'Layout', 'PrePaint', 'Paint', 'Layerize', 'Commit']);

export const sorted = (list) => list.sort((a, b) => a - b);
export const at = (list, share) => list[Math.min(list.length - 1, Math.floor(list.length * share))];

/** What each frame costs while a recorded search of 200,000 events is played as fast as it can. */
async function playing(browser, page) {
  await page.selectOption('#paths-player-speed', { index: 7 });
  await page.click('#paths-player-first');
  await page.evaluate(() => {
    window.stamps = [];
    const stamp = (now) => { window.stamps.push(now); window.frame = requestAnimationFrame(stamp); };
    requestAnimationFrame(stamp);
  });
  await browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'] });
  await page.click('#paths-player-play');
  await meet(page, ({ player }) => !player.playing && player.k === player.length);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const stamps = await page.evaluate(() => { cancelAnimationFrame(window.frame); return window.stamps; });
  const frames = traceEvents.filter(({ name, tdur }) => name === 'FireAnimationFrame' && tdur);
  const { pid, tid } = frames[0];
  const begins = sorted([...new Set(traceEvents.filter((event) => event.pid === pid && event.tid === tid && event.name === 'FireAnimationFrame').map(({ ts }) => ts))]);
  const work = traceEvents.filter((event) => event.pid === pid && event.tid === tid && event.tdur && COUNTED.has(event.name));
  // Callbacks of one frame follow each other at once; what comes later than that belongs to the next.
  const frameStarts = begins.filter((ts, i) => i === 0 || ts - begins[i - 1] > 4000);
  const costs = frameStarts.map((ts, i) => work.filter((event) => event.ts >= ts && event.ts < (frameStarts[i + 1] ?? Infinity)).reduce((sum, { tdur }) => sum + tdur, 0) / 1000);
  const gaps = stamps.slice(1).map((now, i) => now - stamps[i]);
  return { frames: costs.length, costs: sorted(costs), gaps: sorted(gaps) };
}

/** Milliseconds from a move of the goal to the frame that shows the new path. */
export const dragging = (page) => page.evaluate(async ([moves, side]) => {
  const [{ inspect }, runner] = await Promise.all([packed('places/paths/place.js'), packed('places/paths/runner.js')]);
  let heard = () => {};
  runner.on('answers', (number) => { if (number === 0) heard(); });
  const { state, view } = inspect();
  const stage = document.getElementById('paths-stage-0');
  const box = stage.getBoundingClientRect();
  const fire = (type, cell) => stage.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, button: 0, buttons: 1, isPrimary: true, clientX: box.left + view.x + ((cell % side) + 0.5) * view.scale, clientY: box.top + view.y + (Math.floor(cell / side) + 0.5) * view.scale }));
  stage.setPointerCapture = () => {};
  const free = [];
  for (let cell = state.map.goals[0]; free.length < moves && cell > 0; cell -= 1) if (state.map.cells[cell] === 1) free.push(cell);
  const times = [];
  fire('pointerdown', state.map.goals[0]);
  for (const cell of free.slice(1)) {
    const answered = new Promise((resolve) => { heard = () => resolve(null); });
    const began = performance.now();
    fire('pointermove', cell);
    if (state.map.goals[0] !== cell) continue;
    await answered;
    const solved = performance.now();
    if (inspect().entries[0].answer.status !== 'found') continue;
    inspect().pane.flush();
    times.push({ solved: solved - began, drawn: performance.now() - began, server: inspect().entries[0].answer.seconds * 1000, cost: inspect().entries[0].answer.cost });
  }
  fire('pointerup', state.map.goals[0]);
  return times;
}, [MOVES, SIDE]);

/** All the numbers. */
export async function measure() {
  const server = await startServer();
  const browser = await launch();
  try {
    const { page } = await openPaths(browser, server.url, { options: WIDE, fragment: `#map=random:${SIDE}x${SIDE}:1:25&a=dijkstra&w=no-corners` });
    const played = await playing(browser, page);
    await page.evaluate(async () => { const { setRuns, runOf } = await packed('places/paths/state.js'); setRuns([runOf('auto')]); });
    await settled(page);
    const moved = await dragging(page);
    return { played, moved };
  } finally {
    await browser.close();
    await server.clean();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { played, moved } = await measure();
  const of = (name) => sorted(moved.map((one) => one[name]));
  console.log(`a frame of a search on ${SIDE} × ${SIDE}   ${at(played.costs, 0.5).toFixed(2)} ms of processor time (median of ${played.frames}; 95th of 100 ${at(played.costs, 0.95).toFixed(2)}); frames came every ${at(played.gaps, 0.5).toFixed(1)} ms (95th ${at(played.gaps, 0.95).toFixed(1)})`);
  console.log(`dragging the goal with auto      ${at(of('drawn'), 0.5).toFixed(2)} ms from the move to the drawn path (median of ${moved.length}; 10th ${at(of('drawn'), 0.1).toFixed(2)}, 95th ${at(of('drawn'), 0.95).toFixed(2)}); the answer after ${at(of('solved'), 0.5).toFixed(2)} ms, the search itself ${at(of('server'), 0.5).toFixed(2)} ms`);
}
