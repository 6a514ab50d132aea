// The end of a game: the missing piece fades in, a quiet celebration, and the card.

import { $, button, el, setText } from './dom.js';
import { clockText, decimal, t } from './i18n.js';
import { replay } from './film.js';
import { desk } from './table.js';
import { pictureUrl } from './pictures.js';
import { addRecord } from './records.js';
import * as session from './session.js';
import { part } from './later.js';
import { pref } from './prefs.js';
import { announce, sheet } from './sheets.js';
import { flush } from './sync.js';
import { winLine } from './extras.js';

const CARD_AFTER = 1100;
const OPTIMAL_SECONDS = 10;
const PETALS = 26;

const calm = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** The game on the table was just finished. */
async function won() {
  const game = session.keepClock();
  const set = await addRecord(game);
  void flush();
  announce(t('win.say', { time: clockText(game.millis), count: game.count }));
  if (!calm()) celebrate();
  setTimeout(() => { if (session.current() === game && game.solved && !document.querySelector('dialog[open]') && !pref('classic').on) card(game, set); }, calm() ? 300 : CARD_AFTER);
}

/** A few red petals fall over the whole picture. */
function celebrate() {
  $('board').classList.add('won-glow');
  setTimeout(() => $('board').classList.remove('won-glow'), 1500);
  for (let i = 0; i < PETALS; i += 1) {
    const petal = el('span', { className: 'petal' });
    petal.style.left = `${Math.random() * 100}%`;
    petal.style.top = `${-4 - Math.random() * 14}%`;
    $('frame').append(petal);
    const fall = [{ transform: 'translate(0, 0) rotate(0)', opacity: 0.9 }, { transform: `translate(${Math.random() * 120 - 60}px, ${$('frame').clientHeight * (0.7 + Math.random() * 0.5)}px) rotate(${Math.random() * 720}deg)`, opacity: 0 }];
    petal.animate(fall, { duration: 1500 + Math.random() * 1400, easing: 'cubic-bezier(.3,.2,.6,1)' }).finished.finally(() => petal.remove());
  }
}

function card(game, set) {
  const picture = el('div', { className: 'win-picture' });
  pictureUrl(game.picture, game).then(({ url }) => { picture.style.backgroundImage = `url("${url}")`; });
  const figure = (value, key) => el('div', {}, el('dt', {}, t(key)), el('dd', {}, value));
  const optimal = el('p', { className: 'muted', id: 'win-optimal' }, t('win.looking'));
  const flags = [set?.time && t('win.bestTime'), set?.moves && t('win.bestMoves')].filter(Boolean);
  const next = button(t('win.next'), () => { dialog.close(); session.shuffle(); }, { kind: 'filled', id: 'win-next' });
  const dialog = sheet('', [
    picture,
    el('p', { className: 'win-title' }, t('win.title')),
    el('dl', { className: 'win-figures' }, figure(clockText(game.millis), 'hud.time'), figure(String(game.count), 'hud.moves'), figure(game.millis ? decimal((game.count * 1000) / game.millis, 2) : '–', 'hud.rate')),
    flags.length ? el('p', { className: 'record-flag', id: 'win-record' }, flags.join(' · ')) : null,
    unranked(game),
    winLine(game),
    optimal,
    el('div', { className: 'actions' }, next, button(t('win.replay'), () => { dialog.close(); replay(game.toSave()); }, { id: 'win-replay' }), button(t('do.share'), async () => (await part('sharing')).openShare({ fromStart: true }), { id: 'win-share' })),
  ], { kind: 'win-card centred', focus: next });
  dialog.querySelector('h2').textContent = t('win.head');
  compare(game, optimal);
}

/** Why a game sets no record, where it does not. */
function unranked({ helped, origin }) {
  const why = origin !== 'scramble' ? `win.origin.${origin}` : helped ? 'win.helped' : null;
  return why && el('p', { className: 'muted', id: 'win-unranked' }, t(why));
}

/** Says how far from the shortest the player was, where that is known. */
async function compare(game, line) {
  try {
    const answer = await desk.ask(game.restarted(), { algorithm: 'auto', limits: { seconds: OPTIMAL_SECONDS } });
    if (answer.status !== 'solved') return setText(line, '');
    const least = answer.moves.length;
    const over = game.count - least;
    const key = answer.optimal ? (over === 0 ? 'win.perfect' : 'win.over') : over < 0 ? 'win.better' : 'win.about';
    return setText(line, t(key, { least, over }));
  } catch {
    return setText(line, '');
  }
}

export function initWin() {
  session.on('won', won);
}
