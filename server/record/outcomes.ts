/**
 * The job that determines the outcomes of saved predictions: all that are due, in batches, every few seconds, by one
 * process at a time. Candles are read once per symbol, timeframe and round, however many predictions need them. After an outage it
 * catches up on all predictions whose candles are still available.
 */

import * as z from 'zod/mini';
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import { candleSchema } from '#domain/market/candle.ts';
import type { MarketSymbol } from '#domain/market/symbols.ts';
import { barSecondsOf, DEFAULT_TIMEFRAME, type Timeframe } from '#domain/market/timeframes.ts';
import { forecastTimes, outcomeEndS } from '#domain/record/scoring/outcome.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { CandlePast } from '../market/candles/past-candles.ts';
import { ONLY_SPECIFIED, type SymbolLookup } from '../market/catalogue/symbol-lookup.ts';
import type { Database } from '../platform/database/database.ts';
import { jobStore } from '../platform/processes/job-store.ts';
import { type Job, startJob } from '../platform/processes/schedule.ts';
import type { Logger } from '../platform/telemetry/log.ts';
import { type RecentOf, recentOnce, retryInS, spansOf } from './candle-sources.ts';
import { judgeOutcome, type SavedForecast, type Verdict } from './judge-outcome.ts';
import { type DueOutcome, type OutcomeStore, outcomeStore, type Resolution, TAIL_BARS } from './outcome-store.ts';

export interface OutcomeDeps {
  past: CandlePast;
  /** Absent: only the ten symbols of the picker. */
  symbols?: Pick<SymbolLookup, 'savedSymbol'> | undefined;
  /** Our clock, and the market's where it differs. */
  clocks: readonly Clock[];
  log: Logger;
}

export interface OutcomeTotals {
  known: number;
  void: number;
  later: number;
}

const PERIOD_MS = 15_000;
/** Some 2 MB of saved candles. */
const BATCH = 250;

/** Resolves immediately, then every 15 seconds, until it is closed. */
export function startOutcomes(deps: OutcomeDeps & { database: Database }): Job {
  const store = outcomeStore(deps.database);
  return startJob({
    name: 'prediction-outcomes',
    periodMs: PERIOD_MS,
    store: jobStore(deps.database),
    log: deps.log,
    async run(signal) {
      const totals = await resolveOutcomes(store, deps, signal);
      if (totals.known + totals.void > 0) deps.log.info(totals, 'outcomes of predictions stored');
      return undefined;
    },
  });
}

/** One round: everything that is due now. Stops between two batches when `signal` aborts. */
export async function resolveOutcomes(
  store: OutcomeStore,
  deps: OutcomeDeps,
  signal: AbortSignal,
): Promise<OutcomeTotals> {
  const totals: OutcomeTotals = { known: 0, void: 0, later: 0 };
  // Read once: predictions postponed in this round come in a later one.
  const nowMs = Math.max(...deps.clocks.map((clock) => clock.nowMs()));
  const { symbols = ONLY_SPECIFIED } = deps;
  const recent = recentOnce(deps.past, signal);
  const sources = { recent, past: deps.past, nowMs };
  const judgeSeries = async (rows: readonly DueOutcome[], sym: string, timeframe: Timeframe): Promise<Resolution[]> =>
    judgeAll(rows, await symbols.savedSymbol(sym, signal), timeframe, sources);
  for (let count = BATCH; count === BATCH && !signal.aborted; ) {
    const due = await store.due(nowMs, BATCH);
    count = due.length;
    if (count === 0) break;
    const bySeries = Map.groupBy(due, ({ sym, timeframe }) => `${sym} ${timeframe}`);
    const judged = await Promise.all(
      [...bySeries.values()].map((rows) => {
        const { sym = '', timeframe = DEFAULT_TIMEFRAME } = rows[0] ?? {};
        return judgeSeries(rows, sym, timeframe).catch((error: unknown) => {
          signal.throwIfAborted();
          // Postponed, so that a symbol that always fails does not come first in every batch.
          const subject = { sym, timeframe, count: rows.length };
          deps.log.error({ err: error, ...subject }, 'outcomes of a symbol could not be computed');
          return rows.map((row) => toResolution(row, { state: 'later' }, nowMs));
        });
      }),
    );
    const resolutions = judged.flat();
    await store.resolve(resolutions, nowMs);
    for (const { state } of resolutions) totals[state] += 1;
  }
  return totals;
}

interface Sources {
  recent: RecentOf;
  past: CandlePast;
  nowMs: number;
}

/** Judges one symbol's predictions of one timeframe: first by recent candles, the undecided ones by stored candles. */
async function judgeAll(
  rows: readonly DueOutcome[],
  symbol: MarketSymbol | null,
  timeframe: Timeframe,
  { recent, past, nowMs }: Sources,
): Promise<Resolution[]> {
  const resolutions: Resolution[] = [];
  const open: { row: DueOutcome; saved: SavedForecast }[] = [];
  const serving = symbol === null ? null : await recent(symbol, timeframe);
  const nowS = nowMs / 1000;
  const isServed = serving !== null;
  const series = serving === null ? [] : [serving];
  for (const row of rows) {
    const saved = symbol === null ? null : readSaved(row, symbol);
    if (saved === null) {
      resolutions.push({ predictionId: row.predictionId, state: 'void', reason: 'unreadable' });
      continue;
    }
    const verdict = judgeOutcome(saved, { series, isAll: false, isServed, nowS });
    if (verdict.state === 'later') open.push({ row, saved });
    else resolutions.push(toResolution(row, verdict, nowMs));
  }
  for (const span of spansOf(open, ({ row }) => row.joinS)) {
    const [first, last] = [span[0]?.row.joinS ?? 0, span.at(-1)?.row.joinS ?? 0];
    const fromS = first - TAIL_BARS * barSecondsOf(timeframe);
    const toS = outcomeEndS(last, timeframe);
    const stored = symbol === null ? [] : await past.stored(symbol, fromS, toS, timeframe);
    for (const { row, saved } of span) {
      const verdict = judgeOutcome(saved, { series: [...series, ...stored], isAll: true, isServed, nowS });
      resolutions.push(toResolution(row, verdict, nowMs));
    }
  }
  return resolutions;
}

function toResolution(row: DueOutcome, verdict: Verdict, nowMs: number): Resolution {
  const { predictionId } = row;
  if (verdict.state !== 'later') return { predictionId, ...verdict };
  const waitedS = nowMs / 1000 - outcomeEndS(row.joinS, row.timeframe);
  return { predictionId, state: 'later', nextTryMs: nowMs + retryInS(waitedS) * 1000 };
}

const savedSchema = z.array(candleSchema);

/** Null when the saved data is not a valid prediction. */
function readSaved(row: DueOutcome, symbol: MarketSymbol): SavedForecast | null {
  const parsed = savedSchema.safeParse(row.candles);
  if (!parsed.success) return null;
  const [tail, path] = [parsed.data.slice(0, TAIL_BARS), parsed.data.slice(TAIL_BARS)];
  const join = tail.at(-1);
  const { marketKind, timeframe, joinS } = row;
  const times = forecastTimes(joinS, timeframe);
  const isWhole = join?.time === joinS && path.every((candle, i) => candle.time === times[i]);
  return isWhole && path.length === HORIZON_BARS ? { symbol, marketKind, timeframe, tail, path } : null;
}
