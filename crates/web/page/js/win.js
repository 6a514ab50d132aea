// The end of a game: it is recorded, the missing piece fades in, a quiet celebration, and the card.

import { $, el } from './dom.js';
import { noteFinished } from './helped.js';
import { clockText, onLanguage, t } from './i18n.js';
import { giveId } from './library.js';
import { addRecord } from './records.js';
import * as session from './session.js';
import { part } from './later.js';
import { pref } from './prefs.js';
import { announce } from './sheets.js';
import { flush } from './sync.js';

const CARD_AFTER = 1100;

const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The game on the table was just finished. */
async function won() {
  const game = session.keepClock();
  giveId(game);
  noteFinished(game);
  const { set, past } = await addRecord(game);
  void flush();
  announce(t('win.say', { time: clockText(game.millis), count: game.count }));
  if (!calm()) void celebrate(game);
  // Whoever solves for speed goes on at once: a line says what it was, and nothing falls over the next scramble.
  if (pref('classic').on) {
    (await part('classic')).tell(game, set);
    return;
  }
  cards.set(game, { set, past });
  offerCard();
  const isFree = () => session.current() === game && game.solved && !document.querySelector('dialog[open]') && !pref('classic').on;
  setTimeout(async () => {
    if (!isFree()) return;
    await part('wincard');
    if (isFree()) void openCard(game);
  }, calm() ? 300 : CARD_AFTER);
}

/** A glow, and petals for who does not solve for speed; later than the game is recorded, and not at all where that part does not come. */
async function celebrate(game) {
  const { glow, scatter } = await part('feast', { isAsked: false });
  if (session.current() !== game || !game.solved) return;
  glow();
  if (!pref('classic').on) scatter();
}

/** What the card of a finished game says. @type {WeakMap<import('./game.js').Game, { set: any, past: any }>} */
const cards = new WeakMap();

async function openCard(game) {
  const { set, past } = cards.get(game) ?? {};
  if (past) (await part('wincard')).showCard(game, set, past);
}

/** Offers a card that was closed, for as long as its game lies there finished. */
function offerCard() {
  const game = session.current();
  if (session.phase() !== 'won' || !cards.has(game) || $('show-card')) return;
  $('caption').append(' ', el('button', { type: 'button', className: 'link', id: 'show-card', onclick: () => openCard(game) }, t('win.card')));
}

export function initWin() {
  session.on('won', won);
  // After the caption's own words.
  session.follow(['phase'], offerCard);
  onLanguage(offerCard);
}
