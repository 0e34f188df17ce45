import { afterEach, expect, test, vi } from 'vitest';
import type { Candle } from '#domain/market/candle.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { createLogger } from '../../platform/telemetry/log.ts';
import type { MarketSource } from '../market-source.ts';
import type { ServedUpdate } from '../venues/venue.ts';
import type { HistorySlice } from './candle-history.ts';
import { openCandleTickers } from './candle-tickers.ts';
import type { FailoverHistory } from './failover-history.ts';

const MSFT = symbolNamed('MSFT');
const NOON_S = Date.parse('2025-11-12T15:00:00Z') / 1000;
const stops: AbortController[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop.abort();
});

const candle = (time: number, close: number): Candle => ({
  time,
  open: 100,
  high: close + 5,
  low: 90,
  close,
  volume: 2,
});

function aSlice(candles: readonly Candle[], isStale = false): HistorySlice {
  const origin = { marketKind: 'simulated' as const, venueId: 'v', attribution: 'V', delayS: 0 };
  return { ...origin, candles, asOfS: candles.at(-1)?.time ?? null, isStale, isOpen: true, nowMs: NOON_S * 1000 };
}

function open(
  latest: () => Promise<HistorySlice>,
  watch: FailoverHistory['watch'] = () => () => {},
  recordedAtS: MarketSource['recordedAtS'] = () => null,
) {
  const stop = new AbortController();
  stops.push(stop);
  const log = createLogger('silent');
  return openCandleTickers({
    history: { latest, watch },
    symbols: [MSFT],
    signal: stop.signal,
    log,
    recordedAtS,
    periodMs: 1,
  });
}

test('takes the price of the last closed minute, with the figures of its day', async () => {
  const dayAgo = NOON_S - 86_400;
  const candles = [candle(dayAgo - 60, 500), candle(dayAgo + 60, 110), candle(NOON_S, 120)];
  const tickers = open(async () => aSlice(candles));

  await vi.waitFor(() => expect(tickers.latest('MSFT')).not.toBeNull());

  expect(tickers.latest('MSFT')).toMatchObject({
    productId: 'MSFT',
    price: 120,
    open24h: 100,
    high24h: 125,
    low24h: 90,
    volume24h: 4,
    bestBid: null,
    time: '2025-11-12T15:01:00.000Z',
    origin: { source: 'V', delayS: 0, isOpen: true },
  });
  expect(tickers.isFresh('MSFT')).toBe(true);
  expect([tickers.latest('BTC-USD'), tickers.isFresh('BTC-USD')]).toEqual([null, false]);
});

test('queries only while read, and returns a new object only for a new price', async () => {
  let price = 120;
  const latest = vi.fn(async () => aSlice([candle(NOON_S, price)]));
  const tickers = open(latest);
  expect(latest).not.toHaveBeenCalled();

  await vi.waitFor(() => expect(tickers.latest('MSFT')).not.toBeNull());
  const first = tickers.latest('MSFT');
  await vi.waitFor(() => {
    tickers.latest('MSFT');
    expect(latest.mock.calls.length).toBeGreaterThan(2);
  });
  expect(tickers.latest('MSFT')).toBe(first);
  price = 121;

  await vi.waitFor(() => expect(tickers.latest('MSFT')?.price).toBe(121));
});

test('follows the open minute, and ignores late updates and other symbols', async () => {
  let emit: (update: ServedUpdate) => void = () => {};
  const tickers = open(
    async () => aSlice([candle(NOON_S - 60, 120)]),
    (listener) => {
      emit = listener;
      return () => {};
    },
  );
  emit({ symbol: MSFT, candle: candle(NOON_S - 120, 999), isClosed: true, venueId: 'binance' });
  await vi.waitFor(() => expect(tickers.latest('MSFT')?.price).toBe(120));

  emit({ symbol: MSFT, candle: candle(NOON_S, 130), isClosed: false, venueId: 'binance' });
  emit({ symbol: symbolNamed('AAPL'), candle: candle(NOON_S, 7), isClosed: false, venueId: 'binance' });

  expect(tickers.latest('MSFT')).toMatchObject({ price: 130, high24h: 135, low24h: 90, volume24h: 4 });
});

test('counts a replay’s day from its last restart, in its history and in its stream', async () => {
  let emit: (update: ServedUpdate) => void = () => {};
  const restarts = [NOON_S - 120, NOON_S + 60];
  // Each run begins at the same recorded minute.
  const recordedAtS = (_symbol: unknown, timeS: number) => timeS - (restarts.findLast((atS) => atS <= timeS) ?? 0);
  const candles = [
    candle(NOON_S - 240, 900),
    candle(NOON_S - 180, 900),
    candle(NOON_S - 120, 110),
    candle(NOON_S, 120),
  ];
  const tickers = open(
    async () => aSlice(candles),
    (listener) => {
      emit = listener;
      return () => {};
    },
    recordedAtS,
  );

  await vi.waitFor(() => expect(tickers.latest('MSFT')).toMatchObject({ price: 120, high24h: 125, volume24h: 4 }));
  emit({
    symbol: MSFT,
    candle: { ...candle(NOON_S + 60, 20), open: 15, low: 10 },
    isClosed: false,
    venueId: 'binance',
  });

  expect(tickers.latest('MSFT')).toMatchObject({ price: 20, open24h: 15, high24h: 25, low24h: 10, volume24h: 2 });
});

test('becomes stale with old candles or a failing history, and keeps the last price', async () => {
  let answer: () => HistorySlice = () => aSlice([candle(NOON_S, 120)]);
  const tickers = open(async () => answer());
  await vi.waitFor(() => expect(tickers.isFresh('MSFT')).toBe(true));

  answer = () => aSlice([candle(NOON_S, 120)], true);
  await vi.waitFor(() => expect(tickers.isFresh('MSFT')).toBe(false));
  answer = () => aSlice([candle(NOON_S, 120)]);
  await vi.waitFor(() => expect(tickers.isFresh('MSFT')).toBe(true));
  answer = () => {
    throw new Error('gone');
  };
  await vi.waitFor(() => expect(tickers.isFresh('MSFT')).toBe(false));
  expect(tickers.latest('MSFT')?.price).toBe(120);
});

test('becomes stale when its price is over two minutes old, even in a fresh history', async () => {
  let nowS = NOON_S + 60;
  const tickers = open(async () => ({ ...aSlice([candle(NOON_S, 120)]), nowMs: nowS * 1000 }));
  await vi.waitFor(() => expect(tickers.isFresh('MSFT')).toBe(true));

  nowS = NOON_S + 60 + 121;

  await vi.waitFor(() => expect(tickers.isFresh('MSFT')).toBe(false));
  expect(tickers.latest('MSFT')?.price).toBe(120);
});

test('reports a closed market with its last price, and stays fresh', async () => {
  let isOpen = true;
  const slice = () => ({ ...aSlice([candle(NOON_S, 120)]), attribution: 'Databento', delayS: 900, isOpen });
  const tickers = open(async () => (isOpen ? slice() : { ...slice(), nowMs: (NOON_S + 2 * 86_400) * 1000 }));
  await vi.waitFor(() =>
    expect(tickers.latest('MSFT')?.origin).toEqual({ source: 'Databento', delayS: 900, isOpen: true }),
  );

  isOpen = false;

  await vi.waitFor(() => expect(tickers.latest('MSFT')?.origin?.isOpen).toBe(false));
  expect(tickers.latest('MSFT')).toMatchObject({ price: 120, time: '2025-11-12T15:01:00.000Z' });
  expect(tickers.isFresh('MSFT')).toBe(true);
});
