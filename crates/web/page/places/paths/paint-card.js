// The brushes: what each paints is seen on it.

import { button, el } from '../../js/dom.js';
import { onLanguage, t } from '../../js/i18n.js';
import { groundStyle } from './grid-scene.js';
import { brushText } from './keyboard.js';
import { ENEMY, GROUNDS, OPEN, SWAMP, TREES, WALL, WATER, costOf, isBlocked } from './map.js';
import { redoPainting, scaleView, undoPainting } from './panes.js';
import { canRedo, canUndo, on, setBrush, setWidth, state } from './state.js';
import { disc, star } from './pane.js';
import { onPalette, palette } from './theme.js';

const WIDTHS = [1, 3, 5, 9];
const SIGNS = /** @type {Record<string, string>} */ ({ [ENEMY]: '20', [WATER]: '~', [SWAMP]: ':', [TREES]: '♠' });

/** A small picture of what the brush does. @param {string | number} brush */
function sample(brush) {
  const canvas = el('canvas', { width: 44, height: 44, className: 'sample', 'aria-hidden': 'true' });
  const ctx = canvas.getContext('2d');
  const colours = palette();
  ctx.fillStyle = typeof brush === 'number' ? groundStyle(brush) : colours.ground;
  ctx.fillRect(0, 0, 44, 44);
  if (brush === 'start') disc(ctx, 22, 22, 12, colours.start, colours.paper);
  else if (brush === 'goal') star(ctx, 22, 23, 17, colours.goal, colours.paper);
  else if (brush !== WALL) {
    ctx.fillStyle = isBlocked(brush) ? colours.paper : colours.ink;
    ctx.font = '600 22px system-ui, sans-serif';
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.fillText(SIGNS[brush] ?? String(costOf(Number(brush))), 22, 23);
  }
  return canvas;
}

const KEYS = /** @type {Record<string, string>} */ ({ start: 'S', goal: 'G', [WALL]: 'W', [OPEN]: 'E, 1' });

function brushButton(/** @type {number} */ brush) {
  const label = brush === OPEN ? t('paths.erase') : brushText(brush);
  const key = KEYS[brush] ?? (typeof brush === 'number' && brush <= 9 ? String(brush) : null);
  return el('button', { type: 'button', className: 'brush', id: `paths-brush-${brush}`, 'aria-pressed': String(state.brush === brush), 'aria-label': label, title: key ? `${label} (${key})` : label, onclick: () => setBrush(brush) }, sample(brush));
}

/** The buttons that enlarge the map, shrink it, show all of it, or write it as text. @param {() => void} openText */
function viewTools(openText) {
  const made = /** @type {[string, string, () => any][]} */ ([['plus', 'trace.zoom.in', () => scaleView(1)], ['minus', 'trace.zoom.out', () => scaleView(-1)], ['whole', 'paths.fit', () => scaleView(0)], ['file', 'paths.text', openText]])
    .map(([symbol, key, does]) => ({ key, node: button('', does, { symbol, kind: 'square', id: `paths-tool-${symbol}` }) }));
  onLanguage(() => { for (const { key, node } of made) { node.setAttribute('aria-label', t(key)); node.title = t(key); } });
  return made.map(({ node }) => node);
}

/** The card of brushes. @param {{ openText: () => void }} actions */
export function paintCard({ openText }) {
  const row = el('div', { className: 'brushes', role: 'group', 'aria-labelledby': 'paths-paint-head' });
  const width = el('select', { id: 'paths-width', 'data-t-label': 'paths.width', onchange: () => setWidth(Number(width.value)) });
  const [back, forth] = [button('', undoPainting, { symbol: 'undo', id: 'paths-undo', kind: 'square' }), button('', redoPainting, { symbol: 'redo', id: 'paths-redo', kind: 'square' })];
  const tools = el('div', { className: 'paint-tools' }, back, forth, viewTools(openText), el('label', { className: 'brush-width' }, el('span', { 'data-t': 'paths.width' }), width));
  const card = el('section', { className: 'card paint-card', id: 'paths-paint' }, el('h2', { id: 'paths-paint-head', 'data-t': 'paths.paint' }), row, tools, el('p', { className: 'muted hint', 'data-t': 'paths.paint.help' }));

  function draw() {
    row.replaceChildren(...[...(/** @type {any} */ (GROUNDS)[state.map.format] ?? []), 'start', 'goal'].map(brushButton));
    width.replaceChildren(...WIDTHS.map((n) => new Option(`${n} × ${n}`, String(n), false, n === state.width)));
    width.parentElement.hidden = state.map.kind === 'graph';
    for (const [node, key] of [[back, 'do.undo'], [forth, 'do.redo']]) { node.setAttribute('aria-label', t(key)); node.title = t(key); }
    history();
  }
  function press() {
    for (const node of row.children) node.setAttribute('aria-pressed', String(node.id === `paths-brush-${state.brush}`));
  }
  function history() { back.disabled = !canUndo(); forth.disabled = !canRedo(); }
  on(['map'], draw);
  on(['brush'], press);
  on(['history'], history);
  onPalette(draw);
  onLanguage(draw);
  return card;
}
