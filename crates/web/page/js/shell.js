// Commands that are shown to be copied: whatever stands in them, a shell hands it on as it is and runs nothing of it.

const PLAIN = /^[\w./,:=@%+-]+$/;
/** Signs that a terminal takes for keys when they are pasted, or that show a text other than it is. */
const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

const quoted = (/** @type {string} */ word) => (PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** A command line of these words, for a POSIX shell; null where one of them cannot be pasted into a terminal safely. @param {string[]} words */
export const commandLine = (words) => (words.some((word) => UNSAFE.test(word)) ? null : words.map(quoted).join(' '));
