// How long a frame takes while a tree of ten thousand nodes is panned: `npm run tree-speed`. What the main thread works for
// it is counted in processor time, from a browser trace: a busy machine adds to how long a frame lasts, not to that.

import { launch, startServer, visit } from './harness.mjs';
import { WIDE, inLab, recorded, setup } from './lab-steps.mjs';

const FRAMES = 300;
const server = await startServer();
const browser = await launch();
const { page } = await visit(browser, `${server.url}${setup({ t: '8.6.7.2.5.4.3.0.1', who: 'astar:manhattan', tab: 'step' })}`, WIDE);
const { nodes } = await recorded(page);
await page.click('#lab-last');
const share = (list, of) => [...list].sort((a, b) => a - b)[Math.floor(of * (list.length - 1))].toFixed(1);
for (const by of [0, 1, 3, 6]) {
  await inLab(page, `(lab) => { const { tree } = lab.step.lanes[0]; tree.fit(); for (let i = 0; i < ${by}; i += 1) tree.scale(1); }`);
  await browser.startTracing(page, { categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'] });
  const frames = await inLab(page, `async (lab) => {
    const { tree } = lab.step.lanes[0];
    const frames = [];
    const send = (type, x) => tree.canvas.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: x, clientY: 400, button: 0, buttons: 1, bubbles: true }));
    tree.canvas.setPointerCapture = () => {};
    send('pointerdown', 500);
    let last = 0;
    for (let i = 0; i < ${FRAMES}; i += 1) {
      send('pointermove', 500 + 200 * Math.sin(i / 20));
      const now = await new Promise((resolve) => { requestAnimationFrame(resolve); });
      if (last) frames.push(now - last);
      last = now;
    }
    send('pointerup', 500);
    return frames;
  }`);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const worked = traceEvents.filter(({ name, tdur }) => name === 'FireAnimationFrame' && tdur > 50);
  const { pid, tid } = worked[0];
  const tasks = traceEvents.filter((event) => event.pid === pid && event.tid === tid && event.name === 'RunTask');
  const all = tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000 / FRAMES;
  const script = worked.map(({ tdur }) => tdur / 1000);
  console.log(`${nodes} nodes, enlarged ${by} times: the main thread works ${all.toFixed(1)} ms a frame, of these script ${share(script, 0.5)} ms (p95 ${share(script, 0.95)}); a frame lasts ${share(frames, 0.5)} ms (p95 ${share(frames, 0.95)})`);
}
await browser.close();
await server.clean();
