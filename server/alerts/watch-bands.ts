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
import { SYMBOLS } from '#domain/market/symbols.ts';
import { forecastMinutes } from '#domain/record/scoring/outcome.ts';
import type { CandlePast, PastSeries } from '../market/candles/past-candles.ts';
import { asOwner, type Database } from '../platform/database/database.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import { recentOnce } from '../record/candle-sources.ts';
import { isSameMarket } from '../record/judge-outcome.ts';
import { type AlertTime, ruleMarketS } from './alert-time.ts';
import type { NewAlert } from './send-alerts.ts';
import {
  type RunningPrediction,
  runningPredictions,
  runningSyms,
  type StoredBand,
} from './watched-predictions-store.ts';

export interface WatchBandsDeps {
  database: Database;
  past: CandlePast;
  log: Logger;
}

/** Where each symbol's candles ended when this process last checked them. */
export type SeenCandles = Map<string, string>;

/** The 51 minutes of a forecast, plus an hour for a delayed feed. */
const RUNS_S = (51 + 60) * MINUTE_S;
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
  const joinedAfterS = time.marketMs / 1000 - RUNS_S;
  const recent = recentOnce(deps.past, signal);
  const syms = await runningSyms(asOwner(deps.database), joinedAfterS);
  await Promise.all(
    syms.map(async (sym) => {
      try {
        const symbol = SYMBOLS.find((known) => known.sym === sym);
        const series = symbol === undefined ? null : await recent(symbol);
        const end = series?.candles.at(-1);
        if (series === null || end === undefined) return;
        // Nothing can break between two minutes; a prediction saved in between waits for the next one.
        const place = `${series.marketKind} ${series.venueId} ${end.time}`;
        if (seen.get(sym) === place) return;
        await watchSymbol(deps, { sym, joinedAfterS, series, time }, send, signal);
        seen.set(sym, place);
      } catch (error) {
        signal.throwIfAborted();
        deps.log.error({ err: error, sym }, 'the bands of a symbol could not be checked');
      }
    }),
  );
}

async function watchSymbol(
  { database }: WatchBandsDeps,
  { sym, joinedAfterS, series, time }: { sym: string; joinedAfterS: number; series: PastSeries; time: AlertTime },
  send: (alerts: readonly NewAlert[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let afterId: string | null = null;
  for (let count = BATCH; count === BATCH && !signal.aborted; ) {
    const rows: RunningPrediction[] = await runningPredictions(asOwner(database), {
      ...{ sym, joinedAfterS, afterId, limit: BATCH },
    });
    count = rows.length;
    afterId = rows.at(-1)?.predictionId ?? null;
    await send(rows.flatMap((row) => breakOfRunning(row, series, time) ?? []));
  }
}

const tailSchema = z.array(candleSchema);

function breakOfRunning(row: RunningPrediction, series: PastSeries, time: AlertTime): NewAlert | null {
  const tail = tailSchema.safeParse(row.tail);
  if (series.marketKind !== row.marketKind || !tail.success || !isSameMarket(series.candles, tail.data)) return null;
  const minutes = forecastMinutes(row.joinS);
  const byTime = candlesByTime(series.candles, row.joinS, minutes.at(-1) ?? row.joinS);
  const closes = minutes.map((timeS) => byTime.get(timeS)?.close ?? null);
  return breakOf({ ...row, closes }, ruleMarketS(row.sinceMs, time));
}

type Watched = Pick<RunningPrediction, 'predictionId' | 'userId' | 'sym' | 'marketKind' | 'joinS' | 'model'> & {
  band: StoredBand | null;
  closes: readonly (number | null)[];
};

/** Streamed without amplification: an admin's amplified forecast is never saved and has another band. */
const AMP_PERCENT = 100;

/**
 * Null if the closes stayed inside the band since the rule was created.
 * @param sinceS epoch seconds of the market's time: bars that had closed by then do not count
 */
export function breakOf(watched: Watched, sinceS: number): NewAlert | null {
  const { predictionId, userId, sym, marketKind, joinS, band, closes } = watched;
  const model = modelOfBackendName(watched.model)?.name;
  if (band === null || band.ampPercent !== AMP_PERCENT || model === undefined) return null;
  const { lower, upper } = band;
  const found = firstBreak({ closes, lower, upper, fromBar: firstBarAfter(joinS, sinceS) });
  if (found === null) return null;
  const facts: AlertFacts = { kind: 'band-broken', sym, marketKind, predictionId, model, joinS, ...found };
  return { userId, subject: predictionId, facts };
}
