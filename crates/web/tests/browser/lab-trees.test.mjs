// The lab: recorded searches, stepped through and looked at from anywhere.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { PHONE, pintuLines, stage, still, until, visit } from './harness.mjs';
import { EIGHT, HARDEST, WIDE, change, inLab, opener, place, recorded, requests, settledTrees } from './lab-steps.mjs';
import { cutOff } from './looks.mjs';

const held = stage();
const open = opener(held);

test('a search is stepped on and back, scrubbed and jumped through', async () => {
  const { page, problems } = await open({ who: 'astar:manhattan bfs', tab: 'step' });
  const { length, expansions, goal } = await recorded(page);
  const [line] = await pintuLines(['compare', '-', '--algorithms', 'astar:manhattan', '--format', 'json'], EIGHT.replaceAll('.', ' '));
  assert.equal(expansions, line.expanded, 'it holds every expansion');
  assert.equal(await place(page), 0);
  // Lists come a moment later where the machine is busy.
  const lists = (count, what) => until(async () => (await page.innerText('#list-open')) === `Open ${count}` && (await page.locator('.list-row').count()) === count, what);
  assert.match(await page.innerText('#tree-sentence'), /the start is in the open list/);
  assert.match(await page.innerText('#tree-counts'), /^0 of \d+ expanded · 1 node$/, 'figures grow with the search');
  await lists(1, 'the open list has it');
  await page.click('#lab-forward');
  const first = await place(page);
  assert.match(await page.innerText('#tree-sentence'), /Expansion 1: expands 1 2 3 \/ 5 _ 6 \/ 4 7 8 with f = 0 \+ 4, the smallest f in open. Next it generates: 4 new\./);
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
  assert.match(await page.innerText('#lab-code .along'), /if s ∉ open ∪ closed/, 'what the expansion does next is marked, too');
  const { bottom } = await page.$eval('#lab-code', (node) => node.getBoundingClientRect().toJSON());
  assert.ok(bottom <= 900, `the text ends at ${bottom}`);
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
  assert.equal(await page.innerText('#lab-level'), 'Next bound');
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
  await page.keyboard.press('Home');
  await page.selectOption('#lab-speed', '1024');
  await page.focus('#lab h1');
  await page.keyboard.press(' ');
  await until(async () => (await place(page)) === length, 'it comes to the end');
  assert.ok(await page.isDisabled('#lab-reopening'), 'a consistent heuristic opens nothing again');
  await change(page, { t: HARDEST, who: 'wastar:manhattan:5', tab: 'step' });
  await page.waitForSelector('#lab-reopening:enabled');
  const expanded = () => inLab(page, '(lab) => lab.step.lanes[0].cursor.expanded');
  const ways = [];
  for (const key of ['PageDown', 'PageDown', 'PageUp', 'Shift+ArrowRight', 'PageUp', 'PageDown', 'ArrowLeft']) {
    await page.keyboard.press(key);
    ways.push(await expanded());
  }
  assert.deepEqual(ways, [25, 50, 25, 25, 0, 25, 24], 'a page back is as long as a page on');
  await page.click('#lab-reopening');
  assert.match(await page.innerText('#tree-sentence'), /it was closed, but this path is cheaper, so it is reopened/);
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
  await page.focus('#list-box');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.history li');
  assert.ok((await inLab(page, '(lab) => lab.step.lanes[0].tree.selected')) >= 0, 'it is chosen in the tree');
  await page.click('.history .link');
  assert.ok((await place(page)) < length);
  await page.click('#node-back');
  await page.keyboard.press('End');
  const [x, y] = await inLab(page, '(lab) => { lab.step.lanes[0].tree.fit(); return lab.step.lanes[0].tree.scene.at(0); }');
  await page.click('#tree', { position: { x, y } });
  const chosen = await inLab(page, '(lab) => lab.step.lanes[0].text(lab.step.lanes[0].tree.selected)');
  assert.deepEqual(await page.$$eval('.list-row[aria-selected=true] .list-state', (nodes) => nodes.map((node) => node.textContent)), [chosen], 'what is chosen in the tree is marked in the list');
  await page.keyboard.press('Escape');
  assert.deepEqual(problems, []);
});

test('a click in the tree chooses a node, which can be folded; the goal’s branch can be seen alone', async () => {
  const { page, problems } = await open({ who: 'bfs', tab: 'step' });
  await recorded(page);
  await page.keyboard.press('End');
  await settledTrees(page);
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

test('a chosen node is told as it stands, and what is chosen for the next run is told apart', async () => {
  const { page, problems } = await open({ t: '5.1.3.0.2.6.4.7.8', who: 'astar:misplaced greedy:manhattan', tab: 'step' });
  await recorded(page);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('.list-row');
  assert.match(await page.innerText('.list-row .list-state'), /^[\d_]{3} [\d_]{3} [\d_]{3}$/, 'rows are told apart');
  await page.click('.list-row');
  assert.match(await page.innerText('#lab-node'), /not been expanded yet[\s\S]*What has happened[\s\S]*new[\s\S]*Still to come[\s\S]*expanded/);
  assert.doesNotMatch(await page.innerText('.history.past'), /expanded/);
  await page.click('#lab-last');
  assert.match(await page.innerText('.history.past'), /expanded/);
  assert.doesNotMatch(await page.innerText('#lab-node'), /not been expanded yet|Still to come/);
  assert.match(await page.innerText('.node-figures'), /closed/);
  assert.equal(await page.isVisible('#step-old'), false);
  await page.selectOption('#step-who', '1');
  assert.match(await page.innerText('#step-old'), /still A\* misplaced tiles/);
  await page.click('#lab-step-run');
  await page.waitForFunction(() => document.getElementById('step-old').hidden && /Greedy/.test(document.querySelector('.lane-head').textContent));
  assert.ok(await page.isDisabled('#lab-level'), 'who has no bounds has no next one');
  assert.deepEqual(problems, []);
});

test('two trees beside each other have the room that there is, and nothing of them lies under the player', async () => {
  for (const [width, height, least] of [[740, 360, 105], [932, 430, 150], [768, 1024, 340], [1440, 900, 200]]) {
    for (const locale of ['en-US', 'zh-CN']) {
      const { page, problems } = await open({ who: 'astar:manhattan wastar:manhattan:5', tab: 'step', with: '1' }, { viewport: { width, height }, locale });
      await recorded(page);
      for (const _ of [1, 2, 3]) await page.keyboard.press('ArrowRight');
      await still(page);
      const [player, ...boxes] = await page.$$eval('#lab-bar, .lane .tree-box, .lane .said-line', (nodes) => nodes.map((node) => { const { top, bottom } = node.getBoundingClientRect(); return { top, bottom, isTree: node.classList.contains('tree-box'), isBar: node.id === 'lab-bar' }; }).sort((a, b) => Number(b.isBar) - Number(a.isBar)));
      assert.equal(boxes.length, 4);
      assert.ok(await page.evaluate(() => { const card = document.querySelector('.lab .middle').getBoundingClientRect(); return [...document.querySelectorAll(innerHeight < 500 ? '.lane, .lab-acts' : '.lane')].every((node) => node.getBoundingClientRect().right <= card.right); }), `${width}×${height}: nothing sticks out of the card`);
      for (const { top, bottom, isTree } of boxes) {
        assert.ok(bottom <= player.top + 1, `${width}×${height} ${locale}: ${bottom} is under the player at ${player.top}`);
        assert.ok(!isTree || bottom - top >= least, `${width}×${height} ${locale}: ${bottom - top} of ${least}`);
      }
      assert.deepEqual(await cutOff(page), []);
      assert.deepEqual(problems, []);
    }
  }
});

test('of two searches it is said which one a limit has ended', async () => {
  const { page, problems } = await open({ t: HARDEST, who: 'bfs astar:manhattan', n: '50', tab: 'step', with: '1' });
  await recorded(page);
  assert.deepEqual(await page.$$eval('.step-state .note', (notes) => notes.map((note) => [note.id, note.querySelector('b').textContent.trim()])), [['lab-limited', 'Breadth-first'], ['lab-limited-2', 'A* Manhattan']]);
  await change(page, { t: HARDEST, who: 'bfs', n: '50', tab: 'step' });
  await page.waitForFunction(() => document.querySelectorAll('.step-state .note').length === 1);
  assert.equal(await page.locator('.step-state .note b').count(), 0, 'one needs no name');
  // Who has no heuristic is not told to take a better one.
  assert.match(await page.innerText('#lab-limited'), /or take a search with a heuristic, such as A\*\.$/);
  // All within its depth was looked at: no limit came before the end, and no node is current after it.
  await change(page, { t: HARDEST, who: 'dfs', d: '12', tab: 'step' });
  await page.waitForFunction(() => /^There is no solution of 12 moves or fewer/.test(document.getElementById('lab-limited')?.textContent));
  await page.press('#lab-player', 'End');
  await page.waitForFunction(() => /The search has ended: there is no solution within the bound\.$/.test(document.getElementById('tree-sentence').textContent));
  assert.match(await page.innerText('#lab-node'), /There is no current node now\.$/);
  // Who does not check whether a state is new does not say that it is.
  await change(page, { who: 'bfs-tree', tab: 'step' });
  await until(() => inLab(page, "(lab) => lab.step.active().rec?.answer.algorithm === 'bfs-tree'"), 'it is recorded');
  await inLab(page, '(lab) => lab.step.player.seek(lab.step.active().rec.nthExpansion(2))');
  const fates = await page.$$eval('.successor small', (nodes) => nodes.map((node) => node.textContent));
  assert.ok(fates.length > 0 && fates.every((fate) => /joins open/.test(fate)), fates.join());
  assert.deepEqual(problems, []);
});

test('a search that is stopped keeps what it has recorded', async () => {
  const { page, problems } = await open({ lab: '4x4', t: '15.14.8.12.10.11.9.13.2.6.5.1.7.3.4.0', who: 'bfs', tab: 'step', s: '60' });
  await page.waitForFunction(() => /recording is full/.test(document.getElementById('lab-step-counts')?.textContent ?? ''));
  const asked = requests(page, '/api/trace');
  await page.click('#lab-step-stop');
  const { length } = await recorded(page);
  assert.equal(length, 200_000);
  assert.deepEqual(asked, [], 'nothing was searched twice');
  for (const id of ['lab-cut', 'lab-halted']) assert.ok(await page.isVisible(`#${id}`), id);
  assert.equal((await page.textContent('.list-row .list-state')).split('\n').length, 4, 'a large board is there with all its rows');
  assert.deepEqual(problems, []);
});

test('what IDA* forgets is there to be seen', async () => {
  const { page, problems } = await visit(held.browser, `${held.server.url}lab`, WIDE);
  await page.click('#tab-step');
  await page.click('#example-forget');
  await recorded(page);
  const [bounds, forgotten] = await inLab(page, '(lab) => { const { rec, cursor } = lab.step.lanes[0]; cursor.seek(rec.levels[1]); return [rec.levels.length, cursor.statuses.filter((status) => status === 5).length]; }');
  assert.ok(bounds > 1 && forgotten > 1, `${bounds} bounds, ${forgotten} forgotten`);
  assert.deepEqual(await page.$$eval('#lab-key li', (nodes) => nodes.map((node) => node.textContent)), ['generated', 'on the current path', 'current node', 'beyond the bound', 'expanded, no longer on the path', 'solution'], 'every shape is explained');
  assert.equal(await page.isVisible('.list-card'), false, 'a search that dives has no lists');
  assert.doesNotMatch(await page.innerText('#lab-where'), /\b(open|closed)\b/i);
  await page.click('#lab-forward');
  assert.match(await page.innerText('.node-figures'), /^g · h · f\s+0 · 6 · 6\s/);
  // Each bound begins with a root of its own, further to the right: none lies under the buttons.
  for (const [width, height] of [[1440, 900], [768, 1024], [360, 740]]) {
    await page.setViewportSize({ width, height });
    const covered = await inLab(page, `(lab) => {
      const [{ tree, cursor, rec }] = lab.step.lanes;
      const [box, acts] = [tree.canvas.getBoundingClientRect(), tree.box.querySelector('.tree-acts').getBoundingClientRect()];
      const found = [];
      for (let k = 1; k <= rec.length; k += 3) {
        cursor.seek(k);
        tree.follow();
        tree.fit();
        tree.paint();
        const { sizes: { board, dot }, at } = tree.scene;
        for (let n = 0; n < rec.nodes; n += 1) {
          const [x, y] = at(n);
          if (cursor.statuses[n] && box.left + x + Math.max(dot, board.width / 2) > acts.left && box.top + y - Math.max(dot, board.height / 2) < acts.bottom) found.push([k, n]);
        }
      }
      return found;
    }`);
    assert.deepEqual(covered, [], `${width}×${height}: under the buttons`);
  }
  assert.deepEqual(problems, []);
});

test('two searches run side by side in step, and where they part is found', async () => {
  const { page, problems } = await open({ who: 'astar:manhattan bfs', tab: 'step', with: '1' });
  await page.waitForSelector('#tree2-sentence');
  await recorded(page);
  await page.click('#lab-differ');
  const [one, two] = [await page.innerText('#tree-sentence'), await page.innerText('#tree2-sentence')];
  assert.notEqual(one.replace(/^.*expands ([\d_ /]+).*$/s, '$1'), two.replace(/^.*expands ([\d_ /]+).*$/s, '$1'));
  await page.keyboard.press('End');
  const shown = await inLab(page, '(lab) => lab.step.lanes.map(({ cursor, rec }) => cursor.k === rec.length)');
  assert.deepEqual(shown, [true, true]);
  assert.equal(await page.isVisible('.single'), false, 'several go expansion by expansion');
  const edges = await page.$$eval('#tree, #tree2, #lab-player', (nodes) => nodes.map((node) => node.getBoundingClientRect().toJSON()).map(({ top, bottom }) => [top, bottom]));
  assert.ok(edges[0][1] <= edges[2][0] && edges[1][1] <= edges[2][0], `trees do not lie under the player: ${edges}`);
  // What is to be said of recordings, and of what is chosen since, takes no room of theirs.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.selectOption('#step-who', '1');
  await page.waitForSelector('#step-old:not([hidden])');
  await until(async () => { const [left, right, bar] = await page.$$eval('#tree, #tree2, #lab-player', (nodes) => nodes.map((node) => node.getBoundingClientRect())); return left.height >= 180 && left.bottom <= bar.top && right.bottom <= bar.top; }, 'trees end above the player');
  await page.selectOption('#step-who', '0');
  for (const said of ['到第一处不同', 'To the first difference']) {
    await page.click('#language');
    await page.waitForFunction((text) => document.getElementById('lab-differ').textContent === text, said);
  }
  // What is looked at is what is written, whoever is chosen for the next run.
  const expansions = await inLab(page, '(lab) => { lab.step.look(1); return lab.step.lanes[1].rec.expansions; }');
  await page.selectOption('#step-beside', '-1');
  await page.click('#open-export');
  const [file] = await Promise.all([page.waitForEvent('download'), page.click('#export-posthoc')]);
  const { events } = JSON.parse(await readFile(await file.path(), 'utf8'));
  assert.equal(events.filter(({ type }) => type === 'expanding').length, expansions);
  assert.deepEqual(problems, []);
});

test('lists show what means something to the search, and go with its board', async () => {
  const { page, problems } = await open({ t: '2.0.3.1.5.6.4.7.8', who: 'bidirectional bfs greedy:manhattan', tab: 'step', with: '1' });
  await recorded(page);
  const heads = () => page.$$eval('.list-head button', (nodes) => nodes.map((node) => node.textContent.replace(/ [↑↓]/, '')));
  assert.deepEqual(await heads(), ['State', 'Side', 'g'], 'who is blind has no h and no f');
  await until(async () => (await page.$$eval('.list-row .list-side', (nodes) => nodes.map((node) => node.textContent).sort())).join() === 'goal,start', 'both ends wait, each on its side');
  assert.match(await page.innerText('.plot-card h2'), /^g /);
  assert.equal(await page.innerText('#lab-level'), 'Next depth', 'both go depth by depth');
  const inView = () => inLab(page, '(lab) => lab.step.lanes.map(({ tree: { scene }, rec }) => Array.from({ length: rec.nodes }, (_, n) => scene.at(n)).every(([x, y]) => x >= 0 && y >= 0 && x <= scene.width && y <= scene.height))');
  await page.keyboard.press('End');
  await until(async () => (await inView()).every(Boolean), 'both trees fit into their halves');
  const rows = await page.$$eval('.list-row', (nodes) => nodes.map((node) => node.textContent));
  assert.equal(new Set(rows).size, rows.length, 'nothing stands there twice');
  assert.equal(await page.isVisible('#lab-scramble'), false, 'what is set up has made room');
  await page.click('#open-what');
  await page.click('#lab-scramble');
  await page.click('#scramble-20');
  await page.waitForSelector('.list-none:not([hidden])', { state: 'attached' });
  assert.equal(await page.isVisible('#lab-where'), false, 'nothing is told of what is not recorded');
  assert.deepEqual([await page.locator('.list-row').count(), await page.innerText('#list-open')], [0, 'Open 0'], 'a list of another board is gone');
  assert.deepEqual(problems, []);
});

test('on a phone the tree, the current board, the sentence, the code and the player are on the first screen', async () => {
  const { page, problems } = await open({ t: HARDEST, who: 'astar:manhattan bfs', tab: 'step' }, { ...PHONE, viewport: { width: 360, height: 740 } });
  await recorded(page);
  await page.click('#lab-forward');
  const box = (selector) => page.$eval(selector, (node) => { const { top, bottom, height } = node.getBoundingClientRect(); return { top, bottom, height }; });
  const [tree, hand, player, code] = [await box('#tree'), await box('#tree-hand'), await box('#lab-player'), await box('#lab-code')];
  assert.ok(tree.height >= 150 && tree.bottom <= player.top, JSON.stringify({ tree, player }));
  assert.ok(code.height > 100 && code.bottom <= player.top + 1, JSON.stringify({ code, player }));
  const lit = await box('#lab-code .lit');
  assert.ok(lit.top >= code.top && lit.bottom <= code.bottom + 1, 'the line that runs is in sight');
  assert.ok(hand.height > 50 && hand.bottom <= player.top + 1, JSON.stringify({ hand, player }));
  assert.ok(player.height <= 90, `the player is ${player.height} high`);
  assert.equal(await page.isVisible('#lab-goal'), false);
  await page.click('#lab-more');
  assert.equal(await page.isVisible('#lab-goal'), true, 'jumps are there for whoever asks');
  await page.click('#lab-more');
  // A node that is chosen is said to be chosen, and the way back is there.
  const inHand = () => page.getAttribute('#tree-hand .mini', 'aria-label');
  const current = await inHand();
  await page.click('#lab-forward');
  const next = await inHand();
  await settledTrees(page);
  const [x, y] = await inLab(page, '(lab) => lab.step.lanes[0].tree.scene.at(0)');
  assert.equal(await page.isVisible('#tree-chosen'), false);
  await page.click('#tree', { position: { x, y } });
  assert.deepEqual([await inHand(), await page.innerText('#tree-chosen')], [current, 'Chosen node']);
  await page.click('#tree-chosen');
  assert.deepEqual([await inHand(), await page.isVisible('#tree-chosen')], [next, false]);
  await page.click('#tree-hand');
  await page.waitForSelector('dialog[open] #lab-node .mini');
  assert.ok(await page.isVisible('dialog[open] #lab-key'));
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('dialog'));
  // On its side it is low: the tree is there all the same.
  await page.setViewportSize({ width: 740, height: 360 });
  await page.waitForFunction(() => { const [low, bar] = ['tree', 'lab-player'].map((id) => document.getElementById(id).getBoundingClientRect()); return low.height >= 110 && low.bottom <= bar.top && bar.height < 60; });
  await page.setViewportSize({ width: 320, height: 640 });
  const { rows, cut } = await page.evaluate(() => ({ rows: new Set([...document.querySelectorAll('.lab-acts > *')].map((node) => node.offsetTop)).size, cut: [...document.querySelectorAll('.step-form select')].filter((node) => node.scrollWidth > node.clientWidth).map((node) => node.id) }));
  assert.deepEqual({ rows, cut }, { rows: 1, cut: [] });
  await page.click('#tab-race');
  await page.click('#lab-strip');
  await page.waitForSelector('dialog[open] .problem-card');
  assert.deepEqual(problems, []);
});

test('ten thousand nodes are drawn by few strokes, and any of 200,000 events is near', async () => {
  const { page, problems } = await open({ t: HARDEST, who: 'bfs astar:misplaced', tab: 'step' });
  const { length } = await recorded(page);
  assert.equal(length, 200_000);
  assert.ok(await page.isVisible('#lab-cut'), 'that the recording ends there is said');
  // How long they take depends on the machine: strokes are counted (`npm run tree-speed` times them), and a way through all events is compared with a plain loop over them.
  const { strokes, boards, seek, loop } = await inLab(page, `async (lab) => {
    const { createPainter } = await packed('places/lab/paint.js');
    const { cursor, rec, tree } = lab.step.lanes[0];
    const quickest = (work) => Math.min(...Array.from({ length: 15 }, () => { const begun = performance.now(); work(); return performance.now() - begun; }));
    const touched = new Uint32Array(rec.nodes);
    const loop = quickest(() => { for (let again = 0; again < 10; again += 1) for (let k = 0; k < rec.length; k += 1) touched[k % 1000] += rec.what[k] + rec.node[k]; }) / 10;
    const seek = quickest(() => { cursor.seek(rec.length); cursor.seek(0); }) / 2;
    while (cursor.statuses.reduce((sum, status) => sum + (status > 0 ? 1 : 0), 0) < 10000) cursor.seek(cursor.k + 1000);
    tree.follow();
    tree.fit();
    tree.paint();
    const counted = () => {
      let count = 0;
      createPainter().paint(new Proxy({}, { get: () => () => { count += 1; }, set: () => true }), tree.scene);
      return count;
    };
    const strokes = counted();
    // As far in as boards are drawn.
    while (!tree.scene.sizes.cell) { tree.scale(1); tree.paint(); }
    return { strokes, boards: counted(), seek, loop };
  }`);
  process.stdout.write(`# seeking across 200,000 events ${seek.toFixed(1)} ms, a loop over them ${loop.toFixed(2)} ms; 10,000 nodes take ${strokes} strokes, boards of them ${boards}\n`);
  assert.ok(seek < 200 * Math.max(loop, 0.1), `seeking takes ${seek} ms, a loop ${loop} ms`);
  assert.ok(strokes > 1000 && strokes < 50_000 && boards < 50_000, `drawing takes ${strokes} and ${boards} strokes`);
  assert.deepEqual(problems, []);
});
