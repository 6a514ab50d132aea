// One sentence about the event at a position of a recorded search.

import { knows, t, whole } from '../js/i18n.js';
import { amount } from './numbers.js';
import { countsSteps, familyOf, measuresOf } from './order.js';
import { textOf } from './pseudocode.js';
import { CHEAPER, CUT, DEAD_END, EXPANDED, ITERATION, KNOWN, NEW, NOBODY, REOPENED, TOO_DEAR } from './recording.js';

const PARTS = /** @type {Record<string, string>} */ ({ [NEW]: 'new', [KNOWN]: 'known', [CHEAPER]: 'cheaper', [REOPENED]: 'reopened', [CUT]: 'cut', [DEAD_END]: 'dead', [TOO_DEAR]: 'dear' });

/** The variants of sentences, by the pseudocode that a search follows. @type {Record<string, string>} */
const VOICES = { 'bfs-tree': 'queue', bidirectional: 'both', dfs: 'dive', 'dfs-tree': 'blind', iddfs: 'blind', ida: 'blind', 'ida-table': 'table', jps: 'jump', 'astar-pruned': 'range' };
/** Depth-first searches with a single bound. */
const ONCE = new Set(['dfs', 'dfs-tree']);

/** The key of a sentence as this search would say it: its own, its family's or everybody's. @param {import('./recording.js').Recording} rec @param {string} key */
export function voiced(rec, key) {
  const own = `${key}.${VOICES[textOf(rec.answer?.algorithm, rec.place.kind)]}`;
  const kin = `${key}.${familyOf(rec)}`;
  return knows(own) ? own : knows(kin) ? kin : key;
}

/** A node's f, as a sum. @param {import('./recording.js').Recording} rec @param {number} g @param {number} h */
export function sumText(rec, g, h) {
  const weight = rec.answer?.weight;
  const measures = measuresOf(rec);
  if (!measures.includes('h')) return t(countsSteps(rec) ? 'trace.depth' : 'trace.gOnly', { g: amount(g) });
  if (!measures.includes('f')) return t('trace.hOnly', { h: amount(h) });
  if (weight && weight !== 1) return t('trace.fWeighted', { g: amount(g), h: amount(h), weight });
  return t('trace.f', { g: amount(g), h: amount(h) });
}

/** A node's status in a word: depth-first searches have no open and closed lists, and some keep only their path. @param {string} name @param {{ depthFirst: boolean, forgets: boolean }} rec */
export function statusText(name, { depthFirst, forgets }) {
  const key = `trace.status.${name}`;
  return t([forgets && `${key}.path`, depthFirst && `${key}.deep`].find((own) => own && knows(own)) || key);
}

/** A board in words: its rows. @param {string | any[]} tiles @param {number} cols */
export function boardText(tiles, cols) {
  const rows = [];
  for (let at = 0; at < tiles.length; at += cols) rows.push(Array.from(tiles.slice(at, at + cols), (tile) => (tile === 0 ? '_' : tile)).join(' '));
  return rows.join(' / ');
}

/** A cell in words: its row and column, counted from 1 as on every board of the site. @param {number} cell @param {number} cols */
export const cellText = (cell, cols) => t('trace.cell', { row: Math.floor(cell / cols) + 1, col: (cell % cols) + 1 });

/** The name of a node: its board, its cell or its name in the graph. @param {import('./recording.js').Recording} rec @param {number} n */
export function nodeName(rec, n) {
  const { place } = rec;
  if (place.kind === 'tiles') return boardText(rec.state(n), place.cols);
  if (place.kind === 'graph') return place.names[rec.state(n)];
  return cellText(rec.state(n), place.cols);
}

/**
 * The sentence at a position.
 * @param {import('./recording.js').Recording} rec
 * @param {number} k
 */
export const sentence = (rec, k) => closed(told(rec, k));

/** Sentences one after the other, without the gaps that Chinese ones do not have: before a cell that they name, and before the next one. @param {string} text */
export const closed = (text) => text.replace(NEEDLESS, '');
const NEEDLESS = /(?<=[\u3001-\u303f\uff01-\uffee]) |(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff])/g;

function told(/** @type {import('./recording.js').Recording} */ rec, /** @type {number} */ k) {
  if (k <= 0) return rec.failed && !rec.length ? t('trace.say.atOnce', { verdict: verdict(rec) }) : t(voiced(rec, 'trace.say.begin'));
  const i = k - 1;
  const said = meets(rec, k) ? t('trace.say.meet', values(rec, i)) : rec.what[i] === EXPANDED ? expansion(rec, i) : rec.what[i] === ITERATION ? level(rec, i) : production(rec, i);
  if (k < rec.length) return said;
  // A dive into what was generated last is promised, and a limit comes before it.
  return `${said} ${rec.cut ? t('trace.say.endCut', { count: whole(rec.length) }) : t(rec.depthFirst && rec.what[i] === NEW ? 'trace.say.endBefore' : 'trace.say.end', { verdict: verdict(rec) })}`;
}

/** Whether two trees meet with the last event. @param {import('./recording.js').Recording} rec @param {number} k */
const meets = (rec, k) => rec.answer.algorithm === 'bidirectional' && k === rec.goalEvent && rec.what[k - 1] !== EXPANDED;

function values(/** @type {import('./recording.js').Recording} */ rec, /** @type {number} */ i) {
  const n = rec.node[i];
  const side = rec.backward[n] ? t('trace.say.back') : '';
  return { state: nodeName(rec, n) + side, end: t(`trace.list.${rec.backward[n] ? 'behind' : 'ahead'}`), f: sumText(rec, rec.paid[i], rec.left[i]), g: amount(rec.paid[i]), h: amount(rec.left[i]) };
}

function expansion(/** @type {import('./recording.js').Recording} */ rec, /** @type {number} */ i) {
  const known = values(rec, i);
  if (i + 1 === rec.goalEvent) return t(goalKey(rec), known);
  return t(rec.depthFirst && rec.parent[i] === NOBODY ? 'trace.say.expand.root' : voiced(rec, 'trace.say.expand'), { ...known, n: whole(rec.expansionsAt(i + 1)), successors: successorsText(rec, i) });
}

/** A goal is so many moves away, or on a map at a cost; a search that sees no costs there counts steps. @param {import('./recording.js').Recording} rec */
function goalKey(rec) {
  if (rec.place.kind === 'tiles') return 'trace.say.goal';
  return countsSteps(rec) ? 'trace.say.goal.steps' : 'trace.say.goal.map';
}

/** The events of an expansion: what it generates before the next one. A depth-first search comes back to a state later. @param {import('./recording.js').Recording} rec @param {number} i */
export const productionsOf = (rec, i) => generatedBy(rec, i).made;

/** The events that an expansion generates, and whether the recording ends before the last of them. @param {import('./recording.js').Recording} rec @param {number} i */
function generatedBy(rec, i) {
  const made = [];
  // The ancestors of the expansion that an event belongs to; another state that hangs from one of them ends this one.
  const below = new Set([rec.node[i]]);
  for (let at = i + 1; at < rec.length; at += 1) {
    const isExpansion = rec.what[at] === EXPANDED;
    if (rec.what[at] === ITERATION || (isExpansion && (!rec.depthFirst || !below.has(rec.parent[at])))) return { made, isWhole: true };
    if (isExpansion) below.add(rec.node[at]);
    else if (rec.parent[at] === rec.node[i]) made.push(at);
    else if (!below.has(rec.parent[at])) return { made, isWhole: true };
  }
  return { made, isWhole: !rec.cut };
}

function successorsText(/** @type {import('./recording.js').Recording} */ rec, /** @type {number} */ i) {
  const tally = new Map();
  const { made, isWhole } = generatedBy(rec, i);
  for (const at of made) tally.set(rec.what[at], (tally.get(rec.what[at]) ?? 0) + 1);
  const parts = Object.keys(PARTS).map(Number).filter((what) => tally.has(what)).map((what) => t(voiced(rec, `trace.say.part.${PARTS[what]}`), { n: tally.get(what) }));
  const list = parts.join(t('trace.list'));
  if (!isWhole) return list ? t('trace.say.successors.cut', { list }) : t('trace.say.none.cut');
  return list ? t(voiced(rec, 'trace.say.successors'), { list }) : t('trace.say.none');
}

/** The key of a sentence as it is said of a map, whose solutions are paths. */
const onMap = (/** @type {{ place: any }} */ { place }, /** @type {string} */ key) => (place.kind !== 'tiles' && knows(`${key}.map`) ? `${key}.map` : key);

/** A bound: how far a dive goes, and whether it is the first one; or what is known of every solution. @param {import('./recording.js').Recording} rec @param {number} i */
function level(rec, i) {
  const bound = amount(rec.paid[i]);
  if (familyOf(rec) !== 'depth') return t(onMap(rec, voiced(rec, 'trace.say.level')), { bound });
  const which = ONCE.has(rec.answer.algorithm) ? 'once' : rec.levels[0] === i + 1 ? 'first' : 'again';
  return t(`trace.say.level.${which}`, { bound: t(measuresOf(rec).includes('f') ? 'trace.bound.f' : 'trace.bound.depth', { bound }) });
}

const production = (/** @type {import('./recording.js').Recording} */ rec, /** @type {number} */ i) => t(voiced(rec, `trace.say.${PARTS[rec.what[i]]}`), rec.node[i] === NOBODY ? {} : values(rec, i));

/** The verdict in words. @param {import('./recording.js').Recording} rec */
export function verdict(rec) {
  const { answer, place, cost } = rec;
  if (answer.status === 'solved' || answer.status === 'found') return place.kind === 'tiles' ? t('trace.verdict.solved', { count: answer.length }) : t('trace.verdict.path', { cost: amount(cost) });
  return t(answer.reason === 'depth' ? 'trace.verdict.depth' : answer.status === 'limit' ? 'trace.verdict.limit' : onMap(rec, 'trace.verdict.none'));
}
