// The sound and feel of a move: a click of wood, made of noise and a short tone, and a buzz of a few milliseconds.

import { pref } from '../js/prefs.js';

const CLICK_SECONDS = 0.045;
const WON = [523.25, 659.25, 783.99];

/** @type {AudioContext | null} */
let audio = null;
/** @type {AudioBuffer | null} */
let noise = null;

/** A move of so many tiles was made, or the last one. @param {string} run @param {boolean} won */
export function feel(run, won) {
  if (pref('vibration')) navigator.vibrate?.(won ? [20, 60, 20, 60, 40] : 8);
  if (!pref('sound')) return;
  audio ??= new AudioContext();
  void audio.resume();
  click(audio, Math.min(run.length, 6));
  if (won) WON.forEach((pitch, i) => tone(/** @type {AudioContext} */ (audio), pitch, 0.12 + i * 0.13, 0.5, 0.07));
}

/** More tiles are heavier: the click is lower and longer. @param {AudioContext} ctx @param {number} weight */
function click(ctx, weight) {
  noise ??= hiss(ctx);
  const [source, filter, gain] = [ctx.createBufferSource(), ctx.createBiquadFilter(), ctx.createGain()];
  const now = ctx.currentTime;
  source.buffer = noise;
  filter.type = 'bandpass';
  filter.frequency.value = 2100 - weight * 180;
  gain.gain.setValueAtTime(0.16, now);
  gain.gain.exponentialRampToValueAtTime(0.0001, now + CLICK_SECONDS + weight * 0.006);
  source.connect(filter).connect(gain).connect(ctx.destination);
  source.start(now);
  tone(ctx, 240 - weight * 14, 0, 0.05, 0.05);
}

/** @param {AudioContext} ctx @param {number} pitch @param {number} after @param {number} seconds @param {number} loudness */
function tone(ctx, pitch, after, seconds, loudness) {
  const [source, gain] = [ctx.createOscillator(), ctx.createGain()];
  const begin = ctx.currentTime + after;
  source.type = 'triangle';
  source.frequency.value = pitch;
  gain.gain.setValueAtTime(0, begin);
  gain.gain.linearRampToValueAtTime(loudness, begin + 0.008);
  gain.gain.exponentialRampToValueAtTime(0.0001, begin + seconds);
  source.connect(gain).connect(ctx.destination);
  source.start(begin);
  source.stop(begin + seconds);
}

/** A tenth of a second of white noise. @param {AudioContext} ctx */
function hiss(ctx) {
  const buffer = ctx.createBuffer(1, Math.ceil(ctx.sampleRate / 10), ctx.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
  return buffer;
}
