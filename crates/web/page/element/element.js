// A board for any page: `<pintu-board size="4x4">`. README.md of the package `pintu-board` describes it.

import { el, setText } from '../js/dom.js';
import { createGestures, slide } from '../js/gestures.js';
import { OPPOSITE, uniform, whole } from '../js/rules.js';
import { Play } from './play.js';
import { readSetup } from './setup.js';
import { STYLE } from './style.js';
import { build, dress, follow, paint, tileNode } from './view.js';
import { wordsFor } from './words.js';

/** Milliseconds between two moves of a solution that is played. */
const STEP_MILLIS = 420;
/** @type {Record<string, string>} */
const WAYS = { ArrowUp: 'U', ArrowDown: 'D', ArrowLeft: 'L', ArrowRight: 'R' };
/** Attributes that begin another game when they change. */
const SETUP = ['size', 'position', 'blank', 'solution'];
const PROPERTIES = [...SETUP, 'picture', 'controls', 'engine'];
const BUTTONS = ['shuffle', 'reset', 'back', 'play', 'forward'];

const random = (/** @type {number} */ n) => Math.floor(Math.random() * n);

/**
 * Solves a position. The request is what Pintu's engine takes, and so is the answer: `{ status: 'solved', moves: 'ULDR' }`,
 * or another status when nothing was found. The signal is aborted when nobody waits for the answer any more.
 * @callback Engine
 * @param {{ rows: number, cols: number, tiles: number[], goal: number[] }} request
 * @param {{ signal: AbortSignal }} options
 * @returns {Promise<{ status: string, moves?: string }>}
 */

/** Who made a move: the player, a solution that is played, or a script. @typedef {'player' | 'solution' | 'script'} By */
/** @typedef {{ moves: string, by: By, tiles: number[], misplaced: number }} MoveDetail The blank's moves of one step, and the position after it. */
/** @typedef {{ moves: string, by: By }} SolvedDetail All moves since the start, and who made the last one. */

/**
 * A sliding puzzle.
 * @fires PintuBoard#move After each step, with a `MoveDetail`.
 * @fires PintuBoard#solved When the last tile comes home, with a `SolvedDetail`.
 */
export class PintuBoard extends HTMLElement {
  static observedAttributes = [...SETUP, 'picture', 'lang'];

  #board = el('div', { className: 'board', role: 'group' });
  #bar = el('div', { className: 'bar', role: 'group' });
  #count = el('span', { className: 'count' });
  #note = el('p', { className: 'note', role: 'status', hidden: true });
  #live = el('div', { className: 'unseen', 'aria-live': 'polite' });
  /** @type {Record<string, HTMLButtonElement>} */
  #buttons = Object.fromEntries(BUTTONS.map((name) => [name, el('button', { type: 'button', onclick: () => this.#press(name) })]));
  /** @type {Play | null} */ #game = null;
  /** @type {Engine | null} */ #engine = null;
  /** @type {AbortController | null} */ #search = null;
  #timer = 0;
  /** Ends the waiting for a playback. */
  #ended = () => {};
  #waiting = false;
  /** @type {HTMLImageElement | null} */ #picture = null;
  /** What is wrong with the attributes; null when nothing is. @type {string | null} */ #problem = null;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    this.#bar.append(...BUTTONS.map((name) => this.#buttons[name]), this.#count);
    root.append(this.#board, this.#bar, this.#note, this.#live);
    createGestures(this.#board, () => /** @type {Play} */ (this.#game), { onRun: (run) => this.#played(run), onWholeTap: () => {}, onIdleTap: () => {} }, {
      cellOf: (tile) => this.#game?.tiles.indexOf(tile) ?? -1,
      tileNode: (tile) => tileNode(this.#board, tile),
    });
    this.#board.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.#key(event));
  }

  connectedCallback() {
    this.#adopt();
    if (!this.#game && !this.#problem) this.#begin();
    this.#paintPicture();
  }

  /** Takes over what a script set before the element was defined. */
  #adopt() {
    for (const name of PROPERTIES) {
      if (!Object.hasOwn(this, name)) continue;
      const value = /** @type {any} */ (this)[name];
      delete (/** @type {any} */ (this)[name]);
      /** @type {any} */ (this)[name] = value;
    }
  }

  disconnectedCallback() { this.pause(); }

  attributeChangedCallback(/** @type {string} */ name) {
    if (!this.isConnected) {
      // A board that was taken out begins anew when it is put in again.
      if (SETUP.includes(name)) [this.#game, this.#problem] = [null, null];
    } else if (name === 'picture') this.#paintPicture();
    else if (name === 'lang') this.#show();
    else this.#beginSoon();
  }

  /** Several attributes that are set one after the other are one change. */
  #beginSoon() {
    if (this.#waiting) return;
    this.#waiting = true;
    queueMicrotask(() => {
      this.#waiting = false;
      if (this.isConnected) this.#begin();
    });
  }

  #begin() {
    this.pause();
    const [size, position, blank, solution] = SETUP.map((name) => this.getAttribute(name));
    try {
      [this.#game, this.#problem] = [new Play(readSetup({ size, position, blank, solution }, random)), null];
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      [this.#game, this.#problem] = [null, error.message];
    }
    this.#build();
  }

  #build() {
    this.#board.classList.add('still');
    this.#board.replaceChildren();
    if (this.#game) {
      build(this.#board, this.#game);
      paint(this.#board, this.#game, this.#picture);
    }
    this.#show();
    void this.#board.offsetWidth;
    this.#board.classList.remove('still');
  }

  get #words() { return wordsFor(this.closest('[lang]')?.getAttribute('lang') ?? ''); }

  #show() {
    const [game, words] = [this.#game, this.#words];
    this.#board.hidden = !game;
    this.#bar.hidden = !game;
    this.#bar.ariaLabel = words.controls;
    this.#say(this.#problem ? words.wrong(this.#problem) : game && !game.solvable ? words.unsolvable : '');
    if (!game) return;
    follow(this.#board, game, words);
    const canSolve = game.solvable && (game.recorded !== '' || this.#engine !== null);
    const isOn = this.#timer !== 0 || this.#search !== null;
    for (const name of BUTTONS) dress(this.#buttons[name], name === 'play' && isOn ? 'pause' : name, words);
    for (const name of ['play', 'forward']) this.#buttons[name].hidden = !canSolve;
    this.#buttons.shuffle.hidden = this.hasAttribute('position');
    for (const name of ['reset', 'back']) this.#buttons[name].disabled = game.made === '';
    for (const name of ['play', 'forward']) this.#buttons[name].disabled = game.solved;
    const made = game.made.length;
    setText(this.#count, game.running && game.ahead ? `${made} / ${made + game.ahead.length}` : String(made));
  }

  #say(/** @type {string} */ text) {
    this.#note.hidden = text === '';
    setText(this.#note, text);
  }

  #press(/** @type {string} */ name) {
    switch (name) {
      case 'shuffle': return this.shuffle();
      case 'reset': return this.reset();
      case 'back': return this.undo();
      case 'forward': return void this.step().catch(() => {});
      default: return this.#timer || this.#search ? this.pause() : void this.solve().catch(() => {});
    }
  }

  #key(/** @type {KeyboardEvent} */ event) {
    const way = WAYS[event.key];
    if (!way || !this.#game?.running || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.#played(slide(this.#game, way));
  }

  /** The player slides tiles, which ends a playback. @param {string} moves */
  #played(moves) {
    this.pause();
    const [game, words] = [this.#game, this.#words];
    const cell = game?.hole ?? -1;
    if (!game || !this.#make(moves, 'player') || game.solved) return;
    // The first tile of the run is where the blank was.
    setText(this.#live, words.moved({ tile: game.tiles[cell], count: moves.length, way: words.ways[OPPOSITE[moves[0]]], moves: game.made.length, misplaced: game.misplaced }));
  }

  /** @param {string} moves @param {By} by */
  #make(moves, by) {
    const game = this.#game;
    if (!game || !moves || !game.running || !game.make(moves)) return false;
    this.#show();
    this.dispatchEvent(new CustomEvent('move', { bubbles: true, composed: true, detail: { moves, by, tiles: [...game.tiles], misplaced: game.misplaced } }));
    if (game.solved) {
      setText(this.#live, this.#words.solved(game.made.length));
      this.dispatchEvent(new CustomEvent('solved', { bubbles: true, composed: true, detail: { moves: game.made, by } }));
    }
    return true;
  }

  /** The game, with a solution from where it is: the recorded one or the engine's. Throws where there is none. */
  async #planned() {
    const game = this.#game;
    if (!game) throw new Error(this.#problem ?? 'the board is not on a page');
    if (!game.ahead && !game.solved) await this.#ask(game);
    return game;
  }

  /** Asks the engine; what becomes of the answer is decided here, for the player may have gone on meanwhile. @param {Play} game */
  async #ask(game) {
    if (!this.#engine) throw new Error('found neither a solution nor an engine');
    this.#search?.abort();
    const search = new AbortController();
    this.#search = search;
    this.#show();
    this.#say(this.#words.searching);
    const { rows, cols, blank } = game;
    let isFound = false;
    try {
      const { status, moves } = await this.#engine({ rows, cols, tiles: [...game.tiles], goal: whole(rows, cols, blank) }, { signal: search.signal });
      if (search.signal.aborted) throw new DOMException('the search was cancelled', 'AbortError');
      isFound = status === 'solved' && game.know(moves ?? '');
      if (!isFound) throw new Error(`found the answer “${status}”, expected moves that solve the position`);
    } finally {
      // Another search, or nobody, has the word where this one was cancelled.
      if (this.#search === search) {
        this.#search = null;
        this.#show();
        if (!isFound) this.#say(this.#words.unfound);
      }
    }
  }

  /** Solves a position that no recorded solution fits; null takes it away. @type {Engine | null} */
  get engine() { return this.#engine; }
  set engine(/** @type {Engine | null} */ engine) {
    this.#engine = engine;
    if (this.isConnected) this.#show();
  }

  /** Rows and columns: `4x3`, or `4` for a square. @type {string | null} */
  get size() { return this.getAttribute('size'); }
  set size(/** @type {string | null} */ value) { put(this, 'size', value); }

  /** The position at the start, as `pintu` reads boards: `1 2 3 / 4 0 5 / 7 8 6`. Shuffled without one. @type {string | null} */
  get position() { return this.getAttribute('position'); }
  set position(/** @type {string | null} */ value) { put(this, 'position', value); }

  /** The cell where the blank belongs, `row,col` from 0; the last one without it. @type {string | null} */
  get blank() { return this.getAttribute('blank'); }
  set blank(/** @type {string | null} */ value) { put(this, 'blank', value); }

  /** Moves of the blank that solve the position: U, L, D, R. @type {string | null} */
  get solution() { return this.getAttribute('solution'); }
  set solution(/** @type {string | null} */ value) { put(this, 'solution', value); }

  /** The address of a picture; the tiles have numbers without one. @type {string | null} */
  get picture() { return this.getAttribute('picture'); }
  set picture(/** @type {string | null} */ value) { put(this, 'picture', value); }

  /** Whether there are buttons under the board. @type {boolean} */
  get controls() { return this.hasAttribute('controls'); }
  set controls(/** @type {boolean} */ value) { this.toggleAttribute('controls', value); }

  /** The tiles as they lie, in reading order, 0 where the blank is. @type {number[]} */
  get tiles() { return [...(this.#game?.tiles ?? [])]; }

  /** The moves since the start, as the blank goes: U, L, D, R. @type {string} */
  get moves() { return this.#game?.made ?? ''; }

  /** Whether every tile is at home. @type {boolean} */
  get solved() { return this.#game?.solved ?? false; }

  /** What is wrong with the attributes; null when nothing is. @type {string | null} */
  get problem() { return this.#problem; }

  /** Moves the blank; false, and nothing changed, when one of the moves is not legal or the board is solved. @param {string} moves */
  move(moves) {
    this.pause();
    return this.#make(moves, 'script');
  }

  undo() { this.#takeBack(1); }

  reset() { this.#takeBack(Infinity); }

  #takeBack(/** @type {number} */ count) {
    this.pause();
    this.#game?.takeBack(count);
    this.#show();
  }

  /** Begins with another position, every solvable one with the same chance. A recorded solution is of no use then. */
  shuffle() {
    this.pause();
    const game = this.#game;
    if (!game) return;
    this.#game = new Play({ rows: game.rows, cols: game.cols, blank: game.blank, tiles: uniform(game.board, game.blank, random) });
    this.#build();
  }

  /** Makes the next move of a solution. Rejects where there is none. @returns {Promise<void>} */
  async step() {
    this.pause();
    const game = await this.#planned();
    this.#make(game.ahead.slice(0, 1), 'solution');
  }

  /** Plays a solution to its end, or until somebody pauses it. Rejects where there is none. @returns {Promise<void>} */
  async solve() {
    this.pause();
    const game = await this.#planned();
    await new Promise((resolve) => {
      this.#ended = () => resolve(undefined);
      const next = () => {
        this.#timer = 0;
        if (this.#make(game.ahead.slice(0, 1), 'solution') && game.running) this.#timer = setTimeout(next, STEP_MILLIS);
        else this.#ended();
        this.#show();
      };
      next();
    });
  }

  /** Ends a playback, and a search for one. */
  pause() {
    if (!this.#timer && !this.#search) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#ended();
    this.#search?.abort();
    this.#search = null;
    this.#show();
  }

  #paintPicture() {
    const address = this.getAttribute('picture');
    if (!address) return this.#hang(null);
    const picture = new Image();
    picture.src = address;
    return void picture.decode().then(() => { if (this.getAttribute('picture') === address) this.#hang(picture); }, () => { if (this.getAttribute('picture') === address) this.#hang(null); });
  }

  #hang(/** @type {HTMLImageElement | null} */ picture) {
    this.#picture = picture;
    if (this.#game) paint(this.#board, this.#game, picture);
  }
}

/** Sets an attribute, or takes it away. @param {HTMLElement} node @param {string} name @param {string | null} value */
function put(node, name, value) {
  if (value === null) node.removeAttribute(name);
  else node.setAttribute(name, value);
}
