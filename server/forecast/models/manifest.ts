/** The format of models/<name>/manifest.json: what a model is, what it was trained on, and how to verify its files. */
import * as z from 'zod/mini';
import { groupFiguresSchema } from '#domain/forecast/model-figures.ts';
import { MODEL_NAMES } from '#domain/forecast/models.ts';

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
});

export const manifestSchema = z.discriminatedUnion('state', [untrainedSchema, trainedSchema]);
export type TrainedManifest = z.infer<typeof trainedSchema>;
