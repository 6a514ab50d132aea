// The card of a win: the figures beside the player's last and best, the shortest there is, and where moves were lost.

import { between } from './between.js';
import { whyNot } from './counting.js';
import { shuffle } from './deals.js';
import { desk } from './desk.js';
import { button, el, setText } from './dom.js';
import { winLine } from './extras.js';
import { replay } from './film.js';
import { clockText, decimal, knows, rateText, shownMillis, t, whole } from './i18n.js';
import { part } from './later.js';
import { pictureUrl } from './pictures.js';
import { manhattan } from './rules.js';
import { sheet } from './sheets.js';

const OPTIMAL_SECONDS = 10;

/** Shows the card of a game that was won, with the records it set and what was there before. */
export function showCard(game, set, past) {
  const picture = el('div', { className: 'win-picture' });
  pictureUrl(game.picture, game).then(({ url }) => { picture.style.backgroundImage = `url("${url}")`; });
  const figure = (value, key) => el('div', {}, el('dt', {}, t(key)), el('dd', {}, value));
  const optimal = el('p', { className: 'muted', id: 'win-optimal' }, t('win.looking'));
  const lost = el('div', { className: 'win-lost', id: 'win-lost' });
  const flags = [set?.time && t('win.bestTime'), set?.moves && t('win.bestMoves')].filter(Boolean);
  const next = button(t('win.next'), () => { dialog.close(); shuffle(); }, { kind: 'filled', id: 'win-next' });
  const again = (stretch) => { dialog.close(); replay(game.toSave(), stretch); };
  const dialog = sheet(t('win.title'), [
    picture,
    el('dl', { className: 'win-figures' }, figure(clockText(game.millis), 'hud.time'), figure(whole(game.count), 'hud.moves'), figure(rateText(game.own, game.millis), 'hud.rate')),
    flags.length ? el('p', { className: 'record-flag', id: 'win-record' }, flags.join(' · ')) : null,
    winLine(game),
    unranked(game, past.own),
    before(game, past),
    optimal,
    lost,
    el('div', { className: 'actions' }, next, button(t('win.replay'), () => again(null), { id: 'win-replay' }),
      button(t('do.share'), async () => (await part('sharing')).openShare({ fromStart: true }), { id: 'win-share' }),
      button(t('win.picture'), async () => (await part('postcard')).openPostcard(game), { id: 'win-postcard' })),
  ], { kind: 'win-card centred', focus: next });
  dialog.addEventListener('close', desk.stop);
  void compare(game, optimal).then((shortest) => {
    // Its room was kept until here, so that the buttons stay where they are.
    lost.hidden = !shortest || game.count <= shortest.moves.length;
    if (!lost.hidden) void showLost(game, shortest, { line: lost, again, isOpen: () => dialog.open });
  });
}

/** The player's last game on such a board, and the best, beside this one. */
function before(game, { last, time, moves }) {
  if (!last) return null;
  const row = (key, millis, count) => el('tr', {}, el('th', { scope: 'row' }, t(key)),
    el('td', {}, clockText(millis), ' ', el('small', {}, signed(shownMillis(game.millis) - shownMillis(millis), secondsText))),
    el('td', {}, t('moves', { count }), ' ', el('small', {}, signed(game.count - count, String))));
  return el('table', { className: 'win-past', id: 'win-past' }, el('tbody', {}, row('win.last', last.millis, last.moves), row('win.best', time.millis, moves.moves)));
}

/** A difference with its sign: fewer is better. */
const signed = (value, text) => (value === 0 ? '±0' : `${value > 0 ? '+' : '−'}${text(Math.abs(value))}`);
/** A difference of times: so many seconds, or as the clock says it where there are minutes. */
const secondsText = (millis) => (millis < 60_000 ? decimal(millis / 1000) : clockText(millis));

/** Why a game sets no record, where it does not: one that was undone and finished once more counts as it was first finished. */
function unranked(game, own) {
  const why = whyNot(game);
  const text = own ? t('win.counts', { count: own.moves, time: clockText(own.millis) }) : why && t(`win.out.${why}`);
  return text && el('p', { className: 'muted', id: 'win-unranked' }, text);
}

/** How far from the shortest a game of so many moves was, with a solution of `least` moves, where no solution is shorter than `bound`. */
function verdict(count, { least, bound, optimal }) {
  // A bound that somebody has reached proves it.
  const shortest = optimal || bound >= least ? least : bound >= count ? count : null;
  if (shortest !== null) return t(count > shortest ? 'win.over' : 'win.perfect', { least: shortest, over: count - shortest });
  return t(count > least ? 'win.about' : count === least ? 'win.equal' : 'win.better', { least, bound, over: count - least });
}

/**
 * Says how far from the shortest the player was: what is proved, or else between which numbers the shortest lies.
 * Resolves to the shortest solution that is known, if one is.
 */
async function compare(game, line) {
  const start = game.restarted();
  const text = ({ moves, optimal }, bound) => verdict(game.count, { least: moves.length, optimal, bound: bound ?? manhattan(start.board, start.tiles, start.blank) });
  let said = '';
  const onBetter = (found) => {
    if (found.isOwn) return;
    said = text(found, found.bound);
    setText(line, `${said}${between()}${t('win.looking')}`);
  };
  try {
    const answer = await desk.ask(start, { algorithm: 'auto', limits: { seconds: OPTIMAL_SECONDS } }, { onBetter });
    if (answer.status === 'solved') said = text(answer, answer.lower_bound);
    else if (!said && knows(`limit.${answer.reason}`)) said = t('win.limit', { why: t(`limit.${answer.reason}`) });
    return answer.status === 'solved' ? answer : null;
  } catch {
    // What was found before nobody answered any more still holds.
    return null;
  } finally {
    setText(line, said);
  }
}

/** Shows where most moves were lost, with one press to see it. */
async function showLost(game, shortest, { line, again, isOpen }) {
  line.replaceChildren(el('p', { className: 'muted' }, t('win.lostLooking')));
  const { worstStretch } = await part('analysis');
  const worst = await worstStretch(game, shortest, isOpen).catch(() => null);
  line.hidden = worst === null;
  line.replaceChildren();
  if (!worst) return;
  const { from, to, lost, over, isProved } = worst;
  line.replaceChildren(el('p', { className: 'muted' }, t(`win.lost.${isProved ? (lost === over ? 'all' : 'some') : 'about'}${to - from === 1 ? 'At' : ''}`, { from: from + 1, to, lost, over })), button(t('win.see'), () => again({ from, to }), { symbol: 'play', id: 'win-see' }));
  line.scrollIntoView({ block: 'nearest' });
}
