/** Market data that the site reads besides candles and streams, in the shapes of the source exchanges. */
import { choice, type FuzzRoute } from './route.ts';

const market = (path: string, query: FuzzRoute['query'] = {}): FuzzRoute => ({
  methods: ['GET', 'GET', 'HEAD'],
  path,
  query,
  weight: 1,
});

/** Friendly values only: the fuzzer adds the hostile ones. */
export const MARKET_ROUTES: readonly FuzzRoute[] = [
  market('/0/public/OHLC', {
    pair: choice('XBTUSD'),
    interval: choice('10080', '43200'),
    since: choice('0', '1700000000'),
  }),
  market('/0/public/{name}'),
  market('/products/BTC-USD/candles', { granularity: choice('3600') }),
  market('/products/{name}/candles', {
    granularity: choice('3600'),
    start: choice('2026-11-01T00:00:00Z'),
    end: choice('2026-11-02T00:00:00Z'),
  }),
  market('/api/v3/global'),
  market('/api/v3/coins/markets', {
    vs_currency: choice('usd'),
    order: choice('market_cap_desc'),
    per_page: choice('100', '250'),
    page: choice('1'),
    sparkline: choice('false'),
    price_change_percentage: choice('24h'),
  }),
  market('/api/v3/coins/sparklines'),
  market('/fng', { limit: choice('1') }),
  market('/fng/', { limit: choice('1') }),
];
