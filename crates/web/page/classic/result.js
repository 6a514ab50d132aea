// The result of a solve, in a line under the board: nothing to close, and all keys still go to the board.

import { $, el } from '../js/dom.js';
import { t } from '../js/i18n.js';
import { pref } from '../js/prefs.js';
import * as session from '../js/session.js';
import { announce } from '../js/sheets.js';
import { exactText } from './notation.js';
import { figures, solveRate } from './sitting.js';

/** The solve that is shown, the records it set, the solves of its kind up to it, and whether the board shows a later finish of its game. @type {any} */
let shown = null;

/** Shows a solve until the board goes on. @param {import('./sitting.js').Solve} solve @param {{ time: boolean, moves: boolean } | null} set @param {import('./sitting.js').Solve[]} list @param {boolean} isFirst Whether its game was finished once more since. */
export function showResult(solve, set, list, isFirst) {
  shown = { solve, set, list, isFirst };
  draw();
  announce([$('classic-result-line').textContent, ...honours()].join('. '));
}

export function draw() {
  if (!shown) return;
  const { solve, isFirst } = shown;
  const line = el('span', { id: 'classic-result-line' }, el('b', {}, exactText(solve.millis)), ' · ', t('moves', { count: solve.moves }), ' · ', t('classic.rate', { rate: solveRate(solve) }));
  const fives = averages().find(({ n, now }) => n === 5 && now !== null);
  const node = $('classic-result') ?? el('div', { id: 'classic-result', className: 'caption classic-result' });
  node.replaceChildren(line,
    isFirst ? el('span', { className: 'muted', id: 'classic-first' }, t('classic.first')) : '',
    ...honours().map((text) => el('span', { className: 'badge proved' }, text)),
    fives ? el('span', { className: 'muted' }, t('classic.aoNow', { n: 5, time: exactText(fives.now) })) : '',
    solve.out ? el('span', { className: 'muted' }, t(`classic.out.${solve.out}`)) : '',
    pref('letters') && matchMedia('(pointer: fine)').matches ? el('span', { className: 'muted' }, el('kbd', {}, 'N'), ' ', t('classic.next')) : '');
  if (!node.isConnected) $('hint-line').before(node);
}

/** The new bests: the time, the moves, an average of this session. */
function honours() {
  const { solve, set } = shown;
  if (solve.out) return [];
  const best = averages().filter(({ n, now, best: top, counted }) => counted > n && now === top).map(({ n }) => t('classic.bestAo', { n }));
  return [set?.time && t('win.bestTime'), set?.moves && t('win.bestMoves'), ...best].filter(Boolean);
}

function averages() {
  const { counted, averages: found } = figures(shown.list);
  return found.map((one) => ({ ...one, counted }));
}

/** Takes it away when the board has gone on. */
export function clearResult() {
  if (!shown || session.phase() === 'won') return;
  forgetResult();
}

export function forgetResult() {
  shown = null;
  $('classic-result')?.remove();
}
