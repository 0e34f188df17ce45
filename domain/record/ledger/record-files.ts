/** Published files of the record: of one record, of a day, of the statements, of the keys. */
import * as z from 'zod/mini';
import { MINUTE_S } from '../../market/candle.ts';
import { RECORDED_WINDOWS } from '../chances/chance-moments.ts';
import { recordBodySchema } from './ledger.ts';

/** A public key with its announcement by the previous key; see KeyAnnouncement. */
const publishedKeySchema = z.object({
  id: z.string(),
  /** Ed25519, 32 bytes in hex. */
  public: z.string(),
  /** Null in the first. A key that replaced a lost one has no signature. */
  announcement: z.nullable(z.string()),
  /** base64 */
  signature: z.nullable(z.string()),
});
export type PublishedKey = z.infer<typeof publishedKeySchema>;
const keys = z.array(publishedKeySchema).check(z.maxLength(10_000));

/** GET /record/keys.json: newest first. */
export const keysFileSchema = z.object({ keys });

/** GET /record/days/DAY.json; all null while the day is not over. */
export const signedDaySchema = z.object({
  statement: z.nullable(z.string()),
  /** base64, of the statement's bytes. */
  signature: z.nullable(z.string()),
  key: z.nullable(z.string()),
});
export type SignedDay = z.infer<typeof signedDaySchema>;

/** GET /record/days.json: newest first. */
export const daysFileSchema = z.object({
  days: z.array(z.object({ statement: z.string(), signature: z.string(), key: z.string() })),
  /** URL of the older ones. */
  next: z.nullable(z.string()),
});

/** GET /record/paths/DAY.json: the secret part of the seed of the day's drawn paths. */
export interface PathKeyFile {
  /** Of the last closed candle before a forecast. */
  day: string;
  /** 32 bytes in hex; null until no forecast of the day runs any more. */
  key: string | null;
  /** Epoch seconds from which it is published. */
  opens: number;
}

/** First line of GET /record/days/DAY.ndjson. */
export const dayHeadSchema = z.object({
  day: z.string(),
  statement: z.nullable(z.string()),
  signature: z.nullable(z.string()),
  keys,
});
export type DayHead = z.infer<typeof dayHeadSchema>;

const { seq, tf, issued, sym, model, version, role, market, prev: hash } = recordBodySchema.shape;
const slot = z.int().check(z.multipleOf(MINUTE_S));
/** Minutes of a chance's window; absent: a forecast. */
const window = z.optional(z.literal(RECORDED_WINDOWS));

/** The public part of a sealed record: its key, its time, and the hash that its text must have. */
export const sealedRecordSchema = z.object({ seq, slot, tf, window, issued, sym, model, version, role, market, hash });
export type SealedRecord = z.infer<typeof sealedRecordSchema>;

/** @param hash  hash of the record's text, hex */
export function sealedRecord(
  { seq, slot, tf, window, issued, sym, model, version, role, market }: Omit<SealedRecord, 'hash'>,
  hash: string,
): SealedRecord {
  const kind = { ...(tf !== undefined && { tf }), ...(window !== undefined && { window }) };
  return { seq, slot, ...kind, issued, sym, model, version, role, market, hash };
}

/** A record's text, or the public part of a sealed one. The score is not hashed: anyone can recompute it. */
export const recordLineSchema = z.union([
  z.object({ record: z.string(), score: z.unknown() }),
  z.object({ sealed: sealedRecordSchema, score: z.unknown() }),
]);

/** GET /record/records/SEQ.json: the record's text, or its public part before it is revealed. */
export const recordFileSchema = z.object({
  /** Null while the record is sealed. */
  record: z.nullable(z.string()),
  /** Only while the record is sealed. */
  sealed: z.optional(sealedRecordSchema),
  hash: z.string(),
  /** Null while the record is sealed, and once it is deleted. */
  document: z.nullable(z.string()),
  score: z.unknown(),
  /** Null while the record's day is not signed. */
  proof: z.nullable(
    z.object({
      /** Index of the record's hour in the statement's hours. */
      hour: z.int(),
      /** Sibling hashes up to the hour's root, lowest first, hex. */
      path: z.array(z.string()).check(z.maxLength(64)),
      statement: z.string(),
      signature: z.string(),
    }),
  ),
  keys,
});
export type RecordFile = z.infer<typeof recordFileSchema>;
