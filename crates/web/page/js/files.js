// Games as files, on the page: exporting the one on the table, and opening one that was exported.

import { button, el } from './dom.js';
import { errorText, t } from './i18n.js';
import { suggested } from './saves.js';
import * as session from './session.js';
import { toast } from './sheets.js';
import { exportGame, importGame } from './transfer.js';

/** The part of the sheet of games that has to do with files. */
export function filesPart(close) {
  const input = el('input', { type: 'file', id: 'import-file', accept: '.json,application/json', hidden: true, onchange: async () => {
    await openFile(input.files[0], close);
    input.value = '';
  } });
  const exportNow = () => exportGame(suggested(session.current()), session.keepClock().toSave());
  return el('div', { className: 'actions' }, button(t('saves.exportNow'), exportNow, { symbol: 'out', id: 'export-now' }), button(t('saves.import'), () => input.click(), { symbol: 'file' }), input);
}

/** Opens an exported file; says what is wrong with one that is not. Resolves to whether it was opened. */
export async function openFile(file, onRead = () => {}) {
  try {
    const { name, game } = await importGame(file);
    onRead();
    session.replace(game);
    toast(t('saves.imported', { name }), { label: t('do.undo'), run: () => session.bringBack() });
    return true;
  } catch (error) {
    toast(t('saves.badFile', { name: file.name, error: errorText(error) }));
    return false;
  }
}
