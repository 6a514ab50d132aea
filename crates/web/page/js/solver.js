// Auto-solve: the player's algorithm, what its search does, and what came of it.

import { ApiError, Gone } from './api.js';
import { $, button, el, setText } from './dom.js';
import { decimal, errorText, knows, onLanguage, t, whole } from './i18n.js';
import * as film from './film.js';
import { desk } from './table.js';
import { pref, setPref } from './prefs.js';
import { swapTwo } from './rules.js';
import { Game } from './game.js';
import { ownAnswer, recall } from './search.js';
import * as session from './session.js';
import { announce } from './sheets.js';

/** The algorithms of the menu. A* with a weight above 1 is the server's weighted A*. */
const ALGORITHMS = ['auto', 'astar', 'ida', 'bidirectional', 'bfs', 'greedy', 'iddfs', 'dijkstra', 'dfs', 'bfs-tree', 'dfs-tree'];

let asked = null;
let waiting = 0;

/** The weight of A*: the player's choice for this size, else 5 from 5×5 on and 1 below. */
function weight() {
  const { rows, cols, category } = session.current();
  return pref('weights')[category] ?? (Math.min(rows, cols) >= 5 ? 5 : 1);
}

/** What the server is asked for, for an algorithm of the menu. */
function options(name) {
  const limits = { seconds: pref('seconds') };
  if (name !== 'astar') return { algorithm: name, limits };
  return weight() > 1 ? { algorithm: 'wastar', weight: weight(), limits } : { algorithm: 'astar', limits };
}

/** Solves with the chosen algorithm, or with the one named. */
export async function solveNow(name = pref('algorithm')) {
  const game = session.current();
  if (!game.running) return;
  film.leave();
  const ready = name === 'auto' ? recall(game) : null;
  if (ready?.optimal) {
    verdict(null);
    film.begin(ready.moves, 'proved');
    return;
  }
  beginSearch(game, name);
  const mine = asked;
  try {
    const answer = await desk.ask(game, options(name), { onProgress: progress, onBusy: busy });
    if (asked === mine) finish(game, name, answer);
  } catch (error) {
    if (asked === mine) fail(error, name, game);
  }
}

function beginSearch(game, name) {
  asked = { key: game.key, name };
  verdict(null);
  progress({ expanded: 0, generated: 0, bound: null });
  $('searching').hidden = false;
  session.setActivity({ searching: true });
  announce(t('solve.begun', { name: t(`algorithm.${name}`) }));
  const since = performance.now();
  clearInterval(waiting);
  waiting = setInterval(() => setText($('s-seconds'), t('seconds', { n: decimal((performance.now() - since) / 1000) })), 100);
}

function endSearch() {
  const hadFocus = document.activeElement === $('stop');
  clearInterval(waiting);
  asked = null;
  $('searching').hidden = true;
  session.setActivity({ searching: false });
  if (hadFocus) $('solve').focus({ preventScroll: true });
}

function progress({ expanded, generated, bound }) {
  setText($('s-expanded'), whole(expanded ?? 0));
  setText($('s-generated'), whole(generated ?? 0));
  setText($('s-bound'), bound ? whole(bound) : '–');
}

function busy(seconds) {
  announce(t('solve.busy', { n: seconds }));
  verdict(el('p', {}, t('solve.busy', { n: seconds })));
}

/** Takes the answer, unless the board has moved on since. */
function finish(game, name, answer) {
  endSearch();
  if (game !== session.current() || answer === null) return;
  if (answer.status === 'solved') solved(answer);
  else if (answer.status === 'unsolvable') offerSwap(game);
  else if (name !== 'auto' || !instead(game, answer.reason)) limitReached(name, answer);
}

/** Where the engine has no answer, the page's own: whoever asks for a solution gets one. */
function instead(game, why) {
  const answer = ownAnswer(game);
  if (!answer) return false;
  verdict(el('p', { className: 'muted' }, t(`solve.instead.${why === 'gone' ? 'gone' : 'limit'}`, { count: answer.length })));
  film.begin(answer.moves, 'found');
  return true;
}

function solved(answer) {
  const spent = spentText(answer);
  verdict(el('p', { className: 'muted' }, t('solve.found', { count: answer.length ?? answer.moves.length, name: nameOf(answer.algorithm), spent })));
  film.begin(answer.moves, answer.optimal ? 'proved' : 'found');
}

const nameOf = (name) => (knows(`algorithm.${name}`) ? t(`algorithm.${name}`) : name);
const spentText = ({ seconds = 0, expanded = 0 }) => t('solve.spent', { seconds: decimal(seconds, seconds < 10 ? 2 : 0), expanded: whole(expanded) });

function limitReached(name, answer) {
  const why = knows(`limit.${answer.reason}`) ? t(`limit.${answer.reason}`) : answer.reason;
  const text = t('solve.limit', { name: t(`algorithm.${name}`), why, spent: spentText(answer) });
  const bound = answer.lower_bound ? t('solve.lowerBound', { n: answer.lower_bound }) : '';
  const next = name === 'auto'
    ? button(t('solve.tryWeighted'), () => { useWeight(5); choose('astar'); solveNow(); }, { id: 'try-next' })
    : button(t('solve.tryAuto'), () => { choose('auto'); solveNow(); }, { id: 'try-next' });
  verdict(el('p', { className: 'error' }, text, ' ', bound), el('div', { className: 'row' }, next));
  announce(text);
}

function offerSwap(game) {
  const swap = () => {
    const { rows, cols, wrapRows, wrapCols } = game.board;
    session.replace(new Game({ rows, cols, wrapRows, wrapCols, blank: game.blank, start: swapTwo(game.tiles), picture: game.picture, origin: game.origin }));
  };
  verdict(el('p', { className: 'error' }, t('solve.unsolvable')), el('div', { className: 'row' }, button(t('solve.swap'), swap)));
  announce(t('solve.unsolvable'));
}

function fail(error, name, game) {
  endSearch();
  if (error instanceof Gone && name === 'auto' && game === session.current() && instead(game, 'gone')) return;
  if (error.name === 'AbortError') {
    verdict(el('p', { className: 'muted' }, t('solve.stopped')));
    return;
  }
  const text = error instanceof Gone ? t('solve.gone') : error instanceof ApiError && error.status === 503 ? t('solve.full') : t('solve.error', { error: errorText(error) });
  verdict(el('p', { className: 'error' }, text), el('div', { className: 'row' }, button(t('again'), () => solveNow(name))));
  announce(text);
}

function verdict(...nodes) {
  const kept = nodes.filter(Boolean);
  $('verdict').hidden = kept.length === 0;
  $('verdict').replaceChildren(...kept);
}

function choose(name) {
  setPref('algorithm', name);
  $('algorithm').value = name;
  showWeight();
}

function useWeight(value) {
  setPref('weights', { ...pref('weights'), [session.current().category]: value });
  showWeight();
}

function showWeight() {
  $('weight-box').hidden = pref('algorithm') !== 'astar';
  $('weight').value = String(weight());
}

/** Stops the search the player sees, or whatever is being asked in the background. */
export function stopAll() {
  desk.stop();
}

export function initSolver() {
  onLanguage(() => {
    $('algorithm').replaceChildren(...ALGORITHMS.map((name) => new Option(t(`algorithm.${name}`), name, false, name === pref('algorithm'))));
    showWeight();
  });
  $('algorithm').addEventListener('change', () => choose($('algorithm').value));
  $('weight').addEventListener('change', () => {
    const value = Number($('weight').value);
    useWeight(value >= 1 && value <= 100 ? Math.round(value * 100) / 100 : 1);
  });
  $('solve').addEventListener('click', () => solveNow());
  $('stop').addEventListener('click', desk.stop);
  session.on('interrupt', stopAll);
  session.on('game', () => { verdict(); showWeight(); });
}
