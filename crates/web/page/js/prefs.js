// Small preferences, kept in localStorage; never games or pictures, for which it is too small.

/** @type {Record<string, any>} */
const DEFAULTS = {
  theme: 'auto',
  language: null,
  shuffle: 'uniform',
  invert: false,
  letters: true,
  numbers: false,
  homeward: false,
  speed: 1,
  /** The speed at which searches are played. */
  pace: 4,
  algorithm: 'auto',
  heuristic: '',
  seconds: 20,
  weights: {},
  /** The board and the picture that were on the table last. */
  board: {},
  /** Speed-solving: { on, inspection, hover, before }. */
  classic: {},
  /** The names of the lessons that were done. */
  lessons: [],
  /** Whether a game was ever won, and whether it was said what counts as help. */
  met: false,
  told: false,
  /** No clock and no figures. */
  calm: false,
  /** Results to beat, by scramble: { moves, millis, helped }. */
  challenges: {},
  /** The player's id on the server, whether other devices share its games, and whether it is banned. */
  player: { id: null, shared: false, banned: false },
  /** The latest day in whose ranking this browser takes part. */
  run: '',
  sound: false,
  vibration: false,
};

const cache = new Map();

/** A preference; `anew` where another tab may have changed it. @param {string} name */
export function pref(name, { anew = false } = {}) {
  if (anew || !cache.has(name)) cache.set(name, read(name) ?? cache.get(name) ?? DEFAULTS[name]);
  return cache.get(name);
}

export function setPref(/** @type {string} */ name, /** @type {any} */ value) {
  cache.set(name, value);
  try {
    localStorage.setItem(`pintu.${name}`, typeof value === 'string' ? value : JSON.stringify(value));
  } catch {
    // A browser that keeps nothing still plays; the choice lasts until the page is closed.
  }
}

function read(/** @type {string} */ name) {
  try {
    const text = localStorage.getItem(`pintu.${name}`);
    if (text === null) return null;
    return typeof DEFAULTS[name] === 'string' || DEFAULTS[name] === null ? text : JSON.parse(text);
  } catch {
    return null;
  }
}
