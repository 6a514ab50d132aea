// The files in which maps come: sea, terrain and octile; and queries about them. What is wrong with one is said as a MapError, with a key of
// the dictionary and where it is.

import { GROUNDS, ENEMY, MOST_GOALS, MOST_SIDE, MapError, OPEN, SWAMP, TREES, WALL, WATER, openMap } from './map.js';
import { graphOf, textOfGraph } from './graph.js';

/** The symbol of each ground; the first that names a ground is the one that is written. @type {Record<string, any>} */
const SYMBOLS = {
  terrain: { '#': WALL, '.': OPEN, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 9 },
  sea: { 2: WALL, 0: OPEN, 3: ENEMY },
  octile: { '@': WALL, '.': OPEN, S: SWAMP, W: WATER, T: TREES, O: WALL, G: OPEN },
};
const MARKS = /** @type {Record<string, any>} */ ({ terrain: { start: 'S', goal: 'G' }, sea: { start: '1', goal: '4' }, octile: {} });
/** The signs of start and goal in a format, or null where it has none. @param {string} format */
export const signsOf = (format) => (MARKS[format]?.start ? MARKS[format] : null);
export const SUFFIX = { terrain: 'txt', sea: 'txt', octile: 'map', graph: 'graph' };

const WRITTEN = Object.fromEntries(Object.entries(SYMBOLS).map(([format, symbols]) => {
  const written = /** @type {Record<string, any>} */ ({});
  for (const [symbol, ground] of Object.entries(symbols)) if (!(ground in written) || symbol === '.' || symbol === '@') written[ground] = symbol;
  return [format, written];
}));

/** The format of a text, by its first line, as the command line tells them apart. @param {string} text */
export function recognise(text, name = '') {
  if (/\.graph$/i.test(name)) return 'graph';
  const first = text.split('\n').find((line) => line.trim()) ?? '';
  const words = first.trim().split(/\s+/);
  if (words[0] === 'type') return 'octile';
  if (words.length === 2 && words.every((word) => /^\d+$/.test(word))) return 'sea';
  if ((words.length === 4 && words[0] === '@') || (words.length === 3 && /^\d+(\.\d*)?$/.test(words[2])) || (first.trimStart().startsWith('# '))) return 'graph';
  return 'terrain';
}

/** Reads a file: a map of cells, or a graph. @returns {any} */
export function read(/** @type {string} */ text, { name = '', format = recognise(text.replace(/^\ufeff/, ''), name) } = {}) {
  const plain = text.replace(/^\ufeff/, '');
  if (format === 'graph') return graphOf(plain);
  const lines = plain.trimEnd().split('\n').map((line) => line.trimEnd());
  // Lines end as the command line's do: a return alone ends none.
  for (const [i, line] of lines.entries()) demand(!line.includes('\r'), 'paths.bad.return', { line: i + 1, column: line.indexOf('\r') + 1 });
  const { rows, first } = READERS[format](lines);
  return assembled(format, rows, first);
}

const READERS = /** @type {Record<string, any>} */ ({
  terrain: (/** @type {any[]} */ lines) => ({ rows: lines, first: 1 }),
  sea(/** @type {string[]} */ lines) {
    const all = lines.map((line, i) => [line.replace(/\s+/g, ''), i]).filter(([line]) => line);
    const head = Number(all[0]?.[1] ?? 0);
    demand(/^\s*\d+\s+\d+$/.test(lines[head]), 'paths.bad.header', { line: head + 1, found: lines[head], expected: '4 8' });
    const [rows, cols] = lines[head].trim().split(/\s+/).map(Number);
    const body = all.slice(1).map(([line]) => String(line));
    demand(body.length === rows, 'paths.bad.rows', { found: body.length, expected: rows });
    for (const [i, row] of body.entries()) demand(row.length === cols, 'paths.bad.ragged', { line: Number(all[i + 1][1]) + 1, found: row.length, expected: cols });
    return { rows: body, first: 2 };
  },
  octile(/** @type {string[]} */ lines) {
    const [type, height, width, map] = lines;
    demand(/^type\s+octile$/.test(type), 'paths.bad.header', { line: 1, found: type, expected: 'type octile' });
    demand(/^height\s+\d+$/.test(height ?? ''), 'paths.bad.header', { line: 2, found: height ?? '', expected: 'height' });
    demand(/^width\s+\d+$/.test(width ?? ''), 'paths.bad.header', { line: 3, found: width ?? '', expected: 'width' });
    demand(map === 'map', 'paths.bad.header', { line: 4, found: map ?? '', expected: 'map' });
    const rows = lines.slice(4);
    demand(rows.length === Number(height.split(/\s+/)[1]), 'paths.bad.rows', { found: rows.length, expected: height.split(/\s+/)[1] });
    for (const [i, row] of rows.entries()) demand(row.length === Number(width.split(/\s+/)[1]), 'paths.bad.ragged', { line: i + 5, found: row.length, expected: width.split(/\s+/)[1] });
    return { rows, first: 5 };
  },
});

function demand(/** @type {boolean} */ fits, /** @type {string} */ key, /** @type {{} | undefined} */ values) {
  if (!fits) throw new MapError(key, values);
}

function assembled(/** @type {string} */ format, /** @type {any} */ rows, /** @type {any} */ first) {
  const cols = rows[0]?.length ?? 0;
  demand(rows.length && cols, 'paths.bad.empty', {});
  demand(rows.length <= MOST_SIDE && cols <= MOST_SIDE, 'paths.bad.size', { rows: rows.length, cols, most: MOST_SIDE });
  const map = { ...openMap(rows.length, cols, format), start: -1, goals: /** @type {number[]} */ ([]), origin: undefined };
  const { start, goal } = MARKS[format];
  for (const [row, text] of rows.entries()) {
    demand(text.length === cols, 'paths.bad.ragged', { line: row + first, found: text.length, expected: cols });
    for (let col = 0; col < cols; col += 1) {
      const [symbol, cell] = [text[col], row * cols + col];
      if (symbol === start) {
        demand(map.start < 0, 'paths.bad.starts', { line: row + first, column: col + 1 });
        map.start = cell;
      } else if (symbol === goal) map.goals.push(cell);
      else {
        demand(Object.hasOwn(SYMBOLS[format], symbol), 'paths.bad.symbol', { line: row + first, column: col + 1, found: symbol, expected: [...Object.keys(SYMBOLS[format]), start, goal].filter(Boolean).join(' ') });
        map.cells[cell] = SYMBOLS[format][symbol];
      }
    }
  }
  demandGoals(map.goals);
  return map;
}

/** A cheapest path needs a look at all goals, so too many are refused. @param {string | any[]} goals */
export const demandGoals = (goals) => demand(goals.length <= MOST_GOALS, 'paths.bad.goals', { found: goals.length, most: MOST_GOALS });

/** The rows of a map, without its start and goals: what the server is asked with. @param {{ format: any, rows: number, cols: number, cells: (string | number)[] }} map */
export function rowsOf(map, format = map.format) {
  const written = WRITTEN[format];
  const codes = new Uint8Array(16);
  for (const [ground, symbol] of Object.entries(written)) codes[Number(ground)] = symbol.charCodeAt(0);
  const bytes = new Uint8Array(map.rows * (map.cols + 1));
  for (let row = 0, at = 0; row < map.rows; row += 1) {
    for (let col = 0; col < map.cols; col += 1, at += 1) bytes[at] = codes[/** @type {any} */ (map.cells)[row * map.cols + col]];
    bytes[at] = 10;
    at += 1;
  }
  return new TextDecoder().decode(bytes);
}

const headOf = (/** @type {any} */ map, /** @type {string} */ format) => (format === 'sea' ? `${map.rows} ${map.cols}\n` : format === 'octile' ? `type octile\nheight ${map.rows}\nwidth ${map.cols}\nmap\n` : '');

/** The text with which the server is asked: the ground alone. @param {any} map */
export const wireText = (map) => (map.kind === 'graph' ? textOfGraph(map) : headOf(map, map.format) + rowsOf(map));

/** The formats in which a map can be saved: those that know all of its ground. @param {{ kind: string, cells: any[] }} map */
export const savable = (map) => (map.kind === 'graph' ? ['graph'] : Object.keys(GROUNDS).filter((format) => map.cells.every((ground) => Object.hasOwn(WRITTEN[format], ground))));

/** Whether a file can say that an end is here. @param {any} map @param {number} cell @param {string} sign */
const holds = (map, cell, sign) => map.kind === 'cells' && Boolean(sign) && map.cells[cell] === OPEN;

/** The ends that a file format loses: whether the start, and how many goals. A graph's ends are in no file. @param {any} map */
export function lostIn(map, format = map.format) {
  const { start, goal } = MARKS[format] ?? {};
  return { start: map.start >= 0 && !holds(map, map.start, start), goals: map.goals.filter((/** @type {number} */ cell) => !holds(map, cell, goal)).length };
}

/**
 * The map as a file. Its start and goals stand in it where the format has signs for them; a goal on ground that costs
 * more than 1 has none, for its sign would make the ground cheap.
 */
export function fileText(/** @type {any} */ map, format = map.format) {
  if (map.kind === 'graph') return textOfGraph(map);
  const lines = rowsOf(map, format).split('\n').slice(0, -1).map((row) => [...row]);
  const { start, goal } = MARKS[format];
  const put = (/** @type {number} */ cell, /** @type {string} */ sign) => { if (holds(map, cell, sign)) lines[Math.floor(cell / map.cols)][cell % map.cols] = sign; };
  for (const cell of map.goals) put(cell, goal);
  if (map.start >= 0) put(map.start, start);
  return headOf(map, format) + lines.map((row) => `${row.join(format === 'sea' ? ' ' : '')}\n`).join('');
}

/** More queries than are in any file of the published sets. */
const MOST_QUERIES = 10_000;

/** A query of a scenario file: the map's sides, start and goal as cells, and the published length. @typedef {{ rows: number, cols: number, from: number, to: number, length: number }} Scenario */

/** Whether a text is a scenario file, by its name or its first line. @param {string} text @param {string} name */
export const isScenario = (text, name) => /\.scen$/i.test(name) || /^\ufeff?version\s+1(\.0)?\s*\n\d+\s+\S+(\s+\d+){6}/.test(text);

/** The queries of a scenario file. Throws a MapError that says what is wrong and where. @param {string} text @returns {Scenario[]} */
export function readScenario(text) {
  const lines = text.replace(/^\ufeff/, '').split('\n').map((line, i) => ({ line: i + 1, text: line.trim() }));
  const found = lines.filter((one) => one.text && !one.text.startsWith('version')).map(({ line, text: words }) => {
    const [, cols, rows, fromX, fromY, toX, toY, length] = /^\d+\s+\S+\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+(?:\.\d+)?)$/.exec(words)?.map(Number) ?? [];
    if (length === undefined || fromX >= cols || toX >= cols || fromY >= rows || toY >= rows) throw new MapError('paths.bad.query', { line, found: words });
    return { rows, cols, from: fromY * cols + fromX, to: toY * cols + toX, length };
  });
  if (!found.length) throw new MapError('paths.bad.empty');
  if (found.length > MOST_QUERIES) throw new MapError('paths.bad.queries', { found: found.length, most: MOST_QUERIES });
  return found;
}
