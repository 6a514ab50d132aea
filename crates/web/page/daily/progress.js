// Which sizes of each picture have been solved.

import { el } from '../js/dom.js';
import { t } from '../js/i18n.js';
import { CLASSIC, PAINTINGS, builtinName, paintBuiltin, pictureUrl, typeOf } from '../js/pictures.js';

/** The sizes of the rail: these are shown also while they are open. */
const USUAL = ['3×3', '4×4', '5×5'];
const SIDE = 96;

/** The pictures with their sizes; painted ones always, numbers and the player's own once something is solved. */
export function progressPart(found) {
  const all = [...PAINTINGS.map((name) => `builtin:${name}`), ...[...found.keys()].filter((id) => !PAINTINGS.includes(builtinName(id) ?? ''))];
  return el('ul', { className: 'daily-progress' }, all.map((id) => item(id, found.get(id) ?? [])));
}

function item(id, solved) {
  const name = builtinName(id);
  const known = !name || [...PAINTINGS, ...CLASSIC].includes(name);
  const label = name && known ? t(`picture.${name}`) : t('picture.mine');
  const picture = el('span', { className: 'daily-thumb' });
  if (known) thumb(id, name).then((url) => { picture.style.backgroundImage = `url("${url}")`; });
  const sizes = [...USUAL, ...solved.filter((size) => !USUAL.includes(size))];
  return el('li', { 'data-picture': name ?? id }, picture, el('span', { className: 'daily-name' }, label),
    el('span', { className: 'daily-sizes' }, sizes.map((size) => {
      const done = solved.includes(size);
      return el('span', { className: done ? 'done' : 'open' }, size, el('span', { className: 'unseen' }, ` ${t(done ? 'daily.solved' : 'daily.unsolved')}`));
    })));
}

async function thumb(id, name) {
  if (!name) return (await pictureUrl(id)).url;
  return (await paintBuiltin(name, SIDE)).toDataURL(typeOf(name), 0.85);
}
