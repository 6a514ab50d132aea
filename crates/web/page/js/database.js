// Opening the browser's database, and one transaction at a time in it. What goes wrong is thrown as a
// `StoreTrouble` that says which kind of trouble it is.

import { tellAll } from './tell.js';

const NAME = 'pintu';
/** How an empty database becomes today's: one step a version. A step is never changed, only followed by another. */
const LADDER = [
  (/** @type {IDBDatabase} */ db) => ['saves', 'pictures', 'records'].forEach((name) => db.createObjectStore(name, { keyPath: 'id' })),
  (/** @type {IDBDatabase} */ db) => ['solves', 'days'].forEach((name) => db.createObjectStore(name, { keyPath: 'id' })),
];
const PATIENCE_MILLIS = 4000;

/** Why something could not be read or written: 'unavailable', 'full', 'newer', 'blocked' or 'failed'. */
export class StoreTrouble extends Error {
  constructor(/** @type {string} */ kind, /** @type {any} */ cause) {
    super(`${kind}: ${cause?.message ?? cause ?? ''}`, { cause });
    this.kind = kind;
  }
}

/** @type {Promise<IDBDatabase> | null} */
let opening = null;
/** Why the database that was asked for is not there yet; nobody waits for it twice. @type {StoreTrouble | null} */
let late = null;
const reopened = new Set();

/** Calls back when a database that had to wait (for another tab to close its own) is there after all. @param {() => void} callback */
export const onReopened = (callback) => reopened.add(callback);

function database() {
  if (late) return Promise.reject(late);
  opening ??= open().catch((error) => {
    opening = null;
    throw error;
  });
  return opening;
}

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, LADDER.length);
    const giveUp = (/** @type {string} */ kind) => {
      late = new StoreTrouble(kind, 'the database does not open');
      reject(late);
    };
    const impatient = setTimeout(giveUp, PATIENCE_MILLIS, 'unavailable');
    request.onupgradeneeded = ({ oldVersion }) => LADDER.slice(oldVersion).forEach((step) => step(request.result));
    request.onblocked = () => giveUp('blocked');
    request.onerror = () => {
      clearTimeout(impatient);
      late = null;
      reject(new StoreTrouble(request.error?.name === 'VersionError' ? 'newer' : 'unavailable', request.error));
    };
    request.onsuccess = () => {
      clearTimeout(impatient);
      guard(request.result);
      resolve(request.result);
      if (!late) return;
      late = null;
      opening = Promise.resolve(request.result);
      tellAll(reopened);
    };
  }).catch((error) => { throw error instanceof StoreTrouble ? error : new StoreTrouble('unavailable', error); });
}

/** Makes way for a newer page in another tab, which cannot upgrade the database while this one has it open. @param {IDBDatabase} db */
function guard(db) {
  db.onversionchange = () => {
    db.close();
    opening = null;
    tellAll(reopened);
  };
  db.onclose = () => { opening = null; };
}

/**
 * Runs `act` on one object store and resolves, once all is written, to the result of the request it returns. What
 * `act` does later and finds impossible it reports to its second argument.
 * @param {import('./store.js').Store} store @param {IDBTransactionMode} mode @param {(store: IDBObjectStore, giveUp: (error: any) => void) => IDBRequest} act
 */
export async function transact(store, mode, act) {
  const db = await database();
  return new Promise((resolve, reject) => {
    const fail = (/** @type {any} */ error) => reject(new StoreTrouble(error?.name === 'QuotaExceededError' ? 'full' : 'failed', error));
    try {
      const transaction = db.transaction(store, mode);
      const giveUp = (/** @type {any} */ error) => { fail(error); transaction.abort(); };
      const request = act(transaction.objectStore(store), giveUp);
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => fail(transaction.error);
      transaction.onabort = () => fail(transaction.error);
    } catch (error) {
      // A connection that the browser closed under us: the next attempt opens another.
      if (error.name === 'InvalidStateError') opening = null;
      fail(error);
    }
  });
}
