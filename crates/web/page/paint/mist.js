// A river among steep green peaks, in mist: boats, a waterfall, bamboo at the near bank.

import { bird, cloud, curl, dice, disc, everywhere, fibres, glow, gradient, oval, pine, ridge, stroke, wave } from './brush.js';
/** @import { Dice } from './brush.js' */

export function mist(/** @type {CanvasRenderingContext2D} */ ctx) {
  const random = dice(77);
  ctx.fillStyle = gradient(ctx, 0, 0, 420, 900, [[0, '#bcd6d2'], [0.4, '#dde9dd'], [0.75, '#eef0df'], [1, '#cfe0d6']]);
  ctx.fillRect(0, 0, 1000, 1000);
  glow(ctx, 850, 120, 460, '#fff7dcdd', '#fff7dc00');
  disc(ctx, 842, 118, 46, '#c8402acc');
  fibres(ctx, random, 800, ['#ffffff77', '#3f6f6a26', '#8aa89a33']);
  for (let i = 0; i < 13; i += 1) cloud(ctx, random, (i * 331) % 1000 - 130, 30 + ((i * 67) % 330), random.between(170, 330), random.pick(['#ffffff7a', '#9fbfb855', '#f7f3dd99']));
  everywhere(random, { bottom: 420, mesh: 82 }, (x, y) => {
    if (Math.hypot(x - 842, y - 118) > 60) curl(ctx, random, x, y, random.between(18, 40), random.pick(['#ffffffe0', '#4f8a8680', '#ffffffc8', '#6fa39aa0', '#d9b98a90']));
  });
  for (const [x, y] of [[90, 70], [130, 92], [178, 80], [232, 104], [300, 60], [520, 46], [566, 66], [470, 130], [660, 180], [704, 160], [930, 244], [958, 262], [40, 190], [390, 200]]) bird(ctx, x, y, random.between(9, 17), random.between(-0.3, 0.3), '#2d4a4ccc');
  peaks(ctx, random);
  river(ctx, random);
  bamboo(ctx, random);
}

/**
 * A tower of rock: steep sides, a round head, strokes for its folds.
 * @param {CanvasRenderingContext2D} ctx @param {Dice} random @param {number} x @param {number} base @param {number} width @param {number} height @param {string} top @param {string} low
 */
function peak(ctx, random, x, base, width, height, top, low) {
  const lean = random.between(-0.12, 0.12) * width;
  ctx.beginPath();
  ctx.moveTo(x - width, base);
  ctx.bezierCurveTo(x - width * 0.6, base - height * 0.25, x - width * 0.62 + lean, base - height * 0.9, x - width * 0.12 + lean, base - height);
  ctx.bezierCurveTo(x + width * 0.32 + lean, base - height * 1.06, x + width * 0.5 + lean, base - height * 0.45, x + width, base);
  ctx.closePath();
  ctx.fillStyle = gradient(ctx, x - width * 0.4, base - height, x + width * 0.4, base, [[0, top], [0.65, low], [1, '#e6ece000']]);
  ctx.fill();
  ctx.save();
  ctx.clip();
  for (let i = 0; i < width * 0.6; i += 1) {
    const [sx, sy] = [x + random.between(-0.8, 0.8) * width, base - random.between(0.15, 1) * height];
    ctx.strokeStyle = random.next() < 0.6 ? '#1f4a4833' : '#f2f6e644';
    ctx.lineWidth = random.between(1, 4);
    ctx.beginPath();
    ctx.moveTo(sx, sy);
    ctx.quadraticCurveTo(sx + random.between(-8, 12), sy + 22, sx + random.between(-6, 22), sy + random.between(30, 86));
    ctx.stroke();
  }
  ctx.restore();
  for (let i = 0; i < 9; i += 1) pine(ctx, random, x + lean + random.between(-0.5, 0.5) * width, base - height * random.between(0.55, 0.93), random.between(12, 26), '#234a45');
}

/** @type {[x: number, base: number, width: number, height: number, top: string, low: string][]} */
const PEAKS = [
  [120, 520, 70, 260, '#9dbdb9', '#c6d9cf'], [300, 500, 60, 200, '#a9c6c0', '#cfded3'], [470, 520, 76, 300, '#93b7b4', '#c3d7cd'], [640, 500, 64, 210, '#a6c4bd', '#cbdcd1'], [930, 520, 90, 280, '#97bab5', '#c6d9ce'],
  [40, 640, 110, 400, '#5f938e', '#a4c4b9'], [240, 640, 92, 330, '#6d9e96', '#adcabd'], [560, 620, 84, 300, '#74a39a', '#b2cdc0'], [780, 650, 120, 430, '#568a87', '#9fc0b5'],
  [150, 740, 120, 300, '#37706c', '#84ad9f'], [400, 730, 90, 250, '#42796f', '#8db4a4'], [960, 750, 140, 360, '#2f6562', '#7da798'], [680, 735, 70, 170, '#4d8377', '#96b9a8'],
];

function peaks(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Dice} */ random) {
  PEAKS.forEach((numbers, i) => {
    peak(ctx, random, ...numbers);
    if (i % 4 === 3) for (let n = 0; n < 9; n += 1) stroke(ctx, random.between(-150, 900), numbers[1] - random.between(0, 120), random.between(160, 380), random.between(10, 26), random.between(-8, 8), '#f3f4e84a');
  });
  for (let i = 0; i < 12; i += 1) stroke(ctx, 806 + random.between(-5, 5), 372 + i * 22, random.between(7, 14), random.between(10, 26), 6, '#f7faf2cc');
}

function river(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Dice} */ random) {
  ctx.fillStyle = gradient(ctx, 0, 720, 380, 1000, [[0, '#dfe9dd'], [0.5, '#9cc0b8'], [1, '#4f8a88']]);
  ctx.fillRect(0, 742, 1000, 260);
  for (let i = 0; i < 260; i += 1) stroke(ctx, random.between(-70, 1000), random.between(748, 1000), random.between(24, 140), random.between(1.4, 4), random.between(-2, 2), random.pick(['#f4f7ea66', '#2a63625a', '#6fa39c66', '#ffffff44']));
  const bank = wave(random, 16, 5, 1.1);
  ridge(ctx, (x) => bank(x) + Math.max(0, x - 330) * 0.9, 860, gradient(ctx, 0, 840, 200, 1000, [[0, '#3d6f5f'], [1, '#1e4640']]));
  for (let i = 0; i < 60; i += 1) {
    const x = random.between(0, 400);
    const y = random.between(870, 1000) + Math.max(0, x - 330) * 0.9;
    oval(ctx, x, y, random.between(5, 18), random.between(3, 9), 0, random.pick(['#5d8f6c', '#2a5a4e', '#86ab78', '#17382f']));
  }
  house(ctx, 96, 862);
  house(ctx, 214, 878);
  everywhere(random, { top: 752, left: 300, right: 900, mesh: 80 }, (x, y) => {
    oval(ctx, x, y, random.between(9, 24), random.between(4, 10), random.between(-0.2, 0.2), random.pick(['#2f6b52cc', '#5d9a6acc', '#86b36fcc', '#1f5146cc']));
    if (random.next() < 0.4) disc(ctx, x + 4, y - 5, random.between(3, 7), random.pick(['#e98a8a', '#fbe3dc', '#c8402a']));
    stroke(ctx, x - 30, y + random.between(12, 26), random.between(30, 80), random.between(3, 7), 0, random.pick(['#f4f7ea88', '#1f545488']));
  });
  everywhere(random, { top: 560, bottom: 740, mesh: 90 }, (x, y) => curl(ctx, random, x, y, random.between(9, 26), random.pick(['#ffffff77', '#f7f6e488', '#24585544'])));
  [[452, 818, 1], [640, 906, 1.6], [812, 796, 0.7], [905, 930, 1.2]].forEach(([x, y, size]) => boat(ctx, x, y, size));
}

function house(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {number} */ x, /** @type {number} */ y) {
  ctx.fillStyle = '#e9e2cc';
  ctx.fillRect(x - 30, y - 26, 60, 30);
  ctx.fillStyle = '#4a3430';
  ctx.beginPath();
  ctx.moveTo(x - 44, y - 22);
  ctx.quadraticCurveTo(x - 20, y - 34, x, y - 54);
  ctx.quadraticCurveTo(x + 20, y - 34, x + 44, y - 22);
  ctx.fill();
  ctx.fillStyle = '#c8402a';
  ctx.fillRect(x - 6, y - 18, 12, 22);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} size */
function boat(ctx, x, y, size) {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(size, size);
  ctx.fillStyle = '#33302a';
  ctx.beginPath();
  ctx.moveTo(-46, -4);
  ctx.quadraticCurveTo(0, 22, 50, -8);
  ctx.quadraticCurveTo(2, 6, -46, -4);
  ctx.fill();
  ctx.fillStyle = '#8a6a44';
  ctx.beginPath();
  ctx.ellipse(-4, -2, 20, 15, 0, Math.PI, 0);
  ctx.fill();
  ctx.fillRect(27, -26, 4, 22);
  stroke(ctx, 18, -26, 22, 7, 0, '#c79a55');
  stroke(ctx, -40, 14, 84, 3, 0, '#24494888');
  ctx.restore();
}

function bamboo(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Dice} */ random) {
  for (const [x, lean, width] of [[930, -30, 13], [968, 16, 16], [880, -60, 9], [996, -10, 12]]) {
    for (let joint = 0; joint < 9; joint += 1) {
      const [y, shift] = [1000 - joint * 78, (lean * joint * joint) / 60];
      ctx.strokeStyle = joint % 2 ? '#4f8a53' : '#5f9a58';
      ctx.lineWidth = width * (1 - joint * 0.06);
      ctx.lineCap = 'butt';
      ctx.beginPath();
      ctx.moveTo(x + shift, y);
      ctx.lineTo(x + (lean * (joint + 1) ** 2) / 60, y - 73);
      ctx.stroke();
      for (let leaf = 0; leaf < 5; leaf += 1) blade(ctx, x + shift, y - 70, random.between(-2.9, 0.1), random.between(34, 80), random.pick(['#2f6b45', '#4c8b4f', '#1f5138', '#7fae5f']));
    }
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} angle @param {number} length @param {string} colour */
function blade(ctx, x, y, angle, length, colour) {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(angle + 1.2);
  stroke(ctx, 0, 0, length, length * 0.14, 3, colour);
  ctx.restore();
}
