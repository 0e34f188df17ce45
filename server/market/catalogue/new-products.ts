/** Limits how many products beside the ten a visitor opens: each calls the venues, whose allowance is shared by all. */
import { isSpecified } from '#domain/market/symbols.ts';
import { limiterOfProcess, type RateLimit, type RateLimiterOf } from '../../platform/http/guards/rate-limit.ts';

export interface NewProducts {
  /**
   * Counts those that no one has opened lately.
   * @param caller  null for this machine itself, where an unconfigured proxy may call for all: it is not limited
   * @param codes  of products that exist: no other name calls a venue
   * @throws AppError `request/too-many`; then none counts
   */
  open(caller: string | null, codes: readonly string[]): Promise<void>;
}

/** Two lists of fifty. */
const LIMIT: RateLimit = { points: 100, perS: 60 };
/** As long as a venue's candles are cached without a reader. */
const LATELY_MS = 600_000;
/** More than all venues list. */
const MOST_KNOWN = 10_000;

/** @param monotonicMs  a test passes its own */
export function newProducts(
  limiterOf: RateLimiterOf = limiterOfProcess,
  monotonicMs: () => number = () => performance.now(),
): NewProducts {
  const limiter = limiterOf(LIMIT, 'new-products');
  /** When each was opened last, the longest ago first. */
  const openedAtMs = new Map<string, number>();

  function isKnown(code: string): boolean {
    return monotonicMs() - (openedAtMs.get(code) ?? Number.NEGATIVE_INFINITY) < LATELY_MS;
  }

  function note(code: string): void {
    openedAtMs.delete(code);
    openedAtMs.set(code, monotonicMs());
    if (openedAtMs.size <= MOST_KNOWN) return;
    const [oldest = code] = openedAtMs.keys();
    openedAtMs.delete(oldest);
  }

  return {
    async open(caller, codes) {
      const others = [...new Set(codes)].filter((code) => !isSpecified(code));
      const unknown = others.filter((code) => !isKnown(code));
      if (caller !== null && unknown.length > 0) await limiter.take(caller, unknown.length);
      for (const code of others) note(code);
    },
  };
}
