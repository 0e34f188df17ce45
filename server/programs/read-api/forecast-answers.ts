/** Forecasts, bands, candles, markets and the watchlist, by key and plan. */

import type * as z from 'zod/mini';
import { PUBLIC_FORECAST } from '#domain/forecast/models.ts';
import type { Candle } from '#domain/market/candle.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import type { Core } from '../../core.ts';
import type { CandleHistory } from '../../market/candles/candle-history.ts';
import { maxCandlesOf } from '../../market/candles/symbol-state.ts';
import type { MarketCatalogue } from '../../market/catalogue/market-catalogue.ts';
import { toFound } from '../../market/catalogue/market-list-routes.ts';
import type { SymbolLookup } from '../../market/catalogue/symbol-lookup.ts';
import type { Reveal } from '../../record/reveal.ts';
import { forecastById } from '../readings/forecast-by-id.ts';
import { isoOf } from '../readings/forecast-shapes.ts';
import type { LatestForecasts, WantedForecast } from '../readings/latest-forecasts.ts';
import { ownWatchlist } from '../readings/own-watchlist-store.ts';
import { programSymbol } from '../readings/program-symbol.ts';
import { type ApiMount, jsonAnswer } from './api-mount.ts';
import { API_ROUTES } from './api-routes.ts';
import type { forecastQuery } from './api-shapes.ts';

export interface ForecastAnswerDeps extends Pick<Core, 'database' | 'clock'> {
  reveal: Reveal;
  latest: LatestForecasts;
  history: Pick<CandleHistory, 'latest'>;
  symbols: SymbolLookup;
  catalogue: Pick<MarketCatalogue, 'search'>;
}

const MARKETS = 20;
const CANDLES = 100;

export function mountForecasts({ on }: ApiMount, deps: ForecastAnswerDeps): void {
  const { database, clock, reveal, latest } = deps;

  on(API_ROUTES.latestForecast, async ({ c, query, key }) => {
    const { shown, history, path } = await latest(key, wantedOf(query), c.req.raw.signal);
    return jsonAnswer(c, JSON.stringify({ ...shown, history: history.map(candleJson), path: path.map(candleJson) }));
  });

  on(API_ROUTES.bands, async ({ c, query, key }) => {
    const { shown } = await latest(key, wantedOf(query), c.req.raw.signal);
    return jsonAnswer(c, JSON.stringify(shown));
  });

  on(API_ROUTES.forecast, async ({ c, params, key }) =>
    jsonAnswer(c, JSON.stringify(await forecastById({ database, reveal }, key, params.id))),
  );

  on(API_ROUTES.candles, async ({ c, query }) => {
    const { sym, tf = DEFAULT_TIMEFRAME, limit = CANDLES, cursor } = query;
    const { signal } = c.req.raw;
    const symbol = await programSymbol(deps.symbols, sym, signal);
    const slice = await deps.history.latest(symbol, maxCandlesOf(tf), signal, tf);
    const beforeS = cursor === undefined ? Number.POSITIVE_INFINITY : Number(cursor);
    const older = slice.candles.filter(({ time }) => time < beforeS);
    const page = older.slice(-limit);
    const { marketKind: market, venueId: venue, attribution, delayS, isOpen, isStale } = slice;
    return jsonAnswer(
      c,
      JSON.stringify({
        symbol: symbol.sym,
        timeframe: tf,
        market,
        venue,
        attribution,
        delayS,
        isOpen,
        isStale,
        candles: page.map(candleJson),
        next: page.length < older.length ? String(page[0]?.time) : null,
      }),
    );
  });

  on(API_ROUTES.markets, async ({ c, query: { query = '', limit = MARKETS } }) => {
    const found = await deps.catalogue.search(query.trim(), limit, c.req.raw.signal);
    return jsonAnswer(c, JSON.stringify({ markets: found.map((listing) => toFound(listing, clock.nowMs() / 1000)) }));
  });

  on(API_ROUTES.watchlist, async ({ c, key }) =>
    jsonAnswer(c, JSON.stringify({ pairs: await ownWatchlist(database, key) })),
  );
}

function wantedOf(query: z.output<typeof forecastQuery>): WantedForecast {
  const { sym: symbol = PUBLIC_FORECAST.sym, model = PUBLIC_FORECAST.model, tf: timeframe = DEFAULT_TIMEFRAME } = query;
  return { symbol, model, timeframe };
}

function candleJson({ time, ...prices }: Candle): object {
  return { time: isoOf(time), ...prices };
}
