// The lab: races, boards and heuristics, counts that are the command line’s, and everything reachable without a mouse.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { PHONE, game, noticed, pintuLines, scramble, stage, until, visit } from './harness.mjs';
import { EIGHT, HARDEST, WIDE, change, figure, finished, holdStore, inLab, opener, place, recorded, requests, status } from './lab-steps.mjs';
import { cutOff, objections } from './looks.mjs';

const held = stage();
const open = opener(held);

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
  // Who stays keeps colour and shape, whoever goes; and the figures are those of the set-up before.
  const marks = (list) => page.$$eval(`${list} .mark`, (nodes) => nodes.map((node) => node.getAttribute('class') + node.innerHTML));
  const before = await marks('#lab-contestants');
  assert.deepEqual(await marks('#lab-race'), before);
  assert.equal(await page.locator('#race-old').count(), 0);
  await page.click('#lab-contestants li:nth-child(2) .ghost');
  assert.deepEqual(await marks('#lab-contestants'), before.filter((_, i) => i !== 1));
  assert.match(await page.innerText('#race-old'), /set-up before the last change/);
  await page.click('#lab-add');
  assert.deepEqual(await marks('#lab-contestants'), [...before.filter((_, i) => i !== 1), before[1]], 'who comes has the mark that is free');
  assert.deepEqual(problems, []);
});

test('a race is stopped half-way, and another can be run', async () => {
  const hard = '0.12.9.13.15.11.10.14.3.7.2.5.4.8.6.1';
  const { page, problems } = await open({ lab: '4x4', t: hard, who: 'ida:manhattan astar:manhattan', s: '60', tab: 'race' });
  await until(async () => (await figure(page, 0, 'expanded')) > 0, 'figures come while it runs');
  await page.click('#race-stop');
  await until(async () => (await status(page, 0)) === 'stopped', 'it stops');
  assert.ok((await figure(page, 0, 'expanded')) > 0, 'the figures stay');
  assert.match(await page.innerText('#race-stopped'), /was stopped/);
  // Where the server does not end it, the page does; who stopped it is not told that leaving has.
  await page.route('**/api/searches/*', (route) => route.fulfill({ status: 503, contentType: 'application/json', body: '{}' }));
  await inLab(page, '(lab) => { void lab.race.run(); }');
  await until(async () => (await figure(page, 0, 'expanded')) > 0, 'it runs again');
  await page.click('#race-stop');
  await until(async () => (await status(page, 0)) === 'stopped', 'it stops all the same');
  assert.ok((await figure(page, 0, 'expanded')) > 0, 'the figures are the last that came');
  await change(page, { lab: '4x4', t: hard, who: 'ida:manhattan', s: '60', tab: 'step' });
  await page.waitForFunction(() => /[1-9]/.test(document.getElementById('lab-step-counts')?.textContent ?? ''));
  await page.click('#lab-step-stop');
  await page.waitForSelector('#lab-step-again');
  const said = await page.innerText('#lab-step-state');
  assert.match(said, /could not be fetched/);
  await page.unroute('**/api/searches/*');
  // Who has stopped it while the server said that it is busy is not made to wait.
  let asked = 0;
  await page.route('**/api/solve', async (route) => {
    asked += 1;
    await route.fulfill({ status: 503, headers: { 'Retry-After': '30' }, contentType: 'application/json', body: '{}' });
  });
  assert.equal(await page.evaluate(`import('/js/port.js').then(async ({ port, isCancelled }) => {
    const handle = port.solve({});
    handle.stop();
    return handle.promise.then(() => 'an answer', isCancelled);
  })`), true);
  assert.equal(asked, 1);
  await page.click('.places [data-place=paths]');
  await page.waitForFunction(() => location.pathname === '/paths');
  await page.click('.places [data-place=lab]');
  for (const language of ['zh', 'en']) await page.evaluate(`import('/js/i18n.js').then(({ setLanguage }) => setLanguage('${language}'))`);
  assert.equal(await page.innerText('#lab-step-state'), said);
  await change(page, { who: 'bfs astar:manhattan', tab: 'race' });
  await finished(page, 2);
  assert.deepEqual(problems.filter((line) => !/503/.test(line)), []);
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

test('an average that is stopped is that of the boards that were done', async () => {
  const who = ['bfs', 'wastar:manhattan:5'];
  const { page, problems } = await open({ who: who.join(' '), tab: 'race', avg: '1000.1', s: '60' });
  const asked = requests(page, '/api/race');
  await until(async () => (await page.getAttribute('#race-boards', 'value')) >= 6, 'some boards are done');
  assert.equal(await page.locator('td.blog').count(), 0, 'sums do not stand beside the blog’s means');
  await page.click('#race-stop');
  await page.waitForSelector('#race-short');
  const [, n] = /after (\d+) of 1,?000 boards/.exec(await page.innerText('#race-short'));
  const lines = await pintuLines(['compare', '--scrambles', n, '--seed', '1', '--size', '3x3', '--algorithms', who.join(','), '--format', 'json']);
  for (const [row, line] of lines.entries()) {
    const shown = await page.evaluate((i) => document.querySelector(`#lab-race tr[data-contestant="${i}"] td.expanded`).firstChild.textContent, row);
    assert.ok(Math.abs(Number(shown.replaceAll(',', '')) - line.expanded) < 1, `${shown} is ${line.expanded}, of ${n} boards`);
  }
  assert.equal(await page.locator('td.blog').count(), 2);
  assert.deepEqual(asked, [], 'nothing was counted twice');
  for (const [typed, used] of [['999999', '1000'], ['0', '1']]) {
    await page.fill('#race-count', typed);
    await page.press('#race-count', 'Enter');
    await noticed(page, new RegExp(`Found ${typed}, expected 1 to 1,000`));
    assert.equal(await page.inputValue('#race-count'), used);
  }
  // Enter runs what was typed; a number that is only changed leaves figures of before, which is said.
  await finished(page, 2);
  assert.deepEqual([await page.innerText('#lab-race tr[data-contestant="0"] .state'), await page.locator('#race-old').count()], ['1 of 1 solved', 0]);
  await page.fill('#race-seed', '5');
  await page.press('#race-seed', 'Tab');
  await page.waitForSelector('#race-old');
  assert.deepEqual(problems, []);
});

test('who leaves the Lab is told what that has stopped, and finds the set-up in the address again', async () => {
  const { page, problems } = await open({ who: 'bfs wastar:manhattan:5', tab: 'race', avg: '1000.1', s: '60' });
  await until(async () => (await page.getAttribute('#race-boards', 'value')) >= 6, 'some boards are done');
  assert.match(await page.innerText('.race-head'), /\d+ of 1,000 boards done by all/);
  const address = page.url();
  await page.click('.places [data-place=paths]');
  await page.waitForFunction(() => location.pathname === '/paths');
  await page.click('.places [data-place=lab]');
  await page.waitForSelector('#race-left');
  await page.waitForSelector('#race-short');
  assert.equal(page.url(), address);
  // One whose answer is on its way already has run to its end, whoever leaves meanwhile.
  await page.route('**/api/race', async (route) => {
    const response = await route.fetch();
    await inLab(page, '(lab) => { lab.race.result().rows[0].expanded = 1; lab.race.leave(); }');
    await route.fulfill({ response });
  });
  await change(page, { who: 'bfs astar:manhattan', tab: 'race' });
  await finished(page, 2);
  assert.equal(await page.locator('#race-left').count(), 0);
  // And one that nobody here has stopped was ended by the server.
  await page.unroute('**/api/race');
  await page.route('**/api/race', (route) => route.fulfill({ json: [{ status: 'limit', reason: 'cancelled', expanded: 7 }, { status: 'limit', reason: 'cancelled', expanded: 7 }] }));
  await inLab(page, '(lab) => lab.race.run()');
  assert.match(await page.innerText('#race-taken'), /server ended the race because others were waiting/);
  assert.equal(await page.innerText('#race-stopped'), 'The figures are those of that moment.');
  assert.deepEqual(problems.filter((line) => !/404/.test(line)), [], 'the one that had ended is not there any more');
});

test('while a race runs it is seen who has finished, and every figure is explained', async () => {
  const { page, problems } = await open({ lab: '4x4', t: '0.12.9.13.15.11.10.14.3.7.2.5.4.8.6.1', who: 'wastar:manhattan:5 ida:manhattan astar:misplaced dfs', d: '2', s: '60', tab: 'race' });
  const state = (row) => page.innerText(`#lab-race tr[data-contestant="${row}"] .state`);
  await until(async () => (await state(3)) === 'ended without a solution', 'who gives up has no place');
  await page.waitForFunction(() => document.querySelector('#lab-race tr[data-contestant="0"] .state').textContent === 'done, no. 1');
  assert.equal(await status(page, 1), 'running');
  assert.ok((await figure(page, 0, 'moves')) > 60, 'what it has found is seen at once');
  assert.match(await page.innerText('#lab-race tr[data-contestant="0"] td.optimal'), /not proved/);
  assert.match(await page.innerText('#race-in-step'), /expanded equally many/);
  const bars = () => page.$$eval('#lab-race .bar-fill', (nodes) => nodes.map((node) => node.getBoundingClientRect().width));
  await until(async () => { const [done, going] = await bars(); return going > done * 1.1; }, 'the bar of who has finished stays behind');
  const curves = () => page.$$eval('#lab-growth .curve polyline', (lines) => lines.map((line) => line.getAttribute('points')));
  await until(async () => (await curves()).length === 3, 'each has a curve while two still run');
  const before = await curves();
  await until(async () => (await curves()).slice(1).every((line, i) => line !== before[i + 1]), 'and they grow');
  await until(async () => (await figure(page, 2, 'peak')) > 1000, 'what A* holds is seen before its end');
  await until(async () => (await page.$$eval('#lab-growth .tick.end', (nodes) => nodes.map((node) => node.textContent))).includes('100,000'), 'it has come far');
  assert.ok(await page.evaluate(() => [...document.querySelectorAll('#lab-growth .tick')].every((node) => node.getBoundingClientRect().left >= document.querySelector('#lab-growth svg').getBoundingClientRect().left)), 'no number is cut off');
  assert.deepEqual([await status(page, 1), await status(page, 2)], ['running', 'running']);
  await page.selectOption('#race-bars', 'peak');
  await until(async () => { const [done, going] = await bars(); return done > going; }, 'IDA* holds less');
  await page.click('#race-stop');
  await until(async () => (await state(1)) === 'stopped', 'it stops');
  assert.deepEqual([await state(0), await state(3)], ['solved', 'limit: depth'], 'a race that was stopped has no places');
  assert.ok((await figure(page, 1, 'bound')) > 0, 'what was proved by then is kept');
  assert.match(await page.innerText('#growth-without'), /^No curve: Depth-first\./);
  await page.click('#race-meanings summary');
  for (const text of [/Bound/, /No solution is shorter/]) assert.match(await page.innerText('#race-meanings'), text);
  assert.deepEqual(problems, []);
});

test('averages: the whole table is seen, beside the blog’s own figures', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}lab`, WIDE);
  await page.click('#example-picture');
  await page.waitForSelector('#race-blog');
  assert.deepEqual(await page.$$eval('td.blog', (cells) => cells.map((cell) => cell.textContent)), ['≈ 100,000', '≈ 3,500', '≈ 300']);
  assert.match(await page.innerText('#lab-race'), /±/);
  await page.click('#race-meanings summary');
  assert.match(await page.innerText('#race-meanings'), /standard deviation/);
  for (const [width, height] of [[1440, 900], [768, 1024], [360, 740]]) {
    await page.setViewportSize({ width, height });
    await until(() => page.$eval('.race-table', (box) => box.scrollWidth <= box.clientWidth), `the whole table is seen where ${width} are`);
  }
  // Figures grow and shrink while a race runs: rows that have become cards stay cards, until there is more room.
  const cards = await page.evaluate(async () => {
    const { createTable } = await import('/places/lab/table.js');
    const table = createTable([{ algorithm: 'bfs', mark: 0 }], { averages: false, reported: [], room: { tight: 0 }, onStep: () => {} });
    document.getElementById('lab-race').append(table.root);
    return [[900, 1], [900, 12345678901234], [900, 1], [1800, 1]].map(([width, expanded]) => {
      table.root.style.width = `${width}px`;
      table.show([{ status: 'running', expanded, generated: expanded, peak_states: expanded, bytes: expanded }]);
      return table.root.classList.contains('cards');
    });
  });
  assert.deepEqual(cards, [false, true, true, false]);
  assert.deepEqual(problems, []);
});

test('the blog’s figures stand beside its own problem alone', async () => {
  const who = 'bidirectional wastar:manhattan:5';
  const { page, problems } = await open({ who, avg: '3.1', tab: 'race' });
  await page.waitForSelector('#race-blog');
  for (const [i, other] of [{ wr: '0.1.2', wc: '0.1.2' }, { g: '1.2.3.8.0.4.7.6.5' }, { lab: '2x3', t: '1.2.3.4.0.5' }].entries()) {
    await change(page, { who, avg: `3.${70 + i}`, tab: 'race', ...other });
    await until(async () => new RegExp(`Seed ${70 + i}`).test(await page.innerText('#lab-race')), 'the race ends');
    assert.deepEqual([await page.locator('#lab-race .blog').count(), await page.locator('#race-blog').count()], [0, 0], JSON.stringify(other));
  }
  assert.deepEqual(problems, []);
});

test('averages of which not every board was solved say so', async () => {
  const { page, problems } = await open({ who: 'astar:manhattan ida:manhattan wastar:manhattan:5', avg: '20.1', n: '300', tab: 'race' });
  const lines = await pintuLines(['compare', '--scrambles', '20', '--seed', '1', '--size', '3x3', '--node-limit', '300', '--algorithms', 'astar:manhattan,ida:manhattan,wastar:manhattan:5', '--format', 'json']);
  const most = Math.max(...lines.map(({ solved }) => solved));
  assert.ok(most > 0 && most < 20, 'some boards are solved, and not all');
  assert.match(await page.innerText('#race-nobody'), new RegExp(`Nobody solved every board.*: ${most} of 20\\..*over the boards that its contestant solved`));
  await change(page, { who: 'greedy:manhattan bfs', avg: '10.1', n: '60000', tab: 'race' });
  await page.waitForSelector('#race-partly');
  assert.match(await page.innerText('#lab-race'), /of those who solved every board: Greedy/);
  assert.deepEqual(problems, []);
});

test('a link without heuristics shows and runs what the engine takes', async () => {
  const who = ['astar', 'greedy', 'ida', 'wastar'];
  const { page, problems } = await open({ t: HARDEST, who: who.join(' '), tab: 'race' });
  await finished(page, 4);
  const lines = await pintuLines(['compare', '-', '--algorithms', who.join(','), '--format', 'json'], HARDEST.replaceAll('.', ' '));
  for (const [row, line] of lines.entries()) {
    assert.equal(await figure(page, row, 'expanded'), line.expanded, who[row]);
    assert.match(await page.innerText(`#lab-race tr[data-contestant="${row}"] .who`), who[row] === 'wastar' ? /5 × linear conflict$/ : /linear conflict$/);
  }
  const guides = () => page.$$eval('#lab-contestants select:nth-of-type(2)', (nodes) => nodes.map((node) => node.value));
  assert.deepEqual(await guides(), who.map(() => 'linear-conflict'));
  await change(page, { wr: '0', who: 'astar', tab: 'race' });
  await until(async () => (await guides()).join() === 'manhattan', 'where a line wraps, another holds');
  await page.waitForFunction(() => /Manhattan$/.test(document.querySelector('#lab-race .who').innerText));
  assert.deepEqual([await page.innerText('#lab-size'), await page.locator('.problem-card .open-left').count(), await page.locator('.problem-card .open-top').count()], ['3 × 3, wrapping', 2, 0], 'which is seen');
  assert.match(await page.innerText('#lab-wraps'), /^Wrapping around: row 1\./);
  assert.deepEqual(problems, []);
});

const LINKS = [
  [{ step: '0.5' }, /step \(.*\) is “0\.5”, expected a whole number from 0 to 1/], [{ with: '0.5' }, /with .*“0\.5”/], [{ with: '7' }, /with .*“7”, expected a whole number from 0 to 1/], [{ k: '3.5' }, /k .*“3\.5”/],
  [{ who: 'wastar:manhattan:1e999' }, /who .*“wastar:manhattan:1e999”, expected a weight from 1 to 1000/], [{ who: 'wastar:manhattan:1000000' }, /weight from 1 to 1000/], [{ who: 'bfs:pattern' }, /no heuristic guides/], [{ who: 'constructor' }, /expected one of bfs, /], [{ who: 'astar:best' }, /a heuristic out of misplaced, /], [{ who: 'astar:manhattan:5' }, /only wastar has a weight/], [{ who: 'bfs '.repeat(9) }, /“9”, expected 1 to 8/],
  [{ n: '1.5' }, /n \(states\) is “1\.5”, expected a whole number from 1 up/], [{ n: '-3' }, /“-3”/], [{ d: '1e20' }, /d \(depth\) is “1e20”, expected a whole number from 1 to 1000/], [{ s: 'Infinity' }, /from 0\.1 to 60/], [{ m: 'x' }, /above 0/],
  [{ avg: '1e1.1e-3' }, /avg \(average\) is “1e1\.1e-3”, expected how many boards/], [{ avg: '2.1e30' }, /avg/], [{ tab: 'constructor' }, /one of race, step, why/], [{ fair: 'never' }, /one of expansions, time/],
  [{ lab: '1x4', t: '1.2.3.0' }, /lab \(size\) is “1x4”, expected two sides of 2 to 10/], [{ lab: '3x3x3' }, /size/], [{ t: '1.2.3.4.5.6.7.8.0x' }, /every number from 0 to 8 once/], [{ t: '1.1.3.4.5.6.7.8.0' }, /every number/], [{ wr: '0.0.0' }, /different rows from 0 to 2/], [{ wc: '3' }, /different columns from 0 to 2/],
];

test('a link that is wrong is refused with the value, and with what is expected', async () => {
  const { page, problems } = await open({ who: 'bfs bidirectional', tab: 'why' });
  const before = await inLab(page, "() => import('/places/lab/setup.js').then(({ setup }) => setup())");
  for (const [fields, said] of LINKS) {
    await page.evaluate(() => document.getElementById('toasts').replaceChildren());
    await change(page, { who: 'bfs ida:manhattan', tab: 'why', ...fields });
    await page.waitForFunction(() => document.getElementById('toasts').textContent !== '');
    assert.match(await page.textContent('#toasts'), said, JSON.stringify(fields));
    assert.deepEqual(await inLab(page, "() => import('/places/lab/setup.js').then(({ setup }) => setup())"), before, 'nothing changes');
  }
  const { page: chinese } = await open({ who: 'bfs', n: '1.5', tab: 'race' }, { ...WIDE, locale: 'zh-CN' });
  await chinese.waitForFunction(() => /这个链接有误：n（状态数）是“1\.5”，应为不小于 1 的整数。/.test(document.getElementById('toasts').textContent));
  assert.deepEqual(problems, []);
});

test('the text on state spaces is compared with one press a board, at the lengths that are known', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}lab`, WIDE);
  const first = page.locator('#lab-race .example');
  assert.deepEqual(await first.evaluateAll((nodes) => nodes.map(({ id }) => id)), ['example-picture', 'example-space', 'example-space23', 'example-space31']);
  for (const [name, length, who] of [['space', 18, 'bfs dfs dijkstra astar:euclidean astar:manhattan'], ['space23', 23, 'bfs bfs-tree dfs astar:euclidean astar:manhattan'], ['space31', 31, 'bfs dfs astar:euclidean astar:manhattan']]) {
    if (await page.isVisible('#lab-race .example')) await page.click(`#example-${name}`);
    else { await page.click('#lab-examples'); await page.click(`dialog #example-${name}`); }
    const names = who.split(' ');
    await page.waitForFunction((n) => new RegExp(`has ${n} moves`).test(document.getElementById('race-blog')?.textContent ?? ''), length);
    const { tiles, goal } = await inLab(page, "() => import('/places/lab/setup.js').then(({ problem }) => problem())");
    const lines = await pintuLines(['compare', '-', '--goal', goal.join(' '), '--algorithms', names.join(','), '--max-depth', '31', '--format', 'json'], tiles.join(' '));
    for (const [row, line] of lines.entries()) {
      assert.equal(await figure(page, row, 'expanded'), line.expanded, `${name} ${names[row]}`);
      if (line.optimal) assert.equal(await figure(page, row, 'moves'), length, `${name} ${names[row]}`);
    }
  }
  assert.deepEqual(problems, []);
});

test('an impossible board is explained and mended by a swap', async () => {
  const { page, problems } = await open({ t: '2.1.3.4.5.6.7.8.0', tab: 'step', who: 'bfs' });
  await page.waitForSelector('#lab-repair');
  assert.match(await page.innerText('#lab-verdict'), /cannot be solved/);
  // There is nothing to step through, and the way to mend it is there.
  await page.waitForSelector('#lab-step-impossible');
  assert.deepEqual([await page.isVisible('#lab-player'), await page.isVisible('#tree')], [false, false]);
  await page.click('#lab-step-mend');
  await recorded(page);
  await page.waitForFunction(() => /It can be solved/.test(document.getElementById('lab-verdict').textContent));
  await change(page, { t: '2.1.3.4.5.6.7.8.0', tab: 'race', who: 'bfs astar:manhattan' });
  await page.waitForSelector('#race-impossible');
  assert.equal(await page.locator('#lab-race table').count(), 0, 'there are no figures, so none are shown');
  await page.click('#race-mend');
  await finished(page, 2);
  await page.waitForFunction(() => /It can be solved/.test(document.getElementById('lab-verdict').textContent));
  // Within a limit that is too low for all, the way out is offered.
  await change(page, { t: HARDEST, tab: 'race', who: 'bfs astar:manhattan', n: '100' });
  await page.waitForSelector('#race-nobody');
  assert.match(await page.innerText('#lab-race tr[data-contestant="0"] .state'), /limit/i);
  await page.click('#race-auto');
  await page.waitForFunction(() => /Auto/.test(document.querySelector('#lab-race tr[data-contestant="2"]')?.textContent ?? ''));
  assert.deepEqual(problems, []);
});

test('a board is pasted, edited by dragging, scrambled, and goes to the game and back', async () => {
  const { page, problems } = await open({ who: 'bfs', tab: 'race' });
  await page.click('#lab-paste');
  await page.fill('#lab-text', '2 3\n1 2 3\n4 0 5');
  for (const [text, said] of [['', /^Start: there is nothing/], ['1 2 x', /line 1 has “x”/], ['1 2 3\n4 5 5\n7 8 0', /must be there once, which fails in line 2; missing: 6/], ['1 2 3\n4 5\n6 7 0', /line 2 has 2 numbers/], ['8 6 7 2 5 4 3 0', /^Start: 8 numbers on one line make no square/]]) {
    await page.fill('#lab-text', text);
    await page.click('#lab-use-text');
    await page.waitForFunction((wanted) => new RegExp(wanted).test(document.querySelector('dialog .error').textContent), said.source);
  }
  const large = Array.from({ length: 12 }, (_, row) => Array.from({ length: 12 }, (__, col) => (row * 12 + col + 1) % 144).join(' ')).join('\n');
  for (const [text, said] of [['1 4\n1 2 3 0', 'Start: its board is 1×4, and sides are 2 to 10 here.'], [large, 'Start: its board is 12×12, and sides are 2 to 10 here.']]) {
    await page.fill('#lab-text', text);
    await page.click('#lab-use-text');
    await page.waitForFunction((wanted) => document.querySelector('dialog .error').textContent === wanted, said);
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
  await cell(0).focus();
  for (const key of ['Enter', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
  assert.notDeepEqual(await texts(), scrambled, 'another board in the Lab');
  const release = await holdStore(page, 'saves');
  await page.click('#lab-from-game');
  await noticed(page, /is the start now/);
  assert.equal(await page.locator('dialog[open]').count(), 0, 'what the Lab has given away is taken back without a question');
  assert.deepEqual(await texts(), scrambled);
  // A board as the page and the guide write it, pasted on the page itself.
  const paste = (text) => page.evaluate((pasted) => { const data = new DataTransfer(); data.setData('text/plain', pasted); document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true })); }, text);
  await paste('8 6 7 / 2 5 4 / 3 _ 1');
  await page.waitForFunction(() => document.querySelectorAll('.problem-card .mini.edit')[0].textContent === '86725431');
  await release();
  await until(async () => (await game(page)).helped, 'the game is noted as a helped one');
  await paste('8 6 7 / 2 5');
  await noticed(page, /The pasted text: line 1 has 2 numbers/);
  assert.deepEqual(await texts(), ['8', '6', '7', '2', '5', '4', '3', '', '1'], 'what is wrong changes nothing');
  assert.deepEqual(problems, []);
});

test('the Lab takes a running game’s position only from who knows that it counts as help, and then no go at its scramble counts', async () => {
  const { page: play, problems } = await visit(held.browser, held.server.url);
  await scramble(play, [1, 2, 3, 4, 5, 6, 0, 7, 8]);
  await play.keyboard.press('ArrowLeft');
  for (const [answer, helped] of [['Cancel', false], ['Help me anyway', true]]) {
    await play.click('.places [data-place=lab]');
    const before = await play.textContent('.problem-card .mini.edit');
    await play.click('#lab-from-game');
    await play.waitForFunction(() => /counts as help[^]*sets no record/.test(document.querySelector('dialog[open]')?.textContent ?? ''));
    await play.getByRole('button', { name: answer }).click();
    if (helped) await noticed(play, /is the start now/);
    assert.equal((await play.textContent('.problem-card .mini.edit')) === before, !helped);
    await play.click('.places [data-place=play]');
    assert.equal((await game(play)).helped, helped);
  }
  await play.click('.places [data-place=lab]');
  await play.click('#lab-from-game');
  assert.equal(await play.locator('dialog[open]').count(), 0, 'there is nothing more to lose');
  await play.click('.places [data-place=play]');
  await play.keyboard.press('ArrowLeft');
  await play.waitForSelector('#win-unranked');
  assert.match(await play.textContent('#win-unranked'), /with help/);
  assert.deepEqual(problems, []);
});

test('a whole game is no start, and leaves nothing behind', async () => {
  const { page, problems } = await open({ who: 'bfs', tab: 'race' });
  const texts = () => page.$$eval('.problem-card .mini.edit', ([start]) => [...start.children].map((cell) => cell.textContent).join('.'));
  const before = await texts();
  await page.click('#lab-from-game');
  await noticed(page, /Your game is whole, so the start stays/);
  assert.equal(await texts(), before);
  await page.click('#lab-to-game');
  await page.waitForFunction(() => document.querySelectorAll('#board .tile').length === 8);
  assert.equal(await page.evaluate(() => /unfinished/.test(document.getElementById('toasts').textContent)), false, 'nothing was begun');
  assert.deepEqual(problems, []);
});

test('what does not apply is explained in the reader’s language, and what is rounded is said', async () => {
  const { page, problems } = await open({ t: '3.1.2.4.5.6.7.8.0', wr: '0', wc: '1', who: 'bfs', tab: 'why' }, { ...WIDE, locale: 'zh-CN' });
  await page.waitForSelector('#why-distance');
  const caption = () => page.innerText('.why-board figcaption');
  for (const name of ['euclidean', 'linear-conflict', 'walking-distance']) {
    await page.click(`#why-${name}`);
    assert.doesNotMatch((await caption()) + (await page.$eval(`tr:has(#why-${name}) .muted`, (node) => node.title)), /[a-z]{3}/, name);
  }
  await change(page, { lab: '4x4', t: '2.1.3.4.5.6.7.8.9.10.11.12.13.14.15.0', who: 'bfs', tab: 'why' });
  await page.waitForSelector('.why-table ~ .error');
  await page.click('#why-pattern');
  assert.match(await caption(), /怎么走也到不了/);
  assert.equal(await page.innerText('#why-distance'), '没有');
  const wide = Array.from({ length: 64 }, (_, i) => (i === 0 ? 2 : i === 1 ? 3 : i === 2 ? 1 : (i + 1) % 64)).join('.');
  for (const [fields, said] of [[{ lab: '8x8', t: wide, s: '1' }, /最多做到 63 格/], [{ lab: '4x4', t: '0.12.9.13.15.11.10.14.3.7.2.5.4.8.6.1', m: '1', s: '1' }, /达到限制（内存）/]]) {
    await change(page, { ...fields, who: 'bfs', tab: 'why' });
    await page.waitForFunction((size) => document.querySelectorAll('.why-board .mini > *').length === size, fields.t.split('.').length);
    await page.waitForSelector('#why-distance');
    await page.click('#why-pattern');
    assert.match(await caption(), said);
  }
  await change(page, { t: HARDEST, who: 'bfs', tab: 'why' });
  await page.waitForFunction(() => document.getElementById('why-distance')?.textContent === '31');
  await page.click('#why-euclidean');
  const [, sum, value] = /合计 ([\d.]+)；.*取整为 (\d+)/.exec(await caption());
  assert.equal(Math.floor(Number(sum)), Number(value));
  assert.deepEqual(problems, []);
});

test('a weight that cannot be is changed, and that is said beside it', async () => {
  for (const [locale, words] of [['en-US', /Found 0\.5, expected 1 to 1,000: it is 1 now/], ['zh-CN', /你填的是 0\.5，应在 1 到 1,000 之间，已改为 1/]]) {
    const { page, problems } = await open({ who: 'bfs wastar:manhattan:5', tab: 'race', avg: '1.1' }, { ...WIDE, locale });
    const note = page.locator('#weight-note-1');
    const field = page.locator('.weight-field');
    const weigh = async (text) => { await field.fill(text); await field.press('Enter'); };
    await weigh('0.5');
    assert.match(await note.innerText(), words);
    assert.deepEqual([await field.inputValue(), await field.getAttribute('aria-describedby')], ['1', 'weight-note-1']);
    await weigh('99999');
    assert.match(await note.innerText(), /99999[^]*1,000/);
    assert.equal(await field.inputValue(), '1000');
    assert.deepEqual(await cutOff(page), []);
    await weigh('2.5');
    assert.equal(await note.count(), 0, 'what is right needs no words');
    assert.match(new URL(page.url()).hash, /wastar%3Amanhattan%3A2\.5|wastar:manhattan:2\.5/);
    assert.deepEqual(problems, []);
  }
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
  await change(page, { t: '3.1.2.4.5.6.7.8.0', wr: '0', who: 'bfs', tab: 'why' });
  await until(async () => (await page.locator('#why-distance').count()) > 0 && (await page.isDisabled('#why-manhattan')) === false, 'another board is examined');
  await page.click('#why-manhattan');
  assert.deepEqual((await notes()).slice(0, 3), ['1←', '1←', '1←'], 'ways home lead through an edge that is open');
  await change(page, { lab: '4x4', t: '4.3.2.1.5.6.7.8.9.10.11.12.13.14.15.0', who: 'bfs', tab: 'why' });
  await until(async () => (await page.locator('.why-board .stone').count()) === 15 && (await page.innerText('tr:has(#why-linear-conflict) b')) === '14', 'a larger board is examined');
  await page.click('#why-linear-conflict');
  assert.match(await page.innerText('.why-board figcaption'), /Manhattan 8\..* 6 pairs must pass each other.* 3 tiles must step aside.*: 8 \+ 2 × 3 = 14\./, 'what it says adds up');
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
  assert.match(csv, /^contestant,status,.*,bound,.*\r\nastar:manhattan,solved,/);
  const [heads, first] = csv.split('\r\n').map((line) => line.split(','));
  assert.equal(first[heads.indexOf('bound')], first[heads.indexOf('length')], 'what is proved to be shortest is its own bound');
  const [json] = await Promise.all([page.waitForEvent('download'), page.click('#export-race-json')]);
  const { tiles, fair, answers } = JSON.parse(await readFile(await json.path(), 'utf8'));
  assert.deepEqual([tiles.join('.'), fair, answers.map(({ contestant }) => contestant)], [EIGHT, 'time', ['astar:manhattan', 'wastar:manhattan:3']]);
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
    if (id === 'tree-png') assert.ok((await readFile(await written.path())).readUInt32BE(16) >= 2000, 'a picture is large enough to be printed');
  }
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
  await change(page, { who: 'bfs', tab: 'step' });
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
        assert.equal(await page.isVisible('#race-begin'), name === 'phone', 'Run stays, where the set-up is in a sheet');
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
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'skip', 'what is set up can be left behind with the first key');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.id === 'tab-race');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.getAttribute('#tab-step', 'aria-selected'), 'true');
  await page.focus('#lab-step-run');
  await page.keyboard.press('Enter');
  await recorded(page);
  assert.equal(await page.evaluate(() => document.getAnimations().filter(({ effect }) => Number(effect.getTiming().duration) > 1).length), 0);
  await page.focus('#lab-play');
  await page.keyboard.press('ArrowRight');
  assert.ok((await place(page)) > 0, 'arrows step from a button of the player, too');
  await page.focus('#lab-plot');
  await page.keyboard.press('ArrowRight');
  assert.match(await page.getAttribute('#lab-plot', 'aria-valuetext'), /^expansion 2 of \d+, f = \d+$/, 'and the plot is a slider');
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
