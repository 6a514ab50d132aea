// The browser's own database: games, pictures and records live here first, so that play goes on without
// a server. Where a browser refuses it (some private windows), a map in memory takes its place.

const NAME = 'pintu';
const STORES = ['saves', 'pictures', 'records'];

let opening = null;
const memory = new Map(STORES.map((name) => [name, new Map()]));

function database() {
  opening ??= new Promise((resolve) => {
    try {
      const request = indexedDB.open(NAME, 1);
      request.onupgradeneeded = () => STORES.forEach((name) => request.result.createObjectStore(name, { keyPath: 'id' }));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => resolve(null);
      request.onblocked = () => resolve(null);
    } catch {
      resolve(null);
    }
  });
  return opening;
}

async function run(store, mode, act, fallback) {
  const db = await database();
  if (!db) return fallback(memory.get(store));
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(store, mode);
    const request = act(transaction.objectStore(store));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}

export const get = (store, id) => run(store, 'readonly', (s) => s.get(id), (m) => m.get(id));
export const all = (store) => run(store, 'readonly', (s) => s.getAll(), (m) => [...m.values()]);
export const put = (store, value) => run(store, 'readwrite', (s) => s.put(value), (m) => m.set(value.id, value));

/**
 * Replaces an entry by what `change` makes of it (undefined when there is none) in one transaction, so that
 * nothing written in between is lost. `change` may return undefined to leave it as it is.
 */
export const update = (store, id, change) => run(
  store,
  'readwrite',
  (s) => {
    const request = s.get(id);
    request.onsuccess = () => {
      const value = change(request.result);
      if (value !== undefined) s.put(value);
    };
    return request;
  },
  (m) => {
    const value = change(m.get(id));
    if (value !== undefined) m.set(id, value);
  },
);
export const remove = (store, id) => run(store, 'readwrite', (s) => s.delete(id), (m) => m.delete(id));
export const clear = (store) => run(store, 'readwrite', (s) => s.clear(), (m) => m.clear());

/** A random name; `crypto.randomUUID` is missing on plain http. */
export function freshId() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
