/** Modules that /kat loads only once the user scrolls near them, or opens their tab on a phone. */
export const KAT_NEAR: readonly string[] = [
  'features/market-clock/trading-sessions.tsx',
  'features/market-clock/market-holidays.tsx',
  'features/price-charts/price-chart.tsx',
  'features/sentiment/sentiment.tsx',
  'features/news/news-list.tsx',
  'features/predictions/prediction-grid.tsx',
  'app/layout/footer-contacts.tsx',
  'app/layout/time-zone-choice.tsx',
];
