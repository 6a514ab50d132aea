// The figures under a map: cost, counts, time, and whether the path is the cheapest, or by how much it is not.

import { el } from '../../js/dom.js';
import { decimal, duration, t, whole } from '../../js/i18n.js';
import { USUAL_WEIGHT, algorithmText, heuristicText, searchName } from '../../trace/identity.js';
import { amount } from '../../trace/numbers.js';
import { closed } from '../../trace/sentence.js';
import { state } from './state.js';
import { Refusal, usesHeuristic } from './ask.js';

/** The name of a contestant: its algorithm, and the chosen heuristic and weight. */
export const nameOf = (/** @type {any} */ { algorithm, heuristic, weight }) => searchName({ algorithm, heuristic: usesHeuristic(algorithm) ? heuristic : '', weight: algorithm === 'wastar' ? weight || USUAL_WEIGHT : undefined });

const figure = (/** @type {string} */ key, /** @type {string} */ value, title = '') => el('span', { className: 'figure-item', title: title && t(title) }, `${t(key)} `, el('b', {}, value));

/** Why the path may cost too much, or null: the heuristic, the weight, or that nobody looked at costs. */
export function looseness(/** @type {any} */ { answer, run }) {
  if (answer?.status !== 'found' || answer.optimal) return null;
  if (state.map.kind === 'cells' && state.diagonal !== 'never' && answer.heuristic === 'manhattan') return t('paths.loose.manhattan');
  if (state.map.kind === 'graph' && answer.heuristic !== 'none' && !['greedy', 'wastar'].includes(run.algorithm)) return t('paths.loose.graph', { heuristic: heuristicText(answer.heuristic) });
  if (run.algorithm === 'greedy') return t(answer.heuristic === 'none' ? 'paths.loose.blind' : 'paths.loose.greedy');
  // A weight of nothing is nothing.
  if (run.algorithm === 'wastar') return answer.heuristic === 'none' ? null : t('paths.loose.weight', { weight: answer.weight ?? run.weight });
  if (['bfs', 'bidirectional'].includes(run.algorithm)) return t('paths.loose.steps');
  return null;
}

/** By how much a path is dearer than the cheapest: nothing, or a share. @param {any} answer @param {number | null} cheapest */
function excess(answer, cheapest) {
  if (cheapest === null || answer.cost <= cheapest * (1 + 1e-9)) return null;
  // A cost of 0 has no percentage.
  return { more: amount(answer.cost - cheapest), share: cheapest > 0 ? `${decimal((100 * (answer.cost - cheapest)) / cheapest, 1)}%` : amount(answer.cost - cheapest) };
}

/** The parts that stand under a map; `stale` says why there are no figures. @param {any} entry @param {{ cheapest: number | null, errorText: (error: any) => string, stale?: string | null }} around */
export function figuresOf(entry, { cheapest, errorText, stale = null }) {
  const { answer, error, progress } = entry;
  if (stale) return [unknownLine()];
  if (error) return [el('p', { className: 'run-trouble' }, error instanceof Refusal ? t(error.key) : errorText(error))];
  if (!answer) return state.map.start < 0 || !state.map.goals.length ? [el('p', { className: 'run-trouble' }, t(state.map.start < 0 ? 'paths.noStart' : 'paths.noGoal'))] : [el('p', { className: 'muted' }, t('paths.asking'))];
  if (!hasArrived(entry)) return [soFar(entry)];
  const counts = countsOf(answer, duration(answer.seconds));
  const parts = answer.status === 'found' ? [figure('paths.cost', amount(answer.cost)), ...counts] : [el('b', { className: 'run-none' }, endText(answer)), ...counts];
  const line = el('div', { className: 'figure-line' }, parts);
  const loose = looseness(entry);
  const over = answer.status === 'found' && excess(answer, cheapest);
  const notes = [];
  if (entry.run.algorithm === 'auto') notes.push(t('paths.ran', { algorithm: algorithmText(answer.algorithm) }));
  if (loose) notes.push(over ? t('paths.costs', { ...over, why: loose }) : t('paths.costsNone', { why: loose }));
  if (entry.search?.rec.cut) notes.push(t('paths.cut', { count: whole(entry.search.rec.length) }));
  if (entry.unrecorded) notes.push(t('paths.unrecorded', { error: errorText(entry.unrecorded) }));
  if (progress) notes.push(t('paths.recording', { expanded: whole(progress.expanded ?? 0) }));
  return notes.length ? [line, el('p', { className: 'run-note' }, closed(notes.join(' ')))] : [line];
}

const countsOf = (/** @type {any} */ { expanded, generated, scanned }, /** @type {string} */ time) => [figure('paths.expanded', whole(expanded)), ...(scanned === undefined ? [] : [figure('paths.scanned', whole(scanned), 'paths.scanned.text')]), el('span', { className: 'lesser' }, figure('paths.generated', whole(generated))), figure('paths.time', time)];

/** The end of a search without a path, in words. @param {{ status: string }} answer */
const endText = ({ status }) => t(status === 'limit' ? 'paths.limit' : 'paths.unreachable');

/** The same figures as a sentence: as far as the search has come. Nothing where nothing is known. @param {any} entry */
export function summaryOf(entry) {
  const { answer, run, search } = entry;
  const hasEnded = hasArrived(entry);
  if (!answer || (!hasEnded && !search)) return '';
  const figures = { name: nameOf(run), expanded: whole((hasEnded ? answer : search.cursor).expanded) };
  if (!hasEnded) return t('paths.summary.soFar', figures);
  return answer.status === 'found' ? t('paths.summary.found', { ...figures, cost: amount(answer.cost) }) : t('paths.summary.none', { ...figures, end: endText(answer) });
}

/** Whether what was found is known: while a search plays, or is about to, nobody knows it yet. What is not recorded has nothing to play. @param {{ search?: any, held?: boolean }} entry */
export const hasArrived = ({ search = null, held = false }) => !held && (!search || search.cursor.k >= search.rec.length);

/** The figures of a search that plays: as far as it has come. */
const soFar = (/** @type {any} */ { search }) => (search ? el('div', { className: 'figure-line' }, figure('paths.cost', '–'), ...countsOf(search.cursor, '–')) : unknownLine());

/** The figures of a request that has no answer yet, where an earlier one had. */
const unknownLine = () => el('div', { className: 'figure-line waiting' }, figure('paths.cost', '–'), figure('paths.expanded', '–'), figure('paths.time', '–'));

/** The badge beside a contestant's name: whether its path is a cheapest one, or why there are no figures; none before that is known. @param {any} entry @param {{ cheapest: number | null, stale?: string | null }} around */
export function verdictOf(entry, { cheapest, stale = null }) {
  const { answer = null, error = null } = entry;
  if (stale) return [el('span', { className: 'badge' }, t(stale))];
  return !error && answer?.status === 'found' && hasArrived(entry) ? [badge(answer, cheapest)] : [];
}

function badge(/** @type {{ optimal: any }} */ answer, /** @type {number | null} */ cheapest) {
  const over = excess(answer, cheapest);
  if (over) return el('span', { className: 'badge' }, `+${over.share}`);
  return el('span', { className: answer.optimal || cheapest !== null ? 'badge proved' : 'badge' }, t(answer.optimal ? 'paths.optimal' : cheapest !== null ? 'paths.asCheap' : 'paths.unproved'));
}
