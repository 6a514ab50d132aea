// Lab and Paths in a lecture hall: the presentation, the boards of the tree, and lists in the order in which states are taken.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, stage, still, until } from './harness.mjs';
import { WIDE, inLab, opener, place, recorded, settledTrees } from './lab-steps.mjs';
import { cutOff, objections } from './looks.mjs';
import { openPaths, shown } from './paths-steps.mjs';

const held = stage();
const open = opener(held);

const speak = (page, language) => page.evaluate(async (name) => (await packed('js/i18n.js')).setLanguage(name), language);
/** A browser that gives no full screen: its window can have any size. */
const refuse = (page) => page.evaluate(() => { window.granted = Element.prototype.requestFullscreen; Element.prototype.requestFullscreen = () => Promise.reject(new TypeError('not here')); });
const presenting = (page) => page.evaluate(() => document.querySelector('.present') !== null);

/** What is wrong with a presentation as it is now, in a window of this width. */
async function faultsOf(page, width, unit, { said, main }) {
  const seen = await page.evaluate(([sentence, picture]) => {
    const size = (selector) => parseFloat(getComputedStyle(document.querySelector(`.present ${selector}`)).fontSize);
    const box = (selector) => document.querySelector(`.present ${selector}`).getBoundingClientRect();
    const inside = ['.present-stage', '.present-side', '.present-bar', '.code', '.list-box'].filter((selector) => { const { left, right, top, bottom } = box(selector); return left < 0 || right > innerWidth + 1 || top < 0 || bottom > innerHeight + 1; });
    const rows = [...document.querySelectorAll('.present .list-row > span, .present .code li')].filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent);
    const [lit, panel] = [box('.code .lit'), document.querySelector('.present .code').parentElement.getBoundingClientRect()];
    return { isLitSeen: lit.top >= panel.top && lit.bottom <= panel.bottom, code: size('.code li'), list: size('.list-row'), said: size(sentence), share: (box(picture).width * box(picture).height) / (innerWidth * innerHeight), wide: document.documentElement.scrollWidth, inside, rows };
  }, [said, main]);
  const faults = [];
  if (seen.code < 20 * unit || seen.list < 20 * unit || seen.said < 28 * unit) faults.push(`letters of ${seen.code}, ${seen.list}, ${seen.said}`);
  if (!seen.isLitSeen) faults.push('the line that runs is out of sight');
  if (seen.wide > width) faults.push(`${seen.wide} wide`);
  if (width >= 1440 && (seen.share < (width >= 1920 ? 0.6 : 0.5) || seen.inside.length)) faults.push(`${seen.share} of the screen; outside: ${seen.inside}`);
  return [...faults, ...seen.rows, ...(await cutOff(page))];
}

/** So often at most a window is looked at: the page follows a new size frame by frame, on a busy machine slowly. */
const MOST_LOOKS = 20;

/** What stays wrong with a presentation at each size of window, in both languages, light and dark. */
async function faultsAt(page, sizes, parts) {
  const all = [];
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    for (const [language, look] of [['en', 'light'], ['zh', 'dark']]) {
      await speak(page, language);
      await page.evaluate((name) => { document.documentElement.dataset.look = name; }, look);
      const unit = Math.max(1, Math.min(width / 1920, height / 1080));
      await page.waitForFunction((wanted) => Math.abs(Number(document.documentElement.style.getPropertyValue('--unit')) - wanted) < 0.01, unit);
      let faults = [];
      for (let looks = 0; looks < MOST_LOOKS && (!looks || faults.length); looks += 1) {
        await still(page);
        faults = await faultsOf(page, width, unit, parts);
      }
      all.push(...faults.map((fault) => `${width}×${height} ${language}: ${fault}`));
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await speak(page, 'en');
  return [...all, ...(await objections(page))];
}

const SIZES = [[1920, 1080], [3840, 2160], [1440, 900], [768, 1024], [360, 740]];

test('the Lab is presented: large, complete, by keys alone, and goes back to what it was', async () => {
  const { page, problems } = await open({ who: 'astar:manhattan bfs', tab: 'step' });
  const { length } = await recorded(page);
  await page.focus('#lab h1');
  const order = () => page.$$eval('#lab *', (nodes) => nodes.filter(({ id, className }) => id && className !== 'list-row').map(({ id }) => id).join(' '));
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key);
  await page.waitForSelector('.list-row');
  const before = await order();
  await refuse(page);
  await page.keyboard.press('f');
  assert.deepEqual(await faultsAt(page, SIZES, { said: '.sentence', main: '.present-stage' }), []);
  assert.equal(await page.isVisible('.top'), false);
  assert.equal(await page.isVisible('#lab-step-run'), false, 'what is set up is hidden');
  const at = await place(page);
  await page.keyboard.press('ArrowRight');
  assert.ok((await place(page)) > at);
  await page.keyboard.press('End');
  assert.equal(await place(page), length);
  await page.keyboard.press('Home');
  const speed = () => page.inputValue('#lab-speed');
  const usual = Number(await speed());
  await page.keyboard.press('ArrowUp');
  assert.ok(Number(await speed()) > usual);
  await page.keyboard.press('ArrowDown');
  assert.equal(Number(await speed()), usual);
  // A click must not take the arrows away from the steps.
  await page.click('#tree');
  await page.keyboard.press(' ');
  await until(async () => (await place(page)) === length, 'it plays to the end');
  assert.deepEqual([await page.isVisible('#lab-code'), await page.isVisible('#lab-node')], [true, false]);
  await page.keyboard.press('p');
  assert.deepEqual([await page.isVisible('#lab-code'), await page.isVisible('#lab-node')], [false, true]);
  await page.keyboard.press('?');
  await page.waitForSelector('dialog[open] .present-keys');
  assert.match(await page.innerText('.present-keys'), /One step back, one step on[\s\S]*Next panel[\s\S]*Leave/);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('.present') && !('presenting' in document.documentElement.dataset));
  assert.equal(await order(), before, 'everything is in its place again');
  assert.equal(await page.isVisible('#lab-node'), true);
  await page.evaluate(() => { Element.prototype.requestFullscreen = window.granted; });
  await page.click('#lab-present');
  assert.equal(await presenting(page), true, 'the button does it, too');
  await page.waitForFunction(() => document.fullscreenElement === document.documentElement);
  await page.evaluate(() => document.exitFullscreen());
  await page.waitForFunction(() => !document.querySelector('.present'), 'who leaves the full screen leaves the presentation');
  assert.equal(await presenting(page), false);
  // The key is the place's again.
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'The Lab', exact: true }).waitFor();
  assert.deepEqual(problems, []);
});

test('Paths is presented by the same means, also where there is no full screen, with figures as large as their cells', async () => {
  const { page, problems } = await openPaths(held.browser, held.server.url, { options: WIDE, fragment: '#map=map:meadow&a=astar&w=no-corners' });
  await refuse(page);
  await page.focus('#paths-player-play');
  await page.keyboard.press('Home');
  for (let i = 0; i < 20; i += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('f');
  assert.deepEqual(await faultsAt(page, SIZES, { said: '.said', main: '.present-stage' }), []);
  await page.setViewportSize({ width: 3840, height: 2160 });
  const { view } = await shown(page);
  assert.ok(view.scale > 60, `cells have ${view.scale} pixels`);
  const fonts = await page.evaluate(async () => {
    const { pane } = (await packed('places/paths/place.js')).inspect();
    const { svgSheet } = await packed('trace/export.js');
    return [60, 120].map((scale) => { const sheet = svgSheet(); pane.drawOn(sheet, scale); return Math.max(...sheet.text.match(/600 [\d.]+px/g).map((font) => parseFloat(font.slice(4)))); });
  });
  assert.equal(fonts[1], fonts[0] * 2);
  const at = async () => (await shown(page)).at;
  const was = await at();
  await page.keyboard.press('ArrowLeft');
  assert.ok((await at()) < was);
  await page.keyboard.press('p');
  assert.deepEqual([await page.isVisible('.legend'), await page.isVisible('.present .code')], [true, false]);
  await page.keyboard.press('Escape');
  assert.equal(await presenting(page), false);
  assert.equal(await page.isVisible('#paths-where .code'), true);
  assert.deepEqual(problems, []);
});

/** In the page: how often the first of the open list is not what is expanded next. */
const WRONG = `async (rec) => {
  const [{ createCursor }, { takenOrder }] = [await packed('trace/cursor.js'), await packed('trace/order.js')];
  const cursor = createCursor(rec);
  let [wrong, checked] = [0, 0];
  for (let k = 0; k < rec.length; k += 1) {
    if (rec.what[k] !== 0) continue;
    cursor.seek(k);
    const order = takenOrder(rec, cursor);
    let first = -1;
    for (let n = 0; n < rec.nodes; n += 1) if (cursor.statuses[n] === 1 && (first < 0 || order(n, first) < 0)) first = n;
    if (first >= 0) checked += 1;
    if (first >= 0 && first !== rec.node[k]) wrong += 1;
  }
  return { wrong, checked };
}`;

test('the first of the open list is what is expanded next, whichever search it is, on boards and on maps', async () => {
  const lab = await open({ t: '5.1.3.0.2.6.4.7.8', who: 'astar:manhattan', tab: 'step' });
  await recorded(lab.page);
  const ofBoards = await lab.page.evaluate(`(async () => {
    const wrong = ${WRONG};
    const { wishOf } = await packed('places/lab/engine.js');
    const { port } = await packed('js/port.js');
    const { decodeRecording } = await packed('trace/recording.js');
    const found = {};
    for (const [algorithm, heuristic, weight] of [['astar', 'manhattan'], ['astar', 'misplaced'], ['greedy', 'manhattan'], ['wastar', 'manhattan', 5], ['bfs'], ['dijkstra'], ['bidirectional'], ['ida', 'manhattan'], ['dfs']]) {
      const rec = decodeRecording(await port.trace({ ...wishOf({ algorithm, heuristic: heuristic ?? '', weight: weight ?? '' }), events: 3000 }).promise);
      found[algorithm + (heuristic ?? '')] = await wrong(rec);
    }
    return found;
  })()`);
  for (const [name, { wrong, checked }] of Object.entries(ofBoards)) assert.ok(wrong === 0 && checked > 0, `${name}: ${wrong} of ${checked}`);
  const paths = await openPaths(held.browser, held.server.url, { fragment: '#map=map:meadow&a=astar&a=dijkstra&a=greedy&a=wastar&w=no-corners' });
  const ofMaps = await paths.page.evaluate(`(async () => {
    const wrong = ${WRONG};
    const { inspect } = await packed('places/paths/place.js');
    const { port } = await packed('js/port.js');
    const { questionOf } = await packed('places/paths/ask.js');
    const { decodeRecording } = await packed('trace/recording.js');
    const found = {};
    for (const algorithm of ['astar', 'dijkstra', 'greedy', 'wastar', 'bfs', 'bidirectional']) found[algorithm] = await wrong(decodeRecording(await port.trace({ ...questionOf({ algorithm, heuristic: '', weight: algorithm === 'wastar' ? '5' : '' }), events: 3000 }).promise));
    return found;
  })()`);
  for (const [name, { wrong, checked }] of Object.entries(ofMaps)) assert.ok(wrong === 0 && checked > 0, `${name}: ${wrong} of ${checked}`);
  // And that is what is listed beside the map while somebody steps.
  const { page } = paths;
  await page.focus('#paths-player-play');
  await page.keyboard.press('Home');
  for (let i = 0; i < 12; i += 1) await page.keyboard.press('ArrowRight');
  const first = async () => { const [row, col] = (await page.innerText('#paths-where .list-row:first-child .list-state')).split(', '); return `row ${row}, column ${col} `; };
  await until(async () => { const next = await first(); await page.keyboard.press('ArrowRight'); const taken = (await page.innerText('#paths-said')).includes(`expands ${next}`); await page.keyboard.press('ArrowLeft'); return taken; }, 'the first row is taken next');
  const { bottom } = await page.$eval('#paths-where .list-box', (node) => node.getBoundingClientRect().toJSON());
  assert.ok(bottom <= (page.viewportSize()?.height ?? 0), `the list ends at ${bottom}`);
  const deep = await openPaths(held.browser, held.server.url, { fragment: '#map=map:meadow&a=ida' });
  assert.equal(await deep.page.isVisible('#paths-where .list-box'), false, 'IDA* keeps no lists');
  assert.equal(await deep.page.isVisible('#paths-list-open'), false);
  assert.deepEqual([...lab.problems, ...paths.problems], []);
});

test('nodes are boards with their sums, all that is there is in view, and the way back shows the same', async () => {
  const { page, problems } = await open({ who: 'astar:manhattan', tab: 'step' });
  const { expansions } = await recorded(page);
  await page.focus('#lab h1');
  const look = async () => {
    await settledTrees(page);
    return inLab(page, `(lab) => {
      const { tree: { scene }, rec, cursor } = lab.step.lanes[0];
      const { width, height, sizes, view } = scene;
      const there = Array.from({ length: rec.nodes }, (_, n) => n).filter((n) => cursor.statuses[n]);
      const out = there.filter((n) => { const [x, y] = scene.at(n); const [w, h] = [sizes.board.width / 2, sizes.board.height / 2]; return x < w || y < h || x > width - w || y > height - h - sizes.letters; });
      return { count: there.length, out, cell: sizes.cell, label: scene.label(1, 5), view: Object.values(view).map(Math.round).join(' ') };
    }`);
  };
  const first = await look();
  assert.deepEqual([first.count, first.out], [1, []], 'the start is there before anything has happened');
  assert.ok(first.cell >= 11, `its cells have ${first.cell} pixels`);
  assert.equal(first.label, 'f = 1 + 5');
  const views = [first.view];
  for (let i = 0; i < expansions; i += 1) {
    await page.keyboard.press('ArrowRight');
    const { out, cell, view } = await look();
    assert.deepEqual(out, [], `expansion ${i + 1}`);
    assert.ok(cell >= 11, `expansion ${i + 1}: cells of ${cell}`);
    views.push(view);
  }
  for (let i = expansions; i > 0; i -= 1) {
    assert.equal((await look()).view, views[i], `back at ${i}`);
    await page.keyboard.press('ArrowLeft');
  }
  // The drawing that is exported is what is on the screen.
  const drawing = await inLab(page, "async (lab) => (await packed('trace/card.js')).cardSvg({ title: 'A tree', panels: [{ ...lab.step.lanes[0].tree.panel(), name: 'One', lines: [] }], colours: { ground: '#fff', ink: '#000', quiet: '#777' } })");
  assert.match(drawing, />f = 0 \+ 4<\/text>/);
  assert.deepEqual(problems, []);
});

test('on a phone code and lists have letters of 13 pixels at least, and four maps are two by two', async () => {
  const device = { ...PHONE, viewport: { width: 360, height: 740 } };
  const { page, problems } = await open({ lab: '4x4', t: '1.2.3.4.5.6.7.8.9.10.11.12.0.13.14.15', who: 'astar:manhattan', tab: 'step' }, device);
  await recorded(page);
  await page.click('#lab-forward');
  await page.click('#open-where');
  const small = (scope) => page.$$eval(`${scope} :is(.code li, .list-row > span, .sort)`, (nodes) => nodes.filter((node) => parseFloat(getComputedStyle(node).fontSize) < 13 || node.scrollWidth > node.clientWidth + 1).map((node) => `${node.className} ${getComputedStyle(node).fontSize} ${node.textContent}`));
  await page.waitForSelector('dialog[open] .sort');
  assert.deepEqual([...(await small('dialog[open]')), ...(await small('#panel-step'))], []);
  const paths = await openPaths(held.browser, held.server.url, { options: device });
  const [player, ...maps] = await paths.page.$$eval('#paths-player, .stage', (nodes) => nodes.sort((a, b) => Number(b.id === 'paths-player') - Number(a.id === 'paths-player')).map((node) => node.getBoundingClientRect().toJSON()));
  assert.deepEqual([maps.length, new Set(maps.map(({ left }) => left)).size, new Set(maps.map(({ top }) => top)).size], [4, 2, 2]);
  for (const { bottom, height } of maps) assert.ok(bottom <= player.top && height >= 80, JSON.stringify({ bottom, height, player: player.top }));
  // The line that runs stands with the sentence, and the whole code under the maps.
  await paths.page.click('#paths-player-back');
  assert.equal(await paths.page.textContent('#paths-line-low'), (await paths.page.textContent('#paths-code .lit')).trim());
  const line = await paths.page.$eval('#paths-line-low', (node) => ({ ...node.getBoundingClientRect().toJSON(), size: parseFloat(getComputedStyle(node).fontSize) }));
  assert.ok(line.bottom < 740 && line.height > 15 && line.size >= 13, JSON.stringify(line));
  await paths.page.click('#paths-bar-settings');
  await paths.page.waitForSelector('dialog[open] .list-row');
  assert.deepEqual(await paths.page.$$eval(':is(#paths-code li, dialog[open] .list-row > span)', (nodes) => nodes.filter((node) => parseFloat(getComputedStyle(node).fontSize) < 13).length), 0);
  assert.deepEqual([...problems, ...paths.problems], []);
});
