import { afterEach, expect, test, vi } from 'vitest';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { type Candle, MINUTE_S } from '#domain/market/candle.ts';
import { symbolNamed } from '#domain/market/testing/symbol-named.ts';
import { type KnownRow, watchRowsSchema } from '#domain/watchlist/watch-row.ts';
import { pairOfKey, type WatchedPair } from '#domain/watchlist/watchlist.ts';
import { errorResponse } from '../../platform/http/calls/http-errors.ts';
import type { HistorySlice } from '../candles/candle-history.ts';
import { newProducts } from '../catalogue/new-products.ts';
import { ONLY_SPECIFIED } from '../catalogue/symbol-lookup.ts';
import type { ServedUpdate } from '../venues/venue.ts';
import { watchRoutes } from './watch-routes.ts';
import { openWatchRows, type WatchRowsOptions } from './watch-rows.ts';

const BTC = symbolNamed('BTC');
/** A whole quarter of an hour. */
const NOON_S = Date.parse('2025-11-12T12:00:00Z') / 1000;
const closes: (() => void)[] = [];
afterEach(() => {
  for (const close of closes.splice(0)) close();
});

/** The day before noon: up by 1 in every minute. */
const day = (until = NOON_S): Candle[] =>
  Array.from({ length: 1440 }, (_, i) => {
    const open = 10_000 + i;
    return { time: until - (1440 - i) * MINUTE_S, open, high: open + 1, low: open, close: open + 1 };
  });

function slice(candles: readonly Candle[], change: Partial<HistorySlice> = {}): HistorySlice {
  const origin = { marketKind: 'simulated' as const, venueId: 'v', attribution: 'V', delayS: 0 };
  const asOfS = candles.at(-1)?.time ?? null;
  return { ...origin, candles, asOfS, isStale: false, isOpen: true, nowMs: (asOfS ?? 0) * 1000, ...change };
}

function open(options: Partial<WatchRowsOptions> = {}) {
  const state = { nowMs: 0, slice: slice(day()), failure: null as Error | null };
  let emit: (update: ServedUpdate) => void = () => {};
  const latest = vi.fn(async () => {
    if (state.failure !== null) throw state.failure;
    return state.slice;
  });
  const rows = openWatchRows({
    history: {
      latest,
      watch(listener) {
        emit = listener;
        return () => {};
      },
    },
    symbols: ONLY_SPECIFIED,
    monotonicMs: () => state.nowMs,
    ...options,
  });
  closes.push(rows.close);
  const pairs = (keys: string): WatchedPair[] => keys.split(' ').flatMap((key) => pairOfKey(key) ?? []);
  return {
    state,
    latest,
    emit: (candle: Candle) => emit({ symbol: BTC, candle, isClosed: false, venueId: 'binance' }),
    rows,
    pairs,
    rowsOf: (keys: string) => rows.rowsOf(pairs(keys)),
    async rowOf(key: string): Promise<KnownRow> {
      const [row] = await rows.rowsOf(pairs(key));
      if (row?.state !== 'known') throw new Error(row?.state);
      return row;
    },
    /** After the pause between two reads. */
    later: (change: Partial<HistorySlice> = {}) => {
      state.nowMs += 2000;
      state.slice = { ...state.slice, ...change };
    },
  };
}

test('returns price, change, line and the range of the open bar', async () => {
  const { rowOf } = open();

  const row = await rowOf('BTCUSDT.P:15min');

  expect(row).toMatchObject({
    label: 'BTC',
    name: 'Bitcoin',
    decimals: 1,
    price: 11_440,
    asOfS: NOON_S - 60,
    attribution: 'V',
  });
  expect(row.change24h).toBeCloseTo(0.144, 10);
  expect([row.line.length, row.line.at(-1)]).toEqual([24, 11_440]);
  expect(row.range).toMatchObject({ opensS: NOON_S, closesS: NOON_S + 900 });
  expect(row.range?.lower).toBeLessThan(11_440);
  expect(row.range?.upper).toBeGreaterThan(11_440);
});

test('moves the price with the open minute, and neither range nor line', async () => {
  const { rowOf, emit } = open();
  const before = await rowOf('BTCUSDT.P:1min');

  emit({ time: NOON_S, open: 11_440, high: 11_500, low: 11_440, close: 11_480 });

  const after = await rowOf('BTCUSDT.P:1min');
  expect(after).toEqual({ ...before, price: 11_480, change24h: after.change24h });
  expect(after.change24h).toBeCloseTo(0.148, 10);
});

test('keeps a range until its bar closes, however often it is read', async () => {
  const { rowOf, later, state } = open();
  const first = await rowOf('BTCUSDT.P:5min');

  const longer = [...state.slice.candles, { time: NOON_S, open: 11_440, high: 12_000, low: 11_440, close: 12_000 }];
  later({ candles: longer });
  const second = await rowOf('BTCUSDT.P:5min');

  expect(second.price).toBe(12_000);
  expect(second.range).toEqual(first.range);
});

test('reads a symbol once for all its watchers, and again after a pause', async () => {
  const { rowsOf, latest, later } = open();

  await Promise.all([rowsOf('BTCUSDT.P:1min BTCUSDT.P:5min'), rowsOf('BTCUSDT.P:15min'), rowsOf('BTCUSDT.P:1min')]);
  await rowsOf('BTCUSDT.P:1min');
  expect(latest).toHaveBeenCalledTimes(1);

  later();
  await rowsOf('BTCUSDT.P:1min');
  expect(latest).toHaveBeenCalledTimes(2);
});

test('reports each pair’s own trouble, in the order of the request', async () => {
  const { rowsOf, state } = open();
  state.failure = new AppError('venue/unavailable');

  expect(await rowsOf('NONE:1min BTCUSDT.P:1min')).toEqual([
    { sym: 'NONE', timeframe: '1min', state: 'unknown' },
    { sym: 'BTCUSDT.P', timeframe: '1min', state: 'unavailable' },
  ]);
});

test('labels a product that is delisted while it is watched', async () => {
  const { rowsOf, later, state } = open();
  await rowsOf('BTCUSDT.P:1min');

  later();
  state.failure = new AppError('market/delisted');

  expect(await rowsOf('BTCUSDT.P:1min')).toEqual([{ sym: 'BTCUSDT.P', timeframe: '1min', state: 'unknown' }]);
});

test('keeps the last prices as stale while the venue fails', async () => {
  const { rowOf, later, state } = open();
  await rowOf('BTCUSDT.P:1min');

  later();
  state.failure = new AppError('venue/unavailable');

  expect(await rowOf('BTCUSDT.P:1min')).toMatchObject({ price: 11_440, isStale: true, range: null, rangeGap: null });
});

test.each([
  ['closed', { isOpen: false }],
  ['stale', { isStale: true }],
] as const)('has no range while the market is %s', async (_, change) => {
  const { rowOf, state } = open();
  state.slice = { ...state.slice, ...change };

  expect(await rowOf('BTCUSDT.P:1min')).toMatchObject({ price: 11_440, range: null, rangeGap: null });
});

test('has no range after a bar with a gap', async () => {
  const { rowOf, state } = open();
  state.slice = slice(day().toSpliced(1436, 1));

  expect(await rowOf('BTCUSDT.P:15min')).toMatchObject({ range: null, rangeGap: 'gap' });
  expect((await rowOf('BTCUSDT.P:1min')).range).not.toBeNull();
});

test('compares with prices since a replay started again', async () => {
  const { rowOf } = open({ recordedAtS: (_, timeS) => (timeS < NOON_S - 60 * MINUTE_S ? timeS : timeS - 86_400) });

  const row = await rowOf('BTCUSDT.P:1min');

  expect(row.change24h).toBeCloseTo(11_440 / 11_380 - 1, 10);
  expect(row.line[0]).toBeGreaterThan(11_379);
});

test('answers without a slow venue', async () => {
  const { rowsOf, latest } = open({ patienceMs: 1 });
  latest.mockReturnValueOnce(new Promise(() => {}));

  expect(await rowsOf('BTCUSDT.P:1min')).toEqual([{ sym: 'BTCUSDT.P', timeframe: '1min', state: 'loading' }]);
});

const app = (rowsOf: (pairs: readonly WatchedPair[]) => Promise<[]> = async () => []) => {
  const routes = watchRoutes({ rowsOf, productsOf: async () => [], newProducts: newProducts() });
  routes.onError((error) => {
    if (!isAppError(error)) throw error;
    return errorResponse(error);
  });
  return routes;
};

test('passes pairs on in their order, and is never cached', async () => {
  const rowsOf = vi.fn(async (): Promise<[]> => []);

  const answer = await app(rowsOf).request('/market/watch?pairs=GC1!:15min,BTCUSDT.P:1min');

  expect(watchRowsSchema.parse(await answer.json())).toEqual({ rows: [] });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(rowsOf).toHaveBeenCalledWith([
    { sym: 'GC1!', timeframe: '15min' },
    { sym: 'BTCUSDT.P', timeframe: '1min' },
  ]);
});

const FIFTY_ONE = Array.from({ length: 51 }, (_, i) => `C${i}:1min`).join();
test.each([
  ['', 'missing'],
  ['?pairs=', 'missing'],
  ['?pairs=A:1min&pairs=B:1min', 'repeated'],
  ['?pairs=A:1min,A:1min', 'invalid'],
  ['?pairs=A:2min', 'invalid'],
  ['?pairs=a:1min', 'invalid'],
  ['?pairs=A:1min,', 'invalid'],
  [`?pairs=${FIFTY_ONE}`, 'invalid'],
])('refuses %j as %s', async (query, problem) => {
  const answer = await app().request(`/market/watch${query}`);

  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ details: { parameter: 'pairs', problem } });
});

test('opens a hundred new products a minute for an address, and refuses more without calling a venue', async () => {
  const rowsOf = vi.fn(async (): Promise<[]> => []);
  let wanted = 'A';
  let count = 60;
  const routes = watchRoutes({
    rowsOf,
    productsOf: async () => Array.from({ length: count }, (_, i) => `${wanted}${i}USDT.P`),
    newProducts: newProducts(),
    addressOf: (c) => c.req.header('x-from') ?? '',
  });
  routes.onError((error) => errorResponse(error));
  const statusFrom = async (from: string) =>
    (await routes.request('/market/watch?pairs=BTCUSDT.P:1min', { headers: { 'x-from': from } })).status;

  expect(await statusFrom('a')).toBe(200);
  wanted = 'B';
  expect([await statusFrom('a'), await statusFrom('b')]).toEqual([429, 200]);
  expect(rowsOf).toHaveBeenCalledTimes(2);
  // What is read already, or fits, is still answered.
  expect(await statusFrom('a')).toBe(200);
  [wanted, count] = ['C', 40];
  expect(await statusFrom('a')).toBe(200);
});

test('names the products beside the ten, each once, and no name of no product', async () => {
  const coin = { ...BTC, sym: 'PEPEUSDT.P', label: 'PEPE/USDT' };
  const symbols = {
    savedSymbol: async (sym: string) => (sym === coin.sym ? coin : null),
    tradedSymbol: async () => coin,
  };
  const { rows, pairs } = open({ symbols });
  const names = pairs('BTCUSDT.P:1min PEPEUSDT.P:1min PEPEUSDT.P:5min NONE:1min');

  expect(await rows.productsOf(names)).toEqual(['PEPEUSDT.P']);
});
