// Links that carry a whole position in the fragment, and positions pasted as text. No seed: a seed breaks
// between versions, a position does not.

import { TextError, readBoards } from './boardtext.js';
import { Game } from './game.js';
import { t } from './i18n.js';
import { BUILTIN, DEFAULT, builtinName } from './pictures.js';
import { MAX_SIDE, MIN_SIDE, shape, whole } from './rules.js';

const PREFIX = 'p=';

/** The fragment for a position: size, wraps, blank, picture (when it is a built-in one) and tiles. */
export function fragmentOf(game, tiles = game.tiles) {
  const { rows, cols, wrapRows, wrapCols } = game.board;
  const fields = new URLSearchParams({ p: `${rows}x${cols}`, b: game.blank, t: [...tiles].join('.') });
  if (wrapRows.length) fields.set('wr', wrapRows.join('.'));
  if (wrapCols.length) fields.set('wc', wrapCols.join('.'));
  if (builtinName(game.picture)) fields.set('pic', builtinName(game.picture));
  return `#${fields}`;
}

export const linkOf = (game, tiles) => new URL(`/${fragmentOf(game, tiles)}`, location.href).href;

/** Whether a fragment carries a position. */
export const carriesPosition = (fragment) => fragment.replace(/^#/, '').startsWith(PREFIX);

/** The game of a fragment. Throws a TextError that says what is wrong. */
export function gameOf(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const list = (name) => (fields.get(name) || null)?.split('.').map(Number) ?? [];
  const [rows, cols] = (fields.get('p') ?? '').split('x').map(Number);
  const name = fields.get('pic') ?? '';
  return position({ rows, cols, wrapRows: list('wr'), wrapCols: list('wc'), blank: fields.get('b') ? Number(fields.get('b')) : NaN, start: list('t'), picture: BUILTIN.includes(name) ? `builtin:${name}` : DEFAULT, origin: 'link' });
}

const bad = (problem, values) => { throw new TextError(problem, values); };

function position(settings) {
  const { rows, cols, wrapRows, wrapCols, blank, start } = settings;
  if (!rows || !cols) bad('no-size');
  if (![rows, cols].every((side) => Number.isInteger(side) && side >= MIN_SIDE && side <= MAX_SIDE)) bad('sides', { rows, cols, least: MIN_SIDE, most: MAX_SIDE });
  try {
    shape(rows, cols, wrapRows, wrapCols);
  } catch {
    bad('wraps');
  }
  const cells = rows * cols;
  if (start.length !== cells || [...start].sort((a, b) => a - b).some((tile, i) => tile !== i)) bad('arrangement', { last: cells - 1 });
  if (!(Number.isInteger(blank) && blank >= 0 && blank < cells)) bad('blank');
  return new Game(settings);
}

/**
 * The game of a text: a link of ours, or a board in any shape that the command line reads. Where no goal stands beside
 * it, the blank's own cell is the last one, as in the standard goal; where one does, tiles get the numbers of the cells
 * in which that has them.
 */
export function gameOfText(text, picture) {
  const link = text.match(/#(p=\S+)/);
  if (link) return gameOf(link[1]);
  const { start, goal } = readBoards(text);
  const { rows, cols } = start;
  const blank = goal ? goal.tiles.indexOf(0) : rows * cols - 1;
  const numbers = whole(rows, cols, blank);
  const renumbered = goal ? start.tiles.map((tile) => numbers[goal.tiles.indexOf(tile)]) : start.tiles;
  return position({ rows, cols, wrapRows: [], wrapCols: [], blank, start: renumbered, picture, origin: 'link' });
}

/** What is wrong with a link or a text, in the reader's language. */
export const problemText = (error) => t(`position.${error.problem}`, error.values);
