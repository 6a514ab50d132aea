// Saving the game on the table under a name; a name that is taken is asked about, and what was overwritten can be taken back. What makes room
// can be saved, too, for as long as it is still there.

import { changeCopy, copyNamed, dropPlayed, freeName, keepCopy } from './copies.js';
import { el, icon } from './dom.js';
import { contentOf, drop, entries, gameOf, isNamed, KEPT, revive, UNNAMED } from './entries.js';
import { t } from './i18n.js';
import { openSaves } from './later.js';
import { progressOf, suggested } from './naming.js';
import * as session from './session.js';
import { ask, sheet, toast } from './sheets.js';
import * as store from './store.js';
import { exportButton } from './transfer.js';
/** @import { Entry } from './entries.js' @import { Game } from './game.js' */

/** So many games are begun before one that makes room goes: who has just made a first move has no eyes for a notice. */
export const GRACE = 10;

/** How many games can be begun until one that makes room goes. @param {import('./entries.js').Entry} entry */
export const graceOf = ({ left }) => left ?? GRACE + 1;

/** The sheet in which the game on the table is saved; the cursor is in the name. */
export async function openSaving() {
  const game = session.keepClock();
  const taken = (await entries()).filter(isNamed).map(({ name }) => name);
  const names = el('datalist', { id: 'save-names' }, taken.map((value) => el('option', { value })));
  const name = el('input', { type: 'text', id: 'save-name', maxLength: 80, value: suggested(game), autocomplete: 'off', 'aria-label': t('saves.name') });
  name.setAttribute('list', names.id);
  const form = el('form', { className: 'save-form', onsubmit: async (/** @type {Event} */ event) => {
    event.preventDefault();
    await save(name.value.trim() || suggested(game), () => dialog.close());
  } }, name, names, el('button', { type: 'submit', className: 'button filled', id: 'save-now' }, icon('save'), el('span', {}, t('do.save'))));
  const dialog = sheet(t('saves.saveTitle'), [form, el('p', { className: 'muted' }, t('saves.saveText', { most: KEPT })), el('div', { className: 'actions' }, exportButton())], { kind: 'wide', focus: name });
  name.select();
}

/** Saves under a name, which must not be the one of games that are kept by themselves, and closes the sheet. @param {string} wanted @param {() => void} close */
async function save(wanted, close) {
  // As the game is now: somebody may play on before the browser's database has answered.
  const content = contentOf(session.keepClock());
  const name = wanted === UNNAMED ? `${wanted} 1` : wanted;
  const old = await copyNamed(name);
  const choice = old ? await askAbout(name, old) : 'both';
  if (!choice) return;
  if (old && choice === 'overwrite') {
    await changeCopy(old.id, content);
    close();
    toast(() => t('saves.overwritten', { name }), { label: () => t('do.undo'), run: () => changeCopy(old.id, { game: old.game, again: old.again, strays: old.strays }) });
  } else {
    const free = await freeName(name);
    const id = await keepCopy(free, content);
    close();
    toast(() => t('saves.savedAs', { name: free }), { label: () => t('do.undo'), run: () => drop(id) });
  }
}

function askAbout(/** @type {string} */ name, /** @type {Entry} */ old) {
  const game = gameOf(old);
  const text = t('saves.takenText', { what: game ? progressOf(game) : t('saves.unreadable') });
  return ask(t('saves.takenTitle', { name }), text, [{ label: t('cancel'), value: null }, { label: t('saves.keepBoth'), value: 'both' }, { label: t('saves.overwrite'), value: 'overwrite', kind: 'danger' }]);
}

/**
 * A game was begun, and the oldest unfinished ones make room: each waits, and goes when its time has come. The player is told when the first of them
 * begins to wait, and before the first one goes; the list of games says it of each.
 * @param {{ entry: import('./entries.js').Entry, game: import('./game.js').Game }[]} oldest
 */
export async function makeWay(oldest) {
  const [isFirst, gone] = [oldest.every(({ entry }) => graceOf(entry) > GRACE), oldest.filter(({ entry }) => graceOf(entry) === 1)];
  const next = oldest.filter(({ entry }) => graceOf(entry) === 2);
  for (const { entry } of oldest) {
    const left = graceOf(entry) - 1;
    if (left) await store.update('saves', entry.id, (now) => now && { ...now, left });
    else await dropPlayed(entry.id);
  }
  if (isFirst) toast(() => t('saves.madeRoom', { most: KEPT, grace: GRACE }), { label: () => t('do.load'), run: () => openSaves() });
  else if (next.length && !gone.length) lastCall(next);
}

function lastCall(/** @type {{ entry: Entry, game: Game }[]} */ next) {
  const isOne = next.length === 1;
  toast(() => t(isOne ? 'saves.lastCall' : 'saves.lastCallMany', { name: suggested(next[0].game), count: next.length }), { label: () => t(isOne ? 'saves.keepIt' : 'saves.keepThem'), run: () => keepNamed(next) });
}

/** Makes copies of unfinished games that make room: those stay until they are deleted. @param {{ entry: Entry, game: any }[]} list */
export async function keepNamed(list) {
  let name = '';
  for (const { entry, game } of list) {
    name = await freeName(suggested(game));
    await revive(entry);
    await changeCopy(entry.id, { name, game: game.toSave() });
  }
  toast(() => (list.length === 1 ? t('saves.savedAs', { name }) : t('saves.savedMany', { count: list.length })), { label: () => t('keep.games'), run: () => openSaves() });
}
