// Says each move of the player's to a screen reader; a playback stays quiet.

import { t } from './i18n.js';
import { OPPOSITE, neighbour } from './rules.js';
import * as session from './session.js';
import { announce } from './sheets.js';

function say({ run, source }) {
  const game = session.current();
  if (source === 'playback' || game.solved) return;
  announce(t('say.move', { what: what(game, run), moves: t('moves', { count: game.count }), misplaced: game.misplaced }));
}

function what(game, run) {
  if ([...run].some((letter) => letter !== run[0])) return t('say.back', { count: run.length });
  const way = t(`way.${OPPOSITE[run[0]]}`);
  if (run.length > 1) return t('say.run', { count: run.length, way });
  // The tile that was slid lies where the blank came from.
  return t('say.tile', { tile: game.tiles[neighbour(game.board, game.hole, OPPOSITE[run])], way });
}

export const initVoice = () => session.on('moved', say);
