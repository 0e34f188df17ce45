// Follows the site's theme while the paper is open: the surrounding page, or another tab, may change it. /theme.js
// sets it first.
addEventListener('storage', ({ key, newValue }) => {
  const root = document.documentElement;
  if (key === 'darkMode') root.dataset.theme = newValue === 'false' ? 'light' : 'dark';
  if (key === 'colourBlind') root.dataset.palette = newValue === 'true' ? 'colour-blind' : 'standard';
});

// In a frame the surrounding page scrolls too: Home and End scroll both, to the start and end of the paper.
addEventListener('keydown', (event) => {
  const goesTo = { Home: 'start', End: 'end' }[event.key];
  if (parent === window || goesTo === undefined || event.altKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  document.querySelector(goesTo === 'start' ? '.paper > header' : '.paper > footer')?.scrollIntoView({ block: goesTo });
  scrollTo({ top: goesTo === 'start' ? 0 : document.documentElement.scrollHeight });
});
