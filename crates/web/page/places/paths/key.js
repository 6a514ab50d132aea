/** The name under which the browser keeps the map of Paths. */
export const KEY = 'pintu.paths';

/** Forgets that map, in this tab and for the next one. */
export function forgetMap() {
  for (const storage of [() => sessionStorage, () => localStorage]) {
    try {
      storage().removeItem(KEY);
    } catch {
      // A browser that keeps nothing has nothing to forget.
    }
  }
}
