// The player's sheet: other devices, the recovery phrase, the nickname, and everything in one file.

import { button, el, refill } from '../js/dom.js';
import { Gone } from '../js/errors.js';
import { linkTo } from '../js/host.js';
import { errorText, language, t } from '../js/i18n.js';
import { claim, unfinished } from '../js/library.js';
import { dateText } from '../js/naming.js';
import * as session from '../js/session.js';
import { copyText, linkParts } from '../js/share.js';
import { ask, sheet, toast } from '../js/sheets.js';
import { askToStay } from '../js/store.js';
import { flush, flushAll } from '../js/sync.js';
import { exportAllButton } from '../js/transfer.js';
import { bring, check } from './follow.js';
import * as service from './service.js';
/** @import { Device, Player } from './service.js' */

/** Does something that the server may refuse, and says why if it does. @param {() => Promise<any>} act */
export async function trying(act) {
  try {
    return await act();
  } catch (error) {
    toast(() => t('players.failed', { error: errorText(error) }));
    return null;
  }
}

/** Opens the sheet, at one of its fields if need be. */
export async function openPlayer(field = '') {
  const body = el('div', { className: 'sheet-body', id: 'player' }, el('p', { className: 'muted' }, t('players.wait')));
  sheet(t('players.title'), body);
  const draw = async () => {
    try {
      fill(body, await check(), draw);
    } catch (error) {
      refill(body, el('p', {}, error instanceof Gone ? t('players.offline') : t('players.failed', { error: errorText(error) })));
    }
  };
  await draw();
  if (field) body.querySelector(field)?.focus();
}

/** @param {HTMLElement} body @param {Player} player @param {() => Promise<void>} draw */
function fill(body, player, draw) {
  const parts = [
    el('p', { className: 'muted' }, t('players.what')),
    player.is_banned && el('p', { className: 'error' }, t('keep.server.banned')),
    el('div', { className: 'actions' },
      button(t('players.pair'), () => void openCode(draw), { kind: 'filled', id: 'player-pair' }),
      button(t('players.enter'), () => openJoin('', draw), { id: 'player-enter' })),
    el('h3', {}, t('players.devices')),
    el('ul', { className: 'devices', id: 'player-devices' }, player.devices.map((device) => item(device, player, draw))),
    !player.devices.length && el('p', { className: 'muted' }, t('players.alone')),
    el('h3', {}, t('players.nickname')),
    nicknamePart(player, draw, body.querySelector('#player-nickname')),
    el('h3', {}, t('players.phrase')),
    el('p', { className: 'muted' }, t(player.has_phrase ? 'players.phraseThere' : 'players.phraseNone')),
    el('div', { className: 'actions' }, button(t(player.has_phrase ? 'players.phraseAgain' : 'players.phraseMake'), () => void openPhrase(player, draw), { id: 'player-phrase' })),
    el('h3', {}, t('players.data')),
    el('div', { className: 'actions' }, exportAllButton()),
    el('p', { className: 'muted' }, t('players.delete', { button: t('saves.wipe') })),
  ];
  refill(body, ...parts.filter(Boolean));
}

/** @param {Device} device @param {Player} player @param {() => Promise<void>} draw */
function item(device, player, draw) {
  const name = device.name || t('players.device');
  const used = device.used_millis > 0 ? dateText(new Date(device.used_millis).toISOString().slice(0, 10), { year: 'numeric', month: 'short', day: 'numeric' }) : '';
  const renamed = async () => {
    const chosen = await askText(t('players.renameTitle'), t('players.deviceName'), name, 40);
    if (chosen && await trying(() => service.renameDevice(device.id, chosen))) await draw();
  };
  const away = async () => {
    const text = device.is_current ? t('players.leaveText') : t(player.has_phrase ? 'players.sendAwayWords' : 'players.sendAwayText', { name });
    const isSure = await ask(t('players.sendAwayTitle'), text, [{ label: t('players.sendAway'), value: true, kind: 'filled' }, { label: t('cancel'), value: false }]);
    if (!isSure) return;
    await trying(() => service.sendAway(device.id));
    await draw();
  };
  return el('li', { 'data-device': device.is_current ? 'this' : 'other' },
    el('span', {}, el('b', {}, name), ' ', el('span', { className: 'muted' }, device.is_current ? t('players.this') : t('players.used', { date: used }))),
    button(t('players.rename'), renamed, { 'aria-label': `${t('players.rename')}: ${name}` }),
    button(t('players.sendAway'), away, { 'aria-label': `${t('players.sendAway')}: ${name}` }));
}

/** @param {Player} player @param {() => Promise<void>} draw @param {HTMLInputElement | null} before The field with what was typed in it. */
function nicknamePart(player, draw, before) {
  const field = el('input', { type: 'text', id: 'player-nickname', defaultValue: player.nickname ?? '', maxLength: 20, autocomplete: 'nickname', 'aria-label': t('players.nickname') });
  if (before && before.value !== before.defaultValue) field.value = before.value;
  const keep = async () => {
    if (await trying(() => service.rename(field.value.trim() || null))) {
      field.defaultValue = field.value;
      toast(() => t('players.nicknameKept'));
      await draw();
    }
  };
  return el('form', { className: 'row', onsubmit: (/** @type {Event} */ event) => { event.preventDefault(); void keep(); } }, field,
    el('button', { type: 'submit', className: 'button', id: 'player-name' }, t('players.keep')), el('p', { className: 'muted' }, t('players.nicknameText')));
}

/** Asks for a line of text; null when the sheet was closed. @param {string} title @param {string} label @param {string} value @param {number} most @returns {Promise<string | null>} */
function askText(title, label, value, most) {
  return new Promise((resolve) => {
    /** @type {string | null} */ let answer = null;
    const field = el('input', { type: 'text', value, maxLength: most, 'aria-label': label, id: 'player-text' });
    const done = (/** @type {Event} */ event) => { event.preventDefault(); answer = field.value.trim(); dialog.close(); };
    const dialog = sheet(title, el('form', { className: 'row', onsubmit: done }, field, el('button', { type: 'submit', className: 'button filled' }, t('players.keep'))), { kind: 'centred', focus: field });
    dialog.addEventListener('close', () => resolve(answer));
  });
}

/** Shows a code that another device enters, and the same as a picture for its camera. @param {() => Promise<void>} [after] */
async function openCode(after = async () => {}) {
  // The other device asks for the games as soon as it has joined.
  await flush();
  const made = await trying(service.makeCode);
  if (!made) return;
  askToStay();
  const code = `${made.code.slice(0, 4)} ${made.code.slice(4)}`;
  const { field, here, acts } = linkParts(linkTo(`#join=${made.code}`));
  const dialog = sheet(t('players.pair'), [
    el('p', {}, t('players.pairText', { settings: t('settings.title'), open: t('players.open'), enter: t('players.enter'), minutes: Math.round(made.seconds / 60) })),
    made.qr && el('img', { className: 'pair-qr', src: `data:image/svg+xml,${encodeURIComponent(made.qr)}`, alt: t('players.qr') }),
    el('p', { className: 'pair-code', id: 'pair-code' }, code),
    el('p', { className: 'muted' }, t('players.pairSecret')),
    field, here, acts,
  ], { kind: 'centred' });
  const stop = watchDevices((name) => { dialog.close(); toast(() => t('players.came', { name: name || t('players.device') })); });
  dialog.addEventListener('close', () => { stop(); void bring().catch(() => 0).then(after); });
}

const LOOK_MILLIS = 2000;
/** Looks every two seconds whether a device has joined, and says its name once; returns what ends that. @param {(name: string) => void} came */
function watchDevices(came) {
  /** @type {Set<string> | null} */ let known = null;
  const look = async () => {
    const { devices } = await service.player().catch(() => ({ devices: [] }));
    const fresh = known && devices.find(({ id }) => !known?.has(id));
    known ??= devices.length ? new Set(devices.map(({ id }) => id)) : null;
    if (!fresh || !timer) return;
    stop();
    came(fresh.name);
  };
  const stop = () => { clearInterval(timer); timer = 0; };
  let timer = setInterval(() => void look(), LOOK_MILLIS);
  void look();
  return stop;
}

/** Asks for the code, or the words, of another device, and joins its player: never without being asked, for a link may come from anybody. @param {string} code @param {() => Promise<void>} [after] */
function openJoin(code, after = async () => {}) {
  const field = el('textarea', { id: 'join-text', className: 'paste-box', rows: 2, value: code, 'aria-label': t('players.codeOrWords'), autocapitalize: 'off', spellcheck: false,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== 'Enter' || event.isComposing) return;
      event.preventDefault();
      if (!event.repeat) void join();
    } });
  const join = async () => {
    const text = field.value.trim();
    if (!text) {
      field.focus();
      return;
    }
    const words = text.split(/\s+/).length > 2 || /[^\x20-\x7e]/.test(text);
    if (!await trying(() => service.join(words ? { phrase: text } : { code: text }))) return;
    dialog.close();
    // What one player was refused the other may send.
    await flushAll();
    const came = await bring().catch(() => 0);
    // On a table where nothing was begun lies what was played last.
    const [latest] = session.current().fresh ? await unfinished() : [];
    if (latest) await claim(latest.game, { steal: false });
    toast(() => t('players.joined', { count: came }));
    await after();
  };
  const dialog = sheet(t('players.enter'), [
    el('p', {}, t('players.joinText')), field, el('p', { className: 'muted' }, t('players.joinTrust')),
    el('div', { className: 'actions' }, button(t('players.join'), () => void join(), { kind: 'filled', id: 'join-go' })),
  ], { kind: 'centred', focus: field });
}

/** Makes a phrase and shows it once. @param {Player} player @param {() => Promise<void>} draw */
async function openPhrase(player, draw) {
  const isSure = !player.has_phrase || await ask(t('players.phraseAgain'), t('players.phraseReplaces'), [{ label: t('players.phraseAgain'), value: true, kind: 'filled' }, { label: t('cancel'), value: false }]);
  const made = isSure && await trying(service.makePhrase);
  if (!made) return;
  askToStay();
  const words = el('textarea', { id: 'phrase-words', className: 'paste-box', readOnly: true, rows: 3, value: language() === 'zh' ? made.zh : made.en, 'aria-label': t('players.phrase'), onfocus: () => words.select() });
  const dialog = sheet(t('players.phrase'), [el('p', {}, t('players.phraseText')), words, el('div', { className: 'actions' }, button(t('players.copy'), () => copyText(words), { kind: 'filled' }))], { kind: 'centred' });
  dialog.addEventListener('close', () => void draw());
}

/** Joins by the link of a QR picture; resolves to whether the address had one. */
export function joinFromAddress() {
  const found = /^#join=([0-9A-Za-z]{8})$/.exec(location.hash);
  if (!found) return false;
  history.replaceState(null, '', location.pathname);
  openJoin(found[1]);
  return true;
}
