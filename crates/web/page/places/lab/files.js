// What can be taken out of the lab: a link with the whole set-up, and files.

import { button, el } from '../../js/dom.js';
import { t } from '../../js/i18n.js';
import { sheet, toast } from '../../js/sheets.js';
import { linkParts } from '../../js/copy.js';
import { csv, download, eventsCsv, png, svgText } from '../../trace/export.js';
import { boardText } from '../../trace/sentence.js';
import { engine, troubleText } from './asking.js';
import { fragment, setup } from './setup.js';
import { boundOf } from './table.js';

const COLUMNS = ['contestant', 'status', 'algorithm', 'heuristic', 'weight', 'length', 'optimal', 'bound', 'expanded', 'generated', 'peak_states', 'memory', 'seconds'];

/** The sheet with the link that brings all this back and runs it; a recorded search stands where it stands now. @param {{ step: any }} parts */
export function openLink({ step }) {
  const place = setup().tab === 'step' && step.loaded ? step.player.k : 0;
  const { field, here, acts } = linkParts(new URL(`/lab${fragment(place)}`, location.href).href);
  sheet(t('lab.link'), [el('p', {}, t(place ? 'lab.link.place' : 'lab.link.text')), field, here, acts]);
}

/**
 * The sheet with everything that can be written to a file now.
 * @param {{ race: any, step: any }} parts
 */
export function openExport({ race, step }) {
  const result = race.result();
  // What is looked at, of two that are shown.
  const lane = step.active().rec ? step.active() : null;
  const curves = document.querySelector('#lab-growth svg');
  const act = (id, key, ready, run) => button(t(key), async () => { await run(); }, { id: `export-${id}`, symbol: 'save', disabled: !ready });
  sheet(t('lab.export'), [
    el('h3', {}, t('lab.race')),
    el('div', { className: 'actions' }, act('race-csv', 'lab.export.csv', result, () => download('race.csv', raceCsv(result), 'text/csv')), act('race-json', 'lab.export.json', result, () => download('race.json', raceJson(result), 'application/json')), act('race-svg', 'lab.export.curves', curves, () => download('growth.svg', svgText(curves), 'image/svg+xml'))),
    el('h3', {}, t('lab.step')),
    el('div', { className: 'actions' }, act('events-csv', 'lab.export.events', lane, () => download('search.csv', eventsCsv(lane.rec, (n) => boardText(lane.rec.state(n), lane.rec.place.cols)), 'text/csv')), act('tree-svg', 'lab.export.treeSvg', lane, () => download('tree.svg', lane.tree.drawing(), 'image/svg+xml')),
      act('tree-png', 'lab.export.treePng', lane, async () => download('tree.png', await png(lane.tree.picture(), lane.tree.scene.ink.card))), act('json', 'lab.export.answer', lane, () => download('search.json', JSON.stringify({ ...lane.asked, answer: lane.rec.answer, counts: lane.rec.counts, cut: lane.rec.cut }, null, 1), 'application/json')), act('posthoc', 'lab.export.posthoc', lane, () => savePosthoc(lane.asked))),
    !result && !lane && el('p', { className: 'muted' }, t('lab.export.none')),
  ]);
}

function raceCsv({ rows, contestants, averages, seed }) {
  const spread = averages ? ['boards', 'solved', 'seed', 'expanded_min', 'expanded_median', 'expanded_max'] : [];
  const more = (row) => (averages ? [row.boards, row.solved, seed, row.spread?.expanded.min, row.spread?.expanded.median, row.spread?.expanded.max] : []);
  return csv([...COLUMNS, ...spread], rows.map((row, i) => [...COLUMNS.map((name) => ({ contestant: row.contestant ?? contestants[i].algorithm, bound: boundOf(row) })[name] ?? row[name]), ...more(row)]));
}

/** What was asked, as the engine takes it, and what it answered. */
const raceJson = ({ asked, rows }) => JSON.stringify({ ...asked, answers: rows }, null, 1);

/** The same search as a trace for the Posthoc visualiser; the engine writes it. */
async function savePosthoc(asked) {
  try {
    download('search.trace.json', JSON.stringify(await engine.posthoc(asked).promise), 'application/json');
  } catch (error) {
    toast(() => troubleText(error));
  }
}
