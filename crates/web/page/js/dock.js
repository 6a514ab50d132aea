// Where things lie on a narrow or low screen: picture and size under the board, the rest of the rail in a sheet, and
// what a search does at the foot, in sight wherever the page is scrolled to.

import { $ } from './dom.js';
import { takeAway } from './focus.js';
import { closeMore } from './rail.js';
import * as session from './session.js';
import { fetchStyle } from './sheets.js';

/** Puts everything where it belongs, on a narrow screen or on another. */
export function settle(narrow) {
  closeMore();
  $('rail').append($('rail-body'));
  if (narrow) {
    $('setup').append($('thumbs'), $('sizes'));
    $('dock').append($('solver-live'));
    void fetchStyle();
  } else {
    $('picture-head').after($('thumbs'));
    $('size-head').after($('sizes'));
    $('solver').append($('solver-live'));
  }
}

/** What was found stands in the way at the foot: it can be closed, and the next move closes it. */
const close = () => { if ($('dock').contains($('verdict'))) takeAway($('dock'), () => { $('verdict').hidden = true; }); };
$('dock-close').addEventListener('click', close);
session.on('moved', ({ source }) => { if (source === 'player') close(); });

// The page ends above the foot, however high that is.
new ResizeObserver(() => document.documentElement.style.setProperty('--foot', `${$('foot').offsetHeight}px`)).observe($('foot'));
