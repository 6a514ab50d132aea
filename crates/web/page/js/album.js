// The player's own pictures, as this browser keeps them.

import { changeCopy } from './library.js';
import { DEFAULT, builtinName } from './pictures.js';
import * as session from './session.js';
import * as store from './store.js';
import { heldNames, hold } from './store.js';

/** Keeps a picture of the player's, and what it was cropped from so that it can be cropped anew; returns its id. @param {Blob} blob @param {Blob | null} [source] */
export async function keepPicture(blob, source = null, id = store.freshId()) {
  await store.put('pictures', { id, blob, source, serverId: null, when: Date.now() });
  return id;
}

/** @typedef {{ id: string, blob: Blob, source?: Blob | null, serverId?: string | null, when?: number, gone?: boolean }} Picture */
/** @returns {Promise<Picture[]>} */
export const ownPictures = async () => (await store.all('pictures')).filter(({ gone }) => !gone).sort((a, b) => (a.when ?? 0) - (b.when ?? 0));

/** The name under which this tab says that its table shows a picture; other tabs have others. @param {string} id */
const showing = (id) => `picture:${id}:`;
const tab = store.freshId();
/** @type {{ id: string, hold: Promise<store.Hold | null> } | null} */
let shown = null;

/** Says which of the player's pictures is on this tab's table, so that no other tab deletes it: a board that is not shuffled yet is kept nowhere. */
function holdShown() {
  const { picture } = session.current();
  if (shown?.id === picture) return;
  void shown?.hold.then((held) => held?.release());
  shown = builtinName(picture) ? null : { id: picture, hold: hold(showing(picture) + tab) };
}

let follows = false;

export function followTable() {
  if (!follows) session.follow(['game', 'picture'], holdShown);
  follows = true;
}

/**
 * What shows a picture: the saves, the records, whether the table does, and whether another tab's does. @param {Picture} picture
 * @returns {Promise<{ saves: any[], records: any[], table: unknown, elsewhere: boolean }>}
 */
export async function usesOf({ id, serverId }) {
  const shows = (/** @type {{ gone?: boolean, game: { picture: any } }} */ { gone, game }) => !gone && (game.picture === id || (serverId && game.picture === serverId));
  const [saves, records, held] = await Promise.all([store.all('saves'), store.all('records'), heldNames()]);
  const elsewhere = [...held].some((name) => [id, serverId].some((one) => one && name.startsWith(showing(one)) && name !== showing(one) + tab));
  return { saves: saves.filter(shows), records: records.filter(shows), table: shows({ gone: false, game: session.current() }), elsewhere };
}

/**
 * Has the saves that show a picture show another, but for those that a tab has open: these are written by that tab. What
 * is on the table here is one of them. Resolves to how that is taken back. @param {Picture} picture
 */
export async function repaint(picture, next = DEFAULT) {
  const { saves, table } = await usesOf(picture);
  const held = await heldNames();
  const free = saves.filter(({ id }) => !held.has(id) && id !== session.current().id);
  for (const { id, game } of free) await changeCopy(id, { game: { ...game, picture: next } });
  if (table) session.setPicture(next);
  return async () => {
    for (const { id, game } of free) await changeCopy(id, { game });
    if (table && session.current().picture === next) session.setPicture(picture.id);
  };
}

/** Deletes a picture, here at once and on the server when it answers. @param {string} id */
export const dropPicture = (id) => store.update('pictures', id, (now) => now && (now.serverId ? { ...now, gone: true } : null));

/** Takes a picture back that was deleted; the server gets it again with the next game that shows it. @param {Picture} picture */
export const revivePicture = (picture) => store.update('pictures', picture.id, (now) => (now ? { ...now, gone: false } : { ...picture, serverId: null }));
