// Links that carry a whole position in the fragment, and positions pasted as text. No seed: a seed breaks
// between versions, a position does not.

import { Game } from './game.js';
import { BUILTIN, DEFAULT, builtinName } from './pictures.js';
import { shape } from './rules.js';

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

/** The game of a fragment. Throws a RangeError that says what is wrong. */
export function gameOf(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const list = (name) => (fields.get(name) || null)?.split('.').map(Number) ?? [];
  const [rows, cols] = (fields.get('p') ?? '').split('x').map(Number);
  const name = fields.get('pic') ?? '';
  return position({ rows, cols, wrapRows: list('wr'), wrapCols: list('wc'), blank: fields.get('b') ? Number(fields.get('b')) : NaN, start: list('t'), picture: BUILTIN.includes(name) ? `builtin:${name}` : DEFAULT, origin: 'link' });
}

function position(settings) {
  const { rows, cols, wrapRows, wrapCols, blank, start } = settings;
  shape(rows, cols, wrapRows, wrapCols);
  const cells = rows * cols;
  if (start.length !== cells || [...start].sort((a, b) => a - b).some((tile, i) => tile !== i)) throw new RangeError(`not an arrangement of 0 to ${cells - 1}`);
  if (!(Number.isInteger(blank) && blank >= 0 && blank < cells)) throw new RangeError('the blank is not on the board');
  return new Game(settings);
}

/**
 * The game of a text: a link of ours, or numbers in rows (0 or _ is the blank), optionally after a line
 * with the size. The blank's own cell is the last one, as in the standard goal.
 */
export function gameOfText(text, picture) {
  const link = text.match(/#(p=\S+)/);
  if (link) return gameOf(link[1]);
  const lines = text.trim().split(/[\n/;]+/).map((line) => line.trim().split(/[\s,]+/).filter(Boolean).map((word) => (word === '_' ? 0 : Number(word)))).filter((line) => line.length);
  if (!lines.length || lines.flat().some((n) => !Number.isInteger(n) || n < 0)) throw new RangeError('numbers were expected, 0 for the blank');
  const { rows, cols, tiles } = sizeOf(lines);
  return position({ rows, cols, wrapRows: [], wrapCols: [], blank: rows * cols - 1, start: tiles, picture, origin: 'link' });
}

function sizeOf(lines) {
  const [first, ...rest] = lines;
  const after = rest.flat();
  if (after.length && first.length === 1 && first[0] ** 2 === after.length) return { rows: first[0], cols: first[0], tiles: after };
  if (after.length && first.length === 2 && first[0] * first[1] === after.length) return { rows: first[0], cols: first[1], tiles: after };
  const tiles = lines.flat();
  const side = Math.sqrt(tiles.length);
  if (lines.length > 1 && lines.every((line) => line.length === first.length)) return { rows: lines.length, cols: first.length, tiles };
  if (Number.isInteger(side)) return { rows: side, cols: side, tiles };
  throw new RangeError(`${tiles.length} numbers make no square; write the rows on lines of their own`);
}
