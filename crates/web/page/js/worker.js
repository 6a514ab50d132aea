// A worker with the engine. While it searches it hears nothing: so the engine tells from time to time how far it is, and
// looks then whether the page still has the blob whose address came with the question. A page that has had enough revokes it.
// This script is on its own: it imports nothing.

/** @type {{ memory: WebAssembly.Memory, begin: (bytes: number) => void, alloc: (length: number) => number, call: (at: number, name: number, length: number) => void, weights: (side: number, at: number, length: number) => void }} */
let engine;
/** The blob's address, if blobs can be read here. @type {string | null} */
let token = null;
/** @type {any} */
let answer = null;

const decoder = new TextDecoder();
const bytesAt = (/** @type {number} */ at, /** @type {number} */ length) => new Uint8Array(engine.memory.buffer, at >>> 0, length >>> 0); // Addresses come as signed numbers.
const textAt = (/** @type {number} */ at, /** @type {number} */ length) => decoder.decode(bytesAt(at, length));

/** Whether a blob is still there. @param {string} address */
function isThere(address) {
  try {
    const request = new XMLHttpRequest();
    request.open('GET', address, false);
    request.send();
    return request.status === 200;
  } catch {
    return false;
  }
}

const host = {
  now: () => performance.now(),
  tell(/** @type {number} */ at, /** @type {number} */ length) {
    postMessage({ progress: textAt(at, length) });
    return token !== null && !isThere(token) ? 1 : 0;
  },
  panicked: (/** @type {number} */ at, /** @type {number} */ length) => postMessage({ panicked: textAt(at, length) }),
  reply(/** @type {number} */ kind, /** @type {number} */ at, /** @type {number} */ length, /** @type {number} */ mapAt, /** @type {number} */ mapLength) {
    answer = { isRefused: kind !== 0, bytes: bytesAt(at, length).slice().buffer, map: textAt(mapAt, mapLength) };
  },
};

/** Puts bytes into the engine's memory, which takes them. @param {Uint8Array} bytes */
function put(bytes) {
  const at = engine.alloc(bytes.length);
  bytesAt(at, bytes.length).set(bytes);
  return at;
}

const wires = {
  async begin(/** @type {{ module: WebAssembly.Module, bytes: number }} */ { module, bytes }) {
    const instance = await WebAssembly.instantiate(module, { host });
    engine = /** @type {any} */ (instance.exports);
    engine.begin(bytes);
    postMessage({ ready: true });
  },
  weights: (/** @type {{ side: number, bytes: ArrayBuffer }} */ { side, bytes }) => engine.weights(side, put(new Uint8Array(bytes)), bytes.byteLength),
  call(/** @type {{ what: string, body: string, stop: string }} */ { what, body, stop }) {
    token = isThere(stop) ? stop : null;
    const encoder = new TextEncoder();
    const [name, rest] = [encoder.encode(what), encoder.encode(body)];
    const all = new Uint8Array(name.length + rest.length);
    all.set(name);
    all.set(rest, name.length);
    answer = null;
    engine.call(put(all), name.length, all.length);
    postMessage({ answer, held: engine.memory.buffer.byteLength }, { transfer: [answer.bytes] });
  },
};

addEventListener('message', async ({ data }) => {
  try {
    await wires[/** @type {'begin' | 'weights' | 'call'} */ (data.kind)](data);
  } catch (error) {
    // A module that has trapped is of no use any more.
    postMessage({ died: String(error) });
  }
});
