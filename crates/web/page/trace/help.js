// The help of a place that shows searches: what it is about, and its keys with those of the player.

import { t } from '../js/i18n.js';
import { part } from '../js/later.js';

const PLAYER = [
  { keys: ['Space'], text: 'trace.keys.play' },
  { keys: ['← →', ', .'], text: 'trace.keys.step' },
  { keys: ['Shift ← →'], text: 'trace.keys.event' },
  { keys: ['PgUp', 'PgDn'], text: 'trace.keys.page' },
  { keys: ['Home', 'End'], text: 'trace.keys.ends' },
];

/** Opens the help of a place: its title and texts, by their keys. */
export const openPlaceHelp = async (title, texts) => (await part('howto')).openKeys(t(title), texts.map((key) => t(key)), PLAYER);
