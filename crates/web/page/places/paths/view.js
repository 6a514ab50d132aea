// The part of a map that is seen: how large a unit of it is, and where its corner lies. All maps side by side share
// one, so that they show the same part.

import { tellAll } from '../../js/tell.js';

/** A unit is at most so many pixels, or this share of the room where that is large. */
const [MOST, SHARE] = [96, 0.1];
/** The marks of start and goal are at least so large: at the edge of a map of small cells they need some room beside it. */
const MARK = 8;

export function createView() {
  const watchers = new Set();
  const view = /** @type {Record<string, number>} */ ({ scale: 10, x: 0, y: 0 });
  let world = /** @type {Record<string, number>} */ ({ width: 1, height: 1 });
  let box = /** @type {Record<string, number>} */ ({ width: 1, height: 1 });
  let fitted = true;

  const most = () => Math.max(MOST, SHARE * Math.min(box.width, box.height));
  const within = (/** @type {number} */ room) => Math.min((box.width - room) / world.width, (box.height - room) / world.height, most());
  const fitting = () => { const scale = within(0); return Math.max(scale / 2, within(2 * Math.max(0, MARK - scale / 2))); };

  function settle() {
    view.scale = Math.max(fitting() * 0.5, Math.min(most(), view.scale));
    // Some of the map is always seen.
    for (const [axis, side] of [['x', 'width'], ['y', 'height']]) {
      const length = world[side] * view.scale;
      const room = Math.min(length, box[side]) * 0.5;
      view[axis] = Math.max(room - length, Math.min(box[side] - room, view[axis]));
    }
    tellAll(watchers);
  }

  function fit() {
    fitted = true;
    view.scale = fitting();
    view.x = (box.width - world.width * view.scale) / 2;
    view.y = (box.height - world.height * view.scale) / 2;
    tellAll(watchers);
  }

  return {
    view, fit,
    onChange: (/** @type {(...values: any[]) => void} */ callback) => { watchers.add(callback); return () => watchers.delete(callback); },
    /** Another map, or another room to show it in: it is shown whole, unless somebody looks at a part of it. */
    show(/** @type {any} */ nextWorld, /** @type {{ width: number, height: number }} */ nextBox, { anew = false } = {}) {
      [world, box] = [nextWorld, nextBox];
      if (anew || fitted) fit();
      else settle();
    },
    /** Larger or smaller around a point of the screen. Returns whether anything has changed. @param {number} factor */
    zoom(factor, x = box.width / 2, y = box.height / 2) {
      const before = view.scale;
      const scale = Math.max(fitting() * 0.5, Math.min(most(), before * factor));
      if (scale === before) return false;
      fitted = false;
      view.scale = scale;
      view.x = x - ((x - view.x) * view.scale) / before;
      view.y = y - ((y - view.y) * view.scale) / before;
      settle();
      return true;
    },
    pan(/** @type {number} */ dx, /** @type {number} */ dy) {
      fitted = false;
      view.x += dx;
      view.y += dy;
      settle();
    },
    /** Brings a place into sight. @param {any} wx @param {number} wy */
    reveal(wx, wy) {
      const [x, y] = [view.x + wx * view.scale, view.y + wy * view.scale];
      const margin = Math.min(view.scale, 24);
      const by = (/** @type {number} */ at, /** @type {string} */ side) => (at < margin ? margin - at : at > box[side] - margin ? box[side] - margin - at : 0);
      const [dx, dy] = [by(x, 'width'), by(y, 'height')];
      if (dx || dy) { fitted = false; view.x += dx; view.y += dy; settle(); }
    },
    at: (/** @type {number} */ x, /** @type {number} */ y) => [(x - view.x) / view.scale, (y - view.y) / view.scale],
  };
}
