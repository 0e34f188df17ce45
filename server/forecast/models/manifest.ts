/** The format of models/<name>/manifest.json: what a model is, what it was trained on, and how to verify its files. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { groupFiguresSchema, releaseFiguresSchema, unseenCoinsSchema } from '#domain/forecast/model-figures.ts';
import { MODEL_NAMES, type ModelName } from '#domain/forecast/models.ts';
import { TIMEFRAMES } from '#domain/market/timeframes.ts';

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/** Names of a model's files: plain, or with a version, so that old and new can share a folder during a swap. */
export const MODEL_FILES = {
  network: /^model(-[a-z]+-[0-9a-f]{10})?\.onnx$/,
  paths: /^paths(-[a-z]+-[0-9a-f]{10})?\.json$/,
} as const;

const untrainedSchema = z.object({
  model: z.enum(MODEL_NAMES),
  streamVersion: z.int(),
  state: z.literal('not-trained'),
});

export const trainedSchema = z.object({
  model: z.enum(MODEL_NAMES),
  streamVersion: z.int(),
  state: z.literal('trained'),
  kind: z.literal('neural'),
  /** Length of the candles that it reads and forecasts; absent: one minute. */
  timeframe: z.optional(z.enum(TIMEFRAMES)),
  /** `<name>-<first ten digits of the sha256 of model.onnx followed by paths.json>`. */
  modelVersion: z.string().check(z.minLength(1), z.maxLength(80)),
  /** Numbers set by training, tables of the graph included. */
  parameters: z.int().check(z.positive()),
  /** Files beside the manifest, and the checksums of their bytes. */
  network: z.object({ file: z.string().check(z.regex(MODEL_FILES.network)), sha256 }),
  paths: z.object({ file: z.string().check(z.regex(MODEL_FILES.paths)), sha256 }),
  input: z.object({
    lookbackBars: z.int(),
    minLookbackBars: z.int(),
    /** Inputs of the network: some of statics, minutes, ahead. */
    names: z.array(z.enum(['statics', 'minutes', 'ahead'])).check(z.minLength(1)),
    staticNames: z.array(z.string()),
    minuteChannels: z.array(z.string()),
    aheadChannels: z.array(z.string()),
  }),
  output: z.object({ horizonBars: z.int(), quantileLevels: z.array(z.number()), paths: z.int() }),
  /** Time spans as text, by part. */
  spans: z.record(z.string(), z.string()),
  /** Windows by part and asset class. */
  windows: z.record(z.string(), z.record(z.string(), z.int())),
  /** How it was trained: seeds, library version, device, seconds, epochs. */
  training: z.record(z.string(), z.unknown()),
  data: z.array(z.object({ file: z.string(), sha256, firstS: z.int(), lastS: z.int(), rows: z.int() })),
  /** Asset classes without data: their forecasts are labelled not evaluated. */
  notEvaluated: z.array(z.string()),
  figures: z.array(groupFiguresSchema),
  /** Forecasts of coins that networks of the same recipe were not trained on; absent if not measured. */
  unseen: z.optional(unseenCoinsSchema),
  /** Bands around releases, with and without the calendar; absent if not measured. */
  releases: z.optional(releaseFiguresSchema),
});

export const manifestSchema = z.discriminatedUnion('state', [untrainedSchema, trainedSchema]);
export type TrainedManifest = z.infer<typeof trainedSchema>;

/** Upper half of the 25 levels; the lower half mirrors it and the middle is 0. */
export const UPPER_LEVELS = [0.525, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.975, 0.995] as const;

const finite = z.number().check(z.refine(Number.isFinite));

/** Inverse distribution functions on a grid of probabilities rising from 0 to 1. */
export const pathTablesSchema = z.object({
  /** Clustering inside a path: g' = 1 - alpha - beta + alpha v/m + beta g. */
  alpha: finite,
  beta: finite,
  /** For symbols with longer wicks and shorter bodies, lengths scale with 1 + slope (wickiness - centre). */
  wickiness: z.object({ centre: finite, returnSlope: finite, wickSlope: finite }),
  /** The path shown is calmer than most; these factors restore the length of ordinary bodies and wicks. */
  lengths: z.object({ returns: finite, wicks: finite }),
  probabilities: z.array(finite).check(z.minLength(3)),
  /** [bin of the previous |return|] -> |return| over its volatility. */
  absReturn: z.array(z.array(finite).check(z.minLength(3))),
  /** Upper edges of the bins of |return| and of the previous |return|; one bin more than edges. */
  returnEdges: z.array(finite),
  previousEdges: z.array(finite),
  /** [bin of |return|][bin of the previous one] -> both wicks together over volatility. */
  wicks: z.array(z.array(z.array(finite))),
  /** [bin of |return|] -> share of both wicks that lies ahead of the move. */
  aheadShare: z.array(z.array(finite)),
});
export type StoredPathTables = z.infer<typeof pathTablesSchema>;

const DIGITS = 10;

export function modelVersionOf(name: ModelName, network: Uint8Array, paths: Uint8Array): string {
  const hash = createHash('sha256').update(network).update(paths).digest('hex');
  return `${name}-${hash.slice(0, DIGITS)}`;
}
