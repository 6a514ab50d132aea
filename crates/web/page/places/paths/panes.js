// The maps side by side: one for each contestant, all showing the same part, all painted on alike.

import { errorText, onLanguage, t } from '../../js/i18n.js';
import { announce } from '../../js/sheets.js';
import { tellAll } from '../../js/tell.js';
import { columnsFor, keepRoom } from './room.js';
import { figuresOf, hasArrived, nameOf, verdictOf } from './figures.js';
import { fieldOf } from './ask.js';
import { graphScene } from './graph-scene.js';
import { gridScene } from './grid-scene.js';
import { createHands } from './hands.js';
import { createKeyboard } from './keyboard.js';
import { line } from './map.js';
import { createPane } from './pane.js';
import * as runner from './runner.js';
import { moveGoal, moveStart, note, on, paint, redo, revert, settleNote, state, toggleGoal, undo } from './state.js';
import { onPalette } from './theme.js';
import { createView } from './view.js';

export const view = createView();
/** @type {ReturnType<typeof createPane>[]} */
const panes = [];
let host = /** @type {any} */ (null);
let scene = /** @type {any} */ (null);
let active = 0;
let watching = /** @type {any} */ (null);
const activeWatchers = new Set();

export const scenes = () => scene;
export const activeNumber = () => Math.min(active, panes.length - 1);
/** The result of the selected contestant for the current map. */
export const activeEntry = () => entriesNow()[activeNumber()] ?? null;
/** The results of the current request, and whether they are held back. */
export const entriesNow = () => runner.current().map((entry) => ({ ...entry, held: isHeld }));
export const paneOf = (/** @type {number} */ number) => panes[number];
/** Calls back when another map is looked at. @param {(...values: any[]) => void} callback */
export const onActive = (callback) => activeWatchers.add(callback);

/** Looks at the map of this number, where there is one. @param {number} number */
export const lookAt = (number) => { if (panes[number]) look(number); };

const ZOOM = 1.25;
/** Enlarges the maps (1), makes them smaller (-1), or shows all of them (0). @param {number} by */
export const scaleView = (by) => (by ? view.zoom(ZOOM ** by) : view.fit());

function look(/** @type {number} */ number) {
  active = number;
  panes.forEach((pane, i) => pane.root.classList.toggle('active', panes.length > 1 && i === number));
  tellAll(activeWatchers);
}

function arrange() {
  while (panes.length > state.runs.length) {
    const pane = panes.pop();
    if (!pane) break;
    watching.unobserve(pane.stage);
    pane.root.remove();
  }
  while (panes.length < state.runs.length) add(panes.length);
  host.dataset.count = String(panes.length);
  lay();
  look(activeNumber());
  name();
  keepAllRoom();
}

/** Lays the maps out in as many columns as show them largest. */
function lay() {
  const count = Math.max(1, panes.length);
  const columns = columnsFor(count, scene, { width: host.clientWidth, height: host.clientHeight });
  const lines = Math.ceil(count / columns);
  host.style.setProperty('--columns', String(columns));
  host.style.setProperty('--lines', String(lines));
  panes.forEach((pane, i) => pane.root.classList.toggle('above', i < columns * (lines - 1)));
}

function add(/** @type {number} */ number) {
  const pane = createPane({ number, view });
  panes.push(pane);
  host.append(pane.root);
  watching.observe(pane.stage);
  pane.root.addEventListener('pointerdown', () => look(number));
  pane.stage.addEventListener('focus', () => look(number));
  createHands(pane, view, { scene: () => scene, ends: () => state.map, onBegin, onStroke, onEnd, onCarry, onDrop, onAbandon });
  createKeyboard(pane, { scene: () => scene, view, scaleView, entry: () => runner.current()[number] ?? null, putAt });
  pane.setScene(scene);
  pane.setEnds(state.map);
  pane.setShow(state.show);
}

/** A map comes with its contestants: panes may be there for a moment that have none any more. */
const keepAllRoom = () => state.runs.slice(0, panes.length).forEach((run, i) => keepRoom(panes[i], run));

const name = () => panes.forEach((pane, i) => { pane.name(nameOf(state.runs[i])); pane.setMark(state.runs[i].mark); });

function remake({ anew = true } = {}) {
  [laid, isCovered] = [null, null];
  scene = state.map.kind === 'graph' ? graphScene(state.map) : gridScene(state.map);
  host.style.setProperty('--ratio', String(Math.max(0.35, Math.min(1, scene.height / scene.width))));
  lay();
  for (const pane of panes) { pane.setScene(scene); pane.setEnds(state.map); }
  if (panes.length) view.show(scene, panes[0].size, { anew });
  void spread();
}

/** The layer over the ground, or null. @type {any} */
let laid = null;
export const overlaid = () => laid;
const fieldWatchers = new Set();
/** Calls back when something else lies over the ground. @param {(...values: any[]) => void} callback */
export const onField = (callback) => fieldWatchers.add(callback);

let spreading = false;
/** Lays the distances and directions over the ground that are to be shown; where none are and none were, nothing is drawn. */
async function spread() {
  const wanted = state.show.distances || state.show.flow;
  if (!wanted && !spreading) return;
  const mine = scene;
  const field = await fieldOf();
  if (!field || mine !== scene) return;
  spreading = wanted;
  laid = field.distances || field.arrows ? field : null;
  isCovered = null;
  cover();
  tellAll(fieldWatchers);
}

/** Whether the layer over the ground is hidden; null if that is unknown. @type {boolean | null} */
let isCovered = null;
/** Distances that a search is to find wait for its end. */
function cover() {
  const is = state.show.late && (isHeld || runner.all().some((entry) => !hasArrived(entry)));
  if (is === isCovered || !scene) return;
  isCovered = is;
  scene.overlay(is ? null : laid);
  panes.forEach((pane) => pane.ask('base'));
}

let stroke = /** @type {any} */ (null);

function onBegin(/** @type {number} */ place) {
  if (stroke) return;
  note();
  stroke = { changed: false };
  if (state.brush === 'start') stroke.changed = moveStart(place);
  else if (state.brush === 'goal') stroke.changed = toggleGoal(place);
  else if (state.map.kind === 'cells') stroke.changed = paint([place]);
}

function onStroke(/** @type {number} */ from, /** @type {number} */ to) {
  if (typeof state.brush === 'number' && state.map.kind === 'cells') stroke.changed = paint(line(state.map, from, to)) || stroke.changed;
  else if (state.brush === 'start') stroke.changed = moveStart(to) || stroke.changed;
}

function onEnd() {
  if (!stroke) return;
  const { changed } = stroke;
  stroke = null;
  settleNote();
  if (changed) runner.want('all');
}

function onAbandon() {
  if (stroke?.changed) revert();
  else if (stroke) settleNote();
  stroke = null;
}

let carried = false;
/** The start or a goal is carried along; the paths follow. @param {{ kind: string, number: any }} end @param {number} place */
function onCarry(end, place) {
  if (!carried) note();
  carried = true;
  if (end.kind === 'start') moveStart(place);
  else moveGoal(end.number, place);
}

function onDrop() {
  if (carried) { settleNote(); runner.want('all'); }
  carried = false;
}

export const isCarrying = () => carried || stroke !== null;

let isHeld = false;
/** Holds the paths back, for their searches are about to be played: no path is seen before its search has found it. @param {boolean} is */
export function holdPaths(is) {
  if (is === isHeld) return;
  isHeld = is;
  cover();
  showAnswers();
}

function showAnswer(/** @type {number} */ number) {
  const entry = runner.all()[number];
  const pane = panes[number];
  if (!entry || !pane) return;
  // Results of a map of another size cannot be drawn on this one.
  const here = entry.map === state.map;
  pane.setFound({ path: here && !isHeld ? entry.path : null, search: here ? entry.search : null, faded: runner.isStale(entry) });
  // While something is carried, figures come a little later: the path is what must not wait.
  if (!carried) write(number);
  // The extra cost of a path is known once the cheapest is.
  else if (!entry.answer || runner.isStale(entry) || entry.answer.optimal || runner.cheapestCost() !== null) writeSoon(number);
}

function write(/** @type {number} */ number) {
  const known = runner.all()[number];
  const entry = { ...known, held: isHeld };
  const stale = runner.isStale(known) ? (runner.isBusy() ? 'paths.asking' : 'paths.unasked') : null;
  const around = { cheapest: runner.cheapestCost(), errorText, stale };
  panes[number]?.verdict.replaceChildren(...verdictOf(entry, around));
  panes[number]?.figures.replaceChildren(...figuresOf(entry, around));
}

const unwritten = new Set();
/** The shortest time between two updates of the figures, in milliseconds. */
const READ_MILLIS = 90;
function writeSoon(/** @type {number} */ number) {
  if (!unwritten.size) setTimeout(() => { const due = [...unwritten]; unwritten.clear(); due.forEach((one) => { if (runner.all()[one]) write(one); }); }, READ_MILLIS);
  unwritten.add(number);
}

const showAnswers = () => panes.forEach((_, i) => showAnswer(i));

/** Brings every search to the position of a common timeline. @param {any} timeline @param {number} n */
export function seek(timeline, n) {
  for (const [i, { search }] of runner.all().entries()) {
    if (!search) continue;
    const before = hasArrived({ search });
    search.cursor.seek(timeline.positionOf(search.rec, n));
    panes[i]?.ask('step');
    if (before === hasArrived({ search })) writeSoon(i);
    else write(i);
  }
  cover();
}

/** Marks a place on the map that is looked at. @param {number} place */
export function point(place) {
  panes[activeNumber()].setCursor(place);
  const [x, y] = scene.centre(place);
  view.reveal(x, y);
}

/** Does what the brush does, on one place. @param {number} place */
function putAt(place) {
  note();
  if (state.brush === 'start') moveStart(place);
  else if (state.brush === 'goal') toggleGoal(place);
  else if (state.map.kind === 'cells') paint([place]);
  settleNote();
  runner.want('all');
}

export function initPanes(/** @type {any} */ root) {
  host = root;
  watching = new ResizeObserver((seen) => {
    let isOtherWidth = false;
    for (const { target, contentRect } of seen) {
      if (target === host) { lay(); continue; }
      const pane = panes.find(({ stage }) => stage === target);
      isOtherWidth ||= pane?.size.width !== contentRect.width;
      pane?.resize(contentRect);
    }
    // Texts break elsewhere.
    if (isOtherWidth) keepAllRoom();
    if (panes.length && scene) view.show(scene, panes[0].size);
  });
  remake();
  arrange();
  watching.observe(host);
  view.onChange(() => panes.forEach((pane) => pane.ask('base', 'search')));
  onPalette(() => { scene.changed(); panes.forEach((pane) => { pane.setShow(state.show); }); });
  on(['map'], () => { remake(); keepAllRoom(); runner.want('all'); });
  on(['runs'], () => { arrange(); runner.want('all'); });
  on(['rules'], () => { keepAllRoom(); void spread(); runner.want('all'); });
  on(['show'], () => { panes.forEach((pane) => pane.setShow(state.show)); void spread(); });
  on(['ends'], () => { panes.forEach((pane) => pane.setEnds(state.map)); void spread(); runner.want(isCarrying() ? 'drag' : 'all'); });
  on(['ground'], () => {
    scene.changed();
    panes.forEach((pane) => pane.ask('base'));
    if (!stroke) void spread();
    runner.want(stroke ? 'drag' : 'all');
  });
  runner.on('answers', (number) => (number === undefined ? showAnswers() : showAnswer(number)));
  runner.on('recordings', () => { cover(); showAnswers(); });
  onLanguage(() => { name(); keepAllRoom(); showAnswers(); });
}

export function undoPainting() {
  if (!undo()) announce(t('undo.none'));
}

export function redoPainting() {
  if (!redo()) announce(t('redo.none'));
}
