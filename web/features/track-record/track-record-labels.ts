/** The record's figures for the page's charts and cells: per cent, with the interval if there is one. */
import { shortName } from '#domain/forecast/figures/figure-messages.ts';
import type { Interval } from '#domain/forecast/model-figures.ts';
import { type MarketKind, SYMBOLS } from '#domain/market/symbols.ts';
import type { Estimate, TrackFigures, TrackPeriod, TrackSummary } from '#domain/record/figures/track-summary.ts';
import type { RecordVoidReason } from '#domain/record/scoring/record-score.ts';
import { SCORED_BARS, type ScoredBar } from '#domain/record/scoring/scoring.ts';

export const PERIODS = [
  { value: '7d', label: '7 days' },
  { value: '30d', label: '30 days' },
  { value: '90d', label: '90 days' },
  { value: '365d', label: 'Year' },
] as const satisfies readonly { value: TrackPeriod; label: string }[];

export type Baseline = 'skillEwma' | 'skillHar' | 'skillLastClose';

/** Easiest first; the last compares the path, not the band. */
export const BASELINES = [
  { key: 'skillEwma', label: 'Fading mean', title: 'Bands against the fading-mean walk' },
  { key: 'skillHar', label: 'Log-HAR', title: 'Bands against log-HAR' },
  { key: 'skillLastClose', label: 'Last close', title: 'Drawn path against the last close' },
] as const satisfies readonly { key: Baseline; label: string; title: string }[];

export const VOID_MESSAGES: Readonly<Record<RecordVoidReason, string>> = {
  'candles-missing': 'candles were missing',
  'venue-changed': 'the venue changed in between',
  'market-closed': 'the market closed before the end',
  'candles-gone': 'its candles were no longer kept',
};

/** What the prices behind the record are, and what the record therefore proves. */
export const MARKET_LABELS: Readonly<Record<MarketKind, { title: string; text: string }>> = {
  live: {
    title: 'Live market.',
    text: 'Each forecast was made and scored on prices of real venues.',
  },
  replayed: {
    title: 'Replayed market.',
    text: 'Prices once recorded run again. The models might have met them before: this proves that the record works, and little about the market of today.',
  },
  simulated: {
    title: 'Simulated market.',
    text: 'All prices here are made up by a program. This proves that the record works. It proves nothing about a real market.',
  },
};

/** ['5', 'at 5 minutes']: for the axis, and for the text. */
export const BAR_COLUMNS = SCORED_BARS.map((bar) => [String(bar), barLabel(bar)] as const);
export const ALL_COLUMN = ['all', 'over all five horizons'] as const;

function barLabel(bar: ScoredBar): string {
  return bar === 1 ? 'at 1 minute' : `at ${bar} minutes`;
}

/** A share in per cent; null stays null, and without an interval it is a bare number. */
export function percentOf(estimate: Estimate | null): Interval | number | null {
  if (estimate === null) return null;
  const { value, interval } = estimate;
  return interval === null ? percent(value) : [percent(value), percent(interval[0]), percent(interval[1])];
}

/** A worse skill means no more than 'far worse', and no axis could show it. */
const FARTHEST_PERCENT = 9999;

function percent(share: number): number {
  return Math.max(-FARTHEST_PERCENT, Math.min(FARTHEST_PERCENT, share * 100));
}

/** Largest distance of any interval end from zero: the scale of all whiskers of a table. */
export function reachOf(figures: readonly TrackFigures[], baseline: Baseline): number {
  const ends = figures.flatMap((one) => percentOf(one[baseline]) ?? []).map(Math.abs);
  return Math.max(0.5, ...ends);
}

/** '0.9 %'. @param whole  greater than 0 */
export function shareLabel(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)}\u00a0%`;
}

/** A record's symbol as named in the picker: 'BTC' for 'BTCUSDT.P'; a removed symbol keeps its own name. */
export function symbolName(sym: string): string {
  return SYMBOLS.find((symbol) => symbol.sym === sym)?.label ?? sym;
}

export type TrackModel = TrackSummary['models'][number];

/** Shadow models run hidden beside those that users see. */
export function modelTitle({ model, role }: Pick<TrackModel, 'model' | 'role'>): string {
  return role === 'shadow' ? `${shortName(model)}, shadow` : shortName(model);
}

export function modelsOfRole(summary: TrackSummary, role: TrackModel['role']): TrackModel[] {
  return summary.models.filter((one) => one.role === role);
}
