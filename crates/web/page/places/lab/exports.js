// What can be taken out of the lab: a link with the whole set-up, and files.

import { button, el } from '../../js/dom.js';
import { pathOf } from '../../js/host.js';
import { t } from '../../js/i18n.js';
import { sheet, toast } from '../../js/sheets.js';
import { linkParts } from '../../js/share.js';
import { cardPng, cardSvg } from '../../trace/card.js';
import { csv, download, eventsCsv, svgText } from '../../trace/export.js';
import { boardText } from '../../trace/sentence.js';
import { engine, troubleText } from './engine.js';
import { fragment, setup } from './setup.js';
import { boundOf } from './race-table.js';

const COLUMNS = ['contestant', 'status', 'algorithm', 'heuristic', 'weight', 'length', 'optimal', 'bound', 'expanded', 'generated', 'peak_states', 'memory', 'seconds'];

const placeOf = (/** @type {any} */ step) => (setup().tab === 'step' && step.loaded ? step.player.k : 0);
const linkTo = (/** @type {number} */ place) => new URL(`${pathOf('lab')}${fragment(place)}`, location.href).href;

/** The sheet with the link that brings all this back and runs it; a recorded search stands where it stands now. @param {{ step: any }} parts */
export function openLink({ step }) {
  const place = placeOf(step);
  const { field, here, acts } = linkParts(linkTo(place));
  sheet(t('share.link'), [el('p', {}, t(place ? 'lab.link.place' : 'lab.link.text')), field, here, acts]);
}

/**
 * The sheet with everything that can be written to a file now.
 * @param {{ race: any, step: any }} parts
 */
export function openExport({ race, step }) {
  const result = race.result();
  // What is looked at, of two that are shown.
  const lane = step.active().rec ? step.active() : null;
  const curves = race.curves();
  const card = (/** @type {any[]} */ lanes) => cardOf(lanes, linkTo(placeOf(step)));
  const act = (/** @type {string} */ id, /** @type {string} */ key, /** @type {Element | null} */ ready, /** @type {any} */ run) => button(t(key), async () => { await run(); }, { id: `export-${id}`, symbol: 'save', disabled: !ready });
  sheet(t('lab.export'), [
    el('h3', {}, t('lab.race')),
    el('div', { className: 'actions' }, act('race-csv', 'lab.export.csv', result, () => download('race.csv', raceCsv(result), 'text/csv')), act('race-json', 'lab.export.json', result, () => download('race.json', raceJson(result), 'application/json')), act('race-svg', 'lab.export.curves', curves, () => download('growth.svg', svgText(curves), 'image/svg+xml'))),
    el('h3', {}, t('lab.step')),
    el('div', { className: 'actions' }, act('events-csv', 'lab.export.events', lane, () => download('search.csv', eventsCsv(lane.rec, (n) => boardText(lane.rec.state(n), lane.rec.place.cols)), 'text/csv')), act('card-svg', 'lab.export.cardSvg', lane, () => download('search-card.svg', cardSvg(card(step.shown())), 'image/svg+xml')), act('card-png', 'lab.export.cardPng', lane, async () => download('search-card.png', await cardPng(card(step.shown())))),
      act('tree-svg', 'lab.export.treeSvg', lane, () => download('tree.svg', cardSvg(card([lane])), 'image/svg+xml')), act('tree-png', 'lab.export.treePng', lane, async () => download('tree.png', await cardPng(card([lane])))), act('json', 'lab.export.answer', lane, () => download('search.json', JSON.stringify({ ...lane.asked, answer: lane.rec.answer, counts: lane.rec.counts, cut: lane.rec.cut }, null, 1), 'application/json')), act('posthoc', 'lab.export.posthoc', lane, () => savePosthoc(lane.asked))),
    !result && !lane && el('p', { className: 'muted' }, t('lab.export.none')),
  ]);
}

/** How the signs of the legend are drawn, and in which ink. @type {Record<string, [import('../../trace/card.js').Sign['shape'], string]>} */
const SIGNS = { open: ['square', 'open'], closed: ['disc', 'closed'], current: ['disc', 'current'], dropped: ['stroke', 'dropped'], forgotten: ['ring', 'forgotten'], moved: ['dash', 'dropped'], solution: ['line', 'path'] };

/** Trees as one picture, with names, figures, sentences, the legend and the link. @param {any[]} lanes @param {string} link @returns {import('../../trace/card.js').Card} */
function cardOf(lanes, link) {
  const { tiles, goal, cols } = setup();
  const { ink } = lanes[0].tree.scene;
  const legend = [...document.querySelectorAll('#lab-key li')].map((line) => {
    const [shape, colour] = SIGNS[line.querySelector('.sign')?.classList[1] ?? 'open'];
    return { shape, colour: ink[colour], text: line.textContent ?? '' };
  });
  return { title: `${t('lab.title')} · ${boardText(tiles, cols)} → ${boardText(goal, cols)}`, panels: lanes.map((lane) => ({ ...lane.tree.panel(), name: lane.title(), lines: [lane.figures(), lane.sentence()] })), legend, link, colours: { ground: ink.card, ink: ink.number, quiet: ink.text } };
}

function raceCsv(/** @type {{ rows: any, contestants: any, averages: any, seed: number }} */ { rows, contestants, averages, seed }) {
  const spread = averages ? ['boards', 'solved', 'seed', 'expanded_min', 'expanded_median', 'expanded_max'] : [];
  const more = (/** @type {any} */ row) => (averages ? [row.boards, row.solved, seed, row.spread?.expanded.min, row.spread?.expanded.median, row.spread?.expanded.max] : []);
  return csv([...COLUMNS, ...spread], rows.map((/** @type {any} */ row, /** @type {number} */ i) => [...COLUMNS.map((name) => ({ contestant: row.contestant ?? contestants[i].algorithm, bound: boundOf(row) })[name] ?? row[name]), ...more(row)]));
}

/** What was asked, as the engine takes it, and what it answered. */
const raceJson = (/** @type {{ asked: any, rows: number }} */ { asked, rows }) => JSON.stringify({ ...asked, answers: rows }, null, 1);

/** The same search as a trace for the Posthoc visualiser; the engine writes it. @param {any} asked */
async function savePosthoc(asked) {
  try {
    download('search.trace.json', JSON.stringify(await engine.posthoc(asked).promise), 'application/json');
  } catch (error) {
    toast(() => troubleText(error));
  }
}
