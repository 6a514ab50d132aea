// The cards of movement, display and contestants.

import { button, el, icon } from '../../js/dom.js';
import { onLanguage, t } from '../../js/i18n.js';
import { MOST_WEIGHT, USUAL_WEIGHT, algorithmText, heuristicText } from '../../trace/identity.js';
import { ALGORITHMS, HEURISTICS, isWeight, usesHeuristic, usualHeuristic } from './ask.js';
import { MOST_RUNS, on, runOf, setDiagonal, setDirected, setRuns, setShow, state } from './state.js';
import { toast } from '../../js/sheets.js';

const CORNERS = ['no-corners', 'no-squeeze', 'always'];
const SHOWN = ['search', 'figures', 'distances', 'flow'];

export function rulesCard() {
  const ways = el('div', { className: 'choices', role: 'group' });
  const corners = el('select', { id: 'paths-corners', onchange: () => setDiagonal(corners.value) });
  const cornerBox = el('label', { className: 'paths-field' }, el('span', { 'data-t': 'paths.corners' }), corners);
  const directed = el('input', { type: 'checkbox', id: 'paths-directed', onchange: () => setDirected(directed.checked) });
  const directedBox = el('label', { className: 'option' }, directed, el('span', { 'data-t': 'paths.directed' }));
  const shown = el('div', { className: 'shown', role: 'group' });
  const head = el('h2', { 'data-t': 'paths.movement' });
  const card = el('section', { className: 'card', id: 'paths-rules' }, head, ways, cornerBox, directedBox, el('h2', { className: 'later', 'data-t': 'paths.show' }), shown);

  function draw() {
    const graph = state.map.kind === 'graph';
    ways.hidden = graph;
    ways.setAttribute('aria-label', t('paths.movement'));
    shown.setAttribute('aria-label', t('paths.show'));
    cornerBox.hidden = graph || state.diagonal === 'never';
    directedBox.hidden = !graph;
    directed.checked = graph && state.map.directed;
    const way = (/** @type {string} */ id, /** @type {string} */ rule, /** @type {boolean} */ on8) => el('button', { type: 'button', className: 'chip', id, 'aria-pressed': String((state.diagonal !== 'never') === on8), onclick: () => setDiagonal(rule) }, t(`paths.ways.${on8 ? 8 : 4}`));
    ways.replaceChildren(way('paths-ways-4', 'never', false), way('paths-ways-8', state.diagonal === 'never' ? 'no-corners' : state.diagonal, true));
    corners.replaceChildren(...CORNERS.map((rule) => new Option(t(`paths.corners.${rule}`), rule, false, rule === state.diagonal)));
    shown.replaceChildren(...SHOWN.filter((name) => !graph || name === 'search').map((name) => el('label', { className: 'option' }, el('input', { type: 'checkbox', id: `paths-show-${name}`, checked: /** @type {any} */ (state.show)[name], onchange: (/** @type {any} */ event) => setShow({ [name]: event.target.checked }) }), t(`paths.show.${name}${graph ? '.graph' : ''}`))));
  }
  on(['map', 'rules', 'show'], draw);
  onLanguage(draw);
  return card;
}

/** The contestants. @param {{ onRun: () => void }} actions */
export function runsCard({ onRun }) {
  const list = el('div', { className: 'runs' });
  const add = button('', () => setRuns([...state.runs, runOf(spare())]), { symbol: 'plus', id: 'paths-add', kind: 'slim' });
  const run = button('', onRun, { symbol: 'play', kind: 'filled', id: 'paths-run' });
  const card = el('section', { className: 'card', id: 'paths-runs' }, el('h2', { 'data-t': 'trace.contestants' }), list, el('div', { className: 'choices' }, add), run);

  function draw() {
    const focused = card.contains(document.activeElement) ? document.activeElement?.id : null;
    list.replaceChildren(...state.runs.map(row));
    add.querySelector('span').textContent = t('trace.add');
    add.hidden = state.runs.length >= MOST_RUNS;
    run.querySelector('span').textContent = t('paths.run');
    if (focused) document.getElementById(focused)?.focus();
  }
  on(['runs', 'map', 'rules'], draw);
  onLanguage(draw);
  return card;
}

const change = (/** @type {number} */ number, /** @type {{ weight?: any, algorithm?: any, heuristic?: any }} */ changes) => setRuns(state.runs.map((run, i) => (i === number ? { ...run, ...changes } : run)));
const spare = () => ['astar', 'dijkstra', 'greedy', 'bfs', 'jps'].find((name) => !state.runs.some(({ algorithm }) => algorithm === name)) ?? 'astar';

/** Takes a weight, or says why not and shows the one that counts. @param {number} number @param {any} field */
function weigh(number, field) {
  if (isWeight(field.value)) { change(number, { weight: field.value }); return; }
  const kept = state.runs[number].weight || String(USUAL_WEIGHT);
  toast(() => t('paths.weight.bad', { most: MOST_WEIGHT, weight: kept }));
  field.value = kept;
}

function row(/** @type {import('./state.js').Run} */ run, /** @type {number} */ number) {
  const algorithm = el('select', { id: `paths-alg-${number}`, 'aria-label': t('paths.algorithm', { n: number + 1 }), onchange: () => change(number, { algorithm: algorithm.value }) },
    ALGORITHMS.map((name) => new Option(algorithmText(name), name, false, name === run.algorithm)));
  const usual = t('paths.heu.usual', { name: heuristicText(usualHeuristic()) });
  const heuristic = usesHeuristic(run.algorithm) && el('select', { id: `paths-heu-${number}`, 'aria-label': t('paths.heuristic', { n: number + 1 }), onchange: (/** @type {any} */ event) => change(number, { heuristic: event.target.value }) },
    new Option(usual, '', false, !run.heuristic), HEURISTICS.map((name) => new Option(heuristicText(name), name, false, name === run.heuristic)));
  const weight = run.algorithm === 'wastar' && el('label', { className: 'weight' }, el('span', {}, t('paths.weight')), el('input', { type: 'number', id: `paths-weight-${number}`, min: 1, max: MOST_WEIGHT, step: 'any', value: run.weight || USUAL_WEIGHT, inputMode: 'decimal', onchange: (/** @type {any} */ event) => weigh(number, event.target) }));
  const remove = state.runs.length > 1 && el('button', { type: 'button', className: 'ghost', id: `paths-drop-${number}`, 'aria-label': t('paths.drop', { n: number + 1 }), title: t('paths.drop', { n: number + 1 }), onclick: () => setRuns(state.runs.filter((_, i) => i !== number)) }, icon('close'));
  return el('div', { className: `run-row run-${run.mark}` }, el('span', { className: 'run-mark', 'aria-hidden': 'true' }), algorithm, remove, heuristic, weight);
}
