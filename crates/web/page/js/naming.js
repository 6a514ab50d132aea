// Names of games and their progress, for the sheets of games.

import { dayOf, numberOf } from '../daily/day.js';
import { clockText, language, t } from './i18n.js';
import { builtinName } from './pictures.js';
/** @import { Game } from './game.js' */

export function pictureName(/** @type {string} */ picture) {
  const name = builtinName(picture);
  return name ? t(`picture.${name}`) : t('picture.mine');
}

/** A calendar's date in words; UTC, for it is no moment. @param {string} date @param {Intl.DateTimeFormatOptions} how */
export const dateText = (date, how) => new Intl.DateTimeFormat(language() === 'zh' ? 'zh-CN' : 'en', { ...how, timeZone: 'UTC' }).format(new Date(numberOf(date) * 86_400_000));

/** The name of an unnamed game: its day if it is a daily puzzle, else its picture. @param {Game} game */
export function gameName(game) {
  if (game.origin !== 'daily') return pictureName(game.picture);
  const date = dayOf(game);
  return date ? t('saves.dailyOf', { date: dateText(date, { month: 'long', day: 'numeric' }) }) : t('saves.daily');
}

/** A name as the server takes it: without control characters and halves of letters, and not too long. */
export const wellNamed = (/** @type {string} */ text) => [...text.replace(/[\p{Cc}\p{Cs}]/gu, '')].slice(0, 80).join('');

/** A name for a copy that nobody named. @param {Game} game */
export const suggested = (game) => t('saves.suggested', { picture: gameName(game), size: `${game.rows}×${game.cols}`, count: game.count });

export const progressOf = (/** @type {Game} */ game) => [`${game.rows}×${game.cols}`, t('saves.inPlace', { home: game.tiles.length - 1 - game.misplaced, all: game.tiles.length - 1 }), t('moves', { count: game.count }), clockText(game.millis)].join(' · ');
