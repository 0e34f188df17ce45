/**
 * The text of a chance in the public record, to the byte: the chance that a clock window closes above its open, and the
 * baseline's. It is one more kind of text in the chain of forecasts, with version 3 and the window's length.
 * docs/decisions/074-chances-in-the-record.md
 */
import * as z from 'zod/mini';
import { parsedJson } from '../../format/parsed-json.ts';
import { MINUTE_S } from '../../market/candle.ts';
import { RECORDED_WINDOWS, windowsAt } from '../chances/chance-moments.ts';
import { packHex, unpackHex } from './bytes.ts';
import { recordBodySchema } from './ledger.ts';

/** Chances are whole millionths, so none is 0 or 1. */
export const CHANCE_UNITS = 1_000_000;

const { seq, issued, sym, model, version, weights, role, market, input, close, ewma, prev } = recordBodySchema.shape;
const chance = z.int().check(z.minimum(1), z.maximum(CHANCE_UNITS - 1));
const packedHash = z.string().check(z.length(43));

/** Fields in the order of the text; hashes in hex. */
export const chanceBodySchema = z.strictObject({
  v: z.literal(3),
  seq,
  /** Epoch seconds of the market's time: the moment, a whole minute within the window. */
  slot: z.int().check(z.multipleOf(MINUTE_S)),
  /** Minutes of the clock window around `slot`. */
  window: z.literal(RECORDED_WINDOWS),
  issued,
  sym,
  model,
  version,
  weights,
  role,
  market,
  /** Venue of the candles. */
  venue: z.string().check(z.maxLength(40)),
  /** Hash of the candles that the model read: see inputText. */
  input,
  /** The window's open, and the close of the minute before the moment, as the venue sent them. */
  open: close,
  close,
  /** Chance that the window's last close is above its open, CHANCE_UNITS: the model's and the baseline's. */
  chance,
  baseline: chance,
  /** One bar's volatility by the exponentially weighted mean, SIGMA_UNITS: the baseline follows from it. */
  ewma,
  /** Version of the calibration that the chance was computed with. */
  calibration: z.string().check(z.maxLength(40)),
  /** 16 random bytes, base64url. Without them a sealed chance could be guessed: the rest of its text is public. */
  salt: z.string().check(z.regex(/^[\w-]{22}$/)),
  prev,
});
export type ChanceBody = z.infer<typeof chanceBodySchema>;

/** A chance to be recorded, before the chain assigns its number. */
export type UnsealedChance = Omit<ChanceBody, 'v' | 'seq' | 'prev'>;

const FIELDS = Object.keys(chanceBodySchema.shape) as (keyof ChanceBody)[];

/** The fields as the text writes them. */
const writtenSchema = z.extend(chanceBodySchema, { weights: packedHash, input: packedHash, prev: packedHash });

/** The exact text that is hashed. */
export function chanceText(body: ChanceBody): string {
  const { weights: ofNetwork, input: ofCandles, prev: before } = body;
  const written = { ...body, weights: packHex(ofNetwork), input: packHex(ofCandles), prev: packHex(before) };
  return JSON.stringify(Object.fromEntries(FIELDS.map((field) => [field, written[field]])));
}

/** @returns null unless the text is, to the byte, what chanceText writes of a fixed moment */
export function readChanceText(text: string): ChanceBody | null {
  const written = writtenSchema.safeParse(parsedJson(text));
  if (!written.success) return null;
  const { data } = written;
  const body = chanceBodySchema.safeParse({
    ...data,
    weights: unpackHex(data.weights),
    input: unpackHex(data.input),
    prev: unpackHex(data.prev),
  });
  if (!body.success || !windowsAt(body.data.slot).includes(body.data.window)) return null;
  return chanceText(body.data) === text ? body.data : null;
}
