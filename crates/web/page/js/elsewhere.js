// A game that another tab has taken: this tab says so, and lets the player take it back or play another.

import { $ } from './dom.js';
import { openSaves } from './later.js';
import { takeBack } from './library.js';
import * as session from './session.js';

export function initElsewhere() {
  $('take-back').addEventListener('click', () => void takeBack());
  $('away-other').addEventListener('click', () => openSaves());
  session.on('phase', () => { if (session.phase() === 'elsewhere') $('away-veil').scrollIntoView({ block: 'nearest' }); });
}
