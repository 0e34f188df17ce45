/** TRAINING.json beside the network, written by training. Its content is free, except for what the manifest needs. */
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { TIMEFRAMES } from '../../domain/market/timeframes.ts';
import {
  AHEAD_CHANNELS,
  INPUT_NAMES,
  MINUTE_CHANNELS,
  STATIC_NAMES,
} from '../../server/forecast/network/model-inputs.ts';
import { type CandleFile, fileNameOf } from '../measure/candle-files.ts';

const counts = z.record(z.string(), z.record(z.string(), z.int()));

const trainingRecordSchema = z.looseObject({
  parameters: z.int().check(z.positive()),
  /** Length of its candles; absent: one minute. */
  timeframe: z.optional(z.enum(TIMEFRAMES)),
  inputNames: z.array(z.enum(INPUT_NAMES)).check(z.minLength(1)),
  /** The coin that was left out, to measure what that costs; such a network never becomes a model. */
  without: z.optional(z.string()),
  /** Names of the network's inputs, in order. */
  staticNames: z.array(z.string()),
  minuteChannels: z.array(z.string()),
  aheadChannels: z.array(z.string()),
  /** Candle files that its windows were cut from. */
  data: z.array(z.object({ file: z.string(), sha256: z.string() })).check(z.minLength(1)),
  /** Spans of time as text, by part, if they are not the standard ones. */
  spans: z.optional(z.record(z.string(), z.string())),
  /** Windows by part and asset class. */
  windows: z.optional(counts),
});
export type TrainingRecord = z.infer<typeof trainingRecordSchema>;

/** @throws Error if the file is missing or lacks what the manifest needs */
export function readTrainingRecord(file: string): TrainingRecord {
  const parsed = trainingRecordSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new Error(`${file} isn't a valid training record: ${z.prettifyError(parsed.error)}`);
}

/** @throws Error if the network was trained on other inputs or candles than those used to finish it */
export function assertTrainedOnThese(record: TrainingRecord, files: readonly CandleFile[]): void {
  const orders: [string, readonly string[], readonly string[]][] = [
    ['staticNames', record.staticNames, STATIC_NAMES],
    ['minuteChannels', record.minuteChannels, MINUTE_CHANNELS],
    ['aheadChannels', record.aheadChannels, AHEAD_CHANNELS],
  ];
  for (const [what, trained, own] of orders) {
    if (trained.join() !== own.join())
      throw new Error(`the network was trained with other ${what} than this code uses`);
  }
  const other = files.find(({ timeframe }) => timeframe !== (record.timeframe ?? '1min'));
  if (other !== undefined) throw new Error(`the network was not trained on ${other.timeframe} candles`);
  const measured = new Map(files.map((file) => [fileNameOf(file), file.sha256]));
  const trained = new Map(record.data.map(({ file, sha256 }) => [file, sha256]));
  const different = [...new Set([...measured.keys(), ...trained.keys()])].filter(
    (f) => measured.get(f) !== trained.get(f),
  );
  if (different.length === 0) return;
  throw new Error(`the network was trained on other candles than those supplied: ${different.sort().join(', ')}`);
}
