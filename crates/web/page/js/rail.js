// The rail: sizes, the blank, and the sheet in which it lies on a narrow screen.

import { reshape } from './deals.js';
import { $, el, refill } from './dom.js';
import { onLanguage, t } from './i18n.js';
import { rest } from './later.js';
import { entries } from './library.js';
import { pref, setPref } from './prefs.js';
import { category } from './scoring.js';
import { shape, wraps } from './rules.js';
import * as session from './session.js';
import { fetchStyle, sheet, toast } from './sheets.js';

/** @type {[name: string, side: number][]} */
const PRESETS = [['low', 3], ['medium', 4], ['high', 5]];

export const setSize = (/** @type {number} */ side) => changeShape({ rows: side, cols: side });

/** @param {{ rows: number, cols: number, wrapRows?: number[], wrapCols?: number[], blank?: number }} shape */
function changeShape({ rows, cols, wrapRows = [], wrapCols = [], blank = undefined }) {
  const now = session.current();
  const isSame = now.category === category(shape(rows, cols, wrapRows, wrapCols)) && (blank ?? now.blank) === now.blank;
  if (!isSame) reshape(rows, cols, wrapRows, wrapCols, blank);
}

function drawSizes() {
  const { rows, cols, board } = session.current();
  const preset = !wraps(board) && rows === cols && rows >= 3 && rows <= 5 ? rows : 0;
  const choice = (/** @type {string} */ name, /** @type {string} */ detail, /** @type {boolean} */ pressed, /** @type {() => void} */ run) => el('button', { type: 'button', 'aria-pressed': String(pressed), onclick: run }, name, ' ', el('small', {}, detail));
  refill($('sizes'),
    ...PRESETS.map(([name, side]) => choice(t(`size.${name}`), `${side}×${side}`, preset === side, () => setSize(side))),
    choice(t('size.custom'), preset ? '…' : `${rows}×${cols}`, !preset, customSheet));
}

/** The sheet for custom sizes, for where the gap ends up, and for rows and columns that wrap. */
const customSheet = async () => (await rest()).openShape(session.current().board, changeShape, session.current().blank);

export const closeMore = () => /** @type {HTMLDialogElement | null} */ (document.querySelector('dialog.more'))?.close();

export const openMore = () => sheet(t('do.more'), $('rail-body'), { kind: 'more' });

/** The screens that are too small for a rail; the style sheets say the same. */
const NARROW = '(max-width: 859px), (max-height: 499px)';

/** Lays the page out for a narrow screen where it is one. */
function initNarrow() {
  const narrow = matchMedia(NARROW);
  narrow.addEventListener('change', () => settle(narrow.matches));
  if (narrow.matches) settle(true);
}

/** Says that a game was put aside, and brings it back on demand, until the next one has its first move. */
function initKept() {
  /** @type {HTMLElement | null} */
  let note = null;
  session.on('put', ({ kept }) => { if (kept) note = toast(() => t('toast.kept'), { label: () => t('do.undo'), run: () => session.bringBack() }); });
  session.on('moved', ({ source }) => { if (source === 'player' && session.current().past.length === 1) note?.remove(); });
}

export function initRail() {
  session.on('game', drawSizes);
  // Opening a game closes the sheet; on the whole picture the set-up goes on.
  session.on('game', () => { if (!session.current().fresh) closeMore(); });
  session.follow(['game', 'picture'], () => { if (!session.current().replay) setPref('board', session.settings()); });
  initKept();
  onLanguage(drawSizes);
  initNarrow();
  // A returning player may have a file or a position to open.
  session.follow(['game'], async () => { if (session.current().fresh) document.body.classList.toggle('has-games', pref('met') || (await entries().catch(() => [])).length > 0); });
}

/** Puts everything where it belongs, on a narrow screen or on another. @param {boolean} narrow */
function settle(narrow) {
  closeMore();
  $('rail').append($('rail-body'));
  if (narrow) {
    $('setup').append($('thumbs'), $('sizes'));
    $('setup').before($('extras'));
    $('dock').append($('solver-live'));
    void fetchStyle().catch(() => {});
  } else {
    $('rail-body').prepend($('extras'));
    $('picture-head').after($('thumbs'));
    $('size-head').after($('sizes'));
    $('solver').append($('solver-live'));
  }
}

/** The result at the foot covers the board, so it can be closed, and the next move closes it. */
const close = () => { if ($('dock').contains($('verdict'))) takeAway($('dock'), () => { $('verdict').hidden = true; }); };
$('dock-close').addEventListener('click', close);
session.on('moved', ({ source }) => { if (source === 'player') close(); });

// The page ends above the foot, however high that is.
new ResizeObserver(() => document.documentElement.style.setProperty('--foot', `${$('foot').offsetHeight}px`)).observe($('foot'));

/** Where the focus goes in each phase: to the first of these that is visible and enabled. @type {Record<string, string[]>} */
const NEXT = { searching: ['#stop'], playback: ['#pb-play'] };
const REST = ['#solve', '.bar [data-does=solve]', '#algorithm', '.bar [data-does=more]'];

const isSeen = (/** @type {(Element & { disabled?: boolean }) | null} */ node) => node !== null && node.getClientRects().length > 0 && !node.disabled;

function passFocus() {
  const places = [...(NEXT[session.phase()] ?? []), ...REST].map((selector) => /** @type {HTMLButtonElement | null} */ (document.querySelector(selector)));
  places.find(isSeen)?.focus({ preventScroll: true });
}

/** Passes the focus on if it is in the solver's parts and out of sight. */
function keepFocus() {
  const at = document.activeElement;
  if (at?.closest('#solver, #dock') && !isSeen(at)) passFocus();
}

/** Removes something, and passes on the focus that was in it. @param {Element} node @param {() => void} take */
export function takeAway(node, take) {
  const held = node.contains(document.activeElement);
  take();
  if (held) passFocus();
}

// After all parts have shown the phase.
session.on('phase', () => queueMicrotask(keepFocus));
