/** What GET /record/summary.json answers: the public record in figures, each with its interval. Computed by the server. */
import * as z from 'zod/mini';
import { MODEL_NAMES } from '../../forecast/models.ts';
import { MARKET_KINDS } from '../../market/symbols.ts';
import { RECORD_ROLES } from '../ledger/ledger.ts';
import { COPY_VERDICTS } from '../scoring/copy-detector.ts';
import { RECORD_VOID_REASONS } from '../scoring/record-score.ts';
import { SCORED_BARS } from '../scoring/scoring.ts';

/** Days back from now. */
export const TRACK_PERIODS = { '7d': 7, '30d': 30, '90d': 90, '365d': 365 } as const;
export type TrackPeriod = keyof typeof TRACK_PERIODS;

const count = z.int().check(z.nonnegative());
const bar = z.literal(SCORED_BARS);

/** A figure with its 95 % interval by block bootstrap; the interval is null where there are too few blocks for one. */
export const estimateSchema = z.object({
  value: z.number(),
  interval: z.nullable(z.tuple([z.number(), z.number()])),
});
export type Estimate = z.infer<typeof estimateSchema>;
const estimate = z.nullable(estimateSchema);

/** Shares are 0 to 1; skills are shares too: 0.01 is one per cent better than the baseline, negative is worse. */
const figuresSchema = z.object({
  /** Scored records behind it, and the six-hour blocks that they lie in. */
  n: count,
  blocks: count,
  /** 1 - sum of CRPS of what was shown / sum of the baseline's. */
  skillEwma: estimate,
  skillHar: estimate,
  /** 1 - mean absolute error of the drawn path / that of the last close. Honest paths are below 0. */
  skillLastClose: estimate,
  /** Share of closes within the bands: as shown, and as the model had them. */
  cover80: estimate,
  cover95: estimate,
  modelCover80: estimate,
  modelCover95: estimate,
});
export type TrackFigures = z.infer<typeof figuresSchema>;

/** A record as lists show it; `state` known: with what came. */
export const recordCardSchema = z.object({
  seq: z.int(),
  issuedMs: z.int(),
  /** Epoch seconds. */
  slot: z.int(),
  sym: z.string(),
  model: z.enum(MODEL_NAMES),
  close: z.string(),
  state: z.enum(['waiting', 'known', 'void']),
  voidReason: z.nullable(z.enum(RECORD_VOID_REASONS)),
  /** By scored bar, bp of ln over the last close: the drawn path, half widths of the shown bands, and what came. */
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
  /** Epoch seconds. */
  slot: z.int(),
  sym: z.string(),
  model: z.enum(MODEL_NAMES),
  state: z.literal('sealed'),
  /** SHA-256 of its text, hex. */
  hash: z.string(),
});
export type SealedCard = z.infer<typeof sealedCardSchema>;

/** GET /record/records.json */
export const recordListSchema = z.array(z.union([recordCardSchema, sealedCardSchema]));
export type ListedRecord = z.infer<typeof recordListSchema>[number];

export const trackSummarySchema = z.object({
  market: z.enum(MARKET_KINDS),
  period: z.enum(['7d', '30d', '90d', '365d']),
  computedMs: z.int(),
  /** Where the period begins: the first second of a six-hour block of slots. */
  fromS: z.int(),
  /** Of the first and the newest record of the period; null without any. */
  firstMs: z.nullable(z.int()),
  lastMs: z.nullable(z.int()),
  counts: z.object({
    /** Slots times symbols times models that there should be by the trading hours, from the first record on. */
    expected: count,
    issued: count,
    known: count,
    void: count,
    waiting: count,
  }),
  voidReasons: z.record(z.string(), count),
  /** Of those that are due and not issued, as far as a server saw why: MISS_REASONS. */
  missReasons: z._default(z.record(z.string(), count), {}),
  models: z.array(
    z.object({
      model: z.enum(MODEL_NAMES),
      role: z.enum(RECORD_ROLES),
      /** Newest first. */
      versions: z.array(z.string()),
      /** Each scored bar over its root, summed: 'all h' of the model cards. */
      all: figuresSchema,
      bars: z.array(z.object({ bar, figures: figuresSchema })),
      /** Ten bins of the probability integral transform, all scored bars together. */
      pit: z.array(count),
      /** Mean absolute ln(forecast / real): the model's, and the fading mean's. */
      rvError: z.nullable(z.object({ model: z.number(), ewma: z.number() })),
      rangeError: z.nullable(z.object({ model: z.number(), ewma: z.number() })),
      /** How much wider than the model says its bands were drawn, on the mean of all records; 1: not at all. */
      bandFactor: z.object({ p80: z.number(), p95: z.number() }),
      /** Share of scored bars at which the drawn path repeats the last close. */
      copyShare: z.nullable(z.number()),
      /** Whether that is more than its market does: see copy-detector.ts. */
      copyVerdict: z.enum(COPY_VERDICTS),
    }),
  ),
  bySymbol: z.array(z.object({ sym: z.string(), model: z.enum(MODEL_NAMES), figures: figuresSchema })),
  /** Monday 00:00 UTC of each week, epoch seconds, oldest first. */
  byWeek: z.array(z.object({ weekS: z.int(), model: z.enum(MODEL_NAMES), figures: figuresSchema })),
  /** The newest that are revealed. */
  latest: z.array(recordCardSchema),
  /** How many newer ones are sealed: their hash, key and time are public, their text is not yet. */
  sealed: z._default(count, 0),
  /** By the error of the path less that of the last close at bar 50: as many of each. */
  best: z.array(recordCardSchema),
  worst: z.array(recordCardSchema),
});
export type TrackSummary = z.infer<typeof trackSummarySchema>;
