// A panda's garden, for children: balloons, a rainbow, bamboo, flowers and small animals.

import { bird, dice, disc, glow, gradient, oval, ridge, wave } from './brush.js';
/** @import { Dice } from './brush.js' */

export function panda(/** @type {CanvasRenderingContext2D} */ ctx) {
  const random = dice(8);
  ctx.fillStyle = gradient(ctx, 0, 0, 500, 640, [[0, '#7cc4e8'], [0.5, '#bfe5ef'], [1, '#fdf3cf']]);
  ctx.fillRect(0, 0, 1000, 1000);
  sun(ctx, 130, 130);
  rainbow(ctx);
  [[520, 34, 13], [620, 22, 16], [678, 60, 11], [790, 40, 15], [760, 118, 12], [500, 176, 11], [610, 130, 14], [330, 170, 12], [960, 180, 12], [830, 140, 10], [470, 330, 10], [640, 340, 11]].forEach(([x, y, span], i) => bird(ctx, x, y, span * 1.6, (i % 5) * 0.15 - 0.3, ['#3f5f7a', '#c8402a', '#5a4a7a'][i % 3]));
  [[250, 90, 1, '#fff'], [560, 70, 0.8, '#fffdf4'], [900, 100, 1.1, '#fff'], [760, 330, 0.8, '#fff9ec'], [70, 330, 0.9, '#fff'], [420, 200, 0.6, '#f4fbff'], [960, 330, 0.6, '#fff'], [330, 390, 0.6, '#fffdf4']].forEach((numbers) => puff(ctx, ...numbers));
  [[400, 110, 54, '#e2583f', '#fff2d8'], [690, 190, 66, '#3d8f7c', '#ffe08a'], [880, 230, 44, '#8a5fb0', '#ffd1e0'], [262, 262, 38, '#f2a33a', '#fff7e0'], [560, 270, 30, '#3f78c0', '#dff0ff'], [50, 230, 28, '#d9548a', '#ffe6ef']].forEach((numbers) => balloon(ctx, ...numbers));
  hills(ctx, random);
  bamboo(ctx, random);
  bear(ctx, 500, 700);
  garden(ctx, random);
}

function sun(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {number} */ x, /** @type {number} */ y) {
  glow(ctx, x, y, 220, '#fff3b8cc', '#fff3b800');
  for (let i = 0; i < 16; i += 1) {
    ctx.save();
    ctx.translate(x, y);
    ctx.rotate((i * 6.283) / 16);
    oval(ctx, 104, 0, i % 2 ? 26 : 16, 8, 0, '#f6b73c');
    ctx.restore();
  }
  disc(ctx, x, y, 72, '#fbcf4f');
  disc(ctx, x - 24, y - 8, 7, '#5a3a1c');
  disc(ctx, x + 24, y - 8, 7, '#5a3a1c');
  disc(ctx, x - 38, y + 14, 11, '#f58f5a99');
  disc(ctx, x + 38, y + 14, 11, '#f58f5a99');
  ctx.strokeStyle = '#5a3a1c';
  ctx.lineWidth = 5;
  ctx.lineCap = 'round';
  ctx.beginPath();
  ctx.arc(x, y + 6, 24, 0.3, 2.84);
  ctx.stroke();
}

function rainbow(/** @type {CanvasRenderingContext2D} */ ctx) {
  ['#e2583f', '#f2943a', '#f7d154', '#6dbb6a', '#4f94cf', '#8a6cc0'].forEach((colour, i) => {
    ctx.strokeStyle = `${colour}c8`;
    ctx.lineWidth = 21;
    ctx.beginPath();
    ctx.arc(560, 640, 430 - i * 20, Math.PI, 0);
    ctx.stroke();
  });
}

/** @type {(ctx: CanvasRenderingContext2D, ...numbers: any[]) => void} */
function puff(ctx, x, y, size, colour) {
  for (const [dx, dy, r] of [[-52, 8, 30], [-18, -12, 40], [26, -4, 36], [58, 10, 26], [0, 14, 38]]) disc(ctx, x + dx * size, y + dy * size, r * size, colour);
  oval(ctx, x, y + 30 * size, 70 * size, 9 * size, 0, '#bcd9e866');
}

/** @type {(ctx: CanvasRenderingContext2D, ...numbers: any[]) => void} */
function balloon(ctx, x, y, size, colour, stripe) {
  ctx.strokeStyle = '#6a5040';
  ctx.lineWidth = 2;
  for (const dx of [-0.3, 0.3]) {
    ctx.beginPath();
    ctx.moveTo(x + dx * size * 1.6, y + size * 0.8);
    ctx.lineTo(x + dx * size * 0.7, y + size * 1.5);
    ctx.stroke();
  }
  oval(ctx, x, y, size * 0.9, size, 0, colour);
  oval(ctx, x, y, size * 0.52, size, 0, stripe);
  oval(ctx, x, y, size * 0.2, size, 0, colour);
  oval(ctx, x - size * 0.4, y - size * 0.4, size * 0.12, size * 0.24, 0.5, '#ffffff99');
  ctx.fillStyle = '#a5713f';
  ctx.fillRect(x - size * 0.24, y + size * 1.45, size * 0.48, size * 0.34);
}

function hills(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Dice} */ random) {
  /** @type {any[][]} */ ([[520, 30, '#9fd08a', '#c6e39c', 0.8], [600, 26, '#7dbd74', '#aed68a', 1.2], [690, 22, '#5fab66', '#8fc975', 0.9]]).forEach(([base, height, top, low, rate], layer) => {
    const curve = wave(random, height, 4, rate);
    ridge(ctx, curve, base, gradient(ctx, 0, base - 40, 160, base + 260, [[0, top], [1, low]]));
    for (let i = 0; i < 46; i += 1) {
      const x = random.between(0, 1000);
      const y = base + curve(x) + random.between(8, 120);
      if (layer === 0) disc(ctx, x, y, random.between(5, 12), random.pick(['#7ab86a', '#5f9f5c', '#b6da8c']));
      else flower(ctx, x, y, random.between(4, 8), random.pick(['#fff', '#f9d84f', '#f2809a', '#b58be0', '#f2943a']));
    }
  });
  /** @type {any[][]} */ ([[120, 548, '#e2583f'], [840, 540, '#f2b33c'], [930, 600, '#5c8fd0'], [250, 600, '#d9708a']]).forEach(([x, y, roof]) => {
    ctx.fillStyle = '#fff6e2';
    ctx.fillRect(x - 28, y - 28, 56, 40);
    ctx.fillStyle = roof;
    ctx.beginPath();
    ctx.moveTo(x - 38, y - 26);
    ctx.lineTo(x, y - 62);
    ctx.lineTo(x + 38, y - 26);
    ctx.fill();
    ctx.fillStyle = '#8a5a3a';
    ctx.fillRect(x - 8, y - 12, 16, 24);
    ctx.fillStyle = '#8fd0e8';
    ctx.fillRect(x + 13, y - 16, 10, 11);
  });
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} size @param {string} colour */
function flower(ctx, x, y, size, colour) {
  for (let i = 0; i < 5; i += 1) disc(ctx, x + Math.cos(i * 1.257) * size, y + Math.sin(i * 1.257) * size, size * 0.7, colour);
  disc(ctx, x, y, size * 0.6, colour === '#f9d84f' ? '#b5682a' : '#fbd24a');
}

function bamboo(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Dice} */ random) {
  for (const [x, lean] of [[40, 8], [104, -6], [176, 5], [850, -8], [918, 6], [974, -4]]) {
    for (let joint = 0; joint < 8; joint += 1) {
      const y = 960 - joint * 66;
      ctx.fillStyle = joint % 2 ? '#69ad4e' : '#7cbf57';
      ctx.fillRect(x + lean * joint - 11, y - 62, 22, 62);
      oval(ctx, x + lean * joint, y, 15, 5, 0, '#437f38');
      for (let i = 0; i < 3; i += 1) oval(ctx, x + lean * joint + random.between(-46, 46), y - random.between(10, 60), 30, 8, random.between(-0.8, 0.8), random.pick(['#3f8f45', '#58a84c', '#8cc95a', '#2f7a40']));
    }
  }
}

function bear(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {number} */ x, /** @type {number} */ y) {
  const [white, black] = ['#fffdf6', '#2a2c35'];
  oval(ctx, x, y + 262, 250, 30, 0, '#3b7f4466');
  oval(ctx, x - 120, y + 220, 78, 58, 0.3, black);
  oval(ctx, x + 120, y + 220, 78, 58, -0.3, black);
  oval(ctx, x, y + 110, 168, 160, 0, white);
  oval(ctx, x, y + 30, 176, 76, 0, black);
  oval(ctx, x, y + 150, 120, 96, 0, '#fff4df');
  for (const side of [-1, 1]) {
    disc(ctx, x + side * 118, y - 196, 54, black);
    disc(ctx, x + side * 118, y - 192, 26, '#5a4650');
  }
  oval(ctx, x, y - 96, 178, 150, 0, white);
  for (const side of [-1, 1]) {
    oval(ctx, x + side * 72, y - 100, 46, 56, side * 0.5, black);
    disc(ctx, x + side * 66, y - 100, 20, '#fff');
    disc(ctx, x + side * 62, y - 98, 12, '#14151a');
    disc(ctx, x + side * 66 - 6, y - 104, 5, '#fff');
    disc(ctx, x + side * 118, y - 48, 26, '#f59a9a88');
  }
  oval(ctx, x, y - 50, 26, 18, 0, black);
  ctx.strokeStyle = black;
  ctx.lineWidth = 6;
  ctx.lineCap = 'round';
  ctx.beginPath();
  ctx.arc(x - 20, y - 30, 20, 0, 2.6);
  ctx.moveTo(x + 40, y - 30);
  ctx.arc(x + 20, y - 30, 20, 0, 2.6);
  ctx.stroke();
  ctx.save();
  ctx.translate(x + 60, y + 110);
  ctx.rotate(-0.6);
  ctx.fillStyle = '#7cbf57';
  ctx.fillRect(-150, -12, 300, 24);
  for (let i = -2; i < 3; i += 1) oval(ctx, i * 58, 0, 5, 15, 0, '#437f38');
  for (const [dx, turn] of [[150, -0.5], [160, 0.5], [120, -1]]) oval(ctx, dx + 26, turn * 40, 40, 11, turn, '#3f8f45');
  ctx.restore();
  oval(ctx, x - 76, y + 130, 60, 42, 0.5, black);
  oval(ctx, x + 92, y + 96, 60, 42, -0.7, black);
}

function garden(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Dice} */ random) {
  for (let i = 0; i < 150; i += 1) {
    const [x, y] = [random.between(0, 1000), random.between(860, 1000)];
    if (Math.abs(x - 500) < 190 && y < 930) continue;
    ctx.strokeStyle = random.pick(['#3f8f45', '#2f7a40', '#7cbf57']);
    ctx.lineWidth = 4;
    ctx.beginPath();
    ctx.moveTo(x, y + 26);
    ctx.quadraticCurveTo(x + 4, y + 8, x + random.between(-10, 10), y - 8);
    ctx.stroke();
    if (i % 2) flower(ctx, x, y - 8, random.between(6, 12), random.pick(['#fff', '#f9d84f', '#f2809a', '#b58be0', '#f2943a', '#e2583f']));
  }
  /** @type {any[][]} */ ([[230, 760, '#f2943a'], [770, 720, '#b58be0'], [720, 470, '#f2809a'], [300, 490, '#4f94cf'], [640, 900, '#e2583f']]).forEach(([x, y, colour]) => butterfly(ctx, x, y, colour));
  [[330, 950], [690, 960], [840, 880], [140, 900]].forEach(([x, y]) => ladybird(ctx, x, y));
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {string} colour */
function butterfly(ctx, x, y, colour) {
  for (const side of [-1, 1]) {
    oval(ctx, x + side * 17, y - 9, 18, 13, side * -0.5, colour);
    oval(ctx, x + side * 13, y + 11, 12, 10, side * 0.5, '#fff3d0');
    disc(ctx, x + side * 18, y - 9, 5, '#fff8');
  }
  oval(ctx, x, y, 4, 18, 0, '#3a2a2a');
}

function ladybird(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {number} */ x, /** @type {number} */ y) {
  oval(ctx, x, y, 22, 17, 0, '#d8402c');
  disc(ctx, x + 20, y - 2, 9, '#2a2225');
  for (const [dx, dy] of [[-10, -6], [-8, 7], [5, -8], [6, 6]]) disc(ctx, x + dx, y + dy, 3.6, '#2a2225');
}
