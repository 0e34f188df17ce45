import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { coinSchema } from '#domain/market/reference/global-metrics.ts';
import { marketTotals } from '../dialects/reference/coingecko.ts';
import { openSources } from '../market-sources.ts';
import { candleSeenAt } from '../market-time.ts';
import { coinFigures, type FiguresParts } from './coin-figures.ts';
import { COINS } from './coin-list.ts';
import { dayFiguresAt } from './day-figures.ts';

const NOW_MS = Date.parse('2026-11-20T15:00:20Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const openParts = async (seed = 's') => ({
  seed,
  listing: await openSources({ dataDir: null, seed, startMs: null, log: () => {}, nowMs: NOW_MS }),
});

/** Pins the length of the list: a page of the real service holds so many at most. */
test('lists 250 coins, each with its own name and symbol', () => {
  expect(COINS).toHaveLength(250);
  expect(new Set(COINS.map((coin) => coin.id)).size).toBe(COINS.length);
  expect(new Set(COINS.map((coin) => coin.symbol)).size).toBe(COINS.length);
  expect(COINS.every((coin) => coin.basePrice > 0 && coin.name !== '')).toBe(true);
});

test('fills every row as the real list does, the largest first, with some numbers missing', async () => {
  const rows = coinFigures(await openParts(), NOW_MS);

  expect(rows.filter((row) => !coinSchema.safeParse(row).success)).toEqual([]);
  expect(rows[0]).toMatchObject({ id: 'bitcoin', symbol: 'btc', market_cap_rank: 1 });
  const caps = rows.map((row) => row.market_cap ?? -1);
  expect(caps).toEqual(caps.toSorted((a, b) => b - a));
  for (const name of ['current_price', 'market_cap', 'price_change_percentage_24h', 'total_volume'] as const)
    expect(rows.filter((row) => row[name] === null).length).toBeGreaterThan(0);
});

test('prices coins with candles at their last trade, and coins tied to them alike', async () => {
  const parts = await openParts();
  const rows = coinFigures(parts, NOW_MS);
  const priceOf = (symbol: string) => rows.find((row) => row.symbol === symbol)?.current_price;

  for (const label of ['BTC', 'ETH', 'SOL', 'DOGE']) {
    const listed = parts.listing.find((one) => one.symbol.label === label);
    const candle = listed && candleSeenAt(listed, Math.floor(NOW_MS / 60_000) * 60, NOW_MS);
    expect(priceOf(label.toLowerCase())).toBe(candle?.close);
  }
  expect([priceOf('wbtc'), priceOf('steth')]).toEqual([priceOf('btc'), priceOf('eth')]);
  expect(priceOf('usdt')).toBeCloseTo(1, 2);
});

test('computes the change since a day before', async () => {
  const parts = await openParts();
  const [btc] = coinFigures(parts, NOW_MS);
  const [before] = coinFigures(parts, NOW_MS - DAY_MS);

  const change = (btc?.current_price ?? 0) - (before?.current_price ?? 0);
  expect(btc?.price_change_24h).toBeCloseTo(change, 1);
  expect(btc?.price_change_percentage_24h).toBeCloseTo((100 * change) / (before?.current_price ?? 1), 4);
});

const START_S = Date.parse('2025-03-03T00:00:00Z') / 1000;

/** Only Bitcoin is recorded, at prices far from the simulated ones: 100.00 and a cent more with each minute. */
async function replayedParts(minutes: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'kat-coins-'));
  const rows = Array.from({ length: minutes }, (_, i) => {
    const price = (100 + i / 100).toFixed(2);
    return `${START_S + i * 60},${price},${price},${price},${price},1`;
  });
  const text = ['time,open,high,low,close,volume', ...rows].join('\n');
  await writeFile(join(dataDir, 'BTCUSDT.P-1m.csv.gz'), gzipSync(text));
  const listing = await openSources({ dataDir, seed: 's', startMs: null, log: () => {}, nowMs: NOW_MS });
  await rm(dataDir, { recursive: true });
  return { seed: 's', listing };
}
const rowOf = (parts: FiguresParts, id: string, nowMs: number) =>
  coinFigures(parts, nowMs).find((row) => row.id === id) ?? expect.fail(`no ${id}`);

test('tells the change of a replayed coin from the recording alone', async () => {
  const parts = await replayedParts(4000);

  const bitcoin = rowOf(parts, 'bitcoin', NOW_MS);

  expect(bitcoin.price_change_24h).toBeCloseTo(14.4, 1);
  expect(bitcoin.low_24h).toBeCloseTo((bitcoin.current_price ?? 0) - 14.4, 1);
});

test('leaves out the change of a replayed coin whose recording begins less than a day before', async () => {
  const parts = await replayedParts(1100);

  for (const id of ['bitcoin', 'wrapped-bitcoin']) {
    const { current_price, high_24h, low_24h, ...row } = rowOf(parts, id, NOW_MS);
    expect([row.price_change_24h, row.price_change_percentage_24h, row.market_cap_change_24h]).toEqual([
      null,
      null,
      null,
    ]);
    expect(current_price).toBeCloseTo(108.8, 1);
    expect([(high_24h ?? 0) < 112, (low_24h ?? 0) > 100]).toEqual([true, true]);
  }
  expect(Math.abs(marketTotals(parts, NOW_MS).changePercent)).toBeLessThan(20);
});

test('compares no price with one of before the replay started again', async () => {
  const parts = await replayedParts(4000);
  const btc = parts.listing.find(({ symbol }) => symbol.label === 'BTC') ?? expect.fail('no BTC');
  const restartMs = (4000 - 1500 + 5) * 60_000 + Math.floor(NOW_MS / 60_000) * 60_000;
  const hourLaterMs = restartMs + HOUR_MS;

  expect(rowOf(parts, 'bitcoin', hourLaterMs)).toMatchObject({ price_change_24h: null });
  expect(rowOf(parts, 'bitcoin', hourLaterMs).high_24h).toBeLessThan(101);
  expect(dayFiguresAt(btc, hourLaterMs)).toMatchObject({ open: 100, low: 100 });
  expect(dayFiguresAt(btc, hourLaterMs)?.high).toBeLessThan(101);
});

test('moves the volume of a day slowly, across the hour too', async () => {
  const parts = await openParts();
  const hourMs = Math.ceil(NOW_MS / HOUR_MS) * HOUR_MS;
  for (let hour = 0; hour < 8; hour++) {
    const [before] = coinFigures(parts, hourMs + hour * HOUR_MS - 60_000);
    const [after] = coinFigures(parts, hourMs + hour * HOUR_MS + 60_000);

    expect((after?.total_volume ?? 0) / (before?.total_volume ?? 0)).toBeCloseTo(1, 1);
  }
});

test('gives the same figures for the same seed and time, others for another seed', async () => {
  const [one, again, other] = await Promise.all([openParts(), openParts(), openParts('t')]);

  expect(coinFigures(one, NOW_MS)).toEqual(coinFigures(again, NOW_MS));
  expect(coinFigures(one, NOW_MS)).not.toEqual(coinFigures(other, NOW_MS));
});
