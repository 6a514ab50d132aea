// Takes the screenshots of docs/screenshots from a running server, and makes the guide's pictures of races and maps.
//   npm run screenshots

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DESKTOP, PHONE, ROOT, launch, startServer, until, visit } from './harness.mjs';

const OUT = path.join(ROOT, 'docs/screenshots');
const GUIDE = path.join(ROOT, 'docs/guide');
const FOUR = '#p=4x4&b=15&t=5.1.3.4.2.0.7.8.9.6.10.12.13.14.11.15&pic=dawn';

async function shoot(browser, url, name, { options = DESKTOP, locale = 'en-US', hash = FOUR, theme = null, act = async () => {}, file = path.join(OUT, `${name}.jpg`) }) {
  const { page, context } = await visit(browser, `${url}${hash}`, { ...options, leisurely: true, locale, colorScheme: theme ?? 'light' });
  await page.waitForTimeout(900);
  await act(page);
  await page.waitForTimeout(900);
  // A painted picture takes a quarter of the room as JPEG.
  await page.screenshot({ path: file, scale: 'css', ...(file.endsWith('.jpg') ? { type: 'jpeg', quality: 85 } : {}) });
  await context.close();
}

async function playSome(page) {
  for (const key of ['ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(180);
  }
}

const playBack = async (page) => {
  await playSome(page);
  await page.locator('#solve').click();
  await page.waitForSelector('#playback:not([hidden])');
  await page.click('#pb-play');
  await page.waitForTimeout(200);
};

const hint = async (page) => {
  await playSome(page);
  await page.keyboard.press('h');
  await page.waitForSelector('.hinted');
};

/** A map with its search, as Paths exports it, for the guide. */
async function drawMap(browser, url, name, fragment) {
  const { page, context } = await visit(browser, `${url}paths#${fragment}`, DESKTOP);
  await until(() => page.evaluate(async () => Boolean((await packed('places/paths/place.js')).inspect().entries[0]?.search)), 'the search is there');
  await page.waitForTimeout(300);
  await writeFile(path.join(GUIDE, `${name}.svg`), `${await page.evaluate(async () => (await packed('places/paths/exports.js')).svgText())}\n`);
  await context.close();
}

const server = await startServer();
const browser = await launch();
await mkdir(OUT, { recursive: true });
try {
  const take = (name, how) => shoot(browser, server.url, name, how);
  await take('play-desktop-en', { act: hint });
  await take('play-desktop-zh', { locale: 'zh-CN', act: playBack, hash: FOUR.replace('dawn', 'mist') });
  await take('play-phone-zh', { locale: 'zh-CN', options: PHONE, act: hint });
  await take('play-dark', { theme: 'dark', hash: FOUR.replace('dawn', 'night'), act: async (page) => { await page.click('#show-numbers'); await playSome(page); } });
  await take('picture-sheet', { act: async (page) => { await page.click('#more-pictures'); } });
  await take('win-card', { hash: '#p=3x3&b=8&t=1.2.3.4.5.6.0.7.8&pic=pond', act: async (page) => {
    await page.keyboard.press('ArrowLeft');
    await page.waitForTimeout(900);
    await page.keyboard.press('ArrowLeft');
    await page.waitForSelector('dialog.win-card');
    await page.waitForTimeout(1500);
  } });
  const step = async (page) => { await page.waitForSelector('#lab-player:not([hidden])'); await page.fill('#lab-nth', '1458'); await page.press('#lab-nth', 'Enter'); await page.focus('#lab h1'); };
  const lab = (tab) => `lab#lab=3x3&t=8.6.7.2.5.4.3.0.1&who=bfs+bidirectional+astar:manhattan+astar:linear-conflict+wastar:manhattan:5+ida:linear-conflict&step=3&tab=${tab}`;
  await take('lab-desktop-en', { options: { ...DESKTOP, viewport: { width: 1440, height: 900 } }, hash: lab('step'), act: step });
  await take('race', { file: path.join(GUIDE, 'race.png'), options: { ...DESKTOP, viewport: { width: 1440, height: 960 } }, hash: lab('race'), act: (page) => page.waitForSelector('#lab-growth svg') });
  await take('lab-desktop-zh', { locale: 'zh-CN', options: { ...DESKTOP, viewport: { width: 1440, height: 900 } }, hash: lab('step'), act: step });
  await take('lab-phone-zh', { locale: 'zh-CN', options: PHONE, hash: lab('race'), act: (page) => page.waitForSelector('#lab-growth svg') });
  const half = async (page) => { await page.waitForSelector('#paths-player-first:enabled'); await page.fill('#paths-player-nth', '60'); await page.press('#paths-player-nth', 'Enter'); };
  await take('paths-desktop-en', { options: { ...DESKTOP, viewport: { width: 1440, height: 900 } }, hash: 'paths', act: half });
  await take('paths-desktop-zh', { locale: 'zh-CN', options: { ...DESKTOP, viewport: { width: 1440, height: 900 } }, hash: 'paths', act: half });
  for (const [name, map, algorithm] of [['meadow-dijkstra', 'meadow', 'dijkstra'], ['meadow-greedy', 'meadow', 'greedy'], ['meadow-astar', 'meadow', 'astar'], ['trap-jps', 'trap', 'jps']]) await drawMap(browser, server.url, name, `map=map:${map}&a=${algorithm}&w=no-corners`);
  await take('paths-phone-zh', { locale: 'zh-CN', options: PHONE, hash: 'paths#map=rooms:33x33:7&a=astar&w=no-corners' });
} finally {
  await browser.close();
  await server.clean();
}
