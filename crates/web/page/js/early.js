// Runs before the first paint: the look, the language and the board's shape, so that nothing flashes or moves.
(() => {
  // With a password in its address a document may ask for nothing: it is opened anew without, and the browser knows the password by then.
  const bare = Object.assign(new URL(document.URL), { username: '', password: '' }).href;
  if (bare !== document.URL) location.replace(bare);
  const root = document.documentElement;
  const kept = (/** @type {string} */ key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const contrast = matchMedia('(prefers-contrast: more)');
  const look = () => {
    const theme = kept('pintu.theme') ?? 'auto';
    root.dataset.look = theme !== 'auto' ? theme : contrast.matches ? 'contrast' : dark.matches ? 'dark' : 'light';
    root.dataset.shade = dark.matches ? 'dark' : 'light';
  };
  look();
  dark.addEventListener('change', look);
  contrast.addEventListener('change', look);
  addEventListener('pintu:theme', look);
  const wanted = kept('pintu.language') ?? (navigator.languages ?? [navigator.language]).find((name) => /^(zh|en)/i.test(name)) ?? 'en';
  root.lang = /^zh/i.test(wanted) ? 'zh-Hans' : 'en';
  root.classList.toggle('calm', kept('pintu.calm') === 'true');
  try {
    // The first game is 3×3 until it has been won.
    const board = kept('pintu.met') === 'true' ? JSON.parse(kept('pintu.board') ?? '{}') : { rows: 3, cols: 3 };
    for (const side of ['rows', 'cols']) if (Number.isInteger(board[side])) root.style.setProperty(`--${side}`, String(board[side]));
  } catch {
    // Without storage the board gets its shape a moment later.
  }
  root.dataset.place ??= location.pathname.slice(1) || 'play';
  const here = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  for (const name of [`i18n/${root.lang === 'en' ? 'en' : 'zh'}`, ...(root.dataset.place === 'play' ? ['play'] : [])]) {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: new URL(`${name}.js`, here).href }));
  }
})();
