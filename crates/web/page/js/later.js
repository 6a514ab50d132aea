// Parts that nobody sees at first. Each is loaded when it is wanted, and all of them once the page is at rest, for
// there may be no server to ask by then.

const PARTS = {
  saves: () => import('./saves.js'),
  picker: () => import('./picker.js'),
  files: () => import('./files.js'),
  win: () => import('./win.js'),
  stepwise: () => import('./stepwise.js'),
  sharing: () => import('./sharing.js'),
  lookalike: () => import('./lookalike.js'),
};

/** Loads a part. @template {keyof typeof PARTS} K @param {K} name @returns {ReturnType<typeof PARTS[K]>} */
export const part = (name) => /** @type {any} */ (PARTS[name]());

/** Loads all of them, as far as somebody answers. */
export const fetchParts = () => Promise.allSettled(Object.values(PARTS).map((load) => load()));

/** Opens the sheet of games. */
export const openSaves = async (options) => (await part('saves')).openSaves(options);
