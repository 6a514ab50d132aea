// How Paths looks: in both languages, on a phone and a desktop, in every theme.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PHONE, stage } from './harness.mjs';
import { cutOff, objections } from './looks.mjs';
import { openPaths, settled } from './paths-steps.mjs';

const held = stage();

for (const locale of ['en-US', 'zh-CN']) {
  for (const [name, device] of [['phone', PHONE], ['desktop', { viewport: { width: 1440, height: 900 } }]]) {
    test(`${locale} on a ${name}: complete, nothing cut off, accessible`, async () => {
      const { page, problems } = await openPaths(held.browser, held.server.url, { options: { ...device, locale } });
      const faults = [];
      const look = async (what) => {
        const keys = (await page.evaluate(() => document.body.innerText.match(/\b(?:paths|trace|nav|share|playback)\.[a-z]\w+/g))) ?? [];
        faults.push(...[...(await cutOff(page)), ...keys, ...(await objections(page))].map((fault) => `${what}: ${fault}`));
      };
      const close = async () => {
        const open = await page.locator('dialog').count();
        await page.keyboard.press('Escape');
        await page.waitForFunction((count) => document.querySelectorAll('dialog').length < count, open);
      };
      await look('at first');
      const narrow = name === 'phone';
      const aside = async (button, act) => {
        if (narrow) await page.click(button);
        await act();
        if (narrow) await close();
      };
      if (narrow) for (const button of ['#paths-bar-whole', '#paths-bar-settings']) { await page.click(button); await look(button); await close(); }
      for (const opens of ['#paths-maker', '#paths-files', '#paths-export']) await aside('#paths-bar-whole', async () => { await page.click(opens); await look(opens); await close(); });
      await page.click('#paths-tool-file');
      await look('as text');
      await close();
      if (narrow) {
        await page.click('#paths-player-more');
        await look('jumps');
        await page.click('#paths-player-more');
        await page.click('#paths-bar-hint');
      }
      if (!narrow) await page.click('#paths-tour-1');
      await settled(page);
      await page.click('#paths-tour-3');
      await settled(page);
      await look('tour');
      await aside('#paths-bar-whole', () => page.selectOption('#paths-builtin', 'passages'));
      await settled(page);
      await look('graph');
      await aside('#paths-bar-whole', () => page.selectOption('#paths-builtin', 'sea-8-cut'));
      await settled(page);
      await look('no path');
      assert.deepEqual([...faults, ...problems], []);
    });
  }
}

for (const look of ['dark', 'contrast']) {
  test(`the ${look} look is accessible`, async () => {
    const { page, problems } = await openPaths(held.browser, held.server.url);
    await page.click('#open-settings');
    await page.check(`input[value=${look}]`);
    await page.keyboard.press('Escape');
    assert.deepEqual(await objections(page), []);
    assert.deepEqual(problems, []);
  });
}
