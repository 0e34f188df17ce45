// Follows the site's theme while the paper is open: the page around it, or another tab, may change it. /theme.js has set it first.
addEventListener('storage', ({ key, newValue }) => {
  const root = document.documentElement;
  if (key === 'darkMode') root.dataset.theme = newValue === 'false' ? 'light' : 'dark';
  if (key === 'colourBlind') root.dataset.palette = newValue === 'true' ? 'colour-blind' : 'standard';
});
