/** Measures Bobcat against its baselines on windows nobody fitted on: one table per group, every figure with its interval. */
import { HORIZON_BARS } from '#domain/forecast/window.ts';
import type { HarModel } from '../../server/forecast/model-file.ts';
import { BlockSums, type Estimate } from './block-bootstrap.ts';
import type { CandleFile } from './candle-files.ts';
import { baselines, bobcat, constantVolatility, type Forecaster } from '../fit/forecasters.ts';
import { SCORE_COLUMNS, scoreWindow, type WindowScore } from './scores.ts';
import type { Window } from './windows.ts';

/** One symbol's measured windows, and the earlier ones its baselines are fitted on. */
export interface MeasuredSymbol {
  file: CandleFile;
  windows: readonly Window[];
  prior: readonly Window[];
}

export type Interval = [value: number, low: number, high: number];

export interface SkillTable {
  symbols: string[];
  windows: number;
  blocks: number;
  /** Per cent by which Bobcat's CRPS is lower, by baseline and horizon. */
  crpsSkillPercent: Record<string, Record<string, Interval>>;
  coverage: { pooled80: Interval; pooled95: Interval };
  coverageBySymbol: Record<string, { within80: number; within95: number }>;
  /** Thirds of the windows by width relative to the symbol's own, narrowest first. */
  coverageByWidth: { within80: number; within95: number }[];
  /** Per cent by which the log error is lower, each freed of its own median. */
  rv50SkillPercent: Record<string, Interval>;
  range50SkillPercent: Record<string, Interval>;
  /** The median is the last close: the same error as the random walk, by construction. */
  medianErrorVsRandomWalkPercent: 0;
}

interface Scored {
  window: Window;
  symbol: string;
  crpsWeight: number;
  relativeWidth: number;
  scores: WindowScore[];
}

export function measure(model: HarModel, symbols: readonly MeasuredSymbol[]): SkillTable {
  const scored = symbols.flatMap((symbol) => scoreSymbol(model, symbol));
  const names = FORECASTERS;
  const columns = SCORE_COLUMNS.length;
  const rvAt = names.length * columns;
  const rangeAt = rvAt + names.length;
  const coverAt = rangeAt + names.length;
  const sums = new BlockSums(coverAt + 3);
  for (const { window, crpsWeight, scores } of scored) {
    scores.forEach((score, who) => {
      score.crps.forEach((crps, column) => {
        sums.add(window.t0, who * columns + column, crpsWeight * crps);
      });
    });
    sums.add(window.t0, coverAt, scores[0]?.inside80 ?? 0);
    sums.add(window.t0, coverAt + 1, scores[0]?.inside95 ?? 0);
    sums.add(window.t0, coverAt + 2, HORIZON_BARS);
  }
  addLogErrors(sums, scored, rvAt, (score) => score.rvError);
  addLogErrors(sums, scored, rangeAt, (score) => score.rangeError);
  const skill = (model0: number, baseline: number) => (s: Float64Array) =>
    100 * (1 - (s[model0] ?? 0) / (s[baseline] ?? 1));
  const rivals = names.slice(1).map((name, i) => ({ name, who: i + 1 }));
  const statistics = [
    ...rivals.flatMap(({ who }) => SCORE_COLUMNS.map((_, column) => skill(column, who * columns + column))),
    ...rivals.map(({ who }) => skill(rvAt, rvAt + who)),
    ...rivals.map(({ who }) => skill(rangeAt, rangeAt + who)),
    (s: Float64Array) => (100 * (s[coverAt] ?? 0)) / (s[coverAt + 2] ?? 1),
    (s: Float64Array) => (100 * (s[coverAt + 1] ?? 0)) / (s[coverAt + 2] ?? 1),
  ];
  const estimates = sums.estimates(statistics).map(asInterval);
  const at = (i: number): Interval => estimates[i] ?? [Number.NaN, Number.NaN, Number.NaN];
  const afterCrps = rivals.length * columns;
  return {
    symbols: symbols.map((s) => s.file.name),
    windows: scored.length,
    blocks: sums.blockCount,
    crpsSkillPercent: Object.fromEntries(
      rivals.map(({ name }, i) => [
        name,
        Object.fromEntries(SCORE_COLUMNS.map((column, j) => [column, at(i * columns + j)])),
      ]),
    ),
    coverage: { pooled80: at(afterCrps + 2 * rivals.length), pooled95: at(afterCrps + 2 * rivals.length + 1) },
    coverageBySymbol: Object.fromEntries(
      symbols.map(({ file }) => [file.name, coverageOf(scored.filter((s) => s.symbol === file.name))]),
    ),
    coverageByWidth: thirds(scored).map(coverageOf),
    rv50SkillPercent: Object.fromEntries(rivals.map(({ name }, i) => [name, at(afterCrps + i)])),
    range50SkillPercent: Object.fromEntries(rivals.map(({ name }, i) => [name, at(afterCrps + rivals.length + i)])),
    medianErrorVsRandomWalkPercent: 0,
  };
}

const FORECASTERS = [
  'bobcat',
  'constant',
  'ewma-gauss',
  'ewma-empirical',
  'ewma-returns-gauss',
  'ewma-returns-empirical',
  'har-empirical',
] as const;

function scoreSymbol(model: HarModel, symbol: MeasuredSymbol): Scored[] {
  const { file, windows, prior } = symbol;
  const forecasters: Forecaster[] = [bobcat(model), ...baselines(prior)];
  if (forecasters.some((f, i) => f.name !== FORECASTERS[i])) throw new Error('the baselines changed their order');
  const constant = constantVolatility(prior);
  return windows.map((window) => {
    const forecasts = forecasters.map((f) => f.of(window));
    return {
      window,
      symbol: file.name,
      crpsWeight: 1 / constant,
      relativeWidth: (forecasts[0]?.sigma[HORIZON_BARS - 1] ?? 0) / constant,
      scores: forecasts.map((forecast) => scoreWindow(window, forecast)),
    };
  });
}

function addLogErrors(sums: BlockSums, scored: readonly Scored[], at: number, of: (s: WindowScore) => number): void {
  FORECASTERS.forEach((_, who) => {
    const errors = scored.map((s) => of(s.scores[who] ?? failed));
    const sorted = errors.filter(Number.isFinite).sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    errors.forEach((error, i) => {
      if (Number.isFinite(error)) sums.add(scored[i]?.window.t0 ?? 0, at + who, Math.abs(error - median));
    });
  });
}

const failed: WindowScore = { crps: [], inside80: 0, inside95: 0, rvError: Number.NaN, rangeError: Number.NaN };

function coverageOf(scored: readonly Scored[]): { within80: number; within95: number } {
  const count = scored.length * HORIZON_BARS;
  const share = (of: (s: WindowScore) => number): number =>
    round((100 * scored.reduce((sum, s) => sum + of(s.scores[0] ?? failed), 0)) / count);
  return { within80: share((s) => s.inside80), within95: share((s) => s.inside95) };
}

function thirds(scored: readonly Scored[]): Scored[][] {
  const sorted = [...scored].sort((a, b) => a.relativeWidth - b.relativeWidth);
  const cut = (part: number): number => Math.floor((part * sorted.length) / 3);
  return [0, 1, 2].map((part) => sorted.slice(cut(part), cut(part + 1)));
}

function asInterval({ value, low, high }: Estimate): Interval {
  return [round(value), round(low), round(high)];
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
