// The search tree as a drawing of lines and shapes, as it is on the canvas now.

import { CLOSED, CURRENT, DROPPED, FORGOTTEN, NOBODY, OPEN } from '../../trace/cursor.js';

const round = (value) => Math.round(value * 10) / 10;

/** @param {any} scene What the canvas shows: see `tree.js`. */
export function treeSvg(scene) {
  const { rec, cursor, hidden, at, size, ink, width, height, done, solution } = scene;
  /** @type {string[]} */
  const lines = [];
  /** @type {string[]} */
  const shapes = [];
  for (let n = 0; n < rec.nodes; n += 1) {
    const status = cursor.statuses[n];
    if (!status || hidden[n]) continue;
    const [x, y] = at(n).map(round);
    const from = cursor.parent(n);
    if (from !== NOBODY && !hidden[from]) lines.push(`M${at(from).map(round).join(' ')}L${x} ${y}`);
    shapes.push(shape(status, x, y, round(size), ink));
  }
  const lit = done ? solution : chain(cursor);
  const way = lit.map((n, i) => `${i ? 'L' : 'M'}${at(n).map(round).join(' ')}`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="${round(width)}" height="${round(height)}" viewBox="0 0 ${round(width)} ${round(height)}">\n<rect width="100%" height="100%" fill="${ink.card}"/>\n<path d="${lines.join('')}" fill="none" stroke="${ink.line}"/>\n${shapes.join('\n')}\n<path d="${way}" fill="none" stroke="${done ? ink.path : ink.current}" stroke-width="3"/>\n</svg>\n`;
}

function chain(cursor) {
  const list = [];
  for (let n = cursor.current; n !== NOBODY; n = cursor.parent(n)) list.push(n);
  return list;
}

function shape(status, x, y, size, ink) {
  switch (status) {
    case OPEN: return `<rect x="${round(x - size)}" y="${round(y - size)}" width="${size * 2}" height="${size * 2}" fill="none" stroke="${ink.open}"/>`;
    case DROPPED: return `<path d="M${round(x - size)} ${round(y + size)}L${round(x + size)} ${round(y - size)}" stroke="${ink.dropped}"/>`;
    case FORGOTTEN: return `<circle cx="${x}" cy="${y}" r="${size}" fill="none" stroke="${ink.forgotten}"/>`;
    default: return `<circle cx="${x}" cy="${y}" r="${status === CURRENT ? size + 2 : size}" fill="${status === CLOSED ? ink.closed : ink.current}"/>`;
  }
}
