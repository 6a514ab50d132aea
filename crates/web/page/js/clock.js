// A stopwatch that runs only while it is told to.

export class Clock {
  /** @type {number | null} */
  #since = null;
  #kept = 0;
  #begun = false;

  get running() { return this.#since !== null; }
  /** Whether it has ever run, be it for less than can be told. */
  get begun() { return this.#begun; }
  get millis() { return this.#kept + (this.#since === null ? 0 : performance.now() - this.#since); }

  /** Stops, at so many milliseconds. */
  set(millis) {
    this.#kept = millis;
    this.#since = null;
    this.#begun = millis > 0;
  }

  /** Starts, if it does not run; it may be told late that it should have, and of when. */
  start(since = performance.now()) {
    this.#since ??= since;
    this.#begun = true;
  }

  stop() {
    this.#kept = this.millis;
    this.#since = null;
  }
}
