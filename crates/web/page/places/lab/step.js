// Step by step: a search is recorded, and then looked at from anywhere. Two can run side by side, in step.

import { button, el, setText } from '../../js/dom.js';
import { onLanguage, t, whole } from '../../js/i18n.js';
import { isCancelled, port } from '../../js/port.js';
import { announce } from '../../js/sheets.js';
import { inStep } from '../../trace/compare.js';
import { createPlayer } from '../../trace/player.js';
import { decodeRecording } from '../../trace/recording.js';
import { createCode } from './code.js';
import { contestantText } from './contestants.js';
import { exampleButtons } from './examples.js';
import { createLane } from './lane.js';
import { createLists } from './lists.js';
import { createNode } from './node.js';
import { createPlot } from './plot.js';
import { troubleText } from './problem.js';
import { among, change, entry, limits, onChange, problem, setup, takePlace } from './setup.js';

const MOST_EVENTS = 200_000;

/**
 * Builds the middle in `root`, what tells more in `side`, and the player in `bar`.
 * @param {{ root: HTMLElement, side: HTMLElement, bar: HTMLElement }} places
 * @param {{ onDetails: () => void }} callbacks Told that somebody wants to see the side, where it is not in sight.
 */
export function createStep({ root, side, bar }, { onDetails }) {
  const form = el('div', { className: 'step-form' });
  const state = el('div', { className: 'step-state', id: 'lab-step-state' });
  const lanesBox = el('div', { className: 'lanes', id: 'lab-lanes' });
  const playerBox = el('div', { className: 'lab-player', id: 'lab-player', hidden: true });
  root.append(form, state, lanesBox);
  bar.append(playerBox);
  const card = (className) => side.appendChild(el('section', { className: `card ${className}` }));
  const nodeView = createNode(card('node-card'), { onSeek: (k) => seekEvent(k), onPick: (n) => pick(active(), n), onFold: (n) => active().tree.fold(n) });
  const listCard = card('list-card');
  listCard.append(el('h2', { 'data-t': 'lab.lists' }));
  const lists = createLists(listCard, { onPick: (n) => pick(active(), n) });
  const code = createCode(card('code-card'));
  const plot = createPlot(card('plot-card'), { onSeek: (k) => seekEvent(k) });

  const lanes = ['tree', 'tree2'].map((name) => createLane(lanesBox, { name, onPick: pick, onOpen: (lane) => { if (lane !== active()) look(lanes.indexOf(lane)); onDetails(); }, picked: () => (lanes[chosen]?.name === name ? nodeView.picked : -1) }));
  const player = createPlayer(playerBox, null, { onMove: show, onEnded: () => announce(active().sentence()) }, { name: 'lab' });
  let chosen = 0;
  let handles = [];
  /** @type {ReturnType<typeof inStep> | null} */
  let together = null;

  const active = () => lanes[chosen];
  const shown = () => lanes.filter((lane) => lane.rec);
  const positionOf = (lane, at) => (together ? together.positionOf(lane.rec, at) : at);

  /** Goes to an event of the search that is looked at. */
  function seekEvent(k) {
    player.seek(together ? active().rec.expansionsAt(k) : k);
  }

  function show(at) {
    for (const lane of shown()) lane.show(positionOf(lane, at));
    const lane = active();
    nodeView.follow();
    lists.follow(player.playing);
    code.follow(lane.rec, lane.cursor.k);
    plot.follow(lane.cursor.k);
    if (!player.playing) announce(lane.sentence());
  }

  /** Chooses a node of one of the trees. */
  function pick(lane, n) {
    if (lanes.indexOf(lane) !== chosen) look(lanes.indexOf(lane));
    lane.tree.select(n);
    nodeView.pick(n);
    lists.mark(n);
    lane.board();
  }

  /** What is told at the side is told of this one. */
  function look(index) {
    chosen = index;
    const lane = active();
    lanes.forEach((one, i) => one.node.classList.toggle('looked-at', i === index && shown().length > 1));
    lanesBox.classList.toggle('several', shown().length > 1);
    nodeView.load(lane.rec && lane);
    lists.load(lane.rec && lane);
    code.load(lane.rec);
    plot.load(lane.rec, lane.rank);
    if (lane.rec) {
      code.follow(lane.rec, lane.cursor.k);
      plot.follow(lane.cursor.k);
    }
  }

  /** Records the chosen search, and the one beside it. */
  async function run() {
    cancel();
    clear();
    const { contestants, chosen: first, beside } = setup();
    const wanted = [first, beside].filter((index, i, all) => index >= 0 && all.indexOf(index) === i);
    const mine = [];
    handles = mine;
    try {
      const found = [];
      for (const index of wanted) {
        working(contestants[index]);
        const asked = { ...problem(), ...entry(contestants[index]), limits: limits(), events: MOST_EVENTS };
        const handle = port.trace(asked, { onProgress: progress, onBusy: (n) => announce(t('solve.busy', { n })) });
        mine.push(handle);
        found.push({ rec: decodeRecording(await handle.promise), asked, who: contestants[index], index });
        if (handles !== mine) return;
      }
      load(found);
    } catch (error) {
      if (handles === mine) fail(error);
    }
  }

  const cancel = () => { handles.forEach((handle) => handle.cancel()); };

  function clear() {
    player.load(null);
    playerBox.hidden = true;
    for (const lane of lanes) lane.load(null);
    together = null;
    look(0);
  }

  function load(found) {
    const recs = found.map(({ rec }) => rec);
    state.replaceChildren(...notes(recs));
    together = recs.length > 1 ? inStep(recs) : null;
    playerBox.hidden = false;
    found.forEach((one, i) => lanes[i].load(one));
    player.load(together ?? recs[0]);
    look(0);
    show(0);
    // A link may say where to stand.
    player.seek(takePlace());
    announce(t('lab.step.ready', { events: whole(recs[0].length) }));
  }

  /** What is to be said about the recordings: that one is cut, where two part. */
  function notes(recs) {
    const said = recs.filter((rec) => rec.cut).map((rec) => el('p', { className: 'note', id: 'lab-cut' }, t('lab.step.cut', { n: whole(rec.length), held: whole(rec.expansions), expanded: whole(rec.counts.expanded) })));
    for (const rec of recs) if (rec.answer.status !== 'solved') said.push(el('p', { className: 'note' }, t(rec.answer.status === 'unsolvable' ? 'lab.unsolvable' : 'lab.step.limit')));
    if (together ?? recs.length > 1) {
      const { firstDifference } = inStep(recs);
      said.push(el('div', { className: 'row' }, button(t(firstDifference < 0 ? 'lab.step.same' : 'lab.step.differ'), () => player.seek(firstDifference), { id: 'lab-differ', disabled: firstDifference < 0 })));
    }
    return said;
  }

  const counts = el('span', { id: 'lab-step-counts' });
  function working(contestant) {
    setText(counts, '');
    state.replaceChildren(el('p', {}, t('lab.step.working', { name: contestantText(contestant) }), ' ', counts), el('div', { className: 'row' }, button(t('solve.stop'), cancel, { symbol: 'stop', id: 'lab-step-stop' })));
  }

  function progress({ expanded = 0, recorded = 0, cut = false }) {
    setText(counts, t(cut ? 'lab.step.beyond' : 'lab.step.progress', { expanded: whole(expanded), recorded: whole(recorded) }));
  }

  function fail(error) {
    state.replaceChildren(el('p', { className: isCancelled(error) ? 'muted' : 'error' }, isCancelled(error) ? t('lab.step.stopped') : troubleText(error)), el('div', { className: 'row' }, button(t('again'), run, { id: 'lab-step-again' })));
  }

  function empty() {
    if (shown().length || state.childElementCount) return;
    state.replaceChildren(el('div', { className: 'empty' }, el('p', {}, t('lab.step.empty')), el('div', { className: 'examples' }, exampleButtons(['step', 'meet', 'forget']))));
  }

  function drawForm() {
    const { contestants, chosen: first, beside } = setup();
    const options = (usual, list) => [...usual, ...list.map((one, i) => ({ text: contestantText(one), value: i, off: one.algorithm === 'auto' }))];
    const select = (id, key, list, value, use) => el('label', { className: 'inline-field' }, el('span', {}, t(key)), el('select', { id, onchange: (event) => use(Number(event.target.value)) }, list.map(({ text, value: own, off }) => el('option', { value: own, selected: own === value, disabled: off }, text))));
    form.replaceChildren(select('step-who', 'lab.step.who', options([], contestants), first, (value) => change({ chosen: value })),
      select('step-beside', 'lab.step.beside', options([{ text: t('lab.step.alone'), value: -1 }], contestants), beside, (value) => change({ beside: value })),
      button(t('lab.step.run'), run, { kind: 'filled', symbol: 'play', id: 'lab-step-run' }));
  }

  onChange((changed) => {
    if (among(changed, 'contestants', 'chosen', 'beside')) drawForm();
    if (among(changed, 'tiles', 'goal', 'rows', 'cols', 'wrapRows', 'wrapCols') && (shown().length || state.childElementCount)) {
      cancel();
      handles = [];
      clear();
      state.replaceChildren();
      empty();
    }
  });
  onLanguage(() => { drawForm(); if (!shown().length) { state.replaceChildren(); empty(); } });

  return { run, cancel, player, lanes, shown, active, look, key: (event) => player.key(event), get loaded() { return shown().length > 0; }, plot };
}
