/** How often one address may download a whole day of the record: a few megabytes, generated for each request. */
import type { Context } from 'hono';
import { limiterOfProcess, type RateLimit, type RateLimiterOf } from '../platform/http/guards/rate-limit.ts';

/** A year in a quarter of an hour; NDJSON and CSV count together. A 304 answer is free. */
const WHOLE_DAYS: RateLimit = { points: 30, perS: 60 };

/** @throws AppError `request/too-many` with `retryAfterS` */
export type CountDownload = (c: Context) => Promise<void>;

/** @param addressOf  identifies one caller */
export function downloadLimit(
  addressOf: (c: Context) => string,
  { limiterOf = limiterOfProcess, limit = WHOLE_DAYS }: { limiterOf?: RateLimiterOf; limit?: RateLimit } = {},
): CountDownload {
  const limiter = limiterOf(limit, 'record-downloads-per-address');
  return async (c) => {
    await limiter.consume(addressOf(c));
  };
}
