// The desk of the table, at which searches about the game on it are asked. Whoever asks brings it along: before somebody
// does, there is nothing to stop.

import { helpDesk } from './help.js';
import { createDesk } from './search.js';
import * as session from './session.js';

/** Where the solver is asked; what it tells of the game on the table is help. */
export const desk = helpDesk(createDesk());

for (const name of ['interrupt', 'enough']) session.on(name, desk.stop);
