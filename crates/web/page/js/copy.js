// Copying a field's text.

import { t } from './i18n.js';
import { toast } from './sheets.js';

/** Copies what a field holds, and says so. The clipboard interface is missing on plain http; the old command still works there. */
export async function copyText(field) {
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.select();
    if (!document.execCommand('copy')) return toast(t('share.byHand'));
  }
  return toast(t('share.copied'));
}
