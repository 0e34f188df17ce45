/**
 * The two texts whose hashes a record names: the model's candles, and the whole forecast. Anyone who has the candles or
 * the forecast can rebuild the text and compare. Numbers are written as JSON.stringify writes them.
 */
import * as z from 'zod/mini';
import { HORIZON_BARS } from '../../forecast/window.ts';
import type { Candle } from '../../market/candle.ts';
import { SCORED_BARS } from '../scoring/scoring.ts';
import { LONGER_TIMEFRAMES, UPPER_LEVELS } from './ledger.ts';

/**
 * One line per candle, oldest first, separated by '\n' without a final one: `time,open,high,low,close,volume`, as the
 * venue sent them; an absent volume is an empty field.
 */
export function inputText(candles: readonly Candle[]): string {
  return candles
    .map(
      ({ time, open, high, low, close, volume }) =>
        [time, open, high, low, close].map((value) => JSON.stringify(value)).join() +
        (volume === undefined ? ',' : `,${JSON.stringify(volume)}`),
    )
    .join('\n');
}

const perForecastBar = <T extends z.ZodMiniType>(item: T) => z.array(item).check(z.length(HORIZON_BARS));
const perBar = <T extends z.ZodMiniType>(item: T) => z.array(item).check(z.length(SCORED_BARS.length));
const whole = z.int();

/** The whole forecast, with its fields in this order. Units are those of the record. */
export const recordDocumentSchema = z.strictObject({
  /** 1 without `tf`, 2 with it. */
  v: z.literal([1, 2]),
  sym: z.string(),
  version: z.string(),
  /** Length of a candle; absent: one minute. */
  tf: z.optional(z.enum(LONGER_TIMEFRAMES)),
  /** Opening second of the model's last candle. */
  t0: whole,
  /** Venue of the candles. */
  venue: z.string(),
  close: z.string(),
  /** [bar 1..50][level of UPPER_LEVELS], as the model produced them. */
  upper: perForecastBar(z.array(whole).check(z.length(UPPER_LEVELS.length))),
  /** Open, high, low and close of each drawn candle. */
  path: perForecastBar(z.array(z.number()).check(z.length(4))),
  rv: whole,
  range: whole,
  /** Factors on the widths of the 80 and the 95% band by scored bar, as in the record. */
  bands: z.tuple([perBar(whole), perBar(whole)]),
});
export type RecordDocument = z.infer<typeof recordDocumentSchema>;

const FIELDS = Object.keys(recordDocumentSchema.shape) as (keyof RecordDocument)[];

/** The exact text that is hashed. */
export function documentText(document: RecordDocument): string {
  return JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, document[field]])));
}
