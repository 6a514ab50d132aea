// The engine for browsers, run by node as a worker's script runs it.

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ROOT } from './harness.mjs';

/** The module: what `cargo xtask test` names, or what `cargo xtask engine` built last. */
export const ENGINE = process.env.PINTU_ENGINE ?? [path.join(ROOT, 'target/wasm32-unknown-unknown/wasm/pintu_wasm.wasm')].find((file) => existsSync(file));

/** An engine of its own; `tell` is given each progress, and ends the search by returning true. */
export async function createEngine({ bytes = 2 ** 30, tell = () => false } = {}) {
  let answer = null;
  const decoder = new TextDecoder();
  const text = (at, length) => decoder.decode(new Uint8Array(exports.memory.buffer, at, length));
  const host = {
    now: () => performance.now(),
    tell: (at, length) => (tell(JSON.parse(text(at, length))) ? 1 : 0),
    panicked: (at, length) => { throw new Error(text(at, length)); },
    reply: (kind, at, length, mapAt, mapLength) => { answer = { isRefused: kind !== 0, bytes: new Uint8Array(exports.memory.buffer, at, length).slice(), map: text(mapAt, mapLength) }; },
  };
  const { instance: { exports } } = await WebAssembly.instantiate(await readFile(ENGINE), { host });
  const put = (given) => {
    const at = exports.alloc(given.length);
    new Uint8Array(exports.memory.buffer, at, given.length).set(given);
    return at;
  };
  exports.begin(bytes);
  return {
    /** The answer's bytes, the map's id and whether it is a refusal. */
    call(what, body) {
      const name = new TextEncoder().encode(what);
      const all = new Uint8Array([...name, ...new TextEncoder().encode(JSON.stringify(body))]);
      exports.call(put(all), name.length, all.length);
      return answer;
    },
    /** The answer as JSON. */
    ask(what, body) { return JSON.parse(decoder.decode(this.call(what, body).bytes)); },
    weights(side, given) { exports.weights(side, put(given), given.length); },
  };
}
