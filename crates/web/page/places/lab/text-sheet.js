// Boards as text, in any shape that the command line reads: typed into a sheet, or pasted on the page.

import { TextError, readBoards } from '../../js/boardtext.js';
import { el } from '../../js/dom.js';
import { language, t } from '../../js/i18n.js';
import { laterWords, offerAgain } from '../../js/later.js';
import { port } from '../../js/port.js';
import { MAX_SIDE, MIN_SIDE, whole } from '../../js/rules.js';
import { problemText } from '../../js/share.js';
import { sheet, toast } from '../../js/sheets.js';
import { onPasted } from '../../trace/common.js';
import { troubleText } from './engine.js';
import { carriesSetup, change, setup } from './setup.js';

/** Goals that have names, which the engine knows. */
const GOALS = new Set(['standard', 'blank-first', 'snail']);

/** Reads a start, and a goal where one stands below it. Throws a TextError that says what is wrong. @param {string} text */
function boardsIn(text) {
  const read = readBoards(text);
  const { rows, cols } = read.start;
  if (![rows, cols].every((side) => side >= MIN_SIDE && side <= MAX_SIDE)) throw new TextError('sides', { rows, cols, least: MIN_SIDE, most: MAX_SIDE });
  return read;
}

/** The goal that somebody wrote for a start; like it, it may be on one line, for its size is known. */
async function goalIn(/** @type {string} */ text, /** @type {any} */ startText, /** @type {{ rows: number, cols: number, tiles: any }} */ { rows, cols, tiles }) {
  if (GOALS.has(text)) return (await port.check({ text: `${rows} ${cols}\n${tiles.join(' ')}`, goal_text: text, wrap_rows: [], wrap_cols: [] }).promise).goal;
  try {
    return (readBoards(`${startText}\n\n${text}`).goal ?? readBoards(text).start).tiles;
  } catch (error) {
    // Errors of the goal are counted in its own lines.
    readBoards(text);
    throw error;
  }
}

/** Another board; what it does not say stays where it fits. */
function use(/** @type {{ rows: number, cols: number, tiles: any }} */ { rows, cols, tiles }, goal = /** @type {number[] | null} */ (null)) {
  const same = rows === setup().rows && cols === setup().cols;
  change({ rows, cols, tiles, goal: goal ?? (same ? setup().goal : whole(rows, cols, rows * cols - 1)), ...(!same && { wrapRows: [], wrapCols: [] }) });
}

/** The set-up's link in a text, or null. @param {string} text */
function linkIn(text) {
  const found = /#\S+/.exec(text)?.[0];
  return found && carriesSetup(found) ? found : null;
}

const wrongText = (/** @type {string} */ key, /** @type {any} */ error) => (error instanceof TextError ? t('lab.paste.wrong', { which: t(key), problem: problemText(error) }) : troubleText(error));

/** Whether what is wrong can be said: those words come when they are wanted. Where they do not, `again` is offered. @param {any} again */
const isReady = (again) => laterWords().then(() => true, (error) => { void offerAgain(`i18n/later/${language()}`, again, error); return false; });

export async function openPaste() {
  if (!(await isReady(openPaste))) return;
  const area = (/** @type {string} */ id, /** @type {string} */ label, /** @type {string} */ text) => [el('label', { for: id }, t(label)), el('textarea', { id, className: 'paste-box', value: text, spellcheck: false })];
  const rowsOf = (/** @type {any[]} */ tiles) => Array.from({ length: setup().rows }, (_, row) => tiles.slice(row * setup().cols, (row + 1) * setup().cols).join(' ')).join('\n');
  const wrong = el('p', { className: 'error', hidden: true, role: 'alert' });
  const [startLabel, start] = area('lab-text', 'lab.start', rowsOf(setup().tiles));
  const kept = rowsOf(setup().goal);
  const [goalLabel, goal] = area('lab-goal-text', 'lab.paste.goal', kept);

  async function read() {
    const link = linkIn(start.value);
    if (link) location.hash = link;
    else {
      const given = boardsIn(start.value);
      const text = goal.value.trim();
      const usual = () => whole(given.start.rows, given.start.cols, given.start.tiles.length - 1);
      part = 'lab.goal';
      use(given.start, given.goal?.tiles ?? (text === kept ? null : text ? await goalIn(text, start.value, given.start) : usual()));
    }
    dialog.close();
  }

  let part = 'lab.start';
  const submit = (/** @type {any} */ event) => {
    event.preventDefault();
    part = 'lab.start';
    read().catch((error) => {
      wrong.hidden = false;
      wrong.textContent = wrongText(part, error);
    });
  };
  const dialog = sheet(t('lab.paste'), el('form', { className: 'sheet-body', onsubmit: submit }, el('p', { className: 'muted' }, t('lab.paste.help')), startLabel, start, goalLabel, goal, wrong,
    el('div', { className: 'actions' }, el('button', { type: 'submit', className: 'button filled', id: 'lab-use-text' }, t('lab.paste.use')))), { focus: start });
  start.select();
}

/** Takes boards and links that are pasted on the page itself. @param {() => boolean} isShown */
export const takePasted = (isShown) => onPasted(isShown, async function read(text) {
  const link = linkIn(text);
  if (link) {
    location.hash = link;
    return;
  }
  if (!(await isReady(() => void read(text)))) return;
  try {
    const { start, goal } = boardsIn(text.trim());
    use(start, goal?.tiles ?? null);
    toast(() => t('lab.pasted.done'));
  } catch (error) {
    toast(() => wrongText('lab.pasted', error));
  }
});
