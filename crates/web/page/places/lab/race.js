// The race: several searches of one board, or averages over many, with a live row each.

import { button, el, setText } from '../../js/dom.js';
import { between, onLanguage, t } from '../../js/i18n.js';
import { isCancelled } from '../../js/port.js';
import { announce } from '../../js/sheets.js';
import { engine, isRefused, troubleText } from './engine.js';
import { contestantText } from './contestants.js';
import { blogExamples, blogNotes, reported } from './examples.js';
import { count } from '../../trace/numbers.js';
import { growthCurves, grown, hasCurve } from './growth.js';
import { MOST_CONTESTANTS } from './values.js';
import { createRaceForm } from './race-form.js';
import { change, entry, limits, onChange, problem, setup } from './setup.js';
import { createTable, hasSolved, meaningsOf } from './race-table.js';

/**
 * Builds the race in `root`. `onStep` is told whose search is to be seen; `repair` mends a board that cannot be solved, and says
 * whether it has.
 * @param {HTMLElement} root
 * @param {{ onStep: (one: import('./setup.js').Contestant) => void, repair: () => boolean }} callbacks
 */
export function createRace(root, { onStep, repair }) {
  /** The current or last race: its request, contestants and rows; null before the first. @type {{ asked: any, contestants: any[], averages: boolean, fair: string, reported: (number | undefined)[], notes: [string, object][], rows: any[], status: string, seed: number, of: string, room: { tight: number }, isFirst: boolean, planned?: number, halting?: 'stopped' | 'left', ended?: 'stopped' | 'left' | 'taken', isLost?: boolean, error?: Error }} */
  let race = /** @type {any} */ (null);
  let handle = /** @type {any} */ (null);
  let table = /** @type {any} */ (null);
  let measure = 'expanded';

  const formBox = el('div', { className: 'race-form' });
  const head = el('div', { className: 'race-head' });
  const body = el('div', { className: 'race-body', id: 'lab-race' });
  const growthText = el('p', { className: 'muted small-text' });
  const growth = el('section', { className: 'growth', hidden: true }, el('h2', { 'data-t': 'lab.growth' }), el('div', { id: 'lab-growth' }), growthText);
  /** The other examples, until one is chosen. */
  const others = el('div', { id: 'race-others' });
  root.append(formBox, head, body, growth, others);
  const form = createRaceForm(formBox, { run: () => void run(), state: () => race?.status ?? null, onMeasure: (name) => { measure = name; draw(); } });

  /** The key of the current set-up; an average depends on the size, not on one board. */
  function wished() {
    const { contestants, averages, count: boards, seed, fair } = setup();
    const { tiles: _, ...shape } = problem();
    return { ...(averages ? { ...shape, scrambles: { count: boards, seed } } : problem()), contestants: contestants.map(entry), fair, growth: !averages, limits: limits() };
  }

  const isOld = () => race.of !== JSON.stringify(wished());

  /** Begins the race, or begins it anew, and follows it to its end; `isFirst` is the one that the Lab opens with. */
  async function run(isFirst = false) {
    handle?.cancel();
    const [request, { contestants, averages, seed, fair }] = [wished(), setup()];
    const begun = { asked: request, contestants: [...contestants], averages, fair, reported: contestants.map((one) => reported(one, setup())), notes: blogNotes(setup()), rows: contestants.map(() => ({ status: 'waiting', expanded: 0 })), status: 'running', seed, of: JSON.stringify(request), room: { tight: 0 }, isFirst };
    race = begun;
    if (!isFirst) others.replaceChildren();
    announce(t('lab.race.begun', { n: contestants.length }));
    draw();
    const mine = engine.race(request, { onProgress: (/** @type {number} */ rows) => { if (handle === mine) progress(rows); }, onBusy: (/** @type {number} */ n) => announce(t('solve.busy', { n })) });
    handle = mine;
    try {
      const answers = await mine.promise;
      if (race === begun) finish(answers);
    } catch (error) {
      if (race === begun) fail(error);
    }
  }

  /** Stops the race, if it runs, and notes why; what it has found is kept. What still waits for its turn has found nothing. @param {'stopped' | 'left'} why */
  function stop(why) {
    if (race?.status !== 'running') return;
    race.halting ??= why;
    if (race.rows.some(({ expanded }) => expanded > 0)) handle.stop();
    else handle.cancel();
  }

  function progress(/** @type {any} */ rows) {
    race.rows = rows.map((/** @type {any} */ row, /** @type {number} */ i) => ({ ...race.rows[i], ...row, growth: grown(race.rows[i].growth, row.growth) }));
    table?.show(race.rows, measure);
    if (race.averages) showBoards();
    // A row has what is new since the one before.
    if (rows.some((/** @type {any} */ row) => row.growth)) drawGrowth();
  }

  function finish(/** @type {{ reason: any, unanswered: any }[]} */ answers) {
    const isHalted = answers.some(({ reason, unanswered }) => reason === 'cancelled' || unanswered);
    if (isHalted) race.ended = race.halting ?? 'taken';
    race = { ...race, ...(!isHalted ? { rows: answers, status: 'done' } : race.averages ? ofWholeBoards(answers) : { rows: answers.map(halted), status: 'stopped' }) };
    draw();
    if (race.status === 'stopped') return tell(stoppedText());
    const first = ahead(race.rows);
    return tell(first < 0 ? nobody() : t('lab.race.done', { name: contestantText(race.contestants[first]) }));
  }

  /** An average that was stopped is one of the boards that all have done; it is what would have been asked for so many. @param {any[]} answers */
  function ofWholeBoards(answers) {
    const { count: planned, seed } = race.asked.scrambles;
    const done = planned - Math.max(...answers.map(({ unanswered = 0 }) => unanswered));
    if (!done) return { rows: answers.map(() => halted({})), status: 'stopped' };
    const rows = answers.map(({ unanswered: _, ...row }) => ({ ...row, boards: done, status: row.solved === done ? 'solved' : row.status }));
    return { rows, status: 'done', planned, asked: { ...race.asked, scrambles: { count: done, seed } } };
  }

  function fail(/** @type {any} */ error) {
    if (isRefused(error)) {
      race = /** @type {any} */ (null);
      others.replaceChildren(blogExamples());
      draw();
      return;
    }
    const isEnded = isCancelled(error);
    race = { ...race, status: isEnded ? 'stopped' : 'failed', ended: isEnded ? race.halting : undefined, isLost: race.averages && race.rows.every(({ boards }) => boards > 0), error, rows: race.rows.map(halted) };
    draw();
    tell(isEnded ? stoppedText() : troubleText(error));
  }

  /** What a race that ended early leaves of a row: a solution stays one, but a place needs a race that goes on. Of an average nothing: sums are none. @param {any} row */
  const halted = (row) => (race.averages ? { status: 'stopped', boards: row.boards ?? 0 } : { ...row, status: row.status === 'running' || row.status === 'waiting' || row.reason === 'cancelled' ? 'stopped' : hasSolved(row) ? 'solved' : row.status });

  /** Why it ended early, where nobody has stopped it. */
  const endText = () => (race.ended === 'left' || race.ended === 'taken' ? t(`lab.race.${race.ended}`) : '');

  /** Announces the end. @param {string} text */
  const tell = (text) => announce([endText(), text].filter(Boolean).join(between()));

  /** The sentence about the figures that remain. */
  function stoppedText() {
    if (race.averages) return t(race.isLost ? 'lab.race.stoppedLost' : 'lab.race.stoppedNone');
    return t(endText() ? 'lab.race.moment' : 'lab.race.stopped');
  }

  /** Draws everything anew; where the button that was pressed is gone, the focus goes to the figures, or to what stands in their place. */
  function draw() {
    const isHeld = root.contains(document.activeElement);
    redraw();
    if (isHeld && !root.contains(document.activeElement)) /** @type {HTMLElement | null} */ (body.querySelector('.race-table, button'))?.focus({ preventScroll: true });
  }

  function redraw() {
    drawHead();
    form.drawRun();
    if (!race) {
      body.replaceChildren(el('p', {}, t('lab.race.empty')));
      growth.hidden = true;
      return;
    }
    const old = isOld() ? [el('p', { className: 'note', id: 'race-old' }, t('lab.race.old'))] : [];
    if (isImpossible()) {
      body.replaceChildren(...old, ...impossible());
      growth.hidden = true;
      return;
    }
    // Published figures are means, so they stand beside means only.
    const shown = { ...race, reported: race.status === 'done' ? race.reported : [] };
    table = createTable(race.contestants, { ...shown, onStep: (index) => onStep(race.contestants[index]) });
    table.show(race.rows, measure);
    body.replaceChildren(...old, ...inStep(), table.root, ...verdicts(), meaningsOf(shown));
    table.settle();
    drawGrowth();
  }

  function drawGrowth() {
    const curves = growthCurves(race.rows.map((row, i) => ({ contestant: race.contestants[i], growth: row.growth })), growth.clientWidth || root.clientWidth);
    const waits = race.status === 'running' && !race.averages && !curves;
    growth.hidden = !curves && !waits;
    growthText.textContent = waits ? t('lab.growth.later') : growthWords();
    growth.querySelector('#lab-growth').replaceChildren(...(curves ? [curves, ...without()] : []));
  }

  /** By what the curves are drawn; a weighted search goes by a sum of its own. */
  const growthWords = () => ['lab.growth.text', ...(race.contestants.some(({ algorithm }, i) => algorithm === 'wastar' && hasCurve(race.rows[i])) ? ['lab.growth.weighted'] : [])].map((key) => t(key)).join(between());

  /** The contestants without a curve, once the race is over. */
  function without() {
    const names = race.contestants.filter((_, i) => !hasCurve(race.rows[i])).map(contestantText);
    return race.status !== 'running' && names.length ? [el('p', { className: 'muted small-text', id: 'growth-without' }, t('lab.growth.without', { names: names.join(t('trace.list')) }))] : [];
  }

  /** A board that cannot be solved: nothing but zeros would be in the table. */
  const isImpossible = () => race.rows.some(({ status }) => status === 'unsolvable');

  function impossible() {
    const mend = async () => { if (repair()) await run(); };
    return [el('p', { className: 'error', id: 'race-impossible' }, t('lab.race.impossible')), el('div', { className: 'row' }, button(t('lab.race.mend'), mend, { id: 'race-mend' }))];
  }

  /** Why bars are alike while a race goes on by expansions, and what each of its bars means. */
  function inStep() {
    const key = race.averages ? 'lab.race.sums' : race.fair === 'expansions' && measure === 'expanded' ? 'lab.race.inStep' : null;
    return race.status === 'running' && key ? [el('p', { className: 'muted small-text', id: 'race-in-step' }, t(key))] : [];
  }

  /** The number of boards done before an average was stopped, and of all. */
  const early = () => ({ n: race.asked.scrambles?.count, of: race.planned });

  /** The sentences below the figures; first, why the race ended. */
  const verdicts = () => [...(endText() ? [el('p', { className: 'note', id: `race-${race.ended}` }, endText())] : []), ...judged()];

  function judged() {
    const { status, error, rows } = race;
    if (status === 'failed') return [el('p', { className: 'error' }, troubleText(error)), el('div', { className: 'row' }, button(t('again'), () => run(race.isFirst), { id: 'race-again' }))];
    if (status === 'stopped') return [el('p', { className: 'muted', id: 'race-stopped' }, stoppedText())];
    if (status !== 'done') return [];
    const first = ahead(rows);
    const short = race.planned === undefined ? [] : [el('p', { className: 'note', id: 'race-short' }, t('lab.race.short', early()))];
    if (first < 0) return [...short, el('p', { className: 'note', id: 'race-nobody' }, nobody()), ...wayOut()];
    const partly = race.averages && rows.some((row) => row.status !== 'solved' && row.solved) ? [el('p', { className: 'note', id: 'race-partly' }, t('lab.race.partly'))] : [];
    return [...short, ...partly, el('p', { className: 'muted' }, t(race.averages ? 'lab.race.averageEnd' : 'lab.race.end', { name: contestantText(race.contestants[first]), expanded: count(rows[first].expanded), seed: String(race.seed) })), ...(race.notes.length ? [el('p', { className: 'muted small-text', id: 'race-blog' }, race.notes.map((note) => t(...note)).join(between()))] : []), ...(race.averages ? [] : [el('p', { className: 'muted small-text' }, t('lab.race.hint'))])];
  }

  /** The sentence where there is no solution to compare. */
  function nobody() {
    if (isImpossible()) return t('lab.race.impossible');
    const most = race.rows.reduce((best, row, i) => ((row.solved ?? 0) > (race.rows[best]?.solved ?? 0) ? i : best), -1);
    if (most < 0) return t(hasAuto() ? 'lab.race.nobody.more' : 'lab.race.nobody');
    return t('lab.race.notAll', { name: contestantText(race.contestants[most]), n: race.rows[most].solved, of: race.rows[most].boards });
  }

  const hasAuto = () => race.contestants.some(({ algorithm }) => algorithm === 'auto');

  /** The contestant that always has something to show, where nobody has. */
  function wayOut() {
    const { contestants } = setup();
    const join = () => { change({ contestants: [...contestants, { algorithm: 'auto' }] }); void run(); };
    return hasAuto() || contestants.length >= MOST_CONTESTANTS ? [] : [el('div', { className: 'row' }, button(t('lab.race.auto'), join, { id: 'race-auto' }))];
  }

  /** The contestant with the fewest expansions among those that solved the board, or every board of an average; -1 if none did. @param {any} rows */
  const ahead = (rows) => rows.reduce((/** @type {number} */ best, /** @type {any} */ row, /** @type {number} */ i) => (row.status === 'solved' && (best < 0 || row.expanded < rows[best].expanded) ? i : best), -1);

  const bar = el('progress', { id: 'race-boards', max: 1, value: 0 });
  const barText = el('span', { className: 'muted' });
  function showBoards() {
    const boards = race.rows.map((row) => row.boards ?? 0);
    bar.max = race.asked.scrambles.count * boards.length;
    bar.value = boards.reduce((sum, done) => sum + done, 0);
    setText(barText, t('lab.boards.all', { n: count(Math.min(...boards)), of: count(race.asked.scrambles.count) }));
  }

  function drawHead() {
    const running = race?.status === 'running';
    bar.setAttribute('aria-label', t('lab.average.progress'));
    head.replaceChildren(...[
      running && button(t('solve.stop'), () => stop('stopped'), { symbol: 'stop', id: 'race-stop' }),
      running && race.averages && bar, running && race.averages && barText,
    ].filter(Boolean));
    head.hidden = !running;
    if (running && race.averages) showBoards();
  }

  // Figures of another set-up are marked as such, not thrown away.
  onChange(() => { if (race && race.status !== 'running' && isOld() !== Boolean(body.querySelector('#race-old'))) draw(); });
  onLanguage(() => { draw(); others.replaceChildren(...(!race || race.isFirst ? [blogExamples()] : [])); });
  // Curves are as wide as their card.
  let drawnFor = 0;
  new ResizeObserver(() => { if (!growth.hidden && Math.abs(growth.clientWidth - drawnFor) > 8) { drawnFor = growth.clientWidth; drawGrowth(); } }).observe(growth);

  return {
    run,
    /** The place is left: what runs is stopped, and who comes back is told. */
    leave() { stop('left'); },
    get running() { return race?.status === 'running'; },
    result: () => race,
    /** Whether the results belong to the current set-up. */
    get isCurrent() { return race !== null && !isOld(); },
    curves: () => growth.querySelector('svg'),
  };
}
