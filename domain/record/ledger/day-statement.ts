/**
 * The signed statement of each UTC day: the roots of its hours, and the hash of the previous statement. As with
 * records, the exact text counts, to the byte. docs/decisions/035-track-record.md
 */

import * as z from 'zod/mini';
import { parsedJson } from '../../format/parsed-json.ts';
import { fromHex, type Sha256, toHex } from './bytes.ts';
import { merkleRoot } from './merkle.ts';

export const HOUR_S = 3600;
export const DAY_S = 86_400;
const MAX_CHARACTERS = 16_384;

const sha256Hex = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const keyId = z.string().check(z.regex(/^[0-9a-f]{16}$/));
const seq = z.int().check(z.minimum(1));

const sealedHourSchema = z.strictObject({
  /** Epoch seconds of its start. */
  hour: z.int().check(z.multipleOf(HOUR_S)),
  first: seq,
  count: seq,
  /** Merkle root over the hashes of its records. */
  root: sha256Hex,
});
export type SealedHour = z.infer<typeof sealedHourSchema>;

/** Fields in the order of the text. */
const dayStatementSchema = z.strictObject({
  v: z.literal(1),
  day: z.string().check(z.refine(isDay)),
  /** Number of its first record, and its record count. */
  first: seq,
  count: seq,
  /** Hours with records, by time. */
  hours: z.array(sealedHourSchema).check(z.minLength(1), z.maxLength(24)),
  /** Merkle root over the roots of the hours. */
  root: sha256Hex,
  /** Hash of the last record. */
  last: sha256Hex,
  /** SHA-256 of the previous statement, of whatever day; NO_HASH in the first. */
  previous: sha256Hex,
  key: keyId,
});
export type DayStatement = z.infer<typeof dayStatementSchema>;

/** Announces a new signing key, signed by the previous key. */
const keyAnnouncementSchema = z.strictObject({
  v: z.literal(1),
  key: keyId,
  /** The key's 32 bytes. */
  public: sha256Hex,
  /** Epoch seconds: the previous key signs no day that ends later. */
  from: z.int().check(z.nonnegative()),
  by: keyId,
});
export type KeyAnnouncement = z.infer<typeof keyAnnouncementSchema>;

const HOUR_FIELDS = Object.keys(sealedHourSchema.shape) as (keyof SealedHour)[];
const DAY_FIELDS = Object.keys(dayStatementSchema.shape) as (keyof DayStatement)[];
const KEY_FIELDS = Object.keys(keyAnnouncementSchema.shape) as (keyof KeyAnnouncement)[];

export function statementText(statement: DayStatement): string {
  return JSON.stringify(
    inOrder({ ...statement, hours: statement.hours.map((hour) => inOrder(hour, HOUR_FIELDS)) }, DAY_FIELDS),
  );
}

/** @returns null unless the text is, to the byte, what statementText writes */
export function readStatementText(text: string): DayStatement | null {
  return readExactly(text, dayStatementSchema, statementText);
}

/** The statement of a day with records, before it is signed. */
export async function makeStatement(
  of: Pick<DayStatement, 'day' | 'hours' | 'last' | 'previous' | 'key'>,
  sha256: Sha256,
): Promise<DayStatement> {
  const { day, hours, last, previous, key } = of;
  const [first] = hours;
  if (first === undefined) throw new RangeError('A day without records has no statement.');
  const count = hours.reduce((sum, hour) => sum + hour.count, 0);
  return { v: 1, day, first: first.first, count, hours, root: await dayRoot(hours, sha256), last, previous, key };
}

export function announcementText(announcement: KeyAnnouncement): string {
  return JSON.stringify(inOrder(announcement, KEY_FIELDS));
}

/** @returns null unless the text is, to the byte, what announcementText writes */
export function readAnnouncementText(text: string): KeyAnnouncement | null {
  return readExactly(text, keyAnnouncementSchema, announcementText);
}

/** Root over the roots of a day's hours. @throws RangeError for a root that isn't hex, or for no roots */
export async function dayRoot(hours: readonly Pick<SealedHour, 'root'>[], sha256: Sha256): Promise<string> {
  const roots = hours.map(({ root }) => {
    const bytes = fromHex(root);
    if (bytes === null) throw new RangeError('A root must be hex.');
    return bytes;
  });
  return toHex(await merkleRoot(roots, sha256));
}

/** Id of a public key of 32 bytes. */
export async function keyIdOf(publicKey: Uint8Array, sha256: Sha256): Promise<string> {
  return toHex(await sha256(publicKey)).slice(0, 16);
}

/** The UTC day, such as 2026-11-22. @param epochMs  a time within it */
export function dayOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

/** Epoch seconds of its start. */
export function dayStartS(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 1000;
}

export function isDay(text: string): boolean {
  const startMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(startMs) && dayOf(startMs) === text;
}

function inOrder<T extends object>(value: T, fields: readonly (keyof T & string)[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, value[field]]));
}

function readExactly<T>(text: string, schema: z.ZodMiniType<T>, write: (value: T) => string): T | null {
  if (text.length > MAX_CHARACTERS) return null;
  const parsed = schema.safeParse(parsedJson(text));
  return parsed.success && write(parsed.data) === text ? parsed.data : null;
}
