// A player: it runs along a timeline, forward and back, by itself or step by step. What the timeline is (a
// solution, a finished game, a recorded search) it does not know; what it looks like is its view's business.

/** Milliseconds a step, at speed 1; fewer where a timeline says how long all of it may take. */
const STEP_MILLIS = 420;
export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];

/** What is quicker than this goes by frames, several steps each. */
const FRAME_MILLIS = 20;
/** At boundless speed the whole takes so many frames at least, so that something is seen. */
const FRAMES_OF_ALL = 150;

/**
 * @typedef {object} Timeline
 * @property {number} length How many steps there are.
 * @property {number} [most] Milliseconds that all of it takes at most, at speed 1.
 * @property {(from: number, to: number) => void} go Brings what is shown from one step to another.
 * @property {() => void} [ended] The last step was reached.
 * @property {(at: number, by: number) => number} [move] Where so many steps on, or back, are: every place unless somebody says otherwise.
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
  let frame = 0;
  const move = timeline.move ?? ((from, by) => from + by);

  const show = () => view.show({ at, length: timeline.length, playing: timer !== 0 || frame !== 0 });

  function rest() {
    clearInterval(timer);
    if (frame) cancelAnimationFrame(frame);
    [timer, frame] = [0, 0];
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
    const millis = Math.min(STEP_MILLIS, (timeline.most ?? Infinity) / timeline.length) / view.speed();
    if (millis >= FRAME_MILLIS) timer = setInterval(() => go(move(at, 1)), millis);
    else frame = requestAnimationFrame((now) => run(now, 0, millis));
    show();
  }

  /** A frame, and the next one: as many steps as are due since the last. */
  function run(last, due, millis) {
    frame = requestAnimationFrame((now) => {
      const owed = millis > 0 ? due + Math.min(now - last, 100) / millis : Math.ceil(timeline.length / FRAMES_OF_ALL);
      run(now, owed - Math.floor(owed), millis);
      if (owed >= 1) go(move(at, Math.floor(owed)));
    });
  }

  function pause() {
    rest();
    show();
  }

  const jump = (to) => { rest(); go(to); show(); };

  show();
  return {
    play, pause, jump,
    step: (by) => jump(move(at, by)),
    toggle: () => (timer || frame ? pause() : play()),
    /** Goes on at the view's new speed, if it runs. */
    hasten: () => { if (timer || frame) play(); },
    stop: rest,
    get playing() { return timer !== 0 || frame !== 0; },
    show,
    get at() { return at; },
  };
}
