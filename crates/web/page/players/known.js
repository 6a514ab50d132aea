// What this browser knows of its player: who it is, and whether other devices share its games. Small, for the first paint needs it.

const KEY = 'pintu.player';

/** @returns {{ id: string | null, shared: boolean }} */
export function known() {
  try {
    return { id: null, shared: false, ...JSON.parse(localStorage.getItem(KEY) ?? '{}') };
  } catch {
    return { id: null, shared: false };
  }
}

/** @param {{ id: string | null, shared: boolean }} player */
export function remember(player) {
  try {
    localStorage.setItem(KEY, JSON.stringify(player));
  } catch {
    // Then the games of other devices come when the sheet of games is opened.
  }
}

/** Whether another device may have played on, or deleted a game. */
export const isShared = () => known().shared;
