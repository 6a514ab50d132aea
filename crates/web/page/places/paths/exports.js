// Everything that is on the page, for other programs: figures, set-up and answers, pictures, the recorded search, the map.

import { ApiError, Gone } from '../../js/api.js';
import { button, el } from '../../js/dom.js';
import { errorText, t } from '../../js/i18n.js';
import { sheet, toast } from '../../js/sheets.js';
import { port } from '../../js/port.js';
import { csv, download, png } from '../../trace/export.js';
import { MOST_EVENTS, commandOf, questionOf, spotOf } from './ask.js';
import { nameOf } from './figures.js';
import { lossText } from './files.js';
import { SUFFIX, fileText } from './formats.js';
import { fragment } from './links.js';
import { activeEntry, activeNumber, paneOf, scenes, view } from './panes.js';
import * as runner from './runner.js';
import { state } from './state.js';
import { svgSheet } from './svg-sheet.js';
import { palette } from './theme.js';

const FIELDS = ['status', 'cost', 'optimal', 'expanded', 'generated', 'peak_states', 'memory', 'seconds'];

function figuresCsv() {
  const rows = runner.current().map(({ run, answer }) => [run.algorithm, answer?.heuristic ?? run.heuristic, answer?.weight ?? null, ...FIELDS.map((name) => answer?.[name] ?? null)]);
  return csv(['algorithm', 'heuristic', 'weight', ...FIELDS], rows);
}

async function setupJson() {
  const file = `map.${SUFFIX[state.map.format]}`;
  return JSON.stringify({
    link: new URL(`/paths${await fragment()}`, location.href).href,
    map: { format: state.map.format, text: fileText(state.map) },
    diagonal: state.map.kind === 'graph' ? undefined : state.diagonal,
    from: state.map.start < 0 ? null : spotOf(state.map, state.map.start),
    to: state.map.goals.map((goal) => spotOf(state.map, goal)),
    runs: runner.current().map(({ run, answer }) => ({ ...run, command: commandOf(run, file), answer })),
  }, null, 2);
}

/** A cell is at least so large in a drawing: large enough for its cost. */
const UNIT = 20;

/** The map that is looked at, drawn by the hands that draw it on the page; none of it belongs to an earlier question. */
function activePane() {
  const [pane, { path, search }] = [paneOf(activeNumber()), activeEntry() ?? { path: null, search: null }];
  pane.setFound({ path, search });
  return pane;
}

/** The map that is looked at, with its search as far as it is played, as lines and shapes. */
export function svgText() {
  const [scene, drawing, unit] = [scenes(), svgSheet(), Math.max(UNIT, view.view.scale)];
  activePane().drawOn(drawing, unit);
  const [width, height] = [scene.width * unit, scene.height * unit].map((side) => Math.ceil(side));
  const title = el('title', {}, nameOf(state.runs[activeNumber()])).outerHTML;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${title}<rect width="100%" height="100%" fill="${palette().ground}"/>${drawing.text}</svg>`;
}

/** The map that is looked at, as it is on the screen. */
function pngBlob() {
  const { sheets, flush } = activePane();
  flush();
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
    el('p', { className: 'muted', id: 'paths-export-lost' }, lossText([state.map.format]) ?? ''),
    command && el('div', {}, el('h3', {}, t('paths.command')), el('pre', { className: 'command', tabIndex: 0, id: 'paths-command' }, command)),
  ]);
}
