import type { Context, Hono } from 'hono';
import type { MarketKind, MarketSymbol } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { Core } from '../core.ts';
import type { Forecasts } from '../forecast/forecast.ts';
import type { ModelRegistry } from '../forecast/models/model-registry.ts';
import type { ShadowModels } from '../forecast/models/shadow-models.ts';
import type { CandleHistory } from '../market/candles/candle-history.ts';
import type { CandlePast } from '../market/candles/past-candles.ts';
import { closeAll } from '../platform/close-all.ts';
import { openRecordedChances } from './chances/open-chances.ts';
import { downloadLimit } from './download-limit.ts';
import { type FigureRouteDeps, figureRoutes } from './figures/figure-routes.ts';
import { type FiguresDeps, startFigures } from './figures/record-figures.ts';
import { openBaselines } from './house/baselines.ts';
import type { HouseIssuer } from './house/house-slot.ts';
import { startHouseChances, startHouseForecasts } from './house/issue-forecasts.ts';
import { openLedger } from './ledger/ledger.ts';
import { ledgerStore } from './ledger/ledger-store.ts';
import { openReveal } from './reveal.ts';
import { startScoring } from './scoring/score-records.ts';
import { type UsualRangeDeps, usualRangeRoutes } from './usual/usual-range-routes.ts';

export interface RecordDeps extends Core, Pick<UsualRangeDeps, 'lookup' | 'openProduct' | 'releasesOf'> {
  /** The market's clock; ours where the market uses our time. */
  marketClock: Clock;
  /** Kind of the whole market; in a replay single symbols may be of another. */
  marketKind: MarketKind;
  kindOf(symbol: MarketSymbol): MarketKind;
  history: CandleHistory;
  past: CandlePast;
  forecasts: Forecasts;
  registry: Pick<ModelRegistry, 'states' | 'stateOf'>;
  /** Data folder with the signing keys. */
  dataDir: string;
  /** Models that run unseen, recorded with role 'shadow'; null without any. */
  shadows: Pick<ShadowModels, 'forecasts' | 'registry'> | null;
  /** Folder of the built site, with the code that recomputes the figures. */
  siteDir: string;
  /** False: no new records are written; existing ones are still scored, sealed and shown. */
  isIssuing: boolean;
  /** Identifies one caller. */
  addressOf(c: Context): string;
}

export interface PublicRecord {
  routes: readonly Hono[];
  close(): Promise<void>;
}

/** Starts the record's jobs, which fail independently. @throws Error for a missing or altered baseline file */
export async function openRecord(deps: RecordDeps): Promise<PublicRecord> {
  const undo: (() => unknown)[] = [];
  const close = (): Promise<void> => closeAll(undo.splice(0).reverse());
  try {
    return { routes: await open(deps, undo), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** @param undo  receives the functions that close each part, in the order of opening */
async function open(deps: RecordDeps, undo: (() => unknown)[]): Promise<Hono[]> {
  const { database, forecasts, registry } = deps;
  const routes: Hono[] = [];
  const baselines = await openBaselines();
  if (deps.isIssuing) {
    const shadows: HouseIssuer[] =
      deps.shadows === null ? [] : [{ role: 'shadow', ...deps.shadows, timeframes: [DEFAULT_TIMEFRAME] }];
    const issuers: HouseIssuer[] = [{ role: 'serving', forecasts, registry }, ...shadows];
    const ledger = ledgerStore(database);
    const house = { ...deps, issuers, ledger, baselineOf: baselines.currentOf };
    for (const start of [startHouseForecasts, startHouseChances]) {
      const issuing = start(house);
      undo.push(() => issuing.close());
    }
  }
  const scoring = startScoring({ ...deps, tableOf: baselines.byVersion });
  undo.push(() => scoring.close());
  const countDownload = downloadLimit(deps.addressOf, { limiterOf: deps.limiterOf });
  const reveal = openReveal(deps);
  const published = openLedger({ ...deps, countDownload, reveal, baselineText: baselines.textOf });
  routes.push(published.routes, usualRangeRoutes({ ...deps, baselineOf: baselines.currentOf }));
  undo.push(() => published.close());
  const figures = openFigures({ ...deps, countDownload, reveal });
  routes.push(figures.routes);
  undo.push(() => figures.close());
  const chances = openRecordedChances({ ...deps, countDownload, reveal });
  routes.push(chances.routes);
  undo.push(() => chances.close());
  return routes;
}

function openFigures(deps: FiguresDeps & FigureRouteDeps): { routes: Hono; close(): Promise<void> } {
  const job = startFigures(deps);
  return { routes: figureRoutes(deps), close: () => job.close() };
}
