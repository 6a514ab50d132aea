// A site that `pintu site` wrote, on a bare host of files, below a path of it.

import { execFile } from 'node:child_process';
import { createReadStream, rmSync } from 'node:fs';
import { cp, mkdtemp, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ENGINE } from './engine.mjs';
import { COMMAND } from './harness.mjs';

/** A folder below the host's root, with a name that addresses must spell out. */
const BELOW = '/some where/100%/拼图/';
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

/** A folder with the site, which is written once for all tests of a file. */
const written = (() => {
  let site = null;
  const write = async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'pintu-written-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    await writeSite(folder);
    return folder;
  };
  return () => { site ??= write(); return site; };
})();

/** Writes a site; `version` makes it another one than before, whose files the host has alone. */
export async function writeSite(folder, version = '') {
  const engine = path.join(await mkdtemp(path.join(tmpdir(), 'pintu-engine-')), 'engine.wasm');
  // A custom section, which means nothing.
  const name = new TextEncoder().encode(version);
  const section = version ? [0, name.length + 1, name.length, ...name] : [];
  await writeFile(engine, Buffer.concat([await readFile(ENGINE), Buffer.from(section)]));
  await promisify(execFile)(COMMAND, ['site', folder, '--engine', engine]);
  await rm(path.dirname(engine), { recursive: true });
  if (version) await renamePage(folder, `page-${version}`);
}

/** Has the page's files in a folder of another name, as if they were others. */
async function renamePage(folder, name) {
  const files = await readdir(folder, { recursive: true });
  const old = files.find((file) => /^page-\w+$/.test(file));
  for (const file of files.filter((one) => /(index\.html|\.webmanifest|sw\.js)$/.test(one)).map((one) => path.join(folder, one))) {
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(old, name));
  }
  await rename(path.join(folder, old), path.join(folder, name));
}

/** A host that knows nothing but files, and no types but the oldest; it can be closed and opened again at the same address. */
export async function hostSite() {
  const folder = await mkdtemp(path.join(tmpdir(), 'pintu-site-'));
  await cp(await written(), folder, { recursive: true });
  const asked = [];
  const serve = async (request, response) => {
    const { pathname } = new URL(request.url, 'http://host');
    asked.push(pathname);
    const name = decodeURIComponent(pathname);
    const file = path.join(folder, name.startsWith(BELOW) ? name.slice(BELOW.length) : '../nothing');
    const found = await stat(file).catch(() => null);
    if (found?.isDirectory() && !pathname.endsWith('/')) {
      response.writeHead(301, { Location: `${pathname}/` }).end();
      return;
    }
    const served = found?.isDirectory() ? path.join(file, 'index.html') : file;
    if (!found) response.writeHead(404).end();
    else createReadStream(served).on('error', () => response.destroy()).pipe(response.writeHead(200, { 'Content-Type': TYPES[path.extname(served)] ?? 'application/octet-stream', ...host.headers }));
  };
  const host = { folder, asked, headers: {}, url: '', server: null, port: 0 };
  host.open = async () => {
    host.server = createServer(serve);
    await new Promise((resolve) => { host.server.listen(host.port, '127.0.0.1', resolve); });
    ({ port: host.port } = host.server.address());
    host.url = `http://127.0.0.1:${host.port}${BELOW.split('/').map(encodeURIComponent).join('/')}`;
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
