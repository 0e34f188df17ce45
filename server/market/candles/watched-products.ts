/**
 * Updates of products beside the ten, for as long as they are read. A venue takes its subscriptions when it connects, so
 * a change opens a second connection with all of them, and the first closes once that one runs: no candle is missed.
 */
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Logger } from '../../platform/telemetry/log.ts';
import type { CandleUpdate, Venue } from '../venues/venue.ts';

export interface WatchedProducts {
  add(symbol: MarketSymbol): void;
  remove(symbol: MarketSymbol): void;
  close(): Promise<void>;
}

export interface WatchedProductsOptions {
  venue: Pick<Venue, 'id' | 'updates'>;
  onUpdate(update: CandleUpdate): void;
  log: Logger;
  timing?: Partial<typeof TIMING> | undefined;
}

const TIMING = {
  /** Readers often come together: a list of fifty products opens one connection. */
  gatherMs: 300,
  /** Both connections run for this long. */
  overlapMs: 5000,
};

export function watchedProducts({ venue, onUpdate, log, timing }: WatchedProductsOptions): WatchedProducts {
  const { gatherMs, overlapMs } = { ...TIMING, ...timing };
  const symbols = new Map<string, MarketSymbol>();
  const running = new Set<Promise<void>>();
  const closing = new AbortController();
  let current: AbortController | null = null;
  let gathering: NodeJS.Timeout | null = null;

  function change(): void {
    if (gathering !== null || closing.signal.aborted) return;
    gathering = setTimeout(reopen, gatherMs).unref();
  }

  function reopen(): void {
    gathering = null;
    const before = current;
    current = symbols.size === 0 ? null : new AbortController();
    if (current !== null) {
      const work = follow([...symbols.values()], AbortSignal.any([current.signal, closing.signal]));
      running.add(work);
      void work.finally(() => running.delete(work));
    }
    if (before !== null) setTimeout(() => before.abort(), current === null ? 0 : overlapMs).unref();
  }

  async function follow(wanted: readonly MarketSymbol[], signal: AbortSignal): Promise<void> {
    try {
      for await (const update of venue.updates(wanted, signal)) onUpdate(update);
    } catch (error) {
      // Readers still get fresh candles, at the cost of one call per minute and product.
      if (!signal.aborted) log.error({ err: error, venue: venue.id }, 'venue updates of products ended');
    }
  }

  return {
    add(symbol) {
      if (symbols.has(symbol.sym)) return;
      symbols.set(symbol.sym, symbol);
      change();
    },
    remove({ sym }) {
      if (symbols.delete(sym)) change();
    },
    async close() {
      closing.abort();
      if (gathering !== null) clearTimeout(gathering);
      await Promise.all(running);
    },
  };
}
