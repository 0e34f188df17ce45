/** Paper trading's only external input: live prices. It sends nothing: no money, no order, no trace on the server. */
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { pageState } from '../../page-state.ts';
import { liveFeed, liveNowMs } from '../../platform/live/live-feed.ts';
import type { LiveStatus } from '../../platform/live/live-socket.ts';
import { createLivePrice, type LivePrice } from './live-price.ts';

export type { LiveStatus } from '../../platform/live/live-socket.ts';
export { liveNowMs };

export interface WatchedPrice {
  price: LivePrice;
  status(): LiveStatus;
  /** Called with each change of price or status. @returns a function that stops listening */
  listen(onChange: () => void): () => void;
  stop(): void;
}

interface Shared {
  watched: Omit<WatchedPrice, 'stop'>;
  readers: number;
  stop(): void;
}

const shared = pageState(() => new Map<string, Shared>());

/** One price history per product, shared by all readers: engine and page see the same. */
export function watchPrice(symbol: MarketSymbol): WatchedPrice {
  const productId = tickerProductId(symbol);
  const entry = shared().get(productId) ?? open(productId);
  entry.readers += 1;
  let isStopped = false;
  return {
    ...entry.watched,
    stop() {
      if (isStopped) return;
      isStopped = true;
      entry.readers -= 1;
      if (entry.readers > 0) return;
      entry.stop();
      shared().delete(productId);
    },
  };
}

/** A symbol without an order book has a ticker under its own name. */
function tickerProductId({ bookProductId, sym }: MarketSymbol): string {
  return bookProductId ?? sym;
}

function open(productId: string): Shared {
  const price = createLivePrice();
  const listeners = new Set<() => void>();
  let status: LiveStatus = { isRetrying: false, isStale: false, lastAliveAtMs: null };
  const change = (): void => {
    for (const listener of listeners) listener();
  };
  const stop = liveFeed().watch(productId, ['ticker'], {
    onEvent(event) {
      price.take(event, liveNowMs());
      change();
    },
    onBreak: () => price.break(),
    onStatus(next) {
      status = next;
      change();
    },
  });
  const entry: Shared = {
    readers: 0,
    stop,
    watched: {
      price,
      status: () => status,
      listen(onChange) {
        listeners.add(onChange);
        return () => listeners.delete(onChange);
      },
    },
  };
  shared().set(productId, entry);
  return entry;
}
