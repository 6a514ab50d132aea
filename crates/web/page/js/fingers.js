// Fingers, mouse and wheel on a drawing that can be moved and enlarged: two fingers and the wheel do that everywhere;
// what one does is its owner's business.

const WHEEL = 0.0024;

/** @typedef {[number, number]} Spot Where on the drawing, in pixels. */

/**
 * Listens on an element. `zoom` says whether anything has changed: where nothing is left to zoom, the wheel scrolls the page.
 * @param {HTMLElement} stage
 * @param {{ begin: (at: Spot, event: PointerEvent) => void, move: (from: Spot, to: Spot) => void, end: (at: Spot, event: PointerEvent) => void, second?: () => void, hover?: (at: Spot, event: PointerEvent) => void, pan: (dx: number, dy: number) => void, zoom: (factor: number, x: number, y: number) => boolean, isReady?: () => boolean }} does
 *   `begin`, `move` and `end` are told of one finger, `second` that another has come: both move the drawing then.
 */
export function createFingers(stage, { begin, move, end, second = () => {}, hover = () => {}, pan, zoom, isReady = () => true }) {
  /** @type {Map<number, Spot>} */
  const fingers = new Map();
  let isPinching = false;
  /** Where the drawing lies on the screen. While fingers are on it, it stays there: to ask again would lay the page out anew. */
  let corner = { left: 0, top: 0 };
  /** @type {(event: MouseEvent) => Spot} */
  const spot = (event) => {
    if (!fingers.size) corner = stage.getBoundingClientRect();
    return [event.clientX - corner.left, event.clientY - corner.top];
  };

  function pinch(/** @type {Spot} */ before, /** @type {Spot} */ at, /** @type {Spot} */ other) {
    const far = (/** @type {Spot} */ [x, y]) => Math.hypot(x - other[0], y - other[1]) || 1;
    pan((at[0] - before[0]) / 2, (at[1] - before[1]) / 2);
    zoom(far(at) / far(before), (at[0] + other[0]) / 2, (at[1] + other[1]) / 2);
  }

  stage.addEventListener('pointerdown', (event) => {
    if (!isReady() || (event.pointerType === 'mouse' && event.button > 1)) return;
    const at = spot(event);
    stage.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, at);
    if (fingers.size === 1) begin(at, event);
    else if (fingers.size === 2) {
      isPinching = true;
      second();
    }
  });
  stage.addEventListener('pointermove', (event) => {
    const before = fingers.get(event.pointerId);
    const at = spot(event);
    if (!before) {
      hover(at, event);
      return;
    }
    fingers.set(event.pointerId, at);
    const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
    if (!isPinching) move(before, at);
    else if (other) pinch(before, at, other);
  });
  for (const name of /** @type {const} */ (['pointerup', 'pointercancel'])) {
    stage.addEventListener(name, (event) => {
      const at = spot(event);
      if (!fingers.delete(event.pointerId) || fingers.size) return;
      if (!isPinching) end(at, event);
      isPinching = false;
    });
  }
  stage.addEventListener('wheel', (event) => {
    const [x, y] = spot(event);
    if (isReady() && zoom(Math.exp(-event.deltaY * (event.deltaMode ? 20 : 1) * WHEEL), x, y)) event.preventDefault();
  }, { passive: false });
}
