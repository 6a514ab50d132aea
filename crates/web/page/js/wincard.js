// The card of a win: the figures beside the player's last and best, the shortest there is, and where moves were lost.

import { tellStreak } from '../daily/daily.js';
import { dayOf } from '../daily/day.js';
import { lookAlong, lossesOf, stretchOf } from './analysis.js';
import { shuffle } from './deals.js';
import { $, button, download, el, setText } from './dom.js';
import { replay } from './film.js';
import { PAPER } from './framing.js';
import { limitText, slot } from './help.js';
import { between, clockText, decimal, rateText, shownMillis, t, when, whole } from './i18n.js';
import { dateText } from './naming.js';
import { drawPosition } from './pictures.js';
import { pref } from './prefs.js';
import { whyNot } from './scoring.js';
import { challengeOf } from './records.js';
import { manhattan } from './rules.js';
import { recall } from './search.js';
import { openShare } from './share.js';
import { sheet, toast } from './sheets.js';
/** @import { Game } from './game.js' @import { Found } from './search.js' @import { RecordEntry } from './records.js' */

const OPTIMAL_SECONDS = 10;

/** @typedef {{ time: boolean, moves: boolean } | null} Flags @typedef {{ last: RecordEntry | null, time: any, moves: any, own: RecordEntry | null }} Past */

/** Shows the card of a game that was won, with the records it set and what was there before: below the picture, or beside it, which stays in sight. @param {Game} game @param {Flags} set @param {Past} past */
export function showCard(game, set, past) {
  const next = button(t('win.next'), () => { dialog.close(); shuffle(); }, { kind: 'filled', id: 'win-next' });
  const again = (/** @type {any} */ stretch) => { dialog.close(); replay(game.toSave(), stretch); };
  const watch = button(t('win.replay'), () => again(null), { id: 'win-replay' });
  $('frame').scrollIntoView({ block: 'nearest' });
  /** @type {any} */
  const dialog = pref('calm')
    ? sheet(t('win.title'), el('div', { className: 'actions' }, next, watch), { kind: 'win-card', focus: next })
    : sheet(t('win.title'), figuresOf(game, { set, past, next, watch, again, isOpen: () => dialog.open }), { kind: 'win-card', focus: next });
  // The buttons stay in sight, however long the card is.
  dialog.append(next.parentElement);
  next.focus();
  const place = () => {
    const { left, width } = $('rail').getBoundingClientRect();
    dialog.style.setProperty('--beside', width ? `${left}px` : 'auto');
    dialog.style.setProperty('--below', `${$('frame').getBoundingClientRect().bottom}px`);
  };
  place();
  addEventListener('resize', place);
  dialog.addEventListener('close', () => { removeEventListener('resize', place); slot.stop(); });
}

/** @param {Game} game @param {{ set: Flags, past: Past, next: HTMLElement, watch: HTMLElement, again: (stretch: any) => void, isOpen: () => boolean }} parts */
function figuresOf(game, { set, past, next, watch, again, isOpen }) {
  const figure = (/** @type {string} */ value, /** @type {string} */ key) => el('div', {}, el('dt', {}, t(key)), el('dd', {}, value));
  const optimal = el('p', { className: 'muted', id: 'win-optimal' }, t('win.looking'));
  const lost = el('div', { className: 'win-lost', id: 'win-lost' });
  const day = el('div', { className: 'win-extra' });
  void tellStreak(game, day);
  const flags = [set?.time && t('win.bestTime'), set?.moves && t('win.bestMoves')].filter(Boolean);
  void compare(game, optimal).then((shortest) => {
    // Its room was kept until here, so that nothing moves.
    lost.hidden = !shortest || game.count <= shortest.moves.length;
    if (!lost.hidden) void showLost(game, shortest, { line: lost, again, isOpen });
  });
  return [
    // The table of both results has them.
    !challengeOf(game) && el('dl', { className: 'win-figures' }, figure(clockText(game.millis), 'hud.time'), figure(whole(game.count), 'hud.moves'), figure(rateText(game.own, game.millis), 'hud.rate')),
    flags.length ? el('p', { className: 'record-flag', id: 'win-record' }, flags.join(' · ')) : null,
    versus(game),
    day,
    optimal,
    lost,
    unranked(game, past.own),
    before(game, past),
    el('div', { className: 'actions' }, next, watch, button(t('challenge.do'), openShare, { id: 'win-share' }), button(t('win.picture'), () => openPostcard(game), { id: 'win-postcard' })),
  ];
}

/** This game beside the result that came with its link. @param {Game} game */
function versus(game) {
  const theirs = challengeOf(game);
  if (!theirs) return null;
  // A helped result is never better than one without help.
  const sides = [[game.helped, theirs.helped], [theirs.helped, game.helped]];
  const row = (/** @type {string} */ key, /** @type {number} */ mine, /** @type {number} */ other, /** @type {(value: number) => string} */ text) => el('tr', {}, el('th', { scope: 'row' }, t(key)), ...[[mine, other], [other, mine]].map(([one, two], i) => el('td', { className: one < two && (!sides[i][0] || sides[i][1]) ? 'ahead' : '' }, text(one))));
  const help = (/** @type {boolean} */ helped) => t(helped ? 'postcard.helped' : 'challenge.alone');
  return el('table', { className: 'win-past', id: 'win-versus' }, el('thead', {}, el('tr', {}, el('td'), el('th', { scope: 'col' }, t('challenge.you')), el('th', { scope: 'col' }, t('challenge.they')))),
    el('tbody', {}, row('hud.time', game.millis, theirs.millis, clockText), row('hud.moves', game.count, theirs.moves, whole), el('tr', {}, el('th', { scope: 'row' }, t('challenge.help')), el('td', {}, help(game.helped)), el('td', {}, help(theirs.helped)))));
}

/** The player's last game on such a board, and the best, beside this one. @param {Game} game @param {Past} past */
function before(game, { last, time, moves }) {
  if (!last) return null;
  const row = (/** @type {string} */ key, /** @type {number} */ millis, /** @type {number} */ count) => el('tr', {}, el('th', { scope: 'row' }, t(key)),
    el('td', {}, clockText(millis), ' ', el('small', {}, signed(shownMillis(game.millis) - shownMillis(millis), secondsText))),
    el('td', {}, t('moves', { count }), ' ', el('small', {}, signed(game.count - count, String))));
  return el('table', { className: 'win-past', id: 'win-past' }, el('tbody', {}, row('win.last', last.millis, last.moves), row('win.best', time.millis, moves.moves)));
}

/** A difference with its sign: fewer is better. @param {number} value @param {(value: number) => string} text */
const signed = (value, text) => (value === 0 ? '±0' : `${value > 0 ? '+' : '−'}${text(Math.abs(value))}`);
/** A difference of times: so many seconds, or as the clock says it where there are minutes. @param {number} millis */
const secondsText = (millis) => (millis < 60_000 ? decimal(millis / 1000) : clockText(millis));

/** Why a game sets no record, where it does not: one that was undone and finished once more counts as it was first finished. @param {Game} game @param {RecordEntry | null} own */
function unranked(game, own) {
  const why = whyNot(game.toSave());
  const text = own ? t('win.counts', { count: own.moves, time: clockText(own.millis) }) : why && t(`win.out.${why}`);
  return text && el('p', { className: 'muted', id: 'win-unranked' }, text);
}

/** Compares a game's moves with the shortest known solution of `least` moves; no solution is shorter than `bound`. @param {number} count @param {{ least: number, bound: number, optimal: boolean }} found */
function verdict(count, { least, bound, optimal }) {
  // A bound that somebody has reached proves it.
  const shortest = optimal || bound >= least ? least : bound >= count ? count : null;
  if (shortest !== null) return t(count > shortest ? 'win.over' : 'win.perfect', { least: shortest, over: count - shortest });
  return t(count > least ? 'win.about' : count === least ? 'win.equal' : 'win.better', { least, bound, over: count - least });
}

/**
 * Says how far from the shortest the player was: what is proved, or else between which numbers the shortest lies.
 * Resolves to the shortest solution that is known, if one is. @param {Game} game @param {HTMLElement} line
 */
async function compare(game, line) {
  const start = game.fromStart();
  const text = (/** @type {Found} */ { moves, optimal }, /** @type {number | undefined} */ bound) => verdict(game.count, { least: moves.length, optimal, bound: bound ?? manhattan(start.board, start.tiles, start.blank) });
  let said = '';
  const onBetter = (/** @type {Found} */ found) => {
    said = text(found, found.bound);
    setText(line, `${said}${between()}${t('win.looking')}`);
  };
  try {
    const answer = await slot.ask(start, { algorithm: 'auto', limits: { seconds: OPTIMAL_SECONDS } }, { onBetter });
    if (answer.status === 'solved') said = text(answer, answer.lower_bound);
    else if (!said) said = t('win.limit', { why: limitText(answer) });
    return answer.status === 'solved' ? answer : null;
  } catch {
    // Solutions found before the server went away remain valid.
    return null;
  } finally {
    setText(line, said);
  }
}

/**
 * Shows where moves were lost: a ribbon of the game, and the stretch that cost most, with one press to see it.
 * @param {Game} game @param {{ moves: string, optimal?: boolean }} shortest @param {{ line: HTMLElement, again: (stretch: any) => void, isOpen: () => boolean }} parts
 */
async function showLost(game, shortest, { line, again, isOpen }) {
  line.replaceChildren(el('p', { className: 'muted' }, t('win.lostLooking')));
  const found = await lookAlong(game, shortest, isOpen).catch(() => null);
  line.hidden = found === null;
  line.replaceChildren();
  if (!found) return;
  const worst = stretchOf(found.marks, found.left);
  line.append(ribbon(lossesOf(found.marks, found.left)));
  if (!worst) return;
  const { from, to, lost, over, isProved } = worst;
  line.append(el('p', { className: 'muted' }, t(`win.lost.${isProved ? (lost === over ? 'all' : 'some') : 'about'}${to - from === 1 ? 'At' : ''}`, { from: from + 1, to, lost, over })), button(t('win.see'), () => again({ from, to }), { symbol: 'play', id: 'win-see' }));
}

/** The game from its first move to its last: the more of a stretch was lost, the redder it is. @param {{ from: number, to: number, lost: number }[]} stretches */
const ribbon = (stretches) => el('div', { className: 'ribbon', id: 'win-ribbon', role: 'img', 'aria-label': t('win.ribbon') }, stretches.map(({ from, to, lost }) => {
  const part = el('i', { title: t('win.ribbonPart', { from: from + 1, to, lost: Math.max(0, lost) }) });
  part.style.flexGrow = String(to - from);
  part.style.setProperty('--lost', String(Math.max(0, Math.min(1, lost / (to - from)))));
  return part;
}));

const PETALS = 26;

export function glow() {
  $('board').classList.add('won-glow');
  setTimeout(() => $('board').classList.remove('won-glow'), 1500);
}

export function scatter() {
  for (let i = 0; i < PETALS; i += 1) {
    const petal = el('span', { className: 'petal' });
    petal.style.left = `${Math.random() * 100}%`;
    petal.style.top = `${-4 - Math.random() * 14}%`;
    $('frame').append(petal);
    const fall = [{ transform: 'translate(0, 0) rotate(0)', opacity: 0.9 }, { transform: `translate(${Math.random() * 120 - 60}px, ${$('frame').clientHeight * (0.7 + Math.random() * 0.5)}px) rotate(${Math.random() * 720}deg)`, opacity: 0 }];
    petal.animate(fall, { duration: 1500 + Math.random() * 1400, easing: 'cubic-bezier(.3,.2,.6,1)' }).finished.finally(() => petal.remove());
  }
}

const WIDTH = 1080;
const HEIGHT = 1350;
const MARGIN = 90;
const ROOM = { top: 90, side: 820 };
const [INK, QUIET, SEAL] = ['#20242c', '#5f646d', '#c8402a'];
const SERIF = '"Songti SC", "Noto Serif CJK SC", STSong, SimSun, Georgia, serif';
const SANS = 'system-ui, -apple-system, "Segoe UI", "PingFang SC", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif';

/** The sheet with the picture: it can be saved as a file, and sent on where the browser does that. @param {Game} game */
async function openPostcard(game) {
  const words = wordsOf(game);
  const canvas = el('canvas', { width: WIDTH, height: HEIGHT, className: 'postcard', id: 'postcard', role: 'img', 'aria-label': [t('win.title'), ...words].join(', ') });
  await draw(canvas, game, words);
  const name = `pintu-${game.rows}x${game.cols}-${game.count}.png`;
  const file = async () => new File([await encoded(canvas)], name, { type: 'image/png' });
  const save = async () => download(await file(), name);
  const acts = [button(t('postcard.save'), save, { kind: 'filled', symbol: 'save', id: 'postcard-save' })];
  if (await canSend(file)) acts.push(button(t('share.send'), async () => navigator.share({ files: [await file()] }).catch((error) => { if (error.name !== 'AbortError') toast(() => t('postcard.refused')); }), { symbol: 'share' }));
  sheet(t('postcard.title'), [canvas, el('div', { className: 'actions' }, acts)], { kind: 'centred', focus: acts[0] });
}

const encoded = (/** @type {HTMLCanvasElement} */ canvas) => new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
const canSend = async (/** @type {() => Promise<File>} */ file) => Boolean(navigator.canShare?.({ files: [await file()] }));

/** The lines of the card in their order: figures, help or an earlier go, and the shortest solution if it is proved. @param {Game} game */
function wordsOf(game) {
  const known = recall(game.fromStart());
  const words = [clockText(game.millis), t('moves', { count: game.count }), `${game.rows}×${game.cols}`];
  if (game.helped) words.push(t('postcard.helped'));
  else if (game.restarted) words.push(t('postcard.again'));
  return known?.optimal ? [...words, t('postcard.shortest', { count: known.moves.length })] : words;
}

async function draw(/** @type {import('./pictures.js').Canvas} */ canvas, /** @type {Game} */ game, /** @type {string[]} */ words) {
  const ctx = canvas.getContext('2d');
  ctx.fillStyle = PAPER;
  ctx.fillRect(0, 0, WIDTH, HEIGHT);
  await drawPicture(ctx, game);
  seal(ctx);
  const [time, moves, ...rest] = words;
  const write = (/** @type {string} */ text, /** @type {number} */ y, /** @type {string} */ font, /** @type {string} */ colour) => {
    ctx.font = font;
    ctx.fillStyle = colour;
    ctx.fillText(text, MARGIN, y, WIDTH - 2 * MARGIN);
  };
  ctx.textBaseline = 'alphabetic';
  write(t('win.title'), 1030, `700 64px ${SERIF}`, INK);
  write(`${time} · ${moves}`, 1120, `650 58px ${SANS}`, INK);
  const rate = game.millis ? t('postcard.rate', { rate: rateText(game.own, game.millis) }) : '';
  write([...rest, rate].filter(Boolean).join(' · '), 1190, `400 38px ${SANS}`, QUIET);
  const date = dayOf(game);
  write(date ? t('saves.dailyOf', { date: dateText(date, { year: 'numeric', month: 'long', day: 'numeric' }) }) : when(Date.now()), 1260, `400 34px ${SANS}`, QUIET);
}

/** The whole picture, the missing piece included, in the middle of its room. @param {CanvasRenderingContext2D} ctx @param {Game} game */
async function drawPicture(ctx, { rows, cols, blank, picture }) {
  const longer = Math.max(rows, cols);
  const painting = el('canvas', { width: Math.round((ROOM.side * cols) / longer), height: Math.round((ROOM.side * rows) / longer) });
  const tiles = Array.from({ length: rows * cols }, (_, cell) => cell + 1);
  await drawPosition(painting, { rows, cols, blank, tiles, picture }, (tile) => tile - 1);
  // Pieces are drawn with a gap between them; the whole has none.
  const own = painting.getContext('2d');
  own.globalCompositeOperation = 'destination-over';
  for (const [dx, dy] of [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1]]) own.drawImage(painting, dx, dy);
  ctx.drawImage(painting, (WIDTH - painting.width) / 2, ROOM.top + (ROOM.side - painting.height) / 2);
}

function seal(/** @type {CanvasRenderingContext2D} */ ctx) {
  const side = 104;
  const [x, y] = [WIDTH - MARGIN - side, 1170];
  ctx.fillStyle = SEAL;
  ctx.beginPath();
  ctx.roundRect(x, y, side, side, 24);
  ctx.fill();
  ctx.fillStyle = '#fff8ee';
  ctx.font = `700 44px ${SERIF}`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText('拼图', x + side / 2, y + side / 2 + 2);
  ctx.textAlign = 'left';
}
