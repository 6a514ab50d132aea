// A site that `pintu site` wrote, on a bare host of files, below a path of it.

import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ENGINE } from './engine.mjs';
import { COMMAND } from './harness.mjs';

const BELOW = '/some/where/';
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/** Writes a site; `version` makes it another one than before. */
export async function writeSite(folder, version = '') {
  const engine = path.join(await mkdtemp(path.join(tmpdir(), 'pintu-engine-')), 'engine.wasm');
  // A custom section, which means nothing.
  const name = new TextEncoder().encode(version);
  const section = version ? [0, name.length + 1, name.length, ...name] : [];
  await writeFile(engine, Buffer.concat([await readFile(ENGINE), Buffer.from(section)]));
  await promisify(execFile)(COMMAND, ['site', folder, '--engine', engine]);
  await rm(path.dirname(engine), { recursive: true });
}

/** A host that knows nothing but files, and no types but the oldest; it can be closed and opened again at the same address. */
export async function hostSite() {
  const folder = await mkdtemp(path.join(tmpdir(), 'pintu-site-'));
  await writeSite(folder);
  const asked = [];
  const serve = async (request, response) => {
    const { pathname } = new URL(request.url, 'http://host');
    asked.push(pathname);
    const file = path.join(folder, pathname.startsWith(BELOW) ? pathname.slice(BELOW.length) : '../nothing');
    const found = await stat(file).catch(() => null);
    if (found?.isDirectory() && !pathname.endsWith('/')) {
      response.writeHead(301, { Location: `${pathname}/` }).end();
      return;
    }
    const name = found?.isDirectory() ? path.join(file, 'index.html') : file;
    if (!found) response.writeHead(404).end();
    else createReadStream(name).on('error', () => response.destroy()).pipe(response.writeHead(200, { 'Content-Type': TYPES[path.extname(name)] ?? 'application/octet-stream' }));
  };
  const host = { folder, asked, url: '', server: null, port: 0 };
  host.open = async () => {
    host.server = createServer(serve);
    await new Promise((resolve) => { host.server.listen(host.port, '127.0.0.1', resolve); });
    ({ port: host.port } = host.server.address());
    host.url = `http://127.0.0.1:${host.port}${BELOW}`;
  };
  host.close = () => new Promise((resolve) => { host.server.close(resolve); host.server.closeAllConnections(); });
  host.clean = async () => {
    await host.close();
    await rm(folder, { recursive: true, force: true });
  };
  await host.open();
  return host;
}

/** Waits until the browser has kept the site. */
export const keptOffline = (page) => page.evaluate(async () => {
  await (await packed('js/install.js')).keepOffline();
  await navigator.serviceWorker.ready;
  if (navigator.serviceWorker.controller) return;
  await new Promise((resolve) => { navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }); });
});
