// How somebody wants to solve, what counts, and the solves as files.

import { button, el } from '../js/dom.js';
import { t, whole } from '../js/i18n.js';
import { CLASSIC, builtinName } from '../js/pictures.js';
import { pref, setPref } from '../js/prefs.js';
import { leftOutOf } from '../js/ranking.js';
import * as session from '../js/session.js';
import { thumbButton } from '../js/thumbs.js';
import { download } from '../js/transfer.js';
import { csvOf, jsonOf } from './export.js';
import { KEPT } from './sitting.js';

const INSPECTION = [0, 8, 15];

/** Whether the options are unfolded; the panel is drawn anew with each solve. */
let open = false;

/** @param {{ changed: () => void, set: (change: object) => void, solves: () => any[] }} panel */
export function optionsPart({ changed, set, solves }) {
  const { inspection = 0, hover = false } = pref('classic');
  const check = (id, label, checked, onCheck) => el('label', { className: 'option' }, el('input', { type: 'checkbox', id, checked, onchange: (event) => { onCheck(event.target.checked); changed(); } }), label);
  const radio = (seconds) => el('label', { className: 'option' }, el('input', { type: 'radio', name: 'inspection', value: seconds, checked: seconds === inspection, onchange: () => { set({ inspection: seconds }); changed(); } }), seconds ? t('seconds', { n: seconds }) : t('classic.off'));
  const save = (name, type, text) => button(name, () => download(new Blob([text(solves())], { type }), `pintu-solves.${name.toLowerCase()}`), { id: `classic-${name.toLowerCase()}`, disabled: solves().length === 0 });
  return el('details', { className: 'classic-options', id: 'classic-options', open, ontoggle: (event) => { open = event.target.open; } }, el('summary', {}, t('classic.options')),
    el('div', { className: 'classic-looks', role: 'group', 'aria-label': t('classic.looks') }, CLASSIC.map(lookButton)),
    el('fieldset', { className: 'options classic-inspection' }, el('legend', {}, t('classic.inspection')), INSPECTION.map(radio)),
    matchMedia('(hover: hover)').matches && check('classic-hover', t('classic.hover'), hover, (on) => set({ hover: on })),
    check('classic-invert', t('settings.invert'), pref('invert'), (on) => setPref('invert', on)),
    el('p', { className: 'muted' }, t('classic.rules', { n: leftOutOf(50), most: whole(KEPT) })),
    el('p', { className: 'muted' }, t('classic.keys')),
    el('div', { className: 'row classic-acts' }, save('CSV', 'text/csv', csvOf), save('JSON', 'application/json', jsonOf)));
}

/** A look of the numbers; which one is chosen is seen at once. */
function lookButton(name) {
  const node = thumbButton(name, () => {
    session.setPicture(`builtin:${name}`);
    for (const other of node.parentElement.children) other.setAttribute('aria-pressed', String(other === node && builtinName(session.current().picture) === name));
  });
  return node;
}
