// Fits a picture of any shape on a board of any shape. The one rule: a board shows as much of the picture's middle
// as has the board's own shape, so that every piece is square and nothing is stretched. Boxes that show the whole
// (`background-size: cover`, centred) follow the same rule.

/** The side of a square picture, in pixels; one of another shape has as many pixels in all, unless a side would be longer than the server keeps. */
export const SIDE = 1024;
const LONGEST = 1600;

/** The paper behind transparent pictures, the same in every look of the page. */
export const PAPER = '#f6f3ec';

/**
 * The part of a picture that a board shows, and the side of a piece, all in the picture's own pixels.
 * @param {{ width: number, height: number }} picture
 * @param {number} rows
 * @param {number} cols
 */
export function partFor({ width, height }, rows, cols) {
  const side = Math.min(width / cols, height / rows);
  return { x: (width - side * cols) / 2, y: (height - side * rows) / 2, width: side * cols, height: side * rows, side };
}

/** The largest size in whole pixels that has a board's shape and fits a square of this side. @param {number} most @param {number} rows @param {number} cols */
export function within(most, rows, cols) {
  const piece = most / Math.max(rows, cols);
  return { width: Math.round(piece * cols), height: Math.round(piece * rows) };
}

/** The size at which a picture of this shape is kept. @param {number} width @param {number} height */
export function keptSize(width, height) {
  const scale = Math.min(SIDE / Math.sqrt(width * height), LONGEST / Math.max(width, height));
  const pixels = (/** @type {number} */ side) => Math.max(1, Math.round(side * scale));
  return { width: pixels(width), height: pixels(height) };
}

/**
 * What makes a background of a cell's piece: the picture's size in pieces, and where its middle part begins.
 * @param {{ width: number, height: number }} picture
 * @param {{ rows: number, cols: number }} board
 * @param {number} cell
 */
export function pieceOf(picture, { rows, cols }, cell) {
  const { x, y, side } = partFor(picture, rows, cols);
  const [across, down] = [picture.width / side, picture.height / side];
  const share = (/** @type {number} */ offset, /** @type {number} */ index, /** @type {number} */ all) => ((offset / side + index) / (all - 1)) * 100;
  return {
    backgroundSize: `${across * 100}% ${down * 100}%`,
    backgroundPosition: `${share(x, cell % cols, across)}% ${share(y, Math.floor(cell / cols), down)}%`,
  };
}
