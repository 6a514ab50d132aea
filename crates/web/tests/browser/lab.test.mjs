// The lab: races, steps, counts that are the command line's, and everything reachable without a mouse.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { DESKTOP, PHONE, pintuLines, stage, until, visit } from './harness.mjs';
import { cutOff, objections } from './looks.mjs';

const held = stage();
const WIDE = { ...DESKTOP, viewport: { width: 1440, height: 900 } };
const HARDEST = '8.6.7.2.5.4.3.0.1';
const EIGHT = '1.2.3.5.0.6.4.7.8';

const setup = (fields) => `lab#${new URLSearchParams({ lab: '3x3', t: EIGHT, ...fields })}`;
const open = (fields, options = WIDE, script = null) => visit(held.browser, `${held.server.url}${setup(fields)}`, options, script);

/** A figure of the race's table, as a number. */
const figure = async (page, row, column) => Number((await page.innerText(`#lab-race tr[data-contestant="${row}"] td.${column}`)).replace(/[^\d.]/g, ''));
const status = (page, row) => page.getAttribute(`#lab-race tr[data-contestant="${row}"]`, 'data-status');
const finished = (page, rows) => until(async () => (await Promise.all(Array.from({ length: rows }, (_, row) => status(page, row)))).every((word) => word === 'solved'), 'the race ends');

/** The lab's parts, for what cannot be seen. */
const inLab = (page, question, argument = null) => page.evaluate(`(async () => { const { parts } = await import('/places/lab/place.js'); return (${question})(parts(), ${JSON.stringify(argument)}); })()`);
const recorded = async (page) => { await page.waitForSelector('#lab-player:not([hidden])'); return inLab(page, '(lab) => ({ length: lab.step.lanes[0].rec.length, expansions: lab.step.lanes[0].rec.expansions, nodes: lab.step.lanes[0].rec.nodes, goal: lab.step.lanes[0].rec.goalEvent })'); };
const place = (page) => inLab(page, '(lab) => lab.step.player.k');

test('a race runs to its end, and its counts are the command line’s', async () => {
  const who = ['bfs', 'bidirectional', 'astar:manhattan', 'wastar:manhattan:5', 'ida:linear-conflict'];
  const { page, problems } = await open({ t: HARDEST, who: who.join(' '), tab: 'race' });
  await finished(page, who.length);
  const lines = await pintuLines(['compare', '-', '--algorithms', who.join(','), '--format', 'json'], HARDEST.replaceAll('.', ' '));
  assert.equal(lines.length, who.length);
  for (const [row, line] of lines.entries()) {
    assert.equal(line.contestant, who[row]);
    assert.equal(await figure(page, row, 'expanded'), line.expanded, who[row]);
    assert.equal(await figure(page, row, 'generated'), line.generated, who[row]);
    assert.equal(await figure(page, row, 'moves'), line.length, who[row]);
    assert.equal(/✓/.test(await page.innerText(`tr[data-contestant="${row}"] td.optimal`)), line.optimal, who[row]);
  }
  const widths = await page.$$eval('#lab-race .bar-fill', (bars) => bars.map((bar) => bar.getBoundingClientRect().width));
  assert.ok(widths[0] > widths[2] && widths[2] > widths[3], `the longer the bar the more was expanded: ${widths}`);
  await page.waitForSelector('#lab-growth svg .curve');
  assert.deepEqual(problems, []);
});

test('a race is stopped half-way, and another can be run', async () => {
  const hard = '0.12.9.13.15.11.10.14.3.7.2.5.4.8.6.1';
  const { page, problems } = await open({ lab: '4x4', t: hard, who: 'ida:manhattan astar:manhattan', s: '60', tab: 'race' });
  await until(async () => (await figure(page, 0, 'expanded')) > 0, 'figures come while it runs');
  await page.click('#race-stop');
  await until(async () => (await status(page, 0)) === 'stopped', 'it stops');
  assert.ok((await figure(page, 0, 'expanded')) > 0, 'the figures stay');
  await page.evaluate((hash) => { location.hash = hash; }, setup({ who: 'bfs astar:manhattan', tab: 'race' }).slice(3));
  await finished(page, 2);
  assert.deepEqual(problems, []);
});

test('averages over scrambles are the command line’s, with their spread and seed', async () => {
  const { page, problems } = await open({ who: 'bidirectional wastar:manhattan:5', tab: 'race', avg: '5.7' });
  await finished(page, 2);
  const lines = await pintuLines(['compare', '--scrambles', '5', '--seed', '7', '--size', '3x3', '--algorithms', 'bidirectional,wastar:manhattan:5', '--format', 'json']);
  for (const [row, line] of lines.entries()) {
    const shown = await page.evaluate((i) => document.querySelector(`#lab-race tr[data-contestant="${i}"] td.expanded`).firstChild.textContent, row);
    assert.ok(Math.abs(Number(shown.replaceAll(',', '')) - line.expanded) < 1, `${shown} is ${line.expanded}`);
  }
  assert.match(await page.innerText('#lab-race'), /Seed 7/);
  assert.ok(await page.isVisible('.bar-spread'));
  assert.deepEqual(problems, []);
});

test('a search is stepped on and back, scrubbed and jumped through', async () => {
  const { page, problems } = await open({ who: 'astar:manhattan bfs', tab: 'step' });
  const { length, expansions, goal } = await recorded(page);
  const [line] = await pintuLines(['compare', '-', '--algorithms', 'astar:manhattan', '--format', 'json'], EIGHT.replaceAll('.', ' '));
  assert.equal(expansions, line.expanded, 'it holds every expansion');
  assert.equal(await place(page), 0);
  // Lists come a moment later where the machine is busy.
  const lists = (count, what) => until(async () => (await page.innerText('#list-open')) === `Open ${count}` && (await page.locator('.list-row').count()) === count, what);
  assert.match(await page.innerText('#tree-sentence'), /the start waits in the open list/);
  await lists(1, 'the open list has it');
  await page.click('#lab-forward');
  const first = await place(page);
  assert.match(await page.innerText('#tree-sentence'), /Expansion 1: takes up 1 2 3 \/ 5 _ 6 \/ 4 7 8 with f = 0 \+ 4, the smallest in the open list. Next it produces: 4 new\./);
  await lists(0, 'it was taken out, and its successors come next');
  await page.check('#lab-single');
  for (let i = 1; i <= 4; i += 1) {
    await page.click('#lab-forward');
    await lists(i, 'one more');
  }
  await page.uncheck('#lab-single');
  await page.click('#lab-first');
  await page.click('#lab-forward');
  assert.equal(await place(page), first);
  assert.equal(await page.textContent('#live'), await page.textContent('#tree-sentence'), 'a screen reader is told');
  assert.equal(await page.getAttribute('#lab-code .lit', 'aria-current'), 'step');
  assert.equal(await page.locator('.successor').count(), 4);
  await page.click('#lab-forward');
  await page.click('#lab-back');
  assert.equal(await place(page), first);
  await page.evaluate((k) => { const scrub = document.getElementById('lab-scrub'); scrub.value = k; scrub.dispatchEvent(new Event('input', { bubbles: true })); }, String(length - 2));
  assert.equal(await place(page), length - 2);
  await page.fill('#lab-nth', '3');
  await page.press('#lab-nth', 'Enter');
  assert.match(await page.innerText('#tree-sentence'), /Expansion 3:/);
  const card = () => page.$eval('.node-card', (node) => node.getBoundingClientRect().height);
  const heights = new Set();
  await page.click('#lab-first');
  for (let i = 0; i < expansions; i += 1) {
    heights.add(await card());
    await page.click('#lab-forward');
  }
  assert.equal(heights.size, 1, `what is below the node stays where it is: ${[...heights]}`);
  await page.fill('#lab-nth', '99');
  await page.press('#lab-nth', 'Enter');
  assert.equal(await page.inputValue('#lab-nth'), String(expansions), 'no further than the last expansion');
  assert.match(await page.innerText('#toasts'), new RegExp(`has ${expansions} expansions`));
  await page.click('#lab-first');
  await page.click('#lab-goal');
  assert.equal(await place(page), goal);
  assert.match(await page.innerText('#tree-sentence'), /this is the goal/);
  await page.click('#lab-first');
  await page.click('#lab-level');
  assert.match(await page.innerText('#tree-sentence'), /no solution costs less/);
  await page.check('#lab-single');
  const before = await place(page);
  await page.click('#lab-forward');
  assert.equal(await place(page), before + 1, 'a single event');
  await page.click('#lab-plot');
  assert.ok((await place(page)) > 0);
  assert.deepEqual(problems, []);
});

test('the player plays by itself, and keys drive it', async () => {
  const { page, problems } = await open({ who: 'astar:manhattan', tab: 'step' });
  const { length } = await recorded(page);
  await page.focus('#lab h1');
  await page.keyboard.press('End');
  assert.equal(await place(page), length);
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  const two = await place(page);
  await page.keyboard.press('ArrowLeft');
  assert.ok((await place(page)) < two);
  await page.keyboard.press('PageDown');
  assert.ok((await place(page)) > two);
  await page.keyboard.press('PageUp');
  await page.keyboard.press('Home');
  await page.selectOption('#lab-speed', '1024');
  await page.focus('#lab h1');
  await page.keyboard.press(' ');
  await until(async () => (await place(page)) === length, 'it comes to the end');
  assert.deepEqual(problems, []);
});

test('lists are sorted and linked with the tree, and a node has a history', async () => {
  const { page, problems } = await open({ t: HARDEST, who: 'astar:manhattan', tab: 'step' });
  const { length } = await recorded(page);
  await page.keyboard.press('End');
  // Lists come a moment later where they are long, or the machine is busy.
  await until(async () => (await page.locator('.list-row').count()) > 1, 'the list has come');
  assert.ok((await page.locator('.list-row').count()) < 40, 'only rows in view exist');
  const column = () => page.$$eval('.list-row span:nth-child(4)', (cells) => cells.map((cell) => Number(cell.textContent)));
  const sorted = await column();
  assert.deepEqual(sorted, [...sorted].sort((a, b) => a - b));
  await page.click('.list-head .sort:nth-child(4)');
  await until(async () => (await column())[0] > sorted[0], 'the other way round');
  await page.click('#list-closed');
  await page.focus('#lab-list');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.history li');
  assert.ok((await inLab(page, '(lab) => lab.step.lanes[0].tree.selected')) >= 0, 'it is chosen in the tree');
  await page.click('.history .link');
  assert.ok((await place(page)) < length);
  await page.click('#node-back');
  await page.keyboard.press('Escape');
  assert.deepEqual(problems, []);
});

test('a click in the tree chooses a node, which can be folded; the goal’s branch can be seen alone', async () => {
  const { page, problems } = await open({ who: 'bfs', tab: 'step' });
  await recorded(page);
  await page.keyboard.press('End');
  const [x, y] = await inLab(page, '(lab) => lab.step.lanes[0].tree.scene.at(0)');
  await page.click('#tree', { position: { x, y } });
  await page.waitForSelector('#node-fold');
  assert.equal(await inLab(page, '(lab) => lab.step.lanes[0].tree.selected'), 0);
  await page.click('#node-fold');
  const hidden = () => inLab(page, '(lab) => lab.step.lanes[0].tree.scene.hidden.reduce((sum, one) => sum + one, 0)');
  assert.ok((await hidden()) > 3);
  await page.click('#node-fold');
  assert.equal(await hidden(), 0);
  await page.click('#tree-branch');
  assert.ok((await hidden()) > 0);
  for (const id of ['in', 'out', 'fit']) await page.click(`#tree-${id}`);
  assert.deepEqual(problems, []);
});

test('two searches run side by side in step, and where they part is found', async () => {
  const { page, problems } = await open({ who: 'astar:manhattan bfs', tab: 'step', with: '1' });
  await page.waitForSelector('#tree2-sentence');
  await recorded(page);
  await page.click('#lab-differ');
  const [one, two] = [await page.innerText('#tree-sentence'), await page.innerText('#tree2-sentence')];
  assert.notEqual(one.replace(/^.*takes up ([\d_ /]+).*$/s, '$1'), two.replace(/^.*takes up ([\d_ /]+).*$/s, '$1'));
  await page.keyboard.press('End');
  const shown = await inLab(page, '(lab) => lab.step.lanes.map(({ cursor, rec }) => cursor.k === rec.length)');
  assert.deepEqual(shown, [true, true]);
  assert.deepEqual(problems, []);
});

test('lists show what means something to the search, and go with its board', async () => {
  const { page, problems } = await open({ t: '2.0.3.1.5.6.4.7.8', who: 'bidirectional bfs greedy:manhattan', tab: 'step', with: '1' });
  await recorded(page);
  const heads = () => page.$$eval('.list-head button', (nodes) => nodes.map((node) => node.textContent.replace(/ [↑↓]/, '')));
  assert.deepEqual(await heads(), ['State', 'Side', 'g'], 'who is blind has no h and no f');
  await until(async () => (await page.$$eval('.list-row .list-side', (nodes) => nodes.map((node) => node.textContent).sort())).join() === 'goal,start', 'both ends wait, each on its side');
  assert.match(await page.innerText('.plot-card h2'), /^g /);
  const inView = () => inLab(page, '(lab) => lab.step.lanes.map(({ tree: { scene }, rec }) => Array.from({ length: rec.nodes }, (_, n) => scene.at(n)).every(([x, y]) => x >= 0 && y >= 0 && x <= scene.width && y <= scene.height))');
  assert.deepEqual(await inView(), [true, true], 'both trees fit into their halves');
  await page.keyboard.press('End');
  const rows = await page.$$eval('.list-row', (nodes) => nodes.map((node) => node.textContent));
  assert.equal(new Set(rows).size, rows.length, 'nothing stands there twice');
  await page.click('#lab-scramble');
  await page.click('#scramble-20');
  await page.waitForSelector('.list-none:not([hidden])');
  assert.deepEqual([await page.locator('.list-row').count(), await page.innerText('#list-open')], [0, 'Open 0'], 'a list of another board is gone');
  assert.deepEqual(problems, []);
});

test('while a race runs it is seen who has finished, and every figure is explained', async () => {
  const { page, problems } = await open({ lab: '4x4', t: '0.12.9.13.15.11.10.14.3.7.2.5.4.8.6.1', who: 'wastar:manhattan:5 ida:manhattan', s: '60', tab: 'race' });
  await page.waitForFunction(() => document.querySelector('#lab-race tr[data-contestant="0"] .state').textContent === 'done, no. 1');
  assert.equal(await status(page, 1), 'running');
  assert.match(await page.innerText('#race-in-step'), /expanded equally many/);
  const bars = () => page.$$eval('#lab-race .bar-fill', (nodes) => nodes.map((node) => node.getBoundingClientRect().width));
  await until(async () => { const [done, going] = await bars(); return going > done * 1.1; }, 'the bar of who has finished stays behind');
  assert.match(await page.innerText('.growth'), /drawn when the race has ended/);
  await page.selectOption('#race-bars', 'peak');
  await until(async () => { const [done, going] = await bars(); return done > going; }, 'IDA* holds less');
  await page.click('#race-stop');
  await page.click('#race-meanings summary');
  for (const text of [/Bound/, /No solution is shorter/]) assert.match(await page.innerText('#race-meanings'), text);
  assert.deepEqual(problems, []);
});

test('averages: the whole table is seen, beside the blog’s own figures', async () => {
  for (const device of [WIDE, { ...PHONE, viewport: { width: 360, height: 740 } }, { ...DESKTOP, viewport: { width: 768, height: 1024 } }]) {
    const { page, problems, context } = await visit(held.browser, `${held.server.url}lab`, device);
    await page.click('#example-picture');
    await page.waitForSelector('#race-blog');
    assert.deepEqual(await page.$$eval('td.blog', (cells) => cells.map((cell) => cell.textContent)), ['≈ 100,000', '≈ 3,500', '≈ 300']);
    const [whole, seen] = await page.$eval('.race-table', (box) => [box.scrollWidth, box.clientWidth]);
    assert.ok(whole <= seen, `${device.viewport.width}: the table is ${whole} wide where ${seen} are seen`);
    assert.match(await page.innerText('#lab-race'), /±/);
    await page.click('#race-meanings summary');
    assert.match(await page.innerText('#race-meanings'), /standard deviation/);
    assert.deepEqual(problems, []);
    await context.close();
  }
});

test('on a phone the tree, the board in hand and the player are on the first screen', async () => {
  const { page, problems } = await open({ t: HARDEST, who: 'astar:manhattan bfs', tab: 'step' }, { ...PHONE, viewport: { width: 360, height: 740 } });
  await recorded(page);
  await page.click('#lab-forward');
  const box = (selector) => page.$eval(selector, (node) => { const { top, bottom, height } = node.getBoundingClientRect(); return { top, bottom, height }; });
  const [tree, hand, player] = [await box('#tree'), await box('#tree-hand'), await box('#lab-player')];
  assert.ok(tree.height >= 200 && tree.bottom <= player.top, JSON.stringify({ tree, player }));
  assert.ok(hand.height > 50 && hand.bottom <= player.top + 1, JSON.stringify({ hand, player }));
  assert.ok(player.height <= 90, `the player is ${player.height} high`);
  assert.equal(await page.isVisible('#lab-goal'), false);
  await page.click('#lab-more');
  assert.equal(await page.isVisible('#lab-goal'), true, 'jumps are there for whoever asks');
  await page.click('#lab-more');
  await page.click('#tree-hand');
  await page.waitForSelector('dialog[open] #lab-node .mini');
  assert.deepEqual(problems, []);
});

test('an impossible board is explained and mended by a swap', async () => {
  const { page, problems } = await open({ t: '2.1.3.4.5.6.7.8.0', tab: 'step', who: 'bfs' });
  await page.waitForSelector('#lab-repair');
  assert.match(await page.innerText('#lab-verdict'), /cannot be solved/);
  await page.click('#lab-repair');
  await page.waitForFunction(() => /can be solved/.test(document.getElementById('lab-verdict').textContent));
  assert.deepEqual(problems, []);
});

test('a board is pasted, edited by dragging, scrambled, and goes to the game and back', async () => {
  const { page, problems } = await open({ who: 'bfs', tab: 'race' });
  await page.click('#lab-paste');
  await page.fill('#lab-text', '2 3\n1 2 3\n4 0 5');
  for (const [text, said] of [['', /found nothing/], ['1 2 x', /line 1: found “x”/], ['1 2 3\n4 5 5\n7 8 0', /found 5 twice/], ['1 2 3\n4 5\n6 7 0', /row 2 has 2 numbers/]]) {
    await page.fill('#lab-text', text);
    await page.click('#lab-use-text');
    assert.match(await page.innerText('dialog .error'), said);
  }
  await page.fill('#lab-text', '2 3\n1 2 3\n4 0 5');
  await page.click('#lab-use-text');
  await page.waitForFunction(() => document.querySelectorAll('.problem-card .mini.edit')[0].children.length === 6);
  const texts = () => page.$$eval('.problem-card .mini.edit', ([start]) => [...start.children].map((cell) => cell.textContent));
  assert.deepEqual(await texts(), ['1', '2', '3', '4', '', '5']);
  const cell = (i) => page.locator('.problem-card .mini.edit').first().locator('button').nth(i);
  await cell(0).dragTo(cell(1));
  assert.deepEqual(await texts(), ['2', '1', '3', '4', '', '5']);
  await cell(0).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  assert.deepEqual(await texts(), ['1', '2', '3', '4', '', '5'], 'and with keys');
  await page.click('#lab-scramble');
  await page.click('#scramble-uniform');
  await page.waitForFunction(() => /can be solved/.test(document.getElementById('lab-verdict').textContent));
  const scrambled = await texts();
  await page.click('#lab-to-game');
  await page.waitForFunction(() => document.querySelectorAll('#board .tile').length === 5);
  await page.click('.places [data-place=lab]');
  await page.click('#lab-from-game');
  assert.deepEqual(await texts(), scrambled);
  assert.deepEqual(problems, []);
});

test('heuristics are explained on the board, beside the true distance', async () => {
  const { page, problems } = await open({ t: HARDEST, who: 'bfs', tab: 'why' });
  await page.waitForSelector('#why-distance');
  assert.equal(await page.innerText('#why-distance'), '31');
  const values = await page.$$eval('.why-table tr:not(.truth) b', (cells) => cells.map((cell) => Number(cell.textContent)));
  assert.ok(values.length >= 5 && values.every((value) => value <= 31), `${values}`);
  await page.click('#why-linear-conflict');
  assert.match(await page.innerText('.why-board figcaption'), /Manhattan \d+/);
  assert.ok((await page.locator('.why-board small').count()) >= 6);
  const notes = () => page.$$eval('.why-board .mini small', (nodes) => nodes.map((node) => node.textContent));
  await page.click('#why-walking-distance');
  assert.ok((await notes()).every((note) => /^\d·\d$/.test(note)), 'walking distance sees rows and columns, not Manhattan distances');
  assert.equal(await page.locator('.walk').count(), 2);
  await page.click('#why-pattern');
  assert.ok((await notes()).every((note) => /^[A-Z]$/.test(note)), 'patterns are groups');
  const parts = await page.$$eval('.why-groups li', (nodes) => nodes.map((node) => Number(/(\d+) moves?$/.exec(node.textContent)[1])));
  assert.equal(parts.reduce((sum, part) => sum + part, 0), Number(await page.innerText('tr:has(#why-pattern) b')), 'what the groups contribute adds up');
  assert.deepEqual(problems, []);
});

test('a link carries the whole set-up, and files are written', async () => {
  const { page, problems } = await open({ who: 'astar:manhattan wastar:manhattan:3', tab: 'race', d: '40', fair: 'time' });
  await finished(page, 2);
  await page.click('#open-link');
  const link = await page.inputValue('dialog input');
  await page.keyboard.press('Escape');
  const { page: other } = await visit(held.browser, link, WIDE);
  await finished(other, 2);
  assert.equal(await figure(other, 1, 'expanded'), await figure(page, 1, 'expanded'));
  assert.deepEqual(await inLab(other, "() => import('/places/lab/setup.js').then(({ setup }) => [setup().fair, setup().limits.maxDepth])"), ['time', 40]);
  await page.click('#open-export');
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('#export-race-csv')]);
  const csv = await readFile(await file.path(), 'utf8');
  assert.match(csv, /^contestant,status,.*\r\nastar:manhattan,solved,/);
  await page.keyboard.press('Escape');
  await page.click('#lab-race .who');
  await recorded(page);
  await page.click('#open-export');
  await page.keyboard.press('Escape');
  await page.fill('#lab-nth', '4');
  await page.press('#lab-nth', 'Enter');
  await page.click('#open-link');
  const { page: third } = await visit(held.browser, await page.inputValue('dialog input'), WIDE);
  await recorded(third);
  await until(async () => (await place(third)) === (await place(page)), 'the link carries where the search stands');
  await page.keyboard.press('Escape');
  await page.click('#open-export');
  for (const [id, begins] of [['tree-svg', '<?xml'], ['tree-png', '\ufffdPNG'], ['events-csv', 'event,what'], ['posthoc', '{"version":"1.4.0"']]) {
    const [written] = await Promise.all([page.waitForEvent('download'), page.click(`#export-${id}`)]);
    assert.ok((await readFile(await written.path(), 'utf8')).startsWith(begins), id);
  }
  assert.deepEqual(problems, []);
});

test('ten thousand nodes are drawn within a frame, and any of 200,000 events is near', async () => {
  const { page, problems } = await open({ t: HARDEST, who: 'bfs astar:misplaced', tab: 'step' });
  const { length } = await recorded(page);
  assert.equal(length, 200_000);
  assert.ok(await page.isVisible('#lab-cut'), 'that the recording ends there is said');
  const times = await inLab(page, `(lab) => {
    const { cursor, rec, tree } = lab.step.lanes[0];
    // The machine may be busy: the quickest of several is what the work itself takes.
    const quickest = (work, before = () => {}) => Math.min(...Array.from({ length: 15 }, () => { before(); const begun = performance.now(); work(); return performance.now() - begun; }));
    const [on, back] = [() => cursor.seek(rec.length), () => cursor.seek(0)];
    const seek = Math.max(quickest(on, back), quickest(back, on));
    cursor.seek(0);
    while (cursor.statuses.reduce((sum, status) => sum + (status > 0 ? 1 : 0), 0) < 10000) cursor.seek(cursor.k + 1000);
    const draw = quickest(() => tree.paint());
    return { seek, draw };
  }`);
  process.stdout.write(`# seeking across 200,000 events ${times.seek.toFixed(1)} ms, drawing 10,000 nodes ${times.draw.toFixed(1)} ms\n`);
  assert.ok(times.seek < 50, `seeking takes ${times.seek} ms`);
  assert.ok(times.draw < 16, `drawing takes ${times.draw} ms`);
  assert.deepEqual(problems, []);
});

test('the server goes away in the middle: it is said, and it can be tried again', async () => {
  const { page, problems } = await open({ lab: '4x4', t: '0.12.9.13.15.11.10.14.3.7.2.5.4.8.6.1', who: 'ida:manhattan', s: '60', tab: 'race' });
  await until(async () => (await figure(page, 0, 'expanded')) > 0, 'it runs');
  await held.server.kill();
  await page.waitForSelector('#race-again');
  assert.match(await page.innerText('#lab-race .error'), /server/i);
  await page.click('#tab-step');
  await page.click('#lab-step-run');
  await page.waitForSelector('#lab-step-again');
  await held.server.start();
  await page.evaluate((hash) => { location.hash = hash; }, setup({ who: 'bfs', tab: 'step' }).slice(3));
  await recorded(page);
  assert.deepEqual(problems, []);
});

for (const locale of ['en-US', 'zh-CN']) {
  for (const [name, device] of [['phone', { ...PHONE, viewport: { width: 360, height: 740 } }], ['desktop', WIDE]]) {
    for (const colorScheme of ['light', 'dark']) {
      test(`${locale} on a ${name}, ${colorScheme}: complete, nothing cut off, accessible`, async () => {
        const { page, problems } = await open({ who: 'bfs astar:manhattan wastar:manhattan:5', tab: 'race' }, { ...device, locale, colorScheme });
        const faults = [];
        const look = async (what) => faults.push(...[...(await cutOff(page)), ...((await page.evaluate(() => document.body.innerText.match(/\b(?:lab|trace)\.[a-z]\w+/g))) ?? []), ...(await objections(page))].map((fault) => `${what}: ${fault}`));
        await finished(page, 3);
        await look('race');
        await page.click('#tab-step');
        await page.click('#lab-step-run');
        await recorded(page);
        await page.click('#lab-last');
        await look('step');
        await page.click('#tab-why');
        await page.waitForSelector('#why-distance');
        await look('why');
        if (name === 'phone') {
          await page.click('#tab-step');
          for (const id of ['open-what', 'open-where']) {
            await page.click(`#${id}`);
            await page.waitForSelector('dialog[open] .zone');
            await look(id);
            await page.keyboard.press('Escape');
            await page.waitForFunction(() => !document.querySelector('dialog'));
          }
        }
        assert.deepEqual([...faults, ...problems], []);
      });
    }
  }
}

test('with reduced motion nothing moves by itself, and keys alone do everything', async () => {
  const { page, problems } = await open({ who: 'astar:manhattan bfs', tab: 'race' }, { ...WIDE, reducedMotion: 'reduce' });
  await finished(page, 2);
  await page.focus('#tab-race');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.getAttribute('#tab-step', 'aria-selected'), 'true');
  await page.focus('#lab-step-run');
  await page.keyboard.press('Enter');
  await recorded(page);
  assert.equal(await page.evaluate(() => document.getAnimations().filter(({ effect }) => Number(effect.getTiming().duration) > 1).length), 0);
  await page.focus('#lab-play');
  await page.keyboard.press('ArrowRight');
  assert.ok((await place(page)) > 0, 'arrows step from a button of the player, too');
  assert.deepEqual(problems, []);
});

test('with six contestants Run is in sight, and no name is cut off', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}lab`, { ...WIDE, viewport: { width: 1440, height: 760 } });
  const { bottom } = await page.$eval('#lab-run', (node) => node.getBoundingClientRect().toJSON());
  assert.ok(bottom <= 760, `Run ends at ${bottom}`);
  const cut = await page.$$eval('.contestants select', (nodes) => nodes.filter((node) => {
    const probe = document.createElement('span');
    const style = getComputedStyle(node);
    probe.style.cssText = `position:absolute;white-space:pre;font:${style.font}`;
    probe.textContent = node.selectedOptions[0].textContent;
    document.body.append(probe);
    const { width } = probe.getBoundingClientRect();
    probe.remove();
    return width + 26 > node.clientWidth;
  }).map((node) => `${node.selectedOptions[0].textContent} in ${node.clientWidth}`));
  assert.deepEqual(cut, []);
  assert.deepEqual(problems, []);
});

for (const [locale, name, title] of [['en-US', 'en', /^Which algorithm when/], ['zh-CN', 'zh', /^什么时候用哪种算法/]]) {
  test(`the guide is a place of the page (${name}), with all its pictures`, async () => {
    const { page, problems } = await visit(held.browser, `${held.server.url}lab`, { ...PHONE, viewport: { width: 360, height: 740 }, locale });
    await page.click('#lab-guide');
    await page.waitForSelector('#guide-text img');
    assert.match(await page.innerText('#guide-text h1'), title);
    assert.equal(new URL(page.url()).pathname, '/guide');
    for (const picture of await page.locator('#guide-text img').all()) {
      await picture.scrollIntoViewIfNeeded();
      await until(() => picture.evaluate((node) => node.complete && node.naturalWidth > 0), 'the picture is there');
      assert.ok(await picture.getAttribute('alt'));
    }
    assert.deepEqual([...(await cutOff(page)), ...(await objections(page))], []);
    const now = await page.innerText('#guide-text h1');
    await page.click('#guide-text a');
    await page.waitForFunction((before) => { const head = document.querySelector('#guide-text h1')?.textContent; return head && head !== before; }, now);
    await page.goBack();
    await page.waitForSelector('#lab-race');
    assert.deepEqual(problems, []);
  });
}

test('the game loads nothing of the lab', async () => {
  const { page } = await visit(held.browser, held.server.url);
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
  assert.deepEqual(loaded.filter((path) => /^\/(places|trace)\//.test(path)), []);
});
