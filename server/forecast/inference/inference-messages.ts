/** Both ends have one version, but parse anyway: it is a process boundary, and costs a hundredth of a forecast. */
import * as z from 'zod/mini';
import { ERROR_CODES } from '#domain/errors/app-error.ts';
import { type Candle, candleSchema } from '#domain/market/candle.ts';
import { TIMEFRAMES } from '#domain/market/timeframes.ts';
import { MODEL_IDS } from '../models/model-id.ts';
import { INPUT_NAMES } from '../network/model-inputs.ts';
import type { NetworkSubject } from '../network/network-forecast.ts';

const id = z.int();
const file = z.object({ file: z.string(), sha256: z.string() });
const floats = z.custom<Float64Array>((value) => value instanceof Float64Array);
const numbers = z.array(z.number());

/** All that a forecast depends on beside its candles: a field that this lacks would change nothing, unnoticed. */
export const subjectSchema = z.object({
  sym: z.string(),
  assetClass: z.enum(['crypto', 'equity', 'metal', 'index', 'energy']),
  tickSize: z.number(),
  varianceFactors: z.optional(numbers),
  pathKey: z.optional(z.string()),
} satisfies Record<keyof NetworkSubject, unknown>);

export const inferenceRequestSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('open'),
    id,
    model: z.enum(MODEL_IDS),
    files: z.object({
      folder: z.string(),
      modelVersion: z.string(),
      network: file,
      paths: file,
      inputNames: z.array(z.enum(INPUT_NAMES)),
      timeframe: z.enum(TIMEFRAMES),
    }),
  }),
  z.object({
    kind: z.literal('forecast'),
    id,
    model: z.enum(MODEL_IDS),
    subject: subjectSchema,
    /** From packCandles. The process checks their values when it computes. */
    candles: floats,
  }),
]);
export type InferenceRequest = z.infer<typeof inferenceRequestSchema>;

const computedForecastSchema = z.object({
  t0: z.int(),
  lastClose: z.number(),
  path: z.array(candleSchema),
  band: z.object({ lower80: numbers, upper80: numbers, lower95: numbers, upper95: numbers }),
  volatility: z.object({
    minuteVariance: floats,
    upperQuantiles: z.array(numbers),
    rv50: z.number(),
    range50: z.number(),
  }),
});

/** Answers of the process: once `ready`, then one per request. */
export const inferenceAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('opened'), id }),
  z.object({ kind: z.literal('forecast'), id, forecast: computedForecastSchema }),
  z.object({
    kind: z.literal('failed'),
    id,
    code: z.enum(ERROR_CODES),
    details: z.record(z.string(), z.unknown()),
    cause: z.string(),
  }),
]);
export type InferenceAnswer = z.infer<typeof inferenceAnswerSchema>;

const FIELDS = 6;

/** Six numbers a candle; a missing volume becomes 0, as every reader treats it. */
export function packCandles(candles: readonly Candle[]): Float64Array {
  const packed = new Float64Array(candles.length * FIELDS);
  for (const [i, { time, open, high, low, close, volume = 0 }] of candles.entries()) {
    packed.set([time, open, high, low, close, volume], i * FIELDS);
  }
  return packed;
}

export function unpackCandles(packed: Float64Array): Candle[] {
  return Array.from({ length: Math.floor(packed.length / FIELDS) }, (_, i) => {
    const at = (field: number): number => packed[i * FIELDS + field] ?? Number.NaN;
    return { time: at(0), open: at(1), high: at(2), low: at(3), close: at(4), volume: at(5) };
  });
}
