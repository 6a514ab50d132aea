// What a game is called and how far it is, in the sheets of games.

import { clockText, t } from './i18n.js';
import { builtinName } from './pictures.js';

/** A picture's name for people. */
export function pictureName(picture) {
  const name = builtinName(picture);
  return name ? t(`picture.${name}`) : t('picture.mine');
}

/** A name for a copy that nobody named. */
export const suggested = (game) => t('saves.suggested', { picture: pictureName(game.picture), size: `${game.rows}×${game.cols}`, count: game.count });

/** How far a game is, in one line. */
export const progressOf = (game) => [`${game.rows}×${game.cols}`, t('saves.inPlace', { home: game.tiles.length - 1 - game.misplaced, all: game.tiles.length - 1 }), t('moves', { count: game.count }), clockText(game.millis)].join(' · ');
