/** Sample model figures for tests of pages and texts that show figures. No model was measured to get them. */
import {
  BASELINE_NAMES,
  type BaselineName,
  type GroupFigures,
  type Interval,
  type ModelFigures,
  SCORE_COLUMNS,
  type ScoreColumn,
} from '../model-figures.ts';
import type { ModelName } from '../models.ts';

export function everyColumn(skill: Interval): Record<ScoreColumn, Interval> {
  return Object.fromEntries(SCORE_COLUMNS.map((column) => [column, skill])) as Record<ScoreColumn, Interval>;
}

function everyBaseline<Value>(value: Value): Record<BaselineName, Value> {
  return Object.fromEntries(BASELINE_NAMES.map((name) => [name, value])) as Record<BaselineName, Value>;
}

const MEASURED: [prefix: string, symbols: string[]][] = [
  ['shares', ['AAPL', 'MSFT', 'TSLA']],
  ['gold', ['XAUUSD']],
];

export function generatedGroup(group: string, change: Partial<GroupFigures['skill']> = {}): GroupFigures {
  const covered = { within80: 79.9, within95: 95.2 };
  const [, symbols = ['BTCUSDT.P', 'ETHUSDT.P']] = MEASURED.find(([prefix]) => group.startsWith(prefix)) ?? [];
  return {
    group,
    title: `Sample ${group}`,
    strideMinutes: 7,
    withheld: 0,
    skill: {
      symbols,
      windows: 12345,
      blocks: 210,
      crpsSkillPercent: everyBaseline(everyColumn([0.92, 0.7, 1.2])),
      pairedSkillPercent: {},
      coverage: { pooled80: [79.9, 79.2, 80.7], pooled95: [95.2, 94.8, 95.6] },
      coverageByHorizon: Object.fromEntries(SCORE_COLUMNS.map((column) => [column, covered])) as Record<
        ScoreColumn,
        typeof covered
      >,
      coverageBySymbol: { BTC: { within80: 78.4, within95: 94.9 }, ETH: { within80: 81.1, within95: 95.5 } },
      coverageByWidth: [{ within80: 77.2, within95: 94.1 }, covered, covered],
      coverageByQuarterHour: [covered, covered, covered, covered],
      rv50SkillPercent: everyBaseline<Interval>([12.4, 10.1, 14.6]),
      range50SkillPercent: everyBaseline<Interval>([6.2, 4.9, 7.5]),
      rv50QlikeSkillPercent: everyBaseline<Interval>([3.1, -0.4, 6.2]),
      medianErrorVsLastClosePercent: 0,
      ...change,
    },
    realism: {
      candles: 617250,
      invariantViolations: 0,
      roughnessRatio: 0.992,
      rangeRatio: 1.012,
      ksDistance: 0.021,
      autocorrelation: { drawn: 0.18, real: 0.21 },
      pathErrorRatio: { h10: 1.13, h50: 1.09 },
    },
  };
}

export function generatedFigures(
  model: ModelName,
  groups: GroupFigures[] = [generatedGroup('crypto-test')],
): ModelFigures {
  return {
    model,
    state: 'ready',
    figures: {
      modelVersion: `${model}-0123456789`,
      parameters: 60_000,
      spans: { fit: 'before 2025-01-01', test: 'March 2025' },
      dataFiles: 15,
      notEvaluated: ['index', 'energy'],
      groups,
    },
  };
}
