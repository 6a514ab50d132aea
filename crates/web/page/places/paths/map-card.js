// The choice of a map: one that is built in, one that is made from a seed, an empty one of any size, or a file.

import { button, el, setText } from '../../js/dom.js';
import { between, onLanguage, t } from '../../js/i18n.js';
import { sheet, toast } from '../../js/sheets.js';
import { BUILTIN, builtin } from './builtin.js';
import { openExport } from './exports.js';
import { nameOf } from './figures.js';
import { openFiles } from './files.js';
import { GENERATORS, generate } from './generate.js';
import { openLink } from './links.js';
import { MOST_SIDE, isSame, openMap, resized } from './map.js';
import { hasQueries, openQueries } from './queries.js';
import { on, replaceMap, runNamed, setRuns, state } from './state.js';

const MOST_SEED = 1e6;

/** Takes a built-in map with its rules, and with the contestants that it says something with, unless somebody has chosen others. @param {string} name */
function takeBuiltin(name) {
  const { diagonal, runs: usual } = /** @type {any} */ (BUILTIN)[name];
  const [before, runs] = [state.runs, usual.map(runNamed)];
  if (state.own) {
    replaceMap(builtin(name), { diagonal });
    toast(() => t('paths.runs.kept'), { label: () => t('paths.runs.take'), run: () => setRuns(runs, false) });
    return;
  }
  replaceMap(builtin(name), { diagonal, runs });
  const names = (/** @type {{ algorithm: any, heuristic: any, weight: any }[]} */ list) => list.map(nameOf).join(t('trace.list'));
  if (names(before) !== names(runs)) toast(() => t('paths.runs.with', { names: names(runs) }), { label: () => t('paths.runs.before'), run: () => setRuns(before) });
}

const sizeNow = () => (state.map.kind === 'cells' && state.map.cells.length >= 400 ? [state.map.rows, state.map.cols] : [32, 48]);

/**
 * Makes a map of a kind, as large as the one that is there, from a new seed.
 * @param {string} kind
 * @param {number} [seed]
 * @param {number[]} [size]
 * @param {number} [density]
 */
export function make(kind, seed = Math.floor(Math.random() * MOST_SEED), [rows, cols] = sizeNow(), density) {
  replaceMap(generate(kind, rows, cols, seed, density));
}

/** The built-in map that the one on the page is, or was before somebody painted on it. */
const builtinNow = () => (state.map.origin?.startsWith('map:') ? state.map.origin.slice(4) : '');

export function mapCard() {
  const kinds = el('div', { className: 'choices', role: 'group', 'aria-labelledby': 'paths-map-head' });
  const list = el('select', { id: 'paths-builtin', onchange: () => { if (list.value) takeBuiltin(list.value); } });
  const facts = el('p', { className: 'muted', id: 'paths-facts' });
  const acts = el('div', { className: 'choices' });
  const card = el('section', { className: 'card', id: 'paths-map' }, el('h2', { id: 'paths-map-head', 'data-t': 'paths.map' }), list, kinds, facts, acts);

  let changed = false;
  let listed = false;
  function draw() {
    kinds.replaceChildren(...Object.keys(GENERATORS).map((kind) => button(t(`paths.gen.${kind}`), () => make(kind), { kind: 'slim', id: `paths-gen-${kind}` })), button(t('paths.more'), openMaker, { kind: 'slim', id: 'paths-maker' }));
    list.setAttribute('aria-label', t('paths.builtin'));
    const now = builtinNow();
    // A painted map is another one, so the original can be chosen again.
    changed = now !== '' && !isSame(builtin(now), state.map);
    const first = changed ? t('paths.builtin.changed', { name: t(`paths.map.${now}`) }) : t('paths.builtin');
    list.replaceChildren(new Option(first, '', false, !now || changed), ...Object.keys(BUILTIN).map((name) => new Option(t(`paths.map.${name}`), name, false, name === now && !changed)));
    listed = hasQueries();
    acts.replaceChildren(button(t('paths.load'), openFiles, { kind: 'slim', symbol: 'load', id: 'paths-files' }), button(t('paths.export'), openExport, { kind: 'slim', symbol: 'out', id: 'paths-export' }), button(t('share.link'), openLink, { kind: 'slim', symbol: 'share', id: 'paths-link' }), ...(listed ? [button(t('paths.queries'), openQueries, { kind: 'slim', symbol: 'file', id: 'paths-queries' })] : []));
    setText(facts, factsText());
  }
  on(['map', 'queries'], draw);
  on(['ground', 'ends'], () => { const now = builtinNow(); if (listed !== hasQueries() || (now && changed === isSame(builtin(now), state.map))) draw(); });
  onLanguage(draw);
  return card;
}

/** The size of a map, and the seed it was made from. */
function factsText() {
  const { map } = state;
  if (map.kind === 'graph') return t('paths.facts.graph', { nodes: map.names.length, edges: map.edges.length });
  const [kind, , seed] = (map.origin ?? '').split(':');
  const size = t('paths.facts', { rows: map.rows, cols: map.cols });
  return Object.hasOwn(GENERATORS, kind) ? `${size} · ${t(`paths.gen.${kind}`)} · ${t('trace.seed')} ${seed}` : size;
}

/** The sheet in which a map of any kind, size and seed is made. */
function openMaker() {
  const [rows, cols] = sizeNow();
  const number = (/** @type {string} */ id, /** @type {number} */ value, /** @type {number} */ most) => el('input', { type: 'number', id: `paths-${id}`, min: 1, max: most, value, required: true, inputMode: 'numeric' });
  const [high, wide] = [number('rows', rows, MOST_SIDE), number('cols', cols, MOST_SIDE)];
  const [, , seedNow] = (state.map.origin ?? '').split(':');
  const seed = el('input', { type: 'number', id: 'paths-seed', min: 0, max: 2 ** 31 - 1, value: seedNow ?? Math.floor(Math.random() * MOST_SEED), required: true });
  const density = el('input', { type: 'number', id: 'paths-density', min: 0, max: 90, value: 20, required: true });
  const kind = el('select', { id: 'paths-kind' }, ['open', 'keep', ...Object.keys(GENERATORS)].filter((name) => name !== 'keep' || state.map.kind === 'cells').map((name) => new Option(t(`paths.gen.${name}`), name)));
  const field = (/** @type {string} */ key, /** @type {number} */ node) => el('label', { className: 'paths-field' }, el('span', {}, t(key)), node);
  const dense = field('paths.density', density);
  const seeded = field('trace.seed', seed);
  const alike = el('span', {}, t('paths.maker.alike'));
  const sort = () => {
    dense.hidden = !/** @type {any} */ (GENERATORS)[kind.value];
    seeded.hidden = alike.hidden = !Object.hasOwn(GENERATORS, kind.value);
    if (/** @type {any} */ (GENERATORS)[kind.value]) density.value = String(/** @type {any} */ (GENERATORS)[kind.value]);
  };
  kind.addEventListener('change', sort);
  const form = el('form', { className: 'sheet-body', onsubmit: (/** @type {any} */ event) => { event.preventDefault(); dialog.close(); use(); } },
    field('paths.kind', kind), el('div', { className: 'fields' }, field('size.rows', high), field('size.cols', wide), seeded, dense),
    el('p', { className: 'muted' }, t('paths.maker.help', { most: MOST_SIDE }), between(), alike),
    el('div', { className: 'actions' }, el('button', { type: 'submit', className: 'button filled', id: 'paths-make' }, t('paths.make'))));
  const use = () => {
    const size = /** @type {[number, number]} */ ([Number(high.value), Number(wide.value)]);
    if (kind.value === 'open') replaceMap(openMap(...size));
    else if (kind.value === 'keep') replaceMap(resized(state.map, ...size));
    else make(kind.value, Number(seed.value), size, /** @type {any} */ (GENERATORS)[kind.value] ? Number(density.value) : undefined);
  };
  const dialog = sheet(t('paths.maker'), form);
  sort();
}
