// Fingers, mouse and wheel on a map: one finger paints, or carries the start or a goal; two move and enlarge the map.

const GRAB = 16;
const WHEEL = 0.0016;

/**
 * @typedef {object} Hands
 * @property {() => { start: number, goals: number[] }} ends
 * @property {() => any} scene
 * @property {(place: number) => void} onBegin A stroke begins on a place.
 * @property {(from: number, to: number) => void} onStroke It goes on from one place to another.
 * @property {() => void} onEnd
 * @property {(what: { kind: 'start' | 'goal', number: number }, place: number) => void} onCarry
 * @property {(what: { kind: 'start' | 'goal', number: number }) => void} onDrop
 * @property {() => void} onAbandon A stroke became a movement of the map: what it has done is taken back.
 */

/** Listens on a pane. @param {any} pane @param {ReturnType<typeof import('./view.js').createView>} view @param {Hands} hands */
export function createHands(pane, view, hands) {
  const { stage } = pane;
  const fingers = new Map();
  /** What the first finger does: paint, carry, or move the map. */
  let doing = null;

  /** Where the map lies on the screen. While fingers are on it, it stays there: to ask again would lay the page out anew. */
  let corner = { left: 0, top: 0 };
  /** @returns {[number, number]} */
  const spot = (event) => {
    if (!fingers.size) corner = stage.getBoundingClientRect();
    return [event.clientX - corner.left, event.clientY - corner.top];
  };
  const placeAt = ([x, y]) => hands.scene().at(...view.at(x, y));

  /** The start or goal under a finger; small cells have room around them. */
  function grabbed([x, y]) {
    const { start, goals } = hands.ends();
    const near = (place) => {
      const [wx, wy] = hands.scene().centre(place);
      return Math.hypot(view.view.x + wx * view.view.scale - x, view.view.y + wy * view.view.scale - y);
    };
    const reach = Math.max(view.view.scale * 0.5, Math.min(GRAB, view.view.scale * 2));
    const all = [...(start >= 0 ? [{ kind: 'start', number: 0, place: start }] : []), ...goals.map((place, number) => ({ kind: 'goal', number, place }))].map((one) => ({ ...one, far: near(one.place) }));
    const nearest = all.sort((a, b) => a.far - b.far)[0];
    return nearest && nearest.far <= reach ? nearest : null;
  }

  function begin(event) {
    if (event.pointerType === 'mouse' && event.button > 1) return;
    stage.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, spot(event));
    if (fingers.size === 2) { second(); return; }
    if (fingers.size > 2) return;
    const at = spot(event);
    if (event.button === 1) { doing = { what: 'pan' }; event.preventDefault(); return; }
    const taken = grabbed(at);
    const place = placeAt(at);
    if (taken) doing = { what: 'carry', end: taken };
    else if (place >= 0) {
      doing = { what: 'paint', last: place };
      hands.onBegin(place);
    } else doing = { what: 'pan' };
    stage.dataset.doing = doing.what;
  }

  /** A second finger: the map moves, and what the first has painted in between is taken back. */
  function second() {
    if (doing?.what === 'paint') hands.onAbandon();
    if (doing?.what === 'carry') hands.onDrop(doing.end);
    doing = { what: 'pinch' };
  }

  function follow(event) {
    if (!fingers.has(event.pointerId) || !doing) return;
    const before = fingers.get(event.pointerId);
    const at = spot(event);
    fingers.set(event.pointerId, at);
    if (doing.what === 'pan') view.pan(at[0] - before[0], at[1] - before[1]);
    else if (doing.what === 'pinch') pinch(event.pointerId, before, at);
    else if (doing.what === 'carry') {
      const place = placeAt(at);
      if (place >= 0) hands.onCarry(doing.end, place);
    } else {
      const place = placeAt(at);
      if (place >= 0 && place !== doing.last) { hands.onStroke(doing.last, place); doing.last = place; }
    }
  }

  function pinch(id, before, at) {
    const other = [...fingers].find(([key]) => key !== id)?.[1];
    if (!other) return;
    const far = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]) || 1;
    const middle = /** @type {[number, number]} */ ([(at[0] + other[0]) / 2, (at[1] + other[1]) / 2]);
    view.pan((at[0] - before[0]) / 2, (at[1] - before[1]) / 2);
    view.zoom(...middle, far(at, other) / far(before, other));
  }

  function end(event) {
    if (!fingers.delete(event.pointerId)) return;
    if (fingers.size) return;
    const was = doing;
    doing = null;
    delete stage.dataset.doing;
    if (was?.what === 'paint') hands.onEnd();
    else if (was?.what === 'carry') hands.onDrop(was.end);
  }

  function wheel(event) {
    event.preventDefault();
    const [x, y] = spot(event);
    view.zoom(x, y, Math.exp(-event.deltaY * (event.deltaMode ? 20 : 1) * WHEEL));
  }

  /** Shows by its shape what the mouse would do here. */
  function hover(event) {
    if (event.pointerType === 'mouse' && !doing) stage.dataset.over = grabbed(spot(event)) ? 'end' : 'ground';
  }

  const listeners = { pointerdown: begin, pointermove: (event) => { hover(event); follow(event); }, pointerup: end, pointercancel: end, wheel };
  for (const [name, listener] of Object.entries(listeners)) stage.addEventListener(name, listener, { passive: false });
}
