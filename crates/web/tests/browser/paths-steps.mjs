// What the tests of Paths do again and again.

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DESKTOP, PAGE, pintu, until, visit } from './harness.mjs';

/** A module of the place, outside a browser; its words ask a document for the language. */
globalThis.document ??= /** @type {any} */ ({ documentElement: { lang: 'en' } });
export const place = (name) => import(path.join(PAGE, `places/paths/${name}.js`));
export const folder = () => mkdtemp(path.join(tmpdir(), 'pintu-paths-'));

const COUNTS = ['status', 'cost', 'optimal', 'algorithm', 'heuristic', 'expanded', 'generated', 'peak_states', 'memory', 'path'];
/** What must be the same wherever a search is counted. */
export const countsOf = (answer) => Object.fromEntries(COUNTS.map((name) => [name, answer[name]]));

/** What the command line says about the map on the page, for each contestant. */
export async function commanded(page, { map, diagonal, runs }) {
  const file = path.join(await folder(), map.kind === 'graph' ? 'map.graph' : 'map.txt');
  await writeFile(file, await wire(page));
  const spot = (at) => (map.kind === 'graph' ? map.names[at] : `${Math.floor(at / map.cols)},${at % map.cols}`);
  return Promise.all(runs.map(({ algorithm, heuristic, weight }) => pintu('path', file, '--map-format', map.format, '--from', spot(map.start), '--to', map.goals.map(spot).join(';'),
    ...(map.kind === 'graph' ? [] : ['--diagonal', diagonal]), '--algorithm', algorithm, ...(heuristic ? ['--heuristic', heuristic, '--inadmissible'] : []), ...(weight ? ['--weight', weight] : []), '--format', 'json')));
}

/** Opens Paths and waits for its first searches. */
export async function openPaths(browser, url, { options = DESKTOP, address = 'paths', fragment = '' } = {}) {
  const opened = await visit(browser, `${url}${address}${fragment}`, options);
  await settled(opened.page);
  return opened;
}

/** Waits until something is true of what is on the page. */
export const meet = (page, question) => until(() => page.evaluate(`packed('places/paths/place.js').then(({ inspect }) => (${question})(inspect()))`), String(question));

/** Everything that was asked has been answered, and every contestant has its answer or a reason why not. */
export const settled = (page) => meet(page, ({ busy, entries, state }) => !busy && entries.length === state.runs.length && entries.every(({ error, answer, search }) => error || (answer && search) || state.map.start < 0 || !state.map.goals.length));

/** What is on the page. */
export const shown = (page) => page.evaluate(async () => {
  const { state, entries, view, player, cheapest } = (await packed('places/paths/place.js')).inspect();
  const { map } = state;
  return {
    map: { ...map, cells: map.cells && [...map.cells] }, diagonal: state.diagonal, runs: state.runs, show: state.show, brush: state.brush, view: { ...view }, at: player.k, playing: player.playing, length: player.length, cheapest,
    entries: entries.map(({ run, answer, error, path: way, search }) => ({ run, answer, error: error && { message: error.message, code: error.code }, path: way, events: search?.rec.length ?? 0, expanded: search?.cursor.expanded ?? 0, generated: search?.cursor.generated ?? 0, cut: search?.rec.cut ?? false })),
  };
});

/** Where a cell of the first map lies on the screen. */
export const spotOf = (page, row, col, pane = 0) => page.evaluate(async ([r, c, n]) => {
  const { view } = (await packed('places/paths/place.js')).inspect();
  const box = document.getElementById(`paths-stage-${n}`).getBoundingClientRect();
  return { x: box.left + view.x + (c + 0.5) * view.scale, y: box.top + view.y + (r + 0.5) * view.scale };
}, [row, col, pane]);

/** The text with which the page asks about its map. */
export const wire = (page) => page.evaluate(async () => (await packed('places/paths/ask.js')).mapText());

/** Drags from one cell over others. */
export async function drag(page, from, ...over) {
  const begin = await spotOf(page, ...from);
  const spots = await Promise.all(over.map((cell) => spotOf(page, ...cell)));
  await page.mouse.move(begin.x, begin.y);
  await page.mouse.down();
  for (const { x, y } of spots) await page.mouse.move(x, y, { steps: 10 });
  return { release: () => page.mouse.up() };
}
