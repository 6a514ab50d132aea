// A stopwatch that runs only while it is told to.

export class Clock {
  /** @type {number | null} */
  #since = null;
  #kept = 0;

  get running() { return this.#since !== null; }
  get millis() { return this.#kept + (this.#since === null ? 0 : performance.now() - this.#since); }

  /** Stops, at so many milliseconds. */
  set(millis) {
    this.#kept = millis;
    this.#since = null;
  }

  start() { this.#since ??= performance.now(); }

  stop() {
    this.#kept = this.millis;
    this.#since = null;
  }
}
