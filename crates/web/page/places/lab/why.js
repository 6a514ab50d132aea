// Where h comes from: what each heuristic says of the board, tile by tile, beside the true distance.

import { button, el } from '../../js/dom.js';
import { knows, onLanguage, t, whole } from '../../js/i18n.js';
import { isCancelled } from '../../js/port.js';
import { distances, neighbour } from '../../js/rules.js';
import { heuristicText } from '../../trace/identity.js';
import { amount } from '../../trace/numbers.js';
import { engine, isRefused, troubleText } from './engine.js';
import { miniBoard } from './boards.js';
import { HEURISTICS } from './values.js';
import { BOARD, among, boardOf, limits, onChange, problem, setup } from './setup.js';

const GROUP_COLOURS = 6;
const ARROWS = /** @type {Record<string, string>} */ ({ U: '↑', D: '↓', L: '←', R: '→' });
/** Tables of rows and columns are shown for boards up to so many cells. */
const MOST_WALKED = 36;

/** @param {HTMLElement} root */
export function createWhy(root) {
  /** @type {any} */
  let found = null;
  /** @type {Error | null} */
  let error = null;
  let handle = /** @type {any} */ (null);
  let shown = 'manhattan';
  let wanted = false;

  const body = el('div', { className: 'why', id: 'lab-why' });
  root.append(body);

  async function ask() {
    handle?.cancel();
    [found, error] = [null, null];
    draw();
    const mine = engine.examine({ ...problem(), limits: limits() });
    handle = mine;
    try {
      const answer = await mine.promise;
      if (handle === mine) found = answer;
    } catch (trouble) {
      if (handle === mine && (isRefused(trouble) || !isCancelled(trouble))) error = trouble;
    }
    if (handle === mine) draw();
  }

  function draw() {
    if (error) body.replaceChildren(el('p', { className: isRefused(error) ? 'muted' : 'error' }, isRefused(error) ? t('lab.why.unasked') : troubleText(error)), button(t('again'), ask, {}));
    else if (!found) body.replaceChildren(el('p', { className: 'muted' }, t('lab.why.asking')));
    else body.replaceChildren(el('p', { className: 'muted' }, t('lab.why.text')), el('div', { className: 'why-pair' }, picture(), table()));
  }

  /** Why a heuristic does not apply: the engine's word for it, said in the reader's language. @param {string} name */
  function refusal(name) {
    const { code = '', most_cells: n } = found.refusals[name] ?? {};
    if (code === 'wraps') return t(`lab.why.refused.${name}`);
    if (code === 'too-large') return n === undefined ? t('lab.why.refused.table') : t('lab.why.refused.large', { n: whole(n) });
    const limit = code.startsWith('limit-') ? `limit.${code.slice('limit-'.length)}` : '';
    if (limit) return knows(limit) ? t('lab.why.refused.limit', { limit: t(limit) }) : t('lab.why.refused.limits');
    return t(code === 'unsolvable' ? 'lab.why.refused.unsolvable' : 'lab.why.refused.other');
  }

  const known = (/** @type {string} */ name) => found.heuristics[name];

  /** The board with what the chosen heuristic sees on it. */
  function picture() {
    const { tiles, cols } = setup();
    const one = known(shown);
    const { notes, marks } = seen(one);
    const more = shown === 'pattern' && one?.groups ? groupList(one) : shown === 'walking-distance' && one && tiles.length <= MOST_WALKED ? walks() : null;
    return el('figure', { className: 'why-board' }, miniBoard(tiles, cols, { notes, marks, kind: 'huge' }), el('figcaption', {}, one ? explain(one) : t('lab.why.refused', { reason: refusal(shown) }), more));
  }

  /** The corner labels and marks of tiles: only what this heuristic looks at. @param {{ conflicts: any, groups: any }} one */
  function seen(one) {
    const { tiles, cols } = setup();
    const marks = new Map();
    const cellOf = (/** @type {number} */ tile) => tiles.indexOf(tile);
    for (const { tiles: pair } of one?.conflicts ?? []) for (const tile of pair) marks.set(cellOf(tile), 'conflict');
    (one?.groups ?? []).forEach((/** @type {any} */ { tiles: group }, /** @type {number} */ i) => { for (const tile of group) marks.set(cellOf(tile), `group g${i % GROUP_COLOURS}`); });
    const note = one ? noteOf(one, cols) : () => '';
    return { notes: tiles.map((tile, cell) => (tile === 0 ? '' : note(cell))), marks };
  }

  /** The part of a tile that a heuristic looks at. @param {any} one @param {number} cols */
  function noteOf(one, cols) {
    const { tiles, goal } = setup();
    const way = waysHome();
    const perTile = (/** @type {{ [x: string]: number }} */ list) => (/** @type {number} */ cell) => `${amount(list[cell])}${way(cell)}`;
    if (shown === 'walking-distance') return (/** @type {number} */ cell) => { const home = goal.indexOf(tiles[cell]); return `${Math.floor(home / cols) + 1}·${(home % cols) + 1}`; };
    if (shown === 'pattern') return (/** @type {number} */ cell) => letter((one.groups ?? []).findIndex((/** @type {any} */ { tiles: group }) => group.includes(tiles[cell])));
    if (shown === 'misplaced') return (/** @type {number} */ cell) => (one.tiles[cell] ? '1' : '');
    // Conflicts come on top of the Manhattan distance.
    return perTile(one.tiles ?? known('manhattan')?.tiles ?? []);
  }

  const letter = (/** @type {number} */ i) => (i < 0 ? '' : String.fromCharCode(65 + i));

  /** The contribution of each group of a pattern database. @param {any} one */
  const groupList = (one) => el('ul', { className: 'why-groups' }, one.groups.map((/** @type {{ tiles: any, value: number }} */ { tiles: group, value }, /** @type {number} */ i) => el('li', {}, el('b', { className: `group-mark g${i % GROUP_COLOURS}` }, letter(i)), t('lab.why.group', { tiles: [...group].sort((a, b) => a - b).join(' '), n: whole(value) }))));

  /** How many tiles of each row lie in which row now (or column): all that walking distance sees. @param {string} key @param {any} of @param {number} count */
  function walkTable(key, of, count) {
    const { tiles, goal, cols } = setup();
    const lines = Array.from({ length: count }, () => new Array(count).fill(0));
    tiles.forEach((tile, cell) => { if (tile) lines[of(cell, cols)][of(goal.indexOf(tile), cols)] += 1; });
    const head = el('tr', {}, el('th', { scope: 'col' }, t(key)), lines.map((_, i) => el('th', { scope: 'col' }, `→ ${i + 1}`)));
    return el('table', { className: 'walk' }, el('caption', { className: 'unseen' }, t(key)), el('tbody', {}, head, lines.map((line, i) => el('tr', {}, el('th', { scope: 'row' }, String(i + 1)), line.map((n, j) => el('td', { className: n && i !== j ? 'off' : '' }, n ? String(n) : '·'))))));
  }

  const walks = () => el('div', { className: 'walks' }, walkTable('lab.why.rows', (/** @type {number} */ cell, /** @type {number} */ cols) => Math.floor(cell / cols), setup().rows), walkTable('lab.why.cols', (/** @type {number} */ cell, /** @type {number} */ cols) => cell % cols, setup().cols));

  /** Which ways lead home from a cell, as arrows; through an edge, too, where that is shorter. */
  function waysHome() {
    const { tiles, goal } = setup();
    const board = boardOf();
    const far = distances(board);
    return (/** @type {number} */ cell) => {
      const home = goal.indexOf(tiles[cell]);
      const leads = (/** @type {any} */ direction) => { const next = neighbour(board, cell, direction); return next >= 0 && far[next][home] < far[cell][home]; };
      return Object.keys(ARROWS).filter(leads).map((direction) => ARROWS[direction]).join('');
    };
  }

  /** A tile that steps aside for others costs two moves, however many pairs it parts: there may be more pairs than such tiles. @param {number} n @param {number} value @param {number} base */
  const conflictsText = (n, value, base) => t(n ? 'lab.why.conflicts' : 'lab.why.conflicts.none', { n: whole(n), aside: whole((value - base) / 2), base: whole(base), value: whole(value) });

  function explain(/** @type {any} */ one) {
    switch (shown) {
      case 'linear-conflict': return conflictsText(one.conflicts.length, one.value, known('manhattan').value);
      case 'walking-distance': return t('lab.why.walking', { rows: whole(one.rows), cols: whole(one.cols), value: amount(one.value) });
      case 'pattern': return t('lab.why.pattern', { parts: (one.groups ?? []).map((/** @type {{ value: number }} */ { value }) => whole(value)).join(' + '), value: amount(one.value) });
      case 'euclidean': {
        const sum = one.tiles.reduce((/** @type {any} */ total, /** @type {any} */ part) => total + part, 0);
        return t(Number.isInteger(sum) ? 'lab.why.euclidean' : 'lab.why.euclidean.down', { sum: amount(sum), value: amount(one.value) });
      }
      default: return t(`lab.why.${shown}`, { value: amount(one.value) });
    }
  }

  function table() {
    const { distance } = found;
    const most = Math.max(1, distance ?? 0, ...HEURISTICS.map((name) => known(name)?.value ?? 0));
    const bar = (/** @type {number} */ value, /** @type {string} */ kind) => { const fill = el('span', { className: `bar-fill ${kind}` }); fill.style.width = `${(100 * value) / most}%`; return el('div', { className: 'bar-track', 'aria-hidden': 'true' }, fill); };
    const rows = HEURISTICS.map((name) => {
      const one = known(name);
      const chip = el('button', { type: 'button', className: 'chip', 'aria-pressed': String(name === shown), id: `why-${name}`, onclick: () => { shown = name; draw(); document.getElementById(`why-${name}`)?.focus(); } }, heuristicText(name));
      return el('tr', {}, el('th', { scope: 'row' }, chip), el('td', {}, one ? el('b', {}, amount(one.value)) : el('span', { className: 'muted', title: refusal(name) }, t('lab.why.not'))), el('td', { className: 'wide' }, one ? bar(one.value, 'plain') : ''));
    });
    const truth = found.solvable === false ? t('lab.why.nowhere') : distance === null || distance === undefined ? t('lab.why.unknown') : whole(distance);
    rows.push(el('tr', { className: 'truth' }, el('th', { scope: 'row' }, t('lab.why.distance')), el('td', {}, el('b', { id: 'why-distance' }, truth)), el('td', { className: 'wide' }, distance ? bar(distance, 'true') : '')));
    const trouble = found.solvable === false ? el('p', { className: 'error' }, t('lab.unsolvable')) : null;
    return el('div', {}, el('table', { className: 'why-table' }, el('caption', { className: 'unseen' }, t('lab.why')), el('tbody', {}, rows)), trouble);
  }

  onChange((changed) => {
    if (among(changed, ...BOARD)) {
      found = null;
      if (wanted) void ask();
    }
  });
  onLanguage(() => { if (wanted) draw(); });
  return {
    enter() { wanted = true; if (!found) void ask(); },
    leave() { wanted = false; handle?.cancel(); },
    result: () => found,
  };
}
