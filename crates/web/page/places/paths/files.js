// Maps as files: opened, pasted, dropped, and saved in every format that can hold them.

import { button, el } from '../../js/dom.js';
import { t } from '../../js/i18n.js';
import { sheet, toast } from '../../js/sheets.js';
import { download } from '../../trace/export.js';
import { onPasted } from '../../trace/common.js';
import { closed } from '../../trace/sentence.js';
import { nameOf } from './figures.js';
import { SUFFIX, fileText, isScenario, lostIn, read, savable, signsOf } from './formats.js';
import { MapError, OPEN, isBlocked, openMap } from './map.js';
import { openQueries, takeScenario } from './queries.js';
import { replaceMap, runOf, setRuns, state, undo } from './state.js';

const FORMATS = ['terrain', 'sea', 'octile', 'graph'];
const LARGEST = 4 * 1024 * 1024;

/** The message of a file that cannot be read. @param {any} error */
const complaint = (error) => (error instanceof MapError ? t(error.key, error.values) : error.message);

/** Puts the ends on open ground that a file does not say, where there is some. Returns what is to be said of it, in keys of the dictionary. @param {any} map */
function putEnds(map) {
  const missing = /** @type {Record<string, boolean>} */ ({ start: map.start < 0, goal: !map.goals.length });
  const usual = openMap(map.rows, map.cols);
  const free = (/** @type {number} */ ground, /** @type {number} */ cell) => cell >= 0 && !isBlocked(ground) && cell !== map.start && !map.goals.includes(cell);
  // Open ground is best, also another piece of it: out of water, for one, nobody gets.
  const open = (/** @type {number} */ ground, /** @type {number} */ cell) => ground === OPEN && free(ground, cell);
  const put = (/** @type {number} */ cell, /** @type {any} */ from) => { for (const fits of [open, free]) { const at = fits(map.cells[cell], cell) ? cell : map.cells[from](fits); if (at >= 0) return at; } return -1; };
  if (missing.start) map.start = put(usual.start, 'findIndex');
  if (missing.goal) map.goals = [put(usual.goals[0] ?? -1, 'findLastIndex')].filter((cell) => cell >= 0);
  const there = /** @type {Record<string, boolean>} */ ({ start: map.start >= 0, goal: map.goals.length > 0 });
  if (!signsOf(map.format)) return [there.start && there.goal ? 'paths.missing.signs' : 'paths.missing.signsRoom'];
  return ['start', 'goal'].filter((end) => missing[end]).map((end) => `paths.missing.${end}${there[end] ? '' : 'Room'}`);
}

/** Puts the map of a text in place, or lists the queries of a scenario file; throws a MapError. Once it is read, `close` is called: what is said then is said on the page. */
function take(/** @type {string} */ text, { close = () => {}, ...options }) {
  if (isScenario(text, /** @type {{ name?: string }} */ (options).name ?? '')) {
    takeScenario(text);
    close();
    openQueries();
    return;
  }
  const map = read(text, options);
  close();
  // A file need not say where to go.
  const missing = map.kind === 'cells' ? putEnds(map) : [];
  const [before, own] = [state.runs, state.own];
  const runs = map.kind === 'graph' ? before.filter(({ algorithm }) => algorithm !== 'jps') : before;
  const gone = before.filter((run) => !runs.includes(run));
  const said = () => [t('paths.loaded'), ...missing.map((key) => t(key, signsOf(map.format) ?? {})), ...(gone.length ? [t('paths.runs.gone', { names: gone.map(nameOf).join(t('trace.list')) })] : [])];
  replaceMap(map, { diagonal: map.format === 'octile' ? 'no-corners' : state.diagonal, runs: runs.length ? runs : [runOf('astar')] });
  toast(() => closed(said().join(' ')), { label: () => t('do.undo'), run: () => { undo(); if (gone.length) setRuns(before, own); } });
}

/** Opens a file that was chosen or dropped; says what is wrong with it. @param {any} file */
async function openFile(file, options = {}) {
  try {
    if (file.size > LARGEST) throw new MapError('paths.bad.large', { most: LARGEST / 1048576 });
    take(await file.text(), { name: file.name, ...options });
  } catch (error) {
    if (!(error instanceof MapError)) throw error;
    toast(() => t('paths.bad', { name: file.name, error: complaint(error) }));
  }
}

/** What a file format leaves out of this map, in words; null if there is nothing. @param {any} format */
export function lossOf(format) {
  const { start, goals } = lostIn(state.map, format);
  return start || goals ? t(`paths.lost.${!start ? 'goals' : goals ? 'both' : 'start'}`, { count: goals }) : null;
}

/** The losses of some file formats for this map, in words; null if there are none. @param {any[]} formats */
function lossText(formats) {
  const parts = formats.map((format) => ({ format, what: lossOf(format) })).filter(({ what }) => what).map(({ format, what }) => t('paths.lost.in', { format: t(`paths.format.${format}`), what }));
  return parts.length ? closed([...parts, t('paths.lost.why')].join(' ')) : null;
}

const saveAs = (/** @type {string} */ format) => download(`map.${/** @type {any} */ (SUFFIX)[format]}`, fileText(state.map, format));

export function openFiles() {
  const problem = el('div', { className: 'error', id: 'paths-file-error', hidden: true, role: 'alert' });
  const format = el('select', { id: 'paths-format', 'aria-label': t('paths.format') }, new Option(t('paths.format.auto'), ''), FORMATS.map((name) => new Option(t(`paths.format.${name}`), name)));
  const chosen = () => ({ close: () => dialog.close(), ...(format.value ? { format: format.value } : {}) });
  const file = el('input', { type: 'file', id: 'paths-file', hidden: true, accept: '.txt,.map,.scen,.graph,.sea,text/plain', onchange: async () => { if (file.files[0]) await openFile(file.files[0], chosen()); file.value = ''; } });
  const box = el('textarea', { className: 'paste-box', id: 'paths-paste', rows: 6, spellcheck: false, 'aria-label': t('paths.paste'), placeholder: 'S..#\n.5#.\n...G' });
  const open = () => {
    try {
      take(box.value, chosen());
    } catch (error) {
      if (!(error instanceof MapError)) throw error;
      problem.hidden = false;
      problem.textContent = complaint(error);
    }
  };
  const saves = savable(state.map).map((name) => button(t(`paths.format.${name}`), () => saveAs(name), { symbol: 'save', id: `paths-save-${name}` }));
  const dialog = sheet(t('paths.files'), [
    el('h3', {}, t('paths.files.open')),
    el('div', { className: 'fields' }, button(t('paths.files.choose'), () => file.click(), { symbol: 'load', id: 'paths-choose' }), format), file, box, problem,
    el('div', { className: 'actions' }, button(t('paths.files.read'), open, { id: 'paths-read' })),
    el('p', { className: 'muted' }, t('paths.files.help')),
    el('h3', {}, t('paths.files.save')),
    el('div', { className: 'actions' }, saves),
    el('p', { className: 'muted', id: 'paths-lost' }, lossText(savable(state.map)) ?? ''),
  ], { kind: 'wide' });
}

/** Takes maps that are dropped on the place, and texts of maps that are pasted on it. */
export function initFiles(/** @type {any} */ root, /** @type {{ isShown: () => boolean }} */ { isShown }) {
  root.addEventListener('dragover', (/** @type {any} */ event) => { event.preventDefault(); event.stopPropagation(); });
  root.addEventListener('drop', (/** @type {any} */ event) => {
    event.preventDefault();
    event.stopPropagation();
    const [file] = event.dataTransfer.files;
    if (file) void openFile(file);
  });
  onPasted(isShown, (text) => void openFile(new File([text], t('paths.pasted'))));
}
