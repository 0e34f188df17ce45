/**
 * The job that scores the public record: every record whose 50 bars are over, in batches, by one process at a time.
 * Candles are read once per symbol, timeframe and run. After an outage it catches up on all records whose candles are still
 * available. Records of a market that this server does not show wait for one that does.
 */
import { type MarketKind, type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { DEFAULT_TIMEFRAME } from '#domain/market/timeframes.ts';
import type { BaselineTable } from '#domain/record/scoring/baseline-table.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { Core } from '../../core.ts';
import { RETENTION_S } from '../../market/candles/candle-store.ts';
import type { CandlePast } from '../../market/candles/past-candles.ts';
import type { Database } from '../../platform/database/database.ts';
import { jobStore } from '../../platform/processes/job-store.ts';
import { type Job, startJob } from '../../platform/processes/schedule.ts';
import { recentOnce, retryInS } from '../candle-sources.ts';
import { type JudgeSources, judgeSymbol } from './judge-symbol.ts';
import { type RecordResolution, type ScoreStore, scoreStore, type WaitingRecord } from './score-store.ts';

export interface ScoringDeps extends Pick<Core, 'clock' | 'log'> {
  past: CandlePast;
  /** The market kind of each symbol's prices on this server. */
  kindOf(symbol: MarketSymbol): MarketKind;
  /** The market's clock; ours where the market uses our time. */
  marketClock: Clock;
  /** By RecordBody.baseline; null when this server does not have it. */
  tableOf(version: string): BaselineTable | null;
}

export interface ScoringTotals {
  known: number;
  void: number;
  later: number;
  /** More records are due than one run takes. */
  hasMore: boolean;
}

const PERIOD_MS = 20_000;
/** Per symbol: with all ten a statement stays far below its time limit, even on a busy machine. */
const BATCH = 300;
/** Per run: a backlog of a month takes several. */
const MAX_BATCHES = 20;

/** Scores immediately, then every 20 seconds, until it is closed. */
export function startScoring(deps: ScoringDeps & { database: Database }): Job {
  const store = scoreStore(deps.database);
  const scoring = openScoring(store, deps);
  return startJob({
    name: 'record-scoring',
    periodMs: PERIOD_MS,
    store: jobStore(deps.database),
    log: deps.log,
    async run(signal) {
      const { hasMore, ...totals } = await scoring.scoreDue(signal);
      if (totals.known + totals.void > 0) deps.log.info(totals, 'records scored');
      return hasMore ? { nextInMs: 0 } : undefined;
    },
  });
}

export interface Scoring {
  /** Scores what is due now, as far as one run goes. Stops between two batches when `signal` aborts. */
  scoreDue(signal: AbortSignal): Promise<ScoringTotals>;
}

export function openScoring(store: ScoreStore, deps: ScoringDeps): Scoring {
  const { log } = deps;
  /** Logged once each. */
  const unknownTables = new Set<string>();
  function tableOf(version: string): BaselineTable | null {
    const table = deps.tableOf(version);
    if (table === null && !unknownTables.has(version)) {
      unknownTables.add(version);
      log.warn({ baseline: version }, 'records are waiting for a baseline table that this server does not have');
    }
    return table;
  }

  return {
    async scoreDue(signal) {
      const abandoned = await giveUpOld(store, deps.clock.nowMs(), signal);
      const totals: ScoringTotals = { known: 0, void: abandoned, later: 0, hasMore: false };
      const nowS = deps.marketClock.nowMs() / 1000;
      const sources: JudgeSources = { recent: recentOnce(deps.past, signal), past: deps.past, tableOf, nowS, log };
      const markets = SYMBOLS.map((symbol) => ({ sym: symbol.sym, kind: deps.kindOf(symbol) }));
      for (let batch = 0; !signal.aborted; batch += 1) {
        totals.hasMore = batch === MAX_BATCHES;
        const due = totals.hasMore ? [] : await store.due(markets, nowS, BATCH);
        if (due.length === 0) break;
        const judged = await judgeAll(due, deps.kindOf, sources, signal);
        await store.resolve(judged);
        for (const { state } of judged) totals[state] += 1;
      }
      return totals;
    },
  };
}

async function judgeAll(
  due: readonly WaitingRecord[],
  kindOf: ScoringDeps['kindOf'],
  sources: JudgeSources,
  signal: AbortSignal,
): Promise<RecordResolution[]> {
  const bySeries = [...Map.groupBy(due, ({ sym, timeframe }) => `${sym} ${timeframe}`).values()];
  const judged = await Promise.all(
    bySeries.map(async (rows): Promise<RecordResolution[]> => {
      const { sym, timeframe } = rows[0] ?? { sym: '', timeframe: DEFAULT_TIMEFRAME };
      const symbol = SYMBOLS.find((known) => known.sym === sym);
      if (symbol === undefined) return [];
      return judgeSymbol(rows, { symbol, timeframe }, kindOf(symbol), sources).catch((error: unknown) => {
        signal.throwIfAborted();
        // Postponed, so that a symbol that always fails does not come first in every batch.
        sources.log.error(
          { err: error, sym, timeframe, count: rows.length },
          'records of a symbol could not be scored',
        );
        return rows.map(({ seq }) => ({ seq, state: 'later', nextTryS: sources.nowS + retryInS(0) }));
      });
    }),
  );
  return judged.flat();
}

/** @returns how many records were given up */
async function giveUpOld(store: ScoreStore, nowMs: number, signal: AbortSignal): Promise<number> {
  const before = nowMs - RETENTION_S * 1000;
  for (let total = 0; ; ) {
    const abandoned = await store.giveUp(before, BATCH);
    total += abandoned;
    if (abandoned < BATCH || signal.aborted) return total;
  }
}
