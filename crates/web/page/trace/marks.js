// Which colour and shape a contestant has: its own for as long as it stays, whoever comes or goes beside it.

/**
 * The same contestants with a number of a mark each: who has one keeps it, and who has none takes the first that is free.
 * There must be as many marks as contestants, at least; they are counted from `first` on.
 * @template {{ mark?: number }} One
 * @param {One[]} list
 * @param {number} [first]
 * @returns {(One & { mark: number })[]}
 */
export function withMarks(list, first = 0) {
  const taken = new Set();
  const keeps = list.map(({ mark }) => mark !== undefined && !taken.has(mark) && Boolean(taken.add(mark)));
  return list.map((one, i) => {
    if (keeps[i]) return /** @type {One & { mark: number }} */ (one);
    let mark = first;
    while (taken.has(mark)) mark += 1;
    taken.add(mark);
    return { ...one, mark };
  });
}
