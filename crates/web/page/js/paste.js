// A position as text: a link, or a board in any shape that the command line reads.

import { button, el } from './dom.js';
import { Game } from './game.js';
import { t } from './i18n.js';
import { swapTwo } from './rules.js';
import * as session from './session.js';
import { TextError } from './boardtext.js';
import { gameOfText, problemText } from './share.js';

/** The part of the sheet of games in which a position can be pasted. */
export function pastePart(close) {
  const box = el('textarea', { className: 'paste-box', id: 'paste-text', 'aria-label': t('saves.paste'), placeholder: '1 2 3\n4 0 5\n7 8 6' });
  const problem = el('div', { className: 'error', id: 'paste-error', hidden: true, role: 'alert' });
  const use = (game) => { close(); session.replace(game); };
  const read = () => {
    problem.hidden = true;
    try {
      const game = gameOfText(box.value, session.current().picture);
      if (game.solvable) return use(game);
      const swap = () => use(new Game({ ...game.board, blank: game.blank, start: swapTwo(game.start), picture: game.picture, origin: game.origin }));
      problem.replaceChildren(el('p', {}, t('solve.unsolvable')), button(t('solve.swap'), swap, { id: 'paste-swap' }));
    } catch (error) {
      if (!(error instanceof TextError)) throw error;
      problem.replaceChildren(t('saves.badPaste', { error: problemText(error) }));
    }
    problem.hidden = false;
    return null;
  };
  return el('details', {}, el('summary', {}, t('saves.paste')), el('div', { className: 'sheet-body' }, el('p', { className: 'muted' }, t('saves.pasteShapes')), box, problem, el('div', { className: 'actions' }, button(t('saves.open'), read, { id: 'paste-open' }))));
}
