// How games get into the library of this browser. A game is in it from its scramble on, under an id of its own. What is on the table is
// one of them, and held by this tab alone; a replay is none. Writing is checked: an entry that somebody else has changed is never
// overwritten, both are kept.

import { isShared } from '../players/known.js';
import { forgetElapsed } from './elapsed.js';
import { KEPT, UNNAMED, contentOf, entries, gameOf, isNamed, madeIn, nextTurn, renameLegacy, takeAway, tellLibrary, unfinished } from './entries.js';
import { Game } from './game.js';
import { heldNames, hold } from './holds.js';
import * as session from './session.js';
import * as store from './store.js';

const WAIT_MILLIS = 700;
/** A lost game is looked after so often; one that nobody has at so many looks in a row is free: a tab that is loaded anew lets go of its game for a moment. */
const LOOK_MILLIS = 1000;
const FREE_LOOKS = 3;
const POINTER = 'pintu.game';
/** So long the first game waits for what other devices have played. */
const FETCH_MILLIS = 1500;

/** What this tab has on its table. @typedef {{ game: Game, hold: import('./holds.js').Hold | null }} Table @type {Table | null} */
let table = null;
/** Games that have changed since they were written. */
const stale = new Set();
/** @type {Promise<any> | null} */
let writing = null;

/** Whether a game belongs in the library: a replay does not, nor does a picture that was never shuffled. @param {Game} game */
const worth = (game) => !game.replay && !game.fresh;

/** Notes what lies on the table: takes hold of it, and lets go of what lay there before. @param {Game} game */
async function lay(game) {
  const left = table;
  if (left?.game === game || game.replay) return;
  table = { game, hold: null };
  point(game);
  if (left) await leave(left);
  if (!worth(game) || table?.game !== game) return;
  giveId(game);
  await take(game);
}

/** Takes hold of the game on the table; one that another tab has is lost to this one. @param {Game} game */
async function take(game) {
  const got = await patiently(game);
  const now = table;
  // What was replaced before it was held leaves as the others do.
  if (!now || now.game !== game) return got && leave({ game, hold: got });
  if (!got) return lost(game);
  now.hold = got;
  const entry = await store.get('saves', game.id);
  const moved = entry && entry.version !== undefined && entry.version > game.version && gameOf(entry);
  if (moved && table?.game === game) session.open(moved, { asPaused: true });
  return null;
}

/** Takes hold of a game; null when another tab has it, which is given a moment to end. @param {Game} game */
const patiently = (game) => hold(game.id, { wait: WAIT_MILLIS, onLost: () => lost(game) });

function lost(/** @type {Game} */ game) {
  const now = table;
  if (!now || now.game.id !== game.id) return;
  now.hold = null;
  session.lose();
  void awaitReturn(now);
}

/** Opens the lost game here again once no other tab has it and this one is looked at; where the other tab has ended it, the whole picture. @param {Table} left */
async function awaitReturn(left) {
  const { game } = left;
  for (let free = 0; ;) {
    await new Promise((resolve) => { setTimeout(resolve, LOOK_MILLIS); });
    const isHeld = (await heldNames()).has(game.id);
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
  await writing;
  // One that was replaced before this tab had hold of it is ours too, unless somebody has it.
  if (game.id && (held || !(await heldNames()).has(game.id))) await dropSpent(game.id);
  held?.release();
}

/** Drops a game of which nothing can be lost. What counts is what is kept, not what this tab knows: another may have played on. @param {string} id */
const dropSpent = (id) => takeAway(id, (entry) => {
  const game = isNamed(entry) ? null : gameOf(entry);
  return game !== null && (!game.played || game.solved);
});

/** Keeps the game on the table as it is now. Writes never overlap; the latest state is what is written last. */
export function keep() {
  if (session.phase() !== 'elsewhere') stale.add(session.current());
  writing ??= writeAll().finally(() => { writing = null; });
  return writing;
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

/** @param {Game} game @returns {Promise<null>} */
async function write(game) {
  const turn = await nextTurn();
  const content = contentOf(game);
  let conflict = false;
  let isBegun = false;
  let dirty = false;
  await store.update('saves', game.id, (now) => {
    conflict = Boolean(now) && (now.version ?? 0) !== game.version;
    if (conflict) return undefined;
    // By what is written: the game itself may have gone on meanwhile, and would be begun a second time with the next write.
    isBegun = Boolean(madeIn(content.game)) && !(now && madeIn(now.game));
    // One that was never moved is not the server's concern, unless it has been there with moves that were undone.
    dirty = content.game.moves !== '' || Boolean(now?.serverId || now?.attempt);
    return { ...now, id: game.id, name: UNNAMED, ...content, updated: Date.now(), turn, left: undefined, version: game.version + 1, dirty, gone: false };
  });
  if (conflict) return fork(game);
  game.version += 1;
  if (isBegun) await makeRoom();
  if (dirty) tellLibrary('changed');
  return null;
}

/** Somebody else has written this game: ours goes on under another id, and theirs stays. @param {Game} game */
async function fork(game) {
  Object.assign(game, { id: store.freshId(), version: 0 });
  const now = table;
  if (now && now.game === game) {
    now.hold?.release();
    now.hold = await hold(game.id, { onLost: () => lost(game) });
  }
  tellLibrary('forked');
  return write(game);
}

/** Keeps the latest unfinished games; those that a tab has open stay. */
async function makeRoom() {
  const [first, ...others] = (await unfinished()).slice(KEPT);
  if (!first) return;
  // It was among the latest until now: whatever it waited for before, it begins to wait.
  const older = [{ ...first, entry: { ...first.entry, left: undefined } }, ...others];
  const held = await heldNames();
  const spare = older.filter(({ entry }) => !held.has(entry.id));
  if (spare.length) tellLibrary('crowded', spare);
}

/** Whether another tab has this game open; what this tab has does not count. @param {string} id */
export async function isElsewhere(id) {
  return table?.game.id !== id && (await heldNames()).has(id);
}

/** Takes the game on the table back from the tab that has it. */
export async function takeBack() {
  const { game, hold: held } = table ?? {};
  if (game && !held) await claim(game);
}

/**
 * Puts a game on the table that another tab may have open: takes it from there, or waits until that tab lets go of
 * it. Resolves to whether it lies here now.
 * @param {import('./game.js').Game} game
 * @param {{ signal?: AbortSignal, steal?: boolean }} [how]
 */
export async function claim(game, { signal, steal = !signal } = {}) {
  const got = await hold(game.id, { signal, steal, onLost: () => lost(game) });
  if (!got || signal?.aborted) {
    got?.release();
    return false;
  }
  const entry = await store.get('saves', game.id);
  const latest = (entry && gameOf(entry)) ?? game;
  const left = table;
  table = { game: latest, hold: got };
  point(latest);
  if (left && left.game.id !== game.id) await leave(left);
  session.open(latest, { asPaused: true });
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

/**
 * Remembers which game is on the table, for this tab's next document and for the next tab. That this tab has none
 * does not concern the next one, unless it had the last. @param {Game} game
 */
function point(game) {
  try {
    const before = sessionStorage.getItem(POINTER);
    const id = worth(game) ? game.id ?? '' : '';
    sessionStorage.setItem(POINTER, id);
    if (id || (before && localStorage.getItem(POINTER) === before)) localStorage.setItem(POINTER, id);
  } catch {
    // Then the latest game is the one that is opened next.
  }
}

function pointed() {
  try {
    return sessionStorage.getItem(POINTER) ?? localStorage.getItem(POINTER);
  } catch {
    return null;
  }
}

/**
 * The game to begin with: what this tab, or else the last one, had on its table, or the latest. It is held for
 * this tab; `blocked` is an entry that another tab has open. `fetch` brings what the server has into an empty library. @param {() => Promise<any>} fetch
 */
export async function firstGame(fetch) {
  await renameLegacy();
  const pointer = pointed();
  if (!(await store.all('saves')).length) await fetch();
  else if (isShared()) await Promise.race([fetch(), new Promise((resolve) => { setTimeout(resolve, FETCH_MILLIS); })]);
  forgetElapsed(new Set((await store.all('saves')).map(({ id }) => id)));
  if (pointer === '' && !isShared()) return { game: null, blocked: null, unreadable: 0 };
  const unnamed = (await entries()).filter((entry) => !isNamed(entry));
  // Where other devices share the games, the one that was played last is gone on with.
  const order = isShared() ? unnamed : [...unnamed.filter(({ id }) => id === pointer), ...unnamed.filter(({ id }) => id !== pointer)];
  const readable = order.flatMap((entry) => { const game = gameOf(entry); return game ? [{ entry, game }] : []; });
  const first = readable.find(({ entry, game }) => game.running || entry.id === pointer);
  const unreadable = order.length - readable.length;
  if (!first) return { game: null, blocked: null, unreadable };
  const got = await patiently(first.game);
  if (!got) return { game: null, blocked: first.entry, unreadable };
  table = { game: first.game, hold: got };
  point(first.game);
  return { game: first.game, blocked: null, unreadable };
}

/** Follows the table from now on. */
export function initLibrary() {
  session.follow(['game'], () => void lay(session.current()));
  session.on('changed', () => void keep());
}
