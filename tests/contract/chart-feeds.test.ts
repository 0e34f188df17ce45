/** The charts that go back further than minutes: our own paths on the sandbox market, which refuses what the services do. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parseCoinbaseCandles } from '#domain/market/coinbase-candles.ts';
import { parseKrakenOhlc } from '#domain/market/kraken-ohlc.ts';
import { SYMBOLS } from '#domain/market/symbols.ts';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { coinbaseCandlesRoutes } from '../../server/market/coinbase-candles.ts';
import { krakenOhlcRoutes } from '../../server/market/kraken-ohlc.ts';
import { binanceVenue } from '../../server/market/venues/binance.ts';
import { createLogger } from '../../server/platform/log.ts';
import { writeMarketData } from '../support/market-data.ts';
import { movableClock } from '../support/market-stack.ts';
import { openedForTests } from '../support/opened-for-tests.ts';

const DAY_S = 86_400;
const log = createLogger('silent');
const clock = movableClock();
const NOW_S = Math.floor(clock.ms / 1000);
const opened = openedForTests(() =>
  startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'charts', startMs: null }),
);
afterEach(() => opened().faults.clear());

/** Both routes on the sandbox, with the calls they make and monotonic time in hand. */
function open() {
  const time = { ms: 0 };
  const calls: string[] = [];
  const deps = {
    origin: { kind: 'simulated', attribution: 'Sandbox market' } as const,
    clock,
    log,
    monotonicMs: () => time.ms,
    wait: async (ms: number) => {
      time.ms += ms;
    },
    fetch: (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
      calls.push(String(input));
      return fetch(input, init);
    },
  };
  const { kraken, coinbase } = opened().addresses;
  const krakenApp = krakenOhlcRoutes({ ...deps, ...kraken });
  const coinbaseApp = coinbaseCandlesRoutes({ ...deps, restUrl: coinbase.restUrl });
  return {
    time,
    calls,
    ohlc: (query: string) => krakenApp.request(`/0/public/OHLC?${query}`),
    candles: (query: string, product = 'BTC-USD') => coinbaseApp.request(`/products/${product}/candles?${query}`),
    coinbaseApp,
  };
}

async function newestClose(): Promise<number> {
  const { binance } = opened().addresses;
  const rows: unknown = await (
    await fetch(`${binance.restUrl}/fapi/v1/klines?symbol=BTCUSDT&interval=1m&limit=1`)
  ).json();
  const row: unknown = Array.isArray(rows) ? rows[0] : null;
  return Number(Array.isArray(row) ? row[4] : Number.NaN);
}

test('where candles are replayed, the bars before the recording lead up to it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kat-charts-'));
  await writeMarketData(dataDir, { syms: ['BTCUSDT.P'], days: 6 });
  const replay = await startSandboxMarket({ clock, dataDir, speed: 1, seed: 'charts', startMs: null });
  const { kraken, binance } = replay.addresses;

  const days: unknown = await (await fetch(`${kraken.restUrl}/0/public/OHLC?pair=XBTUSD&interval=1440`)).json();
  const last: unknown = await (
    await fetch(`${binance.restUrl}/fapi/v1/klines?symbol=BTCUSDT&interval=1m&limit=1`)
  ).json();
  await replay.close();
  await rm(dataDir, { recursive: true });

  const { rows } = parseKrakenOhlc(days);
  const steps = rows.slice(1).map((row, i) => Math.abs(Math.log(Number(row[1]) / Number(rows[i]?.[4]))));
  expect(replay.kindOf('BTCUSDT.P')).toBe('replayed');
  expect(rows).toHaveLength(720);
  expect(Math.max(...steps)).toBeLessThan(0.01);
  expect(last).toEqual([expect.arrayContaining([rows.at(-1)?.[4]])]);
});

describe('GET /0/public/OHLC', () => {
  test.each(['XBTUSD', 'BTCUSD', 'XBT/USD'])('weeks of %s: 720 of them, the last one unfinished', async (pair) => {
    const response = await open().ohlc(`pair=${encodeURIComponent(pair)}&interval=10080`);
    const body: unknown = await response.json();

    const { rows } = parseKrakenOhlc(body);
    expect(response.status).toBe(200);
    expect(body).toEqual({ error: [], result: { XXBTZUSD: rows, last: rows.at(-2)?.[0] } });
    expect(rows).toHaveLength(720);
    expect(rows.every((row, i) => i === 0 || row[0] === (rows[i - 1]?.[0] ?? 0) + 7 * DAY_S)).toBe(true);
    expect(rows.at(-1)?.[0]).toBe(Math.floor(NOW_S / (7 * DAY_S)) * 7 * DAY_S);
    expect(Number(rows.at(-1)?.[4])).toBe(await newestClose());
  });

  test('months, which Kraken refuses, are calendar months', async () => {
    const { ohlc, calls } = open();
    const refused: unknown = await (
      await fetch(`${opened().addresses.kraken.restUrl}/0/public/OHLC?pair=XBTUSD&interval=43200`)
    ).json();

    const { rows } = parseKrakenOhlc(await (await ohlc('pair=XBTUSD&interval=43200')).json());

    expect(refused).toEqual({ error: ['EGeneral:Invalid arguments'] });
    expect(rows.every(([startS]) => new Date(startS * 1000).toISOString().endsWith('-01T00:00:00.000Z'))).toBe(true);
    expect(rows.at(-1)?.[0]).toBe(Date.UTC(2025, 10, 1) / 1000);
    expect(rows.length).toBeGreaterThan(150);
    expect(Number(rows.at(-1)?.[4])).toBe(await newestClose());
    expect(calls).toHaveLength(2);
  });

  test.each(SYMBOLS.filter((s) => s.assetClass === 'crypto').map((s) => s.label))('knows %s', async (label) => {
    const pair = { BTC: 'XBTUSD', ETH: 'ETHUSD', SOL: 'SOLUSD', DOGE: 'XDGUSD' }[label];

    expect(parseKrakenOhlc(await (await open().ohlc(`pair=${pair}&interval=1440`)).json()).rows).toHaveLength(720);
  });

  test.each([
    ['pair=XRPUSD&interval=10080', 'EQuery:Unknown asset pair'],
    ['pair=..%2FTicker&interval=10080', 'EQuery:Unknown asset pair'],
    ['pair=XBTUSD&interval=60', 'EGeneral:Invalid arguments'],
    ['pair=XBTUSD&interval=010080', 'EGeneral:Invalid arguments'],
    ['pair=XBTUSD&interval=10080&interval=1440', 'EGeneral:Invalid arguments'],
    ['pair=XBTUSD&pair=ETHUSD&interval=10080', 'EGeneral:Invalid arguments'],
    ['pair=XBTUSD', 'EGeneral:Invalid arguments'],
    ['interval=10080', 'EGeneral:Invalid arguments'],
    ['', 'EGeneral:Invalid arguments'],
  ])('refuses %s in Kraken’s words, without a call', async (query, error) => {
    const { ohlc, calls } = open();

    const response = await ohlc(query);

    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ error: [error], result: {} });
    expect(calls).toEqual([]);
  });

  test('a hundred visitors cost one call, and later ones none for a minute', async () => {
    const { ohlc, calls, time } = open();

    const answers = await Promise.all(Array.from({ length: 100 }, () => ohlc('pair=XBTUSD&interval=10080')));
    time.ms += 59_999;
    const later = await ohlc('pair=BTCUSD&interval=10080');

    expect(new Set(await Promise.all([...answers, later].map((answer) => answer.text()))).size).toBe(1);
    expect(later.headers.get('cache-control')).toBe('public, max-age=30');
    expect(later.headers.get('x-fetched-at')).toBe(new Date(clock.ms).toISOString());
    expect(later.headers.get('x-market-kind')).toBe('simulated');
    expect(calls).toHaveLength(1);
  });

  test('Kraken is called once a second at most', async () => {
    const { ohlc, calls, time } = open();

    for (const pair of ['XBTUSD', 'ETHUSD', 'SOLUSD', 'XDGUSD']) await ohlc(`pair=${pair}&interval=10080`);

    expect(calls).toHaveLength(4);
    expect(time.ms).toBeGreaterThanOrEqual(3000);
  });

  test.each([
    ['an error', { what: 'status', status: 502 }],
    ['a page', { what: 'html' }],
    ['half an answer', { what: 'cut-off' }],
    ['a closed door', { what: 'refusal' }],
  ] as const)('while Kraken gives %s the last bars are kept, and told as stale', async (_what, fault) => {
    const { ohlc, time } = open();
    const before = await (await ohlc('pair=XBTUSD&interval=10080')).text();
    opened().faults.add({ part: 'rest', dialect: 'kraken', ...fault });
    time.ms += 61_000;

    const kept = await ohlc('pair=XBTUSD&interval=10080');

    expect(await kept.text()).toBe(before);
    expect(kept.headers.get('x-market-stale')).toBe('true');
  });

  test('with nothing kept it says so in Kraken’s words, and finds back by itself', async () => {
    const { ohlc, time } = open();
    opened().faults.add({ part: 'rest', dialect: 'kraken', what: 'status', status: 500 });

    const gone = await ohlc('pair=XBTUSD&interval=43200');
    opened().faults.clear();
    // Two questions, three tries each: from the fifth on it is left alone for five minutes.
    time.ms += 300_000;

    expect(gone.status).toBe(200);
    expect(gone.headers.get('cache-control')).toBe('no-store');
    expect(await gone.json()).toEqual({ error: ['EService:Unavailable'], result: {} });
    expect(await (await ohlc('pair=XBTUSD&interval=43200')).json()).toMatchObject({ error: [] });
  });

  test.each(['NaN', 'null', 'empty', 'negative', '1e400'] as const)(
    'bars with %s are left out, the others live',
    async (value) => {
      opened().faults.add({ part: 'rest', dialect: 'kraken', what: 'values', value });

      const { rows, malformed } = parseKrakenOhlc(await (await open().ohlc('pair=XBTUSD&interval=10080')).json());

      expect(rows.length).toBeGreaterThanOrEqual(470);
      expect(malformed).toBe(0);
    },
  );
});

describe('GET /products/<id>/candles', () => {
  const iso = (s: number): string => new Date(s * 1000).toISOString();

  test('four days of hours: low before high, newest first, the last close the candle’s own', async () => {
    const response = await open().candles(`granularity=3600&start=${iso(NOW_S - 4 * DAY_S)}&end=${iso(NOW_S)}`);
    const rows: unknown = await response.json();

    const { candles, malformed } = parseCoinbaseCandles(rows, 3600);
    expect(candles).toHaveLength(96);
    expect(malformed).toBe(0);
    expect(rows).toEqual(candles.map((c) => [c.time, c.low, c.high, c.open, c.close, c.volume]).reverse());
    expect(candles.at(-1)?.close).toBe(await newestClose());
  });

  test('hours agree with the minutes that they are made of', async () => {
    const hourS = Math.floor(NOW_S / 3600) * 3600 - 3600;
    const { binance } = opened().addresses;
    const venue = binanceVenue({ ...binance, symbols: SYMBOLS, clock, log });
    const minutes = (await venue.candles(SYMBOLS[0], 120, new AbortController().signal)).filter(
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

  test.each([60, 300, 900, 3600, 21_600, 86_400])(
    'gives the newest 300 of %d seconds without a range',
    async (granularity) => {
      const response = await open().candles(`granularity=${granularity}`);

      expect(response.headers.get('cache-control')).toBe('public, max-age=30');
      expect(await response.json()).toHaveLength(300);
    },
  );

  test.each([
    ['granularity=3601', 400, 'Unsupported granularity'],
    ['', 400, 'Unsupported granularity'],
    ['granularity=60&granularity=300', 400, 'Unsupported granularity'],
    [`granularity=3600&start=${iso(NOW_S)}`, 400, 'start and end are given together or not at all'],
    ['granularity=3600&start=yesterday&end=now', 400, 'Invalid start or end time'],
    [`granularity=3600&start=${iso(NOW_S)}&end=${iso(NOW_S - 60)}`, 400, 'start must be before end'],
    [
      `granularity=60&start=${iso(NOW_S - DAY_S)}&end=${iso(NOW_S)}`,
      400,
      'granularity too small for the requested time range. Count of aggregations requested exceeds 300',
    ],
  ])('refuses %s as Coinbase does, without a call', async (query, status, message) => {
    const { candles, calls } = open();

    const response = await candles(query);

    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ message });
    expect(calls).toEqual([]);
  });

  test.each(['XRP-USD', 'btc-usd', 'BTC-USD%2F..', '..%2F..%2Fadmin', 'BTC-USD%3Fx'])(
    'knows no product %s',
    async (product) => {
      const { candles, calls } = open();

      const response = await candles('granularity=3600', product);

      expect(response.status).toBe(404);
      expect(calls).toEqual([]);
    },
  );

  test('a range of long ago is refused, and no range makes a call of its own', async () => {
    const { candles, calls } = open();
    const days = (first: number) =>
      `granularity=3600&start=${NOW_S - first * DAY_S}&end=${NOW_S - (first - 4) * DAY_S}`;

    const old = await candles(days(30));
    for (let day = 5; day < 12; day++) expect((await candles(days(day))).status).toBe(200);

    expect(old.status).toBe(400);
    expect(calls).toHaveLength(1);
  });

  test('while Coinbase fails the last candles are kept; without any, 503 comes from the app', async () => {
    const { candles, time, coinbaseApp } = open();
    await candles('granularity=3600');
    opened().faults.add({ part: 'rest', dialect: 'coinbase', what: 'status', status: 503 });
    time.ms += 61_000;

    const kept = await candles('granularity=3600');
    let thrown: unknown = null;
    coinbaseApp.onError((error, c) => {
      thrown = error;
      return c.text('', 503);
    });
    await candles('granularity=300');

    expect(kept.headers.get('x-market-stale')).toBe('true');
    expect(await kept.json()).toHaveLength(300);
    expect(thrown).toMatchObject({ code: 'venue/unavailable' });
  });

  test('gaps are legal: bad rows leave one, and nothing else', async () => {
    opened().faults.add({ part: 'rest', dialect: 'coinbase', what: 'values', value: 'null' });

    const rows: unknown = await (await open().candles('granularity=3600')).json();

    const { candles, malformed } = parseCoinbaseCandles(rows, 3600);
    expect(candles.length).toBeGreaterThanOrEqual(200);
    expect(candles.length).toBeLessThan(300);
    expect(malformed).toBe(0);
  });
});
