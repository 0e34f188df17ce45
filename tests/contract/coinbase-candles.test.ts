/**
 * Hourly candles for the sentiment chart, served by our own path from the sandbox market, which refuses the same
 * requests as Coinbase.
 */
import { afterEach, expect, test } from 'vitest';
import { COINBASE_GRANULARITIES, parseCoinbaseCandles } from '#domain/market/codecs/coinbase-candles.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { binanceVenue } from '../../server/market/venues/binance.ts';
import { createLogger } from '../../server/platform/telemetry/log.ts';
import { newestClose, openChartFeeds } from '../support/market/chart-feeds.ts';
import { movableClock } from '../support/market/market-stack.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const DAY_S = 86_400;
const log = createLogger('silent');
const clock = movableClock();
const NOW_S = Math.floor(clock.ms / 1000);
const opened = openedForTests(() =>
  startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'charts', startMs: null }),
);
afterEach(() => opened().faults.clear());

const open = () => openChartFeeds(opened().addresses, clock);

const iso = (s: number): string => new Date(s * 1000).toISOString();

test('returns 96 hourly candles for four days, newest first, with low before high', async () => {
  const response = await open().candles(`granularity=3600&start=${iso(NOW_S - 4 * DAY_S)}&end=${iso(NOW_S)}`);
  const rows: unknown = await response.json();

  const { candles, malformed } = parseCoinbaseCandles(rows, 3600);
  expect(candles).toHaveLength(96);
  expect(malformed).toBe(0);
  expect(rows).toEqual(candles.map((c) => [c.time, c.low, c.high, c.open, c.close, c.volume]).reverse());
  expect(candles.at(-1)?.close).toBe(await newestClose(opened().addresses));
});

test('returns an hourly candle that matches its 60 one-minute candles', async () => {
  const hourS = Math.floor(NOW_S / 3600) * 3600 - 3600;
  const { binance } = opened().addresses;
  const venue = binanceVenue({ ...binance, symbols: SYMBOLS, clock, log });
  const minutes = (await venue.candles(symbolNamed('BTC'), 120, new AbortController().signal)).filter(
    (c) => c.time >= hourS && c.time < hourS + 3600,
  );

  const rows: unknown = await (await open().candles('granularity=3600')).json();

  const hour = parseCoinbaseCandles(rows, 3600).candles.find((c) => c.time === hourS);
  expect(minutes).toHaveLength(60);
  expect(hour).toMatchObject({
    open: minutes[0]?.open,
    close: minutes[59]?.close,
    high: Math.max(...minutes.map((c) => c.high)),
    low: Math.min(...minutes.map((c) => c.low)),
  });
});

test.each(COINBASE_GRANULARITIES)(
  'returns the newest 300 candles of %d seconds when no range is given',
  async (granularity) => {
    const response = await open().candles(`granularity=${granularity}`);
    const rows: unknown = await response.json();

    const { candles, malformed } = parseCoinbaseCandles(rows, granularity);
    const newestS = Math.floor(NOW_S / granularity) * granularity;
    expect(response.headers.get('cache-control')).toBe('public, max-age=30');
    expect(rows).toHaveLength(300);
    expect(malformed).toBe(0);
    expect(candles.map(({ time }) => time)).toEqual(
      Array.from({ length: 300 }, (_, i) => newestS - (299 - i) * granularity),
    );
    expect(candles.at(-1)?.close).toBe(await newestClose(opened().addresses));
  },
);

test.each([
  ['granularity=3601', 400, 'Unsupported granularity'],
  ['', 400, 'Unsupported granularity'],
  ['granularity=3600&limit=5', 400, 'unknown parameter limit'],
  ['granularity=60&granularity=300', 400, 'Unsupported granularity'],
  [`granularity=3600&start=${iso(NOW_S)}`, 400, 'start and end must be given together'],
  ['granularity=3600&start=yesterday&end=now', 400, 'Invalid start or end time'],
  [`granularity=3600&start=${iso(NOW_S)}&end=${iso(NOW_S - 60)}`, 400, 'start must be before end'],
  [
    `granularity=60&start=${iso(NOW_S - DAY_S)}&end=${iso(NOW_S)}`,
    400,
    'granularity too small for the requested time range. Count of aggregations requested exceeds 300',
  ],
])('refuses %s as Coinbase does, without calling it', async (query, status, message) => {
  const { candles, calls } = open();

  const response = await candles(query);

  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ message });
  expect(calls).toEqual([]);
});

test.each(['NONE-USD', 'btc-usd', 'BTC-USD%2F..', '..%2F..%2Fadmin', 'BTC-USD%3Fx'])(
  'returns 404 for the unknown product %s',
  async (product) => {
    const { candles, calls } = open();

    const response = await candles('granularity=3600', product);

    expect(response.status).toBe(404);
    expect(calls).toEqual([]);
  },
);

test('refuses a range 30 days back, and serves all recent ranges from one call', async () => {
  const { candles, calls } = open();
  const days = (first: number) => `granularity=3600&start=${NOW_S - first * DAY_S}&end=${NOW_S - (first - 4) * DAY_S}`;

  const old = await candles(days(30));
  for (let day = 5; day < 12; day++) expect((await candles(days(day))).status).toBe(200);

  expect(old.status).toBe(400);
  expect(calls).toHaveLength(1);
});

test('serves stale stored candles while Coinbase fails, and throws venue/unavailable without any', async () => {
  const { candles, time, coinbaseApp } = open();
  await candles('granularity=3600');
  opened().faults.add({ part: 'rest', dialect: 'coinbase', what: 'status', status: 503 });
  time.ms += 61_000;

  const cached = await candles('granularity=3600');
  let thrown: unknown = null;
  coinbaseApp.onError((error, c) => {
    thrown = error;
    return c.text('', 503);
  });
  await candles('granularity=300');

  expect(cached.headers.get('x-market-stale')).toBe('true');
  expect(await cached.json()).toHaveLength(300);
  expect(thrown).toMatchObject({ code: 'venue/unavailable' });
});

test('drops malformed rows and leaves gaps in their place', async () => {
  opened().faults.add({ part: 'rest', dialect: 'coinbase', what: 'values', value: 'null' });

  const rows: unknown = await (await open().candles('granularity=3600')).json();

  const { candles, malformed } = parseCoinbaseCandles(rows, 3600);
  expect(candles.length).toBeGreaterThanOrEqual(200);
  expect(candles.length).toBeLessThan(300);
  expect(malformed).toBe(0);
});
