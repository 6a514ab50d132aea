// What is loaded when somebody first wants it: the day's puzzle, speed-solving, lessons, sounds, the first visit's card.

import { $, el } from './dom.js';
import { part } from './later.js';
import { pref } from './prefs.js';
import { closeMore } from './rail.js';
import { allRecords } from './records.js';
import * as session from './session.js';

/** Nobody is spoken to before the page is at rest. */
const GREET_MILLIS = 1600;

export function initExtras() {
  const opens = { daily: (module) => module.openDaily(), classic: (module) => module.toggle(), lessons: (module) => module.openLessons() };
  for (const [name, open] of Object.entries(opens)) $(`open-${name}`).addEventListener('click', async () => { closeMore(); open(await part(name)); });
  if (pref('classic').on) void part('classic').then((module) => module.show());
  session.on('moved', feel);
  session.on('won', won);
  session.follow(['game'], async () => { if (mayBeDaily(session.current())) (await part('dayTag', { isAsked: false })).showDay(); });
}

/** Whether a game may be a day's puzzle: begun as one, or by a link to one. */
const mayBeDaily = ({ origin }) => origin === 'daily' || origin === 'link';

async function won() {
  const [game, now] = [session.keepClock(), new Date()];
  if (mayBeDaily(game)) (await part('daily')).finished(game, now);
}

async function feel({ run, source }) {
  if ((pref('sound') || pref('vibration')) && source !== 'playback') (await part('feel')).feel(run, session.current().solved);
}

/** What the card of a win says of the day's puzzle; null for games that cannot be one. */
export function winLine(game) {
  if (!mayBeDaily(game)) return null;
  const line = el('div', { className: 'win-extra' });
  void part('daily').then((module) => module.tellStreak(game, line));
  return line;
}

/** Shows how it is played to who has never been here. */
export function greet() {
  if (!pref('met') && !allRecords().length) setTimeout(async () => (await part('howto')).showCard(), GREET_MILLIS);
}
