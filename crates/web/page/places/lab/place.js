// Lab: see how searches of sliding puzzles work. Three zones: what is searched, what happens, where it stands; on a
// narrow screen the middle, with the others in sheets and the player in a bar.

import { button, el, icon } from '../../js/dom.js';
import { pathOf } from '../../js/host.js';
import { onLanguage, t } from '../../js/i18n.js';
import { sheet, toast } from '../../js/sheets.js';
import { openPlaceHelp, withTraceWords } from '../../trace/common.js';
import { keepInAddress } from '../../trace/link.js';
import { createPresent } from '../../trace/present.js';
import { miniBoard } from './boards.js';
import { createContestants } from './contestants.js';
import { onExample } from './examples.js';
import { openExport, openLink } from './exports.js';
import { takePasted } from './text-sheet.js';
import { createProblem } from './problem.js';
import { createRace } from './race.js';
import { MOST_CONTESTANTS, TABS } from './values.js';
import { NARROW, among, carriesSetup, change, fragment, nameOf, onChange, setup, take } from './setup.js';
import { createStep } from './step.js';
import { createWhy } from './why.js';

export const title = 'lab.title.page';
export const styles = ['trace/trace.css', 'places/lab/lab.css'];
export const words = withTraceWords((language) => import(`./${language}.js`));

/** The address of what is set up before anybody has changed it. */
const untouched = fragment();
/** @type {any} */
let lab = null;
let shownNow = false;

export function mount(/** @type {any} */ root) {
  const zone = (/** @type {string} */ name, tag = 'div') => el(tag, { className: `zone ${name}`, id: `lab-${name}` });
  const [what, happens, where] = [zone('what'), zone('happens'), zone('where')];
  const bar = el('div', { className: 'lab-bar', id: 'lab-bar' });
  const acts = el('div', { className: 'lab-acts' });
  const tabs = el('div', { className: 'lab-tabs', role: 'tablist', onkeydown: tabKeys });
  const panel = (/** @type {string} */ name) => el('section', { className: 'panel', id: `panel-${name}`, role: 'tabpanel', 'aria-labelledby': `tab-${name}` });
  const panels = Object.fromEntries(TABS.map((name) => [name, panel(name)]));
  const middle = el('div', { className: 'card middle' }, tabs, TABS.map((name) => panels[name]));
  happens.append(middle, bar);
  const zones = el('div', { className: 'zones' }, what, happens, where);
  const strip = createStrip(() => openZone(what, 'lab.zone.what'));
  root.append(el('h1', { className: 'unseen', tabIndex: -1, 'data-t': 'lab.title' }), el('div', { className: 'lab-top' }, el('p', { className: 'lead', 'data-t': 'lab.lead' }), acts), strip, zones);
  // The step view fills the rest of the window, down to its player.
  new ResizeObserver(() => root.style.setProperty('--above', `${Math.round(zones.getBoundingClientRect().top + scrollY)}px`)).observe(root);

  const card = (/** @type {string} */ className) => what.appendChild(el('section', { className: `card ${className}` }));
  const problemView = createProblem(card('problem-card'));
  const side = where.appendChild(el('div', { className: 'side' }));
  const race = createRace(panels.race, { onStep: (one) => { choose(one); void step.run(); }, repair: problemView.repair });
  const step = createStep({ root: panels.step, side, bar }, { onDetails: () => { if (NARROW.matches && !present.isOn) openZone(where, 'lab.zone.where'); }, onPresent: () => present.enter(), onCleared: () => present?.leave(), repair: problemView.repair });
  /** @type {ReturnType<typeof createPresent>} */
  const present = createPresent(root, {
    parts: () => (setup().tab === 'step' ? step.parts() : null), player: () => step.player, actions, look: step.lookAt, onLeave: step.settle,
    zoom: (by) => step.shown().forEach((/** @type {any} */ { tree }) => tree.scale(by)),
  });
  const why = createWhy(panels.why);
  createContestants(card('contestants-card'), () => { closeZone(); change({ tab: 'race' }); void race.run(); });
  lab = { root, race, step, why, present, what, where, panels, tabs };
  onExample(() => { closeZone(); run(); });

  onChange((changed) => {
    if (among(changed, 'tab')) showTab();
    if (shownNow) keepInAddress(fragment());
  });
  onLanguage(() => { drawTabs(); drawActs(acts); showTab(); });
  NARROW.addEventListener('change', closeZone);
  addEventListener('hashchange', () => { if (shownNow) void open(); });
  document.addEventListener('keydown', (event) => { if (shownNow && setup().tab === 'step' && !event.defaultPrevented && !present.key(event)) step.key(event); });
  takePasted(() => shownNow);
}

/** Start and goal, small, where the set-up is in a sheet: pressed, it opens that. @param {() => void} onOpen */
function createStrip(onOpen) {
  const strip = el('button', { type: 'button', className: 'boards-strip', id: 'lab-strip', onclick: onOpen });
  const draw = () => {
    const { tiles, goal, cols } = setup();
    strip.replaceChildren(el('span', { className: 'unseen' }, t('lab.boards.strip')), miniBoard(tiles, cols, { kind: 'tiny' }), el('span', { 'aria-hidden': 'true' }, '→'), miniBoard(goal, cols, { kind: 'tiny' }));
  };
  onLanguage(draw);
  onChange((changed) => { if (among(changed, 'tiles', 'goal', 'cols')) draw(); });
  return strip;
}

/** Chooses a contestant of a race to be stepped through; it may have left since. @param {any} one */
function choose(one) {
  const { contestants } = setup();
  const at = contestants.findIndex((other) => nameOf(other) === nameOf(one));
  if (at >= 0) change({ chosen: at, beside: -1, tab: 'step' });
  else change({ contestants: [{ ...one, mark: undefined }, ...contestants.slice(0, MOST_CONTESTANTS - 1)], chosen: 0, beside: -1, tab: 'step' });
}

function run() {
  const { tab } = setup();
  if (tab === 'race') void lab.race.run();
  else if (tab === 'step') void lab.step.run();
}

/** Takes the set-up of the address and runs it. */
function open() {
  if (!carriesSetup(location.hash)) return;
  try {
    take(location.hash);
  } catch (error) {
    toast(error.say ?? (() => error.message));
    return;
  }
  run();
}

export function enter() {
  shownNow = true;
  if (!carriesSetup(location.hash)) {
    // A returning user finds the last set-up, also in the address; on the first visit a race runs.
    if (fragment() !== untouched) keepInAddress(fragment());
    else if (!lab.race.result() && !lab.step.loaded) void lab.race.run(true);
  } else if (location.hash !== fragment()) open();
  else if (!lab.race.result() && !lab.step.loaded) run();
  if (setup().tab === 'why') lab.why.enter();
}

export function leave() {
  shownNow = false;
  closeZone();
  lab.present.leave();
  lab.race.leave();
  lab.step.leave();
  lab.why.leave();
}

function drawTabs() {
  lab.tabs.setAttribute('aria-label', t('lab.title'));
  lab.tabs.replaceChildren(...TABS.map((name) => el('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`, onclick: () => change({ tab: name }) }, t(`lab.${name}`))));
}

function showTab() {
  const { tab } = setup();
  for (const node of lab.tabs.children) {
    const mine = node.id === `tab-${tab}`;
    node.setAttribute('aria-selected', String(mine));
    node.tabIndex = mine ? 0 : -1;
  }
  for (const name of TABS) lab.panels[name].hidden = name !== tab;
  lab.root.dataset.tab = tab;
  if (tab === 'why' && shownNow) lab.why.enter();
  else lab.why.leave();
}

function tabKeys(/** @type {any} */ event) {
  const by = /** @type {any} */ ({ ArrowRight: 1, ArrowLeft: -1 })[event.key];
  if (!by) return;
  event.preventDefault();
  change({ tab: TABS[(TABS.indexOf(setup().tab) + by + TABS.length) % TABS.length] });
  document.getElementById(`tab-${setup().tab}`)?.focus();
}

function drawActs(/** @type {HTMLElement} */ root) {
  root.replaceChildren(
    button(t('lab.zone.what'), () => openZone(lab.what, 'lab.zone.what'), { kind: 'zone-button', symbol: 'settings', id: 'open-what' }),
    button(t('lab.zone.where'), () => openZone(lab.where, 'lab.zone.where'), { kind: 'zone-button where-button', symbol: 'eye', id: 'open-where' }),
    button(t('share.link'), () => openLink(lab), { symbol: 'share', id: 'open-link' }),
    button(t('lab.export'), () => openExport(lab), { symbol: 'out', id: 'open-export' }),
    el('a', { className: 'button', href: pathOf('guide'), 'data-place': 'guide', id: 'lab-guide' }, icon('help'), el('span', {}, t('lab.guide'))));
}

/** The sheet to which a zone is lent on a narrow screen. @type {HTMLDialogElement | null} */
let opened = null;

function openZone(/** @type {any} */ zone, /** @type {string} */ key) {
  opened = sheet(t(key), zone, { kind: 'zone-sheet' });
}

const closeZone = () => opened?.close();

export const focus = () => lab.root.querySelector('h1');

/** The key actions besides the player's, which are in `mount`. @type {Record<string, () => void>} */
export const actions = { help: () => openPlaceHelp('lab.help', ['lab.help.race', 'lab.help.step', 'lab.help.why']) };

/** For tests and measurements. */
export const parts = () => lab;
