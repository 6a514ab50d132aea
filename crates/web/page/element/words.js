// What a board says, in the language of the page around it. The names of tiles and what is said of a move are those of the
// game (`i18n/`), which a test compares.

const plural = (/** @type {number} */ count, /** @type {string} */ one, /** @type {string} */ many) => `${count} ${count === 1 ? one : many}`;

/**
 * @typedef {{ tile: number, row: number, col: number }} Place
 * @typedef {object} Words
 * @property {(size: { rows: number, cols: number }) => string} board
 * @property {(place: Place) => string} movable
 * @property {(place: Place) => string} fixed
 * @property {Record<string, string>} ways
 * @property {(said: { tile: number, count: number, way: string, moves: number, misplaced: number }) => string} moved
 * @property {(moves: number) => string} solved
 * @property {string} controls
 * @property {string} shuffle
 * @property {string} reset
 * @property {string} back
 * @property {string} play
 * @property {string} pause
 * @property {string} forward
 * @property {string} searching
 * @property {string} unfound
 * @property {string} unsolvable
 * @property {(detail: string) => string} wrong
 */

/** @type {Words} */
const en = {
  board: ({ rows, cols }) => `Board, ${rows} rows, ${cols} columns`,
  movable: ({ tile, row, col }) => `tile ${tile}, row ${row}, column ${col}, can move`,
  fixed: ({ tile, row, col }) => `tile ${tile}, row ${row}, column ${col}`,
  ways: { U: 'up', D: 'down', L: 'left', R: 'right' },
  moved: ({ tile, count, way, moves, misplaced }) => `${count > 1 ? `${count} tiles` : tile} ${way}; ${plural(moves, 'move', 'moves')}; ${misplaced} misplaced`,
  solved: (moves) => `Solved in ${plural(moves, 'move', 'moves')}`,
  controls: 'Playback',
  shuffle: 'Shuffle',
  reset: 'To the beginning',
  back: 'One move back',
  play: 'Play the solution',
  pause: 'Pause',
  forward: 'Next move of the solution',
  searching: 'Searching for a solution…',
  unfound: 'No solution was found.',
  unsolvable: 'This position cannot be solved.',
  wrong: (detail) => `This board cannot be shown: ${detail}.`,
};

/** @type {Words} */
const zh = {
  board: ({ rows, cols }) => `棋盘，${rows} 行 ${cols} 列`,
  movable: ({ tile, row, col }) => `${tile} 号，第 ${row} 行第 ${col} 列，可移动`,
  fixed: ({ tile, row, col }) => `${tile} 号，第 ${row} 行第 ${col} 列`,
  ways: { U: '上', D: '下', L: '左', R: '右' },
  moved: ({ tile, count, way, moves, misplaced }) => `${count > 1 ? `${count} 块` : `${tile} 号`}向${way}；${moves} 步；${misplaced} 块未归位`,
  solved: (moves) => `${moves} 步后复原`,
  controls: '回放',
  shuffle: '打乱',
  reset: '回到开头',
  back: '退一步',
  play: '播放解法',
  pause: '暂停',
  forward: '解法的下一步',
  searching: '正在求解…',
  unfound: '没有找到解法。',
  unsolvable: '这个局面无解。',
  wrong: (detail) => `这块棋盘无法显示：${detail}。`,
};

/** The words for a language's tag. @param {string} tag */
export const wordsFor = (tag) => (tag.toLowerCase().startsWith('zh') ? zh : en);
