// Texts that are pasted on a place itself, rather than into a field of it.

/** Calls back with what is pasted while a place is shown and no dialog is open. @param {() => boolean} isShown @param {(text: string) => void} use */
export function onPasted(isShown, use) {
  document.addEventListener('paste', (event) => {
    const typing = event.target instanceof Element && event.target.closest('input, textarea, select');
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (!isShown() || typing || document.querySelector('dialog[open]') || !text.trim()) return;
    event.preventDefault();
    use(text);
  });
}
