import { expect, test, vi } from 'vitest';
import { AppError, isAppError } from '#domain/errors/app-error.ts';
import { usualRangeSchema } from '#domain/forecast/ranges/usual-range.ts';
import { generatedCandles } from '../../forecast/models/generated-candles.ts';
import type { HistorySlice } from '../../market/candles/candle-history.ts';
import { ONLY_SPECIFIED } from '../../market/catalogue/symbol-lookup.ts';
import { errorResponse } from '../../platform/http/calls/http-errors.ts';
import { openBaselines } from '../house/baselines.ts';
import { usualRangeRoutes } from './usual-range-routes.ts';

const baselines = await openBaselines();
const candles = generatedCandles({ seed: 'usual', count: 451, firstOpen: 60_000, tickSize: 0.1 });
const GOOD = 'exc=BINANCE&sym=BTCUSDT.P';

function setUp() {
  const market = { count: 450, isStale: false };
  const baselineOf = vi.fn(baselines.currentOf);
  const openProduct = vi.fn(async () => undefined);
  const app = usualRangeRoutes({
    history: {
      async latest(): Promise<HistorySlice> {
        const shown = candles.slice(0, market.count);
        const from = {
          marketKind: 'simulated',
          venueId: 'v',
          attribution: 'V',
          delayS: 0,
          isOpen: true,
          nowMs: 0,
        } as const;
        return { ...from, candles: shown, asOfS: shown.at(-1)?.time ?? null, isStale: market.isStale };
      },
    },
    lookup: ONLY_SPECIFIED,
    openProduct,
    baselineOf,
  });
  app.onError((error) => {
    if (!isAppError(error)) throw error;
    return errorResponse(error);
  });
  const get = (query: string, headers: Record<string, string> = {}) =>
    app.request(`/forecast/usual?${query}`, { headers });
  return { market, baselineOf, openProduct, app, get };
}

const bodyOf = async (response: Response) => usualRangeSchema.parse(await response.json());

test('answers with the range of the last closed candle, computed once a bar', async () => {
  const { market, baselineOf, get } = setUp();
  const first = await get(GOOD);
  const range = await bodyOf(first);
  expect(range).toMatchObject({ sym: 'BTCUSDT.P', timeframe: '1min', t0: candles[449]?.time });
  expect((await get(GOOD, { 'if-none-match': first.headers.get('etag') ?? '' })).status).toBe(304);
  expect(baselineOf).toHaveBeenCalledOnce();

  market.count = 451;
  expect((await bodyOf(await get(GOOD))).t0).toBe(candles[450]?.time);
});

test('has a range for each timeframe', async () => {
  const { get } = setUp();
  const seen = await Promise.all(['5min', '15min'].map(async (tf) => bodyOf(await get(`${GOOD}&tf=${tf}`))));
  expect(seen.map(({ timeframe }) => timeframe)).toEqual(['5min', '15min']);
  expect(new Set(seen.map(({ baseline }) => baseline)).size).toBe(2);
});

test('counts the product that a caller opens, and passes the refusal on', async () => {
  const { openProduct, get } = setUp();
  openProduct.mockRejectedValueOnce(new AppError('request/too-many'));
  expect((await get(GOOD)).status).toBe(429);
  expect(openProduct).toHaveBeenCalledWith(expect.anything(), 'BTCUSDT.P');
});

test.each([
  ['sym=BTCUSDT.P', 400, 'exc'],
  [`${GOOD}&sym=ETHUSDT.P`, 400, 'sym'],
  ['exc=BINANCE&sym=NONE', 400, 'sym'],
  [`${GOOD}&tf=2min`, 400, 'tf'],
  [`${GOOD}&x=1`, 400, 'query'],
])('refuses %s', async (query, status, parameter) => {
  const response = await setUp().get(query);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ details: { parameter } });
});

test('refuses too few candles, and those that are too old to start from', async () => {
  const { market, get } = setUp();
  market.count = 119;
  expect((await get(GOOD)).status).toBe(409);
  Object.assign(market, { count: 450, isStale: true });
  expect((await get(GOOD)).status).toBe(503);
});

test('answers no other method', async () => {
  expect((await setUp().app.request(`/forecast/usual?${GOOD}`, { method: 'POST' })).status).toBe(405);
});
