/** How often one address and one account may try. Counted in this process. */
import { type RateLimit, type RateLimiter, rateLimiter } from '../../platform/rate-limit.ts';

const FIVE_MINUTES_S = 5 * 60;

/** Enough for a family or an office behind one address; far too few to guess passwords. */
export const DEFAULT_LIMITS = {
  signUpPerAddress: { points: 120, perS: FIVE_MINUTES_S },
  signInPerAddress: { points: 300, perS: FIVE_MINUTES_S },
  /** Wrong passwords in a row; a right one forgives them. */
  signInPerAccount: { points: 20, perS: FIVE_MINUTES_S },
  refreshPerAddress: { points: 300, perS: FIVE_MINUTES_S },
  passwordPerAccount: { points: 10, perS: FIVE_MINUTES_S },
  /** Rows of the tables that pages report into, of visitors and of one user. A page sends ten a minute at most. */
  reportRowsPerAddress: { points: 60, perS: 60 },
  reportRowsPerUser: { points: 60, perS: 60 },
} as const satisfies Record<string, RateLimit>;

export type RateLimits = Readonly<Record<keyof typeof DEFAULT_LIMITS, RateLimiter>>;

export function rateLimits(changes: Partial<Record<keyof typeof DEFAULT_LIMITS, RateLimit>> = {}): RateLimits {
  const limits = { ...DEFAULT_LIMITS, ...changes };
  return {
    signUpPerAddress: rateLimiter(limits.signUpPerAddress),
    signInPerAddress: rateLimiter(limits.signInPerAddress),
    signInPerAccount: rateLimiter(limits.signInPerAccount),
    refreshPerAddress: rateLimiter(limits.refreshPerAddress),
    passwordPerAccount: rateLimiter(limits.passwordPerAccount),
    reportRowsPerAddress: rateLimiter(limits.reportRowsPerAddress),
    reportRowsPerUser: rateLimiter(limits.reportRowsPerUser),
  };
}
