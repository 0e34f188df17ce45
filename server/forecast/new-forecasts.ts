/** How many forecasts a user may have computed that no one has yet, whether or not they are then paid for. */
import type { RateLimit, RateLimiterOf } from '../platform/http/guards/rate-limit.ts';

/** Some ten markets looked through a minute, and no crawl over all products. */
const NEW_FORECASTS: RateLimit = { points: 20, perS: 60 };

/** @throws AppError `request/too-many` */
export type CountNewForecast = (userId: string) => Promise<void>;

export function newForecastCount(limiterOf: RateLimiterOf): CountNewForecast {
  const limiter = limiterOf(NEW_FORECASTS, 'new-forecasts');
  return async (userId) => {
    await limiter.consume(userId);
  };
}
