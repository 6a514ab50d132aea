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
