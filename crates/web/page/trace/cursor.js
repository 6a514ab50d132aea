// Where a recorded search stands at a position. Every event can be taken back, so that going anywhere costs as little
// as the events in between: a few nanoseconds each, either way.

/** What a node is at a position. */
export const UNSEEN = 0;
export const OPEN = 1;
export const CLOSED = 2;
export const CURRENT = 3;
/** Produced and not followed: beyond the bound, a dead end, too dear, or (depth first) seen before. */
export const DROPPED = 4;
/** Expanded and forgotten again, by a search that keeps nothing but its path. */
export const FORGOTTEN = 5;

/** The number of no node. */
export const NOBODY = 0xffffffff;
/** Where more changes than this wait to be drawn, whoever draws draws everything. */
const MANY = 4000;

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
  // What each event has overwritten, noted when it happens.
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
    switch (what[i]) {
      case 0:
        was.current[i] = current;
        write(i, n);
        leave(parent[i]);
        set(n, CURRENT);
        current = n;
        expanded += 1;
        return;
      case 8:
        was.current[i] = current;
        leave(NOBODY);
        current = NOBODY;
        if (roots.later.has(i)) wait(roots.later.get(i));
        return;
      case 1:
      case 3:
      case 4:
        write(i, n);
        set(n, OPEN);
        break;
      case 2:
      case 5:
      case 6:
      case 7:
        // A state that is known stays what it was; one that is met for the first time is dropped.
        was.status[i] = status[n];
        if (status[n] === UNSEEN) {
          write(i, n);
          set(n, DROPPED);
        }
        break;
      default:
    }
    generated += 1;
  }

  function back(/** @type {number} */ i) {
    const n = node[i];
    switch (what[i]) {
      case 0:
        expanded -= 1;
        unwrite(i, n);
        takeBack(was.current[i], parent[i]);
        return;
      case 8:
        if (roots.later.has(i)) unwait(node[roots.later.get(i)]);
        takeBack(was.current[i], NOBODY);
        return;
      case 1:
      case 3:
      case 4:
        unwrite(i, n);
        break;
      case 2:
      case 5:
      case 6:
      case 7:
        if (was.status[i] === UNSEEN) unwrite(i, n);
        break;
      default:
    }
    generated -= 1;
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
    /** The current node, or NOBODY. */
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
    /** How many states are generated, the start included. */
    get generated() { return generated + rec.begun; },
    /** How many nodes have been met. */
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
    if (what[i] === 8) iteration = i;
    if (what[i] !== 0 || parent[i] !== NOBODY || met.has(node[i])) continue;
    met.add(node[i]);
    // Whoever begins again has one root an iteration; others have all of theirs at once.
    if (depthFirst && first.length) later.set(iteration, i);
    else first.push(i);
  }
  return { first, later };
}
