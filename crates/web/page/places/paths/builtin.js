// The maps that come with the page: the sea maps of the blog on A*, small ones of our own, and a graph. Each has the
// algorithms and rules with which it says something.

import { read } from './formats.js';

const SEA = {
  'sea-8': '4 8\n00000222\n00000022\n20300004\n00130030\n',
  'sea-16': '4 16\n0032202020200222\n0000200303030240\n2030303033000220\n1003200002020300\n',
  'sea-8-cut': '4 8\n00000222\n00000022\n20300024\n00130032\n',
  'sea-16-cut': '4 16\n0032202020200222\n0000200303030240\n2030303033000222\n1003200002020300\n',
};

const OWN = {
  meadow: `
................................
................................
......####......................
......#.........................
......#.............#...........
..........222.......#...........
.........22222......#...........
..S.....2255522.....#.......G...
.......225555522....#...........
.......225599552....#...........
........2555522.....#...........
.........22222..................
..........222...................
................................
................................
`,
  trap: `
................................
................................
..............#########.........
......................#.........
......................#.........
......................#.........
......................#.........
..S...................#.....G...
......................#.........
......................#.........
......................#.........
......................#.........
..............#########.........
................................
................................
`,
  city: `
S..3...3...3...3...3...3...3....
.##.###.##.###.####.##.###.####.
.##.###.##.###.####.##.###.####.
3..5...5...5...5...5...5...5...3
.##.####.#.###.##.#.####.##.###.
.##.####.#.###.##.#.####.##.###.
.##.####.#.###.##.#.####.##.###.
3..5...9...9...9...9...5...5...3
.#.###.##.####.#.##.##.####.###.
.#.###.##.####.#.##.##.####.###.
3..5...9...9...9...9...5...5...3
.###.#.##.###.##.####.##.##.###.
.###.#.##.###.##.####.##.##.###.
3..3...3...3...3...3...3...3...G
`,
  spiral: `
.....................
.###################.
.#.................#.
.#.###############.#.
.#.#.............#.#.
.#.#.###########.#.#.
.#.#.#.........#.#.#.
.#.#.#.#######.#.#.#.
.#.#.#.#..G....#.#.#.
.#.#.#.#########.#.#.
.#.#.#...........#.#.
.#.#.#############.#.
.#.#...............#.
.#.#################.
S#...................
`,
};

const PASSAGES = `# rooms and the passages between them, with their lengths
@ Hall 0 0
@ Kitchen 5 -2
@ Library -4 3
@ Study -7 0
@ Stairs 3 4
@ Cellar 8 3
@ Garden 9 -3
@ Attic 1 8
@ Gallery -4 8
@ Tower -8 6
Hall Kitchen 6
Hall Library 5
Hall Stairs 5.5
Hall Study 8
Library Study 5
Library Gallery 5
Study Tower 7
Gallery Tower 5
Gallery Attic 6
Stairs Attic 5
Stairs Cellar 6
Kitchen Garden 5
Kitchen Cellar 8
Cellar Garden 7
`;

const FOUR_WAYS = { diagonal: 'never' };
const EIGHT_WAYS = { diagonal: 'no-corners' };

/** Every built-in map: its rules, and the algorithms that it is shown with. */
export const BUILTIN = {
  meadow: { ...EIGHT_WAYS, runs: ['dijkstra', 'greedy', 'astar', 'wastar'] },
  trap: { ...EIGHT_WAYS, runs: ['dijkstra', 'greedy', 'astar', 'jps'] },
  city: { ...FOUR_WAYS, runs: ['bfs', 'dijkstra', 'astar'] },
  spiral: { ...FOUR_WAYS, runs: ['bfs', 'bidirectional', 'greedy', 'astar'] },
  'sea-8': { ...FOUR_WAYS, runs: ['astar'] },
  'sea-16': { ...FOUR_WAYS, runs: ['bfs', 'dijkstra', 'astar'] },
  'sea-8-cut': { ...FOUR_WAYS, runs: ['astar'] },
  'sea-16-cut': { ...FOUR_WAYS, runs: ['astar'] },
  passages: { ...FOUR_WAYS, runs: ['bfs', 'dijkstra', 'astar'] },
};

/** A built-in map, made anew. */
export function builtin(name) {
  const map = name === 'passages' ? passages() : Object.hasOwn(SEA, name) ? read(SEA[name]) : read(OWN[name].trim(), { format: 'terrain' });
  return { ...map, origin: `map:${name}` };
}

function passages() {
  const graph = read(PASSAGES, { format: 'graph' });
  return { ...graph, start: graph.names.indexOf('Study'), goals: [graph.names.indexOf('Garden')] };
}
