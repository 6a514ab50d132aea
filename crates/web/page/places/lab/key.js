// What the shapes of the search trees mean: those that the trees in sight have, drawn as there.

import { el } from '../../js/dom.js';
import { knows, onLanguage, t } from '../../js/i18n.js';
import { CHEAPER, CUT, DEAD_END, KNOWN, REOPENED, TOO_DEAR } from '../../trace/recording.js';
import { svg } from './marks.js';

/** The signs in a square of 14, by what they stand for. */
const SIGNS = {
  open: 'M2.5 2.5h9v9h-9z',
  closed: 'M7 2a5 5 0 1 0 .01 0z',
  current: 'M7 1a6 6 0 1 0 .01 0z',
  dropped: 'M3 11 11 3',
  forgotten: 'M7 2.5a4.500 4.500 0 1 0 .01 0z',
  moved: 'M0 7h14',
  solution: 'M0 7h14M7 4a3 3 0 1 0 .01 0z',
};

/** What is left alone, and the word for it. Whoever goes depth first leaves what is known, too. */
const LEFT = { cut: CUT, known: KNOWN, dead: DEAD_END, dear: TOO_DEAR };

/** @param {import('../../trace/recording.js').Recording} rec */
function signsOf(rec) {
  const happened = new Set(rec.what);
  const left = Object.keys(LEFT).filter((name) => happened.has(LEFT[name]) && (name !== 'known' || rec.depthFirst));
  return { left, isDeep: rec.depthFirst, signs: ['open', 'closed', 'current', left.length && 'dropped', rec.forgets && 'forgotten', (happened.has(CHEAPER) || happened.has(REOPENED)) && 'moved', rec.goalEvent >= 0 && 'solution'] };
}

/** @returns {{ root: HTMLElement, show: (recs: import('../../trace/recording.js').Recording[]) => void }} */
export function createKey() {
  const root = el('ul', { className: 'tree-key', id: 'lab-key', hidden: true });
  /** @type {ReturnType<typeof signsOf>[]} */
  let shown = [];

  function draw() {
    const [signs, left] = [new Set(shown.flatMap((one) => one.signs)), new Set(shown.flatMap((one) => one.left))];
    // A search that dives has no open and no closed list.
    const listed = (name) => [...new Set(shown.map(({ isDeep }) => t(isDeep && knows(`lab.key.${name}.deep`) ? `lab.key.${name}.deep` : `lab.key.${name}`)))].join(' / ');
    const text = (name) => (name === 'dropped' ? Object.keys(LEFT).filter((why) => left.has(why)).map((why) => t(`lab.fate.${why}`)).join(t('trace.list')) : listed(name));
    root.hidden = !signs.size;
    root.setAttribute('aria-label', t('lab.key'));
    root.replaceChildren(...Object.keys(SIGNS).filter((name) => signs.has(name)).map((name) => el('li', {}, svg('svg', { class: `sign ${name}`, viewBox: '0 0 14 14', 'aria-hidden': 'true' }, svg('path', { d: SIGNS[name] })), text(name))));
  }

  onLanguage(draw);
  return { root, show: (recs) => { shown = recs.map(signsOf); draw(); } };
}
