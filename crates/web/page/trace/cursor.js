// The state of a recorded search at a position. Every event can be taken back, so that going anywhere costs as little
// as the events in between: a few nanoseconds each, either way.

/** The statuses of a node. */
export const UNSEEN = 0;
export const OPEN = 1;
export const CLOSED = 2;
export const CURRENT = 3;
/** Produced and not followed: beyond the bound, a dead end, too dear, or (depth first) seen before. */
export const DROPPED = 4;
/** Expanded and forgotten again, by a search that keeps nothing but its path. */
export const FORGOTTEN = 5;

export const NOBODY = 0xffffffff;
/** With more pending changes than this, views redraw everything. */
const MANY = 4000;

/** The events that are no production: an expansion, and a new bound; and whether a production puts its state into the open list (new, cheaper, reopened). */
const [EXPANDS, BEGINS] = [0, 8];
const opens = (/** @type {number} */ event) => event === 1 || event === 3 || event === 4;

/** @param {import('./recording.js').Recording} rec */
export function createCursor(rec) {
  const { what, node, parent, paid, left, nodes, length, forgets } = rec;
  const roots = rootsOf(rec);
  const status = new Uint8Array(nodes);
  const g = new Float64Array(nodes);
  const h = new Float64Array(nodes);
  const from = new Uint32Array(nodes).fill(NOBODY);
  // The position at which a node was last put into the open list.
  const since = new Uint32Array(nodes);
  // The values that each event has overwritten, for going back.
  const was = { status: new Uint8Array(length), g: new Float64Array(length), h: new Float64Array(length), from: new Uint32Array(length), since: new Uint32Array(length), current: new Uint32Array(length) };
  const counts = new Int32Array(6);
  let current = NOBODY;
  let expanded = 0;
  let generated = 0;
  let k = 0;
  /** The nodes that have changed since somebody last took the changes; null where that may be all of them. @type {number[] | null} */
  let changes = null;

  function set(/** @type {number} */ n, /** @type {number} */ next) {
    counts[status[n]] -= 1;
    counts[next] += 1;
    status[n] = next;
    changes?.push(n);
  }

  /** The node that was current is done with; a search that forgets leaves all that is not above `above`. @param {number} above */
  function leave(above) {
    if (current === NOBODY) return;
    set(current, CLOSED);
    if (forgets) for (let n = current; n !== NOBODY && n !== above; n = from[n]) set(n, FORGOTTEN);
  }

  function takeBack(/** @type {number} */ before, /** @type {number} */ above) {
    current = before;
    if (before === NOBODY) return;
    if (forgets) for (let n = before; n !== NOBODY && n !== above; n = from[n]) set(n, CLOSED);
    set(before, CURRENT);
  }

  /** A state to begin with waits, and no event says so. @param {number} i */
  function wait(i) {
    const n = node[i];
    [g[n], h[n]] = [paid[i], left[i]];
    set(n, OPEN);
  }

  function unwait(/** @type {number} */ n) {
    [g[n], h[n]] = [0, 0];
    set(n, UNSEEN);
  }

  function write(/** @type {number} */ i, /** @type {number} */ n) {
    [was.status[i], was.g[i], was.h[i], was.from[i], was.since[i]] = [status[n], g[n], h[n], from[n], since[n]];
    [g[n], h[n], from[n], since[n]] = [paid[i], left[i], parent[i], i + 1];
  }

  function unwrite(/** @type {number} */ i, /** @type {number} */ n) {
    [g[n], h[n], from[n], since[n]] = [was.g[i], was.h[i], was.from[i], was.since[i]];
    set(n, was.status[i]);
  }

  function on(/** @type {number} */ i) {
    const n = node[i];
    if (what[i] === EXPANDS) {
      was.current[i] = current;
      write(i, n);
      leave(parent[i]);
      set(n, CURRENT);
      current = n;
      expanded += 1;
    } else if (what[i] === BEGINS) {
      was.current[i] = current;
      leave(NOBODY);
      current = NOBODY;
      if (roots.later.has(i)) wait(roots.later.get(i));
    } else {
      // A state that did not get a number stays out of it.
      was.status[i] = status[n] ?? DROPPED;
      generated += 1;
      // A state that is known stays what it was; one that is met for the first time and not followed is dropped.
      if (!opens(what[i]) && status[n] !== UNSEEN) return;
      write(i, n);
      set(n, opens(what[i]) ? OPEN : DROPPED);
    }
  }

  function back(/** @type {number} */ i) {
    const n = node[i];
    if (what[i] === EXPANDS) {
      expanded -= 1;
      unwrite(i, n);
      takeBack(was.current[i], parent[i]);
    } else if (what[i] === BEGINS) {
      if (roots.later.has(i)) unwait(node[roots.later.get(i)]);
      takeBack(was.current[i], NOBODY);
    } else {
      generated -= 1;
      if (opens(what[i]) || was.status[i] === UNSEEN) unwrite(i, n);
    }
  }

  roots.first.forEach(wait);

  /** The current node of the last event: that there is no solution is known when it is done with, too. */
  let last = NOBODY;
  const isOver = () => rec.failed && k === length && length > 0;

  /** Goes to a position. @param {number} to */
  function seek(to) {
    const target = Math.max(0, Math.min(length, Math.round(to)));
    if (changes && changes.length + Math.abs(target - k) > MANY) changes = null;
    if (target === k) return;
    if (isOver()) takeBack(last, NOBODY);
    for (; k < target; k += 1) on(k);
    for (; k > target; k -= 1) back(k - 1);
    if (isOver()) {
      last = current;
      leave(NOBODY);
      current = NOBODY;
    }
  }

  return {
    seek,
    get k() { return k; },
    status: (/** @type {number} */ n) => status[n],
    g: (/** @type {number} */ n) => g[n],
    h: (/** @type {number} */ n) => h[n],
    parent: (/** @type {number} */ n) => from[n],
    since: (/** @type {number} */ n) => since[n],
    /** All nodes' statuses, to be read only. */
    statuses: status,
    get current() { return current; },
    /**
     * The nodes whose status has changed since the changes were last taken, over however many seeks (some perhaps twice); null where that
     * may be all of them, as at first. They wait until whoever draws takes them: nobody can seek them away.
     */
    takeChanges() {
      const taken = changes;
      changes = [];
      return taken;
    },
    get expanded() { return expanded; },
    /** The number of generated states, with the start. */
    get generated() { return generated + rec.begun; },
    get met() { return -counts[UNSEEN]; },
    get open() { return counts[OPEN]; },
    get closed() { return counts[CLOSED]; },
    get bound() { return rec.boundAt(k); },
  };
}

/**
 * The states that a search begins with, by the events at which they are expanded: those that wait from the beginning, and
 * those that a later iteration begins with again (by the number of that iteration's event).
 */
function rootsOf(/** @type {{ what: any, node: any, parent: any, length: number, depthFirst: any }} */ { what, node, parent, length, depthFirst }) {
  const first = [];
  const later = new Map();
  const met = new Set();
  let iteration = -1;
  for (let i = 0; i < length; i += 1) {
    if (what[i] === BEGINS) iteration = i;
    if (what[i] !== EXPANDS || parent[i] !== NOBODY || met.has(node[i])) continue;
    met.add(node[i]);
    // Searches with iterations have one root each; others have all roots at once.
    if (depthFirst && first.length) later.set(iteration, i);
    else first.push(i);
  }
  return { first, later };
}
