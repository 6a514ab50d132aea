// Start and goal: edited by swapping tiles, scrambled, taken from the game and given back to it. What cannot be
// solved is explained, and mended by a swap.

import { random } from '../../js/deals.js';
import { button, el, setText } from '../../js/dom.js';
import { Game } from '../../js/game.js';
import { agree, markHelped } from '../../js/help.js';
import { between, onLanguage, t } from '../../js/i18n.js';
import { rest } from '../../js/later.js';
import { go } from '../../js/places.js';
import { home, neighbour, OPPOSITE, solvable, step, uniform, whole, wraps } from '../../js/rules.js';
import * as session from '../../js/session.js';
import { announce, sheet, toast } from '../../js/sheets.js';
import { editBoard } from './boards.js';
import { openExamples } from './examples.js';
import { openPaste } from './text-sheet.js';
import { BOARD, among, asGame, boardOf, change, inGoal, onChange, reshape, setup } from './setup.js';

const DEPTHS = [10, 20, 30, 50, 80];

/** Builds the card in `root`. @param {HTMLElement} root */
export function createProblem(root) {
  const start = editBoard('lab.start', (tiles) => change({ tiles }));
  const goal = editBoard('lab.goal', (tiles) => change({ goal: tiles }));
  const hint = el('p', { className: 'muted small-text drag-hint', 'data-t': 'lab.problem.hint' });
  const wrapping = el('p', { className: 'small-text', id: 'lab-wraps' });
  const verdict = el('div', { className: 'verdict-line', id: 'lab-verdict' });
  const acts = el('div', { className: 'acts' });
  const caption = (/** @type {string} */ key) => el('figcaption', { 'data-t': key });
  root.append(el('h2', { 'data-t': 'lab.problem' }),
    el('div', { className: 'pair' }, el('figure', {}, start.root, caption('lab.start')), el('span', { className: 'arrow', 'aria-hidden': 'true' }, '→'), el('figure', {}, goal.root, caption('lab.goal'))),
    hint, wrapping, verdict, acts);

  const check = createCheck(verdict);
  const draw = () => {
    const { tiles, cols, goal: target } = setup();
    start.show(tiles, cols, check.swap());
    goal.show(target, cols);
    setText(wrapping, wraps(setup()) ? wrapsText(setup()) : '');
    wrapping.hidden = !wraps(setup());
  };
  onChange((changed) => {
    if (!among(changed, ...BOARD)) return;
    draw();
    check.show({ aloud: true });
  });
  onLanguage(() => {
    acts.replaceChildren(
      button(t('lab.scramble'), openScramble, { symbol: 'shuffle', id: 'lab-scramble' }),
      button(t('lab.paste'), () => void openPaste(), { symbol: 'paste', id: 'lab-paste' }),
      button(sizeText(), async () => (await rest()).openShape(boardOf(), reshape), { id: 'lab-size' }),
      button(t('lab.examples'), openExamples, { id: 'lab-examples' }),
      button(t('lab.fromGame'), fromGame, { symbol: 'load', id: 'lab-from-game' }),
      button(t('lab.toGame'), toGame, { symbol: 'play', id: 'lab-to-game' }));
    draw();
    check.show();
  });
  onChange((changed) => { if (among(changed, 'rows', 'cols', 'wrapRows', 'wrapCols')) setText(acts.querySelector('#lab-size span'), sizeText()); });
  return { repair: check.repair };
}

const sizeText = () => t(wraps(setup()) ? 'lab.size.wraps' : 'lab.size', { rows: setup().rows, cols: setup().cols });

/** Which rows and columns wrap around, counted from 1. @param {import('./setup.js').Setup} setup */
function wrapsText({ rows, cols, wrapRows, wrapCols }) {
  const piece = (/** @type {string} */ kind, /** @type {any[]} */ lines, /** @type {number} */ count) => (lines.length ? [t(lines.length === count ? `lab.wraps.all.${kind}` : `lab.wraps.${kind}`, { list: lines.map((line) => line + 1).join(t('trace.list')) })] : []);
  return t('lab.wraps', { lines: [...piece('rows', wrapRows, rows), ...piece('cols', wrapCols, cols)].join(t('trace.list')) });
}

/** Says whether the board can be solved, and mends one that cannot. @param {HTMLElement} root */
function createCheck(root) {
  /** Two tiles whose swap makes the board solvable: two that lie in each other's goal cells, or else the first two; none where it is solvable. */
  function swap() {
    const { start, blank } = asGame();
    if (solvable(boardOf(), start, blank)) return [];
    const cells = [...start.keys()].filter((cell) => start[cell]);
    const crossed = cells.find((cell) => { const other = home(start[cell], blank); return other !== cell && start[other] && home(start[other], blank) === cell; });
    return (crossed === undefined ? cells.slice(0, 2) : [crossed, home(start[crossed], blank)]).map((cell) => setup().tiles[cell]);
  }

  function show({ aloud = false } = {}) {
    const [a, b] = swap();
    root.replaceChildren(...(a === undefined ? [el('p', { className: 'muted' }, t('lab.solvable'))] : [el('p', { className: 'error' }, t('lab.unsolvable'), between(), el('span', {}, reasonText())), button(t('lab.repair', { a, b }), repair, { id: 'lab-repair' })]));
    if (aloud && a !== undefined) announce(t('lab.unsolvable'));
  }

  /** The two tiles change places, wherever they lie. Returns whether there were two. */
  function repair() {
    const [a, b] = swap();
    if (a !== undefined) change({ tiles: setup().tiles.map((tile) => (tile === a ? b : tile === b ? a : tile)) });
    return a !== undefined;
  }

  return { show, repair, swap: () => new Set(swap()) };
}

/** Two by two cells are a ring, on which tiles only go round; elsewhere it is a matter of parity. */
const reasonText = () => t(setup().rows === 2 && setup().cols === 2 ? 'lab.why.ring' : 'lab.why.parity');

/** Scrambles uniformly, or by so many moves that never undo each other. */
function openScramble() {
  const pick = (/** @type {{ (): void, (): void, (): void }} */ run) => () => { dialog.close(); run(); };
  const board = boardOf();
  const evenly = () => change({ tiles: inGoal(uniform(board, asGame().blank, random)) });
  const walk = (/** @type {number} */ steps) => () => change({ tiles: inGoal(walked(board, asGame().blank, steps)) });
  const dialog = sheet(t('lab.scramble'), [
    el('p', {}, t('lab.scramble.text')),
    el('div', { className: 'actions' }, button(t('lab.scramble.uniform'), pick(evenly), { kind: 'filled', id: 'scramble-uniform' })),
    el('h3', {}, t('lab.scramble.depth')),
    el('div', { className: 'actions' }, DEPTHS.map((steps) => button(t('moves', { count: steps }), pick(walk(steps)), { id: `scramble-${steps}` }))),
  ]);
}

/** A walk from the goal of exactly so many moves. @param {any} board @param {number} blank @param {number} steps */
function walked(board, blank, steps) {
  const tiles = whole(board.rows, board.cols, blank);
  let [hole, last] = [blank, ''];
  for (let taken = 0; taken < steps; taken += 1) {
    const open = ['U', 'D', 'L', 'R'].filter((way) => way !== /** @type {any} */ (OPPOSITE)[last] && neighbour(board, hole, way) >= 0);
    last = open[random(open.length)];
    hole = step(board, tiles, hole, last);
  }
  return tiles;
}

/** The game's board becomes the start; its whole picture the goal. Whatever is searched here then tells of the game: it is a helped one. */
async function fromGame() {
  // A game is on the table once Play has been entered.
  if (!document.getElementById('board')?.childElementCount && (!(await go('play', { push: false })) || !(await go('lab', { push: false })))) return;
  const game = session.current();
  const { rows, cols, wrapRows, wrapCols } = game.board;
  if (!(await agree({ everyTime: true, said: t('lab.fromGame.help') }))) return;
  // The kept games that this helps are looked through meanwhile: waiting for that here would overwrite later changes.
  if (game.running) void markHelped();
  // From a whole picture there is no way to search: the start that is here stays.
  if (!game.solved) change({ rows, cols, wrapRows: [...wrapRows], wrapCols: [...wrapCols], tiles: [...game.tiles], goal: whole(rows, cols, game.blank) });
  toast(() => t(game.solved ? 'lab.fromGame.whole' : 'lab.fromGame.done'));
}

/** The board becomes a game of its own, which sets no record; the one before can be brought back. */
async function toGame() {
  const { blank, start } = asGame();
  const { rows, cols, wrapRows, wrapCols } = setup();
  if (!(await go('play'))) return;
  session.put(new Game({ rows, cols, wrapRows, wrapCols, blank, start, picture: session.current().picture, origin: 'lab' }));
}
