// The lessons: a sheet with a board of its own, so that nothing on the table changes. A step can be skipped, done over,
// and shown.

import { createBoard } from '../js/board.js';
import { reshape, shuffle } from '../js/deals.js';
import { button, el, setText } from '../js/dom.js';
import { Game } from '../js/game.js';
import { slide } from '../js/gestures.js';
import { t } from '../js/i18n.js';
import { towards, WAYS } from '../js/keys.js';
import { offerAgain } from '../js/later.js';
import { paintOf, pictureUrl } from '../js/pictures.js';
import { pref } from '../js/prefs.js';
import * as session from '../js/session.js';
import { announce, sheet } from '../js/sheets.js';
import { isDone, learnt, noteLearnt, STEPS, wayTo } from './steps.js';

const PICTURE = 'builtin:rows';

/** Opens the lessons at the first that is not done, or at the beginning. Who comes here has a board on the page already. */
export function openLessons() {
  const root = el('div', { className: 'board lesson-board', role: 'group' });
  const frame = el('div', { className: 'frame lesson-frame' }, root);
  const [words, praise, count] = [el('p', { className: 'lesson-words', id: 'lesson-words' }), el('p', { className: 'lesson-praise', id: 'lesson-praise' }), el('p', { className: 'muted', id: 'lesson-count' })];
  const bar = el('progress', { className: 'lesson-bar', max: STEPS.length, 'aria-label': t('lesson.progress') });
  let at = Math.max(0, STEPS.findIndex(({ name }) => !learnt().includes(name)));
  let game = gameOf(STEPS[at]);
  let done = false;

  const board = createBoard(root, () => game, { onRun: move, onWholeTap: () => {}, onIdleTap: () => {} }, { name: 'lesson' });
  const back = button(t('lesson.back'), () => show(at - 1), { id: 'lesson-back' });
  const over = button(t('lesson.over'), () => show(at), { id: 'lesson-over' });
  const help = button(t('lesson.show'), point, { id: 'lesson-show' });
  const next = button('', () => (at + 1 < STEPS.length ? show(at + 1) : finish()), { id: 'lesson-next' });
  const dialog = sheet(t('lesson.title'), [el('div', { className: 'lesson-head' }, count, bar), words, frame, praise,
    el('div', { className: 'actions' }, back, over, help, next)], { kind: 'lesson-sheet' });
  dialog.addEventListener('close', () => board.destroy());
  dialog.addEventListener('keydown', keys);
  show(at);

  function paint() {
    pictureUrl(PICTURE, game).then(board.paint, (error) => offerAgain(paintOf(PICTURE), paint, error));
  }

  function show(/** @type {number} */ step) {
    at = step;
    done = false;
    game = gameOf(STEPS[at]);
    const { rows, cols } = game;
    frame.style.setProperty('--rows', String(rows));
    frame.style.setProperty('--cols', String(cols));
    // The numbers of another board would be cut anew.
    board.paint(null);
    board.build();
    paint();
    setText(count, t('lesson.count', { n: at + 1, all: STEPS.length, size: `${game.rows}×${game.cols}` }));
    bar.value = learnt().length;
    setText(words, t(`lesson.${STEPS[at].name}`));
    setText(praise, '');
    settle();
    dialog.scrollTop = 0;
    root.querySelector('.tile.near')?.focus({ preventScroll: true });
    announce(words.textContent);
  }

  function settle() {
    const last = at + 1 === STEPS.length;
    back.disabled = at === 0;
    help.disabled = done;
    setText(next.firstChild, t(done ? (last ? 'lesson.finish' : 'lesson.next') : last ? 'lesson.leave' : 'lesson.skip'));
    next.classList.toggle('filled', done);
  }

  function move(/** @type {string} */ run) {
    if (done || !game.make(run)) return;
    board.follow();
    if (!isDone(STEPS[at].goal, game.tiles, game.blank)) return;
    done = true;
    noteLearnt(STEPS[at]);
    bar.value = learnt().length;
    setText(praise, t(at + 1 < STEPS.length ? 'lesson.good' : 'lesson.all'));
    announce(praise.textContent);
    settle();
    next.focus();
  }

  function point() {
    const way = wayTo(game.board, game.tiles, STEPS[at].goal, game.blank);
    if (way) board.point(way.slice(0, 3));
  }

  function keys(/** @type {KeyboardEvent} */ event) {
    const way = WAYS[event.key.startsWith('Arrow') ? event.key : event.key.toLowerCase()];
    if (!way || event.ctrlKey || event.metaKey || event.altKey || (!event.key.startsWith('Arrow') && !pref('letters'))) return;
    event.preventDefault();
    move(slide(game, towards(way)));
  }

  /** To a board of one's own: the smallest that is a puzzle for grown-ups. */
  function finish() {
    const won = done;
    dialog.close();
    if (!won) return;
    if (session.current().rows !== 3 || session.current().cols !== 3) reshape(3, 3);
    shuffle();
  }
}

const gameOf = (/** @type {import('./steps.js').Step} */ { rows, cols, start }) => new Game({ rows, cols, start, picture: PICTURE });
