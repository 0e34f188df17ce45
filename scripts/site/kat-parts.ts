/** Modules that /kat loads only once the user scrolls near them, opens their tab on a phone, or stays a while. */
export const KAT_NEAR: readonly string[] = [
  'features/market-clock/trading-sessions.tsx',
  'features/market-clock/market-holidays.tsx',
  'features/price-charts/price-chart.tsx',
  'features/sentiment/sentiment.tsx',
  'features/news/news-list.tsx',
  'features/predictions/prediction-grid.tsx',
  // When something fails, or a while after the page.
  'features/market-outage/outage-notice.tsx',
  'app/layout/footer-contacts.tsx',
  'app/layout/time-zone-choice.tsx',
];
