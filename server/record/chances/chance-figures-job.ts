/** Updates the blocks with issued and judged chances, then recomputes each answer when it is old enough. */
import { setImmediate as breathe } from 'node:timers/promises';
import { MINUTE_S } from '#domain/market/candle.ts';
import { type MarketKind, SYMBOLS } from '#domain/market/symbols.ts';
import { chanceCounts, chanceParts } from '#domain/record/chances/chance-figures.ts';
import {
  CHANCE_MODEL,
  chancesExpected,
  RECORDED_WINDOWS,
  type RecordedWindow,
} from '#domain/record/chances/chance-moments.ts';
import type { ChanceSummary } from '#domain/record/chances/chance-summary.ts';
import { type ChanceBlock, chanceBlocks } from '#domain/record/chances/chance-sums.ts';
import { blockOf } from '#domain/record/figures/track-blocks.ts';
import { TRACK_PERIODS, type TrackPeriod } from '#domain/record/figures/track-summary.ts';
import { type FiguresDeps, PERIODS, REFRESH_MS } from '../figures/record-figures.ts';
import type { ChanceBlockStore } from './chance-block-store.ts';
import type { ChanceSummaryStore } from './chance-summary-store.ts';

export interface ChanceStores {
  blocks: ChanceBlockStore;
  summaries: ChanceSummaryStore;
}

export async function makeChanceFigures(
  stores: ChanceStores,
  { clock, marketClock, kindOf }: Pick<FiguresDeps, 'clock' | 'marketClock' | 'kindOf'>,
  signal: AbortSignal,
): Promise<void> {
  const rolled = await rollUpChances(stores.blocks, signal);
  const running = new Set(SYMBOLS.map(kindOf));
  for (const market of await stores.blocks.kinds()) {
    for (const window of RECORDED_WINDOWS) {
      for (const period of PERIODS) {
        signal.throwIfAborted();
        const nowMs = clock.nowMs();
        const isRunning = running.has(market);
        const last = await stores.summaries.computedMs(market, window, period);
        const isMoving = isRunning || rolled.has(market) || last === null;
        // A clock that was set back must not keep an answer for ever.
        if (!isMoving || (last !== null && Math.abs(nowMs - last) < REFRESH_MS[period])) continue;
        const marketNowMs = isRunning ? marketClock.nowMs() : nowMs;
        const question = { market, window, period, nowMs, marketNowMs, isRunning };
        await stores.summaries.write(await summariseChances(stores, question));
      }
    }
  }
}

/** Some three days of chances. */
const BATCH = 10_000;

/** Runs until no work is left, or `signal` aborts between two steps. @returns the kinds of market that changed */
export async function rollUpChances(
  store: ChanceBlockStore,
  signal: AbortSignal,
  batch = BATCH,
): Promise<ReadonlySet<MarketKind>> {
  const kinds = new Set<MarketKind>();
  for (let isMore = true; isMore && !signal.aborted; ) {
    const stale = await store.stale(batch);
    const blocks: ChanceBlock[] = [];
    for (const place of stale.places) {
      signal.throwIfAborted();
      blocks.push(...chanceBlocks(await store.chances(place, stale.upTo)));
      kinds.add(place.market);
      await breathe();
    }
    await store.write(blocks);
    isMore = stale.isMore;
  }
  return kinds;
}

interface ChanceQuestion {
  market: MarketKind;
  window: RecordedWindow;
  period: TrackPeriod;
  nowMs: number;
  marketNowMs: number;
  /** False for a market kind that the server does not show now: nothing is expected after its last chance. */
  isRunning: boolean;
}

export async function summariseChances(
  { blocks: store, summaries }: ChanceStores,
  { market, window, period, nowMs, marketNowMs, isRunning }: ChanceQuestion,
): Promise<ChanceSummary> {
  const fromS = blockOf(Math.floor(marketNowMs / 1000) - TRACK_PERIODS[period] * DAY_S);
  const blocks = await store.blocks(market, window, fromS);
  const { counts, voidReasons } = chanceCounts(blocks);
  const lastS = blocks.length === 0 ? null : Math.max(...blocks.map(({ lastSlotS }) => lastSlotS));
  // A chance is recorded within its minute, so the running one is not expected yet.
  const endS = isRunning ? Math.floor(marketNowMs / 1000 / MINUTE_S) * MINUTE_S : (lastS ?? 0) + MINUTE_S;
  const first = await store.firstSlots(market, window);
  const expected = first.reduce(
    (sum, { firstSlotS }) => sum + chancesExpected(window, Math.max(fromS, firstSlotS), endS),
    0,
  );
  return {
    market,
    window,
    model: CHANCE_MODEL,
    period,
    computedMs: nowMs,
    fromS,
    firstS: blocks.length === 0 ? null : Math.min(...blocks.map(({ firstSlotS }) => firstSlotS)),
    lastS,
    counts: { expected: Math.max(expected, counts.issued), ...counts },
    voidReasons,
    missReasons: await summaries.missReasons(market, window, { fromS, endS }, first),
    ...(await chanceParts(blocks, () => breathe())),
  };
}

/** Shown before anything is computed. */
export async function emptyChanceSummary(
  market: MarketKind,
  window: RecordedWindow,
  period: TrackPeriod,
  nowMs: number,
): Promise<ChanceSummary> {
  const fromS = blockOf(Math.floor(nowMs / 1000) - TRACK_PERIODS[period] * DAY_S);
  return {
    market,
    window,
    model: CHANCE_MODEL,
    period,
    computedMs: nowMs,
    fromS,
    firstS: null,
    lastS: null,
    counts: { expected: 0, issued: 0, known: 0, void: 0, waiting: 0 },
    voidReasons: {},
    missReasons: {},
    ...(await chanceParts([])),
  };
}

const DAY_S = 86_400;
