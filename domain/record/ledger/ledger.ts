/**
 * What is written into the public record of the house's forecasts, to the byte. A record's text is its JSON with the
 * fields in one order and nothing but whole numbers and plain words; its hash is the SHA-256 of that text; each names the
 * hash of the one before it. Whoever has the texts can check all of it. The text is shorter than the record in memory, so
 * that 1,024 bytes hold it in a crash too: hashes are base64url there, and quantiles the steps from one level to the next.
 * docs/decisions/035-track-record.md
 */
import * as z from 'zod/mini';
import { MODEL_NAMES } from '../../forecast/models.ts';
import { QUANTILE_LEVELS } from '../../forecast/quantiles.ts';
import { MARKET_KINDS } from '../../market/symbols.ts';
import { SCORED_BARS } from '../scoring/scoring.ts';
import { packHex, unpackHex } from './bytes.ts';

/** A house forecast is issued for every fifth minute. */
export const SLOT_S = 300;
/** Whole numbers in records: natural logarithms of price ratios in millionths (0.01 bp). */
export const LN_UNITS = 1e6;
/** Volatilities of one minute are small: in hundred-millionths. */
export const SIGMA_UNITS = 1e8;
/** Factors by which bands are widened: in thousandths. */
export const FACTOR_UNITS = 1000;
/** Levels above the middle; the lower half mirrors them, the middle is the last close. */
export const UPPER_LEVELS = QUANTILE_LEVELS.filter((level) => level > 0.5);

/** `serving`: what users are shown. `shadow`: a model that runs unseen beside it. */
export const RECORD_ROLES = ['serving', 'shadow'] as const;
export type RecordRole = (typeof RECORD_ROLES)[number];

/** Hash that the first record names. */
export const NO_HASH = '0'.repeat(64);

const whole = z.int();
const sha256Hex = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const perBar = <T extends z.ZodMiniType>(item: T) => z.array(item).check(z.length(SCORED_BARS.length));
const factor = z.int().check(z.minimum(1), z.maximum(100 * FACTOR_UNITS));

/** In this order, which is the text's; hashes in hex. */
export const recordBodySchema = z.strictObject({
  v: z.literal(1),
  /** From 1, without a gap. */
  seq: z.int().check(z.minimum(1)),
  /** Epoch seconds of the market's time, a multiple of SLOT_S: the minute after the last candle that the model saw. */
  slot: z.int().check(z.multipleOf(SLOT_S)),
  /** Epoch milliseconds by our clock; never before that of the record before. */
  issued: z.int(),
  sym: z.string().check(z.maxLength(40)),
  model: z.enum(MODEL_NAMES),
  /** `<model>-<ten digits>`, as everywhere on the site. */
  version: z.string().check(z.maxLength(40)),
  /** SHA-256 of the network's file. */
  weights: sha256Hex,
  role: z.enum(RECORD_ROLES),
  market: z.enum(MARKET_KINDS),
  /** Of the candles that the model saw: see inputText. */
  input: sha256Hex,
  /** The last close as a decimal, and as the venue gave it. */
  close: z.string().check(z.regex(/^\d{1,15}(\.\d{1,12})?$/)),
  /** By scored bar: quantiles of ln(C[t+h] / C[t]) at UPPER_LEVELS, LN_UNITS, as the model made them; never falling. */
  upper: perBar(z.array(z.int().check(z.nonnegative())).check(z.length(UPPER_LEVELS.length))),
  /** Factors on the widths of the 80 and of the 95 % band by scored bar, FACTOR_UNITS: what users were shown. */
  bands: z.tuple([perBar(factor), perBar(factor)]),
  /** The drawn path's closes at the scored bars: ln over the last close, LN_UNITS. */
  path: perBar(whole),
  /** Of the whole document: see documentText. It is kept for 90 days. */
  document: sha256Hex,
  /** Forecasts of the realised volatility and of the range ln(highest high / lowest low) of the 50 minutes, LN_UNITS. */
  rv: whole,
  range: whole,
  /** Volatility of one minute by the fading mean, SIGMA_UNITS; the baseline's quantiles are normal ones of it. */
  ewma: whole,
  /** Log-HAR: sigma of ln(C[t+h] / C[t]) by scored bar, SIGMA_UNITS; its quantiles are that times the table of `baseline`. */
  har: perBar(whole),
  /** Which coefficients and tables of log-HAR: `har-<ten digits>`. */
  baseline: z.string().check(z.maxLength(40)),
  /** Hash of the record before; NO_HASH in the first. */
  prev: sha256Hex,
});
export type RecordBody = z.infer<typeof recordBodySchema>;

/** A forecast that is to be written down: the chain gives it its place. */
export type UnsealedRecord = Omit<RecordBody, 'v' | 'seq' | 'prev'>;

const FIELDS = Object.keys(recordBodySchema.shape) as (keyof RecordBody)[];

/** 32 bytes as base64url. */
const packedHash = z.string().check(z.length(43));
/** As the text says it. */
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

/**
 * @returns null for a text that is not, to the byte, what recordText makes of it
 */
export function readRecordText(text: string): RecordBody | null {
  try {
    const written = writtenSchema.safeParse(JSON.parse(text));
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
    return body.success && recordText(body.data) === text ? body.data : null;
  } catch {
    // No JSON at all.
    return null;
  }
}

function summed(steps: readonly number[]): number[] {
  let quantile = 0;
  return steps.map((step) => {
    quantile += step;
    return quantile;
  });
}
