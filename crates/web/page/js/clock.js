// A stopwatch that runs only while it is told to.

export class Clock {
  #since = null;
  #kept = 0;

  get running() { return this.#since !== null; }
  get millis() { return this.#kept + (this.running ? performance.now() - this.#since : 0); }

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
