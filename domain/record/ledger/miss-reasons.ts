/**
 * Why a forecast that the record should have is not in it, as the server saw it in that minute. What is missing without a
 * reason is missing because no server ran, or because none could write the reason down.
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
