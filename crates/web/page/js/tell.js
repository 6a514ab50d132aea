// Telling those who want to know.

/** Calls each back. One that throws is reported like any other error of the page, and the others are told all the same. @param {Iterable<(...values: any[]) => void>} callbacks @param {...any} values */
export function tellAll(callbacks, ...values) {
  for (const callback of [...callbacks]) {
    try {
      callback(...values);
    } catch (error) {
      queueMicrotask(() => { throw error; });
    }
  }
}

/** Events by name, and who wants to know of them. */
export function createEvents() {
  const listeners = new Map();

  function on(/** @type {string} */ name, /** @type {(detail: any) => void} */ callback) {
    if (!listeners.has(name)) listeners.set(name, []);
    listeners.get(name).push(callback);
  }

  /** Calls back now and on each of these events, so that nobody needs to be there before the first one. @param {string[]} names @param {() => void} callback */
  function follow(names, callback) {
    names.forEach((name) => on(name, callback));
    callback();
  }

  /** @param {string} name @param {any} [detail] */
  const emit = (name, detail) => tellAll(listeners.get(name) ?? [], detail);

  return { on, follow, emit };
}
