// The lab: how it looks in both languages, everything reachable without a mouse, the guide, and that the game carries nothing of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, stage, until, visit } from './harness.mjs';
import { WIDE, finished, opener, place, recorded } from './lab-steps.mjs';
import { WIDTHS, cutOff, misfits, objections, objectionsInBoth } from './looks.mjs';

const held = stage();
const open = opener(held);

for (const locale of ['en-US', 'zh-CN']) {
  for (const [name, device] of [['phone', { ...PHONE, viewport: { width: 360, height: 740 } }], ['desktop', WIDE]]) {
    test(`${locale} on a ${name}: complete, nothing cut off, accessible`, async () => {
      const { page, problems } = await open({ who: 'bfs astar:manhattan wastar:manhattan:5', tab: 'race' }, { ...device, locale });
      const faults = [];
      // On a desktop all widths are tried: a page is resized sooner than it is loaded.
      const widths = name === 'desktop' ? WIDTHS : [];
      const look = async (what) => faults.push(...[...(await cutOff(page)), ...(await misfits(page, widths)), ...((await page.evaluate(() => document.body.innerText.match(/\b(?:lab|trace)\.[a-z]\w+/g))) ?? []), ...(await objectionsInBoth(page))].map((fault) => `${what}: ${fault}`));
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
    // Its boards can be played, in the page's language.
    assert.equal(await page.locator('#guide-text pintu-board').count(), 2);
    const board = page.locator('#guide-text pintu-board').last();
    await board.getByRole('button', { name: name === 'zh' ? '解法的下一步' : 'Next move of the solution' }).click();
    assert.deepEqual(await board.evaluate(({ moves, problem }) => [moves, problem]), ['D', null]);
    assert.deepEqual([...(await cutOff(page)), ...(await objections(page))], []);
    const now = await page.innerText('#guide-text h1');
    await page.click('#guide-text a');
    await page.waitForFunction((before) => { const head = document.querySelector('#guide-text h1')?.textContent; return head && head !== before; }, now);
    await page.goBack();
    await page.waitForSelector('#lab-race');
    // A search that has ended meanwhile cannot be stopped.
    assert.deepEqual(problems.filter((text) => !/404.*api\/searches/.test(text)), []);
  });
}

test('the game loads nothing of the lab', async () => {
  const { page } = await visit(held.browser, held.server.url);
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname));
  assert.deepEqual(loaded.filter((path) => /^\/(places|trace)\//.test(path)), []);
});
