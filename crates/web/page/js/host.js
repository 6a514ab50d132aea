// What the page stands on: a server that answers it, or a folder of files on any host, with the engine in this browser.
// The folder's documents say so (`pintu site`).

const { host, base = '/', engine = '' } = document.documentElement.dataset;

/** Whether there is a server that keeps games and searches. */
export const hasServer = host !== 'files';

/** Where the page begins on its host; the document may lie in a folder of it. */
const root = new URL(base, document.documentElement.dataset.begun ?? location.href);

/** The address of a file of the page, wherever that begins. @param {string} path */
export const addressOf = (path) => new URL(path, root).href;

/** The path of a place in the browser's address. @param {string} name */
export const pathOf = (name) => new URL(name === 'play' ? './' : `${name}${hasServer ? '' : '/'}`, root).pathname;

/** The folder of the engine for workers; null where there is none. */
export const engineAddress = engine ? addressOf(engine) : null;
