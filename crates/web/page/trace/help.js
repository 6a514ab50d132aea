// The help of a place that shows searches: what it is about, and its keys with those of the player.

import { t } from '../js/i18n.js';
import { part } from '../js/later.js';
import { PAGE } from './player.js';

const PLAYER = [
  { keys: ['Space'], text: 'trace.key.play' },
  { keys: ['← →', ', .'], text: 'trace.key.step' },
  { keys: ['Shift ← →'], text: 'trace.key.event' },
  { keys: ['PgUp', 'PgDn'], text: 'trace.key.page', values: { n: PAGE } },
  { keys: ['Home', 'End'], text: 'trace.key.ends' },
  { keys: ['F'], text: 'trace.present' },
];

/** Opens the help of a place: its title and texts, by their keys. */
export const openPlaceHelp = async (title, texts) => (await part('howto')).openKeys(t(title), texts.map((key) => t(key)), PLAYER);
