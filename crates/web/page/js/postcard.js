// A finished game as a picture to share: the whole picture with what it took.

import { button, el } from './dom.js';
import { PAPER } from './framing.js';
import { wasAgain } from './helped.js';
import { clockText, rateText, t, when } from './i18n.js';
import { drawPosition } from './pictures.js';
import { recall } from './search.js';
import { sheet, toast } from './sheets.js';
import { download } from './transfer.js';

const WIDTH = 1080;
const HEIGHT = 1350;
const MARGIN = 90;
const ROOM = { top: 90, side: 820 };
const [INK, QUIET, SEAL] = ['#20242c', '#5f646d', '#c8402a'];
const SERIF = '"Songti SC", "Noto Serif CJK SC", STSong, SimSun, Georgia, serif';
const SANS = 'system-ui, -apple-system, "Segoe UI", "PingFang SC", "Noto Sans CJK SC", "Microsoft YaHei", sans-serif';

/** The sheet with the picture: it can be saved as a file, and sent on where the browser does that. */
export async function openPostcard(game) {
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

const encoded = (canvas) => new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
const canSend = async (file) => Boolean(navigator.canShare?.({ files: [await file()] }));

/** What it took, in the order in which it is written: also whether there was help or an earlier go; the shortest only where it is proved. */
function wordsOf(game) {
  const known = recall(game.restarted());
  const words = [clockText(game.millis), t('moves', { count: game.count }), `${game.rows}×${game.cols}`];
  if (game.helped) words.push(t('postcard.helped'));
  else if (wasAgain(game)) words.push(t('postcard.again'));
  return known?.optimal ? [...words, t('postcard.shortest', { count: known.moves.length })] : words;
}

async function draw(canvas, game, words) {
  const ctx = canvas.getContext('2d');
  ctx.fillStyle = PAPER;
  ctx.fillRect(0, 0, WIDTH, HEIGHT);
  await drawPicture(ctx, game);
  seal(ctx);
  const [time, moves, ...rest] = words;
  const write = (text, y, font, colour) => {
    ctx.font = font;
    ctx.fillStyle = colour;
    ctx.fillText(text, MARGIN, y, WIDTH - 2 * MARGIN);
  };
  ctx.textBaseline = 'alphabetic';
  write(t('win.title'), 1030, `700 64px ${SERIF}`, INK);
  write(`${time} · ${moves}`, 1120, `650 58px ${SANS}`, INK);
  const rate = game.millis ? t('postcard.rate', { rate: rateText(game.own, game.millis) }) : '';
  write([...rest, rate].filter(Boolean).join(' · '), 1190, `400 38px ${SANS}`, QUIET);
  write(when(Date.now()), 1260, `400 34px ${SANS}`, QUIET);
}

/** The whole picture, the missing piece included, in the middle of its room. */
async function drawPicture(ctx, { rows, cols, blank, picture }) {
  const longer = Math.max(rows, cols);
  const whole = el('canvas', { width: Math.round((ROOM.side * cols) / longer), height: Math.round((ROOM.side * rows) / longer) });
  const tiles = Array.from({ length: rows * cols }, (_, cell) => cell + 1);
  await drawPosition(whole, { rows, cols, blank, tiles, picture }, (tile) => tile - 1);
  // Pieces are drawn with a gap between them; the whole has none.
  const own = whole.getContext('2d');
  own.globalCompositeOperation = 'destination-over';
  for (const [dx, dy] of [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1]]) own.drawImage(whole, dx, dy);
  ctx.drawImage(whole, (WIDTH - whole.width) / 2, ROOM.top + (ROOM.side - whole.height) / 2);
}

function seal(ctx) {
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
