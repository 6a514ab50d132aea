// Play, the place where the game is. Its parts each follow the game by themselves: none needs another to be there before it.

import { initAlgorithms } from './algorithms.js';
import { actions, initControls } from './controls.js';
import { $ } from './dom.js';
import { initHud, phaseShown } from './hud.js';
import { hasServer } from './host.js';
import { t } from './i18n.js';
import { openSaves, rest } from './later.js';
import { firstGame, initLibrary, takeBack } from './library.js';
import { builtinName } from './pictures.js';
import { pref, setPref } from './prefs.js';
import { closeMore, initRail } from './rail.js';
import { allRecords, changed as recordsCame, loadRecords } from './records.js';
import * as session from './session.js';
import { toast } from './sheets.js';
import { all as allOf } from './store.js';
import { adoptRecords, adoptSaves, flush } from './sync.js';
import { initTable } from './table.js';
import { initThumbs } from './thumbs.js';
import { initWin } from './win.js';

/** Look-alike pieces are looked for from the first move on. */
const LOOKALIKE_MILLIS = 2000;
const PARTS = [initTable, initRail, initHud, initAlgorithms, initWin, initControls, initElsewhere, initThumbs, initWays, initGame];

/** A game that another tab has taken: the player can take it back or play another. */
function initElsewhere() {
  $('take-back').addEventListener('click', () => void takeBack());
  $('away-other').addEventListener('click', () => openSaves());
  session.on('phase', () => { if (session.phase() === 'elsewhere') $('away-veil').scrollIntoView({ block: 'nearest' }); });
}

/** Ways to play: the day's puzzle, speed-solving, lessons; and the sound of a move. */
function initWays() {
  const ways = { daily: (/** @type {{ openDaily: () => void }} */ { openDaily }) => openDaily(), classic: (/** @type {any} */ { classic }) => classic.toggle(), lessons: (/** @type {{ openLessons: () => void }} */ { openLessons }) => openLessons() };
  for (const [name, open] of Object.entries(ways)) $(`open-${name}`).addEventListener('click', async () => { closeMore(); open(await rest()); });
  if (pref('classic').on) void rest().then(({ classic }) => classic.show());
  $('open-calm').addEventListener('click', toggleCalm);
  showCalm();
  session.on('moved', async ({ run, source }) => {
    if ((pref('sound') || pref('vibration')) && source !== 'playback') (await rest()).feel(run, session.current().solved);
  });
  session.on('won', async () => {
    const [game, now] = [session.keepClock(), new Date()];
    if (mayBeDaily(game)) (await rest()).finished(game, now);
  });
}

/** Calm: no clock and no figures, so no speed-solving either. */
async function toggleCalm() {
  closeMore();
  setPref('calm', !pref('calm'));
  showCalm();
  phaseShown();
  if (pref('calm') && pref('classic').on) (await rest()).classic.toggle();
}

function showCalm() {
  document.documentElement.classList.toggle('calm', pref('calm'));
  $('open-calm').setAttribute('aria-pressed', String(pref('calm')));
}

/** Whether a game may be a day's puzzle: begun as one, or by a link to one. @param {import('./game.js').Game} game */
const mayBeDaily = ({ origin }) => origin === 'daily' || origin === 'link';

/** Loads parts that only some games need. */
function initGame() {
  session.follow(['game'], async () => {
    const game = session.current();
    if (!game.solvable) (await rest()).warnUnsolvable(game);
    if (mayBeDaily(game)) (await rest({ isAsked: false })).showDay();
  });
  session.follow(['game', 'picture'], async () => { if (!builtinName(session.current().picture)) (await rest()).followTable(); });
  setTimeout(async () => (await rest({ isAsked: false })).initLookalike(), LOOKALIKE_MILLIS);
  addEventListener('hashchange', async () => followAddress(await rest()));
}

export { actions };
export const title = 'title';
export const leave = () => session.pause();

/** Lets the browser paint the words before the board and the picture are made; not for ever, in a hidden tab. */
const painted = () => new Promise((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, 100);
});

/** A player with records or a solved daily puzzle has won before, even if that was not noted. Resolves to whether it was noted now. */
async function recallWins() {
  if (pref('met') || !(allRecords().length || (await allOf('days')).length)) return false;
  setPref('met', true);
  return true;
}

export async function mount() {
  const [opening, last] = [firstGame(() => adoptSaves().catch(() => 0)), pref('board')];
  await painted();
  for (const init of PARTS) init();
  const [{ game, blocked, unreadable }] = await Promise.all([opening, loadRecords()]);
  const isRecalled = await recallWins().catch(() => false);
  if (game && session.current().fresh) session.open(game, { asPaused: true });
  else if (isRecalled && session.current().fresh) session.open(session.lastBoard(last));
  initLibrary();
  if (unreadable) toast(() => t('saves.someUnreadable', { count: unreadable }));
  // A position that a link brings is a game of its own, whatever another tab has open.
  const linked = location.hash !== '' && (await openLinked());
  if (blocked && !linked) void rest().then(({ offer }) => offer(blocked));
  void bringRecords();
  if (hasServer) setTimeout(async () => (await rest({ isAsked: false })).followDevices(), LOOKALIKE_MILLIS);
}

/** Opens what the address carries, or begins without it where the rest does not come: it is opened when it does. */
const openLinked = () => new Promise((resolve) => {
  void rest({ onAway: () => resolve(false) }).then(async (parts) => resolve(await followAddress(parts)));
});

/** Opens what the address asks for; resolves to whether that put a game on the table. @param {typeof import('./rest.js')} parts */
async function followAddress({ joinFromAddress, openDaily, openFromAddress }) {
  if (hasServer && joinFromAddress()) return false;
  if (location.hash !== '#daily') return openFromAddress();
  history.replaceState(null, '', location.pathname);
  await openDaily();
  return false;
}

/** Records that only the server has, and those that it has lost. */
async function bringRecords() {
  if (await adoptRecords().catch(() => 0)) {
    await recordsCame();
    await recallWins();
  }
  void flush();
}
