// The room that figures may come to need under a map is kept free for them: the map does not move when they change while
// something is dragged or a search goes on.

import { el } from '../../js/dom.js';
import { t } from '../../js/i18n.js';
import { ALGORITHMS, Refusal, refusalOf, usesHeuristic } from './ask.js';
import { figuresOf, looseness } from './figures.js';
import { isSmall } from './runner.js';
import { state } from './state.js';

/** Keeps as much room under a map as its contestant's figures may need. @param {{ root: HTMLElement, figures: HTMLElement }} pane */
export function keepRoom({ root, figures }, run) {
  // What is not on the screen has no width; it gets its room when it is.
  if (!figures.offsetWidth) return;
  const probe = el('div', { className: 'run-figures probe', 'aria-hidden': 'true' });
  probe.style.width = `${figures.offsetWidth}px`;
  root.append(probe);
  let most = 0;
  for (const parts of possibleFigures(run)) {
    probe.replaceChildren(...parts);
    most = Math.max(most, Math.ceil(probe.getBoundingClientRect().height));
  }
  probe.remove();
  figures.style.minHeight = `${most}px`;
}

/** What may come to stand there for a contestant, with numbers as long as they get on this map. */
function possibleFigures(run) {
  const { map } = state;
  const size = map.kind === 'graph' ? map.edges.length + map.names.length : map.cells.length;
  const name = (algorithm) => t(`paths.alg.${algorithm}`);
  const longest = ALGORITHMS.reduce((one, other) => (name(other).length > name(one).length ? other : one));
  const answer = {
    status: 'found', cost: size + 0.99, expanded: size, generated: 8 * size, seconds: 999e-6, optimal: true, weight: run.weight,
    algorithm: run.algorithm === 'auto' ? longest : run.algorithm, heuristic: usesHeuristic(run.algorithm) ? run.heuristic || (map.kind === 'graph' ? 'euclidean' : 'octile') : 'none',
  };
  const unproved = { ...answer, optimal: false };
  /** @type {[any, number | null][]} */
  const entries = [[answer, null], [{ ...answer, status: 'unreachable' }, null], [{ ...answer, status: 'limit' }, null]];
  // Also before it is known what the cheapest path costs, and where that is as much, or a tenth.
  if (looseness({ answer: unproved, run })) entries.push([unproved, null], [unproved, unproved.cost], [unproved, unproved.cost / 10]);
  // Large maps: how far the recording is, and that it is not all of it.
  const whiles = isSmall() ? [{}] : [{ progress: { expanded: size } }, { search: { rec: { cut: true, length: size } } }];
  const found = whiles.flatMap((more) => entries.map(([one, cheapest]) => figuresOf({ run, answer: one, ...more }, { cheapest, errorText: String })));
  const refusal = map.kind === 'cells' && run.algorithm === 'jps' ? new Refusal('paths.jps.costs') : refusalOf(run);
  found.push(figuresOf({ run }, { cheapest: null, errorText: String, stale: 'paths.asking' }));
  return refusal ? [...found, figuresOf({ run, error: refusal }, { cheapest: null, errorText: String })] : found;
}
