// Everything that the first paint does not need, as one script (see `later.js`).

import * as classic from '../classic/classic.js';
import { finished, openDaily, showDay } from '../daily/daily.js';
import { feel } from '../feel/feel.js';
import { openHelp, openKeys } from '../howto/howto.js';
import { openLessons } from '../lessons/lessons.js';
import { followDevices } from '../players/follow.js';
import { joinFromAddress, openPlayer } from '../players/sheet.js';
import { followTable } from './album.js';
import * as film from './film.js';
import { hint, toggleLeft } from './hints.js';
import { initLookalike } from './lookalike.js';
import { openPicker, take } from './picker.js';
import * as prospects from './prospects.js';
import { offer, openSaves, openSaving } from './games-sheet.js';
import { openSettings } from './settings.js';
import { openShape } from './shapes.js';
import { openFromAddress, openShare } from './share.js';
import { solveNow, warnUnsolvable } from './solver.js';
import { openFile } from './transfer.js';
import { glow, scatter, showCard } from './wincard.js';

export { classic, feel, film, finished, glow, hint, followDevices, followTable, initLookalike, joinFromAddress, offer, openDaily, openFile, openFromAddress, openHelp, openKeys, openLessons, openPicker, openPlayer, openSaves, openSaving, openSettings, openShape, openShare, prospects, scatter, showCard, showDay, solveNow, take, toggleLeft, warnUnsolvable };
