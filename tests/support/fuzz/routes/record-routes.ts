/** The public record and the read API: paths open to everyone and paths that need a key. */

import { API_BASE } from '../../../../server/programs/read-api/api-routes.ts';
import { FIRST_SLOT_S } from '../../../../server/record/testing/record-fixtures.ts';
import { choice, type FuzzRoute } from './route.ts';

const DAY = new Date(FIRST_SLOT_S * 1000).toISOString().slice(0, 10);
const HOUR = `${DAY}T15:00:00Z`;

const sym = choice('BTCUSDT.P', 'BTCUSDT.P', 'ETHUSDT.P', 'NOPE');
const anySym = choice('BTCUSDT.P', 'ETHUSDT.P', 'NOPE', 'btc');
const model = choice('lion', 'bobcat', 'tiger');
const market = choice('live', 'live', 'simulated', 'mars');
const limit = choice('1', '20', '100', '1000', '1001');
const period = choice('7d', '30d', '90d', '365d', '8d');
const tf = choice('1min', '5min', '15min', '5MIN', '1h');
const window = choice('5', '15', '60', '5.0', '-5');
const from = choice(DAY, HOUR, '2025-02-30', '0001-01-01');
const to = choice('2025-11-13', `${DAY}T16:00:00+01:00`, '9999-12-31', '+275760-09-13');
const rows = { from, to, sym, model, role: choice('serving', 'shadow'), market, tf };

const record = (path: string, query: FuzzRoute['query'] = {}): FuzzRoute => ({
  methods: ['GET', 'GET', 'HEAD'],
  path: `/record${path}`,
  query,
  weight: 2,
});
const shared = (path: string, query: FuzzRoute['query'] = {}): FuzzRoute => ({
  methods: ['GET', 'GET', 'HEAD'],
  path,
  query,
  weight: 1,
});
const api = (path: string, query: FuzzRoute['query'] = {}): FuzzRoute => ({
  methods: ['GET', 'GET', 'HEAD'],
  path: API_BASE + path,
  query,
  readsKey: true,
  weight: 2,
});

export const RECORD_ROUTES: readonly FuzzRoute[] = [
  record(`/days/${DAY}.json`),
  record(`/days/${DAY}.ndjson`),
  record(`/paths/${DAY}.json`),
  record(`/days/${DAY}.csv`, { tf }),
  record('/records/1.json'),
  record(`/chances/${DAY}.csv`),
  record('/{name}'),
  shared('/f/1-000000000000'),
  shared('/f/00000000000000000000000000000000.png', { shape: choice('wide', 'x'), theme: choice('light', 'x') }),
  shared('/oembed', {
    url: choice('http://localhost/f/1', 'x'),
    format: choice('json', 'xml'),
    maxwidth: choice('1', 'x'),
  }),
  api('/records', { ...rows, cursor: choice('1', '999999999999999', '0'), limit }),
  api('/records.csv', rows),
  api('/summary', { period, market, tf }),
  api('/chance-records', { from, to, sym, market, window, cursor: choice('1', '0'), limit }),
  api('/chance-summary', { period, market, window }),
  api('/predictions', { from, to, cursor: choice('1', '1-00000000-0000-4000-8000-000000000000'), limit }),
  api('/predictions.csv', { from, to }),
  api('/markets', { query: choice('', 'btc', '%'), limit }),
  api('/forecasts/latest', { sym: anySym, model, tf }),
  api('/forecasts/{id}'),
  api('/bands', { sym: anySym, model, tf }),
  api('/candles', { sym: anySym, tf, cursor: choice('1790000040', '0'), limit }),
  api('/watchlist'),
  api('/me', { key: choice('kat_') }),
  { methods: ['GET', 'HEAD'], path: `${API_BASE}/openapi.json`, weight: 1 },
  { methods: ['GET'], path: `${API_BASE}/{name}`, weight: 1 },
];
