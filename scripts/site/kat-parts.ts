/** Modules that /kat loads only once the user scrolls near them, opens their tab on a phone, or stays a while. */
export const KAT_NEAR: readonly string[] = [
  'features/market-clock/today-strip.tsx',
  'features/market-clock/market-clock.ts',
  'features/price-charts/price-chart.tsx',
  'features/sentiment/sentiment.tsx',
  'features/news/news-list.tsx',
  'features/predictions/prediction-grid.tsx',
  // When something fails, or a while after the page.
  'features/market-outage/outage-notice.tsx',
  // For a signed-in user a while after the page; for a visitor with a trade.
  'features/paper-trading/stored/trade-book.tsx',
  'features/paper-trading/stored/store-trade.ts',
  'app/layout/footer-contacts.tsx',
  // A while after the page, for when the network goes.
  'app/layout/offline-strip.tsx',
  'app/layout/time-zone-choice.tsx',
];

/** Modules that /kat loads when one of its buttons is clicked, or in the cases that are named. */
export const KAT_ON_CLICK: readonly string[] = [
  'app/layout/account-menu-panel.tsx',
  'app/layout/command-menu.tsx',
  'features/alerts/rules/alert-dialog.tsx',
  'features/forecast/chances/chances.tsx',
  'features/forecast/controls/symbol-list.tsx',
  'features/forecast/export/export-dialog.tsx',
  'features/predictions/prediction-files.ts',
  'features/predictions/sharing/share-dialog.tsx',
  'features/watchlist/watch-side.tsx',
  'features/watchlist/watch-stars.tsx',
  'ui/forms/picker-list.tsx',
  // For a market that was traded on paper.
  'features/forecast/trades/trade-marks.ts',
  // For a page that the browser translated before its code arrived.
  'app/translated-page.ts',
  // For `?mock=hol`.
  'features/market-clock/mock-holidays.ts',
  // For an alert that came since the last visit, or comes while the page is open.
  'features/alerts/alert-toasts.tsx',
  // For a closed market.
  'features/alerts/rules/opening-alert.tsx',
  'features/forecast/controls/closed-market.tsx',
  'features/forecast/controls/opening-text.ts',
  // 'Take the tour', and what an account's first visit reads from the server.
  'features/onboarding/tour.tsx',
  'features/onboarding/progress.ts',
  // For an address or a saved prediction of a market which this browser has not met.
  'features/forecast/controls/name-market.ts',
];
