import { type Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { AppError } from '#domain/errors/app-error.ts';
import { HORIZON_BARS, LOOKBACK_BARS } from '#domain/forecast/window.ts';
import { type Candle, toColumns } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import { onlyMethods } from '../../platform/http/calls/http-errors.ts';
import { readQuery, wholeNumber } from '../../platform/http/calls/read-query.ts';
import type { NewProducts } from '../catalogue/new-products.ts';
import { type FindSymbol, lookupFor, ONLY_SPECIFIED, type SymbolLookup } from '../catalogue/symbol-lookup.ts';
import type { CandleHistory } from './candle-history.ts';
import { timeframeParameter } from './timeframe-parameter.ts';

export interface MarketRoutesDeps {
  history: CandleHistory;
  /** Absent: only the ten symbols of the picker. */
  symbols?: SymbolLookup | undefined;
  newProducts?: NewProducts | undefined;
  /** Identifies one caller. Absent: new products are not counted. */
  addressOf?: ((c: Context) => string | null) | undefined;
}

/**
 * Errors are left to the app, which maps codes to statuses: `request/invalid` and `market/unknown-symbol` 400,
 * `venue/unavailable` and `venue/not-connected` 503. The `x-market-*` headers carry the prices' source, delay and age.
 */
export function marketRoutes(deps: MarketRoutesDeps): Hono {
  const { symbols = ONLY_SPECIFIED, newProducts, addressOf } = deps;
  const app = new Hono();
  app.get('/history', async (c) => {
    const params = new URL(c.req.url).searchParams;
    const { signal } = c.req.raw;
    const { symbol, timeframe, bars } = readHistoryQuery(params, await lookupFor(params, symbols, signal));
    if (addressOf !== undefined) await newProducts?.open(addressOf(c), [symbol.sym]);
    const slice = await deps.history.latest(symbol, bars, signal, timeframe);
    const label = activityOf(symbol, slice.candles, bars);
    return c.json(toColumns(slice.candles), 200, {
      ...(label === null ? {} : { 'x-market-activity': label }),
      'cache-control': 'no-store',
      'x-market-kind': slice.marketKind,
      'x-market-venue': slice.venueId,
      'x-market-open': String(slice.isOpen),
      'x-market-attribution': slice.attribution,
      'x-market-delay-s': String(slice.delayS),
      'x-market-stale': String(slice.isStale),
      ...(slice.asOfS === null ? {} : { 'x-market-as-of': String(slice.asOfS) }),
    });
  });
  app.all('/history', onlyMethods('GET', 'HEAD'));
  return app;
}

/** Minutes without a trade, as a share of all, from which a product counts as hardly traded. */
const THIN_SHARE = 0.5;

/** What users should know of a product beside the ten; null for nothing. Neither is a reason to refuse it. */
function activityOf(symbol: MarketSymbol, candles: readonly Candle[], wanted: number): 'new' | 'thin' | null {
  if (ONLY_SPECIFIED.knownSymbol(symbol.sym) !== null) return null;
  if (candles.length < wanted) return 'new';
  const quiet = candles.filter(({ volume = 0 }) => volume === 0).length;
  return quiet > THIN_SHARE * candles.length ? 'thin' : null;
}

export interface HistoryQuery {
  exc: string;
  symbol: MarketSymbol;
  timeframe: Timeframe;
  bars: number;
}

const CODE = /^[A-Z0-9.!]{1,20}$/;

/** `fbars` and `amp` belong to the stream and change nothing here; invalid ones are still refused. */
const historyQuery = z.object({
  exc: z.string(),
  sym: z.string(),
  fbars: wholeNumber(1, HORIZON_BARS),
  lkbk: wholeNumber(LOOKBACK_BARS, LOOKBACK_BARS),
  amp: z.optional(z.string().check(z.regex(/^(0|[1-9]\d{0,3})(\.\d{1,4})?$/))),
  tf: timeframeParameter,
});

/** @throws AppError `request/invalid` with `details.parameter` and `details.problem`, `market/unknown-symbol` */
function readHistoryQuery(params: URLSearchParams, find: FindSymbol): HistoryQuery {
  const { exc, sym, lkbk, tf: timeframe } = readQuery(params, historyQuery, 'ignored');
  // A malformed name is reported as unknown, like any other.
  if (!CODE.test(exc)) throw new AppError('market/unknown-symbol', { details: { parameter: 'exc' } });
  const symbol = CODE.test(sym) ? find(exc, sym) : null;
  if (symbol === null) throw new AppError('market/unknown-symbol', { details: { parameter: 'sym' } });
  return { exc, symbol, timeframe, bars: lkbk };
}
