// Exports of the Lab: a link with the whole set-up, and files.

import { button, el } from '../../js/dom.js';
import { pathOf } from '../../js/host.js';
import { t } from '../../js/i18n.js';
import { sheet, toast } from '../../js/sheets.js';
import { linkParts, printed } from '../../js/share.js';
import { cardPng, cardSvg } from '../../trace/card.js';
import { csv, download, eventsCsv, svgMarkup, svgText } from '../../trace/export.js';
import { boardText } from '../../trace/sentence.js';
import { engine, troubleText } from './engine.js';
import { inks } from './paint.js';
import { fragment, nameOf, setup } from './setup.js';
import { boundOf } from './race-table.js';

const COLUMNS = ['contestant', 'status', 'algorithm', 'heuristic', 'weight', 'length', 'optimal', 'bound', 'expanded', 'generated', 'peak_states', 'memory', 'seconds'];

/** Where the player stands, for a link to what is recorded; what is chosen now may be another search. */
const placeOf = (/** @type {any} */ step) => (setup().tab === 'step' && step.isCurrent ? step.player.k : 0);
const linkTo = (/** @type {Parameters<typeof fragment>} */ ...where) => new URL(`${pathOf('lab')}${fragment(...where)}`, location.href).href;

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
  // With two searches, the selected one is exported.
  const lane = step.active().rec ? step.active() : null;
  const curves = race.curves();
  // The link on a card brings what is chosen now.
  const pictured = lane && step.isCurrent;
  const card = (/** @type {any[]} */ lanes) => cardOf(lanes, linkTo(placeOf(step)));
  const act = (/** @type {string} */ id, /** @type {string} */ key, /** @type {unknown} */ ready, /** @type {any} */ run) => button(t(key), async () => { await run(); }, { id: `export-${id}`, symbol: 'save', disabled: !ready });
  sheet(t('lab.export'), [
    el('h3', {}, t('lab.race')),
    el('div', { className: 'actions' }, act('race-csv', 'lab.export.csv', result, () => download('race.csv', raceCsv(result), 'text/csv')), act('race-json', 'lab.export.json', result, () => download('race.json', raceJson(result), 'application/json')), act('race-svg', 'lab.export.curves', curves, () => download('growth.svg', svgText(curves), 'image/svg+xml')),
      act('race-card', 'lab.export.cardSvg', race.isCurrent && result, () => download('race-card.svg', cardSvg(raceCard(result, curves)), 'image/svg+xml'))),
    result && !race.isCurrent && el('p', { className: 'muted', id: 'export-old' }, t('lab.export.old')),
    el('h3', {}, t('lab.step')),
    el('div', { className: 'actions' }, act('events-csv', 'lab.export.events', lane, () => download('search.csv', eventsCsv(lane.rec, nameOf(lane.asked), (n) => boardText(lane.rec.state(n), lane.rec.place.cols)), 'text/csv')), act('card-svg', 'lab.export.cardSvg', pictured, () => download('search-card.svg', cardSvg(card(step.shown())), 'image/svg+xml')), act('card-png', 'lab.export.cardPng', pictured, async () => download('search-card.png', await cardPng(card(step.shown())))),
      act('tree-svg', 'lab.export.treeSvg', pictured, () => download('tree.svg', cardSvg(card([lane])), 'image/svg+xml')), act('tree-png', 'lab.export.treePng', pictured, async () => download('tree.png', await cardPng(card([lane])))), act('json', 'lab.export.json', lane, () => download('search.json', JSON.stringify({ ...lane.asked, answer: lane.rec.answer, counts: lane.rec.counts, cut: lane.rec.cut }, null, 1), 'application/json')), act('posthoc', 'lab.export.posthoc', lane, () => savePosthoc(lane.asked))),
    lane && !pictured && el('p', { className: 'muted', id: 'export-old-step' }, t('lab.export.oldStep')),
    !result && !lane && el('p', { className: 'muted' }, t('lab.export.none')),
  ]);
}

/** The signs of the legend, and their colours. @type {Record<string, [import('../../trace/card.js').Sign['shape'], string]>} */
const SIGNS = { open: ['square', 'open'], closed: ['disc', 'closed'], current: ['disc', 'current'], dropped: ['stroke', 'dropped'], forgotten: ['ring', 'forgotten'], moved: ['dash', 'dropped'], solution: ['line', 'path'] };

/** The board that is searched, from its start to its goal. */
function boardsText() {
  const { tiles, goal, cols } = setup();
  return `${boardText(tiles, cols)} → ${boardText(goal, cols)}`;
}

/** A card with these panels, the legend and the link, in the colours of the page. @param {string[]} title @param {Record<string, string>} ink */
const cardWith = (title, ink, /** @type {Pick<import('../../trace/card.js').Card, 'panels' | 'legend'>} */ parts, /** @type {string} */ link) => ({
  title: [t('lab.title'), ...title].join(' · '), ...parts, link: printed(link), colours: { ground: ink.card, ink: ink.number, quiet: ink.text },
});

/** Trees as one picture, with names, figures, sentences, the legend and the link. @param {any[]} lanes @param {string} link @returns {import('../../trace/card.js').Card} */
function cardOf(lanes, link) {
  const { ink } = lanes[0].tree.scene;
  const legend = [...document.querySelectorAll('#lab-key li')].map((line) => {
    const [shape, colour] = SIGNS[line.querySelector('.sign')?.classList[1] ?? 'open'];
    return { shape, colour: ink[colour], text: line.textContent ?? '' };
  });
  const panels = lanes.map((lane) => ({ ...lane.tree.panel(), name: lane.title(), lines: [lane.figures(), lane.sentence()] }));
  return cardWith([boardsText()], ink, { panels, legend }, link);
}

const SAID = ['moves', 'optimal', 'expanded', 'generated', 'time'];

/** A race as one picture: a line a contestant, the curves, their marks and the link. @param {{ averages: boolean, seed: number, asked: any }} race @param {SVGSVGElement | null} curves */
function raceCard({ averages, seed, asked }, curves) {
  const { rows, cols } = setup();
  const contestants = [...document.querySelectorAll('#lab-race tbody tr')];
  const figures = (/** @type {Element} */ row) => SAID.map((name) => row.querySelector(`td.${name}`)).filter((cell) => cell instanceof HTMLElement).map((cell) => `${cell.dataset.label} ${cell.firstChild?.textContent}`);
  const lines = contestants.map((row) => [...['.who', '.state'].map((part) => row.querySelector(part)?.textContent), ...figures(row)].join(' · '));
  const legend = contestants.map((row) => ({ shape: /** @type {const} */ ('disc'), markup: svgMarkup(row.querySelector('.mark')), colour: '', text: row.querySelector('.who')?.textContent ?? '' }));
  const { width = 0, height = 0 } = curves?.viewBox.baseVal ?? {};
  const panel = { name: t(curves ? 'lab.growth' : 'lab.race'), lines, width, height, draw: (/** @type {any} */ drawing) => { if (curves) drawing.put(svgMarkup(curves)); } };
  const what = averages ? [t('lab.race.many'), `${t('lab.boards', { n: asked.scrambles.count })} ${t('lab.average.size', { rows, cols })}`, `${t('trace.seed')} ${seed}`] : [boardsText()];
  return cardWith([t('lab.race'), ...what], inks(/** @type {Element} */ (document.getElementById('lab'))), { panels: [panel], legend }, linkTo(0, 'race'));
}

function raceCsv(/** @type {{ rows: any, contestants: any, averages: any, seed: number }} */ { rows, contestants, averages, seed }) {
  const spread = averages ? ['boards', 'solved', 'seed', 'expanded_min', 'expanded_median', 'expanded_max'] : [];
  const more = (/** @type {any} */ row) => (averages ? [row.boards, row.solved, seed, row.spread?.expanded.min, row.spread?.expanded.median, row.spread?.expanded.max] : []);
  return csv([...COLUMNS, ...spread], rows.map((/** @type {any} */ row, /** @type {number} */ i) => [...COLUMNS.map((name) => ({ contestant: row.contestant ?? contestants[i].algorithm, bound: boundOf(row) })[name] ?? row[name]), ...more(row)]));
}

/** The request as the engine takes it, and the answer. */
const raceJson = (/** @type {{ asked: any, rows: number }} */ { asked, rows }) => JSON.stringify({ ...asked, answers: rows }, null, 1);

/** The same search as a trace for the Posthoc visualiser; the engine writes it. @param {any} asked */
async function savePosthoc(asked) {
  try {
    download('search.trace.json', JSON.stringify(await engine.posthoc(asked).promise), 'application/json');
  } catch (error) {
    toast(() => troubleText(error));
  }
}
