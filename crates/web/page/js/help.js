// Decides what counts as help: anything that the solver tells of the position on the table (a hint, the moves left, a
// solution or its length), and the Lab, once it has that position or searches it. The player is warned before it counts.

import { dayOf, today } from '../daily/day.js';
import { Gone, Refused } from './errors.js';
import { errorText, knows, t } from './i18n.js';
import { laterWords } from './later.js';
import { mark, unfinished } from './library.js';
import { pref, setPref } from './prefs.js';
import { createSearchSlot, recall } from './search.js';
import * as session from './session.js';
import { ask } from './sheets.js';
/** @import { Game } from './game.js' */

/** The longest wait for the kept games, in milliseconds: a store that hangs must not hold up a search. */
const KEPT_MILLIS = 2000;

/**
 * What help would cost a game, in words: a scramble its record, a day's puzzle, begun here or by a link to
 * it, its day. Null where there is nothing to lose. @param {Game} game
 */
async function cost(game) {
  if (!game.running || game.helped) return null;
  await laterWords();
  if (game.origin === 'scramble') return t(pref('calm') ? 'help.calm' : 'help.text');
  if (!['daily', 'link'].includes(game.origin)) return null;
  const date = dayOf(game);
  return date && t(game.ranked ? 'help.ranked' : date === today() ? 'help.today' : 'help.day');
}

/**
 * Says that what was asked for counts as help, if it would cost this game something, and whether it is wanted all the
 * same: the first time and in each ranked game, or `everyTime` for what does not look like help, in words of its own where
 * it has some. Resolves to whether to go on.
 */
export async function agree({ everyTime = false, said = '' } = {}) {
  const game = session.current();
  if (pref('told') && !everyTime && !game.ranked) return true;
  const lost = await cost(game);
  if (lost === null) return true;
  const wanted = await confirm(said || lost);
  if (wanted && !everyTime) setPref('told', true);
  return wanted && session.current() === game;
}

const confirm = async (/** @type {string} */ text) => (await ask(t('help.title'), text, [{ label: t('cancel'), value: false }, { label: t('help.take'), value: true, kind: 'filled' }])) === true;

/**
 * Whether a position is to be searched that need not be on the table: each unfinished game of the player's that has come by it is a
 * helped one then. Says so first, in these words, where one of them has something to lose.
 * @param {string} key
 * @param {string} said
 */
export function agreeToSearch(key, said) {
  if (question.key !== key) question = { key, answer: askAbout(key, said).finally(() => { question = NONE; }) };
  return question.answer;
}

/** The position about which the player is being asked: one who searches it twice is asked once. */
const NONE = { key: '', answer: Promise.resolve(true) };
let question = NONE;

async function askAbout(/** @type {string} */ key, /** @type {string} */ said) {
  const mine = session.own();
  const kept = await Promise.race([unfinished().catch(() => []), new Promise((/** @type {(none: { game: Game }[]) => void} */ resolve) => { setTimeout(() => resolve([]), KEPT_MILLIS); })]);
  const others = kept.map(({ game }) => game).filter(({ id }) => id !== mine.id);
  const about = [mine, ...others].filter((game) => game.running && key.startsWith(game.key.split(':')[0]) && comesBy(game, [key]));
  const losses = await Promise.all(about.map(cost));
  if (losses.some((lost) => lost !== null) && !(await confirm(said))) return false;
  if (about.includes(mine)) session.markHelped(mine);
  const scrambles = new Set(about.map(({ scramble }) => scramble));
  if (scrambles.size) await mark('helped', ({ scramble }) => scrambles.has(scramble));
  return true;
}

/** The position for which the kept games were looked through last. */
let looked = '';

/**
 * Notes that the solver helped with the game on the table, and so with each kept one that has come by the same position,
 * or by the one from which this game began: a link to it may have been made to ask there.
 */
export async function markHelped() {
  session.markHelped();
  const game = session.current();
  const keys = [game.key, game.scramble];
  if (looked === keys.join()) return;
  looked = keys.join();
  await mark('helped', (other) => other.scramble === game.scramble || (other.running && comesBy(other, keys)));
}

/** Whether a game has come by one of some positions, be it that it went back since. @param {Game} game @param {string[]} keys */
function comesBy(game, keys) {
  const walker = game.fromStart();
  const way = game.moves + [...game.future].reverse().join('');
  return keys.includes(walker.key) || [...way].some((move) => walker.make(move) && keys.includes(walker.key));
}

/** Notes that a solution of a position was told; it is help where that position is on the table. @param {Game} game @param {string} key @template {{ moves: string } | null | undefined} T @param {T} solution */
function told(game, key, solution) {
  if (solution?.moves && game === session.current() && game.key === key) void markHelped();
  return solution;
}

/**
 * A search slot: what is told of the game on the table makes it a helped one. What is known already is told here as well.
 * @param {ReturnType<typeof import('./search.js').createSearchSlot>} slot
 */
const helpSlot = (slot) => ({
  ...slot,
  /** @type {typeof slot.ask} */
  ask: async (game, options, callbacks = {}) => {
    const { key } = game;
    const { onBetter } = callbacks;
    const better = onBetter && ((/** @type {import('./search.js').Found} */ found) => { told(game, key, found); onBetter(found); });
    return told(game, key, await slot.ask(game, options, { ...callbacks, onBetter: better }));
  },
  recall: (/** @type {Game} */ game) => told(game, game.key, recall(game)),
});

/** Why the solver has no answer. @param {any} error */
export const failureText = (error) => (error instanceof Gone ? t('solve.gone') : error instanceof Refused && error.isBusy ? t('solve.full') : t('solve.error', { error: errorText(error) }));

/** What a search ran out of. Any other reason is a server that has ended it for others. @param {{ reason: string }} answer */
export const limitText = ({ reason }) => t(knows(`limit.${reason}`) ? `limit.${reason}` : 'limit.share');

/** Where the solver is asked; what it tells of the game on the table is help. */
export const slot = helpSlot(createSearchSlot());

for (const name of ['interrupt', 'enough']) session.on(name, slot.stop);
