// Saves, pictures and records: written to the browser's database first, then brought to the server as
// soon as it answers. Nothing is lost while it is away; the newest state of a save is what is sent.

import * as api from './api.js';
import * as store from './store.js';

export const AUTO = 'auto';
export const AUTO_NAME = 'autosave';
const RETRY_MILLIS = [1000, 2000, 4000, 8000, 15000];

const watchers = new Set();
let flushing = null;
let again = false;
let failures = 0;
let retry = 0;

/** Calls back with the server's error when it refuses something for good. */
export function onRefused(callback) {
  watchers.add(callback);
}

/** Keeps a save: { id, name, game } with the game as `Game.toSave()` gives it. */
export async function keepSave({ id = store.freshId(), name, game }) {
  await store.update('saves', id, (old) => ({
    ...old, id, name, game, updated: Date.now(), version: (old?.version ?? 0) + 1, dirty: true, gone: false, refused: null,
  }));
  flush();
  return id;
}

export async function dropSave(id) {
  // It may be on its way to the server at this moment, so it is forgotten only once the server has.
  await store.update('saves', id, (now) => now && { ...now, gone: true });
  flush();
}

/** Keeps a picture of the player's; returns its id. */
export async function keepPicture(blob) {
  const id = store.freshId();
  await store.put('pictures', { id, blob, serverId: null });
  return id;
}

/** A picture by id: from here, or from the server. */
export async function ownPicture(id) {
  const here = (await store.get('pictures', id)) ?? (await store.all('pictures')).find((picture) => picture.serverId === id);
  if (here) return here.blob;
  try {
    const blob = await api.getPicture(id);
    await store.put('pictures', { id, blob, serverId: id });
    return blob;
  } catch {
    return null;
  }
}

export async function keepRecord(record) {
  await store.put('records', { ...record, id: store.freshId(), posted: false });
  flush();
}

/** All saves, newest first; those that only the server has are fetched when it answers. */
export async function listSaves() {
  // What is on its way is not yet known to be ours: without waiting, it would be adopted as another's.
  await flush();
  await adoptFromServer().catch((error) => { if (!(error instanceof api.Gone)) throw error; });
  const saves = await store.all('saves');
  return saves.filter((save) => !save.gone).sort((a, b) => b.updated - a.updated);
}

/** Takes over saves that the server has and this browser's database does not. */
async function adoptFromServer() {
  const listed = await api.listSaves();
  const here = await store.all('saves');
  const known = new Map(here.filter((save) => save.serverId).map((save) => [save.serverId, save]));
  for (const { id, name, updated_millis: updated } of listed) {
    if (known.has(id) || (name === AUTO_NAME && here.some((save) => save.id === AUTO))) continue;
    const full = await api.getSave(id);
    await store.put('saves', { id: name === AUTO_NAME ? AUTO : id, serverId: id, name, game: full.game, updated, dirty: false, gone: false });
  }
  const onServer = new Set(listed.map(({ id }) => id));
  const lost = here.filter((save) => save.serverId && !save.gone && !onServer.has(save.serverId));
  for (const { id } of lost) await store.update('saves', id, (now) => now && { ...now, serverId: null, dirty: true });
  if (lost.length) flush();
}

/** Takes over records that the server has, into a database that has none. */
export async function adoptRecords(categoryOf) {
  if ((await store.all('records')).length) return false;
  const boards = await api.listRecords().catch(() => []);
  const found = new Map(boards.flatMap(({ best_time: time, best_moves: moves, recent }) => [time, moves, ...recent]).filter(Boolean).map((item) => [item.id, item]));
  for (const { id, millis, moves, created_millis: created } of found.values()) {
    const { game } = await api.getRecord(id);
    await store.put('records', { id, category: categoryOf(game), millis, moves, when: created, game, posted: true });
  }
  return found.size > 0;
}

/** Brings everything that waits to the server. Runs once at a time, and again if something came meanwhile. */
export function flush() {
  if (flushing) {
    again = true;
    return flushing;
  }
  clearTimeout(retry);
  flushing = drain().then(() => { failures = 0; }, wait).finally(() => {
    flushing = null;
    if (again) {
      again = false;
      flush();
    }
  });
  return flushing;
}

function wait(error) {
  if (!(error instanceof api.Gone)) throw error;
  retry = setTimeout(flush, RETRY_MILLIS[Math.min(failures, RETRY_MILLIS.length - 1)]);
  failures += 1;
  again = false;
}

async function drain() {
  for (const save of await store.all('saves')) {
    if (save.gone) await sendDelete(save);
    else if (save.dirty) await sendSave(save);
  }
  for (const record of await store.all('records')) if (!record.posted) await sendRecord(record);
}

async function sendDelete(save) {
  if (save.serverId) await api.deleteSave(save.serverId).catch(pass404);
  await store.remove('saves', save.id);
}

const pass404 = (error) => { if (!(error instanceof api.ApiError) || error.status !== 404) throw error; };

async function sendSave(save) {
  try {
    const serverId = await withPicture(save.game, (game) => send(save.serverId, { name: save.name, game }));
    await store.update('saves', save.id, (now) => {
      if (!now) return undefined;
      const newer = now.version !== save.version;
      again ||= newer || now.gone;
      return { ...now, serverId, dirty: newer };
    });
  } catch (error) {
    await refuse('saves', save, error, { dirty: false });
  }
}

/** Sends a game with the server's name for its picture; the picture anew if the server has lost it. */
async function withPicture(game, act) {
  try {
    return await act({ ...game, picture: await onServer(game.picture) });
  } catch (error) {
    const picture = error.code === 'no-picture' && (await store.get('pictures', game.picture));
    if (!picture) throw error;
    await store.put('pictures', { ...picture, serverId: null });
    return act({ ...game, picture: await onServer(game.picture) });
  }
}

async function send(serverId, body) {
  if (serverId) {
    const updated = await api.putSave(serverId, body).then(() => true, (error) => pass404(error) ?? false);
    if (updated) return serverId;
  }
  return (await api.postSave(body)).id;
}

/** The server's name for a picture, which is sent there first if it must be. */
async function onServer(id) {
  if (id.startsWith('builtin:')) return id;
  const picture = await store.get('pictures', id);
  if (!picture) return id;
  if (!picture.serverId) {
    picture.serverId = (await api.postPicture(picture.blob)).id;
    await store.put('pictures', picture);
  }
  return picture.serverId;
}

async function sendRecord(record) {
  try {
    await withPicture(record.game, (game) => api.postRecord({ game }));
    await store.put('records', { ...record, posted: true });
  } catch (error) {
    await refuse('records', record, error, { posted: true });
  }
}

/** What the server refuses for good stays here and is not sent again; anything else is passed on. */
async function refuse(kind, item, error, settled) {
  if (!(error instanceof api.ApiError) || error.status >= 500) throw error instanceof api.ApiError ? new api.Gone(error.message) : error;
  await store.update(kind, item.id, (now) => now && { ...now, ...(now.version === item.version ? settled : {}), refused: error.code });
  watchers.forEach((callback) => callback(error, kind, item));
}

/** Removes every save, picture and record, here and on the server. */
export async function dropEverything() {
  await api.forget();
  for (const name of ['saves', 'pictures', 'records']) await store.clear(name);
}
