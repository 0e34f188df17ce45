import { AppError, isAppError } from '#domain/errors/app-error.ts';
import {
  limiterOfProcess,
  type RateLeft,
  type RateLimit,
  type RateLimiterOf,
} from '../platform/http/guards/rate-limit.ts';

export interface KeyLimitSettings {
  minute: RateLimit;
  day: RateLimit;
}

const KEY_LIMITS: KeyLimitSettings = {
  minute: { points: 60, perS: 60 },
  day: { points: 5000, perS: 24 * 60 * 60 },
};

const NAMES = ['minute', 'day'] as const satisfies readonly (keyof KeyLimitSettings)[];

interface WindowCount extends RateLeft {
  limit: number;
}

export interface KeyCount {
  minute: WindowCount;
  day: WindowCount;
}

export interface KeyLimits {
  /** All keys of an account count together. @param cost points. @throws AppError `request/too-many` with `retryAfterS` and the `window` that is used up */
  count(userId: string, cost: number): Promise<KeyCount>;
  /** Headers of an answer: both windows (draft-ietf-httpapi-ratelimit-headers-10), and the one with less left. */
  headers(count: KeyCount): Record<string, string>;
  /** Headers of a refusal by `count`; empty for any other. */
  refusalHeaders(refusal: AppError): Record<string, string>;
}

export function keyLimits(
  settings: KeyLimitSettings = KEY_LIMITS,
  limiterOf: RateLimiterOf = limiterOfProcess,
): KeyLimits {
  const limiters = { minute: limiterOf(settings.minute, 'api-minute'), day: limiterOf(settings.day, 'api-day') };
  const policy = NAMES.map((name) => `"${name}";q=${settings[name].points};w=${settings[name].perS}`).join(', ');
  const headersOf = ({ limit, left, resetS }: WindowCount, counts: Partial<KeyCount>): Record<string, string> => ({
    'ratelimit-policy': policy,
    ratelimit: NAMES.flatMap((name) => fieldOf(name, counts[name])).join(', '),
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(left),
    'ratelimit-reset': String(resetS),
  });
  const take = async (window: keyof KeyLimitSettings, userId: string, cost: number): Promise<WindowCount> => {
    try {
      return { ...(await limiters[window].consume(userId, cost)), limit: settings[window].points };
    } catch (error) {
      throw isAppError(error) ? new AppError(error.code, { details: { ...error.details, window } }) : error;
    }
  };
  return {
    count: async (userId, cost) => ({
      minute: await take('minute', userId, cost),
      day: await take('day', userId, cost),
    }),
    headers: ({ minute, day }) => headersOf(day.left < minute.left ? day : minute, { minute, day }),
    refusalHeaders({ code, details: { window, retryAfterS } }) {
      if (code !== 'request/too-many') return {};
      const name = window === 'day' ? 'day' : 'minute';
      const count = { limit: settings[name].points, left: 0, resetS: Number(retryAfterS) };
      return headersOf(count, { [name]: count });
    },
  };
}

function fieldOf(name: keyof KeyLimitSettings, count: WindowCount | undefined): string[] {
  return count === undefined ? [] : [`"${name}";r=${count.left};t=${count.resetS}`];
}
