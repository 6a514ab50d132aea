// Pieces that look alike (a flat sky): numbers are offered, and a picture that looks whole but is not is
// told so gently.

import { $, el } from './dom.js';
import { partFor } from './framing.js';
import { t } from './i18n.js';
import { isClassic, pictureUrl } from './pictures.js';
import { home } from './rules.js';
import * as session from './session.js';
import { toast } from './sheets.js';

const GRAIN = 8;
const ALIKE = 3;
const FEW = 6;

let twins = new Set();
let offered = '';
let told = '';
/** The notice, and what it is about: a subject, at a position or at any. @type {{ note: Element, subject: string, key: string } | null} */
let said = null;

/** The key of a comparison: a picture on a board. @param {import('./game.js').Game} game */
const subjectOf = ({ picture, rows, cols }) => `${picture} ${rows}x${cols}`;

/** Says something of the picture, with the numbers one press away: of this position, or of each. @param {() => string} text */
function say(text, key = '') {
  said = { note: toast(text, { label: () => t('picture.showNumbers'), run: showNumbers }), subject: subjectOf(session.current()), key };
}

/** Takes the notice away once it is about something else than what is on the table. */
function retract() {
  const game = session.current();
  if (!said || (said.subject === subjectOf(game) && (said.key === '' || said.key === game.key))) return;
  said.note.remove();
  said = null;
}

/** Finds the pairs of pieces of the current picture that nobody can tell apart. */
async function inspect() {
  const game = session.current();
  const { rows, cols, picture } = game;
  const subject = subjectOf(game);
  if (isClassic(picture)) return;
  const { url } = await pictureUrl(picture);
  const image = new Image();
  image.src = url;
  await image.decode();
  if (subjectOf(session.current()) !== subject) return;
  const parts = grains(image, rows, cols);
  const found = new Set();
  for (let a = 0; a < parts.length; a += 1) for (let b = a + 1; b < parts.length; b += 1) if (difference(parts[a], parts[b]) < ALIKE) found.add(`${a},${b}`);
  twins = found;
  if (twins.size && offered !== subject && !$('board').classList.contains('numbers')) {
    offered = subject;
    say(() => t('picture.alike'));
  }
  // The game or the picture may have changed meanwhile.
  check();
}

const showNumbers = () => { if ($('show-numbers').getAttribute('aria-pressed') === 'false') $('show-numbers').click(); };

/** Each piece as a few coarse colours. @param {HTMLImageElement} image @param {number} rows @param {number} cols */
export function grains(image, rows, cols) {
  const canvas = el('canvas', { width: cols * GRAIN, height: rows * GRAIN });
  const ctx = canvas.getContext('2d', { willReadFrequently: true });
  ctx.imageSmoothingQuality = 'high';
  const { x, y, width, height } = partFor(image, rows, cols);
  ctx.drawImage(image, x, y, width, height, 0, 0, canvas.width, canvas.height);
  return Array.from({ length: rows * cols }, (_, cell) => ctx.getImageData((cell % cols) * GRAIN, Math.floor(cell / cols) * GRAIN, GRAIN, GRAIN).data);
}

/** The mean difference of two pieces, from 0 to 255. @param {number[]} a @param {number[]} b */
export function difference(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += Math.abs(a[i] - b[i]);
  return (sum / a.length) * (4 / 3);
}

/** Says so when only look-alikes are out of place. */
function check() {
  const game = session.current();
  const { misplaced } = game;
  if (!twins.size || !game.running || misplaced > FEW || game.hole !== game.blank || told === game.key) return;
  const alike = (/** @type {number} */ a, /** @type {number} */ b) => a === b || twins.has(a < b ? `${a},${b}` : `${b},${a}`);
  if (!game.tiles.every((/** @type {number} */ tile, /** @type {number} */ cell) => tile === 0 || alike(home(tile, game.blank), cell))) return;
  told = game.key;
  say(() => t('picture.looksWhole', { count: misplaced }), game.key);
}

let soon = 0;

export function initLookalike() {
  const later = () => {
    clearTimeout(soon);
    // The comparison may belong to another picture or board.
    twins = new Set();
    retract();
    soon = setTimeout(() => inspect().catch(() => {}), 600);
  };
  session.on('moved', () => {
    retract();
    if (twins.size) check();
  });
  session.follow(['picture', 'game'], later);
}
