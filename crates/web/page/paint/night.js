// A night of lanterns: moon, stars, a village on the water, lanterns in the sky.

import { cloud, curl, dice, disc, everywhere, glow, gradient, oval, pine, ridge, stroke, wave } from './brush.js';
/** @import { Dice } from './brush.js' */

export function night(/** @type {CanvasRenderingContext2D} */ ctx) {
  const random = dice(5);
  ctx.fillStyle = gradient(ctx, 0, 0, 300, 800, [[0, '#141936'], [0.45, '#2b3163'], [0.8, '#5b4a78'], [1, '#8d6078']]);
  ctx.fillRect(0, 0, 1000, 1000);
  glow(ctx, 270, 210, 420, '#8e9ad688', '#8e9ad600');
  glow(ctx, 940, 520, 420, '#c06a6a66', '#c06a6a00');
  stars(ctx, random);
  moon(ctx, random);
  for (let i = 0; i < 15; i += 1) cloud(ctx, random, (i * 277) % 1050 - 140, 60 + ((i * 91) % 440), random.between(150, 320), random.pick(['#6a70a84d', '#a08ab044', '#1b204566', '#c9a0b033']));
  everywhere(random, { bottom: 470, mesh: 92 }, (x, y) => {
    if (Math.hypot(x - 262, y - 206) > 110) curl(ctx, random, x, y, random.between(11, 30), random.pick(['#8d93c84d', '#c5a3c84d', '#10143a77', '#e9c4b044']));
  });
  hills(ctx, random);
  lake(ctx, random);
  village(ctx, random);
  LANTERNS.forEach(([x, y, size]) => lantern(ctx, x, y, size));
}

const LANTERNS = [[520, 90, 24], [640, 160, 32], [760, 70, 20], [860, 190, 38], [940, 90, 18], [700, 290, 26], [560, 260, 18], [905, 330, 24], [450, 190, 16], [600, 380, 20], [800, 400, 17], [430, 340, 13], [90, 420, 15], [180, 470, 12], [330, 430, 14], [500, 470, 11], [690, 470, 12], [960, 460, 14], [60, 60, 16], [150, 330, 12], [380, 60, 14]];

function stars(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Dice} */ random) {
  for (let i = 0; i < 900; i += 1) {
    const along = random.between(-200, 1200);
    const off = (random.next() + random.next() + random.next() - 1.5) * 190;
    disc(ctx, along + off * 0.5, 560 - along * 0.55 + off, random.between(0.5, 1.7), random.pick(['#ffffff88', '#cfd6ff77', '#ffe9c977']));
  }
  for (let i = 0; i < 190; i += 1) {
    const [x, y, size] = [random.between(0, 1000), random.between(0, 520), random.between(0.8, 2.6)];
    disc(ctx, x, y, size, random.pick(['#fff', '#dfe4ff', '#ffeccd']));
    if (size > 2.1) {
      ctx.fillStyle = '#ffffffaa';
      ctx.fillRect(x - size * 4, y - 0.5, size * 8, 1);
      ctx.fillRect(x - 0.5, y - size * 4, 1, size * 8);
    }
  }
}

function moon(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Dice} */ random) {
  glow(ctx, 262, 206, 210, '#fff6d8aa', '#fff6d800');
  disc(ctx, 262, 206, 100, '#fbf0d2');
  ctx.save();
  ctx.beginPath();
  ctx.arc(262, 206, 100, 0, 7);
  ctx.clip();
  for (let i = 0; i < 26; i += 1) oval(ctx, 262 + random.between(-95, 95), 206 + random.between(-95, 95), random.between(8, 34), random.between(6, 24), random.between(0, 3), random.pick(['#e9d8ac77', '#dcc79866', '#fffbe988']));
  ctx.restore();
}

function hills(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Dice} */ random) {
  /** @type {any[][]} */ ([[470, 60, '#4c4674', '#6e5a80', 0.8], [540, 56, '#3a3a66', '#574d74', 1.3], [612, 40, '#272c52', '#3d3b60', 1.9]]).forEach(([base, height, top, low, rate], layer) => {
    const curve = wave(random, height, 6, rate);
    ridge(ctx, curve, base, gradient(ctx, 0, base - 100, 200, base + 160, [[0, top], [1, low]]));
    for (let i = 0; i < 80; i += 1) {
      const x = random.between(0, 1000);
      stroke(ctx, x, base + curve(x) + random.between(10, 90), random.between(20, 70), random.between(2, 5), 4, random.pick(['#ffffff12', '#0b102c2e', '#c69ac01c']));
    }
    for (let i = 0; i < 16 + layer * 16; i += 1) {
      const x = random.between(0, 1000);
      pine(ctx, random, x, base + curve(x) + 6, random.between(14, 24) + layer * 9, ['#38355f', '#262a50', '#171c3a'][layer]);
    }
  });
}

function lake(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Dice} */ random) {
  ctx.fillStyle = gradient(ctx, 0, 690, 260, 1000, [[0, '#54476f'], [0.4, '#2a2d57'], [1, '#10142e']]);
  ctx.fillRect(0, 700, 1000, 300);
  for (let i = 0; i < 230; i += 1) stroke(ctx, random.between(-60, 1000), random.between(704, 1000), random.between(20, 110), random.between(1.4, 3.6), random.between(-2, 2), random.pick(['#8d87bb55', '#0b0f2877', '#c490a044', '#5d63a055']));
  for (let i = 0; i < 34; i += 1) stroke(ctx, 262 - random.between(10, 80), 708 + i * 8.6, random.between(40, 120), 3.4, 0, '#fbeecb70');
  LANTERNS.slice(0, 13).forEach(([x, y, size]) => {
    for (let i = 0; i < 6; i += 1) stroke(ctx, x - size * 0.8 + random.between(-6, 6), 720 + (420 - y) * 0.32 + 60 + i * 9, size * 1.6, 3, 0, '#ff9a4a66');
  });
  everywhere(random, { top: 715, mesh: 90 }, (x, y) => {
    for (let line = 0; line < 3; line += 1) stroke(ctx, x - random.between(10, 50), y + line * random.between(8, 18), random.between(30, 100), random.between(3, 7), 0, random.pick(['#a8a0d877', '#0a0d24aa', '#d98f9a66', '#6a76c077']));
  });
  everywhere(random, { top: 500, bottom: 620, mesh: 88 }, (x, y) => {
    disc(ctx, x, y, random.between(2, 4), '#ffd98a');
    glow(ctx, x, y, random.between(14, 34), '#ffb45a88', '#ffb45a00');
  });
  for (let i = 0; i < 34; i += 1) {
    const [x, y] = [random.between(20, 980), random.between(780, 985)];
    glow(ctx, x, y, 30, '#ffb45a66', '#ffb45a00');
    oval(ctx, x, y + 4, 12, 4, 0, '#c04a6a');
    oval(ctx, x, y, 5, 6, 0, '#ffe1a0');
  }
}

function village(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Dice} */ random) {
  for (let i = 0; i < 17; i += 1) {
    const [x, width, height] = [i * 62 + random.between(-14, 14), random.between(44, 78), random.between(34, 92)];
    const top = 712 - height;
    ctx.fillStyle = random.pick(['#1b1c38', '#241f3c', '#2d2340']);
    ctx.fillRect(x, top, width, height);
    ctx.fillStyle = '#0f1126';
    ctx.beginPath();
    ctx.moveTo(x - 12, top + 4);
    ctx.quadraticCurveTo(x + width * 0.2, top - 8, x + width / 2, top - 24);
    ctx.quadraticCurveTo(x + width * 0.8, top - 8, x + width + 12, top + 4);
    ctx.fill();
    for (let w = 0; w < 6; w += 1) {
      const [wx, wy] = [x + 8 + (w % 3) * (width / 3), top + 12 + Math.floor(w / 3) * 22];
      if (wy < 700 && random.next() < 0.75) {
        ctx.fillStyle = random.pick(['#ffc765', '#ff9d4d', '#ffe3a1']);
        ctx.fillRect(wx, wy, 9, 11);
        ctx.fillStyle = '#ffc76544';
        ctx.fillRect(wx - 1, 716 + (712 - wy) * 0.7, 11, 16);
      }
    }
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} size */
function lantern(ctx, x, y, size) {
  glow(ctx, x, y, size * 3.2, '#ff9d4a88', '#ff9d4a00');
  ctx.beginPath();
  ctx.moveTo(x - size * 0.62, y - size);
  ctx.quadraticCurveTo(x, y - size * 1.5, x + size * 0.62, y - size);
  ctx.quadraticCurveTo(x + size * 0.95, y, x + size * 0.48, y + size);
  ctx.lineTo(x - size * 0.48, y + size);
  ctx.quadraticCurveTo(x - size * 0.95, y, x - size * 0.62, y - size);
  ctx.fillStyle = gradient(ctx, x, y - size * 1.3, x, y + size, [[0, '#d6452c'], [0.6, '#ff9440'], [1, '#ffe6a6']]);
  ctx.fill();
  oval(ctx, x, y + size, size * 0.48, size * 0.14, 0, '#7a2a20');
}
