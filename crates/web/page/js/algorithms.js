// The menu of algorithms: the weight of A*, and which of them have no hope on the board that is there.

import { $, setText } from './dom.js';
import { onLanguage, t } from './i18n.js';
import { rest } from './later.js';
import { measure, meansOf } from './port.js';
import { pref, setPref } from './prefs.js';
import * as session from './session.js';
import { onCovered } from './sheets.js';

/** The algorithms of the menu. A* with a weight above 1 is the server's weighted A*. */
const ALGORITHMS = ['auto', 'astar', 'ida', 'bidirectional', 'bfs', 'greedy', 'iddfs', 'dijkstra', 'dfs', 'bfs-tree', 'dfs-tree'];

/** The weight of A*: the player's choice for this size, else 5 from 5×5 on and 1 below. */
function weight() {
  const { rows, cols, category } = session.current();
  return pref('weights')[category] ?? (Math.min(rows, cols) >= 5 ? 5 : 1);
}

/** The engine's request for an algorithm of the menu. @param {string} name */
export function optionsFor(name) {
  const limits = { seconds: pref('seconds') };
  if (name !== 'astar') return { algorithm: name, limits };
  return weight() > 1 ? { algorithm: 'wastar', weight: weight(), limits } : { algorithm: 'astar', limits };
}

/** The name of an algorithm of the menu: A* with a weight above 1 is weighted A*. @param {string} name */
const nameOf = (name) => t(`algorithm.${optionsFor(name).algorithm}`);

export function choose(/** @type {string} */ name) {
  setPref('algorithm', name);
  $('algorithm').value = name;
  showWeight();
  showProspect();
}

/** Gives A* another weight on boards such as this one. @param {any} value */
export function useWeight(value) {
  setPref('weights', { ...pref('weights'), [session.current().category]: value });
  showWeight();
  drawMenu();
}

function showWeight() {
  $('weight-box').hidden = pref('algorithm') !== 'astar';
  $('weight').value = String(weight());
}

/** The states that the hopeless algorithms would need on this board, by name. @type {Map<string, number>} */
let hopeless = new Map();

/** The module that estimates this; it is loaded when there is a game to judge. @type {typeof import('./prospects.js') | null} */
let estimates = null;

async function learn() {
  const { prospects } = await rest();
  if (estimates) return;
  estimates = prospects;
  drawMenu();
  await measure();
  drawMenu();
}

function judge() {
  const game = session.current();
  if (!game.running) return new Map();
  if (!estimates) {
    void learn();
    return new Map();
  }
  const { lacksOf, prospects } = estimates;
  return new Map(Object.entries(prospects(game)).filter(([name, states]) => lacksOf(name, states, pref('seconds'), meansOf(name)).length > 0 && !(name === 'astar' && weight() > 1)));
}

/** While a game goes on, the estimates are renewed only when it rests. */
let resting = 0;
const AFTER_MILLIS = 200;

function drawSoon() {
  clearTimeout(resting);
  resting = window.setTimeout(drawMenu, AFTER_MILLIS);
}

const needs = (/** @type {string} */ name) => estimates?.statesText(hopeless.get(name) ?? 0) ?? '';

const labelOf = (/** @type {string} */ name) => (hopeless.has(name) ? t('solve.hopelessOption', { name: nameOf(name), states: needs(name) }) : nameOf(name));

/** Draws the menu: hopeless algorithms form a group of their own, each with the states it would need. Nothing is redrawn while that group stays the same. */
function drawMenu() {
  clearTimeout(resting);
  hopeless = judge();
  const doomed = ALGORITHMS.filter((name) => hopeless.has(name));
  const order = [...ALGORITHMS.filter((name) => !hopeless.has(name)), ...doomed];
  const apart = () => [...$('algorithm').querySelectorAll('optgroup option')].map(({ value }) => value);
  if ($('algorithm').length !== order.length || apart().join() !== doomed.join()) {
    const options = order.map((name) => new Option('', name, false, name === pref('algorithm')));
    const group = document.createElement('optgroup');
    group.append(...options.splice(order.length - doomed.length));
    $('algorithm').replaceChildren(...options, ...(doomed.length ? [group] : []));
  }
  for (const option of $('algorithm').options) setText(option, labelOf(option.value));
  $('algorithm').querySelector('optgroup')?.setAttribute('label', t('solve.hopeless'));
  showProspect();
}

/** Warns, before the search starts, that the chosen algorithm is hopeless here, and what it lacks. */
function showProspect() {
  const name = pref('algorithm');
  const states = hopeless.get(name);
  $('prospect').hidden = states === undefined;
  if (states === undefined || !estimates) return;
  const lacks = estimates.lacksOf(name, states, pref('seconds'), meansOf(name)).join('-');
  setText($('prospect'), t(`solve.prospect.${lacks}`, { states: needs(name), seconds: pref('seconds') }));
}

export function initAlgorithms() {
  onLanguage(() => { drawMenu(); showWeight(); });
  $('algorithm').addEventListener('change', () => choose($('algorithm').value));
  $('algorithm').addEventListener('focus', drawMenu);
  $('weight').addEventListener('change', () => {
    const value = Number($('weight').value);
    useWeight(value >= 1 && value <= 100 ? Math.round(value * 100) / 100 : 1);
  });
  session.on('game', () => { drawMenu(); showWeight(); });
  session.on('moved', drawSoon);
  // The settings may have changed the time limit.
  onCovered(drawSoon);
}
