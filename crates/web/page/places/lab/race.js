// The race: several searches of one board, or averages over many, with a live row each.

import { button, el, setText } from '../../js/dom.js';
import { onLanguage, t } from '../../js/i18n.js';
import { isCancelled, port } from '../../js/port.js';
import { announce, toast } from '../../js/sheets.js';
import { contestantText } from './contestants.js';
import { blogExamples, blogNote, reported } from './examples.js';
import { count } from './figures.js';
import { growthCurves, grown } from './growth.js';
import { mark } from './marks.js';
import { troubleText } from './problem.js';
import { MOST_SCRAMBLES } from './names.js';
import { among, change, entry, limits, onChange, problem, setup } from './setup.js';
import { MEASURES, createTable, hasSolved, meaningsOf } from './table.js';

/**
 * Builds the race in `root`. `onStep` is told whose search is to be seen.
 * @param {HTMLElement} root
 * @param {{ onStep: (one: import('./setup.js').Contestant) => void }} callbacks
 */
export function createRace(root, { onStep }) {
  /** What runs or ran: who, and what is known of each; nothing before the first one. @type {{ asked: any, contestants: any[], averages: boolean, fair: string, reported: (number | undefined)[], note: [string, object] | null, rows: any[], status: string, seed: number, of: string, planned?: number, error?: Error }} */
  let race = /** @type {any} */ (null);
  let handle = null;
  let table = null;
  /** What the bars show. */
  let measure = 'expanded';

  const form = el('div', { className: 'race-form' });
  const head = el('div', { className: 'race-head' });
  const body = el('div', { className: 'race-body', id: 'lab-race' });
  const growthText = el('p', { className: 'muted small-text' });
  const growth = el('section', { className: 'growth', hidden: true }, el('h2', { 'data-t': 'lab.growth' }), el('div', { id: 'lab-growth' }), growthText);
  root.append(form, head, body, growth);

  /** What the figures are about: an average is about the size, not about one board. */
  const boardNow = () => JSON.stringify(setup().averages ? { ...problem(), tiles: null } : problem());
  const isOld = () => race.of !== boardNow();

  /** Begins the race, or begins it anew, and follows it to its end. */
  async function run() {
    handle?.cancel();
    const { contestants, averages, count: boards, seed, fair } = setup();
    const { tiles: _, ...shape } = problem();
    const request = { ...(averages ? { ...shape, scrambles: { count: boards, seed } } : problem()), contestants: contestants.map(entry), fair, growth: !averages, limits: limits() };
    const begun = { asked: request, contestants: [...contestants], averages, fair, reported: contestants.map((one) => reported(one, setup())), note: blogNote(setup()), rows: contestants.map(() => ({ status: 'waiting', expanded: 0 })), status: 'running', seed, of: boardNow() };
    race = begun;
    announce(t('lab.race.begun', { n: contestants.length }));
    draw();
    const mine = port.race(request, { onProgress: (rows) => { if (handle === mine) progress(rows); }, onBusy: (n) => announce(t('solve.busy', { n })) });
    handle = mine;
    try {
      const answers = await mine.promise;
      if (race === begun) finish(answers);
    } catch (error) {
      if (race === begun) fail(error);
    }
  }

  /** Stops the race, if it runs; what it has found is kept. What still waits for its turn has found nothing. */
  function stop() {
    if (race?.status !== 'running') return;
    if (race.rows.some(({ expanded }) => expanded > 0)) handle.stop();
    else handle.cancel();
  }

  function progress(rows) {
    race.rows = rows.map((row, i) => ({ ...race.rows[i], ...row, growth: grown(race.rows[i].growth, row.growth) }));
    table?.show(race.rows, measure);
    if (race.averages) showBoards();
    // A row has what is new since the one before.
    if (rows.some((row) => row.growth)) drawGrowth();
  }

  function finish(answers) {
    const isHalted = answers.some(({ reason, unanswered }) => reason === 'cancelled' || unanswered);
    race = { ...race, ...(!isHalted ? { rows: answers, status: 'done' } : race.averages ? ofWholeBoards(answers) : { rows: answers.map(halted), status: 'stopped' }) };
    draw();
    if (race.status === 'stopped') return announce(stoppedText());
    const first = ahead(race.rows);
    return announce(first < 0 ? nobody() : t('lab.race.done', { name: contestantText(race.contestants[first]) }));
  }

  /** An average that was stopped is one of the boards that all have done; it is what would have been asked for so many. */
  function ofWholeBoards(answers) {
    const { count: planned, seed } = race.asked.scrambles;
    const done = planned - Math.max(...answers.map(({ unanswered = 0 }) => unanswered));
    if (!done) return { rows: answers.map(() => halted({})), status: 'stopped' };
    const rows = answers.map(({ unanswered: _, ...row }) => ({ ...row, boards: done, status: row.solved === done ? 'solved' : row.status }));
    return { rows, status: 'done', planned, asked: { ...race.asked, scrambles: { count: done, seed } } };
  }

  function fail(error) {
    race = { ...race, status: isCancelled(error) ? 'stopped' : 'failed', error, rows: race.rows.map(halted) };
    draw();
    announce(isCancelled(error) ? stoppedText() : troubleText(error));
  }

  /** What a race that ended early leaves of a row: a solution stays one, but a place needs a race that goes on. Of an average nothing: sums are none. */
  const halted = (row) => (race.averages ? { status: 'stopped', boards: row.boards ?? 0 } : { ...row, status: row.status === 'running' || row.status === 'waiting' || row.reason === 'cancelled' ? 'stopped' : hasSolved(row) ? 'solved' : row.status });

  const stoppedText = () => t(race.averages ? 'lab.race.stoppedNone' : 'lab.race.stopped');

  function draw() {
    drawHead();
    if (!race) {
      body.replaceChildren(el('p', {}, button(t('lab.run'), run, { symbol: 'play', id: 'race-begin' })), blogExamples());
      return;
    }
    // What others report are means: they stand beside means alone.
    const shown = { ...race, reported: race.status === 'done' ? race.reported : [] };
    table = createTable(race.contestants, { ...shown, onStep: (index) => onStep(race.contestants[index]) });
    table.show(race.rows, measure);
    body.replaceChildren(...(isOld() ? [el('p', { className: 'note', id: 'race-old' }, t('lab.race.old'))] : []), ...inStep(), table.root, ...verdicts(), meaningsOf(shown));
    drawGrowth();
  }

  function drawGrowth() {
    const curves = growthCurves(race.rows.map((row, i) => ({ contestant: race.contestants[i], growth: row.growth })));
    const waits = race.status === 'running' && !race.averages && !curves;
    growth.hidden = !curves && !waits;
    growthText.textContent = t(waits ? 'lab.growth.later' : 'lab.growth.text');
    growth.querySelector('#lab-growth').replaceChildren(...(curves ? [curves, legend()] : []));
  }

  /** Why bars are alike while a race goes on by expansions, and what each of its bars means. */
  function inStep() {
    const key = race.averages ? 'lab.race.sums' : race.fair === 'expansions' && measure === 'expanded' ? 'lab.race.inStep' : null;
    return race.status === 'running' && key ? [el('p', { className: 'muted small-text', id: 'race-in-step' }, t(key))] : [];
  }

  /** How many boards were done before an average was stopped, and of how many. */
  const early = () => ({ n: race.asked.scrambles?.count, of: race.planned });

  /** Whose curve is whose. */
  const legend = () => el('p', { className: 'curve-legend' }, race.contestants.map((one, i) => (race.rows[i].growth?.length > 1 ? el('span', {}, mark(i), contestantText(one)) : null)));

  function verdicts() {
    const { status, error, rows } = race;
    if (status === 'failed') return [el('p', { className: 'error' }, troubleText(error)), el('div', { className: 'row' }, button(t('again'), run, { id: 'race-again' }))];
    if (status === 'stopped') return [el('p', { className: 'muted', id: 'race-stopped' }, stoppedText())];
    if (status !== 'done') return [];
    const first = ahead(rows);
    const short = race.planned === undefined ? [] : [el('p', { className: 'note', id: 'race-short' }, t('lab.race.short', early()))];
    if (first < 0) return [...short, el('p', { className: 'note', id: 'race-nobody' }, nobody())];
    const partly = race.averages && rows.some((row) => row.status !== 'solved' && row.solved) ? [el('p', { className: 'note', id: 'race-partly' }, t('lab.race.partly'))] : [];
    return [...short, ...partly, el('p', { className: 'muted' }, t(race.averages ? 'lab.race.averageEnd' : 'lab.race.end', { name: contestantText(race.contestants[first]), expanded: count(rows[first].expanded), seed: race.seed })), ...(race.note ? [el('p', { className: 'muted small-text', id: 'race-blog' }, t(...race.note))] : []), ...(race.averages ? [] : [el('p', { className: 'muted small-text' }, t('lab.race.hint'))])];
  }

  /** What is said where there is no solution to compare. */
  function nobody() {
    if (race.rows.some(({ status }) => status === 'unsolvable')) return t('lab.race.impossible');
    const most = race.rows.reduce((best, row, i) => ((row.solved ?? 0) > (race.rows[best]?.solved ?? 0) ? i : best), -1);
    if (most < 0) return t('lab.race.nobody');
    return t('lab.race.notAll', { name: contestantText(race.contestants[most]), n: race.rows[most].solved, of: race.rows[most].boards });
  }

  /** Who needed the fewest expansions of those that solved it, or every board of an average; -1 if nobody did. */
  const ahead = (rows) => rows.reduce((best, row, i) => (row.status === 'solved' && (best < 0 || row.expanded < rows[best].expanded) ? i : best), -1);

  const bar = el('progress', { id: 'race-boards', max: 1, value: 0 });
  const barText = el('span', { className: 'muted' });
  function showBoards() {
    const total = race.asked.scrambles.count * race.rows.length;
    const done = race.rows.reduce((sum, row) => sum + (row.boards ?? 0), 0);
    bar.max = total;
    bar.value = done;
    setText(barText, t('lab.boards.of', { n: count(done), of: count(total) }));
  }

  function drawHead() {
    const running = race?.status === 'running';
    bar.setAttribute('aria-label', t('lab.average.progress'));
    head.replaceChildren(...[
      running && button(t('solve.stop'), stop, { symbol: 'stop', id: 'race-stop' }),
      running && race.averages && bar, running && race.averages && barText,
    ].filter(Boolean));
    head.hidden = !running;
    if (running && race.averages) showBoards();
  }

  /** What the bars show. */
  const bars = () => el('label', { className: 'inline-field bars-field' }, el('span', {}, t('lab.race.bars')), el('select', { id: 'race-bars', onchange: (event) => { measure = event.target.value; draw(); } },
    Object.keys(MEASURES).map((name) => new Option(t(`lab.col.${name}`), name, false, name === measure))));

  /** A whole number within bounds; what it was changed to is said. */
  function bounded(text, [least, most]) {
    const used = Math.min(most, Math.max(least, Math.round(Number(text)) || 0));
    if (String(used) !== text.trim()) toast(t('lab.bounded', { found: text.trim() || '–', least: count(least), most: count(most), used: count(used) }));
    return used;
  }

  /** This board, or an average over many. */
  function drawForm() {
    const { averages, count: boards, seed, rows, cols } = setup();
    const chip = (value, key) => el('button', { type: 'button', className: 'chip', 'aria-pressed': String(averages === value), id: value ? 'race-average' : 'race-one', onclick: () => change({ averages: value }) }, t(key));
    const number = (id, key, value, range, use) => el('label', { className: 'inline-field' }, el('span', {}, t(key)), el('input', { id, type: 'number', value, min: range[0], max: range[1], onchange: (event) => use(bounded(event.target.value, range)) }));
    form.replaceChildren(el('div', { className: 'chips', role: 'group', 'aria-label': t('lab.race.over') }, chip(false, 'lab.race.one'), chip(true, 'lab.race.many')),
      ...(averages ? [number('race-count', 'lab.average.count', boards, [1, MOST_SCRAMBLES], (n) => change({ count: n })),
        number('race-seed', 'lab.average.seed', seed, [0, Number.MAX_SAFE_INTEGER], (n) => change({ seed: n })), el('span', { className: 'muted' }, t('lab.average.size', { rows, cols }))] : []), bars());
  }

  onChange((changed) => { if (among(changed, 'averages', 'count', 'seed', 'rows', 'cols')) drawForm(); });
  // Figures of another board are marked as such, not thrown away.
  onChange(() => { if (race && race.status !== 'running' && isOld() !== Boolean(body.querySelector('#race-old'))) draw(); });
  onLanguage(() => { drawForm(); draw(); });

  return {
    run,
    stop,
    get running() { return race?.status === 'running'; },
    /** What the race has found, for whoever writes it somewhere. */
    result: () => race,
  };
}
