// The whole set-up as a link: the base that a map was made from and what was painted over it, where the ends are, how
// one moves and who searches. A large map costs no more than what differs from its base.

import { el } from '../../js/dom.js';
import { pathOf } from '../../js/host.js';
import { t } from '../../js/i18n.js';
import { linkParts } from '../../js/share.js';
import { sheet, toast } from '../../js/sheets.js';
import { fieldsOf, fragmentOf, pack, unpack } from '../../trace/link.js';
import { MOST_WEIGHT } from '../../trace/identity.js';
import { ALGORITHMS, HEURISTICS, isWeight } from './ask.js';
import { BUILTIN, builtin } from './builtin.js';
import { demandGoals, read } from './formats.js';
import { regenerate } from './generate.js';
import { GROUNDS, MOST_SIDE, MapError, isBlocked, openMap } from './map.js';
import { MOST_RUNS, on, replaceMap, runNamed, runOf, setShow, state } from './state.js';

const MOST_LETTERS = 16000;
const RULES = ['never', 'always', 'no-squeeze', 'no-corners'];

/** The map that an origin stands for, made anew. @returns {any} @param {string} origin @param {string} format */
function baseOf(origin, format) {
  const [kind, name] = origin.split(':');
  if (kind === 'map') return Object.hasOwn(BUILTIN, name) ? builtin(name) : unknown(name, Object.keys(BUILTIN));
  const [rows, cols] = (name ?? '').split('x').map(Number);
  if (![rows, cols].every((side) => Number.isInteger(side) && side >= 1 && side <= MOST_SIDE)) return null;
  return kind === 'open' ? openMap(rows, cols, format) : regenerate(origin);
}

/** A link that names what is not there. @returns {never} @param {string} found @param {any} expected */
function unknown(found, expected) {
  throw new MapError('paths.bad.unknown', { found: found ?? '', expected: expected.join(' ') });
}

/** The differences of two lists of cells as runs: cells skipped, cells alike, and their value. @param {any} before @param {any} after */
function differences(before, after) {
  const parts = [];
  let last = 0;
  for (let at = 0; at < after.length; at += 1) {
    if (before[at] === after[at]) continue;
    const from = at;
    while (at + 1 < after.length && after[at + 1] === after[from] && before[at + 1] !== after[at + 1]) at += 1;
    parts.push(`${from - last}.${at - from + 1}.${after[from]}`);
    last = at + 1;
  }
  return parts.join(' ');
}

function apply(/** @type {string} */ text, /** @type {any[]} */ cells, /** @type {number[]} */ allowed) {
  let at = 0;
  for (const part of text.split(' ').filter(Boolean)) {
    const [skip, count, ground] = part.split('.').map(Number);
    const from = at + skip;
    at = from + count;
    if (!(skip >= 0 && count > 0 && at <= cells.length && allowed.includes(ground))) throw new RangeError('a link that is broken');
    cells.fill(ground, from, at);
  }
}

/** The cells painted over a map's base, packed; cached until the next stroke. @type {{ map: any, packed: Promise<string | undefined> }} */
let over = { map: null, packed: Promise.resolve(undefined) };
on(['map', 'ground'], () => { over.map = null; });

/** The ground that a map was made from: to make it anew takes a moment where it is large. */
let bare = { origin: '', cells: new Uint8Array() };

/** The cells painted over a map's base, packed; empty if there are none. @param {{ format: any, cells: any }} map */
async function paintedOver(map) {
  const origin = originOf(map);
  if (bare.origin !== origin) bare = { origin, cells: baseOf(origin, map.format).cells };
  const painted = differences(bare.cells, map.cells);
  return painted ? pack(painted) : undefined;
}

const originOf = (/** @type {any} */ map) => map.origin ?? `open:${map.rows}x${map.cols}`;

export async function fragment() {
  const { map, diagonal, runs, show } = state;
  const rules = { w: diagonal, a: runs.map(({ algorithm, heuristic, weight }) => [algorithm, heuristic, weight.replace('.', '_')].join('-').replace(/-+$/, '')), o: ['distances', 'flow'].filter((name) => /** @type {any} */ (show)[name]), s: map.start, g: map.goals };
  if (map.kind === 'graph') return fragmentOf({ ...(map.origin ? { map: map.origin } : { map: 'graph', t: await pack(map.text) }), d: map.directed ? 1 : undefined, ...rules });
  if (over.map !== map) over = { map, packed: paintedOver(map) };
  return fragmentOf({ map: originOf(map), f: map.format === 'terrain' ? undefined : map.format, t: await over.packed, ...rules });
}

/** Shows the link; a map that is too large for one is better saved as a file. */
export async function openLink() {
  const made = await fragment();
  if (made.length > MOST_LETTERS) { toast(() => t('paths.link.long')); return; }
  const { field, here, acts } = linkParts(new URL(`${pathOf('paths')}${made}`, location.href).href);
  sheet(t('share.link'), [el('p', {}, t('paths.link.text')), field, here, acts]);
}

/** Whether a fragment carries a set-up. @param {string} text */
export const carriesSetup = (text) => fieldsOf(text).has('map');

/** Puts the set-up of a fragment in place; says what is wrong with it. Resolves to whether it is shown now. @param {string} text */
export async function openFragment(text) {
  const found = fieldsOf(text);
  try {
    const map = await mapIn(found);
    const runs = found.list('a').map(runIn).slice(0, MOST_RUNS);
    const diagonal = found.text('w', state.diagonal);
    if (!RULES.includes(diagonal)) unknown(diagonal, RULES);
    setShow({ distances: found.list('o').includes('distances'), flow: found.list('o').includes('flow') });
    replaceMap(map, { diagonal, runs: runs.length ? runs : state.runs, own: state.own || (runs.length > 0 && !areUsual(runs)) });
    return true;
  } catch (error) {
    if (!(error instanceof RangeError) && !(error instanceof MapError)) throw error;
    toast(() => (error instanceof MapError ? t('paths.link.because', { error: t(error.key, error.values) }) : t('paths.link.bad')));
    return false;
  }
}

async function mapIn(/** @type {any} */ found) {
  const origin = found.text('map');
  const format = found.text('f', 'terrain');
  if (!Object.hasOwn(GROUNDS, format)) unknown(format, Object.keys(GROUNDS));
  const base = origin === 'graph' ? read(await unpack(found.text('t')), { format: 'graph' }) : baseOf(origin, format);
  if (!base) throw new RangeError(`found ${origin}`);
  if (base.kind === 'cells' && found.has('t')) apply(await unpack(found.text('t')), base.cells, /** @type {any} */ (GROUNDS)[base.format]);
  if (base.kind === 'graph') base.directed = found.text('d') === '1';
  const places = base.kind === 'graph' ? base.names.length : base.cells.length;
  const stands = (/** @type {number} */ place) => Number.isInteger(place) && place >= 0 && place < places && !(base.kind === 'cells' && isBlocked(base.cells[place]));
  // A link that says nothing of the ends means those of its map.
  const [start, goals] = [found.number('s', base.start), [...new Set(found.has('g') ? found.numbers('g') : base.goals)].filter(stands)];
  demandGoals(goals);
  return { ...base, start: stands(start) ? start : -1, goals };
}

/** A contestant of a link. @param {string} text */
function runIn(text) {
  const [algorithm, heuristic = '', weight = ''] = text.split('-');
  if (!ALGORITHMS.includes(algorithm)) unknown(algorithm, ALGORITHMS);
  if (heuristic && !HEURISTICS.includes(heuristic)) unknown(heuristic, HEURISTICS);
  const factor = weight.replace('_', '.');
  if (factor && !isWeight(factor)) throw new MapError('paths.bad.weight', { found: factor, most: MOST_WEIGHT });
  return runOf(algorithm, heuristic, factor);
}

/** Whether these contestants came with some map, so that the user has not chosen them. @param {any} runs */
function areUsual(runs) {
  const names = (/** @type {{ algorithm: any, heuristic: any, weight: any }[]} */ list) => list.map(({ algorithm, heuristic, weight }) => [algorithm, heuristic, weight]).join(' ');
  return Object.values(BUILTIN).some((one) => names(one.runs.map(runNamed)) === names(runs));
}
