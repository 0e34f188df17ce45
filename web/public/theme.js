// Runs before the first paint, so that no theme flashes. The same rules stand in web/ui/theme.ts.
(() => {
  const root = document.documentElement;
  let dark = null;
  let colourBlind = null;
  try {
    dark = localStorage.getItem('darkMode');
    colourBlind = localStorage.getItem('colourBlind');
  } catch {
    // Storage may be blocked: the system's preference decides.
  }
  const isDark = dark === null ? !matchMedia('(prefers-color-scheme: light)').matches : dark !== 'false';
  root.dataset.theme = isDark ? 'dark' : 'light';
  root.dataset.palette = colourBlind === 'true' ? 'colour-blind' : 'standard';
})();
