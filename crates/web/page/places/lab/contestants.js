// The contestants: algorithms with their heuristics and weights, and the limits they share.

import { button, el, icon, setText } from '../../js/dom.js';
import { onLanguage, t, whole } from '../../js/i18n.js';
import { announce, sheet } from '../../js/sheets.js';
import { MOST_WEIGHT, USUAL_WEIGHT, algorithmText, heuristicText, searchName } from '../../trace/identity.js';
import { markOf } from './legend.js';
import { ALGORITHMS, BOUNDED, GUIDED, HEURISTICS, LEAST_SECONDS, MOST_CONTESTANTS, MOST_DEPTH, MOST_SECONDS, USUAL_DEPTH, USUAL_SECONDS } from './values.js';
import { NARROW, among, change, entry, holds, onChange, setup } from './setup.js';

/** A contestant in words. @param {any} one */
export const contestantText = (one) => searchName(entry(one));

/**
 * Builds the card in `root`; `run` begins the race.
 * @param {HTMLElement} root
 * @param {() => void} run
 */
export function createContestants(root, run) {
  const list = el('ul', { className: 'contestants', id: 'lab-contestants' });
  const add = el('div', { className: 'adding' });
  const start = button('', run, { symbol: 'play', id: 'lab-run' });
  const bounds = button('', openLimits, { symbol: 'settings', id: 'lab-limits' });
  const note = el('p', { className: 'muted small-text' });
  root.append(el('h2', { 'data-t': 'trace.contestants' }), el('div', { className: 'row begin' }, start, bounds), list, add, note);

  const replaceAt = (/** @type {number} */ index, /** @type {{ weight?: number | undefined, algorithm?: any, heuristic?: any }} */ patch) => change({ contestants: setup().contestants.map((one, i) => (i === index ? { ...one, ...patch } : one)) });
  /** Invalid weights as typed, by contestant: the message stays beside the field until the next change. @type {WeakMap<object, string>} */
  const typed = new WeakMap();
  function weigh(/** @type {number} */ index, /** @type {string} */ text) {
    const weight = Math.min(MOST_WEIGHT, Math.max(1, Number(text) || 1));
    replaceAt(index, { weight });
    if (text.trim() && Number(text) === weight) return;
    typed.set(setup().contestants[index], text.trim() || '–');
    announce(wrongWeight(setup().contestants[index]));
    draw();
  }
  const wrongWeight = (/** @type {any} */ one) => t('lab.bounded', { found: typed.get(one), least: 1, most: whole(MOST_WEIGHT), used: one.weight });
  const removeAt = (/** @type {number} */ index) => {
    change({ contestants: setup().contestants.filter((_, i) => i !== index) });
    /** @type {HTMLElement} */ (add.querySelector('button'))?.focus();
  };
  const addOne = () => {
    change({ contestants: [...setup().contestants, { algorithm: 'astar', heuristic: 'manhattan' }] });
    /** @type {HTMLElement} */ (add.querySelector('button') ?? list.querySelector('li:last-child select'))?.focus();
  };

  function row(/** @type {object} */ one, /** @type {number} */ index) {
    const { algorithm, heuristic, weight } = /** @type {import('./setup.js').Contestant} */ (entry(one));
    const name = contestantText(one);
    const choice = (/** @type {string} */ label, /** @type {any[]} */ names, /** @type {any} */ text, /** @type {any} */ value, /** @type {(value: any) => void} */ use) => el('select', { 'aria-label': t(label, { n: index + 1 }), title: text(value), onchange: (/** @type {any} */ event) => use(event.target.value) },
      names.map((option) => el('option', { value: option, selected: option === value, disabled: !holds(option) }, text(option))));
    return el('li', {}, markOf(one), el('div', { className: `choices ${GUIDED.has(algorithm) ? 'guided' : ''}`.trim() },
      choice('lab.contestant.algorithm', ALGORITHMS, algorithmText, algorithm, (value) => replaceAt(index, { algorithm: value, heuristic: GUIDED.has(value) ? heuristic ?? 'manhattan' : undefined, weight: value === 'wastar' ? weight ?? USUAL_WEIGHT : undefined })),
      GUIDED.has(algorithm) && choice('lab.contestant.heuristic', HEURISTICS, heuristicText, heuristic, (value) => replaceAt(index, { heuristic: value })),
      algorithm === 'wastar' && el('label', { className: 'weight-line' }, el('span', { 'aria-hidden': 'true' }, t('lab.contestant.factor')), el('input', { type: 'number', className: 'weight-field', min: 1, max: MOST_WEIGHT, step: 0.1, value: weight, 'aria-label': t('lab.contestant.weight', { n: index + 1 }), 'aria-describedby': typed.has(one) ? `weight-note-${index}` : null, onchange: (/** @type {any} */ event) => weigh(index, event.target.value) })),
      typed.has(one) && el('p', { className: 'note small-text', id: `weight-note-${index}` }, wrongWeight(one)),
      BOUNDED.has(algorithm) && el('button', { type: 'button', className: 'link', onclick: openLimits }, t('lab.depth', { n: setup().limits.maxDepth ?? USUAL_DEPTH }))),
      el('button', { type: 'button', className: 'ghost', 'aria-label': t('lab.contestant.remove', { name }), title: t('lab.contestant.remove', { name }), disabled: setup().contestants.length === 1, onclick: () => removeAt(index) }, icon('close')));
  }

  /** A view has one filled button: what is stepped through has its own beside this card, unless the card lies in a sheet. */
  const isForemost = () => NARROW.matches || setup().tab !== 'step';

  function draw() {
    const held = list.contains(document.activeElement) ? [...list.querySelectorAll('select, input, button')].indexOf(document.activeElement) : -1;
    const { contestants, fair, limits: { seconds } } = setup();
    list.replaceChildren(...contestants.map(row));
    if (held >= 0) /** @type {HTMLElement} */ ([...list.querySelectorAll('select, input, button')][held])?.focus();
    add.replaceChildren(contestants.length < MOST_CONTESTANTS ? button(t('trace.add'), addOne, { kind: 'slight', symbol: 'plus', id: 'lab-add' }) : el('span', { className: 'muted' }, t('lab.contestant.most', { n: MOST_CONTESTANTS })));
    start.classList.toggle('filled', isForemost());
    for (const [node, key] of [[start, 'lab.run'], [bounds, 'lab.limits']]) setText(node.lastChild, t(key));
    note.textContent = `${t(`lab.fair.${fair}`)} · ${t('lab.limits.seconds', { n: seconds })}`;
  }

  onChange((changed) => { if (among(changed, 'contestants', 'limits', 'fair', 'wrapRows', 'wrapCols', 'tab')) draw(); });
  NARROW.addEventListener('change', draw);
  onLanguage(draw);
}

function openLimits() {
  const { limits, fair } = setup();
  const number = (/** @type {string} */ id, /** @type {string} */ key, /** @type {any} */ value, /** @type {Record<string, any> | undefined} */ props) => el('label', { className: 'field' }, el('span', {}, t(key)), el('input', { id, type: 'number', value: value ?? '', placeholder: t('lab.limits.none'), ...props }));
  const radio = (/** @type {any} */ value) => el('label', { className: 'option' }, el('input', { type: 'radio', name: 'lab-fair', value, checked: fair === value }), t(`lab.fair.${value}`));
  const use = (/** @type {any} */ event) => {
    event.preventDefault();
    const read = (/** @type {string} */ id) => Number(/** @type {any} */ (form.querySelector(id)).value) || undefined;
    change({
      limits: { seconds: Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, read('#limit-seconds') ?? USUAL_SECONDS)), nodes: read('#limit-nodes'), mebibytes: read('#limit-mebibytes'), maxDepth: read('#limit-depth') },
      fair: /** @type {any} */ (form.querySelector('[name=lab-fair]:checked')).value,
    });
    dialog.close();
  };
  const form = el('form', { className: 'sheet-body', onsubmit: use },
    number('limit-seconds', 'lab.limits.time', limits.seconds, { min: LEAST_SECONDS, max: MOST_SECONDS, step: 0.1 }),
    number('limit-nodes', 'lab.limits.nodes', limits.nodes, { min: 1, step: 1 }),
    number('limit-mebibytes', 'lab.limits.memory', limits.mebibytes, { min: 1, step: 1 }),
    number('limit-depth', 'lab.limits.depth', limits.maxDepth, { min: 1, max: MOST_DEPTH, step: 1, placeholder: USUAL_DEPTH }),
    el('fieldset', { className: 'options' }, el('legend', {}, t('lab.fair')), radio('expansions'), radio('time')),
    el('div', { className: 'actions' }, el('button', { type: 'submit', className: 'button filled' }, t('lab.limits.use'))));
  const dialog = sheet(t('lab.limits'), form);
}
