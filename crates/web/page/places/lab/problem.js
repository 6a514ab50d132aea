// Start and goal: edited by swapping tiles, pasted, scrambled, taken from the game and given back to it. What cannot be
// solved is explained, and mended by a swap.

import { ApiError, Gone } from '../../js/api.js';
import { button, el } from '../../js/dom.js';
import { Game } from '../../js/game.js';
import { errorText, onLanguage, t } from '../../js/i18n.js';
import { go } from '../../js/places.js';
import { isCancelled, port } from '../../js/port.js';
import { MAX_SIDE, MIN_SIDE, OPPOSITE, neighbour, step, uniform, whole } from '../../js/rules.js';
import * as session from '../../js/session.js';
import { openShape } from '../../js/shapes.js';
import { announce, sheet, toast } from '../../js/sheets.js';
import { editBoard } from './boards.js';
import { openExamples } from './examples.js';
import { among, asGame, boardOf, change, inGoal, onChange, problem, reshape, setup } from './setup.js';

const DEPTHS = [10, 20, 30, 50, 80];

/** Builds the card in `root`. */
export function createProblem(root) {
  const start = editBoard('lab.start', (tiles) => change({ tiles }));
  const goal = editBoard('lab.goal', (tiles) => change({ goal: tiles }));
  const verdict = el('div', { className: 'verdict-line', id: 'lab-verdict' });
  const acts = el('div', { className: 'acts' });
  const caption = (key) => el('figcaption', { 'data-t': key });
  root.append(el('h2', { 'data-t': 'lab.problem' }),
    el('div', { className: 'pair' }, el('figure', {}, start.root, caption('lab.start')), el('span', { className: 'arrow', 'aria-hidden': 'true' }, '→'), el('figure', {}, goal.root, caption('lab.goal'))),
    verdict, acts);

  const check = createCheck(verdict);
  const draw = () => {
    const { tiles, cols, goal: target } = setup();
    start.show(tiles, cols, check.swap());
    goal.show(target, cols);
  };
  check.onVerdict(draw);
  onChange((changed) => {
    if (!among(changed, 'tiles', 'goal', 'rows', 'cols', 'wrapRows', 'wrapCols')) return;
    draw();
    check.ask();
  });
  onLanguage(() => {
    acts.replaceChildren(
      button(t('lab.scramble'), openScramble, { symbol: 'shuffle', id: 'lab-scramble' }),
      button(t('lab.paste'), openPaste, { symbol: 'paste', id: 'lab-paste' }),
      button(t('lab.size', { rows: setup().rows, cols: setup().cols }), () => openShape(boardOf(), reshape), { id: 'lab-size' }),
      button(t('lab.examples'), openExamples, { id: 'lab-examples' }),
      button(t('lab.fromGame'), fromGame, { symbol: 'load', id: 'lab-from-game' }),
      button(t('lab.toGame'), toGame, { symbol: 'play', id: 'lab-to-game' }));
    draw();
    check.show();
  });
  onChange((changed) => { if (among(changed, 'rows', 'cols')) acts.querySelector('#lab-size span').textContent = t('lab.size', { rows: setup().rows, cols: setup().cols }); });
  return { ask: check.ask };
}

/** Asks whether the board can be solved, a moment after the last change, and says so. */
function createCheck(root) {
  /** @type {any} */
  let answer = null;
  let handle = null;
  let soon = 0;
  let told = () => {};

  async function ask() {
    handle?.cancel();
    const mine = port.check(problem());
    handle = mine;
    try {
      const got = await mine.promise;
      if (handle === mine) say(got);
    } catch (error) {
      if (handle === mine && !isCancelled(error)) say({ status: 'unknown', error });
    }
  }

  function say(next) {
    answer = next;
    show();
    told();
    if (answer.status === 'unsolvable') announce(t('lab.unsolvable'));
  }

  function show() {
    root.replaceChildren();
    if (!answer) return;
    if (answer.status === 'solvable') root.append(el('p', { className: 'muted' }, t('lab.solvable')));
    else if (answer.status === 'unsolvable') root.append(el('p', { className: 'error' }, t('lab.unsolvable'), ' ', el('span', {}, reasonText())), answer.swap ? button(t('lab.repair', { a: answer.swap[0], b: answer.swap[1] }), repair, { id: 'lab-repair' }) : '');
    else root.append(el('p', { className: 'error' }, troubleText(answer.error)), button(t('again'), ask, {}));
  }

  /** The two tiles change places, wherever they lie. */
  function repair() {
    const [a, b] = answer.swap;
    change({ tiles: setup().tiles.map((tile) => (tile === a ? b : tile === b ? a : tile)) });
  }

  return {
    show,
    ask: () => { clearTimeout(soon); soon = setTimeout(ask, 120); },
    onVerdict: (callback) => { told = callback; },
    swap: () => new Set(answer?.status === 'unsolvable' ? answer.swap : []),
  };
}

/** Two by two cells are a ring, on which tiles only go round; elsewhere it is a matter of parity. */
const reasonText = () => t(setup().rows === 2 && setup().cols === 2 ? 'lab.why.ring' : 'lab.why.parity');

/** What to say of a request that failed. */
export const troubleText = (error) => (error instanceof Gone ? t('solve.gone') : error instanceof ApiError && error.status === 503 ? t('solve.full') : t('lab.error', { error: errorText(error) }));

/** Scrambles uniformly, or by so many moves that never undo each other. */
function openScramble() {
  const pick = (run) => () => { dialog.close(); run(); };
  const board = boardOf();
  const evenly = () => change({ tiles: inGoal(uniform(board, asGame().blank, session.random)) });
  const walk = (steps) => () => change({ tiles: inGoal(walked(board, asGame().blank, steps)) });
  const dialog = sheet(t('lab.scramble'), [
    el('p', {}, t('lab.scramble.text')),
    el('div', { className: 'actions' }, button(t('lab.scramble.uniform'), pick(evenly), { kind: 'filled', id: 'scramble-uniform' })),
    el('h3', {}, t('lab.scramble.depth')),
    el('div', { className: 'actions' }, DEPTHS.map((steps) => button(t('moves', { count: steps }), pick(walk(steps)), { id: `scramble-${steps}` }))),
  ]);
}

/** A walk from the goal of exactly so many moves. */
function walked(board, blank, steps) {
  const tiles = whole(board.rows, board.cols, blank);
  let [hole, last] = [blank, ''];
  for (let taken = 0; taken < steps; taken += 1) {
    const open = ['U', 'D', 'L', 'R'].filter((way) => way !== OPPOSITE[last] && neighbour(board, hole, way) >= 0);
    last = open[session.random(open.length)];
    hole = step(board, tiles, hole, last);
  }
  return tiles;
}

/** Goals that have names. */
const GOALS = new Set(['standard', 'blank-first', 'snail']);

/** What is plainly wrong with a text, before the engine is asked about it; null where that may know better. */
function faultOf(text, key) {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/).filter(Boolean));
  const [which, rows] = [t(key), lines.filter((words) => words.length)];
  if (!rows.length) return t('lab.paste.nothing', { which });
  for (const [i, words] of lines.entries()) {
    const found = words.find((word) => !/^\d+$/.test(word));
    if (found) return t('lab.paste.word', { which, line: i + 1, found });
  }
  // A first line of one or two numbers may be a size, and a blank line may lead to a goal: those are left to the engine.
  if (lines.slice(lines.indexOf(rows[0])).slice(0, rows.length).some((words) => !words.length)) return null;
  const numbers = rows.length === 1 && rows[0].length === 1 ? [...rows[0][0]] : rows[0].length > 2 ? rows.flat() : [];
  const twice = numbers.find((number, i) => numbers.indexOf(number) < i);
  if (twice !== undefined) return t('lab.paste.twice', { which, found: twice });
  const ragged = rows[0].length > 2 ? rows.findIndex((words) => words.length !== rows[0].length) : -1;
  return ragged < 0 ? null : t('lab.paste.ragged', { which, row: ragged + 1, found: rows[ragged].length, expected: rows[0].length });
}

/** Numbers in any shape that the command line reads. */
function openPaste() {
  const area = (id, label, text) => [el('label', { for: id }, t(label)), el('textarea', { id, className: 'paste-box', value: text, spellcheck: false })];
  const rowsOf = (tiles) => Array.from({ length: setup().rows }, (_, row) => tiles.slice(row * setup().cols, (row + 1) * setup().cols).join(' ')).join('\n');
  const wrong = el('p', { className: 'error', hidden: true });
  const [startLabel, start] = area('lab-text', 'lab.start', rowsOf(setup().tiles));
  const kept = rowsOf(setup().goal);
  const [goalLabel, goal] = area('lab-goal-text', 'lab.paste.goal', kept);
  const use = async (event) => {
    event.preventDefault();
    const fault = faultOf(start.value, 'lab.start') ?? (goal.value.trim() && !GOALS.has(goal.value.trim()) ? faultOf(goal.value, 'lab.goal') : null);
    if (fault) {
      wrong.hidden = false;
      wrong.textContent = fault;
      return;
    }
    try {
      // The goal that stood there already is kept where it fits the new board.
      const isKept = goal.value.trim() === kept.trim() && !/\n\s*\n\s*\d/.test(start.value.trim());
      const read = await port.check({ text: start.value, ...(goal.value.trim() !== kept.trim() && goal.value.trim() && { goal_text: goal.value }), wrap_rows: [], wrap_cols: [] }).promise;
      if (![read.rows, read.cols].every((side) => side >= MIN_SIDE && side <= MAX_SIDE)) {
        wrong.hidden = false;
        wrong.textContent = t('lab.paste.size', { rows: read.rows, cols: read.cols, least: MIN_SIDE, most: MAX_SIDE });
        return;
      }
      const same = read.rows === setup().rows && read.cols === setup().cols;
      change({ rows: read.rows, cols: read.cols, tiles: read.tiles, goal: isKept && same ? setup().goal : read.goal ?? whole(read.rows, read.cols, read.rows * read.cols - 1), ...(!same && { wrapRows: [], wrapCols: [] }) });
      dialog.close();
    } catch (error) {
      wrong.hidden = false;
      wrong.textContent = troubleText(error);
    }
  };
  const dialog = sheet(t('lab.paste'), el('form', { className: 'sheet-body', onsubmit: use }, el('p', { className: 'muted' }, t('lab.paste.help')), startLabel, start, goalLabel, goal, wrong,
    el('div', { className: 'actions' }, el('button', { type: 'submit', className: 'button filled', id: 'lab-use-text' }, t('lab.paste.use')))), { focus: start });
  start.select();
}

/** The game's board becomes the start; its whole picture the goal. */
async function fromGame() {
  // A game is on the table once Play has been entered.
  if (!document.getElementById('board')?.childElementCount && (!(await go('play', { push: false })) || !(await go('lab', { push: false })))) return;
  const game = session.current();
  const { rows, cols, wrapRows, wrapCols } = game.board;
  change({ rows, cols, wrapRows: [...wrapRows], wrapCols: [...wrapCols], tiles: [...game.tiles], goal: whole(rows, cols, game.blank) });
  toast(t(game.solved ? 'lab.fromGame.whole' : 'lab.fromGame.done'));
}

/** The board becomes a game of its own, which sets no record; the one before can be brought back. */
async function toGame() {
  const { blank, start } = asGame();
  const { rows, cols, wrapRows, wrapCols } = setup();
  if (!(await go('play'))) return;
  session.replace(new Game({ rows, cols, wrapRows, wrapCols, blank, start, picture: session.current().picture, origin: 'lab' }));
  toast(t('share.kept'), { label: t('do.undo'), run: () => session.bringBack() });
}
