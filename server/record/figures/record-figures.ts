/**
 * The job behind the page's figures: updates the blocks with issued and judged records, then recomputes each period's
 * answer when it is old enough. Longer periods are recomputed less often: a year's figures do not move in a minute.
 */
import { setImmediate as breathe } from 'node:timers/promises';
import { type MarketKind, type MarketSymbol, SYMBOLS } from '#domain/market/symbols.ts';
import { type JudgedRecord, type TrackBlock, trackBlocks } from '#domain/record/figures/track-blocks.ts';
import { TRACK_PERIODS, type TrackPeriod } from '#domain/record/figures/track-summary.ts';
import type { Clock } from '#domain/time/clock.ts';
import type { Core } from '../../core.ts';
import type { Database } from '../../platform/database/database.ts';
import { jobStore } from '../../platform/processes/job-store.ts';
import { type Job, startJob } from '../../platform/processes/schedule.ts';
import type { Reveal } from '../reveal.ts';
import { type BlockStore, blockStore } from './block-store.ts';
import { type ReleaseCoverageStore, releaseCoverageStore } from './release-coverage-store.ts';
import { summarise } from './summarise.ts';
import { type SummaryStore, summaryStore } from './summary-store.ts';

export interface FiguresDeps extends Pick<Core, 'clock' | 'log'> {
  marketClock: Clock;
  /** A symbol's kind as shown now: with replayed recordings some symbols are simulated. */
  kindOf(symbol: MarketSymbol): MarketKind;
}

const PERIOD_MS = 60_000;
/** Building a year from nothing takes minutes; an aborted run keeps its finished part. */
const LIMIT_MS = 10 * 60_000;
const MINUTE_MS = 60_000;
/** Maximum age of an answer, a little less than whole minutes, so that a round is not missed by a second. */
export const REFRESH_MS: Record<TrackPeriod, number> = {
  '7d': 0.5 * MINUTE_MS,
  '30d': 4.5 * MINUTE_MS,
  '90d': 14.5 * MINUTE_MS,
  '365d': 59.5 * MINUTE_MS,
};
export const PERIODS = Object.keys(TRACK_PERIODS) as TrackPeriod[];

export function startFigures(deps: FiguresDeps & { database: Database; reveal: Reveal }): Job {
  const stores = figureStores(deps.database, deps.reveal);
  let isFirst = true;
  return startJob({
    name: 'record-figures',
    periodMs: PERIOD_MS,
    limitMs: LIMIT_MS,
    store: jobStore(deps.database),
    log: deps.log,
    async run(signal) {
      if (isFirst) await stores.blocks.forgetOthers();
      isFirst = false;
      await makeFigures(stores, deps, signal);
      return undefined;
    },
  });
}

export interface FigureStores {
  blocks: BlockStore;
  summaries: SummaryStore;
  releases: ReleaseCoverageStore;
}

export function figureStores(database: Database, reveal: Reveal): FigureStores {
  return {
    blocks: blockStore(database),
    summaries: summaryStore(database, reveal),
    releases: releaseCoverageStore(database),
  };
}

export async function makeFigures(
  stores: FigureStores,
  { clock, marketClock, kindOf, log }: FiguresDeps,
  signal: AbortSignal,
): Promise<void> {
  const rolled = await rollUp(stores.blocks, signal);
  const running = new Set(SYMBOLS.map(kindOf));
  let computed = 0;
  for (const { market, timeframe } of await stores.blocks.kinds()) {
    for (const period of PERIODS) {
      signal.throwIfAborted();
      const nowMs = clock.nowMs();
      const isRunning = running.has(market);
      const last = await stores.summaries.computedMs(market, timeframe, period);
      const isMoving = isRunning || rolled.kinds.has(market) || last === null;
      // A clock that was set back must not keep an answer for ever.
      if (!isMoving || (last !== null && Math.abs(nowMs - last) < REFRESH_MS[period])) continue;
      const marketNowMs = isRunning ? marketClock.nowMs() : nowMs;
      await stores.summaries.write(
        await summarise(stores, { market, timeframe, period, nowMs, marketNowMs, isRunning }),
      );
      computed += 1;
    }
  }
  if (rolled.blocks > 0)
    log.debug({ blocks: rolled.blocks, summaries: computed }, 'figures of the record were computed');
}

/** Three days of records: the most that a round takes in one statement. */
const BATCH = 10_000;

export interface RolledUp {
  /** Six-hour blocks that were rebuilt. */
  blocks: number;
  kinds: ReadonlySet<MarketKind>;
}

/** Runs until no work is left, or `signal` aborts between two steps. */
export async function rollUp(store: BlockStore, signal: AbortSignal, batch = BATCH): Promise<RolledUp> {
  let count = 0;
  const kinds = new Set<MarketKind>();
  for (let isMore = true; isMore && !signal.aborted; ) {
    const stale = await store.stale(batch);
    const blocks: TrackBlock[] = [];
    for (const place of stale.places) {
      signal.throwIfAborted();
      const records: JudgedRecord[] = [];
      for await (const page of store.records(place, stale.upTo)) {
        records.push(...page);
        // Parsing a page takes tens of milliseconds: other requests run in between.
        await breathe();
      }
      blocks.push(...trackBlocks(records));
      kinds.add(place.market);
    }
    await store.write(blocks);
    count += stale.places.length;
    isMore = stale.isMore;
  }
  return { blocks: count, kinds };
}
