/** A model's skill with intervals, coverage and realism. Written by the evaluation scripts, never by hand. */
import * as z from 'zod/mini';
import { MODEL_NAMES } from './models.ts';

/** Horizons reported one by one; `all` averages the 50 CRPS, each divided by the root of its horizon. */
export const SCORED_HORIZONS = [1, 5, 10, 25, 50] as const;
export const SCORE_COLUMNS = ['h1', 'h5', 'h10', 'h25', 'h50', 'all'] as const;
export type ScoreColumn = (typeof SCORE_COLUMNS)[number];

/** Baselines that every model is compared with, in one run. All have their median at the last close. */
export const BASELINE_NAMES = [
  'constant',
  'ewma-gauss',
  'ewma-empirical',
  'ewma-returns-gauss',
  'ewma-returns-empirical',
  'har-empirical',
  /** The same fitted on all symbols of the asset class: it has seen the same data as the networks. */
  'har-pooled',
] as const;
export type BaselineName = (typeof BASELINE_NAMES)[number];

/** Measured beside them, for CRPS alone: other memories of the random walk, and log-HAR that knows the weekday. */
export const HARDER_BASELINE_NAMES = ['ewma-8-gauss', 'ewma-20-gauss', 'har-week'] as const;
export type HarderBaselineName = (typeof HARDER_BASELINE_NAMES)[number];

const share = z.number();
/** Estimate, and the 95% interval of a bootstrap over blocks: six hours, or a day for bars longer than a minute. */
const interval = z.tuple([z.number(), z.number(), z.number()]);
export type Interval = z.infer<typeof interval>;
const skillByColumn = z.record(z.enum(SCORE_COLUMNS), interval);
const covered = z.object({ within80: share, within95: share });

/** Coverage of the bands that users see, corrected by what the public record has learnt, and the correction's price. */
const shownBandsSchema = z.object({
  coverage: z.object({ pooled80: interval, pooled95: interval }),
  coverageByHorizon: z.record(z.enum(SCORE_COLUMNS), covered),
  coverageBySymbol: z.record(z.string(), covered),
  coverageByWidth: z.array(covered),
  /** Per cent by which CRPS is lower than that of the model's own bands; below 0 it is higher. */
  crpsOverOwnPercent: skillByColumn,
});

export const skillTableSchema = z.object({
  symbols: z.array(z.string()),
  windows: z.int(),
  /** Number of blocks that contain the windows: the sample behind an interval. */
  blocks: z.int(),
  /** Per cent by which the model's CRPS is lower. */
  crpsSkillPercent: z.record(z.enum(BASELINE_NAMES), skillByColumn),
  /** The same against the harder baselines; absent in figures that were measured before there were any. */
  harderSkillPercent: z.optional(z.record(z.enum(HARDER_BASELINE_NAMES), skillByColumn)),
  /** The same against our other models, on the same windows; empty when measured alone. */
  pairedSkillPercent: z.partialRecord(z.enum(MODEL_NAMES), skillByColumn),
  /** Per cent of closes inside the band, all horizons together. */
  coverage: z.object({ pooled80: interval, pooled95: interval }),
  coverageByHorizon: z.record(z.enum(SCORE_COLUMNS), covered),
  coverageBySymbol: z.record(z.string(), covered),
  /** Thirds of the windows by band width relative to the symbol's own, narrowest first. */
  coverageByWidth: z.array(covered),
  /** Absent in figures that were measured before the correction was. */
  shown: z.optional(shownBandsSchema),
  /** What /models.json has of `shown`. */
  shownCoverage: z.optional(shownBandsSchema.shape.coverage),
  /** Quarters of the hour in which t0 lies. */
  coverageByQuarterHour: z.array(covered),
  /** Per cent by which the absolute log error is lower, after removing each forecaster's own median. */
  rv50SkillPercent: z.record(z.enum(BASELINE_NAMES), interval),
  range50SkillPercent: z.record(z.enum(BASELINE_NAMES), interval),
  /** Per cent by which QLIKE of RV50 is lower. */
  rv50QlikeSkillPercent: z.record(z.enum(BASELINE_NAMES), interval),
  /** Mean absolute error of the median over the last close's, less one, per cent; 0: no better than the last close. */
  medianErrorVsLastClosePercent: z.number(),
});
export type SkillTable = z.infer<typeof skillTableSchema>;

export const realismSchema = z.object({
  /** Candles checked, 50 per window. */
  candles: z.int(),
  invariantViolations: z.int(),
  /** Mean absolute one-minute return, drawn over real. */
  roughnessRatio: z.number(),
  /** Mean ln(high / low), drawn over real. */
  rangeRatio: z.number(),
  /** Largest gap between the two distribution functions of returns. */
  ksDistance: z.number(),
  /** Correlation of one minute's absolute return with the next one's. */
  autocorrelation: z.object({ drawn: z.number(), real: z.number() }),
  /** Mean absolute error of the shown close over that of the last close: the cost of showing one plausible path. */
  pathErrorRatio: z.object({ h10: z.number(), h50: z.number() }),
});
export type Realism = z.infer<typeof realismSchema>;

export const groupFiguresSchema = z.object({
  /** Stable name of a group of symbols and a span, e.g. `crypto-test`. */
  group: z.string(),
  title: z.string(),
  strideMinutes: z.int(),
  /** Forecasts of this model withheld by its plausibility gate. Their windows are left out of every model's figures. */
  withheld: z.int(),
  skill: skillTableSchema,
  realism: realismSchema,
});
export type GroupFigures = z.infer<typeof groupFiguresSchema>;

/** Coins left out of the training one after the other: what forecasting an unseen coin costs. */
export const unseenCoinsSchema = z.object({
  coins: z.array(z.string()),
  windows: z.int(),
  blocks: z.int(),
  /** Per cent by which CRPS is lower than that of log-HAR fitted on the coin's own past. */
  overOwnHarPercent: skillByColumn,
  /** The same against the model that was trained with the coin; below 0 is the cost. */
  overTrainedPercent: skillByColumn,
  coverage: z.object({ pooled80: interval, pooled95: interval }),
  byCoin: z.record(
    z.string(),
    z.object({
      windows: z.int(),
      overOwnHarPercent: interval,
      overTrainedPercent: interval,
      ...covered.shape,
    }),
  ),
});
export type UnseenCoins = z.infer<typeof unseenCoinsSchema>;

/**
 * Bands around US releases that their table of factors was not fitted on: each is left out of it in turn. The networks
 * were fitted or validated on these months, but know no release.
 */
export const releaseFiguresSchema = z.array(
  z.object({
    /** Inflation, jobs and the Fed's statement; or any other that is counted. */
    group: z.enum(['great', 'other']),
    /** Windows count if the release comes before this bar closes. */
    bar: z.int(),
    releases: z.int(),
    /** Per cent of closes inside, without the calendar and with it. */
    blind: covered,
    known: z.object({ within80: interval, within95: interval }),
    /** Per cent by which CRPS is lower with the calendar. */
    crpsGainPercent: interval,
  }),
);
export type ReleaseFigures = z.infer<typeof releaseFiguresSchema>;

/** GET /models.json: one entry per model, in the order of MODEL_NAMES. */
export const modelFiguresSchema = z.object({
  model: z.enum(MODEL_NAMES),
  state: z.enum(['ready', 'not-trained', 'disabled']),
  /** The rest is null unless the model is ready. */
  figures: z.nullable(
    z.object({
      modelVersion: z.string(),
      parameters: z.int(),
      /** Time spans as text, by part: fit, validate, test, late, purge. */
      spans: z.record(z.string(), z.string()),
      dataFiles: z.int(),
      notEvaluated: z.array(z.string()),
      groups: z.array(groupFiguresSchema),
      /** These two are absent if they were not measured. */
      unseen: z.optional(unseenCoinsSchema),
      releases: z.optional(releaseFiguresSchema),
    }),
  ),
});
export type ModelFigures = z.infer<typeof modelFiguresSchema>;
export const modelsAnswerSchema = z.object({ models: z.array(modelFiguresSchema) });
