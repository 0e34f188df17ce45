/** Market data that the site reads besides candles and streams, in the shapes of the source exchanges. */
import { type FuzzRoute, words } from './route.ts';

const market = (path: string, query: FuzzRoute['query'] = {}): FuzzRoute => ({
  methods: ['GET', 'GET', 'HEAD'],
  path,
  query,
  weight: 1,
});

/** Friendly values only: the fuzzer adds the hostile ones. */
export const MARKET_ROUTES: readonly FuzzRoute[] = [
  market('/0/public/OHLC', {
    pair: words('XBTUSD'),
    interval: words('10080', '43200'),
    since: words('0', '1700000000'),
  }),
  market('/0/public/{name}'),
  market('/products/BTC-USD/candles', { granularity: words('3600') }),
  market('/products/{name}/candles', {
    granularity: words('3600'),
    start: words('2026-11-01T00:00:00Z'),
    end: words('2026-11-02T00:00:00Z'),
  }),
  market('/api/v3/global'),
  market('/api/v3/coins/markets', {
    vs_currency: words('usd'),
    order: words('market_cap_desc'),
    per_page: words('100', '250'),
    page: words('1'),
    sparkline: words('false'),
    price_change_percentage: words('24h'),
  }),
  market('/fng', { limit: words('1') }),
  market('/fng/', { limit: words('1') }),
];
