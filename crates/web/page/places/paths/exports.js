// Everything that is on the page, for other programs: figures, set-up and answers, pictures, the recorded search, the map.

import { ApiError, Gone } from '../../js/api.js';
import { button, el } from '../../js/dom.js';
import { errorText, t } from '../../js/i18n.js';
import { sheet, toast } from '../../js/sheets.js';
import { port } from '../../js/port.js';
import { csv, download, png } from '../../trace/export.js';
import { CLOSED, CURRENT, OPEN } from '../../trace/cursor.js';
import { MOST_EVENTS, commandOf, questionOf } from './ask.js';
import { nameOf } from './figures.js';
import { SUFFIX, fileText } from './formats.js';
import { groundStyle } from './grid-scene.js';
import { fragment } from './links.js';
import { OPEN as GROUND } from './map.js';
import { activeEntry, activeNumber, paneOf, scenes } from './panes.js';
import * as runner from './runner.js';
import { TINT } from './search-layer.js';
import { state } from './state.js';
import { palette } from './theme.js';

const FIELDS = ['status', 'cost', 'optimal', 'expanded', 'generated', 'peak_states', 'memory', 'seconds'];

function figuresCsv() {
  const rows = runner.all().map(({ run, answer }) => [run.algorithm, answer?.heuristic ?? run.heuristic, answer?.weight ?? null, ...FIELDS.map((name) => answer?.[name] ?? null)]);
  return csv(['algorithm', 'heuristic', 'weight', ...FIELDS], rows);
}

async function setupJson() {
  const file = `map.${SUFFIX[state.map.format]}`;
  return JSON.stringify({
    link: new URL(`/paths${await fragment()}`, location.href).href,
    map: { format: state.map.format, text: fileText(state.map) },
    diagonal: state.map.kind === 'graph' ? undefined : state.diagonal,
    runs: runner.all().map(({ run, answer }) => ({ ...run, command: commandOf(run, file), answer })),
  }, null, 2);
}

const xml = (text) => String(text).replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]);
const UNIT = 20;

/** The map that is looked at, with its search as far as it is played, as lines and shapes. */
export function svgText() {
  const [{ map }, scene, colours, entry] = [state, scenes(), palette(), activeEntry()];
  const at = (place) => scene.centre(place).map((value) => Number((value * UNIT).toFixed(2)));
  const parts = [`<rect width="100%" height="100%" fill="${colours.ground}"/>`];
  if (map.kind === 'cells') parts.push(...groundShapes(map));
  else parts.push(...graphShapes(map, at, colours));
  if (entry?.search && state.show.search) parts.push(...statusShapes(entry.search, at, colours));
  if (entry?.path) parts.push(`<polyline points="${entry.path.map((place) => at(place).join(',')).join(' ')}" fill="none" stroke="${colours[`path${activeNumber() + 1}`]}" stroke-width="5" stroke-linejoin="round" stroke-linecap="round"/>`);
  if (map.kind === 'graph') parts.push(...graphWords(map, at, colours));
  if (map.start >= 0) parts.push(`<circle cx="${at(map.start)[0]}" cy="${at(map.start)[1]}" r="8" fill="${colours.start}"/>`);
  for (const goal of map.goals) parts.push(`<path d="${starPath(...at(goal))}" fill="${colours.goal}"/>`);
  const [width, height] = [scene.width * UNIT, scene.height * UNIT].map((side) => Math.ceil(side));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif"><title>${xml(entry ? nameOf(entry.run) : '')}</title>${parts.join('')}</svg>`;
}

/** Cells that are not plain ground, one rectangle for as many as stand in a row. */
function* groundShapes({ rows, cols, cells }) {
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) {
      const ground = cells[row * cols + col];
      let end = col + 1;
      while (end < cols && cells[row * cols + end] === ground) end += 1;
      if (ground !== GROUND) yield `<rect x="${col * UNIT}" y="${row * UNIT}" width="${(end - col) * UNIT}" height="${UNIT}" fill="${groundStyle(ground)}"/>`;
      col = end - 1;
    }
  }
}

function* graphShapes({ edges, names }, at, colours) {
  for (const { from, to } of edges) yield `<line x1="${at(from)[0]}" y1="${at(from)[1]}" x2="${at(to)[0]}" y2="${at(to)[1]}" stroke="${colours.faint}"/>`;
  for (const [node, name] of names.entries()) yield `<circle cx="${at(node)[0]}" cy="${at(node)[1]}" r="10" fill="${colours.ground}" stroke="${colours.ink}"><title>${xml(name)}</title></circle>`;
}

/** Costs and names, above the path. */
function* graphWords({ edges, names }, at, colours) {
  const word = (text, x, y) => `<text x="${x}" y="${y}" text-anchor="middle" font-size="11" fill="${colours.ink}" stroke="${colours.paper}" stroke-width="3" paint-order="stroke">${xml(text)}</text>`;
  for (const { from, to, cost } of edges) yield word(cost, (at(from)[0] + at(to)[0]) / 2, (at(from)[1] + at(to)[1]) / 2 + 4);
  for (const [node, name] of names.entries()) yield word(name, at(node)[0], at(node)[1] + 22);
}

/** What the search has done, in the shapes of the page: squares, diamonds for jump points, circles in a graph and from the goal. */
function* statusShapes({ rec, cursor }, at, colours) {
  const jumps = rec.answer?.algorithm === 'jps';
  for (let node = 0; node < rec.nodes; node += 1) {
    const status = cursor.status(node);
    if (![OPEN, CLOSED, CURRENT].includes(status)) continue;
    const [x, y] = at(rec.states[node]);
    const behind = rec.backward[node] === 1;
    const colour = status === CURRENT ? colours.now : behind ? colours.behind : status === OPEN ? colours.open : colours.closed;
    const style = status === OPEN ? `fill="none" stroke="${colour}" stroke-width="2"` : `fill="${colour}"${status === CLOSED ? ` fill-opacity="${TINT}" stroke="${colour}"` : ''}`;
    const reach = status === OPEN ? 6 : 8;
    if (status === CURRENT || behind || scenes().kind === 'graph') yield `<circle cx="${x}" cy="${y}" r="${reach}" ${style}/>`;
    else if (jumps) yield `<path d="M${x} ${y - reach - 1}L${x + reach + 1} ${y}L${x} ${y + reach + 1}L${x - reach - 1} ${y}Z" ${style}/>`;
    else yield `<rect x="${x - reach}" y="${y - reach}" width="${2 * reach}" height="${2 * reach}" ${style}/>`;
  }
}

const starPath = (x, y) => `${Array.from({ length: 10 }, (_, i) => {
  const [turn, reach] = [-Math.PI / 2 + (i * Math.PI) / 5, i % 2 ? 4 : 9];
  return `${i ? 'L' : 'M'}${(x + Math.cos(turn) * reach).toFixed(1)} ${(y + Math.sin(turn) * reach).toFixed(1)}`;
}).join('')}Z`;

/** The map that is looked at, as it is on the screen. */
function pngBlob() {
  const { sheets } = paneOf(activeNumber());
  const canvas = el('canvas', { width: sheets[0].width, height: sheets[0].height });
  for (const layer of sheets) canvas.getContext('2d').drawImage(layer, 0, 0);
  return png(canvas, palette().paper);
}

/** The recorded search as the Posthoc visualiser reads it: the engine writes it. */
const posthoc = async () => JSON.stringify(await port.posthoc({ ...questionOf(activeEntry().run), events: MOST_EVENTS }).promise);

/** What can be exported: the file's name, what is in it, and its type. */
const EXPORTS = {
  csv: async () => ['paths.csv', figuresCsv(), 'text/csv'],
  json: async () => ['paths.json', await setupJson(), 'application/json'],
  svg: async () => ['paths.svg', svgText(), 'image/svg+xml'],
  png: async () => ['paths.png', await pngBlob()],
  posthoc: async () => ['paths.trace.json', await posthoc(), 'application/json'],
  map: async () => [`map.${SUFFIX[state.map.format]}`, fileText(state.map)],
};

async function give(name) {
  try {
    const [file, content, type] = await EXPORTS[name]();
    download(file, content, type);
  } catch (error) {
    if (!(error instanceof Gone || error instanceof ApiError)) throw error;
    toast(t('paths.export.none', { error: errorText(error) }));
  }
}

/** The sheet of exports. */
export function openExport() {
  const entry = activeEntry();
  const command = entry && commandOf(entry.run, `map.${SUFFIX[state.map.format]}`);
  sheet(t('paths.export'), [
    el('div', { className: 'exports' }, Object.keys(EXPORTS).map((name) => button(t(`paths.export.${name}`), () => give(name), { id: `paths-export-${name}` }))),
    el('p', { className: 'muted' }, t('paths.export.help')),
    command && el('div', {}, el('h3', {}, t('paths.command')), el('pre', { className: 'command', tabIndex: 0, id: 'paths-command' }, command)),
  ]);
}
