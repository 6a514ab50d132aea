// Auto-solve: what the player has asked for, how far the search is, and what came of it. Auto has a solution at once,
// which can be played while better ones are looked for behind it; stopping keeps the best so far.

import { choose, optionsFor, useWeight } from './algorithms.js';
import { $, button, el, setText } from './dom.js';
import { Gone } from './errors.js';
import * as film from './film.js';
import { Game } from './game.js';
import { agree, failureText, limitText, slot } from './help.js';
import { between, decimal, duration, knows, onLanguage, t, whole } from './i18n.js';
import { onReachable } from './port.js';
import { pref } from './prefs.js';
import { takeAway } from './rail.js';
import { swapTwo } from './rules.js';
import * as session from './session.js';
import { announce } from './sheets.js';
/** @import { Found } from './search.js' */

/**
 * The search that runs: its game and position, the choice of the menu and the algorithm that it stands for, the shortest solution so far, and the bound that was told last.
 * @typedef {{ game: Game, key: string, name: string, algorithm: string, best: Found | null, bound: number }} Quest @type {Quest | null}
 */
let quest = null;
let ticking = 0;
/** Whether the verdict offers to play from this position; a move makes that void. */
let offered = '';
/** Whether the verdict says that the server does not answer; an answer makes that void. */
let isAway = false;

/** Solves with the chosen algorithm, or with the one named. */
export async function solveNow(name = pref('algorithm')) {
  if (!(await agree())) return;
  const game = session.current();
  if (!game.running) return;
  film.leave();
  const ready = name === 'auto' ? slot.recall(game) : null;
  if (ready?.optimal) {
    verdict();
    film.begin(ready.moves, 'proved');
    return;
  }
  slot.stop();
  const options = optionsFor(name);
  const mine = beginSearch(game, name, options.algorithm);
  if (ready) better(ready);
  const isMine = () => quest === mine;
  try {
    const answer = await slot.ask(game, options, { onProgress: (counts) => { if (isMine()) progress(counts); }, onBusy: (seconds) => { if (isMine()) busy(seconds); }, onBetter: (found) => { if (isMine()) better(found); } });
    if (isMine()) finish(mine, answer);
  } catch (error) {
    if (isMine()) fail(error, mine);
  }
}

function beginSearch(/** @type {Game} */ game, /** @type {string} */ name, /** @type {string} */ algorithm) {
  quest = { game, key: game.key, name, algorithm, best: null, bound: 0 };
  verdict();
  progress({ expanded: 0, generated: 0, bound: null });
  const limit = pref('seconds');
  $('s-limit').max = limit;
  tellBest();
  $('s-best').hidden = name !== 'auto';
  offerBest();
  $('searching').hidden = false;
  session.setActivity({ searching: true });
  announce(t('solve.begun', { name: nameOf(algorithm) }));
  const since = performance.now();
  const tick = () => {
    const seconds = (performance.now() - since) / 1000;
    setText($('s-seconds'), t('solve.secondsOf', { n: decimal(seconds), limit }));
    $('s-limit').value = Math.min(seconds, limit);
  };
  clearInterval(ticking);
  ticking = setInterval(tick, 100);
  tick();
  return quest;
}

function endSearch() {
  clearInterval(ticking);
  quest = null;
  $('searching').hidden = true;
  session.setActivity({ searching: false });
}

function progress(/** @type {{ expanded?: number, generated?: number, bound?: number | null }} */ { expanded, generated, bound }) {
  setText($('s-expanded'), whole(expanded ?? 0));
  setText($('s-generated'), whole(generated ?? 0));
  setText($('s-bound'), bound ? whole(bound) : '–');
  if (quest) quest.bound = bound ?? 0;
}

function busy(/** @type {number} */ seconds) {
  announce(t('solve.busy', { n: seconds }));
  verdict(() => [el('p', {}, t('solve.busy', { n: seconds }))]);
}

/** A shorter solution than before: it can be played at once. One that plays but has not moved yet makes way for it. @param {Found} found */
function better(found) {
  if (!quest || (quest.best && quest.best.moves.length <= found.moves.length)) return;
  const isFirst = quest.best === null;
  quest.best = found;
  quest.bound = Math.max(quest.bound, found.bound ?? 0);
  tellBest();
  offerBest();
  if (isFirst && !pref('calm')) announce(t('solve.best', { count: found.moves.length }));
  if (film.playing()?.at === 0) playBest();
}

function tellBest() {
  if (quest) setText($('s-best'), quest.best ? t('solve.best', { count: quest.best.moves.length }) : t('solve.none'));
}

/** Plays the best solution so far, while the search goes on. */
function playBest() {
  if (quest?.best) film.beginAnew(quest.best.moves, quest.best.optimal ? 'proved' : 'found');
  offerBest();
}

/** Offers to play the best solution so far, unless it plays already. */
function offerBest() {
  if (!quest) return;
  const { name, best } = quest;
  const isOffered = name === 'auto' && (film.playing()?.length ?? Infinity) > (best?.moves.length ?? 0);
  $('play-best').disabled = best === null;
  if (isOffered) $('play-best').hidden = false;
  else takeAway($('play-best'), () => { $('play-best').hidden = true; });
}

/** Takes the answer, unless the board has moved on since. @param {Quest} mine @param {any} answer */
function finish(mine, answer) {
  const { game, name } = mine;
  const shown = film.playing();
  endSearch();
  if (game !== session.current() || answer === null) return;
  if (answer.status === 'solved') solved(answer, shown, mine.key);
  else if (answer.status === 'unsolvable') offerSwap(game);
  else if (name !== 'auto' || !instead(mine)) limitReached(mine, answer);
}

/** Without an answer from the engine, plays its best so far; says whether there is one. @param {Quest} quest */
function instead({ game, key, best }) {
  if (film.isPlaying()) return true;
  if (!best) return false;
  if (game.key !== key) return true;
  verdict(() => [el('p', { className: 'muted' }, t('solve.instead', { count: best.moves.length }))]);
  film.begin(best.moves, 'found');
  return true;
}

/** Plays the answer, unless an earlier one plays already: that goes on, and a shorter one is offered for as long as it does. @param {any} answer @param {{ length: number } | null} shown @param {string} key */
function solved(answer, shown, key) {
  const count = answer.length ?? answer.moves.length;
  const kind = answer.optimal ? 'proved' : 'found';
  const line = () => el('p', { className: 'muted' }, t('solve.found', { count, name: nameOf(answer.algorithm), spent: spentText(answer) }), boundText(answer));
  if (!shown) {
    verdict(() => [line()]);
    film.begin(answer.moves, kind);
  } else if (answer.moves.length < shown.length) {
    const play = () => { film.beginAnew(answer.moves, kind); verdict(() => [line()]); };
    verdict(() => [line(), el('div', { className: 'row' }, button(t('solve.playShorter', { count }), play, { id: 'play-shorter' }))]);
    offered = key;
    announce(t('solve.playShorter', { count }));
  } else {
    verdict(() => [line()]);
    if (answer.optimal) film.prove();
  }
}

const nameOf = (/** @type {string} */ name) => (knows(`algorithm.${name}`) ? t(`algorithm.${name}`) : name);
const spentText = ({ seconds = 0, expanded = 0 }) => t('solve.spent', { time: duration(seconds), expanded: whole(expanded) });
/** The bound as one more sentence. @param {{ lower_bound?: number }} answer */
const boundText = ({ lower_bound: bound }) => (bound ? between() + t('solve.lowerBound', { n: bound }) : '');

function limitReached(/** @type {Quest} */ { name, algorithm }, /** @type {any} */ answer) {
  const text = () => t('solve.limit', { name: nameOf(algorithm), why: limitText(answer), spent: spentText(answer) });
  const next = () => (name === 'auto'
    ? button(t('solve.tryWeighted'), () => { useWeight(5); choose('astar'); solveNow(); }, { id: 'try-next' })
    : button(t('solve.tryAuto'), () => { choose('auto'); solveNow(); }, { id: 'try-next' }));
  verdict(() => [el('p', { className: 'error' }, text(), boundText(answer)), el('div', { className: 'row' }, next())]);
  announce(text());
}

/** The game with two tiles swapped, which makes an unsolvable one solvable. @param {Game} game */
function swapped(game) {
  const { rows, cols, wrapRows, wrapCols } = game.board;
  session.replace(new Game({ rows, cols, wrapRows, wrapCols, blank: game.blank, start: swapTwo(game.tiles), picture: game.picture, origin: game.origin }));
}

function offerSwap(/** @type {Game} */ game) {
  verdict(() => [el('p', { className: 'error' }, t('solve.unsolvable')), el('div', { className: 'row' }, button(t('solve.swap'), () => swapped(game)))]);
  announce(t('solve.unsolvable'));
}

/** Says of a game that it cannot be solved and what would mend it, while it is on the table. @param {Game} game */
export function warnUnsolvable(game) {
  if (game === session.current()) offerSwap(game);
}

function fail(/** @type {any} */ error, /** @type {Quest} */ mine) {
  endSearch();
  const { game, key, name, best } = mine;
  const isThere = game === session.current() && (game.key === key || film.isPlaying());
  if (error instanceof Gone && name === 'auto' && isThere && instead(mine)) return;
  if (error.name === 'AbortError') {
    stopped(isThere && !film.isPlaying() ? best : null, mine);
    return;
  }
  const text = () => failureText(error);
  verdict(() => [el('p', { className: 'error' }, text()), el('div', { className: 'row' }, button(t('again'), () => solveNow(name)))]);
  isAway = error instanceof Gone;
  announce(text());
}

/** The search was stopped: the best solution so far is kept, for as long as the board stands as it stood. @param {Found | null} best @param {Quest} quest */
function stopped(best, { key, bound }) {
  if (!best) {
    verdict(() => [el('p', { className: 'muted' }, t('solve.stopped'))]);
    return;
  }
  const text = () => t('solve.kept', { count: best.moves.length });
  const play = () => { verdict(); film.begin(best.moves, 'found'); };
  verdict(() => [el('p', { className: 'muted' }, text(), boundText({ lower_bound: bound })), el('div', { className: 'row' }, button(t('solve.play'), play, { id: 'play-kept' }))]);
  offered = key;
  announce(pref('calm') ? t('solve.stopped') : text());
}

/** The verdict's content in the current language; null for none. @type {(() => any[]) | null} */
let told = null;

/** Says it in the solver's card; nothing without an argument. @param {(() => any[]) | null} [say] */
function verdict(say = null) {
  [offered, isAway] = ['', false];
  told = say;
  $('verdict').hidden = say === null;
  takeAway($('verdict'), () => $('verdict').replaceChildren(...(say?.() ?? [])));
  if (say) $('verdict').scrollIntoView({ block: 'nearest' });
}

onLanguage(() => {
  tellBest();
  if (!told) return;
  const held = $('verdict').contains(document.activeElement);
  $('verdict').replaceChildren(...told());
  // The focus stays on the offered button when the language changes.
  if (held) $('verdict').querySelector('button')?.focus({ preventScroll: true });
});

onReachable((/** @type {boolean} */ reachable) => { if (reachable && isAway) verdict(); });
$('stop').addEventListener('click', slot.stop);
$('play-best').addEventListener('click', playBest);
// Another choice of algorithm clears the verdict of the last one, but not a solution that is offered.
$('algorithm').addEventListener('change', () => { if (!offered) verdict(); });
session.on('game', () => verdict());
session.on('moved', ({ source }) => { if (offered && source !== 'playback' && session.current().key !== offered) verdict(); });
// Taking over a playback changes the position, so the search for the old one ends.
session.on('phase', () => {
  offerBest();
  if (film.isPlaying()) return;
  if (quest && session.current().key !== quest.key) slot.stop();
  if (offered && session.current().key !== offered) verdict();
});
