/** Candles and prices go forwards, and nothing that was shown changes. */
import type { Sighting } from '../history/history.ts';

type Candle = Extract<Sighting, { kind: 'candle' }>;
type Price = Extract<Sighting, { kind: 'price' }>;

const MINUTE_S = 60;

/** @param candles  in the order in which they were seen @returns what is wrong */
export function checkCandles(candles: readonly Candle[]): string[] {
  const wrong: string[] = [];
  for (const [connection, own] of Map.groupBy(candles, (candle) => candle.connection))
    for (const [at, candle] of own.entries()) {
      const before = own[at - 1];
      if (before === undefined) continue;
      if (candle.nth !== before.nth + 1)
        wrong.push(`${connection}: candle ${candle.nth} came after candle ${before.nth}`);
      if (candle.timeS !== before.timeS + MINUTE_S)
        wrong.push(`${connection}: the candle of ${candle.timeS} came after that of ${before.timeS}`);
    }
  for (const [key, same] of Map.groupBy(candles, ({ reservationId, nth }) => `${reservationId} candle ${nth}`))
    if (new Set(same.map(({ digest }) => digest)).size > 1) wrong.push(`${key} was streamed with different values`);
  return wrong;
}

/** @param prices  in the order in which they were seen @returns what is wrong */
export function checkPrices(prices: readonly Price[]): string[] {
  return [...Map.groupBy(prices, ({ socket, product }) => `${socket} ${product}`)].flatMap(([key, own]) => {
    let newestMs = Number.NEGATIVE_INFINITY;
    const old = own.find(({ timeMs }) => {
      const isOld = timeMs < newestMs;
      newestMs = Math.max(newestMs, timeMs);
      return isOld;
    });
    return old === undefined ? [] : [`${key}: the price of ${old.timeMs} was shown after a newer one`];
  });
}
