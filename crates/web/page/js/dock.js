// Where things lie on a narrow or low screen: picture and size under the board, the rest of the rail in a sheet, and
// what a search does at the foot, in sight wherever the page is scrolled to.

import { $ } from './dom.js';
import { closeMore } from './rail.js';
import * as session from './session.js';

/** The screens that are too small for a rail; the style sheets say the same. */
const NARROW = '(max-width: 859px), (max-height: 499px)';

function settle(narrow) {
  closeMore();
  $('rail').append($('rail-body'));
  if (narrow) {
    $('setup').append($('thumbs'), $('sizes'));
    $('dock').append($('solver-live'));
  } else {
    $('picture-head').after($('thumbs'));
    $('size-head').after($('sizes'));
    $('solver').append($('solver-live'));
  }
}

/** What was found stands in the way at the foot: it can be closed, and the next move closes it. */
function initVerdict() {
  const close = () => { $('verdict').hidden = true; };
  $('dock-close').addEventListener('click', close);
  session.on('moved', ({ source }) => { if (source === 'player' && !$('verdict').hidden && $('dock').contains($('verdict'))) close(); });
}

export function initDock() {
  const narrow = matchMedia(NARROW);
  narrow.addEventListener('change', () => settle(narrow.matches));
  settle(narrow.matches);
  initVerdict();
  // Beside the board what a search does may lie below the fold.
  session.on('phase', () => { if (session.phase() === 'searching' && !narrow.matches) $('solver-live').scrollIntoView({ block: 'nearest' }); });
  // The page ends above the foot, however high that is.
  new ResizeObserver(() => document.documentElement.style.setProperty('--foot', `${$('foot').offsetHeight}px`)).observe($('foot'));
}
