/**
 * The text of the public record of house forecasts, to the byte. A record's text is its JSON with the fields in one
 * order and only whole numbers and plain words. Its hash is the SHA-256 of that text, and each record names the
 * previous record's hash. Anyone with the texts can check all of it. The text is shorter than the record in memory, so
 * that 1,024 bytes hold it even in a crash: its hashes are base64url, and its quantiles the steps from one level to the
 * next. docs/decisions/035-track-record.md. A record of longer candles names its timeframe, and has version 2 and 1,152
 * bytes. docs/decisions/072-record-of-longer-candles.md
 */

import * as z from 'zod/mini';
import { MODEL_NAMES } from '../../forecast/models.ts';
import { QUANTILE_LEVELS } from '../../forecast/quantiles.ts';
import { parsedJson } from '../../format/parsed-json.ts';
import { MARKET_KINDS, type MarketSymbol } from '../../market/symbols.ts';
import { DEFAULT_TIMEFRAME, TIMEFRAMES, type Timeframe } from '../../market/timeframes.ts';
import { SCORED_BARS } from '../scoring/scoring.ts';
import { packHex, unpackHex } from './bytes.ts';

/** A house forecast of one-minute candles is issued for every fifth minute. Slots of longer candles are some of these. */
export const SLOT_S = 300;
const SLOT_SECONDS: Readonly<Record<Timeframe, number>> = { '1min': SLOT_S, '5min': 900, '15min': 3600 };

/** Seconds from one house forecast to the next. */
export function slotSecondsOf(timeframe: Timeframe): number {
  return SLOT_SECONDS[timeframe];
}

/** Longer candles are recorded for coins alone: an exchange's day is shorter than fifty of them. */
export function isRecorded({ assetClass }: Pick<MarketSymbol, 'assetClass'>, timeframe: Timeframe): boolean {
  return timeframe === DEFAULT_TIMEFRAME || assetClass === 'crypto';
}

/** The timeframes that texts and answers name: they name none for one minute, as before there were others. */
export type LongerTimeframe = Exclude<Timeframe, typeof DEFAULT_TIMEFRAME>;
export const LONGER_TIMEFRAMES = TIMEFRAMES.filter((timeframe) => timeframe !== DEFAULT_TIMEFRAME);

export function timeframeOfRecord({ tf }: { tf?: LongerTimeframe | undefined }): Timeframe {
  return tf ?? DEFAULT_TIMEFRAME;
}

/** The field of a text or an answer; none for one minute. */
export function timeframeField(timeframe: Timeframe): { tf?: LongerTimeframe } {
  return timeframe === DEFAULT_TIMEFRAME ? {} : { tf: timeframe };
}

/** The version of a record's text and of its document's. */
export function textVersionOf({ tf }: { tf?: LongerTimeframe | undefined }): 1 | 2 {
  return tf === undefined ? 1 : 2;
}
/** Whole numbers in records: natural logarithms of price ratios in millionths (0.01 bp). */
export const LN_UNITS = 1e6;
/** Volatilities of one bar are small: in hundred-millionths. */
export const SIGMA_UNITS = 1e8;
/** Factors by which bands are widened: in thousandths. */
export const FACTOR_UNITS = 1000;
/** Levels above the median; the lower half mirrors them, and the median is the last close. */
export const UPPER_LEVELS = QUANTILE_LEVELS.filter((level) => level > 0.5);

/** `serving`: the model shown to users. `shadow`: a model that runs hidden beside it. */
export const RECORD_ROLES = ['serving', 'shadow'] as const;
export type RecordRole = (typeof RECORD_ROLES)[number];

/** The previous hash in the first record. */
export const NO_HASH = '0'.repeat(64);

const whole = z.int();
const sha256Hex = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const perBar = <T extends z.ZodMiniType>(item: T) => z.array(item).check(z.length(SCORED_BARS.length));
const factor = z.int().check(z.minimum(1), z.maximum(100 * FACTOR_UNITS));

/** Fields in the order of the text; hashes in hex. */
export const recordBodySchema = z.strictObject({
  /** 1 without `tf`, 2 with it. */
  v: z.literal([1, 2]),
  /** Starts at 1, without gaps. */
  seq: z.int().check(z.minimum(1)),
  /** Epoch seconds of the market's time, a multiple of slotSecondsOf: the bar after the model's last candle. */
  slot: z.int().check(z.multipleOf(SLOT_S)),
  /** Length of a candle; absent: one minute. */
  tf: z.optional(z.enum(LONGER_TIMEFRAMES)),
  /** Epoch milliseconds by our clock; never before the previous record's. */
  issued: z.int(),
  sym: z.string().check(z.maxLength(40)),
  model: z.enum(MODEL_NAMES),
  /** `<model>-<ten digits>`, as everywhere on the site. */
  version: z.string().check(z.maxLength(40)),
  /** SHA-256 of the network's weights file. */
  weights: sha256Hex,
  role: z.enum(RECORD_ROLES),
  market: z.enum(MARKET_KINDS),
  /** Hash of the candles that the model read: see inputText. */
  input: sha256Hex,
  /** The last close as a decimal, exactly as the venue sent it. */
  close: z.string().check(z.regex(/^\d{1,15}(\.\d{1,12})?$/)),
  /** By scored bar: the model's quantiles of ln(C[t+h] / C[t]) at UPPER_LEVELS, LN_UNITS; never falling. */
  upper: perBar(z.array(z.int().check(z.nonnegative())).check(z.length(UPPER_LEVELS.length))),
  /** Factors on the widths of the 80 and the 95% band by scored bar, FACTOR_UNITS, as shown to users. */
  bands: z.tuple([perBar(factor), perBar(factor)]),
  /** The drawn path's closes at the scored bars: ln over the last close, LN_UNITS. */
  path: perBar(whole),
  /** Hash of the whole document, which is stored for 90 days: see documentText. */
  document: sha256Hex,
  /** Forecasts of the realised volatility and of the range ln(highest high / lowest low) of the 50 bars, LN_UNITS. */
  rv: whole,
  range: whole,
  /** One bar's volatility by the exponentially weighted mean, SIGMA_UNITS; gives the baseline's normal quantiles. */
  ewma: whole,
  /** Log-HAR: sigma of ln(C[t+h] / C[t]) by scored bar, SIGMA_UNITS; times the table of `baseline`, its quantiles. */
  har: perBar(whole),
  /** Version of log-HAR's coefficients and tables: `har-<ten digits>`. */
  baseline: z.string().check(z.maxLength(40)),
  /** Hash of the previous record; NO_HASH in the first. */
  prev: sha256Hex,
});
export type RecordBody = z.infer<typeof recordBodySchema>;

/** A forecast to be recorded, before the chain assigns its number. */
export type UnsealedRecord = Omit<RecordBody, 'v' | 'seq' | 'prev'>;

const FIELDS = Object.keys(recordBodySchema.shape) as (keyof RecordBody)[];

/** 32 bytes as base64url. */
const packedHash = z.string().check(z.length(43));
/** The fields as the text writes them. */
const writtenSchema = z.extend(recordBodySchema, {
  weights: packedHash,
  input: packedHash,
  document: packedHash,
  prev: packedHash,
});

/** The exact text that is hashed. */
export function recordText(body: RecordBody): string {
  const written: RecordBody = {
    ...body,
    weights: packHex(body.weights),
    input: packHex(body.input),
    upper: body.upper.map((row) => row.map((quantile, i) => quantile - (row[i - 1] ?? 0))),
    document: packHex(body.document),
    prev: packHex(body.prev),
  };
  return JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, written[field]])));
}

/** @returns null unless the text is, to the byte, what recordText writes */
export function readRecordText(text: string): RecordBody | null {
  const written = writtenSchema.safeParse(parsedJson(text));
  if (!written.success) return null;
  const { weights, input, document, prev, upper } = written.data;
  const body = recordBodySchema.safeParse({
    ...written.data,
    weights: unpackHex(weights),
    input: unpackHex(input),
    upper: upper.map(summed),
    document: unpackHex(document),
    prev: unpackHex(prev),
  });
  return body.success && isOfItsVersion(body.data) && recordText(body.data) === text ? body.data : null;
}

function isOfItsVersion(body: RecordBody): boolean {
  return body.v === textVersionOf(body) && body.slot % slotSecondsOf(timeframeOfRecord(body)) === 0;
}

function summed(steps: readonly number[]): number[] {
  let quantile = 0;
  return steps.map((step) => {
    quantile += step;
    return quantile;
  });
}
