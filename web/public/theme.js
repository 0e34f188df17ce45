// Runs before the first paint, so that no theme flashes; built documents carry it themselves (scripts/site/document-head.ts).
// The same rules stand in web/ui/browser/theme.ts.
(() => {
  const root = document.documentElement;
  let dark = null;
  let colourBlind = null;
  let isFree = false;
  let mayBeUser = /[?&#](code|access_token)=/.test(location.search + location.hash);
  try {
    dark = localStorage.getItem('darkMode');
    colourBlind = localStorage.getItem('colourBlind');
    isFree = localStorage.getItem('kat-is-free') !== null;
    mayBeUser ||= Object.keys(localStorage).some((key) => /^sb-.+-auth-token$/.test(key));
  } catch {
    // Storage may be blocked: the system's preference decides.
  }
  const isDark = dark === null ? !matchMedia('(prefers-color-scheme: light)').matches : dark !== 'false';
  root.dataset.theme = isDark ? 'dark' : 'light';
  root.dataset.palette = colourBlind === 'true' ? 'colour-blind' : 'standard';
  // The browser's own bars: a choice here may differ from the system's, which the document's tags follow.
  const colourBars = () => {
    for (const tag of document.querySelectorAll('meta[name="theme-color"]'))
      tag.content = root.dataset.theme === 'light' ? '#f6f7f9' : '#0b0d10';
  };
  new MutationObserver(colourBars).observe(root, { attributeFilter: ['data-theme'] });
  addEventListener('DOMContentLoaded', colourBars);
  // What is drawn for visitors waits until it is known who is here: web/ui/styles/base.css.
  if (mayBeUser) root.dataset.session = 'stored';
  // Reserves room for a button: web/features/forecast/controls/prediction-button.tsx.
  if (mayBeUser && isFree) root.dataset.plan = 'free';
})();
