// The room that maps have: they lie in as many columns as show them largest, and what figures may come to need under a map
// is kept free for them, so that it does not move when they change while something is dragged or a search goes on.

import { el } from '../../js/dom.js';
import { engineAddress } from '../../js/host.js';
import { USUAL_WEIGHT, algorithmText } from '../../trace/identity.js';
import { ALGORITHMS, Refusal, refusalOf, usesHeuristic, usualHeuristic } from './ask.js';
import { figuresOf, looseness, verdictOf } from './figures.js';
import { isSmall } from './runner.js';
import { state } from './state.js';

/** The time that takes the most room: a worker's clock is coarse, and below its step a time is said in words. */
const LONGEST_SECONDS = engineAddress ? 0 : 999e-6;

/** Keeps as much room above and under a map as what is said of its contestant may need. @param {{ root: HTMLElement, header: HTMLElement, figures: HTMLElement }} pane */
export function keepRoom({ root, header, figures }, /** @type {any} */ run) {
  // A hidden element has no width; it is measured once it is shown.
  if (!figures.offsetWidth) return;
  const { verdicts, written } = possible(run);
  const headers = verdicts.map((parts) => {
    const title = /** @type {HTMLElement} */ (header.cloneNode(true));
    title.style.minHeight = '';
    title.querySelector('.run-verdict')?.replaceChildren(...parts);
    return title;
  });
  const lines = written.map((parts) => el('div', { className: 'run-figures' }, ...parts));
  const probes = [...probesOf(header, headers), ...probesOf(figures, lines)];
  // All are measured at once: each time that something is measured after a change, the whole page is laid out.
  root.append(...probes);
  const [highest, tallest] = [headers, lines].map((some) => Math.max(0, ...some.map((probe) => Math.ceil(probe.getBoundingClientRect().height))));
  for (const probe of probes) probe.remove();
  header.style.minHeight = `${highest}px`;
  figures.style.minHeight = `${tallest}px`;
}

/** Elements as wide as a part of a pane, which nobody sees. @param {HTMLElement} part @param {HTMLElement[]} elements */
function probesOf(part, elements) {
  const width = `${part.clientWidth}px`;
  for (const element of elements) {
    element.classList.add('probe');
    element.setAttribute('aria-hidden', 'true');
    element.style.width = width;
  }
  return elements;
}

/** The longest figures of a contestant on this map. @param {{ weight?: any, algorithm: any, heuristic: any }} run */
function possible(run) {
  const { map } = state;
  const size = map.kind === 'graph' ? map.edges.length + map.names.length : map.cells.length;
  const name = (/** @type {string} */ algorithm) => algorithmText(algorithm);
  const longest = ALGORITHMS.reduce((one, other) => (name(other).length > name(one).length ? other : one));
  const answer = {
    status: 'found', cost: size + 0.99, expanded: size, generated: 8 * size, seconds: LONGEST_SECONDS, optimal: true, ...(run.algorithm === 'jps' || run.algorithm === 'auto' ? { scanned: size } : {}), weight: run.weight || USUAL_WEIGHT,
    algorithm: run.algorithm === 'auto' ? longest : run.algorithm, heuristic: usesHeuristic(run.algorithm) ? run.heuristic || usualHeuristic() : 'none',
  };
  const unproved = { ...answer, optimal: false };
  /** @type {[any, number | null][]} */
  const entries = [[answer, null], [{ ...answer, status: 'unreachable' }, null], [{ ...answer, status: 'limit' }, null]];
  // Also before it is known what the cheapest path costs, and where that is as much, or a tenth.
  if (looseness({ answer: unproved, run })) entries.push([unproved, null], [unproved, unproved.cost], [unproved, unproved.cost / 10]);
  // Large maps: how far the recording is, and that it is not all of it.
  const whiles = isSmall() ? [{}] : [{ progress: { expanded: size } }, { search: { rec: { cut: true, length: size }, cursor: { k: size } } }];
  const found = whiles.flatMap((more) => entries.map(([one, cheapest]) => figuresOf({ run, answer: one, ...more }, { cheapest, errorText: String })));
  const refusal = map.kind === 'cells' && run.algorithm === 'jps' ? new Refusal('paths.jps.costs') : refusalOf(run);
  found.push(...[null, 'paths.asking'].map((stale) => figuresOf({ run }, { cheapest: null, errorText: String, stale })));
  if (refusal) found.push(figuresOf({ run, error: refusal }, { cheapest: null, errorText: String }));
  const verdicts = [...entries.map(([one, cheapest]) => verdictOf({ answer: one }, { cheapest })), ...['paths.asking', 'paths.unasked'].map((stale) => verdictOf({}, { cheapest: null, stale }))];
  return { verdicts, written: found };
}

const GAP = 10;
/** Around a map: its frame to the left and right; above and below it its name and figures, which take more lines where they are narrow. */
const SIDES = 24;
const ABOUT = 118;
const NARROW = { width: 260, about: 170 };

/**
 * The number of columns in which so many maps of one shape are shown largest, in a room of so many pixels.
 * @param {number} count
 * @param {{ width: number, height: number }} shape
 * @param {{ width: number, height: number }} room
 */
export function columnsFor(count, shape, room) {
  let best = { columns: 1, scale: 0 };
  for (let columns = 1; columns <= count; columns += 1) {
    const lines = Math.ceil(count / columns);
    const width = (room.width - GAP * (columns - 1)) / columns - SIDES;
    const height = (room.height - GAP * (lines - 1)) / lines - (width < NARROW.width ? NARROW.about : ABOUT);
    const scale = Math.min(width / shape.width, height / shape.height);
    if (scale > best.scale) best = { columns, scale };
  }
  return best.columns;
}
