// The games that were on the table before this one, and those that were left by going back to one: what undo and redo do beyond a game.

const MOST = 20;

/** Makes one, with nothing in it. */
export function createPile() {
  const before = [];
  /** Those that were left: { game, from, at }, where `at` is the step of `from`, the one that was brought back, that they come after. */
  const after = [];

  /** Puts a game there that another takes the place of. */
  function put(game) {
    before.push(game);
    if (before.length > MOST) before.shift();
  }

  return {
    put,
    hasBefore: () => before.length > 0,
    /** Whether the next thing to be done again, beyond a game as it stands, is to go on to the one that was left. */
    hasNext: (game) => after.at(-1)?.from === game && after.at(-1).at === game.past.length,
    /** The game before, in the place of one that is left for it. */
    back(left) {
      const from = before.pop();
      after.push({ game: left, from, at: from.past.length });
      return from;
    },
    /** The game that was left, in the place of the one that was brought back. */
    forward(brought) {
      put(brought);
      return after.pop().game;
    },
    /** Somebody goes another way: nothing comes next. */
    forgetAfter() { after.length = 0; },
    clear() { before.length = 0; after.length = 0; },
  };
}
