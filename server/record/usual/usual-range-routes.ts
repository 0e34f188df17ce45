/** Public. A range is computed once a bar, however many request it. */

import { type Context, Hono } from 'hono';
import { AppError } from '#domain/errors/app-error.ts';
import { LOOKBACK_BARS } from '#domain/forecast/window.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, type Timeframe } from '#domain/market/timeframes.ts';
import type { BaselineTable } from '#domain/record/scoring/baseline-table.ts';
import type { ReleasesOf } from '../../forecast/releases/release-widening.ts';
import type { CandleHistory } from '../../market/candles/candle-history.ts';
import { lookupFor, type SymbolLookup } from '../../market/catalogue/symbol-lookup.ts';
import { answerRoute } from '../../platform/http/calls/contract-route.ts';
import { answerPrepared, type PreparedJson, prepareJson } from '../../platform/http/calls/prepared-json.ts';
import { usualRange } from './usual-range.ts';

export interface UsualRangeDeps {
  history: Pick<CandleHistory, 'latest'>;
  lookup: SymbolLookup;
  /** Counts a product that the caller opens. @throws AppError `request/too-many` */
  openProduct(c: Context, sym: string): Promise<void>;
  baselineOf(timeframe: Timeframe): BaselineTable;
  /** Absent: no releases are known. */
  releasesOf?: ReleasesOf | undefined;
}

/** More than are read at a time. */
const MAX_RANGES = 1000;

/** Refusals are left to the app: as for GET /history, and `market/too-few-candles` 409. */
export function usualRangeRoutes({ history, lookup, openProduct, baselineOf, releasesOf }: UsualRangeDeps): Hono {
  /** The newest of each series. */
  const known = new Map<string, { t0: number; answer: PreparedJson }>();

  async function rangeOf(symbol: MarketSymbol, timeframe: Timeframe, signal: AbortSignal): Promise<PreparedJson> {
    const { candles, isStale, marketKind } = await history.latest(symbol, LOOKBACK_BARS, signal, timeframe);
    // Of old candles it would not be the range from now.
    if (isStale) throw new AppError('venue/unavailable');
    const key = `${symbol.sym} ${timeframe}`;
    const last = known.get(key);
    const t0 = candles.at(-1)?.time;
    if (last !== undefined && last.t0 === t0) return last.answer;
    const { assetClass } = symbol;
    const bars = { t0: t0 ?? 0, barS: barSecondsOf(timeframe), assetClass };
    const range = usualRange(candles, symbol, timeframe, baselineOf(timeframe), await releasesOf?.(marketKind, bars));
    const answer = prepareJson(range);
    known.delete(key);
    known.set(key, { t0: range.t0, answer });
    const [oldest] = known.keys();
    if (known.size > MAX_RANGES && oldest !== undefined) known.delete(oldest);
    return answer;
  }

  const app = new Hono();
  answerRoute(app, '/forecast/usual', async (c, { exc, sym, tf: timeframe }) => {
    const { signal } = c.req.raw;
    const symbol = (await lookupFor(new URL(c.req.url).searchParams, lookup, signal))(exc, sym);
    if (symbol === null) throw new AppError('market/unknown-symbol', { details: { parameter: 'sym' } });
    await openProduct(c, symbol.sym);
    return answerPrepared(c, await rangeOf(symbol, timeframe, signal), 'no-cache');
  });
  return app;
}
