// ChaCha with eight rounds: the generator of `pintu generate`, so that a seed means the same board on the page and on
// the command line, for ever.

/** "expand 32-byte k", as the cipher's authors chose it. */
const SIGMA = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];
const ROUNDS = 8;
const COLUMNS = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15]];
const DIAGONALS = [[0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];

/**
 * Whole numbers below a limit, evenly, from a seed below 2³².
 * @param {number} seed
 * @returns {(limit: number) => number}
 */
export function seeded(seed) {
  const key = [seed >>> 0, 0, 0, 0, 0, 0, 0, 0];
  let counter = 0;
  let words = [];
  const next = () => {
    if (!words.length) words = block(key, counter++);
    return /** @type {number} */ (words.shift());
  };
  return (limit) => {
    const fair = 0xffffffff - (0xffffffff % limit);
    for (;;) {
      const word = next();
      if (word < fair) return word % limit;
    }
  };
}

/** Sixteen words of the stream. */
export function block(key, counter, rounds = ROUNDS) {
  const start = [...SIGMA, ...key, counter, 0, 0, 0];
  const state = Uint32Array.from(start);
  for (let round = 0; round < rounds; round += 1) for (const [a, b, c, d] of round % 2 ? DIAGONALS : COLUMNS) quarter(state, a, b, c, d);
  return Array.from(state, (word, i) => (word + start[i]) >>> 0);
}

function quarter(state, a, b, c, d) {
  for (const [to, from, mixed, turn] of [[a, b, d, 16], [c, d, b, 12], [a, b, d, 8], [c, d, b, 7]]) {
    state[to] += state[from];
    const word = state[mixed] ^ state[to];
    state[mixed] = (word << turn) | (word >>> (32 - turn));
  }
}
