// Keeps a version of the site in the browser: it opens without a network, and no page ever gets files of two versions.
// A newer version is fetched while this one is in use, and takes over when nobody has this one open any more.

const VERSION = '%VERSION%';
/** Every file, by its path below this script. */
const FILES = %FILES%;
/** What a search needs, which is large: where it does not come now, the page asks for it when it is wanted. The networks of large boards come only then. */
const ENGINE = %ENGINE%;
/** The folder of the page's files, which every document of this version names. */
const PAGE = '%PAGE%';
const NAME = `pintu-${registration.scope}-`;
/** The page about an address with nothing, for when nobody answers. */
const NOTHING = %NOTHING%;

const cacheOf = (version) => caches.open(NAME + version);
const at = (path) => new URL(path, registration.scope).href;

/** Whether a host answers with a page in place of a file that it does not have. */
const isHtml = (response) => /html/.test(response.headers.get('Content-Type') ?? '');

/** Puts files into the cache of this version. What has a hash in its address and was kept before need not come again. */
async function fill(paths) {
  const cache = await cacheOf(VERSION);
  await Promise.all(paths.map(async (path) => {
    const known = path.includes('-') ? await caches.match(at(path)) : null;
    const response = known ?? await fetch(at(path), { cache: 'no-cache' });
    if (!response.ok) throw new TypeError(`${path} does not load`);
    // A host may still have a document of the version before: then this version is fetched later.
    const isDocument = path === '' || path.endsWith('/');
    if (isDocument && !(await response.clone().text()).includes(PAGE)) throw new TypeError(`${path} is of another version`);
    if (!isDocument && !path.endsWith('.html') && isHtml(response)) throw new TypeError(`${path} is not there yet`);
    // A response to a redirected request cannot be given to a navigation.
    await cache.put(at(path), response.redirected ? new Response(response.body, { headers: response.headers }) : response);
  }));
}

addEventListener('install', (event) => event.waitUntil((async () => {
  try {
    await fill(FILES);
  } catch (error) {
    // A part is of no use, and games may want the room.
    await caches.delete(NAME + VERSION);
    throw error;
  }
  const known = await Promise.all(ENGINE.map((path) => caches.match(at(path))));
  await fill(ENGINE.filter((path, i) => path.endsWith('.wasm') || known[i])).catch(() => {});
})()));

addEventListener('activate', (event) => event.waitUntil((async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith(NAME) && name !== NAME + VERSION);
  await Promise.all(old.map((name) => caches.delete(name)));
  await clients.claim();
})()));

/** The document of a place: its folder may be asked for without the slash. */
async function documentAt(url) {
  const cache = await cacheOf(VERSION);
  const path = url.pathname.replace(/index\.html$/, '');
  const found = await cache.match(new URL(path, url).href);
  if (found) return found;
  const folder = `${url.origin}${path}/`;
  return (await cache.match(folder)) ? Response.redirect(`${folder}${url.search}`) : null;
}

/** What is kept for a request. */
async function keptFor({ mode, url }) {
  const address = new URL(url);
  return mode === 'navigate' ? documentAt(address) : (await cacheOf(VERSION)).match(address.origin + address.pathname);
}

async function answer(request) {
  // A store that fails is no reason to refuse what the network has.
  const kept = await keptFor(request).catch(() => null);
  if (kept) return kept;
  const response = await fetch(request).catch((error) => {
    if (request.mode !== 'navigate') throw error;
    return new Response(NOTHING, { status: 404, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
  });
  // What belongs to this version and did not come when it was installed; a store that is full does without it.
  if (response.ok && !isHtml(response) && ENGINE.some((path) => at(path) === request.url)) {
    const copy = response.clone();
    await cacheOf(VERSION).then((cache) => cache.put(request.url, copy)).catch(() => {});
  }
  return response;
}

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'GET' && request.url.startsWith(registration.scope)) event.respondWith(answer(request));
});
