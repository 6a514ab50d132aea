// Saving the game on the table under a name; a name that is taken is asked about, and what was overwritten can be taken back.

import { exportButton } from './files.js';
import { el, icon } from './dom.js';
import { t } from './i18n.js';
import { UNNAMED, changeCopy, copyNamed, drop, entries, gameOf, isNamed, keepCopy } from './library.js';
import { progressOf, suggested } from './naming.js';
import * as session from './session.js';
import { ask, sheet, toast } from './sheets.js';

/** The sheet in which the game on the table is saved; the cursor is in the name. */
export async function openSaving() {
  const game = session.keepClock();
  const taken = (await entries()).filter(isNamed).map(({ name }) => name);
  const names = el('datalist', { id: 'save-names' }, taken.map((value) => el('option', { value })));
  const name = el('input', { type: 'text', id: 'save-name', maxLength: 80, value: suggested(game), autocomplete: 'off', 'aria-label': t('saves.name') });
  name.setAttribute('list', names.id);
  const form = el('form', { className: 'save-form', onsubmit: async (event) => {
    event.preventDefault();
    await save(name.value.trim() || suggested(game), () => dialog.close());
  } }, name, names, el('button', { type: 'submit', className: 'button filled', id: 'save-now' }, icon('save'), el('span', {}, t('do.save'))));
  const dialog = sheet(t('saves.saveTitle'), [form, el('p', { className: 'muted' }, t('saves.saveText')), el('div', { className: 'actions' }, exportButton())], { kind: 'wide', focus: name });
  name.select();
}

/** Saves under a name, which must not be the one of games that are kept by themselves, and closes the sheet. */
async function save(wanted, close) {
  const name = wanted === UNNAMED ? `${wanted} 1` : wanted;
  const old = await copyNamed(name);
  const choice = old ? await askAbout(name, old) : 'both';
  if (!choice) return;
  const game = session.keepClock().toSave();
  if (old && choice === 'overwrite') {
    await changeCopy(old.id, { game });
    close();
    toast(t('saves.overwritten', { name }), { label: t('do.undo'), run: () => changeCopy(old.id, { game: old.game }) });
  } else {
    const free = old ? await another(name) : name;
    const id = await keepCopy(free, game);
    close();
    toast(t('saves.savedAs', { name: free }), { label: t('do.undo'), run: () => drop(id) });
  }
}

function askAbout(name, old) {
  const game = gameOf(old);
  const text = t('saves.takenText', { what: game ? progressOf(game) : t('saves.unreadable') });
  return ask(t('saves.takenTitle', { name }), text, [{ label: t('cancel'), value: null }, { label: t('saves.keepBoth'), value: 'both' }, { label: t('saves.overwrite'), value: 'overwrite', kind: 'danger' }]);
}

/** The first of “name 2”, “name 3”, … that is not taken. */
async function another(name) {
  const taken = new Set((await entries()).map((entry) => entry.name));
  let number = 2;
  while (taken.has(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
}
