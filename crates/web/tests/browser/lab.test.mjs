// The lab: races, whose counts are the command line’s, and what is said of how they ended.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { noticed, pintuLines, stage, until, visit } from './harness.mjs';
import { HARDEST, WIDE, change, figure, finished, inLab, opener, recorded, requests, status } from './lab-steps.mjs';

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
  assert.equal(await page.innerText('tr[data-contestant="3"] td.optimal'), '+16 (+52%)', 'another has proved the shortest');
  const widths = await page.$$eval('#lab-race .bar-fill', (bars) => bars.map((bar) => bar.getBoundingClientRect().width));
  assert.ok(widths[0] > widths[2] && widths[2] > widths[3], `the longer the bar the more was expanded: ${widths}`);
  await page.waitForSelector('#lab-growth svg .curve');
  // The homework card says the same of each, and has the curves, their marks and the link.
  await page.click('#open-export');
  const [written] = await Promise.all([page.waitForEvent('download'), page.click('#export-race-card')]);
  const card = await readFile(await written.path(), 'utf8');
  const said = card.replace(/<[^>]*>/g, ' ').replaceAll('&amp;', '&').replace(/\s+/g, '');
  const whole = (value) => value.toLocaleString('en');
  for (const { length, optimal, expanded, generated } of lines) assert.ok(said.includes(`solved·Moves${length}·Optimal${optimal ? '✓yes' : '+16(+52%)'}·Expanded${whole(expanded)}·Generated${whole(generated)}·Time`), said);
  for (const word of ['IDA*linearconflict', 'depth,orboundonf', '/lab#lab=3x3', 'tab=race']) assert.ok(said.includes(word), `${word}: ${said}`);
  assert.deepEqual([card.match(/<polyline /g)?.length, /127\.0\.0\.1/.test(card)], [who.length, false], 'a curve each, and no address that means something here alone');
  await page.keyboard.press('Escape');
  // Who stays keeps colour and shape, whoever goes; and the figures are those of the set-up before.
  const marks = (list) => page.$$eval(`${list} .mark`, (nodes) => nodes.map((node) => node.getAttribute('class') + node.innerHTML));
  const before = await marks('#lab-contestants');
  assert.deepEqual(await marks('#lab-race'), before);
  assert.equal(await page.locator('#race-old').count(), 0);
  await page.click('#lab-contestants li:nth-child(2) .ghost');
  assert.deepEqual(await marks('#lab-contestants'), before.filter((_, i) => i !== 1));
  assert.match(await page.innerText('#race-old'), /set-up before the last change/);
  await page.click('#open-export');
  assert.ok(await page.isDisabled('#export-race-card'), 'its link would bring another race');
  await page.keyboard.press('Escape');
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
  assert.equal(await page.evaluate(`packed('js/port.js').then(async ({ port, isCancelled }) => {
    const handle = port.solve({});
    handle.stop();
    return handle.promise.then(() => 'an answer', isCancelled);
  })`), true);
  assert.equal(asked, 1);
  await page.click('.places [data-place=paths]');
  await page.waitForFunction(() => location.pathname === '/paths');
  await page.click('.places [data-place=lab]');
  for (const language of ['zh', 'en']) await page.evaluate(`packed('js/i18n.js').then(({ setLanguage }) => setLanguage('${language}'))`);
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
  const [{ length: least }, { length }] = lines;
  assert.equal(await page.innerText('#lab-race tr[data-contestant="1"] td.optimal'), `+${Math.round(10 * (length - least)) / 10} (+${Math.round((100 * (length - least)) / least)}%)`, 'both have solved the same boards');
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
    await noticed(page, new RegExp(`1 to 1,000 is possible: ${typed} was changed to`));
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
  for (const text of [/Lower bound/, /No solution is shorter/]) assert.match(await page.innerText('#race-meanings'), text);
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
    const { createTable } = await packed('places/lab/race-table.js');
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

test('what is said of figures and curves is said of those who run', async () => {
  const { page, problems } = await open({ who: 'bfs wastar:manhattan:5', avg: '2.1', tab: 'race' });
  await page.waitForSelector('#race-blog');
  assert.doesNotMatch(await page.innerText('#race-blog'), /both ends/);
  await change(page, { who: 'bfs bidirectional', avg: '2.1', tab: 'race' });
  await until(async () => /picture-puzzle blog.*From both ends we need less/.test(await page.locator('#race-blog').innerText().catch(() => '')), 'what was done otherwise is said where it was done');
  // A weighted search has its curve by what it has proved, not by g + h.
  await change(page, { t: HARDEST, who: 'bfs astar:manhattan wastar:manhattan:5', tab: 'race' });
  await until(async () => /g \+ w × h, divided by the weight/.test(await page.innerText('.growth')), 'by what it is drawn is said');
  await change(page, { t: HARDEST, who: 'bfs astar:manhattan', tab: 'race' });
  await until(async () => /value of f = g \+ h/.test(await page.innerText('.growth')) && !/Weighted/.test(await page.innerText('.growth')), 'and only where it is drawn');
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

test('the text on state spaces is compared with one press a board, at the lengths that are known', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}lab`, WIDE);
  const first = page.locator('#race-others .example');
  assert.deepEqual(await first.evaluateAll((nodes) => nodes.map(({ id }) => id)), ['example-picture', 'example-space', 'example-space23', 'example-space31']);
  for (const [name, length, who] of [['space', 18, 'bfs dfs dijkstra astar:euclidean astar:manhattan'], ['space23', 23, 'bfs bfs-tree dfs astar:euclidean astar:manhattan'], ['space31', 31, 'bfs dfs astar:euclidean astar:manhattan']]) {
    if (await page.isVisible('#race-others .example')) await page.click(`#example-${name}`);
    else { await page.click('#lab-examples'); await page.click(`dialog #example-${name}`); }
    const names = who.split(' ');
    await page.waitForFunction((n) => new RegExp(`has ${n} moves`).test(document.getElementById('race-blog')?.textContent ?? ''), length);
    const { tiles, goal } = await inLab(page, "() => packed('places/lab/setup.js').then(({ problem }) => problem())");
    const lines = await pintuLines(['compare', '-', '--goal', goal.join(' '), '--algorithms', names.join(','), '--max-depth', '31', '--format', 'json'], tiles.join(' '));
    for (const [row, line] of lines.entries()) {
      assert.equal(await figure(page, row, 'expanded'), line.expanded, `${name} ${names[row]}`);
      if (line.optimal) assert.equal(await figure(page, row, 'moves'), length, `${name} ${names[row]}`);
    }
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
