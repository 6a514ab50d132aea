// Hills at dawn: a red sun, cranes, cloud bands, ridges fading into mist.

import { bird, cloud, crane, curl, dice, disc, everywhere, fibres, glow, gradient, pine, ridge, stroke, wave } from './brush.js';
/** @import { Dice } from './brush.js' */

export function dawn(/** @type {CanvasRenderingContext2D} */ ctx) {
  const random = dice(20);
  ctx.fillStyle = gradient(ctx, 0, 0, 260, 700, [[0, '#f0b98c'], [0.35, '#f6d2a6'], [0.7, '#f8e6c8'], [1, '#f4dcc0']]);
  ctx.fillRect(0, 0, 1000, 1000);
  glow(ctx, 660, 300, 560, '#fff3d6ee', '#fff3d600');
  glow(ctx, 60, 80, 420, '#d98a6a88', '#d98a6a00');
  fibres(ctx, random, 700, ['#fff6', '#a8643a33', '#c98a5a2e']);
  disc(ctx, 660, 300, 104, '#cf4128');
  disc(ctx, 660, 300, 104, gradient(ctx, 0, 290, 0, 405, [[0, '#f8dfbc00'], [1, '#f8dfbc88']]));
  for (const [x, y, length, colour] of [[-60, 60, 330, '#c9765655'], [230, 40, 280, '#fff5e166'], [520, 70, 300, '#d98f6e4d'], [800, 50, 300, '#fff3dc88'], [-20, 190, 260, '#fff1d788'], [300, 170, 240, '#c87a5644'],
    [820, 190, 260, '#cd7f5a55'], [60, 320, 300, '#c9826250'], [380, 300, 200, '#fff6e577'], [560, 360, 330, '#fff0d8aa'], [850, 330, 220, '#fff6e988'], [180, 260, 150, '#fff8e877']]) cloud(ctx, random, x, y, length, colour);
  everywhere(random, { bottom: 400, mesh: 84 }, (x, y) => {
    if (Math.hypot(x - 660, y - 300) > 120) curl(ctx, random, x, y, random.between(18, 40), random.pick(['#fffcf4d0', '#b4583a80', '#fff8e8d8', '#a0483488', '#d9825a90']));
  });
  [[120, 130, 34, -0.25], [215, 98, 30, -0.3], [318, 122, 27, -0.2], [402, 66, 24, -0.35], [470, 140, 22, -0.2], [545, 52, 19, -0.4], [745, 116, 20, -0.3], [905, 128, 17, -0.2], [860, 262, 15, -0.3], [268, 226, 24, -0.2], [80, 246, 20, -0.1], [936, 40, 15, -0.3]].forEach(([x, y, size, turn]) => crane(ctx, x, y, size, turn));
  hills(ctx, random);
  water(ctx, random);
}

/** @type {any[][]} */
const LAYERS = [
  [430, 46, '#c9a59a', '#e8c6aa', 0], [500, 52, '#a98f93', '#d9b6a4', 0], [575, 58, '#7f7884', '#b79b98', 24],
  [655, 54, '#565f70', '#8b858f', 34], [735, 44, '#364353', '#5d6674', 46],
];

function hills(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Dice} */ random) {
  LAYERS.forEach(([base, height, top, low, trees], layer) => {
    const curve = wave(random, height, 6, 0.9 + layer * 0.25);
    ridge(ctx, curve, base, gradient(ctx, 0, base - height * 2, 0, base + 170, [[0, top], [1, low]]));
    folds(ctx, random, curve, base, layer);
    for (let i = 0; i < trees; i += 1) {
      const x = random.between(0, 1000);
      pine(ctx, random, x, base + curve(x) + 6, random.between(14, 22) + layer * 5, layer === 4 ? '#1f2a36' : '#2f3b4a');
    }
    for (let i = 0; i < 7; i += 1) stroke(ctx, random.between(-100, 900), base + random.between(56, 100), random.between(120, 300), random.between(6, 14), random.between(-5, 5), '#fbeedd30');
    everywhere(random, { top: base + 10, bottom: base + 90, mesh: 92 }, (x, y) => curl(ctx, random, x, y, random.between(8, 24), random.pick(['#fdeee06b', '#fdeee04d', '#e9b79a6b', '#1d263455'])));
    if (layer === 2) pagoda(ctx, 232, base + curve(232) + 4);
  });
}

/** Ink strokes down a slope, as a brush would give its rock. @param {CanvasRenderingContext2D} ctx @param {Dice} random @param {(x: number) => number} curve @param {number} base @param {number} layer */
function folds(ctx, random, curve, base, layer) {
  for (let i = 0; i < 90; i += 1) {
    const x = random.between(0, 1000);
    const y = base + curve(x) + random.between(4, 80);
    ctx.strokeStyle = random.next() < 0.5 ? '#ffffff22' : `rgba(30, 36, 48, ${0.06 + layer * 0.03})`;
    ctx.lineWidth = random.between(1, 3.4);
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.quadraticCurveTo(x + random.between(-14, 14), y + 16, x + random.between(-26, 26), y + random.between(24, 54));
    ctx.stroke();
  }
}

function pagoda(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {number} */ x, /** @type {number} */ y) {
  ctx.fillStyle = '#4a3138';
  for (let i = 0; i < 5; i += 1) {
    const [width, top] = [30 - i * 4, y - 20 - i * 17];
    ctx.fillRect(x - width / 2 + 4, top, width - 8, 18);
    ctx.beginPath();
    ctx.moveTo(x - width * 0.85, top + 2);
    ctx.quadraticCurveTo(x, top - 8, x + width * 0.85, top + 2);
    ctx.lineTo(x + width * 0.4, top - 8);
    ctx.lineTo(x - width * 0.4, top - 8);
    ctx.fill();
  }
  ctx.fillRect(x - 1.5, y - 122, 3, 24);
}

function water(/** @type {CanvasRenderingContext2D} */ ctx, /** @type {Dice} */ random) {
  ctx.fillStyle = gradient(ctx, 0, 815, 300, 1000, [[0, '#c99d86'], [0.5, '#54687a'], [1, '#22303e']]);
  ctx.fillRect(0, 822, 1000, 180);
  for (let i = 0; i < 170; i += 1) {
    const y = random.between(826, 1000);
    stroke(ctx, random.between(-60, 1000), y, random.between(20, 120), random.between(1.5, 4), random.between(-2, 2), random.pick(['#f6c9a35e', '#fbe6c844', '#16212c66', '#8fa3ad55']));
  }
  for (let i = 0; i < 22; i += 1) stroke(ctx, 660 - random.between(10, 60), 830 + i * 7.5, random.between(40, 110), 3.4, 0, '#d9583ca0');
  const bank = wave(random, 20, 4, 0.7);
  ridge(ctx, (x) => bank(x) + (x < 420 ? (420 - x) * -0.2 : (x - 420) * 0.06), 962, '#131a22');
  [[40, 150], [96, 120], [150, 92], [205, 66], [12, 100], [262, 52]].forEach(([x, height]) => pine(ctx, random, x, 962 + bank(x) - (420 - x) * 0.2 + 8, height, '#0f161e'));
  ctx.fillStyle = '#171b22';
  ctx.beginPath();
  ctx.moveTo(500, 884);
  ctx.quadraticCurveTo(550, 906, 606, 880);
  ctx.quadraticCurveTo(552, 892, 500, 884);
  ctx.fill();
  ctx.fillRect(548, 858, 7, 28);
  disc(ctx, 551, 852, 6, '#171b22');
  stroke(ctx, 536, 850, 32, 7, 0, '#3a2a22');
  everywhere(random, { top: 830, bottom: 960, mesh: 88 }, (x, y) => {
    if (Math.hypot(x - 553, y - 880) < 70 || x < 240) return;
    for (let ring = 1; ring < 4; ring += 1) {
      ctx.strokeStyle = random.pick(['#f8d9b866', '#8fb0bf66', '#0e161f88']);
      ctx.lineWidth = random.between(2, 5);
      ctx.beginPath();
      ctx.ellipse(x, y, ring * random.between(8, 16), ring * random.between(2, 5), 0, 0, 7);
      ctx.stroke();
    }
  });
  [[760, 880], [800, 872], [846, 890], [905, 868]].forEach(([x, y]) => bird(ctx, x, y, 10, 0.1, '#1b222b'));
  for (let i = 0; i < 190; i += 1) {
    const x = random.between(0, 1000);
    ctx.strokeStyle = random.pick(['#0f161ed0', '#4d5a48d0', '#9a835ad0', '#c9a878c0']);
    ctx.lineWidth = random.between(1.2, 2.8);
    ctx.beginPath();
    ctx.moveTo(x, 1002);
    ctx.quadraticCurveTo(x + 4, 970, x + random.between(-16, 22), 1000 - random.between(26, 96));
    ctx.stroke();
  }
}
