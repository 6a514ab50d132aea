// Everything that is on the page, for other programs: figures, set-up and answers, pictures, the recorded search, the map.

import { Gone, Refused } from '../../js/errors.js';
import { button, el } from '../../js/dom.js';
import { pathOf } from '../../js/host.js';
import { errorText, t } from '../../js/i18n.js';
import { sheet, toast } from '../../js/sheets.js';
import { port } from '../../js/port.js';
import { printed } from '../../js/share.js';
import { cardPng, cardSvg } from '../../trace/card.js';
import { csv, download, svgSheet } from '../../trace/export.js';
import { sentence } from '../../trace/sentence.js';
import { MOST_EVENTS, Refusal, commandOf, questionOf, spotOf } from './ask.js';
import { figuresOf, nameOf, verdictOf } from './figures.js';
import { lossOf } from './files.js';
import { SUFFIX, fileText } from './formats.js';
import { fragment } from './links.js';
import { activeEntry, activeNumber, paneOf, scenes, view } from './panes.js';
import * as runner from './runner.js';
import { state } from './state.js';
import { palette } from './theme.js';

const FIELDS = ['status', 'cost', 'optimal', 'expanded', 'scanned', 'generated', 'peak_states', 'memory', 'seconds'];

function figuresCsv() {
  // Without an answer there are no figures.
  const rows = runner.current().filter(({ answer }) => answer).map(({ run, answer }) => [run.algorithm, answer.heuristic, answer.weight ?? null, ...FIELDS.map((name) => answer[name] ?? null)]);
  return csv(['algorithm', 'heuristic', 'weight', ...FIELDS], rows);
}

async function setupJson() {
  const file = `map.${/** @type {any} */ (SUFFIX)[state.map.format]}`;
  return JSON.stringify({
    link: await linkTo(),
    map: { format: state.map.format, text: fileText(state.map) },
    diagonal: state.map.kind === 'graph' ? undefined : state.diagonal,
    from: state.map.start < 0 ? null : spotOf(state.map, state.map.start),
    to: state.map.goals.map((/** @type {number} */ goal) => spotOf(state.map, goal)),
    runs: runner.current().map(({ run, answer }) => ({ algorithm: run.algorithm, heuristic: run.heuristic, weight: run.weight, command: commandOf(run, file), answer })),
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

/** The map that is looked at, with its search as far as it is played, as lines and shapes: for the guide. */
export function svgText() {
  const [scene, drawing, unit] = [scenes(), svgSheet(), Math.max(UNIT, view.view.scale)];
  activePane().drawOn(drawing, unit);
  const [width, height] = [scene.width * unit, scene.height * unit].map((side) => Math.ceil(side));
  const title = el('title', {}, nameOf(state.runs[activeNumber()])).outerHTML;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${title}<rect width="100%" height="100%" fill="${palette().ground}"/>${drawing.text}</svg>`;
}

/** Maps on a card are about so wide, in pixels. */
const PANEL = 640;

/** The signs of the legend, and their colours on the maps. @type {Record<string, [import('../../trace/card.js').Sign['shape'], string]>} */
const SIGNS = { open: ['square', 'open'], closed: ['block', 'closed'], current: ['disc', 'now'], dropped: ['stroke', 'closed'], forgotten: ['ring', 'closed'], jump: ['diamond', 'closed'], behind: ['disc', 'behind'], path: ['line', 'path1'], start: ['disc', 'start'], goal: ['star', 'goal'], far: ['block', 'far'], flow: ['line', 'ink'] };

/** Maps as one picture, with names, figures, where each search stands, the legend and the link. @param {number[]} numbers @returns {Promise<import('../../trace/card.js').Card>} */
async function cardOf(numbers) {
  const [scene, colours] = [scenes(), palette()];
  const unit = Math.min(UNIT, PANEL / scene.width);
  const mark = state.runs[activeNumber()].mark;
  const panels = numbers.map((number) => {
    const [pane, entry] = [paneOf(number), runner.current()[number]];
    const { path, search, run } = entry;
    pane.setFound({ path, search });
    // Results of an earlier request are not exported.
    const around = { cheapest: runner.cheapestCost(), errorText };
    const written = [...verdictOf(entry, around), ...figuresOf(entry, around)].flatMap((part) => (part.className === 'figure-line' ? [...part.children] : [part])).map((part) => part.textContent.trim()).join(' · ');
    return { name: nameOf(run), lines: [written, ...(search ? [sentence(search.rec, search.cursor.k)] : [])], width: Math.ceil(scene.width * unit), height: Math.ceil(scene.height * unit), draw: (/** @type {any} */ drawing) => pane.drawOn(drawing, unit) };
  });
  const legend = [...document.querySelectorAll('.legend li')].map((line) => {
    const [shape, colour] = SIGNS[line.querySelector('.sign')?.className.replace('sign sign-', '') ?? 'open'];
    return { shape, colour: colours[colour === 'path1' ? `path${mark}` : colour], text: line.textContent ?? '' };
  });
  return { title: `${t('paths.title')} · ${document.getElementById('paths-facts')?.textContent ?? ''}`, panels, legend, link: printed(await linkTo()), colours: { ground: colours.paper, ink: colours.ink, quiet: colours.faint } };
}

const linkTo = async () => new URL(`${pathOf('paths')}${await fragment()}`, location.href).href;
const everyPane = () => state.runs.map((_, number) => number);

/** The recorded search as the Posthoc visualiser reads it: the engine writes it. */
const posthoc = async () => JSON.stringify(await port.posthoc({ ...questionOf(activeEntry().run), events: MOST_EVENTS }).promise);

/** The exports: the file's name, its content and its type. @type {Record<string, any>} */
const EXPORTS = {
  csv: async () => ['paths.csv', figuresCsv(), 'text/csv'],
  json: async () => ['paths.json', await setupJson(), 'application/json'],
  cardSvg: async () => ['paths-card.svg', cardSvg(await cardOf(everyPane())), 'image/svg+xml'],
  cardPng: async () => ['paths-card.png', await cardPng(await cardOf(everyPane()))],
  svg: async () => ['paths.svg', cardSvg(await cardOf([activeNumber()])), 'image/svg+xml'],
  png: async () => ['paths.png', await cardPng(await cardOf([activeNumber()]))],
  posthoc: async () => ['paths.trace.json', await posthoc(), 'application/json'],
  map: async () => [`map.${/** @type {any} */ (SUFFIX)[state.map.format]}`, fileText(state.map)],
};

async function give(/** @type {string} */ name) {
  try {
    const [file, content, type] = await EXPORTS[name]();
    download(file, content, type);
  } catch (error) {
    if (!(error instanceof Gone || error instanceof Refused)) throw error;
    toast(() => t('paths.export.none', { error: errorText(error) }));
  }
}

/** The exports that are not available now, and why: figures need an answer, and a search needs a recording. @returns {Record<string, string>} */
function lacking() {
  const { map } = state;
  if (map.start < 0 || !map.goals.length) { const why = t(map.start < 0 ? 'paths.noStart' : 'paths.noGoal'); return { csv: why, posthoc: why }; }
  const entry = activeEntry();
  return {
    ...(runner.current().some(({ answer }) => answer) ? {} : { csv: t('paths.export.unanswered') }),
    ...(entry?.answer ? {} : { posthoc: entry?.error instanceof Refusal ? t(entry.error.key) : t('paths.export.unanswered') }),
  };
}

export function openExport() {
  const entry = activeEntry();
  const [lacks, lost] = [lacking(), lossOf(state.map.format)];
  const command = entry && commandOf(entry.run, `map.${/** @type {any} */ (SUFFIX)[state.map.format]}`);
  sheet(t('paths.export'), [
    el('div', { className: 'exports' }, Object.keys(EXPORTS).map((name) => button(t(`paths.export.${name}`), () => give(name), { id: `paths-export-${name}`, disabled: name in lacks }))),
    el('p', { className: 'muted', id: 'paths-export-lacks' }, [...new Set(Object.values(lacks))].join(' ')),
    el('p', { className: 'muted' }, t('paths.export.help')),
    el('p', { className: 'muted', id: 'paths-export-lost' }, lost ? t('paths.export.lost', { what: lost }) : ''),
    command && el('div', {}, el('h3', {}, t('paths.command')), el('pre', { className: 'command', tabIndex: 0, id: 'paths-command' }, command), state.map.kind !== 'graph' && el('p', { className: 'muted' }, t('paths.command.cells'))),
  ]);
}
