// Step by step: a search is recorded, and then looked at from anywhere. Two can run side by side, in step.

import { button, el, refill, setText } from '../../js/dom.js';
import { between, onLanguage, t, whole } from '../../js/i18n.js';
import { isCancelled } from '../../js/port.js';
import { announce } from '../../js/sheets.js';
import { inStep } from '../../trace/compare.js';
import { createLists } from '../../trace/lists.js';
import { createPlayer } from '../../trace/player.js';
import { createCode } from '../../trace/code.js';
import { contestantText } from './contestants.js';
import { exampleButtons } from './examples.js';
import { createLegend } from './legend.js';
import { createLane } from './lane.js';
import { createNode } from './node.js';
import { createPlot } from './plot.js';
import { createRecorder, troubleText, wishOf } from './engine.js';
import { BOARD, NARROW, among, change, onChange, setup, takePlace } from './setup.js';
import { GUIDED } from './values.js';

/** A narrow screen that is high enough for the code below the tree. */
const UPRIGHT = matchMedia('(max-width: 1099px) and (min-height: 500px)');

/**
 * Builds the middle in `root`, what tells more in `side`, and the player in `bar`.
 * @param {{ root: HTMLElement, side: HTMLElement, bar: HTMLElement }} places
 * @param {{ onDetails: () => void, onPresent: () => void, onCleared: () => void, repair: () => boolean }} callbacks `onDetails` is told that somebody wants to see
 *   the side, where it is not in sight, `onPresent` that it is to be presented, `onCleared` that nothing is recorded any more; `repair` mends a board that cannot be solved, and says whether it has.
 */
export function createStep({ root, side, bar }, { onDetails, onPresent, onCleared, repair }) {
  const form = el('div', { className: 'step-form' });
  const state = el('div', { className: 'step-state', id: 'lab-step-state' });
  const old = el('p', { className: 'note', id: 'step-old', hidden: true });
  const lanesBox = el('div', { className: 'lanes', id: 'lab-lanes' });
  const playerBox = el('div', { className: 'lab-player', id: 'lab-player', hidden: true });
  const legend = createLegend();
  root.append(form, old, state, lanesBox, legend.root);
  bar.append(playerBox);
  const card = (/** @type {string} */ className) => side.appendChild(el('section', { className: `card ${className}` }));
  const nodeCard = card('node-card');
  const nodeView = createNode(nodeCard, { onSeek: (k) => seekEvent(k), onPick: (n) => pick(active(), n), onFold: (n) => active().tree.fold(n) });
  const codeCard = card('code-card');
  const code = createCode(codeCard, 'lab-code');
  const listCard = card('list-card');
  listCard.append(el('h2', { 'data-t': 'trace.lists' }));
  const lists = createLists(listCard, { name: 'list', onPick: (n) => pick(active(), n) });
  const plotCard = card('plot-card');
  const plot = createPlot(plotCard, { onSeek: (k) => seekEvent(k) });

  /** @type {ReturnType<typeof createLane>[]} */
  const lanes = ['tree', 'tree2'].map((name) => createLane(lanesBox, { name, onPick: pick, onOpen: (lane) => { if (lane !== active()) look(lanes.indexOf(lane)); onDetails(); }, picked: () => (lanes[chosen]?.name === name ? nodeView.picked : -1) }));
  const player = createPlayer(playerBox, null, { onMove: show, onEnded: () => announce(active().sentence()), onPresent }, { name: 'lab' });
  const recorder = createRecorder({ onBegin: working, onProgress: progress });
  let chosen = 0;
  /** The recordings. @type {import('./engine.js').Found[]} */
  let found = [];
  /** @type {ReturnType<typeof inStep> | null} */
  let together = null;

  const active = () => lanes[chosen];
  const shown = () => lanes.filter((/** @type {any} */ lane) => lane.rec);
  const positionOf = (/** @type {ReturnType<typeof createLane>} */ lane, /** @type {number} */ at) => (together ? together.positionOf(lane.rec, at) : at);

  /** Goes to an event of the search that is looked at. @param {number} k */
  function seekEvent(k) {
    player.seek(together ? active().rec.expansionsAt(k) : k);
  }

  function show(/** @type {number} */ at) {
    for (const lane of shown()) lane.show(positionOf(lane, at));
    const lane = active();
    nodeView.follow();
    lists.follow(player.playing);
    code.follow(lane.rec, lane.cursor.k);
    plot.follow(lane.cursor.k);
    if (!player.playing) announce(lane.sentence());
  }

  /** Chooses a node of one of the trees. @param {ReturnType<typeof createLane>} lane @param {number} n */
  function pick(lane, n) {
    if (lanes.indexOf(lane) !== chosen) look(lanes.indexOf(lane));
    for (const one of shown()) one.tree.select(one === lane ? n : -1);
    nodeView.pick(n);
    lists.mark(n);
    for (const one of shown()) one.board();
  }

  /** Makes the side panels show this search. @param {number} index */
  function look(index) {
    chosen = index;
    const lane = active();
    lanes.forEach((/** @type {any} */ one, /** @type {number} */ i) => one.node.classList.toggle('looked-at', i === index && shown().length > 1));
    lanesBox.classList.toggle('several', shown().length > 1);
    nodeView.load(lane.rec && lane);
    // A search that dives keeps no lists.
    listCard.hidden = Boolean(lane.rec?.depthFirst);
    lists.load(lane.rec && lane);
    code.load(lane.rec?.answer.algorithm ?? '');
    plot.load(lane.rec, lane.rank);
    if (lane.rec) {
      code.follow(lane.rec, lane.cursor.k);
      plot.follow(lane.cursor.k);
    }
  }

  /** The contestants that are to be looked at: the chosen one, and the one beside it. */
  function wanted() {
    const { contestants, chosen: first, beside } = setup();
    return [...new Set([first, beside])].filter((index) => index >= 0).map((index) => contestants[index]);
  }

  /** Records the chosen search, and the one beside it. */
  async function run() {
    clear();
    try {
      const got = await recorder.record(wanted());
      if (got) load(got);
    } catch (error) {
      const how = ending;
      say(() => failure(error, how));
    }
  }

  function clear() {
    onCleared();
    player.load(null);
    playerBox.hidden = true;
    for (const lane of lanes) lane.load(null);
    [together, found] = [null, []];
    legend.show([]);
    look(0);
    drawForm();
    showOld();
  }

  function load(/** @type {import('./engine.js').Found[]} */ got) {
    if (got.some(({ rec }) => rec.answer.status === 'unsolvable')) {
      say(impossible);
      announce(t('lab.step.impossible'));
      return;
    }
    found = got;
    const recs = got.map(({ rec }) => rec);
    together = recs.length > 1 ? inStep(recs) : null;
    say(notes);
    drawForm();
    playerBox.hidden = false;
    playerBox.classList.toggle('several', recs.length > 1);
    got.forEach((one, i) => lanes[i].load(one));
    legend.show(recs);
    player.load(together ?? recs[0]);
    look(0);
    show(0);
    showOld();
    // A link may say where to stand.
    player.seek(takePlace());
    announce(t('lab.step.ready', { events: whole(recs[0].length) }));
  }

  /** What is said of recordings stands at the side, where there is room: not above the trees, whose room it would take. On a narrow screen the key is what makes room. */
  function settle() {
    // During a presentation the panels are lent; this is done when they are back.
    if (playerBox.closest('.present')) return;
    if (found.length && !NARROW.matches) side.prepend(state);
    else old.after(state);
    if (NARROW.matches) nodeCard.after(legend.root);
    else root.append(legend.root);
    if (UPRIGHT.matches) root.append(codeCard);
    else nodeCard.after(codeCard);
    codeCard.hidden = UPRIGHT.matches && !found.length;
  }

  /** The message above the trees, as a function, so that it follows the language. */
  let words = empty;
  function say(/** @type {any} */ next) {
    const isHeld = state.contains(document.activeElement);
    words = next;
    state.replaceChildren(...words());
    settle();
    // The button that was pressed is gone.
    if (isHeld) document.getElementById('lab-step-run')?.focus({ preventScroll: true });
  }

  /** The notes about the recordings: cut, or ended early; of two, which one. */
  function notes() {
    return found.flatMap(({ rec, early, who }, i) => {
      const note = (/** @type {string} */ key, /** @type {string} */ id) => el('p', { className: 'note', id: i ? `${id}-${i + 1}` : id }, found.length > 1 && el('b', {}, `${contestantText(who)} `), t(key, { n: whole(rec.length), bound: rec.boundAt(rec.length), held: whole(rec.expansions), expanded: whole(rec.counts.expanded) }));
      return [rec.cut && note('lab.step.cut', 'lab-cut'), rec.answer.status !== 'solved' && (early ? note(`lab.step.${early}`, `lab-${early}`) : note(limitKey(rec, who), 'lab-limited'))];
    }).filter(Boolean);
  }

  /** What is said of a limit: a depth bound within which there is none, or one that another search may do without. @param {import('../../trace/recording.js').Recording} rec @param {import('./setup.js').Contestant} who */
  const limitKey = (rec, who) => (rec.answer.reason === 'depth' ? 'lab.step.bound' : GUIDED.has(who.algorithm) ? 'lab.step.limit' : 'lab.step.limit.blind');

  /** Leads to where two that are shown beside each other part. */
  function differ() {
    if (!together) return [];
    const { firstDifference } = together;
    return [button(t(firstDifference < 0 ? 'lab.step.same' : 'lab.step.differ'), () => player.seek(firstDifference), { id: 'lab-differ', disabled: firstDifference < 0 })];
  }

  const counts = el('span', { id: 'lab-step-counts' });
  function working(/** @type {any} */ who, /** @type {any} */ halted) {
    setText(counts, '');
    ending = halted ? 'lost' : 'stopped';
    if (halted) say(() => [el('p', {}, t('lab.step.keeping', { name: contestantText(who) }))]);
    else say(() => [el('p', {}, t('lab.step.working', { name: contestantText(who) }), between(), counts), el('div', { className: 'row' }, button(t('solve.stop'), () => recorder.stop(), { symbol: 'stop', id: 'lab-step-stop' }))]);
  }

  function progress({ expanded = 0, recorded = 0, cut = false }) {
    setText(counts, t(cut ? 'lab.step.beyond' : 'lab.step.progress', { expanded: whole(expanded), recorded: whole(recorded) }));
  }

  /** How what is being recorded would end if it were cancelled now: with nothing, because the place is left, or without what it had recorded. @type {'stopped' | 'left' | 'lost'} */
  let ending = 'stopped';

  /** The place is left: what is being recorded is given up, and who comes back is told. */
  function leave() {
    if (ending === 'stopped') ending = 'left';
    recorder.cancel();
    player.pause();
  }

  const failure = (/** @type {any} */ error, /** @type {string} */ how) => [el('p', { className: isCancelled(error) ? 'muted' : 'error' }, isCancelled(error) ? t(`lab.step.${how}`) : troubleText(error)), el('div', { className: 'row' }, button(t('again'), run, { id: 'lab-step-again' }))];

  /** A board that cannot be solved has no search to look at; mended it has one. */
  function impossible() {
    const mend = async () => { if (repair()) await run(); };
    return [el('p', { className: 'error', id: 'lab-step-impossible' }, t('lab.step.impossible')), el('div', { className: 'row' }, button(t('lab.step.mend'), mend, { id: 'lab-step-mend' }))];
  }

  function empty() {
    return [el('div', { className: 'empty' }, el('p', {}, t('lab.step.empty')), el('div', { className: 'examples' }, exampleButtons(['step', 'meet', 'forget'])))];
  }

  /** Notes that the shown recording is no longer the chosen one. */
  function showOld() {
    const asked = (/** @type {object[]} */ list) => JSON.stringify(list);
    old.hidden = !found.length || asked(found.map(({ wished }) => wished)) === asked(wanted().map(wishOf));
    if (!old.hidden) setText(old, t('lab.step.old', { names: found.map(({ who }) => contestantText(who)).join(t('trace.list')) }));
  }

  function drawForm() {
    const { contestants, chosen: first, beside } = setup();
    const options = (/** @type {{ text: any, value: number }[]} */ usual, /** @type {any[]} */ list) => [...usual, ...list.map((one, i) => ({ text: contestantText(one), value: i, off: one.algorithm === 'auto' }))];
    const select = (/** @type {string} */ id, /** @type {string} */ key, /** @type {any[]} */ list, /** @type {number} */ value, /** @type {(value: any) => void} */ use) => el('label', { className: 'inline-field' }, el('span', {}, t(key)), el('select', { id, onchange: (/** @type {any} */ event) => use(Number(event.target.value)) }, list.map(({ text, value: own, off }) => el('option', { value: own, selected: own === value, disabled: off }, text))));
    refill(form, select('step-who', 'lab.step.who', options([], contestants), first, (value) => change({ chosen: value })),
      select('step-beside', 'lab.step.beside', options([{ text: t('lab.step.alone'), value: -1 }], contestants), beside, (value) => change({ beside: value })),
      button(t('lab.step.run'), run, { kind: 'filled', symbol: 'play', id: 'lab-step-run' }), ...differ());
  }

  onChange((changed) => {
    if (among(changed, 'contestants', 'chosen', 'beside')) drawForm();
    if (among(changed, ...BOARD)) {
      recorder.forget();
      clear();
      say(empty);
    } else showOld();
  });
  onLanguage(() => { drawForm(); say(words); showOld(); });
  for (const media of [NARROW, UPRIGHT]) media.addEventListener('change', settle);

  /** The parts to present; null without a recording. @returns {import('../../trace/present.js').Parts | null} */
  const parts = () => (found.length ? { stage: [lanesBox, legend.root], said: together ? null : lanes[0].said, bar: playerBox, pages: [[codeCard, listCard], [nodeCard], [plotCard]] } : null);

  /** Looks at the lane of this number, where there is one. @param {number} number */
  function lookAt(number) {
    if (number !== chosen && shown()[number]) look(number);
  }

  return { run, leave, parts, lookAt, settle, player, lanes, shown, active, look, key: (/** @type {any} */ event) => player.key(event), get loaded() { return shown().length > 0; }, get isCurrent() { return shown().length > 0 && old.hidden; }, plot };
}
