// Telling those who want to know.

/** Calls each back. One that throws is reported like any other error of the page, and the others are told all the same. */
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

  /** Calls back on an event. */
  function on(name, callback) {
    if (!listeners.has(name)) listeners.set(name, []);
    listeners.get(name).push(callback);
  }

  /** Calls back now and on each of these events, so that nobody needs to be there before the first one. */
  function follow(names, callback) {
    names.forEach((name) => on(name, callback));
    callback();
  }

  const emit = (name, detail) => tellAll(listeners.get(name) ?? [], detail);

  return { on, follow, emit };
}
