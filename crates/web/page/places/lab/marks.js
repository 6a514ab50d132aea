// How contestants are told apart: a colour and a shape each, the same everywhere.

const SVG = 'http://www.w3.org/2000/svg';

/** Shapes in a square of 12, as many as there can be contestants. */
const SHAPES = ['M6 1a5 5 0 1 0 .01 0z', 'M1.5 1.5h9v9h-9z', 'M6 .5 11.500 10.500h-11z', 'M6 .2 11.800 6 6 11.800.2 6z', 'M4 1h4v3h3v4H8v3H4V8H1V4h3z', 'M6 11.500.500 1.500h11z', 'M6 0l1.700 4.300L12 6 7.700 7.700 6 12 4.300 7.700 0 6l4.300-1.700z', 'M3.300.800h5.400l2.700 5.200-2.700 5.200H3.300L.600 6z'];

/** The shape of a mark. @param {number} mark */
export const shapeOf = (mark) => SHAPES[mark];

/** An SVG element. @returns {any} */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}

/** A contestant's mark. @param {import('./setup.js').Contestant} one */
export const markOf = ({ mark = 0 }) => svg('svg', { class: `mark c${mark}`, viewBox: '0 0 12 12', 'aria-hidden': 'true' }, svg('path', { d: shapeOf(mark) }));
