/** The shape of the statistical Bobcat's manifest: what a model is, what it was made from, and how to know it is unaltered. */
import * as z from 'zod/mini';
import { MODEL_NAMES } from '#domain/forecast/models.ts';

const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

const untrainedSchema = z.object({
  model: z.enum(MODEL_NAMES),
  streamVersion: z.int(),
  state: z.literal('not-trained'),
});

const statisticalSchema = z.object({
  model: z.enum(MODEL_NAMES),
  streamVersion: z.int(),
  state: z.literal('trained'),
  /** Least squares and tables; a neural model will say so here. */
  kind: z.literal('statistical'),
  modelVersion: z.string().check(z.minLength(1), z.maxLength(80)),
  /** File of coefficients beside the manifest, and the checksum of its bytes. */
  file: z.literal('model.json'),
  sha256,
  input: z.object({ lookbackBars: z.int(), minLookbackBars: z.int(), columns: z.array(z.string()) }),
  output: z.object({ horizonBars: z.int(), quantileLevels: z.array(z.number()), paths: z.int() }),
  featureOrder: z.array(z.string()),
  sessionFeatureOrder: z.array(z.string()),
  spans: z.record(z.string(), z.string()),
  windows: z.record(z.string(), z.record(z.string(), z.int())),
  data: z.array(z.object({ file: z.string(), sha256, firstS: z.int(), lastS: z.int(), rows: z.int() })),
  /** Asset classes of which no data existed: their forecasts are labelled not evaluated. */
  notEvaluated: z.array(z.string()),
  metrics: z.record(z.string(), z.unknown()),
});

export const statisticalManifestSchema = z.discriminatedUnion('state', [untrainedSchema, statisticalSchema]);
export type StatisticalManifest = z.infer<typeof statisticalSchema>;
