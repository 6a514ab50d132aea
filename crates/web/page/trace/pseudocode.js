// The algorithms, in few lines each, true to what the engine does and in what order. Each line names the events at
// which it is the one that runs.

import { EXPANDED, ITERATION, CHEAPER, CUT, DEAD_END, KNOWN, NEW, REOPENED, TOO_DEAR } from './recording.js';

/** That a state is found to be the goal is no event of its own. */
export const GOAL = -1;

/**
 * @typedef {object} Line
 * @property {string} en
 * @property {string} zh
 * @property {number[]} [on] The events at which it runs.
 */

/** @returns {Line} */
const line = (en, zh, ...on) => ({ en, zh, on });

const bestFirst = (en, zh, reopens = true) => [
  line('open ← {start}', 'open ← {起点}'),
  line('while open ≠ ∅', 'while open ≠ ∅', ITERATION),
  line(`  n ← ${en}`, `  n ← ${zh}`, EXPANDED),
  line('  if n = goal: return path(n)', '  if n = 目标: return 路径(n)', GOAL),
  line('  for s in successors(n), not back', '  for s in n 的后继（不走回头）'),
  line('    if s is new: open ← open ∪ {s}', '    if s 没见过: open ← open ∪ {s}', NEW),
  line('    else if g(n) + cost < g(s):', '    else if g(n) + 代价 < g(s):', CHEAPER, REOPENED),
  line(reopens ? '      parent(s) ← n; s is open again' : '      parent(s) ← n, if s still waits', reopens ? '      父(s) ← n；s 重新打开' : '      父(s) ← n（若 s 还在等待）'),
  line('    else: s stays as it is', '    else: s 不变', KNOWN, DEAD_END, TOO_DEAR),
];

const breadth = (memory) => [
  line('open ← [start]', 'open ← [起点]'),
  line('for depth = 0, 1, 2, …', 'for 深度 = 0, 1, 2, …', ITERATION),
  line('  n ← the oldest in open', '  n ← open 中等得最久的', EXPANDED),
  line('  if n = goal: return path(n)', '  if n = 目标: return 路径(n)', GOAL),
  line('  for s in successors(n), not back', '  for s in n 的后继（不走回头）'),
  line(memory ? '    if s is new: append s to open' : '    append s to open, seen or not', memory ? '    if s 没见过: s 排到 open 末尾' : '    s 排到 open 末尾，不管见没见过', NEW),
  ...(memory ? [line('    else: leave it', '    else: 不理会', KNOWN)] : []),
];

const dive = (head, bound, memory) => [
  ...head,
  line('dive(n):', 'dive(n):', EXPANDED),
  line('  if n = goal: return path', '  if n = 目标: return 路径', GOAL),
  line('  for s in successors(n), not back', '  for s in n 的后继（不走回头）'),
  line(`    if ${bound} > bound: cut it off`, `    if ${bound} > 界限: 剪掉`, CUT, DEAD_END, TOO_DEAR),
  ...(memory ? [line('    if s was met as near: leave it', '    if s 曾在不更深处见过: 不理会', KNOWN)] : []),
  line('    dive(s)', '    dive(s)', NEW),
];

/** @type {Record<string, Line[]>} */
const TEXTS = {
  bfs: breadth(true),
  'bfs-tree': breadth(false),
  bidirectional: [
    line('open of one side ← {start}, of the other ← {goal}', '一侧 open ← {起点}，另一侧 open ← {目标}'),
    line('loop: side ← the one with fewer open', 'loop: 一侧 ← open 较少的一侧', ITERATION),
    line('  for n in open of side, oldest first', '  for n in 这一侧的 open，先到先取', EXPANDED),
    line('    for s in neighbours(n), not back', '    for s in n 的邻居（不走回头）'),
    line('      if s is new here: add it to side', '      if 这一侧没见过 s: 加入', NEW),
    line('      else: leave it', '      else: 不理会', KNOWN),
    line('      if the other side has s: return', '      if 另一侧有 s: return', GOAL),
    line('        path(start … s … goal)', '        路径(起点 … s … 目标)'),
  ],
  dijkstra: bestFirst('smallest g in open (last in first)', 'open 中 g 最小者（并列取后进的）'),
  greedy: bestFirst('smallest h in open (last in first)', 'open 中 h 最小者（并列取后进的）', false),
  astar: bestFirst('smallest f = g + h (ties: smaller h, then last in)', 'open 中 f = g + h 最小者（并列取 h 小，再取后进）'),
  jps: [
    line('open ← {start}', 'open ← {起点}'),
    line('while open ≠ ∅', 'while open ≠ ∅', ITERATION),
    line('  n ← smallest f = g + h (ties: smaller h, then last in)', '  n ← open 中 f = g + h 最小者（并列取 h 小，再取后进）', EXPANDED),
    line('  if n = goal: return path(n)', '  if n = 目标: return 路径(n)', GOAL),
    line('  for each direction worth taking after parent(n)', '  for 从父(n) 来后值得走的每个方向'),
    line('    s ← straight on to the goal or a forced turn', '    s ← 一直走到目标或必须转弯处'),
    line('    if s is new: open ← open ∪ {s}', '    if s 没见过: open ← open ∪ {s}', NEW),
    line('    else if cheaper: parent(s) ← n', '    else if 更便宜: 父(s) ← n', CHEAPER, REOPENED),
    line('    else: s stays as it is', '    else: s 不变', KNOWN, DEAD_END, TOO_DEAR),
  ],
  wastar: bestFirst('smallest f = g + w·h (ties: smaller h, then last in)', 'open 中 f = g + w·h 最小者（并列取 h 小，再取后进）'),
  dfs: dive([line('bound ← max depth; dive(start)', '界限 ← 最大深度；dive(起点)', ITERATION)], 'depth(s)', true),
  'dfs-tree': dive([line('bound ← max depth; dive(start)', '界限 ← 最大深度；dive(起点)', ITERATION)], 'depth(s)', false),
  iddfs: dive([line('for bound = 0, 1, 2, …: dive(start)', 'for 界限 = 0, 1, 2, …: dive(起点)', ITERATION)], 'depth(s)', false),
  ida: dive([
    line('bound ← h(start)', '界限 ← h(起点)'),
    line('loop: dive(start), forget everything', 'loop: dive(起点)，然后全部忘掉', ITERATION),
    line('  bound ← smallest f that was cut off', '  界限 ← 被剪掉的最小 f'),
  ], 'g(s) + h(s)', false),
};

/** What `auto` runs on maps is A*, with fewer steps. */
const SAME = { 'astar-levels': 'astar', 'astar-pruned': 'astar' };

/** The text of an algorithm; of one that we have none for, nothing. @returns {Line[]} */
export const pseudocode = (algorithm) => TEXTS[SAME[algorithm] ?? algorithm] ?? [];

/** The number of the line that runs at an event, or -1. */
export const lineAt = (algorithm, what) => pseudocode(algorithm).findIndex(({ on }) => on?.includes(what));

export const ALGORITHMS_WITH_TEXT = Object.keys(TEXTS);
