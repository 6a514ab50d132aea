// The sheet of games, from which one is loaded (the unfinished ones, the copies that were named, files and positions), and the one in which the
// game on the table is saved under a name: one that is taken is asked about, and what was overwritten can be taken back.

import { forgetLearnt } from '../lessons/steps.js';
import { forgetMap } from '../places/paths/storage.js';
import { isForeign, isRefused } from './api.js';
import { button, el, icon } from './dom.js';
import { Game } from './game.js';
import { hasServer } from './host.js';
import { between, errorText, t, when } from './i18n.js';
import { changeCopy, claim, copyNamed, drop, entries, forgetElapsed, freeName, fromCopy, gameOf, isElsewhere, isNamed, isShared, keep, keepCopy, KEPT, revive, UNNAMED } from './library.js';
import { gameName, pictureName, progressOf, suggested, wellNamed } from './naming.js';
import { drawPosition, forgetPictures } from './pictures.js';
import { setPref } from './prefs.js';
import { loadRecords } from './records.js';
import { home } from './rules.js';
import * as session from './session.js';
import { pastePart } from './share.js';
import { ask, hush, sheet, toast } from './sheets.js';
import { askToStay } from './store.js';
import { adoptSaves, dropEverything, flush } from './sync.js';
import { exportAllButton, exportButton, exportGame, importButton } from './transfer.js';
/** @import { Entry } from './library.js' */

export function openSaves() {
  session.keepClock();
  const close = () => dialog.close();
  const list = el('div', { className: 'saves', id: 'saves-list' });
  const redraw = () => drawList(list, close);
  const dialog = sheet(t('saves.loadTitle'), [list, el('div', { className: 'actions' }, importButton(close), exportAllButton()), pastePart(close), wipePart(redraw)], { kind: 'wide' });
  void redraw();
  void flush().then(adoptSaves).catch(() => 0).then(redraw);
}

/** Draws the list: the unfinished games first, then the named copies. @param {HTMLElement} list @param {() => void} close */
async function drawList(list, close) {
  const shown = (await entries()).map((entry) => ({ entry, game: gameOf(entry) })).filter(({ entry, game }) => isNamed(entry) || !game || (game.running && game.played));
  const again = () => drawList(list, close);
  const part = (/** @type {string} */ key, /** @type {any[]} */ some) => (some.length ? [el('h3', {}, t(key)), ...some.map((one) => item(one, again, close))] : []);
  const named = part('saves.named', shown.filter(({ entry }) => isNamed(entry)));
  list.replaceChildren(...part('saves.unfinished', shown.filter(({ entry }) => !isNamed(entry))), ...(named.length ? named : [nothingYet()]));
}

function nothingYet() {
  return el('div', { className: 'save-item outline', id: 'no-saves' }, el('span', { className: 'ghost-thumb' }, ...Array.from({ length: 4 }, () => el('i'))), el('span', {}, t('saves.none', { most: KEPT })), el('span'));
}

/** @param {{ entry: Entry, game: Game | null }} one @param {() => Promise<void>} redraw @param {() => void} close */
function item({ entry, game }, redraw, close) {
  const name = isNamed(entry) ? entry.name : game ? gameName(game) : pictureName(entry.game.picture ?? '');
  const onTable = !isNamed(entry) && session.own().id === entry.id;
  const act = (/** @type {string} */ symbol, /** @type {string} */ label, /** @type {() => void} */ run) => el('button', { type: 'button', className: 'ghost', 'aria-label': label, title: label, onclick: run }, icon(symbol));
  const open = game && !onTable && button(t(isNamed(entry) ? 'do.load' : 'saves.goOn'), () => { close(); void load(entry, name); }, { 'aria-label': t(isNamed(entry) ? 'saves.loadName' : 'saves.goOnName', { name }) });
  return el('div', { className: 'save-item', 'data-save': entry.id }, thumb(game),
    el('span', {}, el('b', {}, name), el('span', { className: 'muted' }, game ? progressOf(game) : t('saves.unreadable')), el('br'), el('span', { className: 'muted' }, state(entry, onTable))),
    el('span', { className: 'acts' }, open,
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
  const game = isNamed(entry) ? await fromCopy(entry) : gameOf(entry);
  if (!game) return;
  if (!isNamed(entry) && (await isElsewhere(entry.id))) {
    const sure = await ask(t('elsewhere.title'), t('elsewhere.here'), [{ label: t('cancel'), value: false }, { label: t('elsewhere.back'), value: true, kind: 'filled' }]);
    if (sure) await claim(game);
    return;
  }
  // A copy of the game on the table, which was not played past it, is that game.
  const isSame = game.id !== null && game.id === session.own().id;
  if (isSame) session.open(game, { asPaused: true });
  else session.replace(game);
  const undo = isSame ? undefined : { label: () => t('do.undo'), run: () => session.bringBack() };
  if (game.solvable) toast(() => t(game.restarted && game.origin === 'scramble' ? 'saves.loadedAgain' : 'saves.loaded', { name }), undo);
}

/** The sheet in which the game on the table is saved; the cursor is in the name. */
export async function openSaving() {
  const game = session.keepClock();
  const taken = (await entries()).filter(isNamed).map(({ name }) => name);
  const names = el('datalist', { id: 'save-names' }, taken.map((value) => el('option', { value })));
  const name = el('input', { type: 'text', id: 'save-name', maxLength: 80, value: suggested(game), autocomplete: 'off', 'aria-label': t('saves.name') });
  name.setAttribute('list', names.id);
  const form = el('form', { className: 'save-form', onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    await save(wellNamed(name.value).trim() || suggested(game), () => dialog.close());
  } }, name, names, el('button', { type: 'submit', className: 'button filled', id: 'save-now' }, icon('save'), el('span', {}, t('do.save'))));
  const dialog = sheet(t('saves.saveTitle'), [form, el('p', { className: 'muted' }, t('saves.saveText', { most: KEPT })), el('div', { className: 'actions' }, exportButton())], { kind: 'wide', focus: name });
  name.select();
}

/** Saves under a name, which must not be the one of games that are kept by themselves, and closes the sheet. @param {string} wanted @param {() => void} close */
async function save(wanted, close) {
  // As the game is now: somebody may play on before the browser's database has answered.
  const content = session.keepClock().toSave();
  const name = wanted === UNNAMED ? `${wanted} 1` : wanted;
  const old = await copyNamed(name);
  const choice = old ? await askAbout(name, old) : 'both';
  if (!choice) return;
  if (old && choice === 'overwrite') {
    await changeCopy(old.id, { game: content });
    close();
    toast(() => t('saves.overwritten', { name }), { label: () => t('do.undo'), run: () => changeCopy(old.id, { game: old.game }) });
  } else {
    const free = await freeName(name);
    const id = await keepCopy(free, content);
    close();
    toast(() => t('saves.savedAs', { name: free }), { label: () => t('do.undo'), run: () => drop(id) });
  }
  // A named copy is meant to stay; a browser may show a prompt, so it is not asked at every move.
  askToStay();
}

function askAbout(/** @type {string} */ name, /** @type {Entry} */ old) {
  const game = gameOf(old);
  const text = t('saves.takenText', { what: game ? progressOf(game) : t('saves.unreadable') });
  return ask(t('saves.takenTitle', { name }), text, [{ label: t('cancel'), value: null }, { label: t('saves.keepBoth'), value: 'both' }, { label: t('saves.overwrite'), value: 'overwrite', kind: 'danger' }]);
}

/** Asks for another name for a copy; one that another copy has is refused. @param {Entry} entry @param {() => Promise<void>} redraw */
function rename(entry, redraw) {
  const name = el('input', { type: 'text', id: 'new-name', maxLength: 80, value: entry.name, autocomplete: 'off', 'aria-label': t('saves.newName') });
  const problem = el('p', { className: 'error', id: 'name-error', role: 'alert', hidden: true });
  const form = el('form', { className: 'save-form', onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    const wanted = wellNamed(name.value).trim();
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
  // The deleted entry may be newer than the one in the list.
  const was = (await drop(entry.id)) ?? entry;
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
    const sure = await ask(t('saves.wipe'), `${t('saves.wipeText')}${isShared() ? `${between()}${t('saves.wipeShared')}` : ''}`, [{ label: t('cancel'), value: false }, { label: t('saves.wipeYes'), value: true, kind: 'danger' }]);
    if (!sure) return;
    let [cleared, done] = [false, 'saves.wiped'];
    try {
      cleared = await dropEverything();
    } catch (error) {
      if (!isForeign(error)) {
        toast(() => t(isRefused(error) ? 'saves.wipeRefused' : 'saves.wipeGone', { error: errorText(error) }));
        return;
      }
      [cleared, done] = [await dropEverything({ isHereAlone: true }), 'saves.wipedHere'];
    }
    await beginAnew();
    await redraw();
    toast(() => t(cleared ? done : 'saves.wipeLeft'));
  };
  return el('div', {}, el('button', { type: 'button', className: 'link', id: 'wipe', onclick: wipe }, t('saves.wipe')));
}

/** Begins anew: the game on the table is gone too, and with it a picture of the player's own. */
async function beginAnew() {
  const { id, rows, cols } = session.current();
  hush();
  forgetPictures();
  session.open(new Game({ rows, cols }));
  session.forgetBefore();
  // It may have been written once more before it left the table.
  if (id) await drop(id);
  setPref('challenges', {});
  setPref('player', { id: null, shared: false });
  setPref('run', '');
  forgetLearnt();
  forgetMap();
  forgetElapsed();
  await loadRecords();
}
