// Glaze: packed rounds and arcs whose colours drift across the sheet, so that no place repeats another.

import { dice, disc, gradient } from './brush.js';
/** @import { Dice } from './brush.js' */

const CORNERS = [[206, 84, 60], [40, 112, 128], [240, 196, 120], [60, 72, 120]];
const INKS = ['#20242c', '#fffdf8', '#c8402a', '#e9b45a', '#2f6f73', '#f3e7cf', '#7d4f6a'];

export function glaze(/** @type {CanvasRenderingContext2D} */ ctx) {
  const random = dice(99);
  ctx.fillStyle = gradient(ctx, 0, 0, 1000, 1000, [[0, shade(0, 0)], [0.5, shade(0.5, 0.5)], [1, shade(1, 1)]]);
  ctx.fillRect(0, 0, 1000, 1000);
  for (const round of packed(random)) draw(ctx, random, round);
}

/** The colour that belongs to a place: the four corners mixed. @param {number} u @param {number} v */
function shade(u, v, light = 0) {
  const mix = CORNERS[0].map((_, i) => CORNERS[0][i] * (1 - u) * (1 - v) + CORNERS[1][i] * u * (1 - v) + CORNERS[2][i] * (1 - u) * v + CORNERS[3][i] * u * v + light);
  return `rgb(${mix.map((part) => Math.max(0, Math.min(255, Math.round(part)))).join(' ')})`;
}

/** Rounds that do not overlap, large ones first. @param {Dice} random */
function packed(random) {
  /** @type {{ x: number, y: number, size: number }[]} */ const rounds = [];
  const sizes = [...Array(7).fill(118), ...Array(16).fill(78), ...Array(50).fill(46), ...Array(160).fill(27), ...Array(420).fill(14)];
  for (const size of sizes) {
    for (let attempt = 0; attempt < 26; attempt += 1) {
      const [x, y] = [random.between(-20, 1020), random.between(-20, 1020)];
      if (rounds.some((other) => Math.hypot(other.x - x, other.y - y) < other.size + size + 4)) continue;
      rounds.push({ x, y, size });
      break;
    }
  }
  return rounds;
}

function draw(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Dice} */ random, /** @type {{ x: number, y: number, size: number }} */ { x, y, size }) {
  const [u, v] = [x / 1000, y / 1000];
  ctx.save();
  ctx.beginPath();
  ctx.arc(x, y, size, 0, 7);
  ctx.clip();
  ctx.fillStyle = gradient(ctx, x - size, y - size, x + size, y + size, [[0, shade(u, v, 62)], [1, shade(v, u, 20)]]);
  ctx.fillRect(x - size, y - size, size * 2, size * 2);
  random.pick([rings, fan, halves, spokes, drift])(ctx, random, x, y, size);
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {Dice} random @param {number} x @param {number} y @param {number} size */
function rings(ctx, random, x, y, size) {
  const count = 3 + Math.floor(random.next() * 5);
  for (let i = count; i > 0; i -= 1) disc(ctx, x + random.between(-1, 1) * size * 0.05, y, (size * i) / (count + 0.4), random.pick(INKS));
}

/** @param {CanvasRenderingContext2D} ctx @param {Dice} random @param {number} x @param {number} y @param {number} size */
function fan(ctx, random, x, y, size) {
  const [turn, count] = [random.between(0, 6.3), 4 + Math.floor(random.next() * 7)];
  for (let i = 0; i < count; i += 1) {
    ctx.beginPath();
    ctx.moveTo(x + Math.cos(turn) * size, y + Math.sin(turn) * size);
    ctx.arc(x + Math.cos(turn) * size, y + Math.sin(turn) * size, size * 2.1 * (1 - i / count), 0, 7);
    ctx.fillStyle = i % 2 ? random.pick(INKS) : shade(i / count, y / 1000, 50);
    ctx.fill();
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {Dice} random @param {number} x @param {number} y @param {number} size */
function halves(ctx, random, x, y, size) {
  const turn = random.between(0, 6.3);
  for (const [part, radius] of [[0, 1], [Math.PI, 0.72], [1.2, 0.42]]) {
    ctx.beginPath();
    ctx.arc(x, y, size * radius, turn + part, turn + part + Math.PI);
    ctx.fillStyle = random.pick(INKS);
    ctx.fill();
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {Dice} random @param {number} x @param {number} y @param {number} size */
function spokes(ctx, random, x, y, size) {
  const [count, turn] = [6 + Math.floor(random.next() * 12), random.between(0, 6.3)];
  ctx.strokeStyle = random.pick(INKS);
  ctx.lineWidth = Math.max(1.5, size * 0.07);
  for (let i = 0; i < count; i += 1) {
    const angle = turn + (i * 6.283) / count;
    ctx.beginPath();
    ctx.moveTo(x + Math.cos(angle) * size * 0.25, y + Math.sin(angle) * size * 0.25);
    ctx.lineTo(x + Math.cos(angle) * size, y + Math.sin(angle) * size);
    ctx.stroke();
  }
  disc(ctx, x, y, size * 0.3, random.pick(INKS));
}

/** @param {CanvasRenderingContext2D} ctx @param {Dice} random @param {number} x @param {number} y @param {number} size */
function drift(ctx, random, x, y, size) {
  const slope = random.between(-1, 1);
  for (let i = -4; i < 5; i += 1) {
    ctx.strokeStyle = i % 2 ? random.pick(INKS) : shade(random.next(), random.next(), 40);
    ctx.lineWidth = size * 0.14;
    ctx.beginPath();
    ctx.moveTo(x - size, y + i * size * 0.24 - slope * size);
    ctx.quadraticCurveTo(x, y + i * size * 0.24 + random.between(-0.2, 0.2) * size, x + size, y + i * size * 0.24 + slope * size);
    ctx.stroke();
  }
}
