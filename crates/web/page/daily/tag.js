// Under the clock it stands that the game on the table is a day's puzzle, and of which day.

import { $, el, setText } from '../js/dom.js';
import { onLanguage, t } from '../js/i18n.js';
import { dateText } from '../js/naming.js';
import * as session from '../js/session.js';
import { dayOf } from './day.js';

const tag = el('span', { className: 'label', id: 'hud-day' });

/** Has it said from now on, of each game that is one. */
export function showDay() {
  if (tag.isConnected) return;
  $('hud-time-label').after(tag);
  session.follow(['game'], draw);
  onLanguage(draw);
}

function draw() {
  const game = session.current();
  const date = game.replay ? null : dayOf(game);
  tag.hidden = !date;
  if (date) setText(tag, t('daily.tag', { date: dateText(date, { month: 'short', day: 'numeric' }) }));
}
