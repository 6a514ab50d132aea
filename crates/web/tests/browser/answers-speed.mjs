// Measures how soon auto-solve shows its first answer, and the same for a hint, at every size the page offers: from the
// click to the frame in which it can be seen.
//   npm run answers-speed

import { launch, startServer, visit } from './harness.mjs';

const TURNS = 5;
const range = (n) => Array.from({ length: n }, (_, i) => i);
const SIZES = [...range(9).map((n) => [n + 2, n + 2]), [2, 10], [10, 2], [3, 5], [5, 8]];

/** Puts a scramble on the table and presses; resolves to the milliseconds until the answer is seen. */
const answered = (page, board, what) => page.evaluate(async ({ rows, cols, wraps, press }) => {
  const session = await packed('js/session.js');
  const { Game } = await packed('js/game.js');
  const { random } = await packed('js/deals.js');
  const { shape, uniform } = await packed('js/rules.js');
  const [wrapRows, wrapCols] = wraps && Math.min(rows, cols) > 2 ? [[...Array(rows).keys()], [...Array(cols).keys()]] : [[], []];
  const start = uniform(shape(rows, cols, wrapRows, wrapCols), rows * cols - 1, random);
  session.open(new Game({ rows, cols, wrapRows, wrapCols, start, origin: 'walk' }));
  const frame = () => new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); });
  await frame();
  const $ = (id) => document.getElementById(id);
  const isThere = { solve: () => !$('playback').hidden || (!$('searching').hidden && !$('play-best').disabled), hint: () => document.querySelector('.hinted') !== null }[press];
  const began = performance.now();
  $(press).click();
  while (!isThere()) await frame();
  await frame();
  const took = performance.now() - began;
  (await packed('js/deals.js')).reset();
  await frame();
  return took;
}, { ...board, press: what });

const server = await startServer();
const browser = await launch();
try {
  const { page } = await visit(browser, server.url);
  console.log('board             first answer: median, slowest    hint: median, slowest   (ms)');
  for (const wraps of [false, true]) {
    for (const [rows, cols] of SIZES.filter((sides) => !wraps || Math.min(...sides) > 2)) {
      const times = { solve: [], hint: [] };
      for (const what of ['solve', 'hint']) for (let i = 0; i < TURNS; i += 1) times[what].push(await answered(page, { rows, cols, wraps }, what));
      const [solve, hint] = [times.solve, times.hint].map((list) => list.sort((a, b) => a - b)).map((list) => `${list[TURNS >> 1].toFixed(0).padStart(6)} ${list.at(-1).toFixed(0).padStart(6)}`);
      console.log(`${`${rows}×${cols}${wraps ? ', all wrapping' : ''}`.padEnd(28)} ${solve}          ${hint}`);
    }
  }
} finally {
  await browser.close();
  await server.clean();
}
