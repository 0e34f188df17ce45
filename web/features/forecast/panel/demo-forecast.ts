/** What a visitor watches: Bitcoin's shared forecast, or samples that start at the market's own price. */
import type { LatestForecast } from '#domain/forecast/latest-forecast.ts';
import { PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import type { Candle } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import { type ChartSeries, seriesOfLatest } from '../../../charts/candles/candle-feed.ts';
import { pageState } from '../../../page-state.ts';
import { isServerBusy } from '../../../platform/calls/call-error.ts';
import { type FetchedForecast, fetchLatest } from '../../../site/latest-forecast-api.ts';
import { fetchHistory } from '../run/fetch-history.ts';
import { demoSeries } from './demo-series.ts';

export interface Demo {
  series: ChartSeries;
  /** The shared forecast that is played; null for samples. */
  shared: LatestForecast | null;
  /** False for samples at a standard price. */
  hasMarket: boolean;
}

/**
 * Without a market, the samples start at a standard price.
 * @throws the signal's reason; the refusal of a busy server (`isServerBusy`), which will answer soon
 */
export async function loadDemo(symbol: MarketSymbol, signal: AbortSignal): Promise<Demo> {
  const shared = symbol.sym === PUBLIC_FORECAST.sym ? await orNull(fetchShared(signal), signal) : null;
  if (shared !== null) return { series: seriesOfLatest(shared), shared, hasMarket: true };
  const last = await orNull(fetchLastCandle(symbol, signal), signal);
  return { series: demoSeries(symbol, last), shared: null, hasMarket: last !== null };
}

/** Requested before the page could show it, for the first demo. */
const early = pageState<{ coming: Promise<FetchedForecast> | null }>(() => ({ coming: null }));

/** Requests the shared forecast while the page still hydrates. */
export function expectShared(): void {
  const coming = fetchLatest(new AbortController().signal);
  // The demo that waits for it handles a failure.
  coming.catch(() => undefined);
  early().coming = coming;
}

/** Null if the minute has candles, but no forecast. */
async function fetchShared(signal: AbortSignal): Promise<LatestForecast | null> {
  const { coming } = early();
  early().coming = null;
  const { latest } = await (coming ?? fetchLatest(signal));
  return latest.path.length > 0 ? latest : null;
}

async function fetchLastCandle(symbol: MarketSymbol, signal: AbortSignal): Promise<Candle | null> {
  return (await fetchHistory({ symbol, timeframe: DEFAULT_TIMEFRAME }, signal)).candles.at(-1) ?? null;
}

/** A demo needs no report of an unavailable market: the widgets beside it show that. */
async function orNull<T>(loading: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const loaded = await loading.catch((error: unknown) => {
    if (isServerBusy(error)) throw error;
    return null;
  });
  signal.throwIfAborted();
  return loaded;
}
