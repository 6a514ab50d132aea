// How a board looks. Its colours follow the `color-scheme` of the page around it, and each is a custom property that a page can set.

export const STYLE = `
:host {
  --card: var(--pintu-card, light-dark(#fffdf8, #1f2229)); --ink: var(--pintu-ink, light-dark(#20242c, #eceae4)); --quiet: var(--pintu-quiet, light-dark(#5f646d, #9aa0aa));
  --well: var(--pintu-well, light-dark(#e7e3da, #262931)); --edge: var(--pintu-edge, light-dark(#cfc7b6, #454b57)); --seal: var(--pintu-seal, light-dark(#c8402a, #ff8a70));
  display: inline-block; vertical-align: top; width: 240px; max-width: 100%; color: var(--ink); font: 15px/1.4 system-ui, sans-serif; font-variant-numeric: tabular-nums;
}
:host([hidden]), [hidden], :host(:not([controls])) .bar { display: none !important; }
* { box-sizing: border-box; }
.board { position: relative; container-type: inline-size; border-radius: 10px; background: var(--well); overflow: hidden; -webkit-tap-highlight-color: transparent; }
.tile, .piece { position: absolute; left: 0; top: 0; margin: 0; padding: 0; border: 0; background: none; color: inherit; }
.tile { cursor: default; touch-action: none; transition: transform 140ms cubic-bezier(.2, .7, .3, 1), translate 140ms cubic-bezier(.2, .7, .3, 1); }
.tile.near { cursor: pointer; }
.board.still .tile, .tile.still { transition: none; }
.face { position: absolute; inset: 1.5px; display: grid; place-items: center; border-radius: 6px; background: var(--card) no-repeat; box-shadow: inset 0 0 0 1px var(--edge); font-weight: 600; font-size: calc(42cqi / var(--most)); line-height: 1; user-select: none; }
.tile:focus-visible { outline: none; z-index: 1; }
.tile:focus-visible .face { outline: 3px solid var(--seal); outline-offset: -3px; }
.piece { visibility: hidden; }
.board.pictured .number { visibility: hidden; }
.board.pictured .face { box-shadow: none; }
.board.pictured.solved .piece { visibility: visible; }
.board.pictured.solved .face { inset: 0; border-radius: 0; }
.bar { display: flex; align-items: center; gap: 2px; margin-top: 6px; }
.bar button { display: grid; place-items: center; width: 36px; height: 36px; padding: 0; border: 0; border-radius: 8px; background: none; color: inherit; cursor: pointer; }
.bar button:hover { background: var(--well); }
.bar button:disabled { color: var(--quiet); opacity: .5; cursor: default; }
.bar button:focus-visible { outline: 3px solid var(--seal); outline-offset: -3px; }
.bar svg { width: 18px; height: 18px; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.count { margin-left: auto; color: var(--quiet); }
.note { margin: 6px 0 0; color: var(--quiet); font-size: 14px; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: reduce) { .tile { transition: none; } }
@media (forced-colors: active) { .face { border: 1px solid ButtonText; } }
`;
