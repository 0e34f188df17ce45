import { barsDuration } from '../market/timeframe-text.ts';
import { barMinutesOf, DEFAULT_TIMEFRAME, type Timeframe } from '../market/timeframes.ts';
import { HORIZON_BARS } from './window.ts';

/** How long the fifty bars of a forecast last: '50 minutes', '4 h 10', '12 h 30'. */
export function horizonDuration(timeframe: Timeframe): string {
  return timeframe === DEFAULT_TIMEFRAME ? '50 minutes' : barsDuration(HORIZON_BARS, barMinutesOf(timeframe));
}
