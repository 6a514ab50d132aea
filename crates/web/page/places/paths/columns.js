// How maps lie beside each other: in as many columns as show them largest.

/** Between two maps, in pixels. */
const GAP = 10;
/** Around a map: its frame to the left and right; above and below it its name and figures, which take more lines where they are narrow. */
const SIDES = 24;
const ABOUT = 118;
const NARROW = { width: 260, about: 170 };

/**
 * The number of columns in which so many maps of one shape are shown largest, in a room of so many pixels.
 * @param {number} count
 * @param {{ width: number, height: number }} shape
 * @param {{ width: number, height: number }} room
 */
export function columnsFor(count, shape, room) {
  let best = { columns: 1, scale: 0 };
  for (let columns = 1; columns <= count; columns += 1) {
    const lines = Math.ceil(count / columns);
    const width = (room.width - GAP * (columns - 1)) / columns - SIDES;
    const height = (room.height - GAP * (lines - 1)) / lines - (width < NARROW.width ? NARROW.about : ABOUT);
    const scale = Math.min(width / shape.width, height / shape.height);
    if (scale > best.scale) best = { columns, scale };
  }
  return best.columns;
}
