/**
 * Weekly and monthly bars, served by our own path from the sandbox market, which refuses the same requests as Kraken.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { KRAKEN_PAIRS, parseKrakenOhlc } from '#domain/market/codecs/kraken-ohlc.ts';
import { startSandboxMarket } from '../../sandbox/market/sandbox-market.ts';
import { newestClose, openChartFeeds } from '../support/market/chart-feeds.ts';
import { writeMarketData } from '../support/market/market-data.ts';
import { movableClock } from '../support/market/market-stack.ts';
import { openedForTests } from '../support/run/opened-for-tests.ts';

const DAY_S = 86_400;
const clock = movableClock();
const NOW_S = Math.floor(clock.ms / 1000);
const opened = openedForTests(() =>
  startSandboxMarket({ clock, dataDir: null, speed: 1, seed: 'charts', startMs: null }),
);
afterEach(() => opened().faults.clear());

const open = () => openChartFeeds(opened().addresses, clock);

test.each(['XBTUSD', 'BTCUSD', 'XBT/USD'])('returns 720 weeks of %s, the last one unfinished', async (pair) => {
  const response = await open().ohlc(`pair=${encodeURIComponent(pair)}&interval=10080`);
  const body: unknown = await response.json();

  const { rows } = parseKrakenOhlc(body);
  expect(response.status).toBe(200);
  expect(body).toEqual({ error: [], result: { XXBTZUSD: rows, last: rows.at(-2)?.[0] } });
  expect(rows).toHaveLength(720);
  expect(rows.every((row, i) => i === 0 || row[0] === (rows[i - 1]?.[0] ?? 0) + 7 * DAY_S)).toBe(true);
  expect(rows.at(-1)?.[0]).toBe(Math.floor(NOW_S / (7 * DAY_S)) * 7 * DAY_S);
  expect(Number(rows.at(-1)?.[4])).toBe(await newestClose(opened().addresses));
});

test('returns calendar months, which Kraken refuses', async () => {
  const { ohlc, calls } = open();
  const refused: unknown = await (
    await fetch(`${opened().addresses.kraken.restUrl}/0/public/OHLC?pair=XBTUSD&interval=43200`)
  ).json();

  const { rows } = parseKrakenOhlc(await (await ohlc('pair=XBTUSD&interval=43200')).json());

  expect(refused).toEqual({ error: ['EGeneral:Invalid arguments'] });
  expect(rows.every(([startS]) => new Date(startS * 1000).toISOString().endsWith('-01T00:00:00.000Z'))).toBe(true);
  expect(rows.at(-1)?.[0]).toBe(Date.UTC(2025, 10, 1) / 1000);
  expect(rows.length).toBeGreaterThan(150);
  expect(Number(rows.at(-1)?.[4])).toBe(await newestClose(opened().addresses));
  expect(calls).toHaveLength(2);
});

test.each(KRAKEN_PAIRS)('returns 720 days of $label', async ({ name }) => {
  const { rows, malformed } = parseKrakenOhlc(await (await open().ohlc(`pair=${name}&interval=1440`)).json());

  const todayS = Math.floor(NOW_S / DAY_S) * DAY_S;
  expect(malformed).toBe(0);
  expect(rows.map(([startS]) => startS)).toEqual(Array.from({ length: 720 }, (_, i) => todayS - (719 - i) * DAY_S));
});

test.each([
  ['pair=NONEUSD&interval=10080', 'EQuery:Unknown asset pair'],
  ['pair=..%2FTicker&interval=10080', 'EQuery:Unknown asset pair'],
  ['pair=XBTUSD&interval=60', 'EGeneral:Invalid arguments'],
  ['pair=XBTUSD&interval=010080', 'EGeneral:Invalid arguments'],
  ['pair=XBTUSD&interval=10080&interval=1440', 'EGeneral:Invalid arguments'],
  ['pair=XBTUSD&pair=ETHUSD&interval=10080', 'EGeneral:Invalid arguments'],
  ['pair=XBTUSD&interval=10080&since=yesterday', 'EGeneral:Invalid arguments'],
  ['pair=XBTUSD&interval=10080&since=-1', 'EGeneral:Invalid arguments'],
  ['pair=XBTUSD&interval=10080&since=1&since=2', 'EGeneral:Invalid arguments'],
  ['pair=XBTUSD&interval=10080&count=5', 'EGeneral:Invalid arguments'],
  ['pair=XBTUSD', 'EGeneral:Invalid arguments'],
  ['interval=10080', 'EGeneral:Invalid arguments'],
  ['', 'EGeneral:Invalid arguments'],
])("refuses %s with Kraken's error, without calling it", async (query, error) => {
  const { ohlc, calls } = open();

  const response = await ohlc(query);

  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toEqual({ error: [error], result: {} });
  expect(calls).toEqual([]);
});

test.each([10080, 43200])(
  'returns the %d-minute bars after `since` from the stored answer, without another call',
  async (interval) => {
    const { ohlc, calls } = open();
    const query = `pair=XBTUSD&interval=${interval}`;
    const all = parseKrakenOhlc(await (await ohlc(query)).json()).rows;
    const before = calls.length;

    const later: unknown = await (await ohlc(`${query}&since=${all.at(-3)?.[0]}`)).json();
    const none: unknown = await (await ohlc(`${query}&since=${all.at(-1)?.[0]}`)).json();

    const last = all.at(-2)?.[0];
    expect(later).toEqual({ error: [], result: { XXBTZUSD: all.slice(-2), last } });
    expect(none).toEqual({ error: [], result: { XXBTZUSD: [], last } });
    expect(calls).toHaveLength(before);
  },
);

test('calls Kraken once a second at most', async () => {
  const { ohlc, calls, time } = open();

  for (const pair of ['XBTUSD', 'ETHUSD', 'SOLUSD', 'XDGUSD']) await ohlc(`pair=${pair}&interval=10080`);

  expect(calls).toHaveLength(4);
  expect(time.ms).toBeGreaterThanOrEqual(3000);
});

test.each(['NaN', 'null', 'empty', 'negative', '1e400'] as const)(
  'drops bars with %s and returns the others',
  async (value) => {
    opened().faults.add({ part: 'rest', dialect: 'kraken', what: 'values', value });

    const { rows, malformed } = parseKrakenOhlc(await (await open().ohlc('pair=XBTUSD&interval=10080')).json());

    expect(rows.length).toBeGreaterThanOrEqual(470);
    expect(malformed).toBe(0);
  },
);

test('generates bars that lead up to the recording in a replayed market', async () => {
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
