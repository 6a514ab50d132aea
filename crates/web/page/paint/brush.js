// The brushes with which the built-in pictures are painted, on a sheet of 1000 × 1000.
// Everything random comes from a seed, so that a picture is the same on every machine.

/** @typedef {{ next: () => number, between: (low: number, high: number) => number, pick: <T>(list: T[]) => T }} Dice */
/** @param {number} seed @returns {Dice} */
export function dice(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return { next, between: (low, high) => low + (high - low) * next(), pick: (list) => list[Math.floor(next() * list.length)] };
}

/** A gradient along a line, from stops [[at, colour], …]. @param {CanvasRenderingContext2D} ctx @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 @param {[number, string][]} stops */
export function gradient(ctx, x0, y0, x1, y1, stops) {
  const wash = ctx.createLinearGradient(x0, y0, x1, y1);
  stops.forEach(([at, colour]) => wash.addColorStop(at, colour));
  return wash;
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} radius @param {string} colour */
export function glow(ctx, x, y, radius, colour, far = 'transparent') {
  const light = ctx.createRadialGradient(x, y, 0, x, y, radius);
  light.addColorStop(0, colour);
  light.addColorStop(1, far);
  ctx.fillStyle = light;
  ctx.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} radius @param {string | CanvasGradient} fill */
export function disc(ctx, x, y, radius, fill) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 7);
  ctx.fillStyle = fill;
  ctx.fill();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} rx @param {number} ry @param {number} turn @param {string | CanvasGradient} fill */
export function oval(ctx, x, y, rx, ry, turn, fill) {
  ctx.beginPath();
  ctx.ellipse(x, y, rx, ry, turn, 0, 7);
  ctx.fillStyle = fill;
  ctx.fill();
}

/** A smooth random curve: heights along x, made of a few waves. @param {Dice} random @param {number} height */
export function wave(random, height, waves = 6, first = 1.2) {
  const parts = Array.from({ length: waves }, (_, i) => [first * 1.75 ** i, random.between(0, 6.3), height / 1.7 ** i * random.between(0.6, 1.1)]);
  return (/** @type {number} */ x) => parts.reduce((sum, [rate, turn, size]) => sum + Math.sin((x / 1000) * rate * 6.283 + turn) * size, 0);
}

/** @param {CanvasRenderingContext2D} ctx @param {(x: number) => number} curve @param {number} base @param {string | CanvasGradient} fill */
export function ridge(ctx, curve, base, fill, step = 4) {
  ctx.beginPath();
  ctx.moveTo(-5, 1005);
  for (let x = -5; x <= 1005; x += step) ctx.lineTo(x, base + curve(x));
  ctx.lineTo(1005, 1005);
  ctx.closePath();
  ctx.fillStyle = fill;
  ctx.fill();
}

/** One stroke of a soft brush, thick in the middle. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} length @param {number} thick @param {number} bend @param {string | CanvasGradient} fill */
export function stroke(ctx, x, y, length, thick, bend, fill) {
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.bezierCurveTo(x + length * 0.3, y - thick + bend, x + length * 0.7, y - thick * 0.7 - bend, x + length, y);
  ctx.bezierCurveTo(x + length * 0.7, y + thick * 0.5 - bend, x + length * 0.3, y + thick * 0.6 + bend, x, y);
  ctx.fillStyle = fill;
  ctx.fill();
}

/** @param {CanvasRenderingContext2D} ctx @param {Dice} random @param {any} x @param {any} y @param {any} length @param {any} colour */
export function cloud(ctx, random, x, y, length, colour) {
  const layers = 4 + Math.floor(random.next() * 4);
  for (let i = 0; i < layers; i += 1) {
    const part = length * random.between(0.35, 1);
    stroke(ctx, x + random.between(-0.3, 0.5) * length, y + (i - layers / 2) * length * 0.055, part, part * random.between(0.04, 0.09), random.between(-6, 6), colour);
  }
}

/** The fibres of hand-made paper, which also make every patch of sky its own. @param {CanvasRenderingContext2D} ctx @param {Dice} random @param {number} count @param {string[]} colours */
export function fibres(ctx, random, count, colours) {
  ctx.lineCap = 'round';
  for (let i = 0; i < count; i += 1) {
    const [x, y, angle, length] = [random.between(0, 1000), random.between(0, 1000), random.between(0, 6.3), random.between(6, 30)];
    ctx.strokeStyle = random.pick(colours);
    ctx.lineWidth = random.between(0.4, 1.3);
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.quadraticCurveTo(x + Math.cos(angle + 0.6) * length * 0.5, y + Math.sin(angle + 0.6) * length * 0.5, x + Math.cos(angle) * length, y + Math.sin(angle) * length);
    ctx.stroke();
  }
}

/** A pine or a fir, drawn as tiers of boughs. @param {CanvasRenderingContext2D} ctx @param {Dice} random @param {number} x @param {number} y @param {number} height @param {string} colour */
export function pine(ctx, random, x, y, height, colour) {
  ctx.fillStyle = colour;
  ctx.fillRect(x - height * 0.018, y - height * 0.9, height * 0.036, height * 0.92);
  const tiers = 6;
  for (let i = 0; i < tiers; i += 1) {
    const top = y - height + (i * height * 0.84) / tiers;
    const spread = height * (0.07 + i * 0.042) * random.between(0.85, 1.15);
    ctx.beginPath();
    ctx.moveTo(x, top);
    ctx.quadraticCurveTo(x + spread * 0.4, top + height * 0.13, x + spread, top + height * 0.2);
    ctx.quadraticCurveTo(x, top + height * 0.15, x - spread, top + height * 0.2);
    ctx.quadraticCurveTo(x - spread * 0.4, top + height * 0.13, x, top);
    ctx.fill();
  }
}

/** A bird far off, two strokes; near ones are larger. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} span @param {number} turn @param {string} colour */
export function bird(ctx, x, y, span, turn, colour) {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(turn);
  ctx.strokeStyle = colour;
  ctx.lineWidth = Math.max(1.6, span * 0.09);
  ctx.lineCap = 'round';
  ctx.beginPath();
  ctx.moveTo(-span, -span * 0.28);
  ctx.quadraticCurveTo(-span * 0.4, -span * 0.5, 0, 0);
  ctx.quadraticCurveTo(span * 0.4, -span * 0.5, span, -span * 0.18);
  ctx.stroke();
  ctx.restore();
}

/** A crane in flight, with neck, tail and black wing tips. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y @param {number} size @param {number} turn */
export function crane(ctx, x, y, size, turn, ink = '#2b2f38') {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(turn);
  ctx.scale(size / 40, size / 40);
  const limb = (/** @type {number[]} */ points, /** @type {number} */ width, /** @type {string} */ colour) => {
    ctx.strokeStyle = colour;
    ctx.lineWidth = width;
    ctx.lineCap = 'round';
    ctx.beginPath();
    ctx.moveTo(points[0], points[1]);
    ctx.quadraticCurveTo(points[2], points[3], points[4], points[5]);
    ctx.stroke();
  };
  limb([10, 0, 24, -8, 38, -5], 2.6, '#fffaf2');
  limb([-10, 1, -24, 4, -40, 2], 1.6, ink);
  oval(ctx, 0, 0, 13, 5, 0, '#fffaf2');
  for (const side of [-1, 1]) {
    ctx.fillStyle = '#fffaf2';
    ctx.beginPath();
    ctx.moveTo(7, 0);
    ctx.quadraticCurveTo(2, side * 20, -12, side * 40);
    ctx.quadraticCurveTo(-12, side * 16, -8, 0);
    ctx.fill();
    limb([-4, side * 24, -10, side * 32, -14, side * 42], 4, ink);
  }
  disc(ctx, 38, -5, 2.4, '#c8402a');
  limb([40, -5, 44, -4, 47, -3], 1.4, ink);
  ctx.restore();
}

/** Acts once near each crossing of a loose net over a part of the sheet, so that no patch stays empty. @param {Dice} random @param {{ left?: number, top?: number, right?: number, bottom?: number, mesh?: number }} part @param {(x: number, y: number) => void} act */
export function everywhere(random, { left = 0, top = 0, right = 1000, bottom = 1000, mesh = 100 }, act) {
  for (let y = top + mesh / 2; y < bottom; y += mesh) {
    for (let x = left + mesh / 2; x < right; x += mesh) act(x + random.between(-0.32, 0.32) * mesh, y + random.between(-0.32, 0.32) * mesh);
  }
}

/** A curled cloud, drawn with one line as on old robes. @param {CanvasRenderingContext2D} ctx @param {Dice} random @param {number} x @param {number} y @param {number} size @param {string} colour */
export function curl(ctx, random, x, y, size, colour) {
  const side = random.next() < 0.5 ? -1 : 1;
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(side, 1);
  ctx.rotate(random.between(-0.25, 0.25));
  ctx.strokeStyle = colour;
  ctx.lineWidth = size * random.between(0.13, 0.2);
  ctx.lineCap = 'round';
  ctx.beginPath();
  for (let turn = 0; turn <= 9; turn += 0.3) {
    const reach = size * (0.06 + turn * 0.055);
    ctx.lineTo(Math.cos(turn) * reach, Math.sin(turn) * reach * 0.8);
  }
  ctx.quadraticCurveTo(-size * 0.2, size * 0.75, size * random.between(0.9, 1.5), size * random.between(0.3, 0.6));
  ctx.stroke();
  if (random.next() < 0.6) {
    ctx.beginPath();
    ctx.arc(size * random.between(0.6, 1), size * 0.1, size * 0.32, 2.6, 6.9);
    ctx.stroke();
  }
  ctx.restore();
}
