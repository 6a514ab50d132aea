// The errors of a request, whether the server answers it or the engine in this browser.

export class Gone extends Error {
  /** @param {string} message @param {string} [code] */
  constructor(message, code = '') {
    super(message);
    this.code = code;
  }
}

/** Somebody did, and refused: with a code of its own, or a stranger in between (a proxy) with none. */
export class Refused extends Error {
  /** @param {{ error: string, code?: string, isBusy?: boolean, retryAfter?: number | null }} said */
  constructor({ error, code = 'unknown', isBusy = false, retryAfter = null }) {
    super(error);
    this.code = code;
    /** Whether it may be asked again after a while, in seconds where that is known. */
    this.isBusy = isBusy;
    this.retryAfter = retryAfter;
  }
}
