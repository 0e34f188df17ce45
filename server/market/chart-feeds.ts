/** Charts that reach back further than minutes: weekly and monthly bars from Kraken, hourly candles from Coinbase. */
import type { Hono } from 'hono';
import type { Clock } from '#domain/time/clock.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import type { MarketSource } from './market-source.ts';
import { coinbaseCandlesRoutes } from './reference/coinbase-candles.ts';
import { krakenOhlcRoutes } from './reference/kraken-ohlc.ts';
import { originOf } from './reference/retained-answer.ts';

export interface ChartFeedsDeps {
  source: Pick<MarketSource, 'kind' | 'addresses'>;
  clock: Clock;
  log: Logger;
}

export function chartFeedRoutes({ source, clock, log }: ChartFeedsDeps): Hono[] {
  const { kraken, coinbase } = source.addresses;
  return [
    krakenOhlcRoutes({ restUrl: kraken.restUrl, origin: originOf(source, 'Kraken'), clock, log }),
    coinbaseCandlesRoutes({ restUrl: coinbase.restUrl, origin: originOf(source, 'Coinbase Exchange'), clock, log }),
  ];
}
