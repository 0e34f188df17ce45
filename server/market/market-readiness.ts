/**
 * Whether this process should be sent visitors, as far as the market goes: once Bitcoin has fresh candles. A fault of the
 * feeds counts for a minute only, so that a better process may be found; after that accounts, saved predictions and
 * payments are worth more than nothing, and every process fares alike.
 */
import { DEFAULT_SYMBOL } from '#domain/market/symbols.ts';
import type { CandleHistory } from './candles/candle-history.ts';

const MAX_UNREADY_MS = 60_000;

/** @param monotonicMs  a test passes its own */
export function marketReadiness(
  history: Pick<CandleHistory, 'latest'>,
  signal: AbortSignal,
  monotonicMs: () => number = () => performance.now(),
): () => Promise<boolean> {
  let unreadySinceMs: number | null = monotonicMs();

  async function isFresh(): Promise<boolean> {
    try {
      const { candles, isStale } = await history.latest(DEFAULT_SYMBOL, 1, signal);
      return candles.length > 0 && !isStale;
    } catch {
      // The history's own log says why.
      return false;
    }
  }

  return async () => {
    // Measured from the question: a venue that hangs must not gain time by it.
    const askedAtMs = monotonicMs();
    unreadySinceMs ??= askedAtMs;
    if (askedAtMs - unreadySinceMs >= MAX_UNREADY_MS) {
      void isFresh().then((fresh) => {
        if (fresh) unreadySinceMs = null;
      });
      return true;
    }
    const fresh = await isFresh();
    if (fresh) unreadySinceMs = null;
    return fresh;
  };
}
