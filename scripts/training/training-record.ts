/** What training says of itself: TRAINING.json beside the network. Free in what it tells, but for what the manifest needs. */
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { INPUT_NAMES } from '../../server/forecast/model-inputs.ts';

const counts = z.record(z.string(), z.record(z.string(), z.int()));

const trainingRecordSchema = z.looseObject({
  parameters: z.int().check(z.positive()),
  inputNames: z.array(z.enum(INPUT_NAMES)).check(z.minLength(1)),
  /** Spans of time in words, by part, where they are not the standard ones. */
  spans: z.optional(z.record(z.string(), z.string())),
  /** Windows by part and asset class. */
  windows: z.optional(counts),
});
export type TrainingRecord = z.infer<typeof trainingRecordSchema>;

/** @throws Error when the file is not there or lacks `parameters` or `inputNames` */
export function readTrainingRecord(file: string): TrainingRecord {
  const parsed = trainingRecordSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new Error(`${file} is no record of a training: ${z.prettifyError(parsed.error)}`);
}
