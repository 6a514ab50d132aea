// The menu of algorithms: the weight of A*, and which of them have no hope on the board that is there.

import { $, setText } from './dom.js';
import { onLanguage, t } from './i18n.js';
import { part } from './later.js';
import { pref, setPref } from './prefs.js';
import * as session from './session.js';

/** The algorithms of the menu. A* with a weight above 1 is the server's weighted A*. */
const ALGORITHMS = ['auto', 'astar', 'ida', 'bidirectional', 'bfs', 'greedy', 'iddfs', 'dijkstra', 'dfs', 'bfs-tree', 'dfs-tree'];

/** The weight of A*: the player's choice for this size, else 5 from 5×5 on and 1 below. */
function weight() {
  const { rows, cols, category } = session.current();
  return pref('weights')[category] ?? (Math.min(rows, cols) >= 5 ? 5 : 1);
}

/** What the engine is asked for, for an algorithm of the menu. */
export function optionsFor(name) {
  const limits = { seconds: pref('seconds') };
  if (name !== 'astar') return { algorithm: name, limits };
  return weight() > 1 ? { algorithm: 'wastar', weight: weight(), limits } : { algorithm: 'astar', limits };
}

/** Chooses an algorithm of the menu. */
export function choose(name) {
  setPref('algorithm', name);
  $('algorithm').value = name;
  showWeight();
  showProspect();
}

/** Gives A* another weight on boards such as this one. */
export function useWeight(value) {
  setPref('weights', { ...pref('weights'), [session.current().category]: value });
  showWeight();
  drawMenu();
}

function showWeight() {
  $('weight-box').hidden = pref('algorithm') !== 'astar';
  $('weight').value = String(weight());
}

/** How many states the hopeless ones would need on this board, by name. @type {Map<string, number>} */
let hopeless = new Map();

/** What estimates it; it comes when there is a game to judge. @type {typeof import('./prospects.js') | null} */
let estimates = null;

async function learn() {
  const known = await part('prospects');
  if (estimates) return;
  estimates = known;
  drawMenu();
}

function judge() {
  const game = session.current();
  if (!game.running) return new Map();
  if (!estimates) {
    void learn();
    return new Map();
  }
  const { isHopeless, prospects } = estimates;
  return new Map(Object.entries(prospects(game)).filter(([name, states]) => isHopeless(name, states, pref('seconds')) && !(name === 'astar' && weight() > 1)));
}

/** Draws the menu anew if a game has come so near to its end that another judgement holds. */
function judgeAgain() {
  if ([...judge().keys()].join() !== [...hopeless.keys()].join()) drawMenu();
}

const needs = (name) => estimates?.statesText(hopeless.get(name) ?? 0) ?? '';

/** Draws the menu; what has no hope here stands apart, each with what it would need. */
function drawMenu() {
  hopeless = judge();
  const option = (name) => new Option(t(`algorithm.${name}`), name, false, name === pref('algorithm'));
  const doomed = (name) => new Option(t('solve.hopelessOption', { name: t(`algorithm.${name}`), states: needs(name) }), name, false, name === pref('algorithm'));
  const group = document.createElement('optgroup');
  group.label = t('solve.hopeless');
  group.append(...ALGORITHMS.filter((name) => hopeless.has(name)).map(doomed));
  $('algorithm').replaceChildren(...ALGORITHMS.filter((name) => !hopeless.has(name)).map(option), ...(hopeless.size ? [group] : []));
  showProspect();
}

/** Says of the chosen one that it has no hope, before it is tried. */
function showProspect() {
  const states = hopeless.get(pref('algorithm'));
  $('prospect').hidden = states === undefined;
  setText($('prospect'), states === undefined ? '' : t('solve.prospect', { states: needs(pref('algorithm')), seconds: pref('seconds') }));
}

export function initAlgorithms() {
  onLanguage(() => { drawMenu(); showWeight(); });
  $('algorithm').addEventListener('change', () => choose($('algorithm').value));
  $('algorithm').addEventListener('focus', judgeAgain);
  $('weight').addEventListener('change', () => {
    const value = Number($('weight').value);
    useWeight(value >= 1 && value <= 100 ? Math.round(value * 100) / 100 : 1);
  });
  session.on('game', () => { drawMenu(); showWeight(); });
}
