// The player's own pictures, as this browser keeps them.

import * as session from './session.js';
import * as store from './store.js';

/** Keeps a picture of the player's; returns its id. */
export async function keepPicture(blob) {
  const id = store.freshId();
  await store.put('pictures', { id, blob, serverId: null, when: Date.now() });
  return id;
}

/** The player's pictures, the oldest first. */
export const ownPictures = async () => (await store.all('pictures')).filter(({ gone }) => !gone).sort((a, b) => (a.when ?? 0) - (b.when ?? 0));

/** The pictures that a game, a record or the table shows. */
export async function usedPictures() {
  const all = [...(await store.all('saves')), ...(await store.all('records'))].filter(({ gone }) => !gone);
  return new Set([session.current().picture, ...all.map(({ game }) => game.picture)]);
}

/** Deletes a picture, here at once and on the server when it answers. */
export const dropPicture = (id) => store.update('pictures', id, (now) => now && (now.serverId ? { ...now, gone: true } : null));

/** Takes a picture back that was deleted; the server gets it again with the next game that shows it. */
export const revivePicture = (picture) => store.update('pictures', picture.id, (now) => (now ? { ...now, gone: false } : { ...picture, serverId: null }));
