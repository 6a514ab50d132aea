// The saves: autosave after every move, the sheet with named ones, files, and pasted positions.

import { $, button, el, icon } from './dom.js';
import { Game } from './game.js';
import { clockText, errorText, t, when } from './i18n.js';
import { builtinName, drawPosition } from './pictures.js';
import { home, play, shape, solvable, swapTwo } from './rules.js';
import * as session from './session.js';
import { ask, sheet, toast } from './sheets.js';
import { gameOfText } from './share.js';
import { AUTO, AUTO_NAME, dropEverything, dropSave, flush, keepSave, listSaves, onRefused } from './sync.js';
import * as store from './store.js';
import { exportGame, importGame } from './transfer.js';

let reloadRecords = async () => {};

/** Writes the running game to the browser's database at once; the server follows. */
export function autosave() {
  return keepSave({ id: AUTO, name: AUTO_NAME, game: session.keepClock().toSave() });
}

/** The game that was on the table when the page was last closed, or null. */
export async function lastGame() {
  const here = await store.get('saves', AUTO);
  const save = here ?? (await listSaves().catch(() => [])).find(({ id }) => id === AUTO);
  try {
    return save ? Game.fromSave(save.game) : null;
  } catch {
    return null;
  }
}

/** A name for a save that nobody named. */
function suggested(game) {
  const name = builtinName(game.picture);
  return t('saves.suggested', { picture: name ? t(`picture.${name}`) : t('picture.mine'), size: `${game.rows}×${game.cols}`, count: game.count });
}

/** Keeps a copy of a game under a name. */
export const saveAs = (name, game) => keepSave({ name, game: game.toSave() });

/** The sheet of saves; with `naming`, the cursor is in the name. */
export function openSaves({ naming = false } = {}) {
  const game = session.keepClock();
  const name = el('input', { type: 'text', id: 'save-name', maxLength: 80, value: suggested(game), 'aria-label': t('saves.name') });
  const list = el('div', { className: 'saves', id: 'saves-list' });
  const form = el('form', { className: 'save-form', onsubmit: async (event) => {
    event.preventDefault();
    await saveAs(name.value.trim() || suggested(game), session.keepClock());
    toast(t('saves.saved'));
    const redraw = () => drawList(list, () => dialog.close());
    redraw();
    flush().then(redraw);
  } }, name, el('button', { type: 'submit', className: 'button filled', id: 'save-now' }, icon('save'), el('span', {}, t('do.save'))));
  const dialog = sheet(t('saves.title'), [form, list, filesPart(() => dialog.close()), pastePart(() => dialog.close()), dangerPart(list, () => dialog.close())], { kind: 'wide', focus: naming ? name : null });
  if (naming) name.select();
  drawList(list, () => dialog.close());
}

async function drawList(list, close) {
  const saves = await listSaves();
  const named = saves.filter(({ id }) => id !== AUTO);
  list.replaceChildren(...(named.length ? named.map((save) => item(save, list, close)) : [nothingYet()]));
}

function nothingYet() {
  return el('div', { className: 'save-item outline', id: 'no-saves' }, el('span', { className: 'ghost-thumb' }, ...Array.from({ length: 4 }, () => el('i'))), el('span', {}, t('saves.none')), el('span'));
}

function item(save, list, close) {
  const { game } = save;
  const canvas = el('canvas', { width: 144, height: 144, 'aria-hidden': 'true' });
  const board = shape(game.rows, game.cols, game.wrap_rows ?? [], game.wrap_cols ?? []);
  drawPosition(canvas, { ...game, tiles: play(board, game.start, game.moves) ?? game.start }, home).catch(() => {});
  const act = (symbol, label, run) => el('button', { type: 'button', className: 'ghost', 'aria-label': label, title: label, onclick: run }, icon(symbol));
  return el('div', { className: 'save-item', 'data-save': save.id }, canvas,
    el('span', {}, el('b', {}, save.name), el('span', { className: 'muted' }, `${game.rows}×${game.cols} · ${t('moves', { count: game.moves.length })} · ${clockText(game.millis)}`), el('br'),
      el('span', { className: 'muted' }, save.dirty ? t('saves.waiting') : when(save.updated))),
    el('span', { className: 'acts' }, button(t('do.load'), () => { close(); loadSave(save); }, { 'aria-label': t('saves.loadName', { name: save.name }) }),
      act('out', t('saves.export', { name: save.name }), () => exportGame(save.name, save.game)),
      act('bin', t('saves.delete', { name: save.name }), () => removeSave(save, list, close))));
}

function loadSave(save) {
  put(Game.fromSave(save.game));
  toast(t('saves.loaded', { name: save.name }), { label: t('do.undo'), run: () => session.bringBack() });
}

/** Puts a game on the table, keeping what was there. */
function put(game) {
  session.replace(game);
}

async function removeSave(save, list, close) {
  await dropSave(save.id);
  await drawList(list, close);
  toast(t('saves.deleted', { name: save.name }), { label: t('do.undo'), run: async () => { await keepSave({ name: save.name, game: save.game }); drawList(list, close); } });
}

function filesPart(close) {
  const input = el('input', { type: 'file', id: 'import-file', accept: '.json,application/json', hidden: true, onchange: async () => {
    await openFile(input.files[0], close);
    input.value = '';
  } });
  return el('div', { className: 'actions' }, button(t('saves.exportNow'), () => exportGame(suggested(session.current()), session.keepClock().toSave()), { symbol: 'out', id: 'export-now' }), button(t('saves.import'), () => input.click(), { symbol: 'file' }), input);
}

/** Opens an exported file; says what is wrong with one that is not. Resolves to whether it was opened. */
export async function openFile(file, onRead = () => {}) {
  try {
    const { name, game } = await importGame(file);
    onRead();
    put(game);
    toast(t('saves.imported', { name }), { label: t('do.undo'), run: () => session.bringBack() });
    return true;
  } catch (error) {
    toast(t('saves.badFile', { name: file.name, error: error.message }));
    return false;
  }
}

function pastePart(close) {
  const box = el('textarea', { className: 'paste-box', id: 'paste-text', 'aria-label': t('saves.paste'), placeholder: '1 2 3\n4 0 5\n7 8 6' });
  const problem = el('div', { className: 'error', id: 'paste-error', hidden: true, role: 'alert' });
  const use = (game) => { close(); put(game); };
  const read = () => {
    problem.hidden = true;
    try {
      const game = gameOfText(box.value, session.current().picture);
      if (solvable(game.board, game.start, game.blank)) return use(game);
      const swap = () => use(new Game({ ...game.board, blank: game.blank, start: swapTwo(game.start), picture: game.picture }));
      problem.replaceChildren(el('p', {}, t('saves.unsolvable')), button(t('solve.swap'), swap, { id: 'paste-swap' }));
    } catch (error) {
      problem.replaceChildren(t('saves.badPaste', { error: error.message }));
    }
    problem.hidden = false;
    return null;
  };
  return el('details', {}, el('summary', {}, t('saves.paste')), el('div', { className: 'sheet-body' }, box, problem, el('div', { className: 'actions' }, button(t('saves.open'), read, { id: 'paste-open' }))));
}

function dangerPart(list, close) {
  const wipe = async () => {
    const sure = await ask(t('saves.wipe'), t('saves.wipeText'), [{ label: t('cancel'), value: false }, { label: t('saves.wipeYes'), value: true, kind: 'danger' }]);
    if (!sure) return;
    try {
      await dropEverything();
      await reloadRecords();
      await drawList(list, close);
      toast(t('saves.wiped'));
    } catch {
      toast(t('saves.wipeGone'));
    }
  };
  return el('div', {}, el('button', { type: 'button', className: 'link', id: 'wipe', onclick: wipe }, t('saves.wipe')));
}

const COMPLAINT_MILLIS = 60000;
let complained = { text: '', when: -Infinity };

/** Says what the server refused; the same thing once a minute, for an autosave comes with every move. */
function complain(text) {
  const now = performance.now();
  if (text === complained.text && now - complained.when < COMPLAINT_MILLIS) return;
  complained = { text, when: now };
  toast(text);
}

export function initSaves({ onWiped }) {
  reloadRecords = onWiped;
  session.on('changed', autosave);
  $('save').addEventListener('click', () => openSaves({ naming: true }));
  $('load').addEventListener('click', () => openSaves());
  onRefused((error, kind) => complain(t(kind === 'records' ? 'net.recordRefused' : 'net.refused', { error: errorText(error) })));
}
