// The page's host: a server that answers it, or a folder of files on any web server, with the engine in this browser.
// The folder's documents say so (`pintu site`).

// Pure modules that import this are also read where there is no document.
/** @type {Partial<Record<string, string>>} */
const { host, base = '/', files = '/', engine = '' } = globalThis.document?.documentElement.dataset ?? {};

/** Whether there is a server that keeps games and searches. */
export const hasServer = host !== 'files';

const from = (/** @type {string} */ address) => new URL(address, globalThis.location?.href ?? 'http://localhost/');
/** Where the page begins on its host, and where its files do; the document may lie in a folder of its own. */
const [root, kept] = [from(base), from(files)];

/** The address of a file of the page. @param {string} path */
export const addressOf = (path) => new URL(path, kept).href;

/** The address that opens the game with what a fragment carries. @param {string} fragment */
export const linkTo = (fragment) => new URL(fragment, root).href;

/** The path of a place in the browser's address. @param {string} name */
export const pathOf = (name) => new URL(name === 'play' ? './' : `${name}${hasServer ? '' : '/'}`, root).pathname;

/** The folder of the engine for workers; null where there is none. */
export const engineAddress = engine ? from(engine).href : null;

/** The machine as the browser reports it: its cores, and its memory in gibibytes. @type {{ hardwareConcurrency?: number, deviceMemory?: number }} */
const { hardwareConcurrency: cores = 2, deviceMemory: gibibytes = 4 } = globalThis.navigator ?? {};

/** The size of the pool of workers: further searches of a race, or of panes side by side, queue. */
export const POOL_SIZE = Math.max(2, Math.min(4, cores));

/** Memory of a search in this browser, in bytes: half of the machine's is shared by all workers, of which none can have more than four gibibytes in all. */
export const searchBytes = Math.min(3, Math.max(0.25, gibibytes / 2 / POOL_SIZE)) * 2 ** 30;
