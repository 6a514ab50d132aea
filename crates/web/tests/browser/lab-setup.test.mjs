// The lab: what is searched, and what is said of it: links, boards that are pasted, edited, given and taken, and what heuristics see.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { game, noticed, pintuHelp, pintuLines, scramble, stage, tab, until, visit } from './harness.mjs';
import { EIGHT, HARDEST, WIDE, change, figure, finished, holdStore, inLab, opener, place, recorded, requests, setup } from './lab-steps.mjs';
import { keptMoves } from './library-steps.mjs';
import { cutOff } from './looks.mjs';

const held = stage();
const open = opener(held);

test('a link without heuristics shows and runs what the engine takes', async () => {
  const who = ['astar', 'greedy', 'ida', 'wastar'];
  const { page, problems } = await open({ t: HARDEST, who: who.join(' '), tab: 'race' });
  await finished(page, 4);
  const lines = await pintuLines(['compare', '-', '--algorithms', who.join(','), '--format', 'json'], HARDEST.replaceAll('.', ' '));
  for (const [row, line] of lines.entries()) {
    assert.equal(await figure(page, row, 'expanded'), line.expanded, who[row]);
    assert.match(await page.innerText(`#lab-race tr[data-contestant="${row}"] .who`), who[row] === 'wastar' ? /5\u00a0×\u00a0linear conflict$/ : /linear conflict$/);
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
  [{ step: '0.5' }, /step is “0\.5”, expected a whole number from 0 to 1/], [{ with: '0.5' }, /with .*“0\.5”/], [{ with: '7' }, /with .*“7”, expected a whole number from 0 to 1/], [{ k: '3.5' }, /k .*“3\.5”/],
  [{ who: 'wastar:manhattan:1e999' }, /who .*“wastar:manhattan:1e999”, expected a weight from 1 to 1,000/], [{ who: 'wastar:manhattan:1000000' }, /weight from 1 to 1,000/], [{ who: 'bfs:pattern' }, /no heuristic guides/], [{ who: 'constructor' }, /expected one of bfs, /], [{ who: 'astar:best' }, /a heuristic out of misplaced, /], [{ who: 'astar:manhattan:5' }, /only wastar has a weight/], [{ who: 'bfs '.repeat(9) }, /“9”, expected 1 to 8/],
  [{ n: '1.5' }, /n is “1\.5”, expected a whole number from 1 up/], [{ n: '-3' }, /“-3”/], [{ d: '1e20' }, /d is “1e20”, expected a whole number from 1 to 1,000/], [{ s: 'Infinity' }, /from 0\.1 to 60/], [{ m: 'x' }, /above 0/],
  [{ avg: '1e1.1e-3' }, /avg is “1e1\.1e-3”, expected how many boards/], [{ avg: '2.1e30' }, /avg/], [{ tab: 'constructor' }, /one of race, step, why/], [{ fair: 'never' }, /one of expansions, time/],
  [{ lab: '1x4', t: '1.2.3.0' }, /lab is “1x4”, expected two sides of 2 to 10/], [{ lab: '3x3x3' }, /two sides/], [{ t: '1.2.3.4.5.6.7.8.0x' }, /every number from 0 to 8 once/], [{ t: '1.1.3.4.5.6.7.8.0' }, /every number/], [{ wr: '0.0.0' }, /different rows from 0 to 2/], [{ wc: '3' }, /different columns from 0 to 2/],
];

test('a link that is wrong is refused with the value, and with what is expected', async () => {
  const { page, problems } = await open({ who: 'bfs bidirectional', tab: 'why' });
  const before = await inLab(page, "() => packed('places/lab/setup.js').then(({ setup }) => setup())");
  for (const [fields, said] of LINKS) {
    await page.evaluate(() => document.getElementById('toasts').replaceChildren());
    await change(page, { who: 'bfs ida:manhattan', tab: 'why', ...fields });
    await page.waitForFunction(() => document.getElementById('toasts').textContent !== '');
    assert.match(await page.textContent('#toasts'), said, JSON.stringify(fields));
    assert.deepEqual(await inLab(page, "() => packed('places/lab/setup.js').then(({ setup }) => setup())"), before, 'nothing changes');
  }
  const { page: chinese } = await open({ who: 'bfs', n: '1.5', tab: 'race' }, { ...WIDE, locale: 'zh-CN' });
  await chinese.waitForFunction(() => /这个链接有误：n 是“1\.5”，应为不小于 1 的整数。/.test(document.getElementById('toasts').textContent));
  assert.deepEqual(problems, []);
});

test('an impossible board is explained and mended by a swap', async () => {
  const { page, problems } = await open({ t: '2.1.3.4.5.6.7.8.0', tab: 'step', who: 'bfs' });
  await page.waitForSelector('#lab-repair');
  assert.match(await page.innerText('#lab-verdict'), /cannot be solved/);
  // There is nothing to step through, and the way to mend it is there.
  await page.waitForSelector('#lab-step-impossible');
  assert.deepEqual([await page.isVisible('#lab-player'), await page.isVisible('#tree')], [false, false]);
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.className);
  await page.focus('#lab-step-mend');
  await page.keyboard.press('Enter');
  await recorded(page);
  assert.equal(await focused(), 'lab-step-run', 'the button is gone, and the focus is near');
  await page.waitForFunction(() => /It can be solved/.test(document.getElementById('lab-verdict').textContent));
  await change(page, { t: '2.1.3.4.5.6.7.8.0', tab: 'race', who: 'bfs astar:manhattan' });
  await page.waitForSelector('#race-impossible');
  assert.equal(await page.locator('#lab-race table').count(), 0, 'there are no figures, so none are shown');
  await page.focus('#race-mend');
  await page.keyboard.press('Enter');
  await finished(page, 2);
  assert.match(await focused(), /race-table/);
  for (const button of ['lab-run', 'race-average', 'race-one']) {
    await page.focus(`#${button}`);
    await page.keyboard.press('Enter');
    await finished(page, 2);
    assert.equal(await focused(), button);
  }
  await page.focus('#lab-add');
  for (let added = 3; added <= 8; added += 1) {
    await page.keyboard.press('Enter');
    await page.waitForFunction((count) => document.querySelectorAll('#lab-contestants li').length === count, added);
  }
  assert.ok(await page.evaluate(() => document.activeElement.matches('#lab-contestants li:last-child select')), 'no more can be added');
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
  for (const [text, said] of [['', /^Start: there is nothing/], ['1 2 x', /line 1 has “x”/], ['1 2 3\n4 5 5\n7 8 0', /must appear once; see line 2\. Missing: 6/], ['1 2 3\n4 5\n6 7 0', /line 2 has 2 numbers/], ['8 6 7 2 5 4 3 0', /^Start: 8 numbers on one line make no square/]]) {
    await page.fill('#lab-text', text);
    await page.click('#lab-use-text');
    await page.waitForFunction((wanted) => new RegExp(wanted).test(document.querySelector('dialog .error').textContent), said.source);
  }
  const large = Array.from({ length: 12 }, (_, row) => Array.from({ length: 12 }, (__, col) => (row * 12 + col + 1) % 144).join(' ')).join('\n');
  for (const [text, said] of [['1 4\n1 2 3 0', 'Start: its board is 1×4; sides go from 2 to 10 here.'], [large, 'Start: its board is 12×12; sides go from 2 to 10 here.']]) {
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

/** How a board comes to be searched in the Lab: by hand and raced, or by a link to each tab; in the game's numbers, or in others with another goal. */
const SEARCHES = {
  'typed and raced': async (page) => {
    await page.click('#lab-paste');
    await page.fill('#lab-text', '1 2 3\n4 5 6\n7 0 8');
    await page.click('#lab-use-text');
    await page.click('#lab-run');
  },
  'recorded from a link': (page) => page.evaluate((hash) => { location.hash = hash; }, setup({ t: '1.2.3.4.5.6.7.0.8', tab: 'step', who: 'bfs' }).slice(3)),
  'looked into, in other numbers': (page) => page.evaluate((hash) => { location.hash = hash; }, setup({ t: '8.7.6.5.4.3.2.0.1', g: '8.7.6.5.4.3.2.1.0', tab: 'why' }).slice(3)),
};

for (const [how, search] of Object.entries(SEARCHES)) {
  test(`a position that was copied out of a running game counts as help when it is ${how}, and that is said first`, async () => {
    const { page, problems } = await visit(held.browser, held.server.url, WIDE);
    const asked = ['race', 'trace', 'examine'].map((what) => requests(page, `/api/${what}`));
    const searches = () => asked.flat().filter((body) => /"tiles":\[(1,2,3,4,5,6,7,0,8|8,7,6,5,4,3,2,0,1)\]/.test(body)).length;
    await scramble(page, [1, 2, 3, 4, 5, 6, 0, 7, 8]);
    await page.keyboard.press('ArrowLeft');
    assert.deepEqual((await game(page)).tiles, [1, 2, 3, 4, 5, 6, 7, 0, 8]);
    await page.click('.places [data-place=lab]');
    await page.waitForSelector('#lab-run');
    await search(page);
    await page.waitForFunction(() => /counts as help[^]*sets no record/.test(document.querySelector('dialog[open]')?.textContent ?? ''));
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForFunction(() => !document.querySelector('dialog'));
    assert.deepEqual([searches(), (await game(page)).helped], [0, false], 'who does not want it is told nothing');
    await page.evaluate(() => { location.hash = ''; });
    await search(page);
    await page.getByRole('button', { name: 'Help me anyway' }).click();
    await until(() => searches() > 0, 'it is searched');
    assert.equal((await game(page)).helped, true);
    await page.click('.places [data-place=play]');
    await page.keyboard.press('ArrowLeft');
    await page.waitForSelector('#win-unranked');
    assert.match(await page.textContent('#win-unranked'), /with help/);
    // A search that has ended meanwhile cannot be stopped.
    assert.deepEqual(problems.filter((text) => !/404.*api\/searches/.test(text)), []);
  });
}

test('the Lab in another tab knows the unfinished games, asks nothing about another board, and waits for no store', async () => {
  const { page, context, problems } = await visit(held.browser, held.server.url, WIDE);
  await scramble(page, [1, 2, 3, 4, 5, 6, 0, 7, 8]);
  await page.keyboard.press('ArrowLeft');
  await keptMoves(page, 1);
  const lab = await tab(context, `${held.server.url}${setup({ t: '1.2.3.4.5.6.7.0.8', who: 'bfs' })}`, problems);
  await lab.getByRole('button', { name: 'Help me anyway' }).click();
  await finished(lab, 1);
  await page.keyboard.press('ArrowLeft');
  await page.waitForSelector('#win-unranked');
  assert.match(await page.textContent('#win-unranked'), /with help/);
  const release = await holdStore(lab, 'saves');
  await change(lab, { t: EIGHT, who: 'bfs' });
  await finished(lab, 1);
  assert.equal(await lab.locator('dialog[open]').count(), 0);
  await release();
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
  for (const [locale, words] of [['en-US', /1 to 1,000 is possible: 0\.5 was changed to 1\./], ['zh-CN', /可填 1 到 1,000：0\.5 已改为 1。/]]) {
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

test('a depth bound that nobody has given is the engine’s', async () => {
  const [, usual] = /--max-depth <D>[^]*?\[default: (\d+)\]/.exec(await pintuHelp('solve')) ?? [];
  const { page, problems } = await open({ who: 'bfs dfs', tab: 'race' });
  assert.equal(await page.innerText('#lab-contestants li:nth-child(2) .link'), `to depth ${usual}`);
  await page.click('#lab-limits');
  assert.equal(await page.getAttribute('#limit-depth', 'placeholder'), usual);
  assert.equal(await page.getAttribute('#limit-nodes', 'placeholder'), 'no limit');
  await page.fill('#limit-depth', '31');
  await page.click('dialog .filled');
  assert.equal(await page.innerText('#lab-contestants li:nth-child(2) .link'), 'to depth 31');
  assert.deepEqual(problems, []);
});

test('a link carries the whole set-up, and files are written', async () => {
  const { page, problems } = await open({ who: 'astar:manhattan wastar:manhattan:3', tab: 'race', d: '40', fair: 'time' });
  await finished(page, 2);
  await page.keyboard.press('?');
  assert.match(await page.innerText('dialog[open]'), /^The Lab\n[\s\S]*Race: [\s\S]*Where h comes from[\s\S]*One event back, one event on/, 'the help is the place’s');
  assert.doesNotMatch(await page.innerText('dialog[open]'), /Shuffle/);
  await page.keyboard.press('Escape');
  await page.click('#open-link');
  assert.match(await page.innerText('#share-here'), /only on this computer: its address is 127\.0\.0\.1/);
  const link = await page.inputValue('dialog input');
  await page.keyboard.press('Escape');
  const { page: other } = await visit(held.browser, link, WIDE);
  await finished(other, 2);
  assert.equal(await figure(other, 1, 'expanded'), await figure(page, 1, 'expanded'));
  assert.deepEqual(await inLab(other, "() => packed('places/lab/setup.js').then(({ setup }) => [setup().fair, setup().limits.maxDepth])"), ['time', 40]);
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
  for (const [id, begins] of [['card-svg', '<?xml'], ['card-png', '\ufffdPNG'], ['tree-svg', '<?xml'], ['tree-png', '\ufffdPNG'], ['events-csv', 'search,event,what'], ['posthoc', '{"version":"1.4.0"']]) {
    const [written] = await Promise.all([page.waitForEvent('download'), page.click(`#export-${id}`)]);
    assert.ok((await readFile(await written.path(), 'utf8')).startsWith(begins), id);
    const bytes = await readFile(await written.path());
    if (id.endsWith('png')) assert.ok(Math.max(bytes.readUInt32BE(16), bytes.readUInt32BE(20)) >= 2000, 'a picture is large enough to be printed');
    // Every drawing has the name, the figures, the sentence, the legend and the link.
    if (id.endsWith('svg')) assert.doesNotMatch(bytes.toString(), /127\.0\.0\.1/);
    if (id.endsWith('svg')) for (const word of ['A* Manhattan', '4 of', 'Expansion 4', 'current node', '/lab#lab=3x3']) assert.ok(bytes.toString().includes(word), `${id}: ${word}`);
  }
  // Another search is chosen than was recorded: the link is that one's, and no card has the picture of one with the link to the other.
  await page.keyboard.press('Escape');
  await page.selectOption('#step-who', '1');
  await page.click('#open-export');
  for (const id of ['card-svg', 'card-png', 'tree-svg', 'tree-png']) assert.ok(await page.isDisabled(`#export-${id}`), id);
  assert.match(await page.innerText('#export-old-step'), /no card of this search/);
  assert.ok(await page.isEnabled('#export-events-csv'));
  await page.keyboard.press('Escape');
  await page.click('#open-link');
  assert.doesNotMatch(await page.inputValue('dialog input'), /[#&]k=/);
  assert.deepEqual(problems, []);
});
