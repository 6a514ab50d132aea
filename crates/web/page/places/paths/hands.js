// One finger, or the mouse, on a map: it paints, or carries the start or a goal; beside the map it moves it.

import { createFingers } from '../../js/fingers.js';

const GRAB = 16;

/**
 * @typedef {{ kind: 'start' | 'goal', number: number, place: number }} End
 *
 * @typedef {object} Hands
 * @property {() => { start: number, goals: number[] }} ends
 * @property {() => any} scene
 * @property {(place: number) => void} onBegin A stroke begins on a place.
 * @property {(from: number, to: number) => void} onStroke It goes on from one place to another.
 * @property {() => void} onEnd
 * @property {(what: End, place: number) => void} onCarry
 * @property {(what: End) => void} onDrop
 * @property {() => void} onAbandon A stroke became a movement of the map: what it has done is taken back.
 */

/** Listens on a pane. @param {any} pane @param {ReturnType<typeof import('./view.js').createView>} view @param {Hands} hands */
export function createHands(pane, view, hands) {
  /** @type {HTMLElement} */
  const stage = pane.stage;
  /** The finger's action: paint, carry, or move the map. @type {{ what: 'pan' } | { what: 'carry', end: End } | { what: 'paint', last: number } | null} */
  let doing = null;
  const placeAt = (/** @type {[number, number]} */ [x, y]) => hands.scene().at(...view.at(x, y));

  /** The start or goal under a finger; small cells have room around them. @param {[number, number]} spot @returns {End | null} */
  function grabbed([x, y]) {
    const { start, goals } = hands.ends();
    const { scale } = view.view;
    const far = (/** @type {End} */ { place }) => {
      const [wx, wy] = hands.scene().centre(place);
      return Math.hypot(view.view.x + wx * scale - x, view.view.y + wy * scale - y);
    };
    /** @type {End[]} */
    const all = [...(start >= 0 ? [{ kind: /** @type {const} */ ('start'), number: 0, place: start }] : []), ...goals.map((place, number) => ({ kind: /** @type {const} */ ('goal'), number, place }))];
    const nearest = all.sort((a, b) => far(a) - far(b))[0];
    return nearest && far(nearest) <= Math.max(scale * 0.5, Math.min(GRAB, scale * 2)) ? nearest : null;
  }

  /** The finger is gone, or another has come. @param {() => void} paintEnds */
  function finish(paintEnds) {
    const was = doing;
    doing = null;
    delete stage.dataset.doing;
    if (was?.what === 'paint') paintEnds();
    else if (was?.what === 'carry') hands.onDrop(was.end);
  }

  createFingers(stage, {
    pan: view.pan,
    zoom: view.zoom,
    begin(at, event) {
      const [end, place] = [grabbed(at), placeAt(at)];
      if (event.button === 1) event.preventDefault();
      if (event.button === 1 || (!end && place < 0)) doing = { what: 'pan' };
      else if (end) doing = { what: 'carry', end };
      else {
        doing = { what: 'paint', last: place };
        hands.onBegin(place);
      }
      stage.dataset.doing = doing.what;
    },
    move(from, to) {
      const place = placeAt(to);
      if (doing?.what === 'pan') view.pan(to[0] - from[0], to[1] - from[1]);
      else if (doing?.what === 'carry' && place >= 0) hands.onCarry(doing.end, place);
      else if (doing?.what === 'paint' && place >= 0 && place !== doing.last) {
        hands.onStroke(doing.last, place);
        doing.last = place;
      }
    },
    end: () => finish(hands.onEnd),
    second: () => finish(hands.onAbandon),
    /** Shows by its shape what the mouse would do here. */
    hover(at, { pointerType }) {
      if (pointerType === 'mouse') stage.dataset.over = grabbed(at) ? 'end' : 'ground';
    },
  });
}
