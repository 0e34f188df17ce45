/**
 * Ready once Bitcoin has fresh candles. A feed fault counts for one minute only, so that a healthier process can be
 * chosen; after that accounts, saved predictions and payments still work here as anywhere, and it is degraded.
 */
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import type { Readiness } from '../platform/http/health.ts';
import type { CandleHistory } from './candles/candle-history.ts';

const MAX_UNREADY_MS = 60_000;

/** @param monotonicMs  a test passes its own */
export function marketReadiness(
  history: Pick<CandleHistory, 'latest'>,
  signal: AbortSignal,
  monotonicMs: () => number = () => performance.now(),
): () => Promise<Readiness> {
  let unreadySinceMs: number | null = monotonicMs();

  async function isFresh(): Promise<boolean> {
    try {
      const { candles, isStale } = await history.latest(DEFAULT_SYMBOL, 1, signal);
      return candles.length > 0 && !isStale;
    } catch {
      return false;
    }
  }

  return async () => {
    // Measured from the check's start: a hanging venue must not extend the minute.
    const checkedAtMs = monotonicMs();
    unreadySinceMs ??= checkedAtMs;
    if (checkedAtMs - unreadySinceMs >= MAX_UNREADY_MS) {
      void isFresh().then((fresh) => {
        if (fresh) unreadySinceMs = null;
      });
      return 'degraded';
    }
    const fresh = await isFresh();
    if (fresh) unreadySinceMs = null;
    return fresh;
  };
}
