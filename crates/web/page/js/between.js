// What stands between two sentences.

import { language } from './i18n.js';

/** A blank, but in Chinese, where the stop brings its own. */
export const between = () => (language() === 'zh' ? '' : ' ');
