// What the tests of the lab do again and again.

import { DESKTOP, until, visit } from './harness.mjs';

export const WIDE = { ...DESKTOP, viewport: { width: 1440, height: 900 } };
export const HARDEST = '8.6.7.2.5.4.3.0.1';
export const EIGHT = '1.2.3.5.0.6.4.7.8';

/** The address of a set-up, and opening it in a browser of its own. */
export const setup = (fields) => `lab#${new URLSearchParams({ lab: '3x3', t: EIGHT, ...fields })}`;
export const opener = (held) => (fields, options = WIDE, script = null) => visit(held.browser, `${held.server.url}${setup(fields)}`, options, script);
/** Another set-up in the same page. */
export const change = (page, fields) => page.evaluate((hash) => { location.hash = hash; }, setup(fields).slice(3));

/** A figure of the race's table, as a number. */
export const figure = async (page, row, column) => Number((await page.innerText(`#lab-race tr[data-contestant="${row}"] td.${column}`)).replace(/[^\d.]/g, ''));
export const status = (page, row) => page.getAttribute(`#lab-race tr[data-contestant="${row}"]`, 'data-status');
export const finished = (page, rows) => until(async () => (await Promise.all(Array.from({ length: rows }, (_, row) => status(page, row)))).every((word) => word === 'solved'), 'the race ends');

/** The lab's parts, for what cannot be seen. */
export const inLab = (page, question, argument = null) => page.evaluate(`(async () => { const { parts } = await packed('places/lab/place.js'); return (${question})(parts(), ${JSON.stringify(argument)}); })()`);
export const recorded = async (page) => { await page.waitForSelector('#lab-player:not([hidden])'); return inLab(page, '(lab) => ({ length: lab.step.lanes[0].rec.length, expansions: lab.step.lanes[0].rec.expansions, nodes: lab.step.lanes[0].rec.nodes, goal: lab.step.lanes[0].rec.goalEvent })'); };
/** The trees' views have come to rest. */
export const settledTrees = (page) => until(() => inLab(page, '(lab) => lab.step.shown().every(({ tree }) => tree.isStill)'), 'the trees rest');
export const place = (page) => inLab(page, '(lab) => lab.step.player.k');

/** Holds a store of the page's database, as a tab that writes much does; resolves to what lets it go. */
export async function holdStore(page, name) {
  await page.evaluate((store) => new Promise((resolve) => {
    indexedDB.open('pintu').onsuccess = ({ target }) => {
      const held = target.result.transaction(store, 'readwrite').objectStore(store);
      const again = () => { if (!window.letGo) held.count().onsuccess = again; else target.result.close(); };
      held.count().onsuccess = () => { again(); resolve(null); };
    };
  }), name);
  return () => page.evaluate(() => { window.letGo = true; });
}

/** The requests that the page sends to an address from now on. */
export function requests(page, path) {
  const list = [];
  page.on('request', (request) => { if (new URL(request.url()).pathname === path) list.push(request.postData()); });
  return list;
}
