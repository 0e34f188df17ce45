import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { UsualRange } from '#domain/forecast/ranges/usual-range.ts';
import type { Candle } from '#domain/market/candle.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { createCandleFeed } from '../../../charts/candles/candle-feed.ts';
import { followUsual } from './follow-usual.ts';

const MARKET = { symbol: symbolNamed('BTC'), timeframe: '1min' } as const;
const T = 60 * 1000;
const bars = (from: number, to: number): Candle[] =>
  Array.from({ length: to - from }, (_, i) => ({ time: T + 60 * (from + i), open: 1, high: 1, low: 1, close: 1 }));
const rangeAt = (bar: number): UsualRange => ({
  sym: 'BTCUSDT.P',
  timeframe: '1min',
  t0: T + 60 * bar,
  lastClose: 1,
  baseline: 'har-0',
  lower80: [],
  upper80: [],
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(atBar = 0) {
  const server = { bar: atBar, fails: false };
  const load = vi.fn(async () => {
    if (server.fails) throw new Error('away');
    return rangeAt(server.bar);
  });
  const feed = createCandleFeed({ candles: bars(-149, 1), joinS: null, band: null });
  const stop = followUsual(feed, MARKET, load);
  return { server, load, feed, stop, pass: (ms: number) => vi.advanceTimersByTimeAsync(ms) };
}

test('follows each bar that closes, with one request', async () => {
  const { server, load, feed, pass } = start();
  await pass(0);
  expect(feed.series().usual?.t0).toBe(T);

  server.bar = 1;
  feed.close(bars(-148, 2), null);
  await pass(1500);
  expect(feed.series().usual?.t0).toBe(T + 60);
  expect(load).toHaveBeenCalledTimes(2);
});

test('tries again when the server is late or fails, three times at most', async () => {
  const { server, load, feed, pass } = start(-1);
  await pass(0);
  expect(feed.series().usual ?? null).toBeNull();
  server.bar = 0;
  await pass(3000);
  expect(feed.series().usual?.t0).toBe(T);

  server.fails = true;
  feed.close(bars(-148, 2), null);
  await pass(60_000);
  expect(load).toHaveBeenCalledTimes(5);
  expect(feed.series().usual?.t0).toBe(T);
});

test('stays at the start of a forecast, and does not follow one whose bars have begun to close', async () => {
  const { load, feed, pass } = start();
  await pass(0);
  feed.reset({ candles: bars(-149, 1), joinS: T, band: null });
  feed.close(bars(1, 3), null);
  await pass(10_000);
  expect([load.mock.calls.length, feed.series().usual?.t0]).toEqual([1, T]);

  feed.reset({ candles: bars(-160, -10), joinS: T - 660, band: null, outcome: bars(-10, 1) });
  await pass(10_000);
  expect(load).toHaveBeenCalledTimes(1);
});

test('takes the range off the chart with the market', async () => {
  const { feed, stop, pass } = start();
  await pass(0);
  stop();
  expect(feed.series().usual).toBeNull();
});
