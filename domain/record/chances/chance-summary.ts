/** Response of GET /record/chances.json: the recorded chances in figures with intervals. Computed by the server. */
import * as z from 'zod/mini';
import { MODEL_NAMES } from '../../forecast/models.ts';
import { MARKET_KINDS } from '../../market/symbols.ts';
import { estimateSchema } from '../figures/track-summary.ts';
import { RECORDED_WINDOWS } from './chance-moments.ts';
import { CHANCE_DECILES } from './chance-sums.ts';

const count = z.int().check(z.nonnegative());
const estimate = z.nullable(estimateSchema);
const mean = z.nullable(z.number());

const figuresSchema = z.object({
  /** Number of scored chances, and of the blocks of six hours that contain them. */
  n: count,
  blocks: count,
  /** Mean of (chance - outcome) squared, and of minus the logarithm of the chance of what happened; lower is better. */
  brier: mean,
  brierBaseline: mean,
  log: mean,
  logBaseline: mean,
  /** 1 - score / the baseline's score: above 0 is better than the baseline. */
  skillBrier: estimate,
  skillLog: estimate,
});
export type ChanceFigures = z.infer<typeof figuresSchema>;

const decileSchema = z.object({
  /** Number of scored chances from decile x 10% up to the next, and their mean. */
  count,
  chance: mean,
  /** Share of them whose window closed above its open. */
  happened: estimate,
});
export type ChanceDecile = z.infer<typeof decileSchema>;

export const chanceSummarySchema = z.object({
  market: z.enum(MARKET_KINDS),
  /** Minutes of the clock window. */
  window: z.literal(RECORDED_WINDOWS),
  model: z.enum(MODEL_NAMES),
  period: z.enum(['7d', '30d', '90d', '365d']),
  computedMs: z.int(),
  /** Start of the period: the first second of a six-hour block. */
  fromS: z.int(),
  /** The first and the newest moment of the period; null without chances. */
  firstS: z.nullable(z.int()),
  lastS: z.nullable(z.int()),
  counts: z.object({ expected: count, issued: count, known: count, void: count, waiting: count }),
  voidReasons: z.record(z.string(), count),
  missReasons: z.record(z.string(), count),
  all: figuresSchema,
  /** By minutes of the window that were over. */
  byMinute: z.array(z.object({ minute: z.int(), figures: figuresSchema })),
  bySymbol: z.array(z.object({ sym: z.string(), figures: figuresSchema })),
  /** Monday 00:00 UTC of each week, epoch seconds, oldest first. */
  byWeek: z.array(z.object({ weekS: z.int(), figures: figuresSchema })),
  deciles: z.array(decileSchema).check(z.length(CHANCE_DECILES)),
});
export type ChanceSummary = z.infer<typeof chanceSummarySchema>;
