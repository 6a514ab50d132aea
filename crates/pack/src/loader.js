// The head of main.js: runs packed modules. `CHUNKS` is before it, by path: the script of a module that is imported at run time.
const factories = new Map();
const values = new Map();
const define = (path, imports, make) => { if (!factories.has(path)) factories.set(path, { imports, make }); };
const run = (path) => {
  if (values.has(path)) return values.get(path);
  const value = (async () => {
    const { imports, make } = factories.get(path);
    const found = [];
    for (const one of imports) found.push(await run(one));
    return make(...found);
  })();
  values.set(path, value);
  // A module that waits for a file which did not come is run anew when it is asked for again.
  value.catch(() => values.delete(path));
  return value;
};
const resolve = (from, address) => {
  const { pathname, search } = new URL(address, `http://page/${from}`);
  const path = pathname.slice(1);
  return { path, address: new URL(`${CHUNKS[path] ?? 'rest'}.js${search}`, import.meta.url).href };
};
const addressOf = (from, address) => resolve(from, address).address;
const dynamic = async (from, wanted) => {
  const { path, address } = resolve(from, wanted);
  if (!factories.has(path)) await import(address);
  return run(path);
};
const load = (path) => dynamic('', `/${path}`);
export { addressOf, define, dynamic, load };
