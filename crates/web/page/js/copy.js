// A link to be copied: its field, and the buttons that copy it or send it on.

import { button, el } from './dom.js';
import { t } from './i18n.js';
import { toast } from './sheets.js';

/** The field with a link, what can be done with it, and that it means something here alone, if so. */
export function linkParts(link) {
  const field = el('input', { type: 'text', id: 'share-link', className: 'share-url', readOnly: true, value: link, 'aria-label': t('share.link'), onfocus: () => field.select() });
  const acts = [button(t('share.copy'), () => copyText(field), { kind: 'filled', id: 'copy-link' })];
  if (navigator.share) acts.push(button(t('share.send'), () => navigator.share({ title: document.title, url: link }).catch(() => {})));
  const here = onlyHere() && el('p', { className: 'error', id: 'share-here' }, t('share.onlyHere', { host: location.host }));
  return { field, here, acts: el('div', { className: 'actions' }, acts) };
}

/** Whether this page's address means something on this computer alone. */
const onlyHere = () => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

/** Copies what a field holds, and says so. The clipboard interface is missing on plain http; the old command still works there. */
export async function copyText(field) {
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    if (!document.execCommand('copy')) return toast(() => t('share.byHand'));
  }
  return toast(() => t('share.copied'));
}
