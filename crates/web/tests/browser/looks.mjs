// What a page must not do in any language, look or width.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { still } from './harness.mjs';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What may differ between the languages: whether everything has a name, and which language it is in. Colours, sizes and structure are judged in English. */
const OF_WORDS = ['aria-command-name', 'aria-dialog-name', 'aria-input-field-name', 'aria-meter-name', 'aria-progressbar-name', 'aria-tab-name', 'aria-toggle-field-name', 'aria-tooltip-name', 'aria-treeitem-name', 'button-name', 'document-title', 'empty-heading', 'empty-table-header', 'html-has-lang', 'html-lang-valid', 'image-alt', 'input-button-name', 'label', 'label-title-only', 'link-name', 'role-img-alt', 'select-name', 'summary-name', 'svg-img-alt', 'valid-lang'];
/** What may differ between the looks, which are the same but for their colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];
const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe objects to, as text: in the topmost sheet, or where none is open in the whole page; by the rules named, or by all. */
export async function objections(page, rules = ALL) {
  // It is long: a document gets it once.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  // Colours are judged when nothing moves any more.
  await still(page);
  return page.evaluate(async ([all, ofWords]) => {
    const context = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
    const { violations } = await window.axe.run(context, { runOnly: document.documentElement.lang === 'en' ? all : ofWords, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target} ${failureSummary.split('\n')[1]}`).join(' | ')}`);
  }, [rules, OF_WORDS]);
}

/** What axe objects to in both looks. Ends on the light one. */
export async function objectionsInBoth(page) {
  const found = [];
  // Colours are judged in English alone.
  const looks = (await page.getAttribute('html', 'lang')) === 'en' ? ['dark', 'light'] : ['light'];
  for (const colorScheme of looks) {
    await page.emulateMedia({ colorScheme });
    // The page takes a look on by itself; colours that still change are waited for then.
    await page.waitForFunction((look) => document.documentElement.dataset.look === look, colorScheme);
    found.push(...(await objections(page, colorScheme === 'dark' ? OF_COLOURS : ALL)).map((fault) => `${colorScheme}: ${fault}`));
  }
  return found;
}

/** Visible texts that do not fit their box, or stick out of the window; rows that scroll sideways may. */
export const cutOff = (page) => page.evaluate(() => [...document.querySelectorAll('button, a, h1, h2, h3, p, label, dt, dd, th, span.label, .value, .chip span, legend, figcaption')].filter((node) => {
  const box = node.getBoundingClientRect();
  const style = getComputedStyle(node);
  if (!box.width || style.visibility === 'hidden' || node.closest('.unseen, [hidden], .tile, .table-scroll, .brushes, .places')) return false;
  const clipped = node.scrollWidth > node.clientWidth + 1 && style.display !== 'inline' && node.clientWidth > 0;
  return clipped || box.right > innerWidth + 1 || box.left < -1;
}).map((node) => `${node.tagName}.${node.className} “${node.textContent.trim().slice(0, 30)}”`));

/** The sizes of screen on which everything must work. */
export const SIZES = { phone: [[360, 740], [320, 640], [480, 800], [740, 360]], desktop: [[1440, 900], [768, 1024], [1920, 1080], [3840, 2160]] };

/** From a phone to a screen on a wall. */
export const WIDTHS = [...SIZES.desktop, SIZES.phone[0]];

/** What is wrong on each of some sizes: texts that are cut off, and a page that can be scrolled sideways. Ends on the first size. */
export async function misfits(page, sizes) {
  const faults = [];
  for (const [width, height] of [...sizes.slice(1), ...sizes.slice(0, 1)]) {
    await page.setViewportSize({ width, height });
    await still(page);
    const wide = await page.evaluate(() => new Promise((resolve) => { requestAnimationFrame(() => resolve(Math.max(innerWidth, document.documentElement.scrollWidth))); }));
    if (wide > width) faults.push(`${width}×${height}: ${wide} wide`);
    faults.push(...(await cutOff(page)).map((fault) => `${width}×${height}: ${fault}`));
  }
  return faults;
}
