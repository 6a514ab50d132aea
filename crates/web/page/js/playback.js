// A player: it runs along a timeline, forward and back, by itself or step by step. What the timeline is (a
// solution, a finished game, a recorded search) it does not know; what it looks like is its view's business.

import { el, icon, setDisabled, setText } from './dom.js';
import { onLanguage, t, whole } from './i18n.js';
import { pref, setPref } from './prefs.js';

/** Milliseconds a step, at speed 1; fewer where a timeline says how long all of it may take. */
const STEP_MILLIS = 420;
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];

/** Steps shorter than this, in milliseconds, are made several a frame. */
const FRAME_MILLIS = 20;
/** The fewest frames of a playback at unlimited speed, so that it is seen at all. */
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

  /** Goes to a place, forward or back. @param {number} to */
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

  /** A frame, and the next one: as many steps as are due since the last. @param {number} last @param {number} due @param {number} millis */
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

  const jump = (/** @type {number} */ to) => { rest(); go(to); show(); };

  show();
  return {
    play, pause, jump,
    step: (/** @type {number} */ by) => jump(move(at, by)),
    toggle: () => (timer || frame ? pause() : play()),
    /** Goes on at the view's new speed, if it runs. */
    hasten: () => { if (timer || frame) play(); },
    stop: rest,
    get playing() { return timer !== 0 || frame !== 0; },
    show,
    get at() { return at; },
  };
}

/** The speed that means unlimited; a number, so that it can be stored. */
export const FASTEST = 1e9;

/**
 * @param {HTMLElement} root
 * @param {{ name?: string, speeds?: number[], kept?: 'speed' | 'pace', words?: string }} [options] The ids of the
 *   controls begin with `name`, the keys of what they are called with `words`; the speed is kept under `kept`.
 */
export function createTransport(root, { name = 'pb', speeds = SPEEDS, kept = 'speed', words = 'playback' } = {}) {
  /** @type {any} */ let player = null;
  const ghost = (/** @type {string} */ id, /** @type {string} */ symbol, /** @type {() => void} */ run) => el('button', { type: 'button', className: 'ghost', id: `${name}-${id}`, onclick: () => player && run() }, icon(symbol));
  const scrub = el('input', { type: 'range', id: `${name}-scrub`, min: 0, max: 0, value: 0, oninput: () => player?.jump(Number(scrub.value)) });
  const first = ghost('first', 'first', () => player.jump(0));
  const back = ghost('back', 'back', () => player.step(-1));
  const toggle = ghost('play', 'play', () => player.toggle());
  const forward = ghost('forward', 'forward', () => player.step(1));
  const last = ghost('last', 'last', () => player.jump(Infinity));
  const speed = el('select', { className: 'speed', id: `${name}-speed`, onchange: () => {
    setPref(kept, Number(speed.value));
    player?.hasten();
  } });
  const at = el('span', { className: 'pb-at', id: `${name}-at` });
  root.append(scrub, el('div', { className: 'transport' }, first, back, toggle, forward, last, speed, at));

  function show(/** @type {{ at: number, length: number, playing: boolean }} */ { at: now, length, playing }) {
    scrub.max = String(length);
    scrub.value = String(now);
    setText(at, `${whole(now)} / ${whole(length)}`);
    // As wide as it will be at the end, so that nothing beside it moves.
    at.style.setProperty('--long', String(2 * whole(length).length + 1));
    toggle.querySelector('use').setAttribute('href', playing ? '#i-pause' : '#i-play');
    toggle.setAttribute('aria-label', t(playing ? 'playback.pause' : 'playback.play'));
    for (const [node, off] of [[back, now === 0], [first, now === 0], [forward, now === length], [last, now === length]]) setDisabled(node, off);
  }

  onLanguage(() => {
    for (const [node, key] of [[scrub, 'scrub'], [first, 'first'], [back, 'back'], [forward, 'forward'], [last, 'last'], [speed, 'speed']]) {
      node.setAttribute('aria-label', t(`${words}.${key}`));
      if (node.matches('button')) node.title = t(`${words}.${key}`);
    }
    speed.replaceChildren(...speeds.map((value) => new Option(value === FASTEST ? t('playback.fastest') : `${{ 0.25: '¼', 0.5: '½' }[value] ?? whole(value)}×`, String(value), false, value === pref(kept))));
    if (player) player.show();
    else toggle.setAttribute('aria-label', t('playback.play'));
  });

  /** Takes the next speed that is quicker, or slower. @param {1 | -1} by */
  function faster(by) {
    speed.selectedIndex = Math.max(0, Math.min(speeds.length - 1, speed.selectedIndex + by));
    speed.dispatchEvent(new Event('change'));
  }

  return { show, faster, speed: () => (pref(kept) === FASTEST ? Infinity : pref(kept)), drive: (/** @type {any} */ next) => { player = next; } };
}
