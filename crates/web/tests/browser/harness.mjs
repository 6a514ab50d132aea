// A server of its own for each test, and a real browser for each file.

import { execFile, spawn } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../..');
export const PAGE = path.join(ROOT, 'crates/web/page');
const SERVER = process.env.PINTU_SERVE ?? path.join(ROOT, 'target/debug/examples/serve');
export const COMMAND = process.env.PINTU ?? path.join(ROOT, 'target/debug/pintu');
const CHROMIUM = process.env.CHROMIUM ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file));
/** How long a test waits for something that must come, on a machine that is busy with other things; never for something that must not. (PINTU_TIMEOUT: shorter, to see a test fail.) */
const TIMEOUT_MILLIS = Number(process.env.PINTU_TIMEOUT ?? 240_000);
const QUIET = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-default-apps', '--no-first-run', '--metrics-recording-only'];

/** Starts a server on a directory of its own, with an engine for browsers if one is given; it can be killed and started again at the same address. */
export async function startServer({ engine = '' } = {}) {
  const data = await mkdtemp(path.join(tmpdir(), 'pintu-browser-'));
  const server = { data, url: '', kill: null, start: null, clean: null };
  server.start = async () => Object.assign(server, await spawned(data, server.url ? new URL(server.url).port : 0, engine));
  server.clean = async () => {
    await server.kill();
    await rm(data, { recursive: true, force: true });
  };
  return server.start();
}

async function spawned(data, port, engine) {
  const child = spawn(SERVER, [data, `127.0.0.1:${port}`, ...(engine ? [engine] : [])], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => { child.on('exit', resolve); });
  const url = await new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
      const found = /listening on (\S+)\s/.exec(said);
      if (found) resolve(found[1]);
    });
    child.on('error', reject);
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { url, kill: async () => { child.kill('SIGKILL'); await ended; } };
}

/** What the command line answers, as JSON; one that finds nothing ends with a status of its own, and has answered all the same. */
export const pintu = async (...args) => JSON.parse((await promisify(execFile)(COMMAND, args).catch((error) => { if (error.stdout) return error; throw error; })).stdout);

/** What the command line says of one of its commands. */
export const pintuHelp = async (command) => (await promisify(execFile)(COMMAND, [command, '--help'])).stdout;

/** What the command line prints for some input, a JSON object a line. */
export function pintuLines(args, input = '') {
  return new Promise((resolve, reject) => {
    const child = execFile(COMMAND, args, (error, stdout) => (stdout ? resolve(stdout.trim().split('\n').map((line) => JSON.parse(line))) : reject(error)));
    // One that needs no input may have ended before it is given any.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

/** `packed('js/session.js')` is the page's own module in the page, for what a test evaluates there. */
const reaching = () => { globalThis.packed = async (file) => (await import(document.querySelector('script[type=module]').src)).load(file); };

/** `scrollBars` has scroll bars that take room, as most desktops have them. */
export const launch = async ({ scrollBars = false } = {}) => prepared(await chromium.launch({ executablePath: CHROMIUM, args: QUIET, ignoreDefaultArgs: scrollBars ? ['--hide-scrollbars'] : [], timeout: TIMEOUT_MILLIS }), Number(process.env.PINTU_SLOWER ?? 1));

/** A browser with a profile that outlives it. */
export async function launchKept(folder) {
  const context = await chromium.launchPersistentContext(folder, { executablePath: CHROMIUM, args: QUIET, timeout: TIMEOUT_MILLIS });
  for (const script of [reaching, met]) await context.addInitScript(script);
  context.setDefaultTimeout(TIMEOUT_MILLIS);
  return context;
}

/** Has a page in a window of another size go on when it is laid out for that, and whatever watches sizes has been told. */
function waitForLayout(page) {
  const apply = page.setViewportSize.bind(page);
  page.setViewportSize = async (size) => {
    await apply(size);
    // Observers are told in the order in which they began to watch, and of what changes meanwhile in the next frame.
    await page.waitForFunction(async ({ width, height }) => {
      if (screen.width !== width || screen.height !== height) return false;
      for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => { new ResizeObserver(resolve).observe(document.documentElement); });
      return true;
    }, size);
  };
}

/** A browser whose pages have `packed`, and run so many times slower (PINTU_SLOWER=6): what a test took for granted shows on any machine then. */
function prepared(browser, rate = 1) {
  const open = browser.newContext.bind(browser);
  browser.newContext = async (...options) => {
    const context = await open(...options);
    await context.addInitScript(reaching);
    context.on('page', waitForLayout);
    if (rate > 1) context.on('page', async (page) => (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate }));
    return context;
  };
  return browser;
}

const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
export const hasFirefox = existsSync(FIREFOX);
/** Says that tests do not run here, and why; `cargo xtask test` prints it at its end. */
export const skip = (reason) => { if (process.env.PINTU_SKIPPED) appendFileSync(process.env.PINTU_SKIPPED, `${reason}\n`); };
/** Debian's Firefox, spoken to by the standard protocol; this needs the Playwright of its time. */
export const launchFirefox = async () => prepared(await (await import('playwright-for-firefox')).default._bidiFirefox.launch({ executablePath: FIREFOX, timeout: TIMEOUT_MILLIS }));

/**
 * A door before a server that takes its content policy off: the standard protocol evaluates in the page, which the
 * policy forbids. (Chromium's tests have the policy.) Resolves to the door's address.
 */
export async function openDoor(server) {
  const door = createServer((request, response) => {
    const on = forward({ port: new URL(server.url).port, path: request.url, method: request.method, headers: request.headers }, (answer) => {
      const { 'content-security-policy': _, ...headers } = answer.headers;
      response.writeHead(answer.statusCode, headers);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    on.on('error', () => response.destroy());
    request.pipe(on);
  });
  await new Promise((resolve) => { door.listen(0, '127.0.0.1', resolve); });
  door.unref();
  return `http://127.0.0.1:${door.address().port}/`;
}

/** Closes a browser of its own; what a test answers for the server is not answered any more, and fails nobody. */
async function closed(context) {
  await Promise.all([context, ...context.pages()].map((one) => one.unrouteAll({ behavior: 'ignoreErrors' })));
  await context.close();
}

/** A browser for all tests of a file and a server for each of them, with an engine for browsers if one is given; what a test has opened is closed after it. */
export function stage(open = launch, { engine = '' } = {}) {
  const held = {};
  before(async () => { held.browser = await open({}); });
  beforeEach(async () => { held.server = await startServer({ engine }); });
  afterEach(async () => {
    await Promise.all(held.browser.contexts().map(closed));
    await held.server?.clean();
  });
  after(async () => { await held.browser?.close(); });
  return held;
}

/** Answers for the server until what it resolves to is called; what is on its way then is answered all the same. A route that is taken away meanwhile fails whoever answers. */
export async function standIn(target, pattern, answer) {
  let stands = true;
  await target.route(pattern, (route) => (stands ? answer(route) : route.fallback()));
  return () => { stands = false; };
}

export const DESKTOP = { viewport: { width: 1280, height: 800 }, locale: 'en-US' };
export const PHONE = { viewport: { width: 360, height: 780 }, locale: 'en-US', hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/** Who has been here before is not told again how the game is played, nor what counts as help. */
const met = () => { try { for (const name of ['met', 'told']) localStorage.setItem(`pintu.${name}`, 'true'); } catch { /* Then the card comes, and goes with the first key. */ } };

/** A notice goes after some seconds, unless the pointer is on it; here it waits as if it were, for a test on a busy machine comes late. Not for ever: it may lie on something. */
const lasting = () => {
  const { matches } = Element.prototype;
  const since = new WeakMap();
  Element.prototype.matches = function matchesAsIfHeld(selector) {
    if (!this.classList.contains('toast') || !selector.includes(':hover')) return matches.call(this, selector);
    if (!since.has(this)) since.set(this, performance.now());
    return matches.call(this, selector) || performance.now() - since.get(this) < 40000;
  };
};

/**
 * The page fetches its other parts when it has been at rest for a while. Here that is a long while: few tests need them, and those ask for them (`atRest`).
 * It ends a search of which it hears nothing for a while: here only after an hour, for tests hold answers back, and a busy machine is long about what they do meanwhile.
 */
const restless = () => {
  const { setTimeout } = globalThis;
  const longer = (act) => (act.includes('fetchRest') ? 30_000 : act.includes('does not answer in time') && 3_600_000);
  globalThis.setTimeout = (act, millis, ...args) => setTimeout(act, longer(String(act)) || millis, ...args);
};

/** The page paints the small pictures of its rail when it has nothing else to do: here it always has, for they are a seventh of what a visit costs, and few look at them. */
const busy = () => { globalThis.requestIdleCallback = () => 0; };

/** Opens the page in a browser of its own (a new cookie); `problems` collects console errors and exceptions; `script` runs in each page before its own scripts; `first` is a first visit; `fleeting` has notices go when they would; `leisurely` has small pictures painted. */
export async function visit(browser, url, { first = false, fleeting = false, leisurely = false, ...options } = DESKTOP, script = null) {
  const context = await browser.newContext({ ...options, acceptDownloads: true });
  if (!first) await context.addInitScript(met);
  if (!fleeting) await context.addInitScript(lasting);
  await context.addInitScript(restless);
  if (!leisurely) await context.addInitScript(busy);
  context.setDefaultTimeout(TIMEOUT_MILLIS);
  if (script) await context.addInitScript(script);
  const problems = [];
  return { context, problems, page: await tab(context, url, problems) };
}

/** One more tab of the same browser. */
export async function tab(context, url, problems = []) {
  const page = await context.newPage();
  watch(page, problems);
  await page.goto(url);
  await ready(page);
  return page;
}

/** Collects what goes wrong. A refused connection is the network's word, not an error of the page. */
export function watch(page, problems) {
  page.on('pageerror', (error) => problems.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    // A page that was closed before it heard of its last save leaves an older revision behind, or asks for a save that it has deleted already; that the next one is told so is an answer, not a problem.
    if (/status of 404/.test(message.text()) && /\/api\/saves\/\w+$/.test(message.location().url)) return;
    // A busy machine's engine may be busy, too: the page asks again.
    if (/status of 503/.test(message.text()) && /\/api\/(path|trace|solve|race|examine)$/.test(message.location().url)) return;
    if (['error', 'warning'].includes(message.type()) && !/status of 409|ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE|ERR_FAILED|NetworkError/.test(message.text())) problems.push(`${message.type()}: ${message.text()} ${message.location().url}`);
  });
}

export const ready = (page) => page.waitForSelector('body[data-ready=yes]');

/** Brings the page to rest: it has all its parts then, whatever becomes of the server. */
export const atRest = (page) => page.evaluate(async () => (await packed('js/later.js')).fetchRest().then(() => {}));

/** Waits until nothing moves on the page any more, and no sheet waits for its style: what is where can be read then. */
export const still = (page) => page.waitForFunction(() => !document.querySelector('dialog.coming') && document.getAnimations().every(({ playState, effect }) => playState !== 'running' || effect.getTiming().iterations === Infinity));

/** Waits until some notice says this. @param {RegExp} pattern */
export const noticed = (page, pattern) => page.waitForFunction((source) => [...document.querySelectorAll('.toast')].some((node) => new RegExp(source).test(node.textContent)), pattern.source);

/** Presses the button of the latest notice: that of the topmost sheet, where there is one. */
export const pressNotice = (page) => page.locator('.toast button').last().click();

/** The game on the table, as it would be saved, with the tiles as they lie. */
export const game = (page) => page.evaluate(async () => {
  const session = await packed('js/session.js');
  const current = session.keepClock();
  return { ...current.toSave(), tiles: current.tiles, hole: current.hole, phase: session.phase() };
});

export const phase = (page) => page.evaluate(() => document.body.dataset.phase);

/** A solution of the position on the table, from the server. */
export async function solution(page, url) {
  const { rows, cols, tiles, blank, wrap_rows, wrap_cols } = await game(page);
  const goal = tiles.map((_, cell) => (cell === blank ? 0 : cell < blank ? cell + 1 : cell));
  const response = await page.request.post(`${url}api/solve`, { data: { rows, cols, tiles, goal, wrap_rows, wrap_cols, algorithm: 'auto' } });
  const answer = await response.json();
  if (answer.status !== 'solved') throw new Error(`no solution: ${JSON.stringify(answer)}`);
  return answer.moves;
}

/** What the page is told of a small board, by whoever is the better to ask. */
const askHint = (page) => page.evaluate(async (tiles) => (await packed('js/port.js')).port.hint({ rows: 3, cols: 3, tiles, algorithm: 'auto' }).promise, FIVE_LEFT);

/** Waits until the page answers by an engine of its own, without the server. */
export async function warmed(page) {
  let asked = 0;
  const count = (request) => { if (request.url().includes('/api/solve')) asked += 1; };
  page.on('request', count);
  await until(async () => {
    asked = 0;
    await askHint(page);
    return asked === 0;
  }, 'a worker answers');
  page.off('request', count);
}

const STEP = { U: (cell, cols) => cell - cols, D: (cell, cols) => cell + cols, L: (cell) => cell - 1, R: (cell) => cell + 1 };

/** Makes the blank's moves by doing something with the tile that must slide. */
export async function perform(page, moves, act) {
  for (const move of moves) {
    const { tiles, hole, cols } = await game(page);
    await act(tiles[STEP[move](hole, cols)], move);
  }
}

/** Goes to the end of a playback, which may have come there by itself meanwhile. */
export async function toEnd(page) {
  await page.locator('#pb-last').evaluate((node) => node.click());
  await page.waitForFunction(() => document.getElementById('pb-scrub').value === document.getElementById('pb-scrub').max);
}

/** Asks for a board of another size, on the page; `also` sets what else the sheet has. */
export async function resize(page, rows, cols, also = async () => {}) {
  await page.click('#sizes button:nth-child(4)');
  await page.fill('#custom-rows', String(rows));
  await page.fill('#custom-cols', String(cols));
  await also();
  await page.click('dialog button[type=submit]');
}

/** Moves a finger along some points within so many milliseconds, as the finger counts them: the machine may be busy. */
export async function touch(cdp, points, millis) {
  const begun = Date.now() / 1000 - millis / 1000;
  const send = (type, touchPoints, share) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints, timestamp: begun + (share * millis) / 1000 });
  for (const [i, point] of points.entries()) await send(i ? 'touchMove' : 'touchStart', [point], i / points.length);
  await send('touchEnd', [], 1);
}

/** The key that slides a tile when the blank goes this way. */
export const KEY = { U: 'ArrowDown', D: 'ArrowUp', L: 'ArrowRight', R: 'ArrowLeft' };

/** Puts a 3×3 scramble on the table that counts, as if it had come out of the shuffling. */
export const scramble = (page, start, picture = 'builtin:dawn') => page.evaluate(async (settings) => {
  const session = await packed('js/session.js');
  const { Game } = await packed('js/game.js');
  session.replace(new Game({ rows: 3, cols: 3, ...settings }));
}, { start, picture });

/** Has the page know a solution of the position on the table that is not the shortest, and no bound. */
export const knowing = (page) => page.evaluate(async () => {
  const [{ createSearchSlot, problemOf }, { port }, { OPPOSITE }, session] = await Promise.all(['search', 'port', 'rules', 'session'].map((name) => packed(`js/${name}.js`)));
  const [{ solve }, asked, options] = [{ ...port }, session.current(), { algorithm: 'greedy', heuristic: 'manhattan' }];
  const { moves } = await port.hint(problemOf(asked, options)).promise;
  port.solve = () => ({ promise: Promise.resolve({ status: 'solved', moves: moves[0] + OPPOSITE[moves[0]] + moves, optimal: false }), cancel: () => {}, stop: () => {} });
  await createSearchSlot().ask(asked, options);
  port.solve = solve;
});

/** The fragment of a 3×3 position. */
export const link = (tiles, extra = '') => `#p=3x3&b=8&t=${tiles.join('.')}&pic=dawn${extra}`;

export const ONE_LEFT = [1, 2, 3, 4, 5, 6, 7, 0, 8];
export const FIVE_LEFT = [2, 0, 3, 1, 5, 6, 4, 7, 8];

/** Asks again until the answer is true: the longer it takes the less often, for asking is work for a busy machine, too. */
export async function until(question, what = String(question)) {
  const begun = Date.now();
  while (Date.now() < begun + TIMEOUT_MILLIS) {
    if (await question()) return;
    const pause = Math.min(200, 20 + (Date.now() - begun) / 5);
    await new Promise((resolve) => { setTimeout(resolve, pause); });
  }
  throw new Error(`still not true: ${what}`);
}
