/**
 * Compares running forecasts with the closes so far, using the candles that decide outcomes, read once per symbol and
 * round. A substitute venue, a gap or another kind of market gives no close, so it never raises an alert.
 */

import * as z from 'zod/mini';
import type { AlertFacts } from '#domain/alerts/alert.ts';
import { firstBarAfter, firstBreak } from '#domain/alerts/first-break.ts';
import { modelOfBackendName } from '#domain/forecast/models.ts';
import { candleSchema, MINUTE_S } from '#domain/market/candle.ts';
import { candlesByTime } from '#domain/market/candle-span.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import { forecastTimes } from '#domain/record/scoring/outcome.ts';
import type { Core } from '../core.ts';
import type { CandlePast, PastSeries } from '../market/candles/past-candles.ts';
import { ONLY_SPECIFIED, type SymbolLookup } from '../market/catalogue/symbol-lookup.ts';
import { asOwner } from '../platform/database/database.ts';
import { recentOnce } from '../record/candle-sources.ts';
import { isSameMarket } from '../record/judge-outcome.ts';
import { type AlertTime, ruleMarketS } from './alert-time.ts';
import type { NewAlert } from './send-alerts.ts';
import {
  type RunningPrediction,
  type RunningSeries,
  runningPredictions,
  runningSeries,
  type StoredBand,
} from './watched-predictions-store.ts';

export interface WatchBandsDeps extends Pick<Core, 'database' | 'log'> {
  past: CandlePast;
  /** Absent: only the ten symbols of the picker. */
  symbols?: Pick<SymbolLookup, 'savedSymbol'> | undefined;
}

/** Where each series ended when this process last checked them. */
export type SeenCandles = Map<string, string>;

/** An hour for a delayed feed. */
const DELAY_S = 60 * MINUTE_S;
/** How long a forecast runs: 51 candles, plus the delay. */
const runsS = (timeframe: Timeframe): number => 51 * barSecondsOf(timeframe) + DELAY_S;
/** Some 2 MB of saved candles. */
const BATCH = 250;

/** Runs one round. @param send  receives the alerts batch by batch */
export async function watchBands(
  deps: WatchBandsDeps,
  seen: SeenCandles,
  time: AlertTime,
  send: (alerts: readonly NewAlert[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const joinedAfterS = (timeframe: Timeframe): number => time.marketMs / 1000 - runsS(timeframe);
  const { symbols = ONLY_SPECIFIED } = deps;
  const recent = recentOnce(deps.past, signal);
  const running = await runningSeries(asOwner(deps.database), joinedAfterS);
  await Promise.all(
    running.map(async ({ sym, timeframe }) => {
      const key = `${sym} ${timeframe}`;
      try {
        const symbol = await symbols.savedSymbol(sym, signal);
        const series = symbol === null ? null : await recent(symbol, timeframe);
        const end = series?.candles.at(-1);
        if (series === null || end === undefined) return;
        // Nothing can break between two candles; a prediction saved in between waits for the next one.
        const place = `${series.marketKind} ${series.venueId} ${end.time}`;
        if (seen.get(key) === place) return;
        const watched = { sym, timeframe, joinedAfterS: joinedAfterS(timeframe), series, time };
        await watchSeries(deps, watched, send, signal);
        seen.set(key, place);
      } catch (error) {
        signal.throwIfAborted();
        deps.log.error({ err: error, sym, timeframe }, 'the bands of a symbol could not be checked');
      }
    }),
  );
}

async function watchSeries(
  { database }: WatchBandsDeps,
  { sym, timeframe, joinedAfterS, series, time }: WatchedSeries,
  send: (alerts: readonly NewAlert[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let afterId: string | null = null;
  for (let count = BATCH; count === BATCH && !signal.aborted; ) {
    const rows: RunningPrediction[] = await runningPredictions(asOwner(database), {
      sym,
      timeframe,
      joinedAfterS,
      afterId,
      limit: BATCH,
    });
    count = rows.length;
    afterId = rows.at(-1)?.predictionId ?? null;
    await send(rows.flatMap((row) => breakOfRunning(row, series, time) ?? []));
  }
}

interface WatchedSeries extends RunningSeries {
  joinedAfterS: number;
  series: PastSeries;
  time: AlertTime;
}

const tailSchema = z.array(candleSchema);

function breakOfRunning(row: RunningPrediction, series: PastSeries, time: AlertTime): NewAlert | null {
  const tail = tailSchema.safeParse(row.tail);
  const barS = barSecondsOf(row.timeframe);
  if (series.marketKind !== row.marketKind || !tail.success || !isSameMarket(series.candles, tail.data, barS))
    return null;
  const times = forecastTimes(row.joinS, row.timeframe);
  const byTime = candlesByTime(series.candles, row.joinS, times.at(-1) ?? row.joinS, barS);
  const closes = times.map((timeS) => byTime.get(timeS)?.close ?? null);
  return breakOf({ ...row, closes }, ruleMarketS(row.sinceMs, time));
}

type Watched = Pick<
  RunningPrediction,
  'predictionId' | 'userId' | 'sym' | 'marketKind' | 'timeframe' | 'joinS' | 'model'
> & {
  band: StoredBand | null;
  closes: readonly (number | null)[];
};

/**
 * Null if the closes stayed inside the band since the rule was created.
 * @param sinceS epoch seconds of the market's time: bars that had closed by then do not count
 */
export function breakOf(watched: Watched, sinceS: number): NewAlert | null {
  const { predictionId, userId, sym, marketKind, timeframe, joinS, band, closes } = watched;
  const model = modelOfBackendName(watched.model)?.name;
  if (band === null || model === undefined) return null;
  const { lower, upper } = band;
  const found = firstBreak({ closes, lower, upper, fromBar: firstBarAfter(joinS, sinceS, timeframe) });
  if (found === null) return null;
  const length = timeframeFact(timeframe);
  const facts: AlertFacts = { kind: 'band-broken', sym, marketKind, predictionId, model, ...length, joinS, ...found };
  return { userId, subject: predictionId, facts };
}

/** Alerts of before longer candles say nothing about them, and mean one minute. */
export function timeframeFact(timeframe: Timeframe): { timeframe?: Timeframe } {
  return timeframe === DEFAULT_TIMEFRAME ? {} : { timeframe };
}
