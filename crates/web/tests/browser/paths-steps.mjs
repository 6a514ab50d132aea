// What the tests of Paths do again and again.

import { DESKTOP, until, visit } from './harness.mjs';

/** Opens Paths and waits for its first searches. */
export async function openPaths(browser, url, { options = DESKTOP, fragment = '' } = {}) {
  const opened = await visit(browser, `${url}paths${fragment}`, options);
  await settled(opened.page);
  return opened;
}

/** Waits until something is true of what is on the page. */
export const meet = (page, question) => until(() => page.evaluate(`import('/places/paths/place.js').then(({ inspect }) => (${question})(inspect()))`), String(question));

/** Everything that was asked has been answered, and every contestant has its answer or a reason why not. */
export const settled = (page) => meet(page, ({ busy, entries, state }) => !busy && entries.length === state.runs.length && entries.every(({ error, answer, search }) => error || (answer && search) || state.map.start < 0 || !state.map.goals.length));

/** What is on the page. */
export const shown = (page) => page.evaluate(async () => {
  const { state, entries, view, player, cheapest } = (await import('/places/paths/place.js')).inspect();
  const { map } = state;
  return {
    map: { ...map, cells: map.cells && [...map.cells] }, diagonal: state.diagonal, runs: state.runs, show: state.show, brush: state.brush, view: { ...view }, at: player.k, playing: player.playing, length: player.length, cheapest,
    entries: entries.map(({ run, answer, error, path, search }) => ({ run, answer, error: error && { message: error.message, code: error.code }, path, events: search?.rec.length ?? 0, expanded: search?.cursor.expanded ?? 0, generated: search?.cursor.generated ?? 0, cut: search?.rec.cut ?? false })),
  };
});

/** Where a cell of the first map lies on the screen. */
export const spotOf = (page, row, col, pane = 0) => page.evaluate(async ([r, c, n]) => {
  const { view } = (await import('/places/paths/place.js')).inspect();
  const box = document.getElementById(`paths-stage-${n}`).getBoundingClientRect();
  return { x: box.left + view.x + (c + 0.5) * view.scale, y: box.top + view.y + (r + 0.5) * view.scale };
}, [row, col, pane]);

/** The text with which the page asks about its map. */
export const wire = (page) => page.evaluate(async () => (await import('/places/paths/ask.js')).mapText());

/** Drags from one cell to another, which may come to lie elsewhere meanwhile: figures that change can take more room. */
export async function drag(page, from, to) {
  const a = await spotOf(page, ...from);
  let b = await spotOf(page, ...to);
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  await page.mouse.move((a.x + b.x) / 2, (a.y + b.y) / 2, { steps: 5 });
  await until(async () => {
    await page.mouse.move(b.x, b.y, { steps: 5 });
    const before = b;
    b = await spotOf(page, ...to);
    return b.x === before.x && b.y === before.y;
  }, 'the cell stays where it is');
  return { release: () => page.mouse.up() };
}
