// Where there is no room for three zones: the middle is there, and the others come in sheets.

export const NARROW = matchMedia('(max-width: 1099px)');
