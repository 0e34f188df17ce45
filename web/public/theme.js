// Runs before the first paint: first the theme, so that none flashes. The same rules stand in web/ui/theme.ts.
(() => {
  const root = document.documentElement;
  let dark = null;
  let colourBlind = null;
  let mayBeUser = /[?&#](code|access_token)=/.test(location.search + location.hash);
  try {
    dark = localStorage.getItem('darkMode');
    colourBlind = localStorage.getItem('colourBlind');
    mayBeUser ||= Object.keys(localStorage).some((key) => /^sb-.+-auth-token$/.test(key));
  } catch {
    // Storage may be blocked: the system's preference decides.
  }
  const isDark = dark === null ? !matchMedia('(prefers-color-scheme: light)').matches : dark !== 'false';
  root.dataset.theme = isDark ? 'dark' : 'light';
  root.dataset.palette = colourBlind === 'true' ? 'colour-blind' : 'standard';
  // What is drawn for visitors waits until it is known who is here: web/ui/base.css.
  if (mayBeUser) root.dataset.session = 'stored';
})();

// A page that was drawn beforehand is seen first; then come the scripts that bring it to life (scripts/document-head.ts).
(() => {
  const files = document.querySelector('meta[name="scripts"]')?.content.split(' ') ?? [];
  const [main, ...parts] = files;
  if (main === undefined) return;
  let hasBegun = false;
  const begin = () => {
    if (hasBegun) return;
    hasBegun = true;
    for (const file of parts)
      document.head.append(
        Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href: file }),
      );
    document.head.append(
      Object.assign(document.createElement('script'), { type: 'module', crossOrigin: '', src: main }),
    );
  };
  // A hidden tab draws no frame, and some browsers draw none while they are busy.
  if (document.hidden) begin();
  else {
    requestAnimationFrame(() => setTimeout(begin, 0));
    setTimeout(begin, 3000);
  }
})();
