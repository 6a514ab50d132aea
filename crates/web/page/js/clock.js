// A stopwatch that runs only while it is told to, and waits while something covers what it is for.

export class Clock {
  /** @type {number | null} */
  #since = null;
  #kept = 0;
  #begun = false;
  #covered = false;
  #waiting = false;

  get running() { return this.#since !== null; }
  /** Whether it would run if nothing covered the board. */
  get waiting() { return this.#waiting; }
  /** Whether it has ever run, even for less than a millisecond. */
  get begun() { return this.#begun; }
  get millis() { return this.#kept + (this.#since === null ? 0 : performance.now() - this.#since); }

  /** Stops, at so many milliseconds. @param {number} millis */
  set(millis) {
    this.#kept = millis;
    this.#since = null;
    this.#waiting = false;
    this.#begun = millis > 0;
  }

  /** Starts unless it runs or waits. `since` is the moment at which it should have started, if that has passed. */
  start(since = performance.now()) {
    this.#begun = true;
    if (this.#covered) this.#waiting = true;
    else this.#since ??= since;
  }

  stop() {
    this.#kept = this.millis;
    this.#since = null;
    this.#waiting = false;
  }

  /** Something covers the board, or nothing does any more. Returns whether it waits now and did not, or the other way round. @param {boolean} now */
  cover(now) {
    if (now === this.#covered) return false;
    this.#covered = now;
    const held = now ? this.running : this.#waiting;
    if (!held) return false;
    this.stop();
    this.start();
    return true;
  }
}
