/** Pages of single forecasts, and the pictures that other parts attach to their messages. */
import type { Context, Hono } from 'hono';
import { type MarketKind, type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import type { PictureForm } from '#domain/share/forecast-picture.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { Core } from '../../core.ts';
import type { Forecasts } from '../../forecast/forecast.ts';
import type { CandlePast } from '../../market/candles/past-candles.ts';
import type { SymbolLookup } from '../../market/catalogue/symbol-lookup.ts';
import type { ServerFunction } from '../../platform/http/calls/server-function.ts';
import { openReveal } from '../reveal.ts';
import { siteParts } from './documents/site-parts.ts';
import { forecastViews } from './forecast-views.ts';
import type { HouseViewDeps } from './house-view.ts';
import { latestView } from './latest-view.ts';
import { openPictures } from './picture/open-pictures.ts';
import { shareFunctions } from './share-functions.ts';
import { shareRoutes } from './share-routes.ts';

export interface ShareDeps extends Core, Pick<HouseViewDeps, 'releasesAt'> {
  marketClock: Clock;
  marketKind: MarketKind;
  kindOf(symbol: MarketSymbol): MarketKind;
  past: CandlePast;
  symbols: Pick<SymbolLookup, 'savedSymbol'>;
  forecasts: Pick<Forecasts, 'current'>;
  origin(request: Request): string;
  siteDir: string;
  addressOf(c: Context): string;
}

export interface Share {
  routes: Hono;
  functions: readonly ServerFunction[];
  /**
   * PNG of a saved prediction, shared or not, for messages to its owner alone: the caller has checked whose it is.
   * Null when it was deleted. @throws AppError `share/no-picture`, `request/too-many`
   */
  pictureOfPrediction(predictionId: string, form: PictureForm): Promise<Uint8Array<ArrayBuffer> | null>;
  close(): Promise<void>;
}

export function openShare(deps: ShareDeps): Share {
  const { clock, marketClock, kindOf, database, log } = deps;
  const views = forecastViews({
    database,
    clock,
    past: deps.past,
    symbols: deps.symbols,
    releasesAt: deps.releasesAt,
    marketKind: deps.marketKind,
    reveal: openReveal({ clock, marketClock, kindOf }),
    marketNowMs: (market) => (SYMBOLS.some((symbol) => kindOf(symbol) === market) ? marketClock.nowMs() : null),
  });
  const pictures = openPictures({ log });
  return {
    routes: shareRoutes({
      views,
      pictures,
      origin: deps.origin,
      addressOf: deps.addressOf,
      limiterOf: deps.limiterOf,
      latest: latestView(deps.forecasts),
      site: siteParts(deps.siteDir),
    }),
    functions: shareFunctions(views.store),
    async pictureOfPrediction(predictionId, form) {
      const view = await views.ofPrediction(predictionId);
      return view === null ? null : await pictures.draw({ ...form, view, address: null });
    },
    close: () => pictures.close(),
  };
}
