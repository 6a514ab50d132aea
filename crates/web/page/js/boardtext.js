// Boards as people write them, recognised by their shape: the command line's rules (`crates/tiles/src/text.rs`), which
// reads the same golden vectors. Pure.

const MOST_SIDE = 16;
const MOST_NUMBER = 4294967295;
const SHOWN = 24;

/** A text that is no position: `problem` is the kind of error, `values` fill its message. */
export class TextError extends RangeError {
  /** @param {string} problem @param {Record<string, any>} [values] */
  constructor(problem, values = {}) {
    super(`not a position: ${problem}`);
    this.problem = problem;
    this.values = values;
  }
}

const fail = (/** @type {string} */ problem, /** @type {Record<string, any>} */ values) => { throw new TextError(problem, values); };

/**
 * Reads a board, or a start and a goal of one size with a blank line between them. A board is written as a size and its
 * numbers, as bare rows, as one line of a square, or as digits without spaces; `/` and `;` end a row, commas separate
 * numbers, `_` is a blank, and `#` starts a comment. @param {string} text
 * @returns {{ start: Board, goal: Board | null }}
 *
 * @typedef {{ rows: number, cols: number, tiles: number[] }} Board
 * @typedef {{ number: number, values: number[], word: any, afterGap: boolean }} Line The word where it is a single one, or null.
 */
export function readBoards(text) {
  const lines = lex(text);
  const whole = attempt(() => boardOf(lines, null));
  if (whole.board) return { start: whole.board, goal: null };
  const gaps = lines.flatMap((line, at) => (at > 0 && line.afterGap ? [at] : []));
  for (const gap of gaps) {
    const start = attempt(() => boardOf(lines.slice(0, gap), null)).board;
    const goal = start && attempt(() => boardOf(lines.slice(gap), start)).board;
    if (goal) return { start, goal };
  }
  throw gaps.length === 1 ? halvesError(lines, gaps[0]) : whole.error;
}

/** @returns {{ board: Board | null, error: any }} @param {() => Board | null} read */
function attempt(read) {
  try {
    return { board: read(), error: null };
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    return { board: null, error };
  }
}

function lex(/** @type {string} */ text) {
  /** @type {Line[]} */ const lines = [];
  let afterGap = false;
  text.split(/\r?\n/).forEach((raw, index) => {
    const [content, ...comment] = raw.split('#');
    // The end of a line ends no other row than a `/` before it.
    for (const part of content.trimEnd().replace(/[/;；]$/, '').split(/[/;；]/)) {
      const words = part.split(/[\s,，]+/).filter(Boolean);
      // A line with nothing but a comment separates nothing.
      if (!words.length) afterGap ||= !comment.length;
      else {
        lines.push({ number: index + 1, values: words.map((word) => numberOf(word, index + 1, text)), word: words.length === 1 ? words[0] : null, afterGap });
        afterGap = false;
      }
    }
  });
  return lines.length ? lines : fail('empty', { line: 1 });
}

function numberOf(/** @type {string} */ word, /** @type {number} */ line, /** @type {string} */ text) {
  if (word === '_') return 0;
  // All of a board together may be more than a number can be.
  if (/^\d+$/.test(word) && text.trim() === word) return Math.min(Number(word), MOST_NUMBER);
  const found = word.length > SHOWN ? `${word.slice(0, SHOWN)}…` : word;
  if (!/^\d+$/.test(word)) return fail('not-a-number', { line, found });
  return Number(word) <= MOST_NUMBER ? Number(word) : fail('too-large', { line, found, most: MOST_SIDE ** 2 - 1 });
}

/** Reads all lines as one board, which must be as large as `size` where that is given. @param {Line[]} lines @param {{ rows: number, cols: number } | null} size */
function boardOf(lines, size) {
  const digits = digitsOf(lines, size);
  if (digits) return arrange(digits, lines);
  const sized = attempt(() => afterSize(lines, size));
  if (sized.board) return sized.board;
  const plain = attempt(() => (lines.length === 1 ? oneLine(lines[0], size) : rowsOf(lines, size)));
  if (plain.board) return plain.board;
  // The first line looks like a size more than like a row.
  const looksSized = lines.slice(1).some(({ values }) => values.length > lines[0].values.length);
  throw sized.error && looksSized ? sized.error : plain.error;
}

/** Digits without spaces: 283104765. @param {Line[]} line @param {{ rows: number, cols: number } | null} size */
function digitsOf([line, ...others], size) {
  if (others.length || !line.word || !/^\d+$/.test(line.word)) return null;
  const { length } = line.word;
  const found = size ?? (length === 4 || length === 9 ? { rows: Math.sqrt(length), cols: Math.sqrt(length) } : null);
  const fits = found && found.rows * found.cols === length && length <= 10;
  return fits ? { rows: found.rows, cols: found.cols, tiles: [...line.word].map(Number) } : null;
}

/** A size on the first line, and as many numbers as it asks for. Null if the first line is no size. @param {Line[]} line @param {{ rows: number, cols: number } | null} size */
function afterSize([first, ...rest], size) {
  if (!rest.length || first.values.length > 2) return null;
  const [rows, cols = rows] = first.values;
  const found = sizeOf(rows, cols, first.number);
  const tiles = rest.flatMap(({ values }) => values);
  if (tiles.length !== rows * cols) fail('count', { line: first.number, found: tiles.length, expected: rows * cols, size: `${rows}×${cols}` });
  if (rest.length > 1) checkRows(rest, cols);
  agree(found, size, first);
  return arrange({ ...found, tiles }, rest);
}

function rowsOf(/** @type {Line[]} */ lines, /** @type {{ rows: number, cols: number } | null} */ size) {
  const cols = lines[0].values.length;
  checkRows(lines, cols);
  const found = sizeOf(lines.length, cols, lines[0].number);
  agree(found, size, lines[0]);
  return arrange({ ...found, tiles: lines.flatMap(({ values }) => values) }, lines);
}

function oneLine(/** @type {Line} */ line, /** @type {{ rows: number, cols: number } | null} */ size) {
  const { length } = line.values;
  if (length === 1 && /^\d\d+$/.test(line.word)) fail('digits', { line: line.number, found: line.word.length });
  const side = Math.sqrt(length);
  if (!size && !Number.isInteger(side)) fail('no-square', { line: line.number, found: length });
  const { rows, cols } = size ?? sizeOf(side, side, line.number);
  return arrange({ rows, cols, tiles: line.values }, [line]);
}

function sizeOf(/** @type {number} */ rows, /** @type {number} */ cols, /** @type {number} */ line) {
  const side = (/** @type {number} */ n) => n >= 1 && n <= MOST_SIDE;
  return side(rows) && side(cols) && rows * cols > 1 ? { rows, cols } : fail('size', { line, found: `${rows}×${cols}` });
}

function checkRows(/** @type {Line[]} */ lines, /** @type {number} */ expected) {
  const odd = lines.find(({ values }) => values.length !== expected);
  if (odd) fail('ragged', { line: odd.number, found: odd.values.length, expected });
}

function agree(/** @type {{ rows: number, cols: number }} */ { rows, cols }, /** @type {{ rows: number, cols: number } | null} */ size, /** @type {Line} */ line) {
  if (size && (size.rows !== rows || size.cols !== cols)) fail('other-size', { line: line.number, found: `${rows}×${cols}`, expected: `${size.rows}×${size.cols}` });
}

/** The board, if its numbers are each of 0 to the last one once. @param {Board} board @param {Line[]} lines */
function arrange({ rows, cols, tiles }, lines) {
  const cells = rows * cols;
  const missing = Array.from({ length: cells }, (_, tile) => tile).filter((tile) => !tiles.includes(tile));
  if (tiles.length === cells && !missing.length) return { rows, cols, tiles };
  const met = new Set();
  const at = lines.find(({ values }) => values.some((value) => value >= cells || met.has(value) || !met.add(value))) ?? lines[0];
  return fail('tiles', { line: at.number, last: cells - 1, missing: missing.join(', ') });
}

/** The error of a text that looks like a start and a goal. @param {Line[]} lines @param {number} gap */
function halvesError(lines, gap) {
  const [first, second] = [lines.slice(0, gap), lines.slice(gap)].map((half) => attempt(() => boardOf(half, null)));
  if (first.error ?? second.error) return first.error ?? second.error;
  const size = (/** @type {{ rows: number, cols: number }} */ { rows, cols }) => `${rows}×${cols}`;
  return new TextError('other-size', { line: lines[gap].number, found: size(/** @type {Board} */ (second.board)), expected: size(/** @type {Board} */ (first.board)) });
}
