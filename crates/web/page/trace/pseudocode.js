// The algorithms, in few lines each: a program typed from one expands and generates the same states as the engine, in the
// same order. Each line names the events at which it is the one that runs.

import { EXPANDED, ITERATION, CHEAPER, CUT, DEAD_END, KNOWN, NEW, REOPENED, TOO_DEAR } from './recording.js';

/** Finding the goal is no event of its own; from both ends, the start may be the goal. */
const [GOAL, AT_ONCE] = [-1, -2];

/**
 * @typedef {object} Line
 * @property {string} en
 * @property {string} zh
 * @property {number[]} [on] The events at which it runs.
 * @property {boolean} [isWords] It defines in words what the others use.
 */

/** @returns {Line} */
const line = (/** @type {string} */ en, /** @type {string} */ zh, /** @type {number[]} */ ...on) => ({ en, zh, on });
/** A definition, in words. @returns {Line} */
const words = (/** @type {string} */ en, /** @type {string} */ zh) => ({ en, zh, isWords: true });

const FAIL = line('return no solution', 'return 无解');
/** `{order}` is the order of successors, which differs between boards, maps and graphs. */
const EACH = line('  for s in successors(n) {order}, s ≠ parent(n):', '  for s in n 的后继{order}，s ≠ 父(n):');

const BEGIN = line('open ← {start}; closed ← ∅; g(start) ← 0', 'open ← {起点}；closed ← ∅；g(起点) ← 0');
/** The beginning of a search that keeps the cost of the best path so far. */
const BEGIN_WITHOUT = line(`${BEGIN.en}; best ← ∞`, `${BEGIN.zh}；best ← ∞`);
const ENDS = [line('  if n = goal: return path(n)', '  if n = 目标: return 路径(n)', GOAL)];

const MOVE = line('  move n from open to closed', '  把 n 从 open 移到 closed');

const bestFirst = (/** @type {string} */ en, /** @type {string} */ zh, { reopens = true, begin = BEGIN, ends = ENDS, each = [EACH], fail = FAIL } = {}) => [
  begin,
  line('while open ≠ ∅:', 'while open ≠ ∅:', ITERATION),
  line(`  n ← ${en}`, `  n ← ${zh}`, EXPANDED),
  MOVE,
  ...ends,
  ...each,
  line('    if s ∉ open ∪ closed: put(s, n)', '    if s ∉ open ∪ closed: put(s, n)', NEW),
  line(`    else if g(n) + cost(n, s) < g(s)${reopens ? '' : ' and s ∈ open'}:`, `    else if g(n) + 代价(n, s) < g(s)${reopens ? '' : ' 且 s ∈ open'}:`, CHEAPER, REOPENED),
  line('      put(s, n)', '      put(s, n)'),
  line('    else: leave s as it is', '    else: s 不变', KNOWN, DEAD_END, TOO_DEAR),
  fail,
  line('put(s, n):', 'put(s, n):'),
  line('  g(s) ← g(n) + cost(n, s); parent(s) ← n', '  g(s) ← g(n) + 代价(n, s)；父(s) ← n'),
  line(`  move s to open${reopens ? ' (from closed, too)' : ''}, as the last in`, `  把 s 移到 open${reopens ? '（在 closed 里也移）' : ''}，视为最后加入`),
];

const breadth = (/** @type {boolean} */ memory) => [
  line(memory ? 'open ← [start]; closed ← ∅' : 'open ← [start]', memory ? 'open ← [起点]；closed ← ∅' : 'open ← [起点]'),
  line('while open ≠ ∅:  (depth by depth)', 'while open ≠ ∅:（逐层）', ITERATION),
  ...(memory ? [line('  n ← the first of open', '  n ← open 的第一个', EXPANDED), MOVE] : [line('  n ← take the first of open', '  n ← 取出 open 的第一个', EXPANDED)]),
  ...ENDS,
  EACH,
  ...(memory ? [
    line('    if s ∉ open ∪ closed: parent(s) ← n', '    if s ∉ open ∪ closed: 父(s) ← n', NEW),
    line('      append s to open', '      s 排到 open 末尾'),
    line('    else: leave s as it is', '    else: s 不变', KNOWN),
  ] : [line('    append s to open, parent n, seen or not', '    s 排到 open 末尾，父为 n，不管见没见过', NEW)]),
  FAIL,
];

const dive = (/** @type {Line[]} */ head, /** @type {any} */ { bound, over, table = /** @type {Line[]} */ ([]) }) => [
  ...head,
  line('dive(n):', 'dive(n):', EXPANDED),
  ...ENDS,
  EACH,
  line(`    if ${bound.en} > bound: ${over.en}; skip`, `    if ${bound.zh} > 界限: ${over.zh}；跳过`, CUT, DEAD_END, TOO_DEAR),
  ...table,
  line('    parent(s) ← n; dive(s); if found: return it', '    父(s) ← n；dive(s)；if 找到: return', NEW),
  line('  return not found', '  return 未找到'),
];

const STEPS = { bound: { en: 'depth(s)', zh: '深度(s)' }, over: { en: 'wasCut ← yes', zh: '剪过 ← 是' } };
const SUM = { bound: { en: 'g(s) + h(s)', zh: 'g(s) + h(s)' }, over: { en: 'note it', zh: '记下它' } };

const once = (/** @type {boolean} */ seen) => [
  line(`bound ← max depth; ${seen ? 'seen(start) ← 0; ' : ''}dive(start)`, `界限 ← 最大深度；${seen ? '见过(起点) ← 0；' : ''}dive(起点)`, ITERATION),
  line('if not found: no solution, or none so shallow if wasCut', 'if 未找到: 无解；若剪过，则这么浅处无解'),
];

const deepening = [
  line('for bound = 0, 1, 2, …:', 'for 界限 = 0, 1, 2, …:'),
  line('  wasCut ← no; dive(start); if found: return it', '  剪过 ← 否；dive(起点)；if 找到: return', ITERATION),
  line('  if not wasCut: return no solution', '  if 没剪过: return 无解'),
];

const ida = (/** @type {boolean} */ table) => [
  line('bound ← h(start)', '界限 ← h(起点)'),
  line(`loop: ${table ? 'table(start) ← 0; ' : ''}dive(start); if found: return it`, `loop: ${table ? '表(起点) ← 0；' : ''}dive(起点)；if 找到: return`, ITERATION),
  line('  if none was noted: return no solution', '  if 没有记下的: return 无解'),
  line('  bound ← smallest noted; forget the noted ones', '  界限 ← 记下的最小者；清空记录'),
];

/** @type {Record<string, Line[]>} */
const TEXTS = {
  bfs: breadth(true),
  'bfs-tree': breadth(false),
  bidirectional: [
    line('open(A) ← [start]; open(B) ← [goal]', 'open(A) ← [起点]；open(B) ← [目标]'),
    line('closed(A) ← ∅; closed(B) ← ∅', 'closed(A) ← ∅；closed(B) ← ∅'),
    line('if start = goal: return path(expand it)', 'if 起点 = 目标: return 路径(扩展它)', AT_ONCE),
    line('while open(A) ≠ ∅ and open(B) ≠ ∅:', 'while open(A) ≠ ∅ 且 open(B) ≠ ∅:', ITERATION),
    line('  X ← side with the shorter open (ties: A); Y ← other', '  X ← open 较短的一侧（并列取 A）；Y ← 另一侧'),
    line('  for n in open(X) as it is now, oldest first:', '  for n in 此刻的 open(X)，先进先取:', EXPANDED),
    line('    move n from open(X) to closed(X)', '    把 n 从 open(X) 移到 closed(X)'),
    line('    for s in neighbours(n) {order}, s ≠ parent(n):', '    for s in n 的邻居{order}，s ≠ 父(n):'),
    line('      if s ∈ open(X) ∪ closed(X): skip', '      if s ∈ open(X) ∪ closed(X): 跳过', KNOWN),
    line('      append s to open(X); parent(s) ← n', '      s 排到 open(X) 末尾；父(s) ← n', NEW),
    line('      if s ∈ open(Y) ∪ closed(Y): return', '      if s ∈ open(Y) ∪ closed(Y): return', GOAL),
    line('        path(start … s … goal)', '        路径(起点 … s … 目标)'),
    FAIL,
  ],
  dijkstra: bestFirst('smallest g in open (ties: last in)', 'open 中 g 最小者（并列取后进的）'),
  greedy: bestFirst('smallest h in open (ties: last in)', 'open 中 h 最小者（并列取后进的）', { reopens: false }),
  astar: bestFirst('smallest f = g + h in open (ties: smaller h, last in)', 'open 中 f = g + h 最小者（并列取 h 小，再取后加入者）'),
  'astar-levels': bestFirst('smallest f = g + h in open (ties: by rows, goal last)', 'open 中 f = g + h 最小者（并列按行，目标最后）'),
  'astar-pruned': [
    ...bestFirst('smallest ⌊16.3384 · f⌋ in open (ties: last in)', 'open 中 ⌊16.3384 · f⌋ 最小者（并列取后进的）', {
      begin: BEGIN_WITHOUT,
      ends: [
        line('  if f(n) = g(n) + h(n) ≥ best: skip', '  if f(n) = g(n) + h(n) ≥ best: 跳过'),
        line('  if n = goal: best ← g(n); skip', '  if n = 目标: best ← g(n)；跳过', GOAL),
      ],
      each: [line('  for s in needed(n) {order}:', '  for s in 需要(n){order}:')],
      fail: line('return path(goal); no solution if best = ∞', 'return 路径(目标)；best = ∞ 则无解'),
    }),
    words('needed(n), the natural and the forced neighbours:', '需要(n)，即自然邻居和强迫邻居：'),
    words('  not parent(n), nor straight beside that; and if all', '  不是父(n)，也不在父(n) 的正旁边；若 n 周围'),
    words('  that is free around n costs what n does:', '  能走的格子代价都与 n 相同，则还要'),
    words('  no way past n is cheaper, or as cheap and', '  绕过 n 的走法都不更便宜，也没有同样便宜'),
    words('  diagonal (4 ways: vertical) first', '  而先斜走（四方向时先竖走）的'),
  ],
  jps: [
    ...bestFirst('smallest f = g + h in open (ties: newest node)', 'open 中 f = g + h 最小者（并列取最新的结点）', { begin: BEGIN_WITHOUT, each: [
      line('  for d in needed(n) {order}, s in jumps(n, d):', '  for d in 需要(n){order}，s in jumps(n, d):'),
      line('    if g(n) + cost(n, s) + h(s) ≥ best: skip', '    if g(n) + 代价(n, s) + h(s) ≥ best: 跳过', CUT),
      line('    if s = goal: best ← g(n) + cost(n, s)', '    if s = 目标: best ← g(n) + 代价(n, s)'),
    ] }),
    words('jumps(c, d):', 'jumps(c, d):'),
    words('  go from c by d to the first goal or turn: it is one', '  从 c 沿 d 走到第一个目标或须转弯处：那就是'),
    words('  d diagonal (4 ways: vertical): from each cell passed', '  d 为斜向（四方向时为竖向）：途中每格'),
    words('    also those along its column and row within d', '    沿 d 所含竖向、横向（四方向时为 ← →）的也是'),
    words('turn: a cell c with a forced neighbour: one in', '须转弯处：格 c 有强迫邻居，即需要(c) 里有'),
    words('  needed(c) that open ground would not need', '  空地上不需要的方向'),
    words('needed(n): not back, and no way past n is cheaper,', '需要(n)：不往回走，且绕过 n 的走法都不更便宜，'),
    words('  or as cheap and diagonal (4 ways: vertical) first', '  也没有同样便宜而先斜走（四方向时先竖走）的'),
  ],
  wastar: bestFirst('smallest f = g + w·h in open (ties: smaller h, last in)', 'open 中 f = g + w·h 最小者（并列取 h 小，再取后加入者）'),
  dfs: dive(once(true), { ...STEPS, table: [
    line('    if seen(s) ≤ depth(s): skip', '    if 见过(s) ≤ 深度(s): 跳过', KNOWN),
    line('    seen(s) ← depth(s)', '    见过(s) ← 深度(s)'),
  ] }),
  'dfs-tree': dive(once(false), STEPS),
  iddfs: dive(deepening, STEPS),
  ida: dive(ida(false), SUM),
  'ida-table': dive(ida(true), { ...SUM, table: [
    line('    if table(s) < g(s), or = g(s) in this round: skip', '    if 表(s) < g(s)，或本轮内 = g(s): 跳过', KNOWN),
    line('    table(s) ← g(s)', '    表(s) ← g(s)'),
  ] }),
};

/** On boards the order is that of the gap's moves; on maps there are eight ways or four; on graphs it is that of the edges in the file. @type {Record<string, { en: string; zh: string; }>} */
const ORDERS = {
  tiles: { en: '(gap ↑←→↓)', zh: '（空格↑←→↓）' },
  cells: { en: '(↑←→↓ ↖↗↙↘)', zh: '（↑←→↓ ↖↗↙↘）' },
  four: { en: '(↑←→↓)', zh: '（↑←→↓）' },
  graph: { en: '(as listed)', zh: '（按边的顺序）' },
};

/** Which text is an algorithm's in a kind of space: on maps and graphs IDA* keeps a table. @param {string} algorithm @param {string} kind */
export const textOf = (algorithm, kind) => (algorithm === 'ida' && kind !== 'tiles' ? 'ida-table' : algorithm);

/** The text of an algorithm in a kind of space; of one that we have none for, nothing. @returns {Line[]} @param {string} algorithm */
export function pseudocode(algorithm, kind = 'tiles') {
  const order = ORDERS[kind];
  return (TEXTS[textOf(algorithm, kind)] ?? []).map((one) => ({ ...one, en: one.en.replace('{order}', order.en), zh: one.zh.replace('{order}', order.zh) }));
}

/** The number of the line that runs at an event, or -1. @param {string} algorithm @param {number} what */
export const lineAt = (algorithm, what, kind = 'tiles') => (TEXTS[textOf(algorithm, kind)] ?? []).findIndex(({ on }) => on?.includes(what));

/** The number of the line that runs at a position of a recording; before anything has happened, the first one waits to. @param {import('./recording.js').Recording} rec @param {number} k */
export function lineOf(rec, k) {
  const { answer: { algorithm }, place: { kind } } = rec;
  const what = rec.what[k - 1];
  const goal = algorithm === 'bidirectional' && what === EXPANDED ? AT_ONCE : GOAL;
  return k > 0 ? lineAt(algorithm, k === rec.goalEvent ? goal : what, kind) : 0;
}

export const ALGORITHMS_WITH_TEXT = Object.keys(TEXTS);
