/**
 * Why an expected forecast is not in the record, as the server saw it in that minute. A gap without a reason means that
 * no server ran, or that none could record the reason.
 */
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
