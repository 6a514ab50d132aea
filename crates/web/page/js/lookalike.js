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

/** Finds the pairs of pieces of the current picture that nobody can tell apart. */
async function inspect() {
  const game = session.current();
  const { rows, cols, picture } = game;
  twins = new Set();
  if (isClassic(picture)) return;
  const { url } = await pictureUrl(picture);
  const image = new Image();
  image.src = url;
  await image.decode();
  if (session.current() !== game || game.picture !== picture) return;
  const parts = grains(image, rows, cols);
  const found = new Set();
  for (let a = 0; a < parts.length; a += 1) for (let b = a + 1; b < parts.length; b += 1) if (difference(parts[a], parts[b]) < ALIKE) found.add(`${a},${b}`);
  twins = found;
  const key = `${picture} ${rows}x${cols}`;
  if (twins.size && offered !== key && !$('board').classList.contains('numbers')) {
    offered = key;
    toast(() => t('picture.alike'), { label: () => t('picture.showNumbers'), run: showNumbers });
  }
  // Somebody may have been quicker than this.
  check();
}

const showNumbers = () => { if ($('show-numbers').getAttribute('aria-pressed') === 'false') $('show-numbers').click(); };

/** Each piece as a few coarse colours. */
export function grains(image, rows, cols) {
  const canvas = el('canvas', { width: cols * GRAIN, height: rows * GRAIN });
  const ctx = canvas.getContext('2d', { willReadFrequently: true });
  ctx.imageSmoothingQuality = 'high';
  const { x, y, width, height } = partFor(image, rows, cols);
  ctx.drawImage(image, x, y, width, height, 0, 0, canvas.width, canvas.height);
  return Array.from({ length: rows * cols }, (_, cell) => ctx.getImageData((cell % cols) * GRAIN, Math.floor(cell / cols) * GRAIN, GRAIN, GRAIN).data);
}

/** The mean difference of two pieces, from 0 to 255. */
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
  const alike = (a, b) => a === b || twins.has(a < b ? `${a},${b}` : `${b},${a}`);
  if (!game.tiles.every((tile, cell) => tile === 0 || alike(home(tile, game.blank), cell))) return;
  told = game.key;
  toast(() => t('picture.looksWhole', { count: misplaced }), { label: () => t('picture.showNumbers'), run: showNumbers });
}

let soon = 0;

export function initLookalike() {
  const later = () => {
    clearTimeout(soon);
    soon = setTimeout(() => inspect().catch(() => {}), 600);
  };
  session.on('moved', () => { if (twins.size) check(); });
  session.follow(['picture', 'game'], later);
}
