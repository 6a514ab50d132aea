// Play, the place where the game is. Its parts each follow the game by themselves: none needs another to be there
// before it.

import { initAlgorithms } from './algorithms.js';
import { actions, initControls } from './controls.js';
import { $ } from './dom.js';
import { initElsewhere } from './elsewhere.js';
import { initElapsed } from './elapsed.js';
import { greet, initExtras } from './extras.js';
import { adoptSaves } from './exchange.js';
import { initHud } from './hud.js';
import { t } from './i18n.js';
import { part, tellTabs } from './later.js';
import { firstGame, initLibrary, keep } from './library.js';
import { initOverlays } from './overlays.js';
import { builtinName } from './pictures.js';
import { initRail } from './rail.js';
import { changed as recordsCame, loadRecords } from './records.js';
import * as session from './session.js';
import { toast } from './sheets.js';
import { onWiped } from './store.js';
import { initThumbs } from './thumbs.js';
import { adoptRecords, flush } from './sync.js';
import { initTable } from './table.js';
import { initVoice } from './voice.js';
import { initWin } from './win.js';

/** What two pieces look like matters to nobody before the first move. */
const LOOKALIKE_MILLIS = 2000;
const PARTS = [initTable, initRail, initHud, initAlgorithms, initSharing, initWin, initVoice, initOverlays, initLookalike, initControls, initElsewhere, initUnsolvable, initWipe, initThumbs, initExtras, initAlbum];

function initSharing() {
  $('share').addEventListener('click', async () => (await part('sharing')).openShare());
  addEventListener('hashchange', async () => (await part('sharing')).openFromAddress());
}

/** A position that cannot be solved says so wherever it comes from, and what would mend it. */
function initUnsolvable() {
  session.follow(['game'], async () => {
    const game = session.current();
    if (!game.solvable) (await part('solver')).warnUnsolvable(game);
  });
}

/** Follows another tab that deletes everything. */
function initWipe() {
  const follow = async () => (await part('wipe')).afresh();
  tellTabs?.addEventListener('message', ({ data }) => { if (data.wiped) void follow(); });
  onWiped(() => void follow());
}

function initLookalike() {
  setTimeout(async () => (await part('lookalike', { isAsked: false })).initLookalike(), LOOKALIKE_MILLIS);
}

/** A picture of the player's own on the table: the album says so to other tabs. */
function initAlbum() {
  session.follow(['game', 'picture'], () => { if (!builtinName(session.current().picture)) void part('album'); });
}

export { actions };
export const title = 'title';
export const leave = () => session.pause();

/** Lets the browser paint the words before the board and the picture are made; not for ever, in a hidden tab. */
const painted = () => new Promise((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, 100);
});

export async function mount() {
  const opening = firstGame(() => adoptSaves().catch(() => 0));
  await painted();
  for (const init of PARTS) init();
  const [{ game, blocked, unreadable }] = await Promise.all([opening, loadRecords()]);
  if (game) session.open(game, { asPaused: true });
  initLibrary();
  initElapsed();
  addEventListener('pagehide', () => { session.pause(); void keep(); });
  if (unreadable) toast(() => t('saves.someUnreadable', { count: unreadable }));
  // A position that a link brings is a game of its own, whatever another tab has open.
  const linked = location.hash !== '' && (await openLinked());
  if (blocked && !linked) void part('offer').then(({ offer }) => offer(blocked));
  if (!game && !blocked && !linked) greet();
  void bringRecords();
}

/** Opens what the address carries, or begins without it where that part does not come: it is opened when it does. */
const openLinked = () => new Promise((resolve) => {
  void part('sharing', { onAway: () => resolve(false) }).then(async ({ openFromAddress }) => resolve(await openFromAddress()));
});

/** Records that only the server has, and those that it has lost. */
async function bringRecords() {
  if (await adoptRecords().catch(() => 0)) await recordsCame();
  void flush();
}
