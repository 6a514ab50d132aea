// The set-up survives a reload, and whoever leaves and comes back: it is in the address where it fits, and in what the
// browser keeps for the page. A tab has its own, and a new one begins with the last.

import { pathOf } from '../../js/host.js';
import { t } from '../../js/i18n.js';
import { keepInAddress } from '../../trace/link.js';
import { carriesSetup, fragment, openFragment } from './links.js';
import { on } from './state.js';
import { keepMap, keptMap } from './storage.js';
import { toast } from '../../js/sheets.js';

const PATH = pathOf('paths');
/** A longer address is handed on by few programs; the whole set-up of a painted map is shorter. */
const MOST_LETTERS = 2000;
/** Debounce of saving, in milliseconds. */
const REST_MILLIS = 300;

/** Whether the set-up on the page was kept, and the address that was last written, opened or refused. */
let kept = false;
let seen = '';
let timer = 0;
let turn = 0;
/** Whether it was said that a map is not kept: once is enough. */
let told = false;
let around = { isShown: () => false, isBusy: () => false };

/** Follows every change of the set-up, and addresses that somebody else writes. @param {{ isShown: () => boolean, isBusy: () => boolean }} place */
export function initKept(place) {
  around = place;
  on(['map', 'ground', 'ends', 'rules', 'runs', 'show'], () => { timer ||= setTimeout(rest, REST_MILLIS); });
  addEventListener('hashchange', () => { if (around.isShown()) void openKept(); });
  addEventListener('pagehide', flushKept);
}

/** Keeps the set-up, unless somebody is at it. */
function rest() {
  timer = 0;
  if (around.isBusy()) timer = setTimeout(rest, REST_MILLIS);
  else void keep();
}

export function flushKept() {
  if (!timer) return;
  clearTimeout(timer);
  timer = 0;
  void keep();
}

async function keep() {
  const mine = turn += 1;
  const made = await fragment();
  // Another address has been written that nobody has heard of yet: what is on the page is not to replace it.
  if (mine !== turn || (around.isShown() && carriesSetup(location.hash) && location.hash !== seen)) return;
  kept = true;
  const fits = made.length <= MOST_LETTERS;
  // On the way to another place the address is already that place's.
  if (around.isShown() && location.pathname === PATH) {
    seen = fits ? made : '';
    keepInAddress(seen);
  }
  const written = keepMap(made);
  if (!fits && !written && !told) toast(() => t('paths.unkept'));
  told = !fits && !written;
}

/**
 * Opens the set-up of an address that somebody else has written; at first, where there is none, the one that was kept. Resolves to whether
 * another one is shown now. An address that leads nowhere gives way to that of what is on the page.
 */
export async function openKept({ first = false } = {}) {
  const address = carriesSetup(location.hash) ? location.hash : '';
  const other = address !== '' && address !== seen;
  if (address) seen = address;
  if (other && await openFragment(address)) return true;
  if (first) return !address && carriesSetup(keptMap()) && openFragment(keptMap());
  if (address || kept) void keep();
  return false;
}
