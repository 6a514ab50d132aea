// The sheet of games, from which one is loaded: the unfinished ones, the copies that were named, files and positions.

import { forgetLearnt } from '../lessons/steps.js';
import { forgetMap } from '../places/paths/storage.js';
import { changeCopy, copyNamed, dropPlayed, isOvertaken } from './copies.js';
import { button, el, icon } from './dom.js';
import { forgetElapsed } from './elapsed.js';
import { entries, gameOf, isNamed, KEPT, revive, UNNAMED } from './entries.js';
import { Game } from './game.js';
import { forgetHelp, whyNot } from './helped.js';
import { hasServer } from './host.js';
import { errorText, t, when } from './i18n.js';
import { tellTabs } from './later.js';
import { claim, clearTable, isElsewhere, keep } from './library.js';
import { gameName, pictureName, progressOf } from './naming.js';
import { drawPosition, forgetPictures } from './pictures.js';
import { loadRecords } from './records.js';
import { home } from './rules.js';
import { GRACE, graceOf, keepNamed } from './saving.js';
import * as session from './session.js';
import { pastePart } from './share.js';
import { ask, hush, sheet, toast } from './sheets.js';
import * as store from './store.js';
import { adoptSaves, dropEverything, flush } from './sync.js';
import { exportGame, importButton } from './transfer.js';
/** @import { Entry } from './entries.js' */

export function openSaves() {
  session.keepClock();
  const close = () => dialog.close();
  const list = el('div', { className: 'saves', id: 'saves-list' });
  const redraw = () => drawList(list, close);
  const dialog = sheet(t('saves.loadTitle'), [list, el('div', { className: 'actions' }, importButton(close)), pastePart(close), wipePart(redraw)], { kind: 'wide' });
  void redraw();
  void flush().then(adoptSaves).catch(() => 0).then(redraw);
}

/** Draws the list: the unfinished games first, then those that make room for them, then the named copies. @param {HTMLElement} list @param {() => void} close */
async function drawList(list, close) {
  const all = await entries();
  const shown = all.map((entry) => ({ entry, game: gameOf(entry) })).filter(({ entry, game }) => isNamed(entry) || !game || (game.running && game.played));
  const again = () => drawList(list, close);
  const begun = shown.filter(({ entry, game }) => !isNamed(entry) && game);
  const leaving = begun.slice(KEPT);
  const part = (/** @type {string} */ key, /** @type {any[]} */ some) => (some.length ? [el('h3', {}, t(key)), ...some.map((one) => item(one, leaving.includes(one), again, close))] : []);
  const unnamed = part('saves.unfinished', shown.filter((one) => !isNamed(one.entry) && !leaving.includes(one)));
  // Said before it happens, where something can be done about it.
  if (begun.length >= KEPT) unnamed.splice(1, 0, el('p', { className: 'muted', id: 'saves-crowded' }, t('saves.crowded', { most: KEPT, grace: GRACE })));
  const named = part('saves.named', shown.filter(({ entry }) => isNamed(entry)));
  list.replaceChildren(...unnamed, ...part('saves.leaving', leaving), ...(named.length ? named : [nothingYet()]));
}

function nothingYet() {
  return el('div', { className: 'save-item outline', id: 'no-saves' }, el('span', { className: 'ghost-thumb' }, ...Array.from({ length: 4 }, () => el('i'))), el('span', {}, t('saves.none', { most: KEPT })), el('span'));
}

/** @param {{ entry: Entry, game: Game | null }} one @param {boolean} isLeaving @param {() => Promise<void>} redraw @param {() => void} close */
function item({ entry, game }, isLeaving, redraw, close) {
  const name = isNamed(entry) ? entry.name : game ? gameName(game) : pictureName(entry.game.picture ?? '');
  const onTable = !isNamed(entry) && session.own().id === entry.id;
  const act = (/** @type {string} */ symbol, /** @type {string} */ label, /** @type {() => void} */ run) => el('button', { type: 'button', className: 'ghost', 'aria-label': label, title: label, onclick: run }, icon(symbol));
  const open = game && !onTable && button(t(isNamed(entry) ? 'do.load' : 'saves.goOn'), () => { close(); void load(entry, name); }, { 'aria-label': t(isNamed(entry) ? 'saves.loadName' : 'saves.goOnName', { name }) });
  return el('div', { className: 'save-item', 'data-save': entry.id }, thumb(game),
    el('span', {}, el('b', {}, name), el('span', { className: 'muted' }, game ? progressOf(game) : t('saves.unreadable')), el('br'), el('span', { className: 'muted' }, isLeaving && !onTable ? t('saves.goes', { count: graceOf(entry) }) : state(entry, onTable))),
    el('span', { className: 'acts' }, open,
      isLeaving && button(t('saves.keepIt'), async () => { await keepNamed([{ entry, game }]); await redraw(); }, { 'aria-label': `${t('saves.keepIt')}: ${name}` }),
      isNamed(entry) && act('pen', t('saves.rename', { name }), () => rename(entry, redraw)),
      act('out', t('saves.export', { name }), () => exportGame(name, entry.game)),
      act('bin', t('saves.delete', { name }), () => remove(entry, name, onTable, redraw))));
}

function thumb(/** @type {Game | null} */ game) {
  const canvas = el('canvas', { width: 144, height: 144, 'aria-hidden': 'true' });
  if (game) drawPosition(canvas, game, home).catch(() => {});
  return canvas;
}

/** When it was kept, or why the server has not got it. @param {Entry} entry @param {boolean} onTable */
function state({ dirty, problem, updated }, onTable) {
  if (onTable) return t('saves.onTable');
  if (problem) return t('saves.refused', { error: errorText({ code: problem.code, message: problem.text }) });
  return dirty && hasServer ? t('saves.waiting') : when(updated);
}

/** Puts an entry on the table: a game goes on, of a copy a copy. One that another tab has is asked about. @param {Entry} entry @param {string} name */
export async function load(entry, name) {
  const game = gameOf(entry);
  if (!game) return;
  if (!isNamed(entry) && (await isElsewhere(entry.id))) {
    const sure = await ask(t('elsewhere.title'), t('elsewhere.here'), [{ label: t('cancel'), value: false }, { label: t('elsewhere.back'), value: true, kind: 'filled' }]);
    if (sure) await claim(game);
    return;
  }
  game.again ||= isNamed(entry) && (await isOvertaken(entry));
  session.replace(game);
  if (game.solvable) toast(() => t(whyNot(game) === 'again' ? 'saves.loadedAgain' : 'saves.loaded', { name }), { label: () => t('do.undo'), run: () => session.bringBack() });
}

/** Asks for another name for a copy; one that another copy has is refused. @param {Entry} entry @param {() => Promise<void>} redraw */
function rename(entry, redraw) {
  const name = el('input', { type: 'text', id: 'new-name', maxLength: 80, value: entry.name, autocomplete: 'off', 'aria-label': t('saves.newName') });
  const problem = el('p', { className: 'error', id: 'name-error', role: 'alert', hidden: true });
  const form = el('form', { className: 'save-form', onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    const wanted = name.value.trim();
    const other = await copyNamed(wanted);
    const isFree = wanted !== '' && wanted !== UNNAMED && (!other || other.id === entry.id);
    problem.hidden = isFree;
    problem.textContent = isFree ? '' : t(wanted ? 'saves.nameTaken' : 'saves.nameEmpty', { name: wanted });
    if (!isFree) return;
    dialog.close();
    if (wanted === entry.name) return;
    await changeCopy(entry.id, { name: wanted });
    await redraw();
    toast(() => t('saves.renamed', { name: wanted }), { label: () => t('do.undo'), run: async () => { await changeCopy(entry.id, { name: entry.name }); await redraw(); } });
  } }, name, el('button', { type: 'submit', className: 'button filled', id: 'rename-now' }, t('saves.renameDo')));
  const dialog = sheet(t('saves.rename', { name: entry.name }), [form, problem], { kind: 'centred', focus: name });
  name.select();
}

/** @param {Entry} entry @param {string} name @param {boolean} onTable @param {() => Promise<void>} redraw */
async function remove(entry, name, onTable, redraw) {
  if (onTable) {
    await keep();
    session.open(new Game(session.settings()));
  }
  // What is deleted may be newer than what the list shows.
  const was = (await dropPlayed(entry.id)) ?? entry;
  await redraw();
  toast(() => t('saves.deleted', { name }), { label: () => t('do.undo'), run: async () => { await revive(was); await redraw(); } });
}

/** Says that the game which would lie here is open in another tab. When that one is closed, the game comes here. @param {Entry} entry */
export function offer(entry) {
  const game = gameOf(entry);
  if (!game) return;
  const waiting = new AbortController();
  const act = (/** @type {() => void} */ run) => () => { dialog.close(); run(); };
  const take = button(t('elsewhere.back'), act(() => claim(game)), { kind: 'filled', id: 'take-over' });
  const dialog = sheet(t('elsewhere.title'), [
    el('p', {}, t('elsewhere.text')),
    el('div', { className: 'actions' },
      take,
      button(t('elsewhere.other'), act(openSaves), { id: 'open-other' }),
      button(t('elsewhere.fresh'), act(() => {}), { id: 'begin-fresh' })),
  ], { kind: 'centred', focus: take });
  dialog.addEventListener('close', () => waiting.abort());
  // Another game that comes here, by a link for instance, is not to be replaced by this one later.
  session.on('game', () => dialog.close());
  void claim(game, { signal: waiting.signal }).then((came) => { if (came) dialog.close(); });
}

function wipePart(/** @type {() => Promise<void>} */ redraw) {
  const wipe = async () => {
    const sure = await ask(t('saves.wipe'), t('saves.wipeText'), [{ label: t('cancel'), value: false }, { label: t('saves.wipeYes'), value: true, kind: 'danger' }]);
    if (!sure) return;
    let cleared = false;
    try {
      cleared = await dropEverything();
    } catch {
      toast(() => t('saves.wipeGone'));
      return;
    }
    tellTabs?.postMessage({ wiped: true });
    await afresh();
    await redraw();
    toast(() => t(cleared ? 'saves.wiped' : 'saves.wipeLeft'));
  };
  return el('div', {}, el('button', { type: 'button', className: 'link', id: 'wipe', onclick: wipe }, t('saves.wipe')));
}

/** @type {Promise<void> | null} */
let beginning = null;

/** Begins anew: the game on the table is gone too, and with it a picture of the player's own. */
export function afresh() {
  beginning ??= clearedTable().finally(() => { beginning = null; });
  return beginning;
}

async function clearedTable() {
  const { id, rows, cols } = session.current();
  hush();
  forgetPictures();
  session.open(new Game({ rows, cols }));
  session.forgetBefore();
  // What is still being written is of the old epoch, and refused: the new one begins after it.
  await clearTable();
  store.beginAnew();
  if (id) await store.remove('saves', id);
  forgetHelp();
  forgetLearnt();
  forgetMap();
  forgetElapsed();
  await loadRecords();
}
