/** One answer for the page: figures and lists from the blocks of a period. */
import { setImmediate as breathe } from 'node:timers/promises';
import { isUsRelease, RELEASE_KINDS, type ReleaseKind } from '#domain/market/calendar/release-kinds.ts';
import { MINUTE_S } from '#domain/market/candle.ts';
import { type MarketKind, SYMBOLS } from '#domain/market/symbols.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';
import { periodExtremes } from '#domain/record/figures/record-card.ts';
import { blockOf, type TrackBlock } from '#domain/record/figures/track-blocks.ts';
import { trackCounts, trackParts } from '#domain/record/figures/track-figures.ts';
import { TRACK_PERIODS, type TrackPeriod, type TrackSummary } from '#domain/record/figures/track-summary.ts';
import { expectedIn, slotOf } from '#domain/record/ledger/house-slots.ts';
import { slotSecondsOf, timeframeField } from '#domain/record/ledger/ledger.ts';
import type { BlockStore } from './block-store.ts';
import type { ReleaseCoverageStore } from './release-coverage-store.ts';
import type { SummaryStore } from './summary-store.ts';

const DAY_S = 86_400;
const LATEST = 12;
/** Those that widen a forecast of coins. */
const COUNTED_KINDS: ReadonlySet<ReleaseKind> = new Set(RELEASE_KINDS.filter(isUsRelease));

export interface SummaryQuestion {
  market: MarketKind;
  timeframe: Timeframe;
  period: TrackPeriod;
  nowMs: number;
  /** The market clock's time, which may differ from ours. */
  marketNowMs: number;
  /** False for a market kind that the server does not show now: nothing is expected after its last record. */
  isRunning: boolean;
}

export async function summarise(
  {
    blocks: blockRows,
    summaries,
    releases,
  }: {
    blocks: Pick<BlockStore, 'blocks' | 'firstSlots'>;
    summaries: Pick<SummaryStore, 'latest' | 'cardsOf' | 'missReasons' | 'sealedCount'>;
    releases: ReleaseCoverageStore;
  },
  { market, timeframe, period, nowMs, marketNowMs, isRunning }: SummaryQuestion,
): Promise<TrackSummary> {
  const fromS = blockOf(Math.floor(marketNowMs / 1000) - TRACK_PERIODS[period] * DAY_S);
  const blocks = await blockRows.blocks(market, timeframe, fromS);
  const serving = blocks.filter(({ role }) => role === 'serving');
  const { counts, voidReasons } = trackCounts(blocks);
  const parts = await trackParts(blocks, () => breathe());
  const { best, worst } = periodExtremes(serving.map(({ extremes }) => extremes));
  const seqs = (ranked: readonly (readonly [number, number])[]): number[] => ranked.map(([seq]) => seq);
  // A slot's forecasts are made in its first minute, whatever the timeframe.
  const endS = isRunning
    ? slotOf(marketNowMs / 1000 - MINUTE_S, timeframe) + slotSecondsOf(timeframe)
    : endOf(serving, timeframe);
  const first = await blockRows.firstSlots(market, timeframe);
  const expected = first.reduce((sum, { sym, firstSlotS }) => {
    const symbol = SYMBOLS.find((known) => known.sym === sym);
    return sum + (symbol === undefined ? 0 : expectedIn(symbol, market, Math.max(fromS, firstSlotS), endS, timeframe));
  }, 0);
  return {
    market,
    ...timeframeField(timeframe),
    period,
    computedMs: nowMs,
    fromS,
    firstMs: serving.length === 0 ? null : Math.min(...serving.map(({ firstMs }) => firstMs)),
    lastMs: serving.length === 0 ? null : Math.max(...serving.map(({ lastMs }) => lastMs)),
    // A slot is not expected until its minute is over, but some of its forecasts may already exist.
    counts: { expected: Math.max(expected, counts.issued), ...counts },
    voidReasons,
    missReasons: await summaries.missReasons(market, timeframe, { fromS, endS }, first),
    ...parts,
    byRelease: await releases.coverage(market, timeframe, { fromS, endS }, COUNTED_KINDS),
    latest: await summaries.latest(market, timeframe, LATEST),
    sealed: await summaries.sealedCount(market, timeframe),
    best: await summaries.cardsOf(seqs(best)),
    worst: await summaries.cardsOf(seqs(worst)),
  };
}

function endOf(serving: readonly TrackBlock[], timeframe: Timeframe): number {
  return Math.max(0, ...serving.map(({ lastSlotS }) => lastSlotS + slotSecondsOf(timeframe)));
}

/** Shown before anything is computed. */
export function emptySummary(
  market: MarketKind,
  timeframe: Timeframe,
  period: TrackPeriod,
  nowMs: number,
): TrackSummary {
  return {
    market,
    ...timeframeField(timeframe),
    period,
    computedMs: nowMs,
    fromS: blockOf(Math.floor(nowMs / 1000) - TRACK_PERIODS[period] * DAY_S),
    firstMs: null,
    lastMs: null,
    counts: { expected: 0, issued: 0, known: 0, void: 0, waiting: 0 },
    voidReasons: {},
    missReasons: {},
    models: [],
    bySymbol: [],
    byRelease: [],
    byWeek: [],
    latest: [],
    sealed: 0,
    best: [],
    worst: [],
  };
}
