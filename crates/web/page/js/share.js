// Links that carry a whole position in the fragment, and positions pasted as text. No seed: a seed breaks
// between versions, a position does not.

import { readBoards, TextError } from './boardtext.js';
import { button, el } from './dom.js';
import { Game } from './game.js';
import { linkTo } from './host.js';
import { clockText, t } from './i18n.js';
import { BUILTIN, builtinName, DEFAULT, isBuiltin } from './pictures.js';
import { noteChallenge } from './records.js';
import { MAX_SIDE, MIN_SIDE, manhattan, shape, swapTwo, whole } from './rules.js';
import * as session from './session.js';
import { ask, sheet, toast } from './sheets.js';

const PREFIX = 'p=';

/** The fragment for a position: size, wraps, blank, picture (when it is a built-in one) and tiles. @param {Omit<Game, 'blank'> & { blank: any }} game */
export function fragmentOf(game, tiles = game.tiles) {
  const { rows, cols, wrapRows, wrapCols } = game.board;
  const fields = new URLSearchParams({ p: `${rows}x${cols}`, b: game.blank, t: [...tiles].join('.') });
  if (wrapRows.length) fields.set('wr', wrapRows.join('.'));
  if (wrapCols.length) fields.set('wc', wrapCols.join('.'));
  if (builtinName(game.picture)) fields.set('pic', builtinName(game.picture));
  return `#${fields}`;
}

const linkOf = (/** @type {Game} */ game, /** @type {number[]} */ tiles) => linkTo(fragmentOf(game, tiles));

const carriesPosition = (/** @type {string} */ fragment) => fragment.replace(/^#/, '').startsWith(PREFIX);

/** The game of a fragment. Throws a TextError that says what is wrong. @param {string} fragment */
export function gameOf(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const list = (/** @type {string} */ name) => (fields.get(name) || null)?.split('.').map(Number) ?? [];
  const [rows, cols] = (fields.get('p') ?? '').split('x').map(Number);
  const name = fields.get('pic') ?? '';
  return position({ rows, cols, wrapRows: list('wr'), wrapCols: list('wc'), blank: fields.get('b') ? Number(fields.get('b')) : NaN, start: list('t'), picture: BUILTIN.includes(name) ? `builtin:${name}` : DEFAULT, origin: 'link' });
}

/** @param {string} problem @param {Record<string, any>} [values] */
const bad = (problem, values) => { throw new TextError(problem, values); };

function position(/** @type {any} */ settings) {
  const { rows, cols, wrapRows, wrapCols, blank, start } = settings;
  if (!rows || !cols) bad('no-size');
  if (![rows, cols].every((side) => Number.isInteger(side) && side >= MIN_SIDE && side <= MAX_SIDE)) bad('sides', { rows, cols, least: MIN_SIDE, most: MAX_SIDE });
  try {
    shape(rows, cols, wrapRows, wrapCols);
  } catch {
    bad('wraps');
  }
  const cells = rows * cols;
  if (start.length !== cells || [...start].sort((a, b) => a - b).some((tile, i) => tile !== i)) bad('arrangement', { last: cells - 1 });
  if (!(Number.isInteger(blank) && blank >= 0 && blank < cells)) bad('blank');
  return new Game(settings);
}

/**
 * The game of a text, and the result to beat where there is one: a link of ours, or a board in any shape that the command line reads. Where no goal stands beside
 * it, the blank's own cell is the last one, as in the standard goal; where one does, tiles get the numbers of the cells
 * in which that has them. @param {string} text @param {string} picture
 */
function gameOfText(text, picture) {
  const link = text.match(/#(p=\S+)/);
  if (link) return readLink(link[1]);
  const { start, goal } = readBoards(text);
  const { rows, cols } = start;
  const blank = goal ? goal.tiles.indexOf(0) : rows * cols - 1;
  const numbers = whole(rows, cols, blank);
  const renumbered = goal ? start.tiles.map((tile) => numbers[goal.tiles.indexOf(tile)]) : start.tiles;
  return { game: position({ rows, cols, wrapRows: [], wrapCols: [], blank, start: renumbered, picture, origin: 'link' }), result: null };
}

export const problemText = (/** @type {TextError} */ error) => t(`position.${error.problem}`, error.values);

/** The sheet with the link of the game on the table: as it stands, or where it is solved from its scramble on, with the result to beat where the player has one: what the solver did alone is none. */
export function openShare() {
  const game = session.keepClock();
  const isSolved = game.solved && !game.fresh;
  const isChallenge = isSolved && (game.own > 0 || Boolean(game.replay));
  // Playing on from a replay counts as helped; the result is that of the game as it was played.
  const helped = game.replay ? game.wasHelped : game.helped;
  const link = linkOf(game, isSolved ? game.start : game.tiles) + (isChallenge ? resultField(game, helped) : '');
  const said = isChallenge ? t(helped ? 'challenge.saidHelped' : 'challenge.said', { count: game.count, time: clockText(game.millis), size: `${game.rows}×${game.cols}` }) : '';
  const { field, here, acts } = linkParts(link, said);
  sheet(t(isChallenge ? 'challenge.title' : 'share.title'), [el('p', {}, t(!isChallenge ? 'share.position' : helped ? 'challenge.textHelped' : 'challenge.text', { count: game.count, time: clockText(game.millis) })), field, here,
    !isBuiltin(game.picture) && el('p', { className: 'muted', id: 'share-own-picture' }, t('share.ownPicture')), acts]);
}

/** A result as a link carries it: moves, milliseconds, and whether there was help. It is not checked. */
const resultField = (/** @type {Game} */ { count, millis }, /** @type {boolean} */ helped) => `&c=${count}.${Math.round(millis)}${helped ? '.h' : ''}`;

/** The longest time that is accepted: a day. */
const MOST_MILLIS = 86_400_000;

/** The game of a fragment, and the result to beat that it carries, if any: one that nobody can have had is none. @param {string} fragment @returns {{ game: Game, result: import('./records.js').Result | null }} */
function readLink(fragment) {
  const game = gameOf(fragment);
  const [, moves, millis, helped] = /[#&]c=(\d{1,6})\.(\d{1,12})(\.h)?(?:&|$)/.exec(fragment) ?? [];
  const isPossible = moves && Number(moves) >= manhattan(game.board, game.start, game.blank) && Number(millis) <= MOST_MILLIS;
  return { game, result: isPossible ? { moves: Number(moves), millis: Number(millis), helped: Boolean(helped) } : null };
}

/**
 * Opens the position in the address, if it carries one; a running game is asked about and kept. Resolves to whether
 * that position is on the table now.
 */
export async function openFromAddress() {
  const fragment = location.hash;
  if (!carriesPosition(fragment)) return false;
  history.replaceState(null, '', location.pathname + location.search);
  let read;
  try {
    read = readLink(fragment);
  } catch (error) {
    if (!(error instanceof TextError)) throw error;
    toast(() => t('share.bad', { error: problemText(error) }));
    return false;
  }
  const { game: next, result } = read;
  const own = session.atStake();
  if (own) {
    const choice = await ask(t('share.openTitle'), t('share.openText', { count: own.count }), [{ label: t('share.stay'), value: 'stay' }, { label: t('share.open'), value: 'open', kind: 'filled' }]);
    if (choice !== 'open') return false;
    noteChallenge(next, result);
    session.replace(next);
    toast(() => t('share.kept'), { label: () => t('do.undo'), run: () => session.bringBack() });
  } else {
    noteChallenge(next, result);
    session.open(next);
  }
  return true;
}

/** The field with a link, its buttons, and the warning of a link that works on this computer only. @param {string} link */
export function linkParts(link, text = '') {
  const field = el('input', { type: 'text', id: 'share-link', className: 'share-url', readOnly: true, value: link, 'aria-label': t('share.link'), onfocus: () => field.select() });
  const acts = [button(t('share.copy'), () => copyText(field), { kind: 'filled', id: 'copy-link' })];
  if (navigator.share) acts.push(button(t('share.send'), () => navigator.share({ title: document.title, text, url: link }).catch(() => {})));
  return { field, here: onlyHere(), acts: el('div', { className: 'actions' }, acts) };
}

const isOnlyHere = () => /^((.+\.)?localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/.test(location.hostname);

/** A link as it is printed: without an address that leads nowhere on other computers. @param {string} link */
export const printed = (link) => (isOnlyHere() ? link.replace(location.origin, '') : link);

/** A warning if this page's address works on this computer only. */
export function onlyHere() {
  if (!isOnlyHere()) return false;
  const parts = t('share.onlyHere', { host: location.host }).split(/(“.*”)/);
  return el('p', { className: 'error', id: 'share-here' }, parts.map((part, i) => (i % 2 ? el('code', {}, part) : part)));
}

/** Copies what a field holds, and says so. The clipboard interface is missing on plain http; the old command still works there. @param {HTMLInputElement} field */
export async function copyText(field) {
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    if (!document.execCommand('copy')) return toast(() => t('share.byHand'));
  }
  return toast(() => t('share.copied'));
}

/** The part of the sheet of games in which a position can be pasted. @param {() => void} close */
export function pastePart(close) {
  const box = el('textarea', { className: 'paste-box', id: 'paste-text', 'aria-label': t('saves.paste'), placeholder: '1 2 3\n4 0 5\n7 8 6' });
  const problem = el('div', { className: 'error', id: 'paste-error', hidden: true, role: 'alert' });
  const use = (/** @type {Game} */ game, /** @type {import('./records.js').Result | null} */ result) => { close(); noteChallenge(game, result); session.replace(game); };
  const read = () => {
    problem.hidden = true;
    try {
      const { game, result } = gameOfText(box.value, session.current().picture);
      if (game.solvable) return use(game, result);
      const swap = () => use(new Game({ ...game.board, blank: game.blank, start: swapTwo(game.start), picture: game.picture, origin: game.origin }), null);
      problem.replaceChildren(el('p', {}, t('solve.unsolvable')), button(t('solve.swap'), swap, { id: 'paste-swap' }));
    } catch (error) {
      if (!(error instanceof TextError)) throw error;
      problem.replaceChildren(t('saves.badPaste', { error: problemText(error) }));
    }
    problem.hidden = false;
    return null;
  };
  return el('details', {}, el('summary', {}, t('saves.paste')), el('div', { className: 'sheet-body' }, el('p', { className: 'muted' }, t('saves.pasteShapes')), box, problem, el('div', { className: 'actions' }, button(t('saves.open'), read, { id: 'paste-open' }))));
}
