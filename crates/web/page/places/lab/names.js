// What the lab has names for, and how far its numbers go: the same on its cards and in its links.

import { wraps } from '../../js/rules.js';

export const ALGORITHMS = ['bfs', 'bidirectional', 'dijkstra', 'greedy', 'astar', 'wastar', 'ida', 'dfs', 'iddfs', 'bfs-tree', 'dfs-tree', 'auto'];
export const HEURISTICS = ['misplaced', 'euclidean', 'manhattan', 'linear-conflict', 'walking-distance', 'pattern'];
export const GUIDED = new Set(['greedy', 'astar', 'wastar', 'ida']);
export const BOUNDED = new Set(['dfs', 'dfs-tree']);
/** Heuristics that hold only where no row or column wraps around. */
export const PLAIN_ONLY = new Set(['euclidean', 'linear-conflict', 'walking-distance']);
export const TABS = ['race', 'step', 'why'];
export const FAIR = ['expansions', 'time'];
export const MOST_CONTESTANTS = 8;
export const MOST_SCRAMBLES = 1000;
export const USUAL_SECONDS = 20;
export const LEAST_SECONDS = 0.1;
export const MOST_SECONDS = 60;
export const MOST_DEPTH = 1000;
/** How deep a depth-first search goes where nobody says: as deep as the engine then goes. */
export const USUAL_DEPTH = 50;

/** What guides a search on a board where nobody names anything: the same as the engine takes. @param {{ wrapRows: number[], wrapCols: number[] }} board */
export const usualGuide = (board) => (wraps(board) ? 'manhattan' : 'linear-conflict');
