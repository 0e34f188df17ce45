/** Why an expected forecast is not recorded. A gap without a reason: no server ran, or none could record it. */
export const MISS_REASONS = [
  'venue-unavailable',
  'candle-late',
  'too-few-candles',
  'market-closed',
  'forecast-failed',
  'clock-behind',
  'not-written',
  'out-of-time',
] as const;
export type MissReason = (typeof MISS_REASONS)[number];
