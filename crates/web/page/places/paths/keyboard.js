// A map by keyboard: arrows move a mark from place to place, Enter does what the brush does, letters choose brushes.
// Each place is said in words.

import { pref } from '../../js/prefs.js';
import { t } from '../../js/i18n.js';
import { announce } from '../../js/sheets.js';
import { DROPPED } from '../../trace/cursor.js';
import { amount } from '../../trace/numbers.js';
import { countsSteps, measuresOf, rankOf } from '../../trace/order.js';
import { cellText, statusText, sumText } from '../../trace/sentence.js';
import { GROUNDS, OPEN, WALL, costOf } from './map.js';
import { rank } from './search-layer.js';
import { setBrush, state } from './state.js';

/** Words for the statuses of nodes. */
const STATES = ['', 'open', 'closed', 'current', 'dropped', 'forgotten'];
const ARROWS = /** @type {Record<string, number[]>} */ ({ ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] });

/** The content of a cell or node, in words. @param {number} place @param {any} entry */
export function placeText(place, entry) {
  const { map } = state;
  const parts = [map.kind === 'graph' ? map.names[place] : cellText(place, map.cols)];
  if (place === map.start) parts.push(t('paths.brush.start'));
  if (map.goals.includes(place)) parts.push(t('paths.brush.goal'));
  if (map.kind === 'cells') parts.push(groundText(map.cells[place]));
  if (entry?.path?.includes(place)) parts.push(t('paths.onPath'));
  const said = entry?.search && nodeText(entry.search, place);
  if (said) parts.push(said);
  return parts.join(t('trace.list'));
}

const groundText = (/** @type {number} */ ground) => (ground === WALL ? t('paths.ground.wall') : ground <= 9 ? t('paths.ground.cost', { cost: costOf(ground) }) : t(`paths.ground.${ground}`));

function nodeText(/** @type {{ rec: import('../../trace/recording.js').Recording, cursor: import('../../trace/recording.js').Cursor }} */ { rec, cursor }, /** @type {number} */ place) {
  let node = -1;
  // The one that is drawn there.
  for (let one = 0; one < rec.nodes; one += 1) if (rec.states[one] === place && rank(cursor.status(one)) && (node < 0 || rank(cursor.status(one)) > rank(cursor.status(node)) || (rec.depthFirst && rank(cursor.status(one)) === rank(cursor.status(node))))) node = one;
  if (node < 0) return null;
  const status = statusText(STATES[cursor.status(node)], rec);
  return cursor.status(node) < DROPPED ? status + t('trace.list') + measuresText(rec, cursor.g(node), cursor.h(node)) : status;
}

/** The numbers that mean something to the search. @param {import('../../trace/recording.js').Recording} rec @param {number} g @param {number} h */
function measuresText(rec, g, h) {
  const values = { g, h, f: rankOf(rec)(g, h) };
  if (countsSteps(rec)) return sumText(rec, g, h);
  return measuresOf(rec).map((name) => `${name} ${amount(values[name])}`).join(t('trace.list'));
}

/** @param {any} pane @param {{ scene: () => any, view: any, scaleView: (by: -1 | 0 | 1) => void, entry: () => any, putAt: (place: number) => void }} around */
export function createKeyboard(pane, { scene, view, scaleView, entry, putAt }) {
  let place = -1;

  function go(/** @type {number} */ next) {
    place = next;
    pane.setCursor(place);
    view.reveal(...scene().centre(place));
    announce(placeText(place, entry()));
  }

  function put(brush = state.brush) {
    const kept = state.brush;
    if (brush !== kept) setBrush(brush);
    putAt(place);
    if (brush !== kept) setBrush(kept);
    announce(t('paths.say.put', { place: placeText(place, entry()) }));
  }

  function arrow(/** @type {any} */ event) {
    const before = place;
    go(scene().beside(place, ...ARROWS[event.key]));
    if (event.shiftKey && place !== before && typeof state.brush === 'number') put();
  }

  /** The brush that a letter or digit stands for; undefined for none. @param {string} sign */
  function brushOf(sign) {
    const grounds = /** @type {any} */ (GROUNDS)[state.map.format] ?? [];
    if (/^[1-9]$/.test(sign)) return grounds.includes(Number(sign)) ? Number(sign) : grounds[Number(sign)];
    return { w: grounds.length ? WALL : undefined, e: grounds.length ? OPEN : undefined, s: 'start', g: 'goal' }[sign];
  }

  function key(/** @type {any} */ event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (place < 0 || place >= scene().places) place = Math.max(0, state.map.start);
    const letter = event.key.toLowerCase();
    const taken = event.key in ARROWS ? () => arrow(event)
      : event.key === 'Enter' ? () => put()
        : event.key === 'Delete' || event.key === 'Backspace' ? () => state.map.kind === 'cells' && put(OPEN)
          : event.key === '+' || event.key === '=' ? () => scaleView(1)
            : event.key === '-' ? () => scaleView(-1)
              : letter === '0' ? () => scaleView(0)
                : pref('letters') && brushOf(letter) !== undefined ? () => { setBrush(brushOf(letter)); announce(t('paths.say.brush', { brush: brushText(state.brush) })); }
                  : null;
    if (!taken) return;
    event.preventDefault();
    event.stopPropagation();
    taken();
  }

  pane.stage.addEventListener('keydown', key);
  pane.stage.addEventListener('focus', () => {
    if (!pane.stage.matches(':focus-visible')) return;
    if (place < 0 || place >= scene().places) place = Math.max(0, state.map.start);
    pane.setCursor(place);
  });
  pane.stage.addEventListener('blur', () => pane.setCursor(-1));
}

export const brushText = (/** @type {string | number} */ brush) => (typeof brush === 'number' ? groundText(brush) : t(`paths.brush.${brush}`));
