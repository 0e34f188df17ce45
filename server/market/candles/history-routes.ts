import { type Context, Hono } from 'hono';
import { AppError } from '#domain/errors/app-error.ts';
import { type Candle, toColumns } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { answerRoute } from '../../platform/http/calls/contract-route.ts';
import type { NewProducts } from '../catalogue/new-products.ts';
import { type FindSymbol, lookupFor, ONLY_SPECIFIED, type SymbolLookup } from '../catalogue/symbol-lookup.ts';
import type { CandleHistory } from './candle-history.ts';

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
  answerRoute(app, '/history', async (c, query) => {
    const { signal } = c.req.raw;
    const params = new URL(c.req.url).searchParams;
    const { lkbk: bars, tf: timeframe } = query;
    const symbol = symbolOf(query, await lookupFor(params, symbols, signal));
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

const CODE = /^[A-Z0-9.!]{1,20}$/;

/** A malformed name is reported as unknown, like any other. @throws AppError `market/unknown-symbol` */
function symbolOf({ exc, sym }: { exc: string; sym: string }, find: FindSymbol): MarketSymbol {
  if (!CODE.test(exc)) throw new AppError('market/unknown-symbol', { details: { parameter: 'exc' } });
  const symbol = CODE.test(sym) ? find(exc, sym) : null;
  if (symbol === null) throw new AppError('market/unknown-symbol', { details: { parameter: 'sym' } });
  return symbol;
}
