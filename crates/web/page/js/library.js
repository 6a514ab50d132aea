// The games of this browser: the unfinished ones and the copies that the player has named. A game gets an entry with an id when it is
// scrambled. The tab that plays it holds a lock on it; a replay has no entry. Writes are checked: if another tab or device has changed the
// entry, both versions are kept. The cost of a write does not depend on the number of games.

import { Game } from './game.js';
import { pref } from './prefs.js';
import { sameStart } from './scoring.js';
import { MOST_MILLIS } from './save.js';
import * as session from './session.js';
import * as store from './store.js';
import { tellAll } from './tell.js';

/** The server's name for an unnamed game. */
export const UNNAMED = 'autosave';
/** Unfinished games that are kept; a new one displaces the oldest. The server's limit is higher, since it counts named copies, too. */
export const KEPT = 200;
/** Games that a new one displaces at most: after two devices have been joined, there are too many for a while. */
const DROPPED = 2;
/** The shortest time between two writes of the game on the table, in milliseconds. */
const WRITE_MILLIS = 250;
/** The longest wait for a game that another tab holds, in milliseconds: that tab may be closing. */
const WAIT_MILLIS = 700;
/** The interval at which a lost game is checked, and the number of checks in a row that must find it free: a tab that reloads releases its game for a moment. */
const LOOK_MILLIS = 1000;
const FREE_LOOKS = 3;
/** The longest wait of the first game for the server, in milliseconds: if other devices share the games, and if there are none here. */
const [SHARED_MILLIS, EMPTY_MILLIS] = [1500, 8000];
const POINTER = 'pintu.game';
const ELAPSED = 'pintu.elapsed.';
const NOTE_MILLIS = 1000;

/**
 * @typedef {object} Entry
 * @property {string} id
 * @property {string} name The player's name for a copy; UNNAMED for a game that goes on.
 * @property {import('./save.js').Save} game As `Game.toSave()` gives it.
 * @property {number} updated When it was written, for people to read: clocks are set back.
 * @property {number} [turn] Its place in the order of play; larger is later.
 * @property {number} version How often it was written here.
 * @property {boolean} dirty Whether the server has not got this version yet.
 * @property {boolean} [gone] Whether it is to be deleted, also on the server.
 * @property {string | null} [serverId] Its id on the server, from before it is first sent there.
 * @property {number | null} [revision] The server's.
 * @property {string} [attempt] What was sent without an answer yet.
 * @property {{ code: string, text: string, at: number, count: number } | null} [problem] Why the server refused it.
 */

const watchers = { changed: new Set(), forked: new Set() };

/** Calls back when an entry changes that the server is to know of ('changed', with its id), or two versions had to be kept ('forked'). @param {'changed' | 'forked'} name @param {(id?: any) => void} callback */
export const onLibrary = (name, callback) => watchers[name].add(callback);

/** Whether another device may have played on, or deleted a game. */
export const isShared = () => pref('player', { anew: true }).shared;

export const isNamed = (/** @type {{ name: string }} */ entry) => entry.name !== UNNAMED;

/** An entry's place in the order of play; the time stands in for it where there is none yet. @param {Entry} entry */
const turnOf = ({ turn, updated }) => turn ?? updated ?? 0;
/** Sorts entries in the order in which they were played, the oldest first. @param {Entry} a @param {Entry} b */
export const byTurn = (a, b) => turnOf(a) - turnOf(b);

/** The latest place in the order of play that this tab knows of. */
let latest = 0;
/** The next place in the order of play: after all that was there when this tab began, whatever the clock says. */
function nextTurn() {
  latest = Math.max(Date.now(), latest + 1);
  return latest;
}

/** All entries that are not deleted, the latest first. @returns {Promise<Entry[]>} */
export const entries = async () => (await store.all('saves')).filter(({ gone }) => !gone).sort((a, b) => byTurn(b, a));

/** A game of an entry, with all the time it has taken, or null where it cannot be read; such an entry is left as it is. @param {Entry} entry */
export function gameOf(entry) {
  try {
    const game = Game.fromSave(entry.game);
    if (!isNamed(entry)) Object.assign(game, { id: entry.id, version: entry.version ?? 0, millis: Math.max(game.millis, elapsed(entry.id)) });
    return game;
  } catch {
    return null;
  }
}

/** The unfinished games, the latest first: what can be gone on with. What cannot be read is none of them, and is left as it is. */
export async function unfinished() {
  const unnamed = (await entries()).filter((entry) => !isNamed(entry));
  return unnamed.flatMap((entry) => { const game = gameOf(entry); return game?.running && (game.played || game.helped) ? [{ entry, game }] : []; });
}

/** Deletes an entry, here at once and on the server when it answers. Resolves to what was deleted, for `revive`. @param {string} id */
export const drop = (id) => takeAway(id, ({ gone }) => !gone);

/** Deletes an entry if `isFit` accepts it. @param {string} id @param {(now: any) => boolean} isFit @returns {Promise<Entry | null>} */
async function takeAway(id, isFit) {
  let was = null;
  await store.update('saves', id, (now) => {
    was = now && isFit(now) ? now : null;
    if (!was) return undefined;
    return was.serverId ? { ...was, gone: true } : null;
  });
  if (was) tellAll(watchers.changed, id);
  return was;
}

export async function revive(/** @type {Entry} */ entry) {
  await store.update('saves', entry.id, (now) => (now ? { ...now, gone: false } : { ...entry, serverId: null, revision: null, dirty: true }));
  tellAll(watchers.changed, entry.id);
}

/** Keeps a copy of a game under a name. Resolves to its id. @param {string} name @param {import('./save.js').Save} game */
export async function keepCopy(name, game, updated = Date.now()) {
  const id = store.freshId();
  await store.put('saves', { id, name, game, updated, turn: nextTurn(), version: 1, dirty: true, gone: false });
  tellAll(watchers.changed, id);
  return id;
}

/** Changes a copy's name or game; its old values undo that. @param {string} id @param {Partial<Entry>} change */
export async function changeCopy(id, change) {
  const later = 'game' in change ? { updated: Date.now(), turn: nextTurn() } : {};
  await store.update('saves', id, (now) => now && { ...now, ...later, ...change, version: (now.version ?? 0) + 1, dirty: true, gone: false });
  tellAll(watchers.changed, id);
}

/** The copy that has this name already, if there is one. @param {string} name */
export const copyNamed = async (name) => (await entries()).find((entry) => isNamed(entry) && entry.name === name);

/** The first of “name”, “name 2”, “name 3”, … that is not taken. @param {string} name */
export async function freeName(name) {
  const taken = new Set((await entries()).map((entry) => entry.name));
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} ${number}`;
  return free;
}

/**
 * The game of a copy, to be put on the table. Where the copied game is still here and was not played past it, it is that game that goes on,
 * with the time it has taken since; else it is another go at its scramble, unless nobody has begun that. @param {Entry} copy
 */
export async function fromCopy(copy) {
  const game = gameOf(copy);
  if (!game) return null;
  await keep();
  const made = (/** @type {import('./save.js').Save} */ { moves, redo = '' }) => moves + redo;
  const isBefore = (/** @type {Entry} */ { game: other }) => made(copy.game).startsWith(made(other));
  const goes = (await entries()).filter((entry) => !isNamed(entry) && sameStart(entry.game, copy.game));
  const twin = goes.filter(isBefore).map(gameOf).find((other) => other?.running);
  if (!twin || (await isElsewhere(twin.id))) {
    const isFirst = !made(copy.game) && !goes.length && !(await store.all('records')).some((record) => sameStart(record.game, copy.game));
    return Object.assign(game, { restarted: game.restarted || !isFirst });
  }
  const { id, version, millis, helped, restarted } = twin;
  return Object.assign(game, { id, version, millis: Math.max(millis, game.millis), helped: helped || game.helped, restarted: restarted || game.restarted });
}

/** Notes on each game that fits, at hand or kept, that its solution is known ('helped') or that it was played more than once ('restarted'). @param {'helped' | 'restarted'} flag @param {(game: Game) => boolean} fits */
export async function mark(flag, fits) {
  for (const game of session.atHand()) if (!game.replay && fits(game)) game[flag] = true;
  for (const entry of await entries()) {
    const game = gameOf(entry);
    if (!game || game[flag] || !fits(game)) continue;
    // The version stays the same: the tab that plays it goes on writing, and `write` keeps this flag.
    await store.update('saves', entry.id, (now) => now && { ...now, game: { ...now.game, [flag]: true }, dirty: now.dirty || Boolean(now.serverId) });
    tellAll(watchers.changed, entry.id);
  }
}

/** The game on this tab's table, and its lock. @typedef {{ game: Game, hold: store.Hold | null }} Table @type {Table | null} */
let table = null;
/** Games that have changed since they were written. */
const stale = new Set();
/** @type {Promise<any> | null} */
let writing = null;
let timer = 0;

/** Whether a game belongs in the library: a replay does not, nor does a picture that was never shuffled. @param {Game} game */
const worth = (game) => !game.replay && !game.fresh;

/** Notes the game on the table: locks it, and releases the one before. @param {Game} game */
async function lay(game) {
  const left = table;
  if (left?.game === game || game.replay) return;
  // A copy that goes on as the game it was made of keeps the hold of that.
  const isSame = left !== null && Boolean(game.id) && left.game.id === game.id;
  table = { game, hold: isSame ? left.hold : null };
  point(game);
  if (isSame) return;
  if (left) await leave(left);
  if (!worth(game) || table?.game !== game) return;
  giveId(game);
  await take(game);
}

/** Locks the game on the table; if another tab holds it, it is lost to this one. @param {Game} game */
async function take(game) {
  const got = await holdSoon(game);
  const now = table;
  // A game that was replaced before it was locked leaves as the others do.
  if (!now || now.game !== game) return got && leave({ game, hold: got });
  if (!got) return lost(game);
  now.hold = got;
  const entry = await store.get('saves', game.id);
  const moved = entry && entry.version !== undefined && entry.version > game.version && gameOf(entry);
  if (moved && table?.game === game) session.open(moved, { asPaused: true });
  return null;
}

/** Locks a game, after a moment's wait for another tab to close; null if that tab keeps it. @param {Game} game */
const holdSoon = (game) => store.hold(game.id, { wait: WAIT_MILLIS, onLost: () => lost(game) });

function lost(/** @type {Game} */ game) {
  const now = table;
  if (!now || now.game.id !== game.id) return;
  now.hold = null;
  session.lose();
  void awaitReturn(now);
}

/** Opens the lost game here again once no other tab holds it and this one is visible; if the other tab has finished it, shows the whole picture. @param {Table} left */
async function awaitReturn(left) {
  const { game } = left;
  for (let free = 0; ;) {
    await new Promise((resolve) => { setTimeout(resolve, LOOK_MILLIS); });
    const isHeld = (await store.heldNames()).has(game.id);
    const entry = await store.get('saves', game.id);
    if (table !== left || left.hold) return;
    free = isHeld ? 0 : free + 1;
    if (free < FREE_LOOKS || document.hidden || session.phase() !== 'elsewhere') continue;
    if (game.version > 0 && (!entry || entry.gone)) session.open(new Game(session.settings()));
    else await claim(game, { steal: false });
  }
}

/** A game that leaves the table: kept if it goes on, dropped if nothing was played or it is finished. @param {Table} table */
async function leave({ game, hold: held }) {
  await (stale.has(game) ? keep() : writing);
  if (held) await keepTime(game);
  // A game that was replaced before this tab had locked it is ours, too, unless another tab holds it.
  if (game.id && (held || !(await store.heldNames()).has(game.id))) await takeAway(game.id, isSpent);
  held?.release();
}

/** Keeps the time that a game which leaves has taken since its last write; its place in the order of play stays. @param {Game} game */
async function keepTime(game) {
  const [millis, { version }] = [Math.max(game.millis, elapsed(game.id)), game];
  let isLater = false;
  await store.update('saves', game.id, (now) => {
    isLater = Boolean(now) && !now.gone && !isNamed(now) && game.running && now.version === version && now.game.millis < millis;
    if (!isLater) return undefined;
    return { ...now, game: { ...now.game, millis }, version: version + 1, dirty: now.dirty || now.game.moves !== '' || Boolean(now.serverId) };
  });
  if (!isLater) return;
  game.version = version + 1;
  tellAll(watchers.changed, game.id);
}

/** Whether an unnamed game is solved as it is stored, or has neither moves nor help: another tab may have played on. @param {Entry} entry */
export function isSpent(entry) {
  const game = isNamed(entry) ? null : gameOf(entry);
  return game !== null && (game.solved || !(game.played || game.helped));
}

/** Keeps the game on the table as it is now. Writes never overlap; the latest state is what is written last. */
export function keep() {
  if (session.phase() !== 'elsewhere') stale.add(session.current());
  writing ??= writeAll().finally(() => { writing = null; });
  return writing;
}

/** Keeps the game on the table: the first change at once, further ones at intervals. */
function keepSoon() {
  if (session.phase() !== 'elsewhere') stale.add(session.current());
  if (timer) return;
  void keep();
  timer = setTimeout(() => { timer = 0; if (stale.size) keepSoon(); }, WRITE_MILLIS);
}

async function writeAll() {
  for (const game of stale) {
    stale.delete(game);
    if (!worth(game)) continue;
    giveId(game);
    if (game === session.current()) session.keepClock();
    await write(game);
  }
}

/** Gives a game the id under which it is kept, if it has none yet. @param {Game} game */
export function giveId(game) {
  if (game.id) return;
  game.id = store.freshId();
  if (table?.game === game) point(game);
}

/** @param {Game} game @returns {Promise<any>} */
async function write(game) {
  const [save, turn] = [game.toSave(), nextTurn()];
  let [conflict, isBegun, dirty] = [false, false, false];
  await store.update('saves', game.id, (now) => {
    conflict = Boolean(now) && (now.version ?? 0) !== game.version;
    if (conflict) return undefined;
    isBegun = save.moves !== '' && !now?.game.moves;
    // A game without moves is not sent, unless the server has a version with moves that were undone.
    dirty = save.moves !== '' || Boolean(now?.serverId);
    for (const flag of /** @type {const} */ (['helped', 'restarted'])) if (now?.game[flag]) save[flag] = true;
    return { ...now, id: game.id, name: UNNAMED, game: save, updated: Date.now(), turn, version: game.version + 1, dirty, gone: false };
  });
  if (conflict) return fork(game);
  game.version += 1;
  Object.assign(game, { helped: game.helped || save.helped, restarted: game.restarted || save.restarted === true });
  if (isBegun) await makeRoom();
  if (dirty) tellAll(watchers.changed, game.id);
  return null;
}

/** Another tab or device has written this game: ours goes on under another id, and theirs stays. @param {Game} game */
async function fork(game) {
  Object.assign(game, { id: store.freshId(), version: 0 });
  const now = table;
  if (now && now.game === game) {
    now.hold?.release();
    now.hold = await store.hold(game.id, { onLost: () => lost(game) });
  }
  tellAll(watchers.forked);
  return write(game);
}

/** Keeps the latest games. Those that were named stay, and those that a tab has open. */
async function makeRoom() {
  if ((await store.count('saves')) <= KEPT) return;
  const [unnamed, held] = [(await entries()).filter((entry) => !isNamed(entry)), await store.heldNames()];
  const spare = unnamed.filter((entry) => !held.has(entry.id) && entry.id !== table?.game.id && gameOf(entry)).reverse();
  for (const { id } of spare.slice(0, Math.min(DROPPED, Math.max(0, unnamed.length - KEPT)))) await drop(id);
}

/** Whether another tab has this game open. @param {string} id */
export async function isElsewhere(id) {
  return table?.game.id !== id && (await store.heldNames()).has(id);
}

/** Takes the game on the table back from the tab that has it. */
export async function takeBack() {
  const { game, hold: held } = table ?? {};
  if (game && !held) await claim(game);
}

/**
 * Puts a game on the table that another tab may have open: takes it from there, or waits until that tab lets go of
 * it. Resolves to whether it lies here now.
 * @param {Game} game
 * @param {{ signal?: AbortSignal, steal?: boolean }} [how]
 */
export async function claim(game, { signal, steal = !signal } = {}) {
  const got = await store.hold(game.id, { signal, steal, onLost: () => lost(game) });
  if (!got || signal?.aborted) {
    got?.release();
    return false;
  }
  const entry = await store.get('saves', game.id);
  const now = (entry && gameOf(entry)) ?? game;
  const left = table;
  table = { game: now, hold: got };
  point(now);
  if (left && left.game.id !== game.id) await leave(left);
  session.open(now, { asPaused: true });
  return true;
}

/** Forgets what is on the table, so that nothing of it is written any more. */
export async function clearTable() {
  const left = table;
  table = null;
  stale.clear();
  await writing;
  left?.hold?.release();
}

/** Another tab has deleted everything: this document begins anew. @param {MessageEvent} told */
async function followWipe({ data }) {
  if (data !== 'wiped') return;
  const { id } = session.own();
  await clearTable();
  // A pending write may have reached the disk after the other tab cleared it.
  if (id) await store.remove('saves', id);
  store.seal();
  location.reload();
}

/** A value of localStorage, or null if the browser refuses access. @param {() => any} act */
function stored(act) {
  try {
    return act();
  } catch {
    return null;
  }
}

/**
 * Remembers which game is on the table, for this tab's next document and for the next tab. That this tab has none
 * does not concern the next one, unless it had the last. @param {Game} game
 */
const point = (game) => stored(() => {
  const before = sessionStorage.getItem(POINTER);
  const id = worth(game) ? game.id ?? '' : '';
  sessionStorage.setItem(POINTER, id);
  if (id || (before && localStorage.getItem(POINTER) === before)) localStorage.setItem(POINTER, id);
});

/**
 * The time that was noted of a game, where a document that ends can still write: the database answers too late for that. So thinking
 * counts up to the reload, the closed tab or the crash, and not only up to the last move. @param {string} id
 */
export function elapsed(id) {
  const millis = Number(stored(() => localStorage.getItem(ELAPSED + id)));
  return Number.isInteger(millis) && millis > 0 && millis <= MOST_MILLIS ? millis : 0;
}

/** Forgets the noted times of all games but these. */
export const forgetElapsed = (except = new Set()) => stored(() => {
  const noted = Object.keys(localStorage).filter((key) => key.startsWith(ELAPSED));
  for (const key of noted) if (!except.has(key.slice(ELAPSED.length))) localStorage.removeItem(key);
});

/** Notes the time of the game on the table, if it is one that is played here. */
function noteElapsed() {
  const { id, replay, running } = session.current();
  const millis = session.millis();
  if (!id || replay || !running || !millis || session.phase() === 'elsewhere' || elapsed(id) >= millis) return;
  stored(() => localStorage.setItem(ELAPSED + id, String(millis)));
}

/**
 * The game to begin with: what this tab, or else the last one, had on its table, or the latest. It is held for
 * this tab; `blocked` is an entry that another tab has open. `fetch` brings what the server has. @param {() => Promise<any>} fetch
 */
export async function firstGame(fetch) {
  const pointer = stored(() => sessionStorage.getItem(POINTER) ?? localStorage.getItem(POINTER));
  const isEmpty = !(await store.count('saves'));
  if (isEmpty || isShared()) await Promise.race([fetch(), new Promise((resolve) => { setTimeout(resolve, isEmpty ? EMPTY_MILLIS : SHARED_MILLIS); })]);
  const all = await entries();
  forgetElapsed(new Set(all.map(({ id }) => id)));
  latest = Math.max(latest, ...all.map(turnOf));
  if (pointer === '' && !isShared()) return { game: null, blocked: null, unreadable: 0 };
  const unnamed = all.filter((entry) => !isNamed(entry));
  // If other devices share the games, continue the one that was played last.
  const order = isShared() ? unnamed : [...unnamed.filter(({ id }) => id === pointer), ...unnamed.filter(({ id }) => id !== pointer)];
  const readable = order.flatMap((entry) => { const game = gameOf(entry); return game ? [{ entry, game }] : []; });
  const first = readable.find(({ entry, game }) => game.running || entry.id === pointer);
  const unreadable = order.length - readable.length;
  // The player has started a game meanwhile.
  if (!first || !session.current().fresh) return { game: null, blocked: null, unreadable };
  const got = await holdSoon(first.game);
  if (!got) return { game: null, blocked: first.entry, unreadable };
  if (!session.current().fresh) {
    got.release();
    return { game: null, blocked: null, unreadable };
  }
  table = { game: first.game, hold: got };
  point(first.game);
  return { game: first.game, blocked: null, unreadable };
}

/** Follows the table from now on, and notes its time: while it runs, when another game comes, and when the page goes away. */
export function initLibrary() {
  session.follow(['game'], () => void lay(session.current()));
  session.on('changed', keepSoon);
  session.on('again', (/** @type {Game} */ game) => void mark('restarted', ({ scramble }) => scramble === game.scramble));
  setInterval(noteElapsed, NOTE_MILLIS);
  session.on('interrupt', (why) => { if (why === 'replaced') noteElapsed(); });
  document.addEventListener('visibilitychange', noteElapsed);
  addEventListener('pagehide', () => { noteElapsed(); session.pause(); void keep(); });
  store.tellTabs?.addEventListener('message', (told) => void followWipe(told));
}
