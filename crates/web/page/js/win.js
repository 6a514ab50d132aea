// The end of a game: it is recorded, the missing piece fades in, a quiet celebration, and the card.

import { offerInCaption } from './hud.js';
import { clockText, t } from './i18n.js';
import { giveId } from './library.js';
import { addRecord } from './records.js';
import * as session from './session.js';
import { rest } from './later.js';
import { pref, setPref } from './prefs.js';
import { announce } from './sheets.js';
import { askToStay } from './store.js';
import { flush } from './sync.js';

const CARD_AFTER = 1100;

const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

async function won() {
  const game = session.keepClock();
  giveId(game);
  const { set, past } = await addRecord(game);
  void flush();
  if (!pref('met')) askToStay();
  setPref('met', true);
  announce(pref('calm') ? t('caption.won') : t('win.say', { time: clockText(game.millis), count: game.count }));
  if (!calm()) void celebrate(game);
  // Classic goes on at once: the result is one line, and no petals fall over the next scramble.
  if (pref('classic').on) {
    (await rest()).classic.tell(game, set);
    return;
  }
  const openCard = async () => (await rest()).showCard(game, set, past);
  offerInCaption({ game, key: 'win.card', run: openCard });
  const isFree = () => session.current() === game && game.solved && !document.querySelector('dialog[open]') && !pref('classic').on;
  setTimeout(async () => {
    if (!isFree()) return;
    await rest();
    if (isFree()) void openCard();
  }, calm() ? 300 : CARD_AFTER);
}

/** A glow, and petals for who does not solve for speed; later than the game is recorded, and not at all where that part does not come. @param {import('./game.js').Game} game */
async function celebrate(game) {
  const { glow, scatter } = await rest({ isAsked: false });
  if (session.current() !== game || !game.solved) return;
  glow();
  if (!pref('classic').on) scatter();
}

export const initWin = () => session.on('won', won);
