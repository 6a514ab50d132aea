// The guided tour: how search grew from breadth first to A*, in five steps, each on the map where it matters. Whoever
// leaves it keeps the map.

import { button, el, icon, refill } from '../../js/dom.js';
import { onLanguage, t } from '../../js/i18n.js';
import { builtin } from './builtin.js';
import { replaceMap, runOf, setShow } from './state.js';

const PLAIN = { distances: false, flow: false };

/** A map with its goal somewhere else. @param {{ cols: number }} map @param {number} row @param {number} col */
function withGoal(map, row, col) {
  return { ...map, goals: [row * map.cols + col] };
}

/** The steps: their map, rules, contestants, and what is shown. */
const STEPS = [
  { map: () => withGoal(builtin('trap'), 14, 31), runs: ['bfs'], show: { distances: true, flow: false, late: true } },
  { map: () => withGoal(builtin('trap'), 4, 9), runs: ['bfs'], show: PLAIN },
  { map: () => builtin('meadow'), runs: ['bfs', 'dijkstra'], diagonal: 'no-corners', show: PLAIN },
  { map: () => builtin('trap'), runs: ['dijkstra', 'greedy'], diagonal: 'no-corners', show: PLAIN },
  { map: () => builtin('trap'), runs: ['dijkstra', 'greedy', 'astar'], diagonal: 'no-corners', show: PLAIN },
];

/** The strip of steps. @param {{ onStep: () => void }} actions */
export function tourStrip({ onStep }) {
  let at = -1;
  const steps = el('ol', { className: 'tour-steps' });
  const text = el('p', { className: 'tour-text', id: 'paths-tour-text', 'aria-live': 'off' });
  const leave = button('', () => { show(-1); steps.querySelector('button')?.focus(); }, { kind: 'slim', id: 'paths-tour-leave' });
  const next = button('', () => take(at + 1), { kind: 'slim', id: 'paths-tour-next' });
  const foot = el('div', { className: 'tour-foot' }, text, next, leave);
  const title = el('h2', { 'data-t': 'paths.tour' });
  const strip = el('section', { className: 'tour card', id: 'paths-tour', 'aria-labelledby': 'paths-tour-head' }, title, steps, foot);
  title.id = 'paths-tour-head';

  function take(/** @type {number} */ step) {
    const { map, runs, diagonal = 'never', show: shown } = STEPS[step];
    setShow(shown);
    replaceMap(map(), { diagonal, runs: runs.map((algorithm) => runOf(algorithm)), own: false });
    show(step);
    onStep();
  }

  function show(/** @type {number} */ step) {
    at = step;
    strip.classList.toggle('touring', at >= 0);
    refill(steps, ...STEPS.map((_, i) => el('li', {}, el('button', { type: 'button', className: 'chip', id: `paths-tour-${i + 1}`, 'aria-current': i === at ? 'step' : undefined, 'aria-pressed': String(i === at), onclick: () => take(i) }, el('b', {}, String(i + 1)), el('span', {}, t(`paths.tour.${i + 1}`))))));
    foot.hidden = at < 0;
    if (at < 0) return;
    text.textContent = t(`paths.tour.${at + 1}.text`);
    if (at + 1 >= STEPS.length && document.activeElement === next) leave.focus();
    next.hidden = at + 1 >= STEPS.length;
    next.replaceChildren(el('span', {}, t('paths.tour.next')), icon('forward'));
    leave.querySelector('span').textContent = t('paths.tour.leave');
  }
  onLanguage(() => show(at));
  return { strip, start: () => take(Math.max(0, at)), isOn: () => at >= 0 };
}
