/** Kat's chart paths on the sandbox market, for tests: with a log of their calls and a manual monotonic clock. */
import * as z from 'zod/mini';
import type { SandboxAddresses } from '../../../sandbox/market/sandbox-market.ts';
import { coinbaseCandlesRoutes } from '../../../server/market/reference/coinbase-candles.ts';
import { krakenOhlcRoutes } from '../../../server/market/reference/kraken-ohlc.ts';
import { createLogger } from '../../../server/platform/telemetry/log.ts';
import type { MovableClock } from './market-stack.ts';

export function openChartFeeds(addresses: SandboxAddresses, clock: MovableClock) {
  const time = { ms: 0 };
  const calls: string[] = [];
  const deps = {
    origin: { kind: 'simulated', attribution: 'Sandbox market' } as const,
    clock,
    log: createLogger('silent'),
    monotonicMs: () => time.ms,
    wait: async (ms: number) => {
      time.ms += ms;
    },
    fetch: (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
      calls.push(String(input));
      return fetch(input, init);
    },
  };
  const { kraken, coinbase } = addresses;
  const krakenApp = krakenOhlcRoutes({ ...deps, restUrl: kraken.restUrl });
  const coinbaseApp = coinbaseCandlesRoutes({ ...deps, restUrl: coinbase.restUrl });
  return {
    time,
    calls,
    ohlc: (query: string) => krakenApp.request(`/0/public/OHLC?${query}`),
    candles: (query: string, product = 'BTC-USD') => coinbaseApp.request(`/products/${product}/candles?${query}`),
    coinbaseApp,
  };
}

const klines = z.tuple([z.array(z.unknown())]);

/** Close of the running minute's BTC candle, as the sandbox's candle venue reports it. */
export async function newestClose({ binance }: SandboxAddresses): Promise<number> {
  const response = await fetch(`${binance.restUrl}/fapi/v1/klines?symbol=BTCUSDT&interval=1m&limit=1`);
  const [row] = klines.parse(await response.json());
  return Number(row[4]);
}
