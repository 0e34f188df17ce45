/** Compares the live prices of a market and of the order book beside it. */
import { isNearPrice } from '#domain/market/same-coin.ts';
import { liveFeed } from '../platform/live/live-feed.ts';

/** @returns a function that stops */
export function compareBook(sym: string, bookProductId: string, onCompared: (isOther: boolean) => void): () => void {
  const prices = new Map<string, number>();
  const stops = [sym, bookProductId].map((productId) =>
    liveFeed().watch(productId, ['ticker'], {
      onEvent(event) {
        if (event.kind === 'ticker') prices.set(productId, event.price);
        const [own, book] = [prices.get(sym), prices.get(bookProductId)];
        if (own && book) onCompared(!isNearPrice(own, book));
      },
      onBreak: () => prices.clear(),
      onStatus: () => undefined,
    }),
  );
  return () => {
    for (const stop of stops) stop();
  };
}
