/** How often one key may ask. Counted in this process: of several, each counts for itself. */
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { type RateLeft, type RateLimit, type RateLimiter, rateLimiter } from '../../platform/rate-limit.ts';

export interface KeyLimitSettings {
  minute: RateLimit;
  day: RateLimit;
}

const KEY_LIMITS: KeyLimitSettings = {
  minute: { points: 60, perS: 60 },
  day: { points: 5000, perS: 24 * 60 * 60 },
};

interface WindowCount extends RateLeft {
  limit: number;
}

/** Of one question: what is left after it. */
export interface KeyCount {
  minute: WindowCount;
  day: WindowCount;
}

export interface KeyLimits {
  /** @throws AppError `request/too-many` with `retryAfterS` and the `window` that is used up */
  count(keyId: string): Promise<KeyCount>;
  /** Of an answer: the window with less left. */
  headers(count: KeyCount): Record<string, string>;
  /** Of a refusal by `count`; none for any other. */
  refusalHeaders(refusal: AppError): Record<string, string>;
}

export function keyLimits(settings: KeyLimitSettings = KEY_LIMITS): KeyLimits {
  const limiters = { minute: rateLimiter(settings.minute), day: rateLimiter(settings.day) };
  const policy = [settings.minute, settings.day].map(({ points, perS }) => `${points};w=${perS}`).join(', ');
  const headersOf = ({ limit, left, resetS }: WindowCount): Record<string, string> => ({
    'ratelimit-policy': policy,
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(left),
    'ratelimit-reset': String(resetS),
  });
  const take = async (window: keyof KeyLimitSettings, keyId: string): Promise<WindowCount> => ({
    ...(await named(limiters[window], keyId, window)),
    limit: settings[window].points,
  });
  return {
    count: async (keyId) => ({ minute: await take('minute', keyId), day: await take('day', keyId) }),
    headers: ({ minute, day }) => headersOf(day.left < minute.left ? day : minute),
    refusalHeaders({ code, details: { window, retryAfterS } }) {
      if (code !== 'request/too-many') return {};
      const { points } = settings[window === 'day' ? 'day' : 'minute'];
      return headersOf({ limit: points, left: 0, resetS: Number(retryAfterS) });
    },
  };
}

async function named(limiter: RateLimiter, keyId: string, window: keyof KeyLimitSettings): Promise<RateLeft> {
  try {
    return await limiter.consume(keyId);
  } catch (error) {
    throw isAppError(error) ? new AppError(error.code, { details: { ...error.details, window } }) : error;
  }
}
