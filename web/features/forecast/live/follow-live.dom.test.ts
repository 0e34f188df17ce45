import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aggregateCandles } from '#domain/market/bars.ts';
import type { Candle } from '#domain/market/candle.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { barSecondsOf, type Timeframe } from '#domain/market/timeframes.ts';
import { type ChartSeries, createCandleFeed } from '../../../charts/candles/candle-feed.ts';
import { fakeLiveFeed, heartbeat } from '../../../platform/testing/fake-live.ts';
import type { History } from '../../../site/history-api.ts';
import { followLive } from './follow-live.ts';

const T = 1_762_959_600;
const BTC = symbolNamed('BTC');

const minute = (n: number, close = 100): Candle => ({
  time: T + n * 60,
  open: 100,
  high: Math.max(100, close),
  low: Math.min(100, close),
  close,
  volume: 1,
});
const minutes = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => minute(from + i));
const rowOf = ({ time, low, high, open, close, volume = 0 }: Candle) => [time, low, high, open, close, volume];
const candlesText = (closed: Candle, forming: Candle | null) => ({
  type: 'candles',
  product_id: BTC.sym,
  closed: rowOf(closed),
  forming: forming && rowOf(forming),
});
const timeAt = (n: number, seconds = 0) => ({
  ...heartbeat(BTC.sym),
  market_time: new Date((T + n * 60 + seconds) * 1000).toISOString(),
});

const stops: (() => void)[] = [];
beforeEach(() => {
  vi.useFakeTimers();
  vi.setSystemTime(T * 1000);
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  vi.useRealTimers();
});

interface Start {
  series?: Partial<ChartSeries>;
  timeframe?: Timeframe;
  /** How many minutes the server's history has. */
  upTo?: number;
}

function start({ series = {}, timeframe = '1min', upTo = 0 }: Start = {}) {
  const live = fakeLiveFeed();
  const market = { upTo };
  const feed = createCandleFeed({ candles: minutes(-450, 0), joinS: null, band: null, ...series });
  const closes = vi.fn<(series: ChartSeries) => void>();
  const moves = vi.fn<(series: ChartSeries) => void>();
  feed.listen({ onReset: () => {}, onAppend: () => {}, onClose: closes, onMove: moves });
  const load = vi.fn(async (wanted: { timeframe: Timeframe }): Promise<History> => {
    const candles = aggregateCandles(minutes(-900, market.upTo), wanted.timeframe).slice(-450);
    const answeredAtMs = (T + market.upTo * 60) * 1000;
    const source = { attribution: null, delayS: 0, isStale: false, closedAtMs: null, answeredAtMs, receivedAtMs: 0 };
    return { candles, marketKind: 'live', isMarketOpen: true, source };
  });
  stops.push(followLive(feed, { symbol: BTC, timeframe }, load));
  live.connection().accept();
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 250) {
      await live.advance(250);
      await vi.advanceTimersByTimeAsync(250);
    }
  };
  const send = (...messages: object[]) => live.connection().receive(...messages);
  return { feed, closes, moves, load, market, live, pass, send };
}

test('moves the forming candle four times a second at most, and rolls the 150 when it closes', async () => {
  const { feed, closes, moves, load, send, pass } = start();
  await pass(500);
  send(timeAt(0, 10));
  for (let i = 0; i < 20; i++) send(candlesText(minute(-1), minute(0, 101 + i)));
  await pass(250);
  expect(moves).toHaveBeenCalledOnce();
  expect(feed.series()).toMatchObject({ forming: { close: 120 }, live: { closesInS: 50, lateS: null } });

  send(candlesText(minute(0, 105), minute(1, 106)));
  expect(closes).toHaveBeenCalledOnce();
  const { candles, forming } = feed.series();
  expect([candles.length, candles.at(-1), forming]).toEqual([150, minute(0, 105), minute(1, 106)]);
  send(candlesText(minute(0, 105), minute(1, 106)));
  expect(closes).toHaveBeenCalledOnce();
  expect(load).not.toHaveBeenCalled();
});

test('counts down by the market’s clock, whatever the page’s own shows', async () => {
  vi.setSystemTime((T + 3600) * 1000);
  const { feed, send, pass } = start();
  send(timeAt(0, 20), candlesText(minute(-1), minute(0)));
  await pass(5000);
  expect(feed.series().live?.closesInS).toBe(35);
});

test('grows over a forecast and past its end, which keeps its 200 candles', async () => {
  const path = minutes(-60, -10).map((candle) => ({ ...candle, close: 99, low: 99 }));
  const { feed, send, pass } = start({
    series: { candles: [...minutes(-210, -60), ...path], joinS: T - 61 * 60, band: null },
    upTo: 0,
  });
  send(timeAt(0, 1), candlesText(minute(-1), minute(0, 103)));
  await pass(3000);

  const { candles, outcome = [], forming } = feed.series();
  expect([candles.length, outcome.length, outcome[0]?.time, outcome.at(-1)?.time, forming?.close]).toEqual([
    ...[200, 60, T - 60 * 60, T - 60],
    103,
  ]);
});

test('stops with a feed that is silent, says how old the price is, and fills the gap when it returns', async () => {
  const { feed, send, pass, market } = start();
  send(timeAt(0, 1), candlesText(minute(-1), minute(0, 103)));
  await pass(20_000);
  expect(feed.series()).toMatchObject({ forming: { close: 103 }, live: { lateS: 20 } });

  market.upTo = 3;
  send(timeAt(3, 1), candlesText(minute(2), minute(3, 104)));
  expect(feed.series().candles.at(-1)?.time).toBe(T - 60);
  await pass(3000);
  const { candles, forming, live } = feed.series();
  expect(candles.slice(-4).map(({ time }) => (time - T) / 60)).toEqual([-1, 0, 1, 2]);
  expect([forming?.close, live?.lateS]).toEqual([104, null]);
});

test('rolls without the live connection too, by the history', async () => {
  const { feed, market, pass, load } = start();
  market.upTo = 1;
  await pass(70_000);
  expect(feed.series().candles.at(-1)).toEqual(minute(0));
  expect(load.mock.calls.length).toBeLessThanOrEqual(2);
});

test('builds a longer bar from its minutes', async () => {
  const { feed, send, pass, market } = start({
    series: { candles: aggregateCandles(minutes(-450, 0), '5min') },
    timeframe: '5min',
    upTo: 2,
  });
  await pass(3000);
  send(timeAt(2, 30), candlesText(minute(1), minute(2, 107)));
  await pass(250);
  expect(feed.series()).toMatchObject({ forming: { time: T, close: 107 }, live: { closesInS: 150 } });

  for (const n of [2, 3, 4]) send(candlesText(minute(n), minute(n + 1)));
  market.upTo = 5;
  await pass(250);
  expect(feed.series().candles.at(-1)?.time).toBe(T);
  expect(feed.series().forming?.time).toBe(T + barSecondsOf('5min'));
});

test('leaves a forecast of long ago, and an amplified one, as they are', async () => {
  const old = { candles: minutes(-9000, -8800), joinS: T - 8850 * 60 };
  for (const series of [old, { ...old, ampPercent: 200 }]) {
    const { moves, closes, send, pass, load } = start({ series });
    send(timeAt(0, 1), candlesText(minute(-1), minute(0, 103)));
    await pass(60_000);
    expect([moves.mock.calls.length, closes.mock.calls.length]).toEqual([0, 0]);
    expect(load.mock.calls.length).toBeLessThanOrEqual(1);
  }
});

test('starts again with each series that the chart gets, and ends with the panel', async () => {
  const { feed, send, pass, moves } = start();
  send(timeAt(0, 1), candlesText(minute(-1), minute(0, 103)));
  await pass(250);
  const seen: boolean[] = [];
  feed.listen({ onReset: () => seen.push(true), onAppend: () => {}, onMove: () => seen.push(false) });
  feed.reset({ candles: minutes(-150, 0), joinS: T - 60, band: null });
  await Promise.resolve();
  // The chart gets the new series first.
  expect(seen).toEqual([true, false]);
  expect(feed.series().forming).toMatchObject({ close: 103 });

  for (const stop of stops.splice(0)) stop();
  const before = moves.mock.calls.length;
  send(candlesText(minute(-1), minute(0, 109)));
  await pass(1000);
  expect(moves.mock.calls.length).toBe(before);
});

test('requests nothing for a chart that is left while its request waits for its turn', async () => {
  const spread = vi.spyOn(Math, 'random').mockReturnValue(0.9);
  const { load, send, pass } = start({ upTo: 5 });
  await pass(500);
  // Three bars are missing: the history is needed.
  send(timeAt(4, 1), candlesText(minute(3), minute(4)));
  await pass(500);

  for (const stop of stops.splice(0)) stop();
  await pass(5000);

  expect(load).not.toHaveBeenCalled();
  spread.mockRestore();
});
