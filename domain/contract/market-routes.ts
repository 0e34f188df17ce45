/** Candles, products, forecasts and chances. */
import * as z from 'zod/mini';
import { chanceAnswerSchema, liveChancesSchema } from '../chances/chance-messages.ts';
import { MAX_AMPLIFY_PERCENT } from '../forecast/amplify.ts';
import { latestForecastSchema } from '../forecast/latest-forecast.ts';
import { modelFiguresSchema } from '../forecast/model-figures.ts';
import { MODEL_NAMES } from '../forecast/models.ts';
import { usualRangeSchema } from '../forecast/ranges/usual-range.ts';
import { storedForecastSchema, unsavedForecastsSchema } from '../forecast/stream-message.ts';
import { HORIZON_BARS, LOOKBACK_BARS } from '../forecast/window.ts';
import { candleColumnsSchema } from '../market/candle.ts';
import { foundMarketsSchema, MAX_FOUND, MAX_QUERY_LENGTH } from '../market/catalogue/found-market.ts';
import { DEFAULT_TIMEFRAME, TIMEFRAMES } from '../market/timeframes.ts';
import { watchRowsSchema } from '../watchlist/watch-row.ts';
import { filledText, timeframeParameter, wholeNumber } from './query-fields.ts';
import { routeContract } from './route-contract.ts';

const DEFAULT_FOUND = 20;
const DECIMAL_NUMBER = /^(0|[1-9]\d{0,3})(\.\d{1,4})?$/;
const amplify = z.string().check(z.regex(DECIMAL_NUMBER));
/** Another number would not change the forecast: every model reads as many candles. */
const lookback = wholeNumber(LOOKBACK_BARS, LOOKBACK_BARS);
const BTC = { exc: 'BINANCE', sym: 'BTCUSDT.P' };
const CHANCE_MARKET = { symbol: BTC.sym, model: 'bobcat', timeframe: '1min' } as const;

/** The forecast that a question is about. */
export const chanceMarketQuery = z.object({
  symbol: filledText,
  model: z.enum(MODEL_NAMES),
  timeframe: z._default(z.enum(TIMEFRAMES), DEFAULT_TIMEFRAME),
});

export const MARKET_ROUTES = {
  // `fbars` and `amp` belong to the stream and change nothing here; invalid ones are still refused.
  '/history': routeContract({
    query: z.object({
      exc: z.string(),
      sym: z.string(),
      fbars: wholeNumber(1, HORIZON_BARS),
      lkbk: lookback,
      amp: z.optional(amplify),
      tf: timeframeParameter,
    }),
    unknown: 'ignored',
    example: { ...BTC, fbars: 50, lkbk: 450 },
    answers: 'json',
    answer: candleColumnsSchema,
    crossOrigin: 'allowed',
    docs: 'the last closed candles of a symbol',
  }),
  '/markets': routeContract({
    query: z.object({
      query: z._default(z.string().check(z.trim(), z.maxLength(MAX_QUERY_LENGTH), z.regex(/^\P{Cc}*$/u)), ''),
      limit: z._default(wholeNumber(1, MAX_FOUND), DEFAULT_FOUND),
    }),
    example: { query: 'btc', limit: 5 },
    answers: 'json',
    answer: foundMarketsSchema,
    crossOrigin: 'allowed',
    docs: 'search in all products',
  }),
  '/market/watch': routeContract({
    query: z.object({ pairs: filledText }),
    example: { pairs: 'BTCUSDT.P:1min' },
    answers: 'json',
    answer: watchRowsSchema,
    docs: 'prices and usual ranges of a watchlist',
  }),
  '/market/ws': routeContract({
    answers: 'socket',
    workClass: 'socket',
    docs: 'order books, trades and prices as they change',
  }),
  '/stream-kat2': routeContract({
    query: z.object({
      fbars: wholeNumber(1, HORIZON_BARS),
      lkbk: lookback,
      amp: z.string().check(
        z.regex(DECIMAL_NUMBER),
        z.refine((text) => Number(text) <= MAX_AMPLIFY_PERCENT),
      ),
      ver: wholeNumber(0, 9999),
      tf: timeframeParameter,
      exc: filledText,
      sym: filledText,
    }),
    unknown: 'named',
    example: { ...BTC, fbars: 50, lkbk: 450, amp: '100', ver: 213 },
    answers: 'events',
    caller: 'signed-in',
    workClass: 'stream',
    crossOrigin: 'allowed',
    docs: 'a forecast, candle by candle',
  }),
  '/forecast/reservations': routeContract({
    answers: 'json',
    answer: unsavedForecastsSchema,
    caller: 'signed-in',
    crossOrigin: 'allowed',
    docs: 'the caller’s forecasts that can still be saved',
  }),
  '/forecast/reservations/{id}': routeContract({
    answers: 'json',
    isCounted: true,
    answer: storedForecastSchema,
    caller: 'signed-in',
    crossOrigin: 'allowed',
    docs: 'one of them, whole',
  }),
  '/forecast/latest': routeContract({
    query: z.object({ sym: filledText }),
    example: { sym: BTC.sym },
    answers: 'json',
    answer: latestForecastSchema,
    crossOrigin: 'allowed',
    docs: 'this minute’s shared forecast of Bitcoin',
  }),
  '/forecast/usual': routeContract({
    query: z.object({ exc: filledText, sym: filledText, tf: timeframeParameter }),
    example: BTC,
    answers: 'json',
    answer: usualRangeSchema,
    crossOrigin: 'allowed',
    docs: 'the usual range of a market, from past volatility',
  }),
  '/models.json': routeContract({
    // Upper case is accepted too.
    query: z.object({ tf: z._default(z.string(), DEFAULT_TIMEFRAME) }),
    unknown: 'ignored',
    example: { tf: '5min' },
    answers: 'json',
    answer: z.object({ models: z.array(modelFiguresSchema) }),
    crossOrigin: 'allowed',
    docs: 'what each model was measured at',
  }),
  '/chances': routeContract({
    // With the question's kind and its numbers, which are a schema of their own for each kind.
    query: chanceMarketQuery,
    example: CHANCE_MARKET,
    answers: 'json',
    answer: chanceAnswerSchema,
    crossOrigin: 'allowed',
    docs: 'the chance of one question; the public market is open to anyone',
  }),
  '/chances/live': routeContract({
    query: chanceMarketQuery,
    example: CHANCE_MARKET,
    answers: 'events',
    answer: liveChancesSchema,
    crossOrigin: 'allowed',
    docs: 'the chances of the running windows, as the price moves',
  }),
};
