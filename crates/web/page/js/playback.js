// A player: it runs along a timeline, forward and back, by itself or step by step. What the timeline is (a
// solution, a finished game, a recorded search) it does not know; what it looks like is its view's business.

/** Milliseconds a step, at speed 1. */
const STEP_MILLIS = 420;
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];

/**
 * @typedef {object} Timeline
 * @property {number} length How many steps there are.
 * @property {(from: number, to: number) => void} go Brings what is shown from one step to another.
 * @property {() => void} [ended] The last step was reached.
 *
 * @typedef {object} View
 * @property {(state: { at: number, length: number, playing: boolean }) => void} show
 * @property {() => number} speed
 */

/**
 * Makes a player for a timeline, at its beginning and at rest.
 * @param {Timeline} timeline
 * @param {View} view
 */
export function createPlayback(timeline, view) {
  let at = 0;
  let timer = 0;

  const show = () => view.show({ at, length: timeline.length, playing: timer !== 0 });

  function rest() {
    clearInterval(timer);
    timer = 0;
  }

  /** Goes to a place, forward or back. */
  function go(to) {
    const target = Math.max(0, Math.min(timeline.length, to));
    if (target === at) return;
    timeline.go(at, target);
    at = target;
    if (at === timeline.length) {
      rest();
      timeline.ended?.();
    }
    show();
  }

  function play() {
    if (at >= timeline.length) go(0);
    rest();
    timer = setInterval(() => go(at + 1), STEP_MILLIS / view.speed());
    show();
  }

  function pause() {
    rest();
    show();
  }

  const jump = (to) => { rest(); go(to); show(); };

  show();
  return {
    play, pause, jump,
    step: (by) => jump(at + by),
    toggle: () => (timer ? pause() : play()),
    /** Goes on at the view's new speed, if it runs. */
    hasten: () => { if (timer) play(); },
    stop: rest,
    show,
    get at() { return at; },
  };
}
