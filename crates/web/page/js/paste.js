// A position as text: a link, or numbers in rows.

import { button, el } from './dom.js';
import { Game } from './game.js';
import { t } from './i18n.js';
import { solvable, swapTwo } from './rules.js';
import * as session from './session.js';
import { gameOfText } from './share.js';

/** The part of the sheet of games in which a position can be pasted. */
export function pastePart(close) {
  const box = el('textarea', { className: 'paste-box', id: 'paste-text', 'aria-label': t('saves.paste'), placeholder: '1 2 3\n4 0 5\n7 8 6' });
  const problem = el('div', { className: 'error', id: 'paste-error', hidden: true, role: 'alert' });
  const use = (game) => { close(); session.replace(game); };
  const read = () => {
    problem.hidden = true;
    try {
      const game = gameOfText(box.value, session.current().picture);
      if (solvable(game.board, game.start, game.blank)) return use(game);
      const swap = () => use(new Game({ ...game.board, blank: game.blank, start: swapTwo(game.start), picture: game.picture, origin: game.origin }));
      problem.replaceChildren(el('p', {}, t('saves.unsolvable')), button(t('solve.swap'), swap, { id: 'paste-swap' }));
    } catch (error) {
      problem.replaceChildren(t('saves.badPaste', { error: error.message }));
    }
    problem.hidden = false;
    return null;
  };
  return el('details', {}, el('summary', {}, t('saves.paste')), el('div', { className: 'sheet-body' }, box, problem, el('div', { className: 'actions' }, button(t('saves.open'), read, { id: 'paste-open' }))));
}
