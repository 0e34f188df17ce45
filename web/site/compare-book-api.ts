/** Compares the live prices of a market and of the order book beside it. */
import { isNearPrice } from '#domain/market/same-coin.ts';
import { liveFeed } from '../platform/live/live-feed.ts';

/** @param onCompared  called with each comparison until the prices are near each other, or `signal` aborts */
export function compareBook(
  sym: string,
  bookProductId: string,
  signal: AbortSignal,
  onCompared: (isOther: boolean) => void,
): void {
  if (signal.aborted) return;
  const prices = new Map<string, number>();
  const stops = [sym, bookProductId].map((productId) =>
    liveFeed().watch(productId, ['ticker'], {
      onEvent(event) {
        if (event.kind !== 'ticker' || signal.aborted) return;
        prices.set(productId, event.price);
        const [own, book] = [prices.get(sym), prices.get(bookProductId)];
        if (own === undefined || book === undefined) return;
        const isNear = isNearPrice(own, book);
        onCompared(!isNear);
        if (isNear) stop();
      },
      onBreak: () => prices.clear(),
      onStatus: () => undefined,
    }),
  );
  function stop(): void {
    for (const each of stops.splice(0)) each();
  }
  signal.addEventListener('abort', stop, { once: true });
}
