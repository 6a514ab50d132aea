// A koi pond seen from above: fish, ripples, lotus leaves and flowers.

import { dice, disc, everywhere, glow, gradient, oval, stroke } from './brush.js';
/** @import { Dice } from './brush.js' */

export function pond(/** @type {CanvasRenderingContext2D} */ ctx) {
  const random = dice(12);
  ctx.fillStyle = gradient(ctx, 0, 0, 800, 1000, [[0, '#2c7a78'], [0.35, '#1f5f69'], [0.7, '#1b4a5c'], [1, '#2d6a5a']]);
  ctx.fillRect(0, 0, 1000, 1000);
  glow(ctx, 180, 160, 420, '#8fd0b866', '#8fd0b800');
  glow(ctx, 860, 780, 420, '#0c2b3f88', '#0c2b3f00');
  glow(ctx, 820, 180, 300, '#5fb0a855', '#5fb0a800');
  for (let i = 0; i < 240; i += 1) oval(ctx, random.between(0, 1000), random.between(0, 1000), random.between(6, 30), random.between(4, 18), random.between(0, 3), random.pick(['#0f3a4444', '#3f8f8533', '#16495044', '#8a9a6a2a']));
  for (let i = 0; i < 170; i += 1) stroke(ctx, random.between(-60, 1000), random.between(0, 1000), random.between(30, 150), random.between(2, 5), random.between(-9, 9), random.pick(['#bfe6d82c', '#e9fff222', '#0b2f3c33']));
  ripples(ctx);
  everywhere(random, { mesh: 84 }, (x, y) => {
    const weed = random.pick(['#7fb06a', '#a8c46a', '#4f9a6a', '#d0d98a']);
    const count = 1 + Math.floor(random.next() * 6);
    for (let i = 0; i < count; i += 1) disc(ctx, x + random.between(-22, 22), y + random.between(-22, 22), random.between(3, 9), weed);
    for (let ring = 1; ring < 3; ring += 1) {
      ctx.strokeStyle = random.pick(['#d8f5e855', '#0a2c3866', '#8fd0c055']);
      ctx.lineWidth = random.between(2, 5);
      ctx.beginPath();
      ctx.ellipse(x + random.between(-20, 20), y, ring * random.between(9, 18), ring * random.between(7, 15), 0.3, 0, 7);
      ctx.stroke();
    }
  });
  SHADES.forEach(([x, y, size]) => oval(ctx, x + 16, y + 22, size, size * 0.92, 0, '#06222c66'));
  FISH.forEach((fish) => koi(ctx, random, ...fish));
  SHADES.forEach(([x, y, size, turn], i) => leaf(ctx, random, x, y, size, turn, i));
  [[172, 214, 1.1], [846, 118, 0.9], [900, 884, 1.25], [108, 884, 0.85], [520, 940, 0.7]].forEach(([x, y, size], i) => lotus(ctx, x, y, size, i));
  for (let i = 0; i < 70; i += 1) oval(ctx, random.between(0, 1000), random.between(0, 1000), random.between(4, 8), random.between(2.5, 4), random.between(0, 6), random.pick(['#f6c4bfdd', '#fbe8dfdd', '#e88f8fcc', '#d9e59acc']));
}

const SHADES = [[90, 90, 92, 0.4], [230, 300, 70, 2], [60, 300, 58, 4.2], [930, 70, 84, 1.2], [790, 220, 56, 3.3], [955, 300, 62, 5.2], [840, 950, 98, 5.8], [960, 780, 74, 2.8], [720, 880, 52, 0.9], [60, 960, 84, 1.5], [210, 850, 62, 3.9], [560, 985, 58, 0.2], [410, 60, 54, 2.4], [600, 40, 40, 5.5], [30, 620, 48, 0.7], [985, 540, 44, 3.6], [380, 930, 38, 4.6]];

/** @type {[x: number, y: number, size: number, turn: number, body: string, patch: string][]} */
const FISH = [
  [430, 330, 1.5, 0.5, '#f7efe2', '#d8452a'], [640, 560, 1.75, 2.6, '#e8642c', '#fbf1e0'], [300, 620, 1.35, -0.7, '#fbf3e6', '#23262e'], [700, 330, 1.1, 1.9, '#f2b33c', '#d96a24'],
  [500, 790, 1.2, 3.5, '#fdf6ea', '#cf3c2a'], [160, 480, 0.95, 1.1, '#d94a2c', '#23262e'], [860, 620, 1.05, -1.9, '#f7ead2', '#e0762c'], [540, 170, 0.9, -2.6, '#2c3038', '#e8ddc8'], [340, 770, 0.75, 0.2, '#f4c455', '#f8efdd'], [860, 430, 0.7, 2.9, '#f9f2e6', '#d8452a'],
];

function ripples(/** @type {CanvasRenderingContext2D} */ ctx) {
  for (const [x, y, count] of [[470, 470, 6], [760, 460, 4], [180, 700, 4], [640, 730, 4], [350, 170, 4], [690, 120, 3], [930, 640, 3], [450, 890, 3], [120, 420, 3]]) {
    for (let i = 1; i <= count; i += 1) {
      ctx.strokeStyle = `rgba(214, 245, 232, ${0.34 - i * 0.04})`;
      ctx.lineWidth = 3.4 - i * 0.35;
      ctx.beginPath();
      ctx.ellipse(x, y, i * 24, i * 21, 0.3, 0, 7);
      ctx.stroke();
    }
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {Dice} random @param {number} x @param {number} y @param {number} size @param {number} turn @param {string} body @param {string} patch */
function koi(ctx, random, x, y, size, turn, body, patch) {
  ctx.save();
  ctx.translate(x + 14, y + 22);
  ctx.rotate(turn);
  ctx.scale(size, size);
  ctx.globalAlpha = 0.3;
  outline(ctx);
  ctx.fillStyle = '#03161e';
  ctx.fill();
  ctx.restore();
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(turn);
  ctx.scale(size, size);
  for (const side of [-1, 1]) {
    ctx.fillStyle = '#fbeedccc';
    ctx.beginPath();
    ctx.moveTo(26, side * 16);
    ctx.quadraticCurveTo(30, side * 52, -2, side * 50);
    ctx.quadraticCurveTo(8, side * 30, 8, side * 18);
    ctx.fill();
  }
  ctx.fillStyle = '#fbeedcaa';
  ctx.beginPath();
  ctx.moveTo(-62, 0);
  ctx.quadraticCurveTo(-96, -34, -118, -30);
  ctx.quadraticCurveTo(-100, 0, -116, 34);
  ctx.quadraticCurveTo(-92, 26, -62, 0);
  ctx.fill();
  outline(ctx);
  ctx.fillStyle = gradient(ctx, 0, -24, 0, 24, [[0, body], [0.5, '#fffaf0'], [0.55, body], [1, body]]);
  ctx.fill();
  ctx.clip();
  for (let i = 0; i < 6; i += 1) oval(ctx, random.between(-60, 56), random.between(-16, 16), random.between(9, 22), random.between(7, 15), random.between(0, 3), patch);
  for (let i = 0; i < 40; i += 1) {
    ctx.strokeStyle = '#00000018';
    ctx.lineWidth = 1;
    ctx.beginPath();
    ctx.arc(-55 + (i % 10) * 11, -16 + Math.floor(i / 10) * 11, 6, -1, 1);
    ctx.stroke();
  }
  stroke(ctx, -50, 0, 80, 4, 0, '#ffffff55');
  ctx.restore();
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(turn);
  ctx.scale(size, size);
  disc(ctx, 54, -11, 3, '#12151a');
  disc(ctx, 54, 11, 3, '#12151a');
  ctx.restore();
}

function outline(/** @type {CanvasRenderingContext2D} */ ctx) {
  ctx.beginPath();
  ctx.moveTo(70, 0);
  ctx.bezierCurveTo(62, -24, 14, -32, -66, -3);
  ctx.lineTo(-66, 3);
  ctx.bezierCurveTo(14, 32, 62, 24, 70, 0);
  ctx.closePath();
}

/** @param {CanvasRenderingContext2D} ctx @param {Dice} random @param {number} x @param {number} y @param {number} size @param {number} turn @param {number} index */
function leaf(ctx, random, x, y, size, turn, index) {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(turn);
  ctx.beginPath();
  ctx.moveTo(0, 0);
  ctx.arc(0, 0, size, 0.16, 6.12);
  ctx.closePath();
  const light = ctx.createRadialGradient(-size * 0.3, -size * 0.3, size * 0.1, 0, 0, size);
  light.addColorStop(0, ['#8fc06a', '#7ab77c', '#a9c765'][index % 3]);
  light.addColorStop(1, ['#2f7a4a', '#22704f', '#4b8a3f'][index % 3]);
  ctx.fillStyle = light;
  ctx.fill();
  ctx.clip();
  for (let i = 1; i < 13; i += 1) {
    ctx.strokeStyle = i % 2 ? '#d7efae77' : '#1c583a55';
    ctx.lineWidth = 2;
    ctx.beginPath();
    ctx.moveTo(0, 0);
    ctx.quadraticCurveTo(Math.cos(i * 0.49) * size * 0.5 + random.between(-8, 8), Math.sin(i * 0.49) * size * 0.5, Math.cos(i * 0.49) * size, Math.sin(i * 0.49) * size);
    ctx.stroke();
  }
  for (let i = 0; i < 5; i += 1) disc(ctx, random.between(-0.7, 0.7) * size, random.between(-0.7, 0.7) * size, random.between(2, 5), '#f3fff5cc');
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} size @param {number} index */
function lotus(ctx, x, y, size, index) {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(index * 0.7);
  ctx.scale(size, size);
  for (const [count, reach, width, colour] of /** @type {any[][]} */ ([[9, 58, 18, '#e98a9a'], [8, 44, 16, '#f4b3b9'], [6, 29, 12, '#fbdcd9']])) {
    for (let i = 0; i < count; i += 1) {
      ctx.save();
      ctx.rotate((i * 6.283) / count + reach);
      oval(ctx, reach * 0.55, 0, reach * 0.55, width * 0.62, 0, colour);
      stroke(ctx, reach * 0.2, 0, reach * 0.8, 2, 0, '#ffffff77');
      ctx.restore();
    }
  }
  disc(ctx, 0, 0, 11, '#e9b93c');
  for (let i = 0; i < 9; i += 1) disc(ctx, Math.cos(i * 0.7) * 6.5, Math.sin(i * 0.7) * 6.5, 1.8, '#a6741c');
  ctx.restore();
}
