/** Every line is computed from the measured figures; an interval decides if the target requires one. */
import {
  type BaselineName,
  type GroupFigures,
  type Interval,
  SCORE_COLUMNS,
  type ScoreColumn,
} from '#domain/forecast/model-figures.ts';
import type { ModelName } from '#domain/forecast/models.ts';
import { groupedCount } from '#domain/format/count.ts';
import type { Timeframe } from '#domain/market/timeframes.ts';

export interface TargetLine {
  target: string;
  reached: string;
  isMet: boolean;
}

const HORIZONS = SCORE_COLUMNS.filter((column) => column !== 'all');

/** Per cent of CRPS below a baseline: at every horizon, and over all. */
const CRPS_TARGETS: readonly { baseline: BaselineName; everyHorizon: number; all: number }[] = [
  { baseline: 'ewma-gauss', everyHorizon: 1, all: 1.3 },
  { baseline: 'ewma-empirical', everyHorizon: 0.6, all: 0.8 },
];
/** For Lion only, against log-HAR fitted on the symbol's own past. */
const HAR_TARGETS: readonly (readonly [ScoreColumn, number])[] = [
  ['h1', 0.25],
  ['h5', 0.12],
];
const HAR_ALL_PERCENT = 0.15;
const LION_OVER_BOBCAT_PERCENT = 0.03;
const VOLATILITY_TARGETS = [
  { what: 'RV50', of: 'rv50SkillPercent', baseline: 'ewma-gauss', percent: 12 },
  { what: 'RV50', of: 'rv50SkillPercent', baseline: 'har-empirical', percent: 3 },
  { what: 'range50', of: 'range50SkillPercent', baseline: 'ewma-gauss', percent: 6 },
  { what: 'range50', of: 'range50SkillPercent', baseline: 'har-empirical', percent: 1.5 },
] as const;
const COVERAGE = { pooled80: 1, pooled95: 0.7, part: 2 };
/** Of what users see, on the symbols of the public record. */
const SHOWN_COVERAGE = { pooled80: 0.7, pooled95: 0.7, part: 2 };
const MEDIAN_PERCENT = 0.2;
const REALISM = { low: 0.9, high: 1.1, ks: 0.03, autocorrelation: 0.1 };

/**
 * @param figures  one group, usually all test windows of crypto pooled
 * @param timeframe  absent: one minute
 */
export function targetLines(model: ModelName, figures: GroupFigures, timeframe?: Timeframe): TargetLine[] {
  if (timeframe === '5min' || timeframe === '15min') return barTargetLines(figures, timeframe);
  const { skill, realism } = figures;
  const { crpsSkillPercent, pairedSkillPercent, coverage } = skill;
  return [
    ...CRPS_TARGETS.flatMap(({ baseline, everyHorizon, all }) => [
      lowestAbove(`CRPS over ${baseline} at every horizon`, everyHorizon, HORIZONS, crpsSkillPercent[baseline]),
      above(`CRPS over ${baseline}, all horizons together`, all, crpsSkillPercent[baseline].all),
    ]),
    ...(model === 'lion' ? harLines(crpsSkillPercent['har-empirical']) : []),
    ...pairLines(model, pairedSkillPercent),
    ...VOLATILITY_TARGETS.map(({ what, of, baseline, percent }) => {
      const value = skill[of][baseline];
      return line(`${what} over ${baseline} at least ${percent}%`, intervalText(value), value[0] >= percent);
    }),
    near('80% band covers, all closes', coverage.pooled80[0], 80, COVERAGE.pooled80, intervalText(coverage.pooled80)),
    near('95% band covers, all closes', coverage.pooled95[0], 95, COVERAGE.pooled95, intervalText(coverage.pooled95)),
    farthest(
      '80% band covers, by third of width',
      80,
      skill.coverageByWidth.map((c) => c.within80),
    ),
    farthest(
      '95% band covers, by third of width',
      95,
      skill.coverageByWidth.map((c) => c.within95),
    ),
    farthest(
      '80% band covers, by symbol',
      80,
      Object.values(skill.coverageBySymbol).map((c) => c.within80),
    ),
    farthest(
      '95% band covers, by symbol',
      95,
      Object.values(skill.coverageBySymbol).map((c) => c.within95),
    ),
    ...shownLines(skill.shown, SHOWN_COVERAGE, 'as corrected by the record'),
    near(
      'error of the median over that of the last close, less one',
      skill.medianErrorVsLastClosePercent,
      0,
      MEDIAN_PERCENT,
    ),
    ...realismLines(realism),
  ];
}

/** Of bars longer than a minute. `everyHorizon`: over the best of three EWMA walks, at each horizon the best there. */
const BAR_TARGETS = {
  '5min': { everyHorizon: 0.6, harWeek: 0.1 },
  '15min': { everyHorizon: 0.8, harWeek: 0.1 },
} as const;
const BAR_COVERAGE = { pooled80: 1.5, pooled95: 1, part: 3 };

function barTargetLines({ skill, realism }: GroupFigures, timeframe: keyof typeof BAR_TARGETS): TargetLine[] {
  const { crpsSkillPercent, harderSkillPercent, pairedSkillPercent, coverage } = skill;
  if (harderSkillPercent === undefined) return [];
  const { everyHorizon, harWeek } = BAR_TARGETS[timeframe];
  const walks = [
    crpsSkillPercent['ewma-gauss'],
    harderSkillPercent['ewma-8-gauss'],
    harderSkillPercent['ewma-20-gauss'],
  ];
  const least = (column: ScoreColumn): number => Math.min(...walks.map((walk) => walk[column][0]));
  const ofWeek = harderSkillPercent['har-week'];
  const worse = HORIZONS.filter((column) => ofWeek[column][2] < 0);
  return [
    line(
      `CRPS over the best of EWMA with half-lives of 8, 20 and 60 bars, at every horizon: at least ${everyHorizon}%`,
      HORIZONS.map((column) => `${column} ${least(column)}`).join(', '),
      HORIZONS.every((column) => least(column) >= everyHorizon),
    ),
    above('CRPS over log-HAR with time of day and weekday, all horizons together', harWeek, ofWeek.all),
    line(
      'no horizon significantly worse than log-HAR with time of day and weekday',
      worse.length === 0 ? 'none is' : worse.map((column) => `${column} ${intervalText(ofWeek[column])}`).join(', '),
      worse.length === 0,
    ),
    ...(pairedSkillPercent.bobcat === undefined
      ? []
      : [
          line(
            'CRPS over Bobcat, all horizons together, interval above 0',
            intervalText(pairedSkillPercent.bobcat.all),
            pairedSkillPercent.bobcat.all[1] > 0,
          ),
        ]),
    near(
      '80% band covers, all closes',
      coverage.pooled80[0],
      80,
      BAR_COVERAGE.pooled80,
      intervalText(coverage.pooled80),
    ),
    near(
      '95% band covers, all closes',
      coverage.pooled95[0],
      95,
      BAR_COVERAGE.pooled95,
      intervalText(coverage.pooled95),
    ),
    farthest(
      '80% band covers, by third of width',
      80,
      skill.coverageByWidth.map((c) => c.within80),
      BAR_COVERAGE.part,
    ),
    farthest(
      '80% band covers, by symbol',
      80,
      Object.values(skill.coverageBySymbol).map((c) => c.within80),
      BAR_COVERAGE.part,
    ),
    ...shownLines(skill.shown, BAR_COVERAGE, 'as the record would correct it'),
    ...realismLines(realism),
  ];
}

/** The record corrects one-minute bands alone; of longer bars this says what it would make of them. */
function shownLines(shown: GroupFigures['skill']['shown'], reach: typeof SHOWN_COVERAGE, how: string): TargetLine[] {
  if (shown === undefined) return [];
  const { pooled80, pooled95 } = shown.coverage;
  const parts: [string, readonly { within80: number }[]][] = [
    ['third of width', shown.coverageByWidth],
    ['symbol', Object.values(shown.coverageBySymbol)],
  ];
  return [
    near(`80% band ${how} covers, all closes`, pooled80[0], 80, reach.pooled80, intervalText(pooled80)),
    near(`95% band ${how} covers, all closes`, pooled95[0], 95, reach.pooled95, intervalText(pooled95)),
    ...parts.map(([what, all]) =>
      farthest(
        `80% band ${how} covers, by ${what}`,
        80,
        all.map(({ within80 }) => within80),
        reach.part,
      ),
    ),
  ];
}

function realismLines(realism: GroupFigures['realism']): TargetLine[] {
  const { autocorrelation, invariantViolations, ksDistance } = realism;
  const ratio = (what: string, value: number): TargetLine =>
    line(`${what} ${REALISM.low} to ${REALISM.high}`, String(value), value >= REALISM.low && value <= REALISM.high);
  const gap = Math.abs(autocorrelation.drawn - autocorrelation.real);
  return [
    line(
      'no broken candle drawn',
      `${invariantViolations} of ${groupedCount(realism.candles)}`,
      invariantViolations === 0,
    ),
    ratio('roughness, drawn over real', realism.roughnessRatio),
    ratio('range, drawn over real', realism.rangeRatio),
    line(`KS distance of returns at most ${REALISM.ks}`, String(ksDistance), ksDistance <= REALISM.ks),
    line(
      `lag-1 autocorrelation of absolute returns within ${REALISM.autocorrelation} of real`,
      `${autocorrelation.drawn} against ${autocorrelation.real}`,
      gap <= REALISM.autocorrelation,
    ),
  ];
}

function harLines(skill: Record<ScoreColumn, Interval>): TargetLine[] {
  const worse = HORIZONS.filter((column) => skill[column][2] < 0);
  return [
    ...HAR_TARGETS.map(([column, percent]) =>
      line(
        `CRPS over har-empirical at ${column} at least ${percent}%`,
        intervalText(skill[column]),
        skill[column][0] >= percent,
      ),
    ),
    line(
      'no horizon significantly worse than har-empirical',
      worse.length === 0 ? 'none is' : worse.map((column) => `${column} ${intervalText(skill[column])}`).join(', '),
      worse.length === 0,
    ),
    above('CRPS over har-empirical, all horizons together', HAR_ALL_PERCENT, skill.all),
  ];
}

function pairLines(model: ModelName, paired: GroupFigures['skill']['pairedSkillPercent']): TargetLine[] {
  const overBobcat = paired.bobcat?.all;
  if (overBobcat === undefined) return [];
  if (model === 'lion') return [above('CRPS over Bobcat, all horizons together', LION_OVER_BOBCAT_PERCENT, overBobcat)];
  return [
    line('CRPS over Bobcat, all horizons together, interval above 0', intervalText(overBobcat), overBobcat[1] > 0),
  ];
}

function above(what: string, percent: number, value: Interval): TargetLine {
  const isMet = value[0] >= percent && value[1] > 0;
  return line(`${what}: at least ${percent}%, interval above 0`, intervalText(value), isMet);
}

function lowestAbove(
  what: string,
  percent: number,
  columns: readonly ScoreColumn[],
  skill: Record<ScoreColumn, Interval>,
): TargetLine {
  const isMet = columns.every((column) => skill[column][0] >= percent && skill[column][1] > 0);
  const reached = columns.map((column) => `${column} ${intervalText(skill[column])}`).join(', ');
  return line(`${what}: at least ${percent}%, intervals above 0`, reached, isMet);
}

function near(what: string, value: number, aim: number, reach: number, text = `${value}%`): TargetLine {
  return line(`${what}: ${aim} +-${reach}%`, text, Math.abs(value - aim) <= reach);
}

/** The one of several coverages that is farthest off. */
function farthest(what: string, aim: number, values: readonly number[], reach = COVERAGE.part): TargetLine {
  const off = (value: number): number => Math.abs(value - aim);
  const worst = values.reduce((a, b) => (off(b) > off(a) ? b : a), aim);
  const isMet = values.every((value) => off(value) <= reach);
  return line(
    `${what}: ${aim} +-${reach}%`,
    `${Math.min(...values)} to ${Math.max(...values)}%, farthest ${worst}%`,
    isMet,
  );
}

function line(target: string, reached: string, isMet: boolean): TargetLine {
  return { target, reached, isMet };
}

/** '1.2 [0.9, 1.5]' */
export function intervalText([value, low, high]: Interval): string {
  return `${value} [${low}, ${high}]`;
}
