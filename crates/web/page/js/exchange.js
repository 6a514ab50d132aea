// One thing at a time between this browser and the server: a save, a record or a picture sent or deleted, and
// everything that the server has brought here.

import * as api from './api.js';
import { isShared } from '../players/known.js';
import { UNNAMED, isNamed } from './entries.js';
import { categoryOf, sameGame } from './ranking.js';
import * as store from './store.js';
/** @import { Entry } from './entries.js' @import { Save } from './save.js' @import { RecordEntry } from './records.js' */

const missing = (/** @type {any} */ error) => error instanceof api.ApiError && error.status === 404 && error.code === 'not-found';
const unlessMissing = (/** @type {any} */ error) => { if (!missing(error)) throw error; };

/**
 * Sends an entry of the library. Resolves to what becomes of it: 'sent'; 'renewed' where the server had lost it;
 * 'again' where the server had got it without our knowing, so that it is to be sent once more; or 'forked' where the
 * server had another version, which then stays there while ours becomes a save of its own. @param {Entry} entry
 */
export async function sendSave(entry) {
  if (await recover(entry)) return 'again';
  const mark = fingerprint(entry.game);
  await store.update('saves', entry.id, (now) => now && { ...now, attempt: mark });
  try {
    const answer = await withPicture(entry.game, (game) => write(entry, { name: entry.name, game }));
    await settle(entry, { serverId: answer.id, revision: answer.revision });
    return entry.serverId && answer.id !== entry.serverId ? 'renewed' : 'sent';
  } catch (error) {
    if (error.code !== 'stale-revision') throw error;
    return reconcile(entry);
  }
}

/**
 * An entry that was sent before without an answer may be on the server: then we go on from there, so that no
 * answer that is lost makes another save. Resolves to whether it is. @param {Entry} entry
 */
async function recover({ id, name, serverId, attempt }) {
  if (serverId || !attempt) return false;
  const known = new Set((await store.all('saves')).map((entry) => entry.serverId));
  const alike = (/** @type {any} */ item) => item.name === name && item.moves === Number.parseInt(attempt, 10) && !known.has(item.id);
  for (const item of (await api.listSaves()).filter(alike)) {
    const theirs = await api.getSave(item.id);
    if (fingerprint(theirs.game) !== attempt) continue;
    await store.update('saves', id, (now) => now && { ...now, serverId: item.id, revision: theirs.revision });
    return true;
  }
  return false;
}

async function write(/** @type {Entry} */ { serverId, revision }, /** @type {{ name: string, game: Save }} */ body) {
  if (!serverId) return api.postSave(body);
  try {
    return await api.putSave(serverId, revision ? { ...body, revision } : body);
  } catch (error) {
    unlessMissing(error);
    return api.postSave(body);
  }
}

/** Notes what the server has of an entry, which may have changed meanwhile. @param {Entry} entry @param {{ serverId: string, revision: number }} known */
const settle = (entry, known) => store.update('saves', entry.id, (now) => now && { ...now, ...known, problem: null, dirty: now.version !== entry.version });

/**
 * The server has a revision that we do not know. Where it is what we sent ourselves (its answer was lost), we go
 * on from it; else both are kept: theirs as another entry here, ours as another save there. @param {Omit<Entry, 'serverId'> & { serverId?: any }} entry
 */
async function reconcile(entry) {
  const theirs = await api.getSave(entry.serverId);
  const mark = fingerprint(theirs.game);
  if (mark === entry.attempt || mark === fingerprint(entry.game)) {
    await store.update('saves', entry.id, (now) => now && { ...now, revision: theirs.revision });
    return 'again';
  }
  await adopt({ id: entry.serverId, name: theirs.name, updated: Date.now() }, theirs);
  await store.update('saves', entry.id, (now) => now && { ...now, serverId: null, revision: null, dirty: true });
  return 'forked';
}

/** A short name for a state of a game: equal for equal states, whatever its picture is called here or there. @param {Save} save */
function fingerprint({ start, moves, redo = '', millis, helped = false }) {
  let hash = 2166136261;
  for (const letter of `${start.join()}|${moves}|${redo}|${millis}|${helped}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619) >>> 0;
  return `${moves.length}.${hash.toString(36)}`;
}

/** Deletes an entry on the server and then here, unless it was taken back meanwhile. @param {Entry} entry */
export async function sendDelete(entry) {
  const { serverId } = (await recover(entry)) ? await store.get('saves', entry.id) : entry;
  if (serverId) await api.deleteSave(serverId).catch(unlessMissing);
  await store.update('saves', entry.id, (now) => now && (now.gone ? null : { ...now, serverId: null, revision: null, dirty: true }));
}

const postRecord = async (/** @type {RecordEntry} */ record) => (await withPicture(record.game, (game) => api.postRecord({ game }))).id;

export async function sendRecord(/** @type {RecordEntry} */ record) {
  await store.update('records', record.id, (now) => now && { ...now, attempted: true });
  const id = await postRecord(record);
  await store.update('records', record.id, (now) => now && { ...now, posted: true, serverId: id, problem: null });
}

/**
 * Deletes a record on the server and then here, unless it was taken back meanwhile. One that was sent without an answer is sent
 * again: for the same game the server answers with the same id. @param {RecordEntry} record
 */
export async function deleteRecord(record) {
  const id = record.posted ? (record.serverId ?? record.id) : record.attempted && (await postRecord(record));
  if (id) await api.deleteRecord(id).catch(unlessMissing);
  await store.update('records', record.id, (now) => now && (now.gone ? null : { ...now, posted: false, attempted: false, serverId: null }));
}

/** Deletes a picture on the server and then here, unless it was taken back meanwhile. One that something shows after all stays. @param {import('./album.js').Picture} picture */
export async function deletePicture(picture) {
  try {
    if (picture.serverId) await api.deletePicture(picture.serverId).catch(unlessMissing);
  } catch (error) {
    if (error.code !== 'picture-in-use') throw error;
    await store.update('pictures', picture.id, (now) => now && { ...now, gone: false });
    return;
  }
  await store.update('pictures', picture.id, (now) => now && (now.gone ? null : { ...now, serverId: null }));
}

/** Sends a game with the server's name for its picture; the picture anew if the server has lost it. @param {Save} game @param {(game: Save) => Promise<any>} act */
async function withPicture(game, act) {
  try {
    return await act({ ...game, picture: await onServer(game.picture) });
  } catch (error) {
    const picture = error.code === 'no-picture' && (await pictureEntry(game.picture));
    if (!picture) throw error;
    await store.put('pictures', { ...picture, serverId: null });
    return act({ ...game, picture: await onServer(game.picture) });
  }
}

/** The server's name for a picture, which is sent there first if it must be. @param {string} id */
async function onServer(id) {
  if (id.startsWith('builtin:')) return id;
  const picture = await pictureEntry(id);
  if (!picture) return id;
  if (!picture.serverId) {
    picture.serverId = (await api.postPicture(picture.blob)).id;
    await store.put('pictures', picture);
  }
  return picture.serverId;
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

const ownOf = (/** @type {{ game: Save }} */ { game }) => (game.picture.startsWith('builtin:') ? [] : [game.picture]);

/**
 * Takes a save over. What was tried before it is not in it: whether it is the only go at its scramble nobody knows.
 * @param {{ id: string, name: string, updated: number }} listed @param {{ game: Save, revision?: number | null }} theirs
 */
async function adopt({ id, name, updated }, { game, revision = null }) {
  await store.put('saves', { id: store.freshId(), serverId: id, revision, name, game, again: 'back', updated, version: 1, dirty: false, gone: false });
  for (const picture of ownOf({ game })) await ownPicture(picture);
}

/** Whether a game of ours comes from this one, so that there is nothing in it that we have not. @param {Save} ours @param {Save} theirs */
const descends = (ours, theirs) => ours.start.join() === theirs.start.join() && ours.moves.startsWith(theirs.moves) && ours.millis >= theirs.millis;

/**
 * Takes over the saves that the server has and this browser has not, and the newer state of those that were not
 * changed here. What the server has lost is sent again. Resolves to how many came.
 */
export async function adoptSaves() {
  const listed = await api.listSaves();
  const here = await store.all('saves');
  const known = new Map(here.filter(({ serverId }) => serverId).map((entry) => [entry.serverId, entry]));
  let came = 0;
  for (const item of listed) {
    const entry = known.get(item.id);
    if (entry && (entry.dirty || entry.gone || !item.revision || item.revision === entry.revision)) continue;
    const theirs = await api.getSave(item.id);
    if (entry) await store.update('saves', entry.id, (now) => (now && !now.dirty ? { ...now, game: theirs.game, revision: theirs.revision, updated: item.updated_millis, turn: Math.max(now.turn ?? 0, item.updated_millis), version: (now.version ?? 0) + 1 } : undefined));
    else if (item.name !== UNNAMED || !here.some((ours) => !isNamed(ours) && descends(ours.game, theirs.game))) {
      await adopt({ id: item.id, name: item.name, updated: item.updated_millis ?? item.updated ?? Date.now() }, theirs);
      came += 1;
    }
  }
  await renewSaves(listed);
  return came;
}

/** Has everything sent again that the server has lost: it knows another browser in us, or an older state came back there. Where other devices share the games, one of them may have deleted it: then it stays here, and is sent when it is played on. */
export async function renewLost() {
  await renewSaves(await api.listSaves());
  await renewRecords(byId(await api.listRecords()));
}

async function renewSaves(/** @type {{ id: string }[]} */ listed) {
  const there = new Set(listed.map(({ id }) => id));
  for (const { id, serverId, gone } of await store.all('saves')) if (serverId && !gone && !there.has(serverId)) await store.update('saves', id, (now) => now && { ...now, serverId: null, revision: null, dirty: !isShared() });
}

/** Forgets what the server has of games and records here: they are this browser's alone from now on. */
export async function unlink() {
  for (const { id, serverId, gone } of await store.all('saves')) if (serverId && !gone) await store.update('saves', id, (now) => now && { ...now, serverId: null, revision: null, dirty: false });
  for (const { id, posted } of await store.all('records')) if (posted) await store.update('records', id, (now) => now && { ...now, local: true });
}

async function renewRecords(/** @type {Map<string, any>} */ listed) {
  for (const { id } of forgotten(await store.all('records'), listed)) await store.update('records', id, (now) => now && { ...now, posted: false, serverId: null });
}

/** The records of all boards by their ids. @param {any[]} boards */
const byId = (boards) => new Map(boards.flatMap(({ best_time: time, best_moves: moves, recent }) => [time, moves, ...recent]).filter(Boolean).map((item) => [item.id, item]));

/**
 * Takes over the records that the server has and this browser has not; what the server has lost is sent again.
 * Resolves to how many came.
 */
export async function adoptRecords() {
  const ours = await store.all('records');
  const here = new Set(ours.map((record) => record.serverId ?? record.id));
  const listed = byId(await api.listRecords());
  const fresh = [...listed.values()].filter(({ id }) => !here.has(id));
  for (const { id, millis, moves, created_millis: created } of fresh) {
    const { game } = await api.getRecord(id);
    // The server may have got one of ours without our knowing.
    const sent = ours.find((record) => sameGame(record.game, game));
    if (sent) await store.update('records', sent.id, (now) => now && { ...now, posted: true, serverId: id });
    else await store.put('records', { id, serverId: id, category: categoryOf(game), millis, moves, when: created, game, posted: true });
    for (const picture of ownOf({ game })) await ownPicture(picture);
  }
  await renewRecords(listed);
  return fresh.length;
}

/**
 * The records that the server took once and has lost, with the cookie or its disk: those that are later than the
 * oldest that it still has of their board. What is older it may have dropped on purpose, to make room. @param {RecordEntry[]} ours @param {Map<string, any>} listed
 */
function forgotten(ours, listed) {
  const taken = ours.filter(({ posted, gone, local }) => posted && !gone && !local);
  const isThere = (/** @type {RecordEntry} */ { id, serverId }) => listed.has(serverId ?? id);
  const oldest = new Map();
  for (const { category, when } of taken.filter(isThere)) oldest.set(category, Math.min(when, oldest.get(category) ?? Infinity));
  return taken.filter((record) => !isThere(record) && record.when >= (oldest.get(record.category) ?? -Infinity));
}
