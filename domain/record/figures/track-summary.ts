/** Response of GET /record/summary.json: the public record in figures with intervals. Computed by the server. */
import * as z from 'zod/mini';
import { MODEL_NAMES } from '../../forecast/models.ts';
import { RELEASE_KINDS } from '../../market/calendar/release-kinds.ts';
import { MARKET_KINDS } from '../../market/symbols.ts';
import { LONGER_TIMEFRAMES, RECORD_ROLES } from '../ledger/ledger.ts';
import { COPY_VERDICTS } from '../scoring/copy-detector.ts';
import { RECORD_VOID_REASONS } from '../scoring/record-score.ts';
import { SCORED_BARS } from '../scoring/scoring.ts';

export const TRACK_PERIODS = { '7d': 7, '30d': 30, '90d': 90, '365d': 365 } as const;
export type TrackPeriod = keyof typeof TRACK_PERIODS;

const count = z.int().check(z.nonnegative());
const bar = z.literal(SCORED_BARS);
/** Length of a candle; absent: one minute. */
const tf = z.optional(z.enum(LONGER_TIMEFRAMES));

/** A figure with its 95% interval by block bootstrap; the interval is null when there are too few blocks. */
export const estimateSchema = z.object({
  value: z.number(),
  interval: z.nullable(z.tuple([z.number(), z.number()])),
});
export type Estimate = z.infer<typeof estimateSchema>;
const estimate = z.nullable(estimateSchema);

/** Shares are 0 to 1; skills are shares too: 0.01 is one per cent better than the baseline, negative is worse. */
const figuresSchema = z.object({
  /** Number of scored records, and of the blocks that contain them: of six hours, of a day for longer candles. */
  n: count,
  blocks: count,
  /** 1 - sum of CRPS as shown / sum of the baseline's CRPS. */
  skillEwma: estimate,
  skillHar: estimate,
  /** 1 - mean absolute error of the drawn path / that of the last close. Honest paths are below 0. */
  skillLastClose: estimate,
  /** Share of closes within the bands: as shown, and as the model produced them. */
  cover80: estimate,
  cover95: estimate,
  modelCover80: estimate,
  modelCover95: estimate,
});
export type TrackFigures = z.infer<typeof figuresSchema>;

/** A record as lists show it; `state` known: with its outcome. */
export const recordCardSchema = z.object({
  seq: z.int(),
  issuedMs: z.int(),
  /** Epoch seconds. */
  slot: z.int(),
  tf,
  sym: z.string(),
  model: z.enum(MODEL_NAMES),
  close: z.string(),
  state: z.enum(['waiting', 'known', 'void']),
  voidReason: z.nullable(z.enum(RECORD_VOID_REASONS)),
  /** By scored bar, bp of ln over the last close: the drawn path, half widths of the shown bands, and the outcome. */
  pathBp: z.array(z.number()),
  band80Bp: z.array(z.number()),
  band95Bp: z.array(z.number()),
  actualBp: z.nullable(z.array(z.number())),
});
export type RecordCard = z.infer<typeof recordCardSchema>;

/** A record that isn't revealed yet, as lists show it. */
const sealedCardSchema = z.object({
  seq: z.int(),
  issuedMs: z.int(),
  slot: z.int(),
  tf,
  sym: z.string(),
  model: z.enum(MODEL_NAMES),
  state: z.literal('sealed'),
  hash: z.string(),
});
export type SealedCard = z.infer<typeof sealedCardSchema>;

/** GET /record/records.json */
export const recordListSchema = z.array(z.union([recordCardSchema, sealedCardSchema]));
export type ListedRecord = z.infer<typeof recordListSchema>[number];

export const trackSummarySchema = z.object({
  market: z.enum(MARKET_KINDS),
  tf,
  period: z.enum(['7d', '30d', '90d', '365d']),
  computedMs: z.int(),
  /** Start of the period: the first second of a six-hour block of slots. */
  fromS: z.int(),
  /** Issue times of the first and the newest record of the period; null without records. */
  firstMs: z.nullable(z.int()),
  lastMs: z.nullable(z.int()),
  counts: z.object({
    /** Slots times symbols times models expected by the trading hours, from the first record on. */
    expected: count,
    issued: count,
    known: count,
    void: count,
    waiting: count,
  }),
  voidReasons: z.record(z.string(), count),
  /** Counts by reason of forecasts that were due but not issued, as far as a server saw why: MISS_REASONS. */
  missReasons: z._default(z.record(z.string(), count), {}),
  models: z.array(
    z.object({
      model: z.enum(MODEL_NAMES),
      role: z.enum(RECORD_ROLES),
      /** Newest first. */
      versions: z.array(z.string()),
      /** Each scored bar divided by its root, summed: 'all h' of the model cards. */
      all: figuresSchema,
      bars: z.array(z.object({ bar, figures: figuresSchema })),
      /** Ten bins of the probability integral transform, all scored bars together. */
      pit: z.array(count),
      /** Mean absolute ln(forecast / real): the model's, and the exponentially weighted mean's. */
      rvError: z.nullable(z.object({ model: z.number(), ewma: z.number() })),
      rangeError: z.nullable(z.object({ model: z.number(), ewma: z.number() })),
      /** How much wider than the model states its bands were drawn, averaged over all records; 1: not at all. */
      bandFactor: z.object({ p80: z.number(), p95: z.number() }),
      /** Share of scored bars at which the drawn path repeats the last close. */
      copyShare: z.nullable(z.number()),
      /** Whether that is more than in its market: see copy-detector.ts. */
      copyVerdict: z.enum(COPY_VERDICTS),
    }),
  ),
  bySymbol: z.array(z.object({ sym: z.string(), model: z.enum(MODEL_NAMES), figures: figuresSchema })),
  /** Monday 00:00 UTC of each week, epoch seconds, oldest first. */
  /**
   * Forecasts with a scheduled release before a scored bar, by what is released: shares of closes inside the bands as
   * shown, the serving models together. A forecast with two releases counts for both.
   */
  byRelease: z._default(
    z.array(
      z.object({
        kind: z.enum(RELEASE_KINDS),
        releases: count,
        bars: z.array(z.object({ bar, n: count, cover80: z.number(), cover95: z.number() })),
      }),
    ),
    [],
  ),
  byWeek: z.array(z.object({ weekS: z.int(), model: z.enum(MODEL_NAMES), figures: figuresSchema })),
  latest: z.array(recordCardSchema),
  /** Number of newer, sealed records: their hash, key and time are public, their text is not yet. */
  sealed: z._default(count, 0),
  /** Ranked by the error of the path less that of the last close at bar 50; equally many of each. */
  best: z.array(recordCardSchema),
  worst: z.array(recordCardSchema),
});
export type TrackSummary = z.infer<typeof trackSummarySchema>;
