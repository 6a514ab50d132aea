// Examples that run with one press: the comparisons of the texts that this project grew from, and a few that show
// something about searching.

import { el } from '../../js/dom.js';
import { t } from '../../js/i18n.js';
import { sheet } from '../../js/sheets.js';
import { change, nameOf } from './setup.js';
import { whole } from '../../js/rules.js';

const PLAIN = { rows: 3, cols: 3, wrapRows: [], wrapCols: [], goal: whole(3, 3, 8), averages: false, fair: 'expansions', limits: { seconds: 20 }, beside: -1, chosen: 0 };
const HARDEST = [8, 6, 7, 2, 5, 4, 3, 0, 1];
const astar = (/** @type {string} */ heuristic) => ({ algorithm: 'astar', heuristic });
const guided = [astar('euclidean'), astar('manhattan')];

/** The boards of the text on state spaces, with the lengths of their shortest solutions. */
const SPACES = {
  space: { tiles: [2, 7, 3, 6, 0, 4, 5, 8, 1], goal: [1, 2, 3, 8, 0, 4, 7, 6, 5], length: 18 },
  space23: { tiles: [1, 2, 3, 4, 5, 6, 7, 8, 0], goal: [2, 0, 4, 8, 6, 5, 3, 1, 7], length: 23 },
  space31: { tiles: [2, 6, 4, 1, 3, 7, 0, 5, 8], goal: [8, 1, 5, 7, 3, 6, 4, 0, 2], length: 31 },
};
/** Its comparison of one of them; depth-first search goes as deep as any board needs. */
const space = (/** @type {any} */ { tiles, goal }, /** @type {any} */ contestants) => ({ ...PLAIN, tab: 'race', tiles, goal, limits: { seconds: 20, maxDepth: 31 }, contestants });

/** The set-up of each example, and its action. @type {Record<string, any>} */
const EXAMPLES = {
  picture: { ...PLAIN, tab: 'race', tiles: HARDEST, averages: true, count: 50, seed: 1, contestants: [{ algorithm: 'bfs' }, { algorithm: 'bidirectional' }, { algorithm: 'wastar', heuristic: 'manhattan', weight: 5 }] },
  space: space(SPACES.space, [{ algorithm: 'bfs' }, { algorithm: 'dfs' }, { algorithm: 'dijkstra' }, ...guided]),
  space23: space(SPACES.space23, [{ algorithm: 'bfs' }, { algorithm: 'bfs-tree' }, { algorithm: 'dfs' }, ...guided]),
  space31: space(SPACES.space31, [{ algorithm: 'bfs' }, { algorithm: 'dfs' }, ...guided]),
  hardest: { ...PLAIN, tab: 'race', tiles: HARDEST, contestants: [{ algorithm: 'bfs' }, { algorithm: 'bidirectional' }, astar('misplaced'), astar('manhattan'), astar('linear-conflict'), astar('pattern'), { algorithm: 'wastar', heuristic: 'manhattan', weight: 5 }, { algorithm: 'ida', heuristic: 'linear-conflict' }] },
  step: { ...PLAIN, tab: 'step', tiles: [1, 2, 3, 5, 0, 6, 4, 7, 8], contestants: [astar('manhattan'), { algorithm: 'bfs' }] },
  meet: { ...PLAIN, tab: 'step', tiles: [2, 0, 3, 1, 5, 6, 4, 7, 8], contestants: [{ algorithm: 'bidirectional' }, { algorithm: 'bfs' }] },
  forget: { ...PLAIN, tab: 'step', tiles: [5, 1, 3, 0, 2, 6, 4, 7, 8], contestants: [{ algorithm: 'ida', heuristic: 'misplaced' }, astar('misplaced')] },
};

const BLOGS = ['picture', ...Object.keys(SPACES)];

/** The picture-puzzle blog's figures: states on average, of 3 × 3 boards. @type {Record<string, number>} */
const REPORTED = { bfs: 100_000, bidirectional: 3500, 'wastar:manhattan:5': 300 };

const same = (/** @type {any[]} */ a, /** @type {any[]} */ b) => a.join() === b.join();
/** Whether the board is the blogs': three by three, and no line leads around an edge. */
const isPlain = (/** @type {{ rows: number, cols: number, wrapRows: any, wrapCols: any }} */ { rows, cols, wrapRows, wrapCols }) => rows === PLAIN.rows && cols === PLAIN.cols && !wrapRows.length && !wrapCols.length;

/** The blog's figure for a contestant in an average of the blog's problem, or undefined. @param {import('./setup.js').Contestant} one @param {import('./setup.js').Setup} setup */
export const reported = (one, setup) => (setup.averages && isPlain(setup) && same(setup.goal, PLAIN.goal) ? REPORTED[nameOf(one)] : undefined);

/** Published facts about the set-up that is raced: keys of words with their values. @param {import('./setup.js').Setup} setup @returns {[string, Record<string, number>][]} */
export function blogNotes(setup) {
  const beside = setup.contestants.filter((one) => reported(one, setup) !== undefined);
  if (beside.length) return [['lab.race.blog', {}], ...(beside.some(({ algorithm }) => algorithm === 'bidirectional') ? [/** @type {[string, {}]} */ (['lab.race.blog.ends', {}])] : [])];
  const board = !setup.averages && isPlain(setup) && Object.values(SPACES).find(({ tiles, goal }) => same(tiles, setup.tiles) && same(goal, setup.goal));
  return board ? [['lab.race.space', { n: board.length }]] : [];
}

let run = () => {};
/** Runs an example once it is set up. @param {(...values: any[]) => void} callback */
export const onExample = (callback) => { run = callback; };

/** Sets an example up and runs it. @param {string} name */
function useExample(name) {
  change(EXAMPLES[name]);
  run();
}

/** The buttons of some examples. @param {any[]} names */
export const exampleButtons = (names, after = () => {}) => names.map((name) => el('button', { type: 'button', className: 'example', id: `example-${name}`, onclick: () => { after(); useExample(name); } },
  el('b', {}, t(`lab.example.${name}`)), el('span', {}, t(`lab.example.${name}.text`))));

export function openExamples() {
  const close = () => dialog.close();
  const dialog = sheet(t('lab.examples'), [
    el('h3', {}, t('lab.examples.blogs')), el('div', { className: 'examples' }, exampleButtons(BLOGS, close)),
    el('h3', {}, t('lab.examples.more')), el('div', { className: 'examples' }, exampleButtons(Object.keys(EXAMPLES).filter((name) => !BLOGS.includes(name)), close)),
  ]);
}

/** The examples that an empty race offers. */
export const blogExamples = () => el('div', { className: 'empty' }, el('h2', {}, t('lab.examples.blogs')), el('div', { className: 'examples' }, exampleButtons(BLOGS)));
