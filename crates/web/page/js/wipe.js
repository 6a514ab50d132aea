// Deleting everything of this browser, here, in its other tabs and on the server.

import { forgetLearnt } from '../lessons/steps.js';
import { forgetMap } from '../places/paths/key.js';
import { el } from './dom.js';
import { forgetElapsed } from './elapsed.js';
import { Game } from './game.js';
import { forgetHelp } from './helped.js';
import { t } from './i18n.js';
import { tellTabs } from './later.js';
import { clearTable } from './library.js';
import { forgetPictures } from './pictures.js';
import { loadRecords } from './records.js';
import * as session from './session.js';
import { ask, hush, toast } from './sheets.js';
import * as store from './store.js';
import { dropEverything } from './sync.js';

/** The part of the sheet of games that deletes all of them. */
export function wipePart(redraw) {
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
