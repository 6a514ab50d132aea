// One solve and what can be done with it, and the scramble on the table: in the notation of speed-solvers.

import { copyText } from '../js/copy.js';
import { button, el } from '../js/dom.js';
import { replay } from '../js/film.js';
import { t, when } from '../js/i18n.js';
import * as session from '../js/session.js';
import { sheet } from '../js/sheets.js';
import { gameOf } from './export.js';
import { exactText, notation, positionText, scrambleMoves } from './notation.js';
import { solveRate } from './sitting.js';

/** A text in a field, with a button that copies it. */
function field(key, text, id) {
  const input = el('textarea', { id, className: 'classic-field', readOnly: true, rows: Math.min(4, Math.ceil(text.length / 44)), value: text, onfocus: () => input.select() });
  return el('div', { className: 'classic-copy' }, el('label', { for: id }, t(key)), input, button(t('classic.copy'), () => copyText(input), { id: `${id}-copy` }));
}

/** A solve of the list. */
export function openSolve(solve, number, remove) {
  const game = gameOf(solve);
  const dialog = sheet(t('classic.solve', { n: number, time: exactText(solve.millis) }), [
    el('p', { className: 'muted' }, [solve.category.replace('x', '×').replace(/\+.*/, ''), t('moves', { count: solve.moves }), t('classic.rate', { rate: solveRate(solve) }), when(solve.when)].join(' · ')),
    solve.out && el('p', { className: 'muted', id: 'classic-out' }, t(`classic.out.${solve.out}`)),
    field('classic.position', positionText(solve.game.start, solve.game.cols), 'classic-position'),
    field('classic.scramble', scrambleMoves(game), 'classic-scramble'),
    field('classic.solution', notation(solve.game.moves), 'classic-solution'),
    el('p', { className: 'muted' }, t('classic.notation')),
    el('div', { className: 'actions' }, button(t('win.replay'), () => { dialog.close(); replay(solve.game); }, { id: 'classic-replay' }),
      button(t('classic.drop'), () => { dialog.close(); remove(); }, { kind: 'danger', id: 'classic-drop' })),
  ]);
}

/** The scramble on the table. While it is being solved only its position is told: moves to it would be a solution. */
export function openScramble() {
  const game = session.current();
  sheet(t('classic.scrambleNow'), [field('classic.position', positionText([...game.start], game.cols), 'classic-position'),
    game.solved && !game.fresh && field('classic.scramble', scrambleMoves(game), 'classic-scramble'),
    el('p', { className: 'muted' }, t(game.solved ? 'classic.notation' : 'classic.onlyPosition'))]);
}
