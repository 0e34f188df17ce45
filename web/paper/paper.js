// Follows the site's theme while the paper is open: the page around it, or another tab, may change it. /theme.js has set it first.
addEventListener('storage', ({ key, newValue }) => {
  const root = document.documentElement;
  if (key === 'darkMode') root.dataset.theme = newValue === 'false' ? 'light' : 'dark';
  if (key === 'colourBlind') root.dataset.palette = newValue === 'true' ? 'colour-blind' : 'standard';
});

// Framed, the page around it scrolls as well: to the top and to the end means of the paper as it is seen.
addEventListener('keydown', (event) => {
  const goesTo = { Home: 'start', End: 'end' }[event.key];
  if (parent === window || goesTo === undefined || event.altKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  document.querySelector(goesTo === 'start' ? '.paper > header' : '.paper > footer')?.scrollIntoView({ block: goesTo });
  scrollTo({ top: goesTo === 'start' ? 0 : document.documentElement.scrollHeight });
});
