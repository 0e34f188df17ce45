import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { openedForTests } from '../../../../tests/support/run/opened-for-tests.ts';
import { DIALECT_NOW_MS, openedDialect } from '../../testing/opened-dialect.ts';
import { coinbaseDialect } from './coinbase-socket.ts';

const CANDLES = '/products/BTC-USD/candles';
const MINUTE_S = Math.floor(DIALECT_NOW_MS / 60_000) * 60;
const rowsSchema = z.array(z.array(z.number()));

const opened = openedForTests(() => openedDialect(coinbaseDialect));
const startsOf = (query: string) =>
  rowsSchema.parse(opened().get(`${CANDLES}?${query}`).body).map(([startS = 0]) => startS - MINUTE_S);

test('gives the newest 300 minutes without parameters, and ignores a start without an end', () => {
  const starts = startsOf('');

  expect([starts.length, starts[0], starts.at(-1)]).toEqual([300, 0, -299 * 60]);
  expect(startsOf('start=2025-11-12T15:00:00Z')).toEqual(starts);
  expect(startsOf('end=2025-11-12T15:00:00Z')).toEqual(starts);
});

test('gives the candles from start to end with both, newest first', () => {
  expect(startsOf(`start=${MINUTE_S - 120}&end=2025-11-12T15:29:00Z`)).toEqual([-60, -120]);
});

test('gives none from before the first trades, nor from the future', () => {
  expect(startsOf('start=2005-01-01&end=2005-01-01T01:00:00Z')).toEqual([]);
  expect(startsOf('start=2030-01-01&end=2030-01-01T01:00:00Z')).toEqual([]);
});

test.each([
  ['granularity=7', 'Unsupported granularity'],
  ['start=yesterday&end=2025-11-12T15:00:00Z', 'Invalid start or end time'],
  ['start=2025-11-12T15:00:00Z&end=', 'Invalid start or end time'],
  ['start=2025-11-12T15:00:00Z&end=2025-11-12T14:00:00Z', 'start must be before end'],
  [
    'start=2025-11-12T10:00:00Z&end=2025-11-12T15:01:00Z',
    'granularity too small for the requested time range. Count of aggregations requested exceeds 300',
  ],
])('refuses candles for ?%s', (query, message) => {
  expect(opened().get(`${CANDLES}?${query}`)).toEqual({ status: 400, body: { message } });
});

test.each(['/', '/products/NONE-USD', '/products/BTC-USD', '/products/BTC-USD/book', `${CANDLES}/1`, '/time'])(
  'answers 404 to %s',
  (target) => {
    expect(opened().get(target)).toEqual({ status: 404, body: { message: 'NotFound' } });
  },
);

test('gives a ticker whose bid is below its ask, all as text', () => {
  const ticker = z
    .object({ trade_id: z.number(), price: z.string(), bid: z.string(), ask: z.string(), volume: z.string() })
    .parse(opened().get('/products/ETH-USD/ticker').body);

  expect(Number(ticker.bid)).toBeLessThan(Number(ticker.ask));
  expect(Number(ticker.volume)).toBeGreaterThan(0);
});

test('lists the products, those of the four coins first', () => {
  const products = z.array(z.looseObject({ id: z.string() })).parse(opened().get('/products').body);

  expect(products.slice(0, 4).map(({ id }) => id)).toEqual(['BTC-USD', 'ETH-USD', 'SOL-USD', 'DOGE-USD']);
});
