// Plum blossom: branches across the sheet, birds, petals on the wind, far hills.

import { bird, cloud, curl, dice, disc, everywhere, fibres, glow, gradient, oval, ridge, stroke, wave } from './brush.js';
/** @import { Dice } from './brush.js' */

export function spring(/** @type {CanvasRenderingContext2D} */ ctx) {
  const random = dice(31);
  ctx.fillStyle = gradient(ctx, 0, 0, 700, 1000, [[0, '#dfe9dc'], [0.35, '#f3efdf'], [0.7, '#f3e2d8'], [1, '#dfe3cf']]);
  ctx.fillRect(0, 0, 1000, 1000);
  glow(ctx, 760, 180, 380, '#fff8e2ee', '#fff8e200');
  glow(ctx, 60, 820, 460, '#b9d2ba99', '#b9d2ba00');
  glow(ctx, 980, 640, 380, '#f0bcae88', '#f0bcae00');
  fibres(ctx, random, 900, ['#ffffff88', '#a9866433', '#7f9c7f33']);
  disc(ctx, 762, 176, 74, '#d2492fdd');
  for (let i = 0; i < 14; i += 1) cloud(ctx, random, (i * 389) % 1000 - 150, 40 + ((i * 83) % 560), random.between(140, 300), random.pick(['#ffffff8c', '#c9d6c566', '#efcfc066']));
  everywhere(random, { bottom: 640, mesh: 82 }, (x, y) => {
    if (Math.hypot(x - 762, y - 176) > 90) curl(ctx, random, x, y, random.between(12, 34), random.pick(['#ffffffc0', '#8fb09c70', '#e8a79a80', '#ffffff90', '#c9a06a55']));
  });
  far(ctx, random);
  BRANCHES.forEach((path) => branch(ctx, random, ...path));
  everywhere(random, { mesh: 76 }, (x, y) => {
    if (random.next() < 0.55) blossom(ctx, x, y, random.between(7, 15), random.between(0, 6), random.pick(['#dc5a58', '#ee9a94', '#f8d5cc', '#c93c3c', '#fff0ea']));
    else oval(ctx, x, y, random.between(9, 17), random.between(4, 7), random.between(0, 3), random.pick(['#8fb573', '#6d9a62', '#e58a8a', '#c9d79a']));
  });
  sparrow(ctx, 566, 404, 1.15, 1);
  sparrow(ctx, 300, 236, 0.9, -1);
  for (let i = 0; i < 130; i += 1) petal(ctx, random.between(0, 1000), random.between(0, 1000), random.between(5, 11), random.between(0, 6.3), random.pick(['#e58a8acc', '#f3b9b3dd', '#d8605fcc', '#fbe3dcdd']));
}

function far(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Dice} */ random) {
  /** @type {any[][]} */ ([[640, 44, '#b8ccb9', '#dfe2cf', 0.8], [720, 46, '#93b09d', '#c4cfb6', 1.2], [810, 36, '#6d9080', '#a5b898', 1.7], [900, 26, '#4b6f62', '#7f9a7c', 2.3]]).forEach(([base, height, top, low, rate], layer) => {
    const curve = wave(random, height, 6, rate);
    ridge(ctx, curve, base, gradient(ctx, 0, base - 80, 120, base + 150, [[0, top], [1, low]]));
    for (let i = 0; i < 120; i += 1) {
      const x = random.between(0, 1000);
      const y = base + curve(x) + random.between(4, 90);
      oval(ctx, x, y, random.between(4, 13) + layer * 2, random.between(3, 9) + layer, random.between(-0.4, 0.4), random.pick(['#e59a98aa', '#f6c9c0aa', '#40705f55', '#f4efdc77', '#5d8a6a66']));
    }
    for (let i = 0; i < 6; i += 1) stroke(ctx, random.between(-100, 900), base + random.between(40, 80), random.between(150, 300), 10, 4, '#fbf6ea40');
  });
  for (const [x, y] of [[60, 90], [104, 70], [150, 110], [880, 330], [920, 350], [958, 318], [470, 60], [640, 560], [690, 580], [90, 560]]) bird(ctx, x, y, 12, 0.1, '#4a5a52cc');
}

/** @type {[x: number, y: number, angle: number, width: number, length: number, depth: number][]} */
const BRANCHES = [
  [-20, 330, -0.32, 34, 620, 2], [1020, 560, 3.5, 30, 520, 2], [-20, 880, -0.5, 24, 480, 2], [1020, 60, 2.75, 18, 360, 2], [380, -20, 1.1, 14, 300, 1], [620, 1020, -1.2, 16, 330, 2],
];

/** A branch with its twigs, in blossom. @param {CanvasRenderingContext2D} ctx @param {Dice} random @param {number} x @param {number} y @param {number} angle @param {number} width @param {number} length @param {number} depth */
function branch(ctx, random, x, y, angle, width, length, depth) {
  const steps = 14;
  let [px, py, turn] = [x, y, angle];
  for (let i = 0; i < steps; i += 1) {
    const thick = width * (1 - (i / steps) * 0.72);
    turn += random.between(-0.2, 0.2);
    const [nx, ny] = [px + (Math.cos(turn) * length) / steps, py + (Math.sin(turn) * length) / steps];
    ctx.strokeStyle = i % 3 ? '#3a2822' : '#4a342b';
    ctx.lineWidth = thick;
    ctx.lineCap = 'round';
    ctx.beginPath();
    ctx.moveTo(px, py);
    ctx.lineTo(nx, ny);
    ctx.stroke();
    if (depth > 0 && i > 2 && random.next() < 0.3) branch(ctx, random, nx, ny, turn + random.pick([-1, 1]) * random.between(0.5, 1.1), thick * 0.55, length * random.between(0.28, 0.5), depth - 1);
    if (thick < 15 && random.next() < 0.42) blossom(ctx, nx + random.between(-12, 12), ny + random.between(-14, 10), random.between(9, 23), random.between(0, 6), random.pick(['#dc5a58', '#ee9a94', '#f8d5cc', '#c93c3c', '#fff0ea']));
    [px, py] = [nx, ny];
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} size @param {number} turn @param {string} colour */
function blossom(ctx, x, y, size, turn, colour) {
  for (let i = 0; i < 5; i += 1) {
    const angle = turn + (i * 6.283) / 5;
    disc(ctx, x + Math.cos(angle) * size * 0.55, y + Math.sin(angle) * size * 0.55, size * 0.5, colour);
  }
  disc(ctx, x, y, size * 0.3, '#a52c30');
  for (let i = 0; i < 8; i += 1) disc(ctx, x + Math.cos(i) * size * 0.45, y + Math.sin(i * 1.3) * size * 0.45, size * 0.07, '#f9d66a');
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} size @param {number} turn @param {string} colour */
function petal(ctx, x, y, size, turn, colour) {
  oval(ctx, x, y, size, size * 0.55, turn, colour);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} size @param {number} way */
function sparrow(ctx, x, y, size, way) {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(size * way, size);
  oval(ctx, 0, 0, 40, 26, -0.35, '#f4ead6');
  oval(ctx, -8, -6, 34, 17, -0.3, '#7a5238');
  stroke(ctx, -78, 26, 62, 12, -8, '#5b3c2c');
  disc(ctx, 30, -26, 18, '#8a4a30');
  oval(ctx, 34, -20, 11, 9, 0, '#f4ead6');
  disc(ctx, 36, -29, 3.4, '#16110f');
  stroke(ctx, 46, -25, 16, 4, 0, '#2d2420');
  for (let i = 0; i < 5; i += 1) stroke(ctx, -34 + i * 8, -8 + i * 3, 24, 4, 2, i % 2 ? '#3d281f' : '#c49a6a');
  ctx.restore();
}
