/** The newest minutes of a symbol from the live connection, and the time of its market. */
import type { CandlesEvent } from '#domain/market/book/coinbase-messages.ts';
import { liveFeed } from '../../../platform/live/live-feed.ts';

export { liveNowMs } from '../../../platform/live/live-feed.ts';

export interface CandlesWatcher {
  onCandles(event: CandlesEvent): void;
  /** Each second while the feed works. @param marketMs  epoch milliseconds by the market's clock */
  onTime(marketMs: number): void;
  /** @param aliveAtMs  when the feed last worked, by `liveNowMs`; null while it does */
  onLate(aliveAtMs: number | null): void;
}

/** @returns a function that stops watching */
export function watchCandles(sym: string, watcher: CandlesWatcher): () => void {
  return liveFeed().watch(sym, ['candles'], {
    onEvent(event) {
      if (event.kind === 'candles') watcher.onCandles(event);
      else if (event.kind === 'heartbeat' && event.marketMs !== undefined) watcher.onTime(event.marketMs);
    },
    onStatus: ({ isStale, lastAliveAtMs }) => watcher.onLate(isStale ? lastAliveAtMs : null),
  });
}
