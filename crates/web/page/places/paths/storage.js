// Where the browser keeps the set-up of Paths: for this tab, and for the next one. A browser may keep nothing.

const KEY = 'pintu.paths';
const STORES = [() => sessionStorage, () => localStorage];

/** What a store answers; undefined where it refuses. @template Found @param {() => Storage} store @param {(open: Storage) => Found} ask @returns {Found | undefined} */
function tried(store, ask) {
  try {
    return ask(store());
  } catch {
    return undefined;
  }
}

const forget = (/** @type {() => Storage} */ store) => tried(store, (open) => open.removeItem(KEY));

export const forgetMap = () => STORES.forEach(forget);

/** Keeps a set-up. Returns whether it is kept; a store that refuses it holds nothing, for what stood there is another one. @param {string} text */
export const keepMap = (text) => STORES.map((store) => tried(store, (open) => { open.setItem(KEY, text); return true; }) ?? (forget(store), false)).some(Boolean);

export const keptMap = () => STORES.map((store) => tried(store, (open) => open.getItem(KEY))).find(Boolean) ?? '';
