import { expect, test } from 'vitest';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import { errorResponse } from '../../platform/http/calls/http-errors.ts';
import type { CandleHistory } from './candle-history.ts';
import { marketRoutes } from './history-routes.ts';

const GOOD = 'exc=BINANCE&sym=BTCUSDT.P&fbars=50&lkbk=450&amp=100';
const candles: Candle[] = [
  { time: 60, open: 1, high: 3, low: 0.5, close: 2, volume: 7 },
  { time: 120, open: 2, high: 2.5, low: 1.5, close: 2, volume: 0 },
];

const SLICE = {
  marketKind: 'replayed',
  venueId: 'sandbox',
  attribution: 'Sandbox market',
  delayS: 900,
  asOfS: 120,
  isStale: true,
  isOpen: true,
  nowMs: 0,
} as const;

function setUp(history: Partial<CandleHistory> = {}) {
  const requested: { symbol: MarketSymbol; count: number; timeframe: Timeframe | undefined }[] = [];
  const app = marketRoutes({
    history: {
      async latest(symbol, count, _signal, timeframe) {
        requested.push({ symbol, count, timeframe });
        return { ...SLICE, candles };
      },
      close: async () => {},
      ...history,
    },
  });
  app.onError((error) => {
    if (!isAppError(error)) throw error;
    return errorResponse(error);
  });
  return { app, requested, get: (query: string) => app.request(`/history?${query}`) };
}

test('returns six arrays with their origin, never cached', async () => {
  const { requested, get } = setUp();

  const response = await get(GOOD);

  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({
    time: [60, 120],
    open: [1, 2],
    high: [3, 2.5],
    low: [0.5, 1.5],
    close: [2, 2],
    volume: [7, 0],
  });
  const headers = ['kind', 'venue', 'open', 'attribution', 'delay-s', 'as-of', 'stale'];
  expect(headers.map((name) => response.headers.get(`x-market-${name}`))).toEqual([
    ...['replayed', 'sandbox', 'true', 'Sandbox market', '900', '120', 'true'],
  ]);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(requested.map((a) => [a.symbol.label, a.count, a.timeframe])).toEqual([['BTC', 450, '1min']]);
});

test.each([
  ['amp left out', GOOD.replace('&amp=100', ''), 'BTC'],
  ['a fraction in amp', GOOD.replace('amp=100', 'amp=87.5'), 'BTC'],
  ['another exchange of the same perpetual', GOOD.replace('BINANCE', 'OKX'), 'BTC'],
  ['a bare exclamation mark', 'exc=COMEX&sym=GC1!&fbars=1&lkbk=450&amp=100', 'Gold'],
  ['an encoded exclamation mark', 'exc=COMEX&sym=GC1%21&fbars=1&lkbk=450&amp=100', 'Gold'],
])('accepts %s', async (_what, query, label) => {
  const { requested, get } = setUp();

  expect((await get(query)).status).toBe(200);
  expect(requested[0]?.symbol.label).toBe(label);
});

test.each([
  ['no exc', GOOD.replace('exc=BINANCE&', ''), 'exc'],
  ['no sym', GOOD.replace('sym=BTCUSDT.P&', ''), 'sym'],
  ['no fbars', GOOD.replace('fbars=50&', ''), 'fbars'],
  ['no lkbk', GOOD.replace('lkbk=450&', ''), 'lkbk'],
  ['fbars 0', GOOD.replace('fbars=50', 'fbars=0'), 'fbars'],
  ['fbars 51', GOOD.replace('fbars=50', 'fbars=51'), 'fbars'],
  ['a fraction of a bar', GOOD.replace('fbars=50', 'fbars=1.5'), 'fbars'],
  ['a negative number', GOOD.replace('fbars=50', 'fbars=-1'), 'fbars'],
  ['a number with a sign', GOOD.replace('lkbk=450', 'lkbk=%2B450'), 'lkbk'],
  ['hexadecimal', GOOD.replace('lkbk=450', 'lkbk=0x1C2'), 'lkbk'],
  ['a huge number', GOOD.replace('lkbk=450', `lkbk=${'9'.repeat(400)}`), 'lkbk'],
  ['an exponent', GOOD.replace('lkbk=450', 'lkbk=4.5e2'), 'lkbk'],
  ['white space', GOOD.replace('lkbk=450', 'lkbk=%20450'), 'lkbk'],
  ['a leading zero', GOOD.replace('fbars=50', 'fbars=050'), 'fbars'],
  ['an empty number', GOOD.replace('lkbk=450', 'lkbk='), 'lkbk'],
  ['another lookback', GOOD.replace('lkbk=450', 'lkbk=449'), 'lkbk'],
  ['amp that is no number', GOOD.replace('amp=100', 'amp=NaN'), 'amp'],
  ['a repeated parameter', `${GOOD}&lkbk=450`, 'lkbk'],
  ['a repeated symbol', `${GOOD}&sym=ETHUSDT.P`, 'sym'],
  ['a timeframe that does not exist', `${GOOD}&tf=10min`, 'tf'],
  ['another spelling of a timeframe', `${GOOD}&tf=5m`, 'tf'],
  ['an empty timeframe', `${GOOD}&tf=`, 'tf'],
  ['a repeated timeframe', `${GOOD}&tf=5min&tf=5min`, 'tf'],
])('refuses %s and names the parameter', async (_what, query, parameter) => {
  const { requested, get } = setUp();

  const response = await get(query);

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'request/invalid', details: { parameter } });
  expect(requested).toEqual([]);
});

test.each([
  ['a symbol that no venue has', GOOD.replace('BTCUSDT.P', 'NONEUSDT.P')],
  ['lower case', GOOD.replace('BTCUSDT.P', 'btcusdt.p')],
  ['a share at a crypto exchange', GOOD.replace('BTCUSDT.P', 'MSFT')],
  ['an unknown exchange', GOOD.replace('BINANCE', 'KRAKEN')],
  ['line breaks', GOOD.replace('BTCUSDT.P', 'BTCUSDT.P%0D%0Aset-cookie:a')],
  ['a path', GOOD.replace('BTCUSDT.P', '..%2F..%2Fetc')],
  ['a very long one', GOOD.replace('BTCUSDT.P', 'A'.repeat(5000))],
  ['an empty one', GOOD.replace('BTCUSDT.P', '')],
])('refuses %s as an unknown symbol', async (_what, query) => {
  const { requested, get } = setUp();

  const response = await get(query);

  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'market/unknown-symbol' });
  expect(requested).toEqual([]);
});

test('returns candles of the timeframe in the query, and answers one minute as without it', async () => {
  const { requested, get } = setUp();
  const answerTo = async (query: string) => {
    const response = await get(query);
    return { headers: [...response.headers], body: await response.text() };
  };

  expect(await answerTo(`${GOOD}&tf=1min`)).toEqual(await answerTo(GOOD));
  await get(`${GOOD}&tf=15min`);

  expect(requested.map(({ timeframe }) => timeframe)).toEqual(['1min', '1min', '15min']);
});

test('refuses other methods than GET and HEAD with 405', async () => {
  const { app } = setUp();

  const response = await app.request(`/history?${GOOD}`, { method: 'POST' });

  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET, HEAD');
});

test.each([
  ['missing', GOOD.replace('lkbk=450&', '')],
  ['repeated', `${GOOD}&lkbk=450`],
  ['invalid', GOOD.replace('lkbk=450', 'lkbk=451')],
])('reports the kind of fault of a parameter: %s', async (problem, query) => {
  const { get } = setUp();

  expect(await (await get(query)).json()).toMatchObject({ details: { parameter: 'lkbk', problem } });
});

test('answers 503 with Retry-After when the venue is unavailable', async () => {
  const { get } = setUp({
    latest: () => Promise.reject(new AppError('venue/unavailable', { details: { retryAfterS: 7 } })),
  });

  const response = await get(GOOD);

  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('7');
});
