// The errors of a request, whether the server answers it or the engine in this browser.

/** What the page's own policy (CSP) has refused: whoever asked is told no more than that the network failed. @type {Set<string>} */
const forbidden = new Set();
globalThis.addEventListener?.('securitypolicyviolation', ({ blockedURI, disposition }) => { if (disposition === 'enforce') forbidden.add(blockedURI); });

/** The refusal where the page's policy forbids one of these addresses, or `wasm-eval`; null elsewhere. Browsers tell of it a little after the failure. @param {string[]} what */
export async function refusedByPolicy(...what) {
  await new Promise((resolve) => { setTimeout(resolve); });
  return what.some((one) => forbidden.has(one)) ? { error: 'the page’s security policy (CSP) does not allow it', code: 'policy' } : null;
}

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
