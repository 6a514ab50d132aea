// A whole set-up in the fragment of an address, and back: fields of plain text, so that a link can be read and edited.

/**
 * @typedef {Record<string, string | number | (string | number)[] | undefined>} Fields
 */

/** The fragment of some fields; what is undefined or empty is left out. @param {Fields} fields */
export function fragmentOf(fields) {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && !value.length));
  return `#${new URLSearchParams(kept.map(([name, value]) => [name, Array.isArray(value) ? value.join('.') : String(value)]))}`;
}

const listIn = (/** @type {any} */ text) => (text ? text.split('.') : []);

/** The fields of a fragment. @param {string} fragment */
export function fieldsOf(fragment) {
  const found = new URLSearchParams(fragment.replace(/^#/, ''));
  return {
    has: (/** @type {string} */ name) => found.has(name),
    text: (/** @type {string} */ name, usual = '') => found.get(name) ?? usual,
    list: (/** @type {string} */ name) => listIn(found.get(name)),
    numbers: (/** @type {string} */ name) => listIn(found.get(name)).map(Number),
    number: (/** @type {string} */ name, usual = NaN) => (found.get(name) ? Number(found.get(name)) : usual),
  };
}

/** Puts a fragment into the address without a new entry in the history. @param {string} fragment */
export const keepInAddress = (fragment) => history.replaceState(history.state, '', location.pathname + location.search + fragment);

const PACKED = 'z';

/** A text that is too long for an address, packed: base64url of its deflated bytes. @param {string} text */
export async function pack(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = '';
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return PACKED + btoa(letters).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** The text that was packed. Throws a RangeError where it is none. @param {string} packed */
export async function unpack(packed) {
  try {
    if (!packed.startsWith(PACKED)) throw new RangeError('not packed');
    const letters = atob(packed.slice(1).replace(/-/g, '+').replace(/_/g, '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))).text();
  } catch {
    throw new RangeError('a link that is broken');
  }
}
