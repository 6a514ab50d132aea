// The form above a race's figures: this board or an average over many, what the bars show, and Run where the
// set-up is in a sheet.

import { button, el, refill } from '../../js/dom.js';
import { onLanguage, t } from '../../js/i18n.js';
import { toast } from '../../js/sheets.js';
import { count } from '../../trace/numbers.js';
import { MOST_SCRAMBLES } from './values.js';
import { NARROW, among, change, onChange, setup } from './setup.js';
import { MEASURES } from './race-table.js';

/**
 * Builds it in `root`. `state` says what there is of a race: null before the first one, else its status; `onMeasure` is told what the bars are to show.
 * @param {HTMLElement} root
 * @param {{ run: () => void, state: () => string | null, onMeasure: (name: string) => void }} callbacks
 */
export function createRaceForm(root, { run, state, onMeasure }) {
  let measure = 'expanded';

  const bars = () => el('label', { className: 'inline-field bars-field' }, el('span', {}, t('lab.race.bars')), el('select', { id: 'race-bars', onchange: (/** @type {any} */ event) => { measure = event.target.value; onMeasure(measure); } },
    Object.keys(MEASURES).map((name) => new Option(t(`lab.col.${name}`), name, false, name === measure))));

  /** A number within bounds; Enter runs the race with it. @param {string} id @param {string} key @param {number} value @param {any[]} range @param {(n: any) => void} use */
  const number = (id, key, value, range, use) => el('label', { className: 'inline-field' }, el('span', {}, t(key)), el('input', {
    id, type: 'number', value, min: range[0], max: range[1], onchange: (/** @type {any} */ event) => use(bounded(event.target.value, range)),
    onkeydown: (/** @type {any} */ event) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      // The number is read when the field is left.
      event.target.blur();
      run();
      document.getElementById(id)?.focus({ preventScroll: true });
    },
  }));

  /** Run is here where the set-up, which has it too, is in a sheet; and before the first race. */
  const slot = el('div', { className: 'begin-slot' });
  function drawRun() {
    const status = state();
    const isHere = status !== 'running' && (NARROW.matches || status === null);
    slot.replaceChildren(...(isHere ? [button(t('lab.run'), run, { kind: NARROW.matches ? 'filled' : '', symbol: 'play', id: 'race-begin' })] : []));
  }

  function draw() {
    const { averages, count: boards, seed, rows, cols } = setup();
    const chip = (/** @type {any} */ value, /** @type {string} */ key) => el('button', { type: 'button', className: 'chip', 'aria-pressed': String(averages === value), id: value ? 'race-average' : 'race-one', onclick: () => change({ averages: value }) }, t(key));
    refill(root, el('div', { className: 'chips', role: 'group', 'aria-label': t('lab.race.over') }, chip(false, 'lab.race.one'), chip(true, 'lab.race.many')),
      ...(averages ? [number('race-count', 'lab.average.count', boards, [1, MOST_SCRAMBLES], (n) => change({ count: n })),
        number('race-seed', 'trace.seed', seed, [0, Number.MAX_SAFE_INTEGER], (n) => change({ seed: n })), el('span', { className: 'muted' }, t('lab.average.size', { rows, cols }))] : []), slot, bars());
    drawRun();
  }

  onChange((changed) => { if (among(changed, 'averages', 'count', 'seed', 'rows', 'cols')) draw(); });
  NARROW.addEventListener('change', drawRun);
  onLanguage(draw);
  return { drawRun };
}

/** A whole number within bounds; what it was changed to is said. */
function bounded(/** @type {string} */ text, /** @type {number[]} */ [least, most]) {
  const used = Math.min(most, Math.max(least, Math.round(Number(text)) || 0));
  if (String(used) !== text.trim()) toast(() => t('lab.bounded', { found: text.trim() || '–', least: count(least), most: count(most), used: count(used) }));
  return used;
}
