/** Published figures from many windows' scores: skill with intervals, coverage, errors of volatility and range. */

import {
  BASELINE_NAMES,
  type BaselineName,
  HARDER_BASELINE_NAMES,
  type HarderBaselineName,
  type Interval,
  SCORE_COLUMNS,
  type ScoreColumn,
  type SkillTable,
} from '../../domain/forecast/model-figures.ts';
import type { ModelName } from '../../domain/forecast/models.ts';
import { HORIZON_BARS } from '../../domain/forecast/window.ts';
import type { BlockEstimate } from '../../domain/record/figures/bootstrap.ts';
import { drawnBlockS } from '../../domain/record/figures/bootstrap.ts';
import { BlockSums } from './block-bootstrap.ts';
import type { ScoredSymbol, ScoredWindow } from './windows/score-windows.ts';
import type { WindowScore } from './windows/scores.ts';

const QUARTER_HOUR_S = 900;
const ALL = SCORE_COLUMNS.indexOf('all');

/** Sums per forecaster and block: CRPS by column, then these. */
const RV = SCORE_COLUMNS.length;
const RANGE = RV + 1;
const QLIKE = RANGE + 1;
const INSIDE_80 = QLIKE + 1;
const INSIDE_95 = INSIDE_80 + 1;
const PER_FORECASTER = INSIDE_95 + 1;

type Rival = ModelName | BaselineName | HarderBaselineName;
type Covered = SkillTable['coverageByWidth'][number];
type Coverage = Pick<SkillTable, 'coverage' | 'coverageByHorizon' | 'coverageBySymbol' | 'coverageByWidth'>;

/** One table per model, all of the same windows. @throws Error if there are none */
export function skillTables(models: readonly ModelName[], scored: readonly ScoredSymbol[]): Map<ModelName, SkillTable> {
  const symbols = scored
    .filter((symbol) => symbol.windows.length > 0)
    .map((symbol) => ({ ...symbol, windows: symbol.windows.map(withShown) }));
  const windows = symbols.flatMap((symbol) => symbol.windows);
  if (windows.length === 0) throw new Error('there is no window to measure');
  const forecasters = [...models, ...BASELINE_NAMES, ...HARDER_BASELINE_NAMES];
  const count = forecasters.length + models.length;
  const sums = blockSums(windows, count, drawnBlockS(symbols[0]?.timeframe ?? '1min'));
  const estimate = sums.estimator();
  const closes = (s: Float64Array): number => s[count * PER_FORECASTER] ?? 0;
  return new Map(
    models.map((model, who) => {
      const own = who * PER_FORECASTER;
      const over = (mine: number, other: number): Interval =>
        asInterval(estimate((s) => 100 * (1 - (s[mine] ?? 0) / (s[other] ?? 0))));
      const skill = (rival: Rival, column: number): Interval =>
        over(own + column, forecasters.indexOf(rival) * PER_FORECASTER + column);
      const crpsSkill = (rival: Rival): Record<ScoreColumn, Interval> => byColumn((column) => skill(rival, column));
      const coverage = (place: number): Coverage => {
        const share = (column: number): Interval =>
          asInterval(estimate((s) => (100 * (s[place * PER_FORECASTER + column] ?? 0)) / closes(s)));
        return {
          coverage: { pooled80: share(INSIDE_80), pooled95: share(INSIDE_95) },
          coverageByHorizon: byColumn((column) => coverageOf(windows, place, column)),
          coverageBySymbol: Object.fromEntries(
            symbols.map((symbol) => [symbol.name, coverageOf(symbol.windows, place, ALL)]),
          ),
          coverageByWidth: thirdsByWidth(windows, place).map((third) => coverageOf(third, place, ALL)),
        };
      };
      const shown = forecasters.length + who;
      const rivals = models.filter((name) => name !== model);
      const table: SkillTable = {
        symbols: symbols.map(({ name }) => name),
        windows: windows.length,
        blocks: sums.blockCount,
        crpsSkillPercent: perBaseline(crpsSkill),
        harderSkillPercent: byName(HARDER_BASELINE_NAMES, crpsSkill),
        pairedSkillPercent: Object.fromEntries(rivals.map((rival) => [rival, crpsSkill(rival)])),
        ...coverage(who),
        shown: {
          ...coverage(shown),
          crpsOverOwnPercent: byColumn((column) => over(shown * PER_FORECASTER + column, own + column)),
        },
        coverageByQuarterHour: [0, 1, 2, 3].map((quarter) =>
          coverageOf(
            windows.filter(({ t0 }) => Math.floor(t0 / QUARTER_HOUR_S) % 4 === quarter),
            who,
            ALL,
          ),
        ),
        rv50SkillPercent: perBaseline((baseline) => skill(baseline, RV)),
        range50SkillPercent: perBaseline((baseline) => skill(baseline, RANGE)),
        rv50QlikeSkillPercent: perBaseline((baseline) => skill(baseline, QLIKE)),
        medianErrorVsLastClosePercent: medianError(windows, who),
      };
      return [model, table];
    }),
  );
}

/** The shown forecasts follow all others. */
function withShown(window: ScoredWindow): ScoredWindow {
  return { ...window, scores: [...window.scores, ...window.shown] };
}

function blockSums(windows: readonly ScoredWindow[], forecasters: number, blockS: number): BlockSums {
  const closesAt = forecasters * PER_FORECASTER;
  const sums = new BlockSums(closesAt + 1, blockS);
  for (const { t0, weight, scores } of windows) {
    for (const [who, score] of scores.entries()) {
      const at = who * PER_FORECASTER;
      for (const [column, crps] of score.crps.entries()) sums.add(t0, at + column, weight * crps);
      sums.add(t0, at + INSIDE_80, score.inside80[ALL] ?? 0);
      sums.add(t0, at + INSIDE_95, score.inside95[ALL] ?? 0);
    }
    sums.add(t0, closesAt, HORIZON_BARS);
  }
  for (let who = 0; who < forecasters; who++) {
    const at = who * PER_FORECASTER;
    addLogErrors(sums, windows, at + RV, (w) => w.scores[who]?.rvError);
    addLogErrors(sums, windows, at + RANGE, (w) => w.scores[who]?.rangeError);
    addQlike(sums, windows, at + QLIKE, (w) => w.scores[who]?.rvError);
  }
  return sums;
}

type ErrorOf = (w: ScoredWindow) => number | undefined;

/** Absolute log errors minus their median: a forecaster may be off by a constant factor. */
function addLogErrors(sums: BlockSums, windows: readonly ScoredWindow[], column: number, of: ErrorOf): void {
  const sorted = Float64Array.from(windows, (w) => of(w) ?? Number.NaN)
    .filter(Number.isFinite)
    .sort();
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
  for (const w of windows) {
    const error = of(w);
    if (error !== undefined && Number.isFinite(error)) sums.add(w.t0, column, Math.abs(error - median));
  }
}

/** x - ln x - 1 of x = (RV / forecast)^2 over its own mean. */
function addQlike(sums: BlockSums, windows: readonly ScoredWindow[], column: number, of: ErrorOf): void {
  const ratios = Float64Array.from(windows, (w) => Math.exp(-2 * (of(w) ?? Number.NaN)));
  const known = ratios.filter(Number.isFinite);
  const mean = known.reduce((sum, ratio) => sum + ratio, 0) / known.length;
  for (const [i, ratio] of ratios.entries()) {
    const x = ratio / mean;
    if (Number.isFinite(x)) sums.add(windows[i]?.t0 ?? 0, column, x - Math.log(x) - 1);
  }
}

function coverageOf(windows: readonly ScoredWindow[], who: number, column: number): Covered {
  const closes = windows.length * (column === ALL ? HORIZON_BARS : 1);
  const percent = (of: (score: WindowScore) => number): number => {
    const inside = windows.reduce((sum, { scores }) => sum + (scores[who] === undefined ? 0 : of(scores[who])), 0);
    return rounded((100 * inside) / closes);
  };
  return { within80: percent((s) => s.inside80[column] ?? 0), within95: percent((s) => s.inside95[column] ?? 0) };
}

/** Narrowest first, by the width of the 80% band at the last horizon relative to the symbol's constant volatility. */
function thirdsByWidth(windows: readonly ScoredWindow[], who: number): ScoredWindow[][] {
  const widthOf = ({ scores, weight }: ScoredWindow): number => (scores[who]?.width80 ?? 0) * weight;
  const sorted = [...windows].sort((a, b) => widthOf(a) - widthOf(b));
  const cut = (part: number): number => Math.floor((part * sorted.length) / 3);
  return [0, 1, 2].map((part) => sorted.slice(cut(part), cut(part + 1)));
}

function medianError(windows: readonly ScoredWindow[], who: number): number {
  let median = 0;
  let lastClose = 0;
  for (const { weight, scores } of windows) {
    median += weight * (scores[who]?.medianError ?? 0);
    lastClose += weight * (scores[who]?.lastCloseError ?? 0);
  }
  return rounded(lastClose === 0 ? 0 : 100 * (median / lastClose - 1));
}

function byColumn<T>(of: (column: number) => T): Record<ScoreColumn, T> {
  return Object.fromEntries(SCORE_COLUMNS.map((name, column) => [name, of(column)])) as Record<ScoreColumn, T>;
}

function perBaseline<T>(of: (baseline: BaselineName) => T): Record<BaselineName, T> {
  return byName(BASELINE_NAMES, of);
}

function byName<Name extends string, T>(names: readonly Name[], of: (name: Name) => T): Record<Name, T> {
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<Name, T>;
}

function asInterval({ value, low, high }: BlockEstimate): Interval {
  return [rounded(value), rounded(low), rounded(high)];
}

function rounded(value: number): number {
  // Adding 0 avoids -0 for a tiny negative value.
  return Math.round(value * 1000) / 1000 + 0;
}
