import { DEFAULT_TIMEFRAME, TIMEFRAMES, type Timeframe } from '#domain/market/timeframes.ts';
import { invalidParameter } from '../../platform/http/calls/http-errors.ts';

/** The parameter `tf`; absent: one minute. @throws AppError `request/invalid` with `details.parameter` and `problem` */
export function readTimeframe(params: URLSearchParams): Timeframe {
  const [value, ...more] = params.getAll('tf');
  if (more.length > 0) throw invalidParameter('tf', 'repeated');
  if (value === undefined) return DEFAULT_TIMEFRAME;
  const timeframe = TIMEFRAMES.find((known) => known === value);
  if (timeframe === undefined) throw invalidParameter('tf', 'invalid');
  return timeframe;
}
