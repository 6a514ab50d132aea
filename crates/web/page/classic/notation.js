// The speed-solvers' notation: a move is where the TILE goes, a run of equal moves is a letter and a number (R2D), a
// position is its rows with slashes between them.

import { OPPOSITE } from '../js/rules.js';

/** The blank's moves as tiles' moves, runs compressed. @param {string} moves */
export function notation(moves) {
  return moves.replace(/(.)\1*/g, (run) => OPPOSITE[run[0]] + (run.length > 1 ? run.length : ''));
}

/** A position: rows of numbers, 0 for the gap. @param {number[]} tiles @param {number} cols */
export function positionText(tiles, cols) {
  const rows = [];
  for (let at = 0; at < tiles.length; at += cols) rows.push(tiles.slice(at, at + cols).join(' '));
  return rows.join('/');
}

/** A duration to the millisecond: 12.345, 1:02.345, 1:00:02.345. @param {number} millis */
export function exactText(millis) {
  const all = Math.round(millis);
  const [hours, minutes, seconds] = [Math.floor(all / 3_600_000), Math.floor(all / 60_000) % 60, Math.floor(all / 1000) % 60];
  const rest = `.${String(all % 1000).padStart(3, '0')}`;
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  if (hours) return `${hours}:${two(minutes)}:${two(seconds)}${rest}`;
  return minutes ? `${minutes}:${two(seconds)}${rest}` : `${seconds}${rest}`;
}
