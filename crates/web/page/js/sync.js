// Synchronises this browser's entries with the server. An entry counts as sent once the server has accepted it; a refused one stays here, is
// retried with pauses, and `health` says why. After a move only that game is looked at.

import * as api from './api.js';
import { Gone } from './errors.js';
import { hasServer } from './host.js';
import { UNNAMED, byTurn, clearTable, isNamed, isShared, onLibrary } from './library.js';
import { categoryOf, sameGame, sameStart } from './scoring.js';
import * as store from './store.js';
import { tellAll } from './tell.js';
/** @import { Entry } from './library.js' @import { RecordEntry } from './records.js' @import { Save } from './save.js' @import { Store } from './store.js' */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
/** Debounce of changes, in milliseconds. */
const GATHER_MILLIS = 400;
const LONGEST_PAUSE = 5 * MINUTE;
const PAUSES = [1, 2, 4, 8, 15, 30, 60].map((n) => n * SECOND);
/** Pauses before a refused entry is retried; an invalid one rests longest. */
const RESTS = { full: [MINUTE, 5 * MINUTE], refused: [30 * SECOND, 5 * MINUTE], final: [60 * MINUTE] };
const FULL = /^quota|^storage-full$/;
const FINAL = new Set(['not-ranked', 'record-helped', 'record-refused', 'illegal-move', 'bad-field', 'save-version', 'picture-in-use']);
/** Answers that say nothing about what was sent: busy, too often, too slow, broken, or not the server at all. @param {{ status: number, code: string }} error */
const passing = ({ status, code }) => (status >= 500 && status !== 507) || status === 429 || status === 408 || code === 'unknown' || code === 'stranger';
const missing = (/** @type {any} */ error) => error instanceof api.ApiError && error.status === 404 && error.code === 'not-found';
const unlessMissing = (/** @type {any} */ error) => { if (!missing(error)) throw error; };

const watchers = new Set();
/** @type {Promise<void> | null} */
let running = null;
let again = false;
let timer = 0;
let failures = 0;
/** The games that have changed since the last pass, and the time at which they are sent. @type {Set<string>} */
const changed = new Set();
let gathering = 0;

/**
 * Calls back with 'forked' when two versions of a game had to be kept, with 'returned' when a game was not deleted, with 'settled' when all is sent,
 * and with 'ran', the date and the error, if there is one, when the server has judged a run of a day. @param {(what: string, date?: any, error?: any) => void} callback
 */
export const onSync = (callback) => watchers.add(callback);

/** Brings everything that waits to the server. Runs once at a time, and again if something came meanwhile. */
export const flush = () => pass(drain);

/** @param {() => Promise<void>} act @returns {Promise<void>} */
function pass(act) {
  if (!hasServer) return Promise.resolve();
  if (running) {
    again = true;
    return running;
  }
  clearTimeout(timer);
  running = store.exclusively('sync', act).catch(interrupted).finally(() => {
    running = null;
    if (again) {
      again = false;
      void flush();
    }
  });
  return /** @type {Promise<void>} */ (running);
}

/** Sends a game soon: one message for all of its changes until then. @param {string} id */
function sendSoon(id) {
  changed.add(id);
  // After trouble, or with many changes, everything is looked through.
  gathering ||= setTimeout(async () => {
    await running?.catch(() => {});
    gathering = 0;
    void pass(store.health().server || changed.size > 1 ? drain : drainOne);
  }, GATHER_MILLIS);
}

async function drainOne() {
  // More may have changed while another tab had its turn.
  if (changed.size > 1) return drain();
  const [id] = changed;
  changed.clear();
  const entry = id && (await store.get('saves', id));
  const refused = entry && (await oneOf('saves', entry, entry.gone ? sendDelete : entry.dirty ? sendSave : async () => {}));
  return settled(refused ? [refused] : []);
}

/** Tries now what was refused before, too. */
export async function flushAll() {
  for (const kind of /** @type {Store[]} */ (['saves', 'records'])) for (const { id, problem } of await store.all(kind)) if (problem) await store.update(kind, id, (now) => now && { ...now, problem: { ...now.problem, at: 0 } });
  failures = 0;
  return flush();
}

/** The pass was interrupted: no answer, or a temporary refusal. Retries with growing pauses. @param {any} error */
function interrupted(error) {
  again = false;
  let pause = PAUSES[Math.min(failures, PAUSES.length - 1)];
  failures += 1;
  if (error instanceof Gone) store.report('server', { kind: 'away' });
  else if (error instanceof api.ApiError) {
    store.report('server', { kind: error.status === 401 ? 'password' : api.isForeign(error) ? 'foreign' : 'busy', code: error.code, text: error.message });
    pause = Math.max(pause, (error.retryAfter ?? 0) * SECOND);
  }
  later(pause);
  if (!(error instanceof Gone || error instanceof api.ApiError)) throw error;
}

/** Tries again after a pause, which neither a stranger's Retry-After nor a clock can make longer than this. @param {number} pause */
function later(pause) {
  clearTimeout(timer);
  timer = setTimeout(flush, Math.min(Math.max(pause, SECOND), LONGEST_PAUSE));
}

async function drain() {
  changed.clear();
  /** @type {any[]} */ const refused = [];
  const each = async (/** @type {Store} */ kind, /** @type {any[]} */ items, /** @type {(item: any) => Promise<any>} */ act) => {
    for (const item of items) refused.push(await oneOf(kind, item, act));
  };
  const gone = (/** @type {any} */ item) => item.gone;
  // In the order in which they were played, so that the server's latest is the player's latest.
  const [saves, records] = [(await store.all('saves')).sort(byTurn), await store.all('records')];
  await each('saves', saves.filter(gone), sendDelete);
  await each('records', records.filter(gone), deleteRecord);
  await each('saves', saves.filter((save) => save.dirty && !save.gone), sendSave);
  await each('records', records.filter((record) => !record.posted && !record.gone), sendRecord);
  await each('pictures', (await store.all('pictures')).filter(gone), deletePicture);
  await each('days', (await store.all('days')).filter(({ run }) => run), sendRun);
  settled(refused.filter(Boolean));
}

function settled(/** @type {{ trouble: any, due: number }[]} */ refused) {
  failures = 0;
  const [worst] = refused.sort((a, b) => a.due - b.due);
  store.report('server', worst?.trouble ?? null);
  if (worst) later(worst.due - Date.now());
  else tellAll(watchers, 'settled');
}

/** Sends one entry. A refusal is noted on the entry, which then rests; an answer that is not about the entry is thrown. @param {Store} kind @param {any} item @param {(item: any) => Promise<any>} act */
async function oneOf(kind, item, act) {
  const { problem } = item;
  if (problem && due(problem) > Date.now()) return { trouble: troubleOf(problem), due: due(problem) };
  try {
    await act(item);
    return null;
  } catch (error) {
    if (!(error instanceof api.ApiError) || error.status === 401 || passing(error)) throw error;
    const noted = { code: error.code, text: error.message, at: Date.now(), count: (problem?.count ?? 0) + 1 };
    await store.update(kind, item.id, (now) => now && { ...now, problem: noted });
    return { trouble: troubleOf(noted), due: due(noted) };
  }
}

const kindOf = (/** @type {string} */ code) => (FULL.test(code) ? 'full' : FINAL.has(code) ? 'final' : 'refused');
const troubleOf = (/** @type {{ code: string, text: string }} */ { code, text }) => ({ kind: kindOf(code) === 'full' ? 'full' : 'refused', code, text });

/** When a refused entry is retried: now, if the clock has been set back since. @param {{ code: string, at: number, count: number }} problem */
function due({ code, at, count }) {
  if (at > Date.now()) return 0;
  const rests = RESTS[kindOf(code)];
  return at + rests[Math.min(count - 1, rests.length - 1)];
}

/** Changes an entry that is still there. @param {Store} kind @param {string} id @param {(now: any) => any} change */
const note = (kind, id, change) => store.update(kind, id, (now) => now && change(now));

/** An entry's server fields before it is first sent: a new id, because another player may have the old one. */
const unsent = () => ({ serverId: store.freshId(), revision: null, attempt: undefined });

/** A state of a game as text: equal for equal states, whatever its picture is called here or there. @param {Save} save */
const stateOf = ({ moves, redo = '', millis, helped = false, restarted = false }) => [moves, redo, millis, helped, restarted].join();

/**
 * Sends an entry of the library, under an id that it has from before it is first sent: so no answer that is lost makes another save. Where
 * the server has a state that is neither ours nor known here, that one stays there and ours becomes a save of its own. @param {Entry} entry
 */
async function sendSave(entry) {
  const { id, name } = entry;
  const serverId = entry.serverId ?? (id.length === 32 ? id : store.freshId());
  let { revision } = entry;
  // It may have come to the server without our knowing, and another device may have gone on with it.
  const theirs = entry.attempt && !revision && (await api.getSave(serverId).catch(unlessMissing));
  if (theirs && !isOurs(theirs.game, entry)) return fork(entry, serverId, theirs);
  if (theirs) revision = theirs.revision;
  await note('saves', id, (now) => ({ ...now, serverId, attempt: stateOf(entry.game) }));
  try {
    const answer = await withPicture(entry.game, (game) => api.putSave(serverId, revision ? { name, game, revision } : { name, game }));
    await note('saves', id, (now) => ({ ...now, revision: answer.revision, problem: null, dirty: now.version !== entry.version || stateOf(now.game) !== stateOf(entry.game) }));
  } catch (error) {
    if (error.code === 'stale-revision') await reconcile(entry, serverId);
    else if (missing(error)) await renew(id);
    else throw error;
  }
  const now = await store.get('saves', id);
  if (now?.dirty || now?.gone) sendSoon(id);
  return undefined;
}

/** The server has lost it: it gets this one, and whatever else it has lost, with the next pass. @param {string} id */
async function renew(id) {
  await note('saves', id, (now) => ({ ...now, ...unsent(), dirty: true }));
  await renewSaves(await api.listSaves());
  await renewRecords(byId(await api.listRecords()));
  again = true;
}

/** Whether a state on the server is what we have, or what we had when we sent it. @param {Save} theirs @param {Entry} entry */
const isOurs = (theirs, { attempt, game }) => [attempt, stateOf(game)].includes(stateOf(theirs));

/** The server has a revision that we do not know: it may be what we sent ourselves, and its answer was lost. @param {Entry} entry @param {string} serverId */
async function reconcile(entry, serverId) {
  const theirs = await api.getSave(serverId);
  if (isOurs(theirs.game, entry)) await note('saves', entry.id, (now) => ({ ...now, revision: theirs.revision, dirty: true }));
  else await fork(entry, serverId, theirs);
}

/** Keeps both versions: theirs as another entry here, ours as another save there. @param {Entry} entry @param {string} serverId @param {any} theirs */
async function fork(entry, serverId, theirs) {
  await note('saves', entry.id, (now) => ({ ...now, ...unsent(), dirty: true }));
  await adopt({ id: serverId, name: theirs.name, updated: Date.now() }, theirs);
  sendSoon(entry.id);
  tellAll(watchers, 'forked');
}

/**
 * Deletes an entry on the server and then here, unless it was taken back meanwhile. One that another device has played on, which this one
 * has not seen, comes back as it is there. @param {Entry} entry @returns {Promise<any>}
 */
async function sendDelete(entry) {
  const { id, serverId, revision } = entry;
  try {
    if (serverId) await api.deleteSave(serverId, revision).catch(unlessMissing);
  } catch (error) {
    if (error.code !== 'stale-revision') throw error;
    const theirs = await api.getSave(/** @type {string} */ (serverId));
    // A backup that was restored has an older one.
    if (isOurs(theirs.game, entry) || theirs.revision < Number(revision)) return sendDelete({ ...entry, revision: theirs.revision });
    await note('saves', id, (now) => (now.gone ? { ...took(now, theirs), gone: false, dirty: false } : now));
    await bringPicture(theirs.game);
    return tellAll(watchers, 'returned');
  }
  return note('saves', id, (now) => (now.gone ? null : { ...now, ...unsent(), dirty: true }));
}

const postRecord = async (/** @type {RecordEntry} */ record) => (await withPicture(record.game, (game) => api.postRecord({ game }))).id;

async function sendRecord(/** @type {RecordEntry} */ record) {
  await note('records', record.id, (now) => ({ ...now, attempted: true }));
  const id = await postRecord(record);
  await note('records', record.id, (now) => ({ ...now, posted: true, serverId: id, problem: null }));
}

/**
 * Deletes a record on the server and then here, unless it was taken back meanwhile. One that was sent without an answer is sent
 * again: for the same game the server answers with the same id. @param {RecordEntry} record
 */
async function deleteRecord(record) {
  const id = record.posted ? (record.serverId ?? record.id) : record.attempted && (await postRecord(record));
  if (id) await api.deleteRecord(id).catch(unlessMissing);
  await note('records', record.id, (now) => (now.gone ? null : { ...now, posted: false, attempted: false, serverId: null }));
}

/** Sends a finished game of a day's ranking. What the server says of it is final, unless it says nothing of it. @param {import('../daily/day.js').Day} day */
async function sendRun({ id: date, run }) {
  const error = await api.endRun(date, run).then(() => null, (refused) => refused);
  if (error && (!(error instanceof api.ApiError) || passing(error) || ![400, 403, 409].includes(error.status))) throw error;
  await note('days', date, ({ run: _run, problem: _problem, ...day }) => day);
  tellAll(watchers, 'ran', date, error);
}

/** Deletes a picture on the server and then here, unless it was taken back meanwhile. One that a save or a record here shows after all stays. @param {import('./album.js').Picture} picture */
async function deletePicture({ id, serverId }) {
  try {
    if (serverId) await api.deletePicture(serverId).catch(unlessMissing);
  } catch (error) {
    if (error.code !== 'picture-in-use') throw error;
    const shown = [...(await store.all('saves')), ...(await store.all('records'))].some(({ gone, game }) => !gone && [id, serverId].includes(game.picture));
    // Saves that show it only on the server will be sent without it.
    if (shown) await note('pictures', id, (now) => ({ ...now, gone: false }));
    return;
  }
  await note('pictures', id, (now) => (now.gone ? null : { ...now, serverId: null }));
}

/** Sends a game with the server's name for its picture; the picture anew if the server has lost it. @param {Save} game @param {(game: Save) => Promise<any>} act */
async function withPicture(game, act) {
  try {
    return await act({ ...game, picture: await onServer(game.picture) });
  } catch (error) {
    const picture = error.code === 'no-picture' && (await pictureEntry(game.picture));
    if (!picture) throw error;
    await note('pictures', picture.id, (now) => ({ ...now, serverId: null }));
    return act({ ...game, picture: await onServer(game.picture) });
  }
}

/** The server's name for a picture, which is sent there first if it must be. One that is deleted meanwhile is deleted there, too. @param {string} id */
async function onServer(id) {
  if (id.startsWith('builtin:')) return id;
  const picture = await pictureEntry(id);
  if (!picture) return id;
  if (picture.serverId) return picture.serverId;
  const { id: serverId } = await api.postPicture(picture.blob);
  await store.update('pictures', picture.id, (now) => (now ? { ...now, serverId } : { ...picture, serverId, gone: true }));
  return serverId;
}

const pictureEntry = async (/** @type {string} */ id) => (await store.get('pictures', id)) ?? (await store.all('pictures')).find((picture) => picture.serverId === id);

/** A picture by id: from here, or from the server. @param {string} id */
export async function ownPicture(id) {
  const here = await pictureEntry(id);
  if (here) return here.blob;
  try {
    const blob = await api.getPicture(id);
    await store.put('pictures', { id, blob, serverId: id });
    return blob;
  } catch {
    return null;
  }
}

/** Brings the picture of a game that came from the server. @param {Save} game */
const bringPicture = async ({ picture }) => { if (!picture.startsWith('builtin:')) await ownPicture(picture); };

/** Takes a save over: under the server's id, so that two tabs that do so make one entry. @param {{ id: string, name: string, updated: number }} listed @param {{ game: Save, revision?: number | null }} theirs */
async function adopt({ id: serverId, name, updated }, { game, revision = null }) {
  const id = (await store.get('saves', serverId)) ? store.freshId() : serverId;
  const entry = { id, serverId, revision, name, game, updated, version: 1, dirty: false, gone: false };
  await Promise.all([store.put('saves', entry), bringPicture(game)]);
  return entry;
}

/** What makes two games of one name the same; of unfinished ones the time does not. @param {string} name @param {Save} game */
const contentOf = (name, game) => stateOf(isNamed({ name }) ? game : { ...game, millis: 0 });

/** Whether an entry is the same as a save. @param {Entry} ours @param {{ name: string, game: Save }} theirs */
const isTwin = ({ gone, name, game }, theirs) => !gone && name === theirs.name && contentOf(name, game) === contentOf(name, theirs.game) && sameStart(game, theirs.game);

/**
 * Two players who became one may both have had a game. Of its two saves the one with more time stays, or else the one with the lesser id,
 * as on all devices; the other one is deleted, unless it was played on. An entry that the server has not got becomes its save.
 * @param {string} id @param {any} theirs
 */
async function unite(id, theirs) {
  /** @type {any} */ let [spare, revision] = [null, null];
  await note('saves', id, (now) => {
    if (!isTwin(now, theirs) || (now.dirty && now.revision)) return undefined;
    const more = theirs.game.millis - now.game.millis;
    const isTheirs = !now.revision || more > 0 || (!more && theirs.id < now.serverId);
    [spare, revision] = isTheirs ? [now.serverId, now.revision] : [theirs.id, theirs.revision];
    return isTheirs ? { ...(more > 0 ? took(now, theirs) : now), serverId: theirs.id, revision: theirs.revision, problem: null, dirty: more < 0 } : undefined;
  });
  if (revision) await api.deleteSave(spare, revision).catch((error) => { if (error.code !== 'stale-revision') unlessMissing(error); });
}

/** Whether our game continues theirs, so that theirs has nothing that ours lacks. @param {Save} ours @param {Save} theirs */
const descends = (ours, theirs) => ours.start.join() === theirs.start.join() && ours.moves.startsWith(theirs.moves) && ours.millis >= theirs.millis;

/** An entry with the state that another device has sent. @param {Entry} entry @param {{ game: Save, revision: number, updated_millis: number }} theirs @returns {Entry} */
const took = (entry, { game, revision, updated_millis: updated }) => ({ ...entry, game, revision, updated, turn: Math.max(entry.turn ?? 0, updated), version: (entry.version ?? 0) + 1 });

/** Takes over the saves that the server has and this browser has not, and the newer state of those that were not changed here. What the server has lost is sent again. */
async function bringSaves() {
  const listed = await api.listSaves();
  const here = await store.all('saves');
  const known = new Map(here.filter(({ serverId }) => serverId).map((entry) => [entry.serverId, entry]));
  const had = here.length;
  for (const item of listed) {
    const entry = known.get(item.id);
    if (entry && (entry.dirty || entry.gone || !item.revision || item.revision === entry.revision)) continue;
    const theirs = await api.getSave(item.id);
    const twin = here.find((ours) => isTwin(ours, theirs));
    if (entry) await store.update('saves', entry.id, (now) => (now && !now.dirty ? took(now, theirs) : undefined));
    else if (twin) await unite(twin.id, theirs);
    else if (item.name !== UNNAMED || !here.some((ours) => !isNamed(ours) && descends(ours.game, theirs.game))) here.push(await adopt({ ...item, updated: item.updated_millis }, theirs));
  }
  await renewSaves(listed);
  return here.length - had;
}

/** The server's ids of everything that other devices have deleted. @returns {Promise<Set<string>>} */
const deletions = async () => new Set(isShared() ? await api.listDeletions() : []);

/**
 * Has everything sent again that the server has lost: it knows another browser in us, or an older state came back there. What another device
 * has deleted goes here, too, unless it was played on here or is open; what it may have deleted long ago stays, and is sent when it is
 * played on. @param {{ id: string }[]} listed
 */
async function renewSaves(listed) {
  const there = new Set(listed.map(({ id }) => id));
  const lost = (await store.all('saves')).filter((/** @type {Entry} */ { serverId, revision, gone }) => revision && !gone && !there.has(serverId ?? ''));
  if (!lost.length) return;
  const [deleted, open] = [await deletions(), await store.heldNames()];
  for (const { id, serverId } of lost) {
    const isDeleted = deleted.has(serverId) && !open.has(id);
    await note('saves', id, (now) => (isDeleted && !now.dirty ? null : { ...now, ...unsent(), dirty: now.dirty || !isShared() }));
  }
}

/** Has all games and records here sent to the player that this device is now: the one before has those it had. */
export const unlink = () => store.exclusively('sync', async () => {
  for (const { id, serverId, gone } of await store.all('saves')) if (serverId && !gone) await note('saves', id, (now) => ({ ...now, ...unsent(), problem: null, dirty: true }));
  for (const { id, posted, gone } of await store.all('records')) if (posted && !gone) await note('records', id, (now) => ({ ...now, posted: false, serverId: null, local: false }));
});

/**
 * The same of records: of those that are later than the oldest that the server still has of their board. What is older it may have dropped on
 * purpose, to make room. One that another device may have deleted long ago stays here alone. @param {Map<string, any>} listed
 */
async function renewRecords(listed) {
  const isThere = (/** @type {RecordEntry} */ { id, serverId }) => listed.has(serverId ?? id);
  const taken = (await store.all('records')).filter(({ posted, gone, local }) => posted && !gone && !local);
  const lost = taken.filter((record) => !isThere(record));
  if (!lost.length) return;
  const [deleted, oldest] = [await deletions(), new Map()];
  for (const { category, when } of taken.filter(isThere)) oldest.set(category, Math.min(when, oldest.get(category) ?? Infinity));
  const change = isShared() ? { local: true } : { posted: false, serverId: null };
  for (const record of lost) {
    if (deleted.has(record.serverId ?? record.id)) await store.remove('records', record.id);
    else if (record.when >= (oldest.get(record.category) ?? -Infinity)) await note('records', record.id, (now) => ({ ...now, ...change }));
  }
}

/** The records of all boards by their ids. @param {any[]} boards */
const byId = (boards) => new Map(boards.flatMap(({ best_time: time, best_moves: moves, recent }) => [time, moves, ...recent]).filter(Boolean).map((item) => [item.id, item]));

/** Takes over the records that the server has and this browser has not; what the server has lost is sent again. */
async function bringRecords() {
  const ours = await store.all('records');
  const here = new Set(ours.map((record) => record.serverId ?? record.id));
  const listed = byId(await api.listRecords());
  const fresh = [...listed.values()].filter(({ id }) => !here.has(id));
  for (const { id, millis, moves, created_millis: created } of fresh) {
    const { game } = await api.getRecord(id);
    // The server may have got one of ours without our knowing.
    const sent = ours.find((record) => sameGame(record.game, game));
    if (sent) await note('records', sent.id, (now) => ({ ...now, posted: true, serverId: id }));
    else await store.put('records', { id, serverId: id, category: categoryOf(game), millis, moves, when: created, game, posted: true });
    await bringPicture(game);
  }
  await renewRecords(listed);
  return fresh.length;
}

/**
 * Removes every game, picture and record, on the server and then here, with nothing on its way meanwhile. The other tabs begin anew then.
 * Resolves to whether this browser has deleted its own.
 */
export const dropEverything = ({ isHereAlone = !hasServer } = {}) => store.exclusively('sync', async () => {
  if (!isHereAlone) await api.forget();
  await clearTable();
  const cleared = await store.clearAll();
  store.tellTabs?.postMessage('wiped');
  return cleared;
});

/** Takes over the games, or the records, that the server has, with nothing on its way meanwhile. Resolves to how many came. */
export const adoptSaves = () => (hasServer ? store.exclusively('sync', bringSaves) : Promise.resolve(0));
export const adoptRecords = () => (hasServer ? store.exclusively('sync', bringRecords) : Promise.resolve(0));

/** Sends from now on, whenever something changes or the server comes back. */
export function initSync() {
  if (!hasServer) return;
  onLibrary('changed', sendSoon);
  api.onReachable((reachable) => {
    if (reachable) void flush();
    else store.report('server', { kind: 'away' });
  });
  addEventListener('online', flush);
}
