// A list in the browser's database to which several tabs add. What is in memory is for showing; what is added is judged by what is kept.

import { exclusively } from './holds.js';
import { tellTabs } from './later.js';
import * as store from './store.js';

/**
 * Makes such a list of all that a store has. `onRead` is told each time it was read.
 * @template T
 * @param {'records' | 'solves'} name
 * @param {(all: any[]) => T[]} arrange Leaves out what is not shown, and puts the rest in order.
 * @param {() => void} [onRead]
 */
export function createShelf(name, arrange, onRead = () => {}) {
  /** @type {T[]} */
  let list = [];

  /** Reads what the browser has. */
  async function load() {
    list = arrange(await store.all(name));
    onRead();
  }

  /** Reads what the browser has now, and has the other tabs do so. */
  async function changed() {
    tellTabs?.postMessage({ [name]: true });
    await load();
  }

  /** Acts on what is kept, while no other tab does. @template R @param {(list: T[]) => Promise<R>} act @returns {Promise<R>} */
  const alone = (act) => exclusively(name, async () => {
    await load();
    return act(list);
  });

  /** Calls back when another tab has changed it. */
  const onElsewhere = (callback) => tellTabs?.addEventListener('message', ({ data }) => { if (data[name]) callback(); });

  return { all: () => list, load, changed, alone, onElsewhere };
}
