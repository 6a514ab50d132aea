// Games as files, on the page: exporting the one on the table, and opening one that was exported.

import { button, el } from './dom.js';
import { decimal, knows, t } from './i18n.js';
import { suggested } from './naming.js';
import { SaveError } from './save.js';
import * as session from './session.js';
import { toast } from './sheets.js';
import { LARGEST, exportGame, importGame } from './transfer.js';

/** A button that saves the game on the table as a file. */
export const exportButton = () => button(t('saves.exportNow'), () => exportGame(suggested(session.current()), session.keepClock().toSave()), { symbol: 'out', id: 'export-now' });

/** A button that opens an exported file. */
export function importButton(close) {
  const input = el('input', { type: 'file', id: 'import-file', accept: '.json,application/json', hidden: true, onchange: async () => {
    await openFile(input.files[0], close);
    input.value = '';
  } });
  return [button(t('saves.import'), () => input.click(), { symbol: 'file', id: 'import' }), input];
}

/** Opens an exported file; says what is wrong with one that is not. Resolves to whether it was opened. */
export async function openFile(file, onRead = () => {}) {
  try {
    const { name, game, isPictureLost } = await importGame(file);
    onRead();
    session.replace(game);
    if (game.solvable) toast(() => t(isPictureLost ? 'saves.importedWithout' : 'saves.imported', { name }), { label: () => t('do.undo'), run: () => session.bringBack() });
    return true;
  } catch (error) {
    if (!(error instanceof SaveError)) throw error;
    toast(() => t(knows(`file.${error.code}`) ? `file.${error.code}` : 'file.bad-field', { name: file.name, size: decimal(file.size / 1048576), most: LARGEST / 1048576 }));
    return false;
  }
}
