// Past the head and all that is set up, to what a place is about, with one key.

/** Gives the focus to what one came for: where one draws, the tab that is open, or the place's title. */
export function skip() {
  const first = (what) => /** @type {HTMLElement | null} */ (document.querySelector(`main:not([hidden]) ${what}`));
  (first('[role=application]') ?? first('[role=tab][aria-selected=true]') ?? first('h1'))?.focus();
}
