// The page as a program of its own: opened without a network after one visit, and installed where the browser offers that. Only a
// folder of files on a secure host has it.

import { hasServer, linkTo } from './host.js';

/** The browser's offer to install the page, until it is taken. @type {any} */
let offer = null;

/** Installs the page, if the browser offers it now; else null. */
export const installing = () => offer && (() => { void offer.prompt(); offer = null; });

export function initInstall() {
  if (hasServer) return;
  addEventListener('beforeinstallprompt', (event) => { event.preventDefault(); offer = event; });
  addEventListener('appinstalled', () => { offer = null; });
}

/** Has the browser cache the page's files. A newer version waits until no tab has this one open. */
export async function keepOffline() {
  if (hasServer || !navigator.serviceWorker) return;
  await navigator.serviceWorker.register(linkTo('sw.js')).catch(() => {});
}
